"""The attention classes keep their promises; values are compared with a loop in float64."""

import copy
import itertools
import pickle
import re
import shutil
from pathlib import Path
from unittest import mock

import attentions
import pytest
import reference
import torch
from attentions import Watch, as_function, build, close, lay_out, looks, loop, make, numbers, size
from exhaustive import EXHAUSTIVE, examples
from hypothesis import given
from hypothesis import strategies as st
from torch.autograd import gradcheck, gradgradcheck
from torch.nn.parameter import is_lazy

import d2lmini as d
from d2lmini import attention as steps
from kernelfree.tracing.exporting import NotForThePageError
from kernelfree.tracing.graph import graph

JUNK = st.sampled_from([0.0, torch.nan, torch.inf, -torch.inf, 1e30])


@st.composite
def cases(draw, kind):
    """An attention of a kind, inputs of any size, also 0, and where their queries look."""
    heads = "heads" in kind
    lead = () if heads else draw(st.sampled_from([(), (), (2,), (1, 2)]))
    batch, queries, keys = (draw(size(n)) for n in (3, 3, 5))
    shape = {"batch": batch, "lead": lead, "queries": queries, "keys": keys}
    sizes = {"size": draw(size(4, 1)), "value_size": draw(size(3, least=heads))}
    attention, tensors = build(kind, draw(st.sampled_from([torch.float32, torch.float64])), **shape, **sizes)
    tensors = [lay_out(x, draw(st.sampled_from(attentions.LAYOUTS))) for x in tensors]
    return attention, tensors, *draw(looks((batch, *lead, queries, keys)))


def littered(tensors, junk, seen):
    """Queries, and keys and values with junk, of each its own, where no query may look."""
    unseen = ~seen.any(dim=-2).unsqueeze(-1)  # (batch, ..., keys, 1)
    pairs = zip(tensors[1:], junk, strict=True)
    return tensors[0], *[torch.where(unseen, filler, x) for x, filler in pairs]


@pytest.mark.parametrize("kind", attentions.WITH_HEADS)
@examples(40, 400)
@given(data=st.data(), junk=st.none() | st.tuples(JUNK, JUNK), grad=st.booleans(), chunk=st.sampled_from([7, 2**20]))
def test_it_is_the_loop(kind, data, junk, grad, chunk):
    attention, tensors, lens, mask, seen = data.draw(cases(kind))
    dtype, dirty = tensors[0].dtype, junk and seen.shape[-2]  # if nobody asks, nothing is hidden
    given_tensors = littered(tensors, junk, seen) if dirty else tensors
    before = [x.clone() for x in given_tensors]
    with mock.patch.object(steps, "CHUNK", chunk), torch.set_grad_enabled(grad):
        output = attention(*given_tensors, lens, mask=mask)
    assert output.dtype == dtype
    expected, weights = loop(attention, *tensors, mask=seen)
    close(output, expected, dtype)
    if "fused" in kind:
        assert attention.attention_weights is None
    else:
        close(attention.attention_weights, weights, dtype)
        assert (attention.attention_weights[weights == 0] == 0).all()
    for x, copied in zip(given_tensors, before, strict=True):
        torch.testing.assert_close(x, copied, rtol=0, atol=0, equal_nan=True)
    if grad:
        assert_same_gradients(attention, tensors, given_tensors, lens=lens, mask=mask)


def assert_same_gradients(attention, *inputs_of, lens, mask):
    found = []
    for inputs in inputs_of:
        leaves = [x.clone().requires_grad_() for x in inputs]
        output = attention(*leaves, lens, mask=mask)
        leaves += attention.parameters()
        upstream = numbers(*output.shape, seed=5).to(output.dtype)
        found.append(torch.autograd.grad(output, leaves, upstream))
    for came, expected in zip(*found, strict=True):
        close(came, expected, came.dtype)


