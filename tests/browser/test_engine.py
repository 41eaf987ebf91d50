"""The page's engine: every operation, exported functions and a model, held to PyTorch."""

import math

import numpy as np
import pytest
import torch
from bundled import bundled
from exhaustive import EXHAUSTIVE, examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import mutually_broadcastable_shapes

import d2lmini as d
from kernelfree.tracing.constants import TYPES, constant
from kernelfree.tracing.graph import graph
from kernelfree.tracing.steps import KNOWN, encoded

F64, F32, INT, BOOL = torch.float64, torch.float32, torch.int64, torch.bool
aten = torch.ops.aten

# The page's side: graphs and inputs in, the numbers of all outputs back.
SCRIPT = bundled(
    """import "./engine/uncommon.js";
    import { OPERATIONS } from "./engine/operations.js";
    import { decoded, loaded, run } from "./engine/engine.js";
    const told = (x) => (Array.isArray(x) ? x.map(told)
      : { shape: x.shape ?? [], data: Array.from(x.data ?? [x], Number) });
    window.loaded = loaded;
    window.ask = (program, inputs) => {
      const values = run(program, inputs.map(decoded));
      return program.outputs.map((one) => told(values[one.slice(1)]));
    };
    window.answers = (cases) => cases.map(([page, inputs]) => {
      try { return ask(loaded(page), inputs); } catch (error) { return `${error.stack}`; }
    });
    window.operations = () => Object.keys(OPERATIONS);"""
)


@pytest.fixture(scope="module")
def engine(browser):
    """A page that has the engine."""
    page = browser.new_page()
    page.add_script_tag(content=SCRIPT)
    yield page
    page.close()


def arrays(told):
    """What the page gave back, as NumPy arrays."""
    if isinstance(told, list):
        return [arrays(one) for one in told]
    return np.array(told["data"], float).reshape(told["shape"])


def hold(found, expected, tolerance, overall=False, terms=1, told=""):
    """Numbers agree: each by itself, or as parts of a whole where they are sums.

    A sum is known to a share of its largest term, not of itself: terms may cancel.
    """
    truth = expected.double().numpy()
    known = np.abs(truth[np.isfinite(truth)])
    room, each = (max([terms, *known.flat]), 0) if overall else (0, tolerance)
    least = tolerance * room + 1e-300
    np.testing.assert_allclose(found, truth, each, least, err_msg=told, strict=True)


def lone(operation, args):
    """A graph of one step, its inputs, and what PyTorch says."""
    expected = getattr(aten, operation)(*args)
    ids = {}

    def known(value):
        if isinstance(value, torch.Tensor):
            return f"%{ids.setdefault(value, len(ids))}"
        if isinstance(value, list | tuple):
            return [known(part) for part in value]
        return encoded(value, {})

    several = isinstance(expected, list | tuple)
    dtype = [TYPES[x.dtype] for x in expected] if several else TYPES[expected.dtype]
    step = [operation, known(args), dtype]
    inputs = [constant(x, None) for x in ids]
    page = {"inputs": inputs, "constants": [], "steps": [step], "outputs": [f"%{len(ids)}"]}
    return (page, inputs), expected


SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, 3.0, math.inf, -math.inf, math.nan]
shapes = st.lists(st.integers(0, 4), max_size=4).map(tuple)
solid = st.lists(st.integers(1, 4), min_size=1, max_size=4).map(tuple)
floating = st.sampled_from([F64, F32])


@st.composite
def tensors(draw, shape=shapes, dtype=floating, low=-8.0, high=8.0, special=True):
    """A tensor of any strides with special values among its entries."""
    shape = draw(shape) if isinstance(shape, st.SearchStrategy) else shape
    dtype = draw(dtype) if isinstance(dtype, st.SearchStrategy) else dtype
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    if dtype == BOOL:
        x = torch.tensor(rng.random(shape) < 0.5)
    elif dtype == INT:
        x = torch.tensor(rng.integers(int(low), int(high) + 1, shape))
    else:
        numbers = rng.uniform(low, high, shape)
        if special and draw(st.booleans()):
            numbers = np.where(rng.random(shape) < 0.3, rng.choice(SPECIAL, shape), numbers)
        x = torch.tensor(numbers, dtype=dtype)
    if x.dim() > 1 and draw(st.booleans()):
        x = x.mT.contiguous().mT  # the same numbers in another order of memory
    return x


@st.composite
def unary(draw, **limits):
    return (draw(tensors(**limits)),)


@st.composite
def broadcast(draw, count=2, dtypes=(F64, F32), scalars=True, **limits):
    """Tensors of shapes that broadcast; the second may be a number."""
    drawn = draw(mutually_broadcastable_shapes(num_shapes=count, max_dims=3, max_side=3, min_side=0))
    dtype = draw(st.sampled_from(dtypes))
    args = [draw(tensors(shape, dtype, **limits)) for shape in drawn.input_shapes]
    if scalars and draw(st.integers(0, 3)) == 0:
        args[1] = draw(st.sampled_from([1, 2, -3] if dtype == INT else [0.1, 2, -0.7, 3.0]))
    return tuple(args)


@st.composite
def along(draw, dtype=floating, shape=solid, several=False, more=(), **limits):
    """A tensor and one of its axes, or several."""
    x = draw(tensors(shape, dtype, **limits))
    axes = st.integers(-x.dim(), x.dim() - 1)
    if several:
        dims = draw(st.lists(axes, min_size=1, max_size=x.dim(), unique_by=lambda d: d % x.dim()))
        return (x, dims, *[draw(one) for one in more])
    return (x, draw(axes), *[draw(one) for one in more])


keep = st.booleans()
named = str.split
tame = {"special": False}
EACH = {
    **{name: unary() for name in named("neg abs relu sign isnan isinf isfinite floor ceil trunc")},
    **{name: unary() for name in named("exp tanh erf sigmoid silu square round expm1")},
    **{name: unary() for name in named("softplus leaky_relu elu")},
    "gelu": unary(special=False),  # PyTorch's own is NaN at inf in float32, at some lengths
    **{name: unary(low=-50.0, high=50.0) for name in named("sin cos")},
    **{name: unary(low=0.0) for name in named("log log2 log1p sqrt rsqrt reciprocal")},
    "logical_not": unary(dtype=st.sampled_from([BOOL, INT, F64])),
    "bitwise_not": unary(dtype=st.sampled_from([BOOL, INT])),
}
ints = {"dtypes": (F64, F32, INT), "low": -5.0, "high": 5.0}
bits = {"dtypes": (BOOL, INT), "scalars": False}
truths = {"dtypes": (BOOL, INT, F64), "scalars": False}
PAIRS = {
    **{name: broadcast(**ints) for name in named("add sub mul rsub eq ne lt le gt ge")},
    **{name: broadcast(**ints, scalars=False) for name in named("maximum minimum")},
    "pow": broadcast(low=0.1),
    **{name: broadcast() for name in named("div fmod remainder floor_divide")},
    "atan2": broadcast(scalars=False),
    **{f"logical_{name}": broadcast(**truths) for name in named("and or xor")},
    **{f"bitwise_{name}": broadcast(**bits) for name in named("and or xor")},
}
FOLDS = {
    **{name: along(several=True, more=[keep], **tame) for name in named("sum mean amax amin")},
    "logsumexp": along(several=True, more=[keep]),
    **{name: along(more=[keep]) for name in named("argmax argmin max min")},
    **{name: along(st.sampled_from([F64, BOOL]), more=[keep]) for name in named("any all")},
    "prod": along(more=[keep], low=-2.0, high=2.0),
    **{name: along(several=True, more=[keep, keep], shape=st.just((3, 2, 4)), **tame) for name in named("var std")},
    **{name: along(**tame) for name in named("cumsum cumprod")},
    **{name: along() for name in named("softmax log_softmax")},
    **{name: along(more=[keep], **tame) for name in named("sort argsort")},
    "linalg_vector_norm": along(
        several=True, more=[keep, st.sampled_from([2, 1, 0, 3.0, math.inf, -math.inf])], **tame
    ).map(lambda a: (a[0], a[3], *a[1:3])),
}