@pytest.mark.parametrize("mask", [None, [[[1, 0, 1, 1]], [[0, 1, 1, 0]]]], ids=str)
@pytest.mark.parametrize("lens", attentions.LENGTHS, ids=str)
@pytest.mark.parametrize("kind", attentions.WITH_HEADS)
def test_gradients_of_first_and_second_order(kind, lens, mask):
    attention, tensors = build(kind, grad=True)
    pool, leaves = as_function(attention, lens, mask), [*tensors, *attention.parameters()]
    assert gradcheck(pool, leaves, fast_mode=not EXHAUSTIVE)
    # Fused kernels have no second derivative; the plain one behind them has.
    with torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.MATH):
        assert gradgradcheck(pool, leaves, fast_mode=not EXHAUSTIVE)


# Where queries and keys lie: (a number that is added to all, a factor of their distances, type).
FAR = {
    "10,000 away": (1e4, 1.0, torch.float32),
    "a million away": (1e6, 4.0, torch.float32),
    "days since 1970": (20_000.0, 1.0, torch.float32),
    "near the largest square": (-1e18, 1e13, torch.float32),
    "a billion away": (1e9, 1e-3, torch.float64),
    "years": (2022.0, 20.0, torch.bfloat16),
    "a hundred away": (100.0, 1.0, torch.float16),
    "squares beyond the type": (3e4, 40.0, torch.float16),
    "at home": (0.0, 1.0, torch.float32),
}
LOOKS = {
    "everywhere": (None, None),
    "lengths": ([2, 4], None),
    "lengths of queries": ([[1, 3, 2], [4, 0, 3]], None),
    "a mask of queries": (None, [[[1, 0, 1, 0], [0, 0, 1, 0], [1, 1, 0, 0]]] * 2),
    "no key for one": ([0, 3], [[[1, 1, 1, 0]], [[1, 0, 1, 1]]]),
}


def far_away(place, look):
    """Queries and keys somewhere, with NaN where nobody looks, what is seen, and the weights.

    Weights are compared: differences of 1 are a few units of the numbers that are given.
    """
    offset, apart, dtype = FAR[place]
    lens, mask = LOOKS[look]
    queries, keys = ((apart * numbers(2, n, 3, seed=n) + offset).to(dtype) for n in (3, 4))
    meant = None if mask is None else reference.spread(torch.tensor(mask), (0, 1, 2), (2, 3, 4))
    seen = reference.weights(torch.zeros(2, 3, 4), lens, mask=meant) > 0
    unseen = ~seen.any(dim=1).unsqueeze(-1)
    given, values = keys.masked_fill(unseen, 0), torch.zeros(2, 4, 1)
    _, weights = reference.attend(reference.distance, queries, given, values, lens, meant)
    return queries, keys.masked_fill(unseen, torch.nan), lens, mask, weights


@pytest.mark.parametrize("place", FAR)
def test_distance_attention_is_right_at_any_offset(place):
    attention = d.DistanceAttention()
    for look in LOOKS:
        queries, keys, lens, mask, expected = far_away(place, look)
        dtype = queries.dtype
        leaves = [queries.requires_grad_(), keys.requires_grad_()]
        values = numbers(2, 4, 2, seed=9).to(dtype)
        output, weights = attention(*leaves, values, lens, mask=mask, return_weights=True)
        close(weights, expected, dtype, look)
        grads = torch.autograd.grad(output.sum(), leaves)
        exact = [x.detach().double().nan_to_num(0).requires_grad_() for x in leaves]
        scores = -torch.cdist(*exact, compute_mode="donot_use_mm_for_euclid_dist").square() / 2
        pooled = d.masked_softmax(scores, lens, mask=mask) @ values.double()
        for came, true in zip(grads, torch.autograd.grad(pooled.sum(), exact), strict=True):
            scale = max(1.0, true.abs().max().item())
            close(came / scale, true / scale, dtype, look)


@pytest.mark.parametrize("wrap", ["compile", "export", "vmap", "autocast"])
def test_distance_attention_is_right_far_away_in_every_transform(wrap):
    queries, keys, lens, _, expected = far_away("10,000 away", "lengths")
    lens, values = torch.tensor(lens), torch.eye(4).expand(2, 4, 4)
    attention, call = d.DistanceAttention(), (queries, keys, values, lens)
    if wrap == "compile":
        torch.compiler.reset()
        output = torch.compile(attention, fullgraph=True, backend="aot_eager")(*call)
    elif wrap == "export":
        output = torch.export.export(attention, call).module()(*call)
    elif wrap == "vmap":
        output = torch.func.vmap(attention)(*[torch.stack([x, x]) for x in call])[1]
    else:
        with torch.autocast("cpu", dtype=torch.bfloat16):
            output = attention(*call)
    close(output, expected, torch.bfloat16 if wrap == "autocast" else torch.float32)


def test_bilinear_scores_start_with_variance_1():
    torch.manual_seed(0)
    scores = d.BilinearAttention(64, 32).score(torch.randn(8, 64, 64), torch.randn(8, 64, 32))
    assert scores.var().item() == pytest.approx(1, abs=0.1)


@pytest.mark.parametrize("lens", [None, [256, 200]])
def test_additive_attention_never_holds_all_hidden_units_of_all_pairs(lens):
    attention = d.AdditiveAttention(64, query_size=2, key_size=2)
    with Watch() as seen:
        attention(*torch.randn(3, 2, 256, 2), lens).sum().backward()
    assert seen.largest <= 2**20
    assert seen.largest < 2 * 256 * 256 * 64 / 4


@pytest.mark.parametrize("kind", ["dot", "bilinear", "distance"])
def test_no_other_class_makes_more_than_the_scores(kind):
    sizes = {"queries": 96, "keys": 96, "size": 64, "value_size": 64}
    attention, tensors = build(kind, **sizes, grad=True)
    with Watch() as seen:
        attention(*tensors).sum().backward()
    assert seen.largest == 2 * 96 * 96


@pytest.mark.parametrize("kind", [*attentions.KEPT, "heads"])
def test_the_weights_are_kept_before_dropout_and_off_the_graph(kind):
    attention, tensors = build(kind, grad=True, dropout=0.5)
    attention(*tensors, [2, 4]).sum().backward()
    expected, weights = loop(attention, *tensors, [2, 4])
    assert not attention.attention_weights.requires_grad
    close(attention.attention_weights, weights, torch.float64)
    close(attention.eval()(*tensors, [2, 4]), expected, torch.float64)


@pytest.mark.parametrize("kind", attentions.KEPT)
def test_weights_that_are_returned_have_a_graph(kind):
    attention, leaves = build(kind, grad=True)
    penalty = numbers(2, 3, 4, seed=9)
    output, weights = attention(*leaves, [2, 4], return_weights=True)
    assert torch.equal(weights, attention.attention_weights)
    found = torch.autograd.grad(output.sum() + (penalty * weights).sum(), leaves)
    scores = attention.score(*leaves[:2])
    hidden = torch.arange(4) >= torch.tensor([2, 4])[:, None, None]
    alpha = scores.masked_fill(hidden, -torch.inf).softmax(dim=-1)
    by_hand = torch.autograd.grad((alpha @ leaves[2]).sum() + (penalty * alpha).sum(), leaves)
    for came, expected in zip(found, by_hand, strict=True):
        close(came, expected, torch.float64)


def test_the_distance_score_leaves_out_what_cancels():
    queries, keys = numbers(2, 3, 5), numbers(2, 4, 5, seed=1)
    for q, k in ((queries, keys), (queries[:, None], keys[:, None])):
        score = d.DistanceAttention().score(q, k)
        missing = -torch.cdist(q, k).square() / 2 - score
        close(missing, -q.square().sum(-1, keepdim=True).expand_as(missing) / 2, torch.float64)


@pytest.mark.parametrize("need_weights", [True, False])
def test_dropout_scales_the_weights_that_stay(need_weights):
    torch.manual_seed(0)
    attention = d.DotProductAttention(dropout=0.5, need_weights=need_weights)
    queries, keys = torch.zeros(1, 500, 1), torch.zeros(1, 4, 1)
    output = attention(queries, keys, torch.eye(4)[None], [2])  # the weights themselves
    assert set(output.unique().tolist()) == {0.0, 1.0}  # 0.5 is dropped or doubled
    assert (output[..., 2:] == 0).all()
    assert output[..., :2].mean().item() == pytest.approx(0.5, abs=0.1)
    assert d.DotProductAttention(1.0, need_weights)(queries, keys, torch.eye(4)[None]).eq(0).all()
    attention.eval()
    assert attention(queries, keys, torch.eye(4)[None], [2])[..., :2].eq(0.5).all()
    assert (attention.attention_weights is None) is not need_weights