@st.composite
def mats(draw, *patterns, **limits):
    """Tensors whose axes are named by letters: equal letters are equal lengths."""
    lengths = {a: draw(st.integers(0 if a == "k" else 1, 9)) for a in set("".join(patterns))}
    dtype = draw(floating)
    return tuple(draw(tensors(tuple(lengths[a] for a in p), dtype, **limits)) for p in patterns)


@st.composite
def wide(draw):
    """What torch.matmul takes: vectors, matrices, batches that broadcast."""
    one, two = draw(st.sampled_from([("k", "k"), ("nk", "k"), ("k", "km"), ("nk", "km")]))
    if len(one) == len(two) == 2:
        extra = draw(st.sampled_from([("", ""), ("b", "b"), ("", "b"), ("ab", "b"), ("b", "ab")]))
        one, two = extra[0] + one, extra[1] + two
    return draw(mats(one, two))


@st.composite
def letters(draw):
    rule = draw(st.sampled_from(["ij,kj->ik", "bhqd, bhkd -> bhqk", "ij->ji", "ii->i", "i,j", "ij->"]))
    parts = rule.replace(" ", "").split("->")[0].split(",")
    return (rule, list(draw(mats(*parts, **tame))))


@st.composite
def attending(draw):
    q, k, v = draw(mats("bhqd", "bhkd", "bhke", low=-1.0, high=1.0, **tame).filter(lambda x: x[1].shape[2] > 0))
    mask = draw(st.sampled_from([None, BOOL, q.dtype]))
    if mask is not None:
        mask = draw(tensors((q.shape[2], k.shape[2]), mask, **tame))
    return (q, k, v, mask, 0.0, mask is None and draw(st.booleans()))


@st.composite
def normed(draw):
    x = draw(tensors(st.just((2, 3, 4)), **tame))
    shape = draw(st.sampled_from([(4,), (3, 4)]))
    weight, bias = (draw(st.sampled_from([None, torch.rand(shape, dtype=x.dtype)])) for _ in "ab")
    return (x, list(shape), weight, bias, draw(st.sampled_from([1e-5, 1e-12])))


@st.composite
def labelled(draw):
    x = draw(tensors(st.sampled_from([(5, 3), (3,), (2, 3, 4)]), **tame))
    target = x.shape[:1] + x.shape[2:] if x.dim() > 1 else ()
    reduction, ignored = draw(st.integers(0, 2)), draw(st.sampled_from([-100, 1]))
    return (x, draw(tensors(target, INT, 0, 2)), None, reduction, ignored)


PRODUCTS = {
    "matmul": wide(),
    "mm": mats("nk", "km"),
    "bmm": mats("bnk", "bkm"),
    "mv": mats("nk", "k"),
    "dot": mats("k", "k"),
    "outer": mats("n", "m"),
    "linear": st.one_of(mats("abk", "mk", "m"), mats("nk", "mk"), mats("k", "mk", "m")),
    "addmm": mats("m", "nk", "km"),
    "baddbmm": mats("bnm", "bnk", "bkm"),
    "einsum": letters(),
    "scaled_dot_product_attention": attending(),
    "cdist": mats("bnk", "bmk", **tame),
    "cosine_similarity": mats("nmj", "nmj", **tame),
    "layer_norm": normed(),
    **{name: mats("nm", "nm", **tame) for name in named("mse_loss l1_loss")},
    "cross_entropy_loss": labelled(),
    "nll_loss_nd": labelled(),
    "binary_cross_entropy_with_logits": mats("nm", "nm", low=0.0, high=1.0, **tame),
}
any_type = st.sampled_from([F64, F32, INT, BOOL])


@st.composite
def reshaped(draw):
    x = draw(tensors(st.just((2, 3, 4)), any_type))
    return x.contiguous(), draw(st.sampled_from([(24,), (-1, 4), (4, 6), (2, -1, 2, 2), (1, 24)]))


@st.composite
def shaped(draw, *rest, shape=(2, 3, 4)):
    """A tensor of one shape, and one of some ways to go on."""
    return (draw(tensors(st.just(shape), any_type)), *draw(st.sampled_from(rest or [()])))