@pytest.mark.parametrize("kind", attentions.WITH_HEADS)
def test_it_can_be_copied_and_pickled_after_a_call_with_gradients(kind, tmp_path):
    attention, tensors = build(kind, grad=True)
    expected = attention(*tensors, [2, 4])
    torch.save(attention, tmp_path / "module")
    torch.save(attention.state_dict(), tmp_path / "state")
    loaded = make(kind, *[x.shape[-1] for x in tensors]).double()
    loaded.load_state_dict(torch.load(tmp_path / "state", weights_only=True))
    twins = [copy.deepcopy(attention), pickle.loads(pickle.dumps(attention)), loaded]
    twins.append(torch.load(tmp_path / "module", weights_only=False))
    for twin in twins:
        assert torch.equal(twin(*tensors, [2, 4]), expected)


@pytest.mark.parametrize("kind", attentions.WITH_HEADS)
def test_every_floating_point_type(kind):
    for dtype, lens in itertools.product(attentions.TOLERANCE, [None, [2, 0], [[1, 3, 2], [4, 0, 3]]]):
        attention, tensors = build(kind, dtype=dtype, grad=True)
        output = attention(*tensors, lens)
        assert output.dtype == dtype
        expected, _ = loop(attention, *tensors, lens)
        close(output, expected, dtype, f"{dtype} {lens}", times=3)
        output.sum().backward()
        for x in (*tensors, *attention.parameters()):
            assert x.grad.isfinite().all(), (dtype, lens)


@pytest.mark.parametrize("kind", attentions.WITH_HEADS)
def test_autocast(kind):
    attention, leaves = build(kind, dtype=torch.float32, grad=True)
    expected, _ = loop(attention, *leaves, [2, 0])
    with torch.autocast("cpu", dtype=torch.bfloat16):
        output = attention(*leaves, [2, 0])
        mixed = attention(leaves[0].bfloat16(), *leaves[1:], [2, 0])
    output.float().sum().backward()
    assert all(x.grad.isfinite().all() for x in leaves)
    for result in (output, mixed):
        torch.testing.assert_close(result.double(), expected, rtol=0.05, atol=0.05)


def test_queries_and_keys_of_size_0_attend_evenly():
    for attention in (d.DotProductAttention(), d.DistanceAttention()):
        output = attention(torch.zeros(1, 2, 0), torch.zeros(1, 3, 0), torch.eye(3)[None], [2])
        close(output[0, 0], torch.tensor([0.5, 0.5, 0]))


HALVES = [torch.float16, torch.bfloat16]


def maps_alone(attention, queries, keys):
    """A score in float64, and what it compares: the maps of an additive one give half types."""
    if isinstance(attention, d.AdditiveAttention):
        one = torch.eye(4)
        score = reference.additive(one, one, attention.w_v.weight)
        return score, attention.W_q(queries).detach(), attention.W_k(keys).detach()
    return reference.scoring(attention), queries, keys


@pytest.mark.parametrize("kind", attentions.KEPT)
def test_scores_of_half_types_are_not_rounded_to_them(kind):
    """Only the weights are, and the output: as where a fused kernel computes both at once."""
    for dtype, spread in itertools.product(HALVES, [4.0, 30.0, 250.0]):
        sizes = {"queries": 5, "keys": 7, "size": 64, "value_size": 3}
        attention, (queries, keys, values) = build(kind, **sizes, dtype=dtype)
        queries, keys = spread * queries, spread * keys
        with torch.no_grad():
            for parameter in attention.parameters():
                parameter *= 8 if kind == "additive" else 1
            output, weights = attention(queries, keys, values, [3, 7], return_weights=True)
            found = attention.score(queries, keys)
        assert (output.dtype, weights.dtype, found.dtype) == (dtype, dtype, torch.float32)
        score, queries, keys = maps_alone(attention, queries, keys)
        expected, alpha = reference.attend(score, queries, keys, values, [3, 7])
        unit = torch.finfo(dtype).eps / 2
        torch.testing.assert_close(weights.double(), alpha, rtol=1.1 * unit, atol=1e-4)
        bound = 2 * unit * values.abs().max().double()
        torch.testing.assert_close(output.double(), expected, rtol=0, atol=bound.item())