@st.composite
def alike(draw, *rest):
    """A list of tensors that differ along the first axis only."""
    dtype = draw(any_type)
    lengths = draw(st.lists(st.integers(0, 3), min_size=1, max_size=3)) if rest else [2, 2, 2]
    return ([draw(tensors((n, 3), dtype)) for n in lengths], *rest)


@st.composite
def looked_up(draw, way):
    x = draw(tensors(st.just((4, 3, 5)), any_type))
    whole = lambda shape, low=0, high=2: draw(tensors(shape, INT, low, high))  # noqa: E731
    if way == "gather":
        return x, 1, whole((2, 6, 5))
    if way == "index_select":
        return x, draw(st.sampled_from([0, 1, -1])), whole((7,))
    if way == "embedding":
        return x[:, :, 0].contiguous(), whole((2, 5))
    a, b = whole((2, 1), -3), whole((3,), -3)
    return x, draw(st.sampled_from([[a], [None, a], [a, b], [a, None, b], [None, a, b], [None, None, b]]))


MOVES = {
    "view": reshaped(),
    "reshape": reshaped(),
    "flatten": shaped((), (1,), (0, 1), (-2, -1)),
    "unflatten": shaped((2, (2, 2)), (-1, (-1, 2)), (0, (2, 1))),
    "squeeze": shaped((), (0,), (-1,), (1,), shape=(1, 3, 1)),
    "unsqueeze": shaped((0,), (-1,), (3,), (1,)),
    "transpose": shaped((0, 1), (-1, -2), (0, 2)),
    "permute": shaped(((2, 0, 1),), ((0, -1, 1),), ((0, 1, 2),)),
    "movedim": shaped((0, 2), (-1, 0), ([0, 1], [2, 0])),
    "numpy_T": shaped(shape=(3, 4)),
    "mT": shaped(),
    "expand": shaped(((3, 2, 4),), ((2, 3, -1, 4),), shape=(1, 4)).map(
        lambda a: (a[0][:, None] if len(a[1]) == 3 else a[0], a[1])
    ),
    "repeat": shaped(((2, 1, 3),), ((2, 1, 1, 2),), ((0, 1, 1),)),
    "repeat_interleave": shaped((2, 0), (3, -1), (2,)),
    "slice": shaped((0, 1), (1, None, -1), (2, 0, 9, 2), (-1, -3, 2**63 - 1), (1, 2, 1)),
    "narrow": shaped((1, 1, 2), (-1, 0, 3)),
    "select": shaped((0, 1), (2, -1), (-1, -3)),
    "split": shaped((2, 2), (3, -1)),
    "chunk": shaped((2, 2), (3, 1), (2, 1)),
    "unbind": shaped((), (1,), (-1,)),
    "cat": st.one_of(alike(0), alike(-2)),
    "stack": alike().flatmap(lambda a: st.sampled_from([0, 1, -1]).map(lambda d: (*a, d))),
    "flip": shaped(([0],), ([1, -1],)),
    "roll": shaped(([1], [0]), ([-2, 5], [1, 2]), ([3],)),
    "tril": shaped((), (1,), (-1,)),
    "triu": shaped((), (1,), (-2,)),
    "diagonal": shaped((), (1,), (-1, 1, 2), (0, 0, 2)),
    "pad": shaped(([1, 2],), ([0, 1, 2, 0],), ([-1, 1],)),
    "topk": along(more=[], special=False).map(lambda a: (a[0], 1, a[1])),
    **{way: looked_up(way) for way in ["gather", "index_select", "embedding", "index"]},
    "one_hot": tensors(st.just((2, 3)), INT, 0, 3).map(lambda x: (x, 5)),
    **{name: shaped() for name in named("zeros_like ones_like")},
    "full_like": shaped((2.5,), (0,)).map(lambda a: (a[0].double(), a[1])),
    **{name: shaped(([2, 3],)) for name in named("new_zeros new_ones")},
    "new_full": shaped(([2, 3], 1), ([], 0)),
    "expand_as": broadcast(scalars=False).map(lambda a: (a[0], a[0].new_zeros(2, *a[0].shape))),
    "view_as": shaped().map(lambda a: (a[0].contiguous(), torch.zeros(4, 6))),
}