@pytest.mark.parametrize("kind", attentions.WITH_HEADS)
def test_half_types_export(kind):
    attention, tensors = build(kind, dtype=torch.bfloat16)
    tensors = *tensors, torch.tensor([2, 4])
    expected = attention(*tensors)
    output = torch.export.export(attention, tensors).module()(*tensors)
    assert output.dtype == torch.bfloat16
    close(output, expected, torch.bfloat16)


@pytest.mark.parametrize("kind", ["dot", "heads"])
@pytest.mark.parametrize("rank", [1, 2])
def test_lengths_in_lists_do_not_cost_a_graph_each(kind, rank):
    torch.compiler.reset()
    (attention, tensors), graphs = build(kind, keys=20), []

    def count(graph, example):
        graphs.append(graph)
        return graph.forward

    compiled = torch.compile(attention, fullgraph=True, backend=count)
    for n in range(2, 18):  # 0 and 1 are always graphs of their own
        lens = [n, 20 - n] if rank == 1 else [[n, n + 1, 3], [5, 20 - n, n]]
        close(compiled(*tensors, lens), attention(*tensors, lens), torch.float64)
    assert len(graphs) <= 4


LOOKING = [(None, torch.float64), ([2, 4], torch.bfloat16), (attentions.LENGTHS[-1], torch.float64)]
GRAPHS = [(kind, *looking) for kind in attentions.KINDS for looking in LOOKING]
GRAPHS += [(kind, *LOOKING[1]) for kind in ("heads", "fused heads")]


@pytest.mark.parametrize(("kind", "lens", "dtype"), GRAPHS, ids=str)
def test_it_compiles_into_one_graph(kind, lens, dtype):
    torch.compiler.reset()
    attention, tensors = build(kind, dtype=dtype)
    lens = None if lens is None else torch.tensor(lens)
    compiled = torch.compile(attention, fullgraph=True, backend="aot_eager")
    results = []
    for pool in (attention, compiled):
        leaves = [x.clone().requires_grad_() for x in tensors]
        output = pool(*leaves, lens)
        grads = torch.autograd.grad(output, [*leaves, *attention.parameters()], output.detach())
        results.append([output, *grads])
    for eager, traced in zip(*results, strict=True):
        assert traced.dtype == dtype
        close(traced, eager, dtype)


@pytest.mark.nightly
@pytest.mark.skipif(not shutil.which("c++"), reason="needs a C++ compiler")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of PyTorch by PyTorch
def test_it_compiles_with_the_default_backend():
    torch.compiler.reset()
    attention, tensors = build("dot", dtype=torch.float32)
    compiled = torch.compile(attention, fullgraph=True)
    lens = torch.tensor([2, 0])
    expected, weights = reference.attend(reference.dot_product, *tensors, lens)
    close(compiled(*tensors, lens), expected)
    close(attention.attention_weights, weights)


@pytest.mark.parametrize("kind", [*attentions.KINDS, "heads"])
@pytest.mark.parametrize("shape", [(5, 2), (5, 2, 3)])
def test_vmap_and_grad_of_func_lengths_included(kind, shape):
    attention, tensors = build(kind)
    lens = torch.randint(0, 5, shape, generator=torch.Generator().manual_seed(0))

    def loss(*call):
        return attention(*call).square().sum()

    over_lens = torch.func.vmap(torch.func.grad(loss, (0, 1, 2)), in_dims=(None, None, None, 0))
    for i, grads in enumerate(zip(*over_lens(*tensors, lens), strict=True)):
        leaves = [x.clone().requires_grad_() for x in tensors]
        expected = torch.autograd.grad(loss(*leaves, lens[i]), leaves)
        for grad, by_hand in zip(grads, expected, strict=True):
            close(grad, by_hand, torch.float64)
    many = [torch.stack([x, x + 1]) for x in tensors]
    outputs = torch.func.vmap(attention)(*many, lens[:2])
    for i in range(2):
        close(outputs[i], attention(*[x[i] for x in many], lens[i]), torch.float64)


def test_no_weights_escape_from_torch_func_and_where_a_graph_is_written_down():
    attention, (_, tensors) = d.DotProductAttention(), build("dot")
    torch.export.export(attention, tuple(tensors))
    torch.func.vmap(attention)(*[torch.stack([x, x]) for x in tensors])
    assert attention.attention_weights is None
    torch.func.grad(lambda *tensors: attention(*tensors).sum())(*tensors)
    assert copy.deepcopy(attention).attention_weights is None
    torch.compile(attention, fullgraph=True, backend="eager")(*tensors)
    assert attention.attention_weights.shape == (2, 3, 4)


def test_weights_of_an_earlier_call_are_none_of_a_graph():
    told = r"^attention_weights are not kept .* the attention with return_weights=True$"
    for attention in (d.DotProductAttention(), d.MultiHeadAttention(4, 2)):

        def reads(x, attention=attention):
            attention(x, x, x)
            return attention.attention_weights + 0

        with pytest.raises(NotForThePageError, match=told):
            graph(reads, {"x": torch.randn(1, 2, 4)})
        assert attention.attention_weights.shape[-2:] == (2, 2)


def test_parameters_have_the_names_of_the_equations_and_no_biases():
    additive = d.AdditiveAttention(8, 0.1, query_size=20, key_size=2)
    shapes = [(name, tuple(p.shape)) for name, p in additive.named_parameters()]
    assert shapes == [("W_k.weight", (8, 2)), ("W_q.weight", (8, 20)), ("w_v.weight", (1, 8))]
    lazy = d.AdditiveAttention(8, 0.1)
    lazy(torch.ones(2, 1, 20), torch.ones(2, 10, 2), torch.ones(2, 10, 4))
    lazy.load_state_dict(additive.state_dict())
    for attention in (lazy, additive):  # training code starts what is just that
        assert [type(layer) for layer in attention.children()][1:] == [torch.nn.Linear] * 3
    assert is_lazy(d.AdditiveAttention(8, key_size=2).w_v.weight)  # made in this order, too
    bilinear = {name: tuple(p.shape) for name, p in d.BilinearAttention(3, 5).named_parameters()}
    assert bilinear == {"M": (3, 5)}


@pytest.mark.parametrize("grad", [True, False])
def test_a_row_of_nan_is_kept_in_its_valid_part_alone(grad):
    queries, keys, values = (torch.ones(2, 4, 2) for _ in range(3))
    keys[0, 0] = torch.inf
    attention = d.DotProductAttention()
    with torch.set_grad_enabled(grad):
        output = attention(queries, keys, values, [2, 0])
    assert output[0].isnan().all()
    assert (output[1] == 0).all()
    assert attention.attention_weights[0, :, :2].isnan().all()
    assert (attention.attention_weights[0, :, 2:] == 0).all()
    assert (attention.attention_weights[1] == 0).all()


@pytest.mark.parametrize("part", [0.3, 0.9])
@pytest.mark.parametrize("dtype", list(attentions.TOLERANCE))
def test_a_large_number_behind_a_mask_spoils_no_gradient(dtype, part):
    """Times a slope it is infinite, and a weight of 0 times that is NaN."""
    leaves = [numbers(1, 3, 2).to(dtype) for _ in range(3)]
    for hidden in leaves[1:]:
        hidden[:, 2, 0] = part * torch.finfo(dtype).max
    for leaf in leaves:
        leaf.requires_grad_()
    output = d.DotProductAttention()(*leaves, [2])
    for slope in torch.autograd.grad(output, leaves, torch.full_like(output, 10)):
        assert slope.isfinite().all()


def test_no_private_name_of_pytorch():
    for path in Path(d.checks.__file__).parent.rglob("*.py"):
        assert not re.search(r"torch(\.\w+)*\._(?!_)", path.read_text(encoding="utf-8")), path