@st.composite
def choice(draw):
    mask, a, b = draw(broadcast(3, dtypes=(F64,), scalars=False))
    number = draw(st.sampled_from([None, -math.inf, 0.0]))
    return (mask > 0, number if number is not None else a, b)


OTHERS = {
    "where": choice(),
    "masked_fill": choice().map(
        lambda a: (a[2].expand(torch.broadcast_shapes(a[0].shape, a[2].shape)), a[0], -math.inf)
    ),
    "clamp": unary().flatmap(
        lambda a: st.sampled_from([(-1.0, 2.0), (None, 0.5), (0, None), (2.0, 1.0)]).map(lambda b: a + b)
    ),
    "clamp_min": unary().map(lambda a: (*a, 0.25)),
    "clamp_max": unary().map(lambda a: (*a, 0.25)),
    "arange": st.sampled_from([(5,), (0,), (2, 7), (1, 8, 3), (0.5, 3.0, 0.5), (5, 0, -2)]),
    "linspace": st.sampled_from([(-1.0, 2.0, 7), (0, 1, 2), (0, 1, 1)]),
    "eye": st.sampled_from([(3,), (2, 3), (3, 2)]),
    "full": st.sampled_from([([2, 3], 1.5), ([], math.inf), ([2], True), ([2], 4)]),
    "zeros": st.sampled_from([([2, 3],), ([],)]),
    "ones": st.sampled_from([([2, 0],), ([4],)]),
    "scalar_tensor": st.sampled_from([(1.5,), (-math.inf,), (math.nan,)]),
}
# Tested through what uses them: a step that makes a list, casts, numbers.
ELSEWHERE = {"getitem", "to", "sym_size", "sym_float"}
GROUPS = {"each": EACH, "pairs": PAIRS, "folds": FOLDS, "products": PRODUCTS, "moves": MOVES}
GROUPS["others"] = OTHERS
# Where PyTorch itself loses digits, entries are looked at as parts of a whole.
SUMS = {*FOLDS, *PRODUCTS, "gelu"}


def check(engine, cases):
    """Ask the page for all cases, (operation, arguments), at once, and PyTorch for the truth."""
    graphs, truths = zip(*[lone(*case) for case in cases], strict=True)
    told = engine.evaluate("(cases) => answers(cases)", graphs)
    for (name, args), truth, answer in zip(cases, truths, told, strict=True):
        assert not isinstance(answer, str), (name, args, answer)
        (found,) = arrays(answer)
        several = isinstance(truth, list | tuple)
        given = [a for a in flat(args) if isinstance(a, torch.Tensor)]
        single = any(a.dtype == F32 for a in given)
        sizes = [float(a.double().nan_to_num(0, 0, 0).abs().max()) for a in given if a.numel()]
        for ours, theirs in zip(found, truth, strict=True) if several else [(found, truth)]:
            tolerance = 1e-6 if single or theirs.dtype == F32 else 1e-12
            hold(ours, theirs, tolerance, name in SUMS, max([1.0, *sizes]) ** 2, f"{name}: {args}")


def flat(args):
    return [x for a in args for x in (a if isinstance(a, list) else [a])]


def test_every_known_operation_is_on_the_page_and_is_tested(engine):
    names = engine.evaluate("operations()")
    assert sorted(names) == sorted(KNOWN)
    tested = {name for group in GROUPS.values() for name in group} | ELSEWHERE
    assert tested == KNOWN


@pytest.mark.parametrize("group", GROUPS)
def test_each_operation_alone(engine, group):
    @settings(examples(4, 400), suppress_health_check=list(HealthCheck))
    @given(st.fixed_dictionaries(GROUPS[group]))
    def tried(drawn):
        check(engine, list(drawn.items()))

    tried()


def held(engine, function, draw, tolerance, count):
    """Hold an exported function to PyTorch at `count` random inputs."""
    inputs = [draw(torch.Generator().manual_seed(seed)) for seed in range(count)]
    made = graph(function, inputs[0])
    packed = [[constant(x, None) for x in one.values()] for one in inputs]
    page = {**made.page(), "outputs": [made.outputs]}
    ask_all = "([page, inputs]) => { const g = loaded(page); return inputs.map((one) => ask(g, one)); }"
    told = engine.evaluate(ask_all, [page, packed])
    with torch.no_grad():
        for one, answer in zip(inputs, told, strict=True):
            (found,), truth = arrays(answer), function(**one)
            hold(found, truth, tolerance, overall=True, told=str(one))


def drawn(dtype, keys=5, size=4, value_size=3):
    """Random queries, keys, values and lengths, some of them 0; some padding is NaN or infinite."""

    def draw(generator):
        def normal(*shape):
            return torch.randn(*shape, generator=generator, dtype=dtype)

        lens = torch.randint(0, keys + 1, (2,), generator=generator)
        inputs = {"queries": normal(2, 3, size), "keys": normal(2, keys, size)}
        inputs["values"] = normal(2, keys, value_size)
        for name, spoilt in (("keys", math.nan), ("values", math.inf)):
            beyond = torch.arange(keys)[None, :, None] >= lens[:, None, None]
            inputs[name] = torch.where(beyond & (lens.sum() % 2 == 0), spoilt, inputs[name])
        return {**inputs, "valid_lens": lens}

    return draw


def scores_and_lengths(dtype):
    def draw(generator):
        scale = 10 ** torch.randint(0, 9, (), generator=generator)
        scores = scale * torch.randn(2, 3, 5, generator=generator, dtype=dtype)
        return {"scores": scores, "valid_lens": torch.randint(0, 6, (2, 3), generator=generator)}

    return draw


MODULES = {
    "dot": d.DotProductAttention,
    "additive": lambda: d.AdditiveAttention(6, query_size=4, key_size=4),
    "bilinear": lambda: d.BilinearAttention(4, 4),
    "distance": d.DistanceAttention,
    "heads": lambda: d.MultiHeadAttention(4, 2, bias=True),
}


@pytest.mark.parametrize("dtype", [F64, F32])
@pytest.mark.parametrize("name", MODULES)
def test_attention_is_what_pytorch_makes_of_it(engine, name, dtype):
    torch.manual_seed(3)
    module = MODULES[name]().to(dtype).eval()
    draw = drawn(dtype, value_size=4 if name == "heads" else 3)
    held(engine, module, draw, 1e-12 if dtype == F64 else 2e-6, 1000 if EXHAUSTIVE else 20)


@pytest.mark.parametrize("dtype", [F64, F32])
def test_masked_softmax_is_what_pytorch_makes_of_it(engine, dtype):
    tolerance = 1e-12 if dtype == F64 else 1e-6
    held(engine, d.masked_softmax, scores_and_lengths(dtype), tolerance, 1000 if EXHAUSTIVE else 200)


def mixture(x, n):
    """Shapes that follow the length of x, casts, a list, numbers of shapes."""
    S = x.shape[1]
    left, right = x.split([1, 1], dim=0)
    best, place = (left + right).max(dim=-1)
    seen = (torch.arange(S) < n).to(x.dtype) / S**0.5
    return {"seen": seen, "best": [best, place.float().long() // 2], "x": x.reshape(-1, S).T}


def test_lengths_outputs_and_lists(engine):
    inputs = {"x": torch.randn(2, 7, dtype=F64), "n": torch.tensor(3)}
    made = graph(mixture, inputs, lengths={"x": {1: (2, 40)}})

    def listed(tree):
        return [tree["seen"], *tree["best"], tree["x"]]

    page = {**made.page(), "outputs": listed(made.outputs)}
    for S in (2, 7, 31):
        x, n = torch.randn(2, S, dtype=F64), torch.tensor(S // 2)
        given = [page, [constant(x, None), constant(n, None)]]
        told = engine.evaluate("([page, inputs]) => ask(loaded(page), inputs)", given)
        for found, theirs in zip(arrays(told), listed(mixture(x, n)), strict=True):
            hold(found, theirs, 1e-12)
