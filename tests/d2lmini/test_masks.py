"""Masks of every shape, with and without lengths: values and gradients against loops in float64."""

from unittest import mock as patches

import pytest
import reference
import torch
import torch.nn.functional as F
from exhaustive import examples, sample
from hypothesis import given
from hypothesis import strategies as st
from test_attention import KINDS, build
from test_masking import close, not_as_a_mask, numbers
from test_multihead import by_loop, peer
from torch.utils._python_dispatch import TorchDispatchMode

from d2lmini import DotProductAttention, MultiHeadAttention, causal_mask, masked_softmax
from d2lmini import attention as steps
from d2lmini.masks import as_one_mask, clear_padding, mean_of_seen, seen_places

JUNK = st.sampled_from([0.0, torch.nan, torch.inf, -torch.inf, 1e30])
JUNK_OF_BOTH = st.tuples(JUNK, JUNK)  # of keys and of values: each alone must not get through


@st.composite
def masks(draw, shape):
    """A mask for scores of a shape, in any form, as it is given and as it is meant."""
    rank = len(shape)
    layouts = [(-1,), (-2, -1), (0, -1), (0, -2, -1), tuple(range(rank))]
    layouts = [axes for axes in layouts if len({a % rank for a in axes}) == len(axes)]
    axes = draw(st.sampled_from(layouts))
    sizes = [1 if draw(st.integers(0, 4)) == 0 else shape[a] for a in axes]
    if 1 < len(sizes) < rank and sizes[0] != 1 and shape[0] == shape[-len(sizes)]:
        left = rank - len(sizes)  # it may be read in two ways: which of them must be said
        axes, sizes = tuple(range(rank)), [sizes[0], *[1] * left, *sizes[1:]]
    seed = draw(st.integers(0, 2**31))
    mask = numbers(*sizes, seed=seed) < draw(st.sampled_from([-2.0, 0.0, 1.0]))
    meant = reference.spread(mask, axes, shape)
    form = draw(st.sampled_from(["bool", "int64", "uint8", "numpy", "list"]))
    if form == "list" and mask.numel():
        return mask.tolist(), meant
    return mask.numpy() if form == "numpy" else mask.to(getattr(torch, form, bool)), meant


@st.composite
def lengths(draw, shape):
    """Lengths for scores of a shape, which may have no batch, or None."""
    sizes = draw(st.sampled_from([None, shape[:1], (shape[0], shape[-2])]))
    if sizes is None or len(sizes) == len(shape):
        return None
    random = torch.Generator().manual_seed(draw(st.integers(0, 99)))
    lens = torch.randint(0, shape[-1] + 1, sizes, generator=random)
    return not_as_a_mask(lens, shape[-2], shape[-1])


SHAPES = [(2, 3, 4), (3, 3, 4), (3, 3, 3), (2, 1, 5), (1, 4, 1), (2, 5, 3, 4), (3, 4), (0, 2, 3)]
FEW = [(2, 3, 4), (3, 3, 3), (2, 2, 3, 4)]


@st.composite
def cases(draw, shapes=SHAPES):
    """A shape of scores, lengths or None, a mask as it is given and as it is meant, or None."""
    shape = draw(st.sampled_from(shapes))
    mask, meant = draw(masks(shape) | masks(shape) | st.just((None, None)))
    return shape, draw(lengths(shape)), mask, meant


@examples(80)
@given(cases(), JUNK)
def test_masked_softmax_is_the_loop(case, junk):
    shape, lens, mask, meant = case
    scores, upstream = numbers(*shape), numbers(*shape, seed=1)
    expected, expected_grad = reference.weights(scores, lens, upstream, meant)
    counted = reference.weights(torch.zeros(shape), lens, mask=meant) > 0  # who is seen
    leaf = torch.where(counted, scores, junk).requires_grad_()
    weights = masked_softmax(leaf, lens, mask=mask)
    (grad,) = torch.autograd.grad(weights, leaf, upstream)
    close(weights, expected, torch.float64)
    close(grad, expected_grad, torch.float64)
    assert (weights[~counted] == 0).all()


def pooling(kind, shape, junk, counted):
    """An attention of a kind, and its inputs, without junk and with it."""
    attention, key_size = build(kind)
    *lead, n, m = shape
    clean = [numbers(*lead, n, 3), numbers(*lead, m, key_size, seed=1), numbers(*lead, m, 2)]
    attention(*clean)  # sizes are inferred
    return attention, clean, littered(clean, junk, counted)


def littered(clean, junk, counted):
    """Queries, and keys and values with junk, of each its own, where no query may look."""
    unseen = ~counted.any(dim=-2).unsqueeze(-1)  # (batch, ..., keys, 1)
    pairs = zip(clean[1:], junk, strict=True)
    return clean[0], *[torch.where(unseen, filler, x) for x, filler in pairs]


@pytest.mark.parametrize("kind", KINDS)
@examples(25)
@given(cases(FEW), JUNK_OF_BOTH, st.booleans(), st.sampled_from([7, 2**20]))
def test_every_attention_is_the_loop(kind, case, junk, grad, chunk):
    shape, lens, mask, meant = case
    counted = reference.weights(torch.zeros(shape), lens, mask=meant) > 0
    attention, clean, dirty = pooling(kind, shape, junk, counted)
    expected, weights = reference.attend(reference.scoring(attention), *clean, lens, meant)
    with patches.patch.object(steps, "CHUNK", chunk), torch.set_grad_enabled(grad):
        output = attention(*dirty, lens, mask=mask)
    close(output, expected, torch.float64)
    if kind != "fused":
        close(attention.attention_weights, weights, torch.float64)
        assert (attention.attention_weights[~counted] == 0).all()
    if grad:
        assert_junk_has_no_gradient(attention, clean, dirty, lens, mask)


def assert_junk_has_no_gradient(attention, clean, dirty, lens, mask):
    """Every gradient, those of parameters too, is that of what stood there before."""
    found = []
    for inputs in (clean, dirty):
        leaves = [x.clone().requires_grad_() for x in inputs]
        output = attention(*leaves, lens, mask=mask)
        leaves += attention.parameters()
        found.append(torch.autograd.grad(output, leaves, numbers(*output.shape, seed=5)))
    for came, expected in zip(*found, strict=True):
        close(came, expected, torch.float64)


@pytest.mark.parametrize("kind", ["dot", "fused", "additive"])
@examples(25)
@given(cases(FEW), JUNK_OF_BOTH)
def test_gradients_are_those_of_the_loop(kind, case, junk):
    shape, lens, mask, meant = case
    counted = reference.weights(torch.zeros(shape), lens, mask=meant) > 0
    attention, clean, dirty = pooling(kind, shape, junk, counted)
    parameters = [attention.W_q, attention.W_k, attention.w_v] if kind == "additive" else []
    parameters = [layer.weight for layer in parameters]
    upstream = numbers(*shape[:-1], 2, seed=5)
    expected = reference.attend_and_back(*clean, parameters, lens, upstream.numpy(), meant)[2]
    leaves = [x.clone().requires_grad_() for x in dirty]
    output = attention(*leaves, lens, mask=mask)
    grads = torch.autograd.grad(output, [*leaves, *parameters], upstream)
    for came, by_hand in zip(grads, expected, strict=True):
        close(came, torch.from_numpy(by_hand), torch.float64)


@examples(50)
@given(cases([(2, 3, 4), (3, 3, 3)]), JUNK_OF_BOTH)
def test_multi_head_attention_with_a_mask(case, junk):
    shape, lens, mask, meant = case
    batch, n, m = shape
    counted = reference.weights(torch.zeros(shape), lens, mask=meant) > 0
    torch.manual_seed(0)
    attention = MultiHeadAttention(6, 6, key_size=5, value_size=4).double()
    clean = [numbers(batch, n, 6), numbers(batch, m, 5, seed=1), numbers(batch, m, 4, seed=2)]
    dirty = littered(clean, junk, counted)
    output, weights = attention(*dirty, lens, mask=mask, return_weights=True)
    expected, alpha = by_loop(attention, *clean, lens, meant)
    close(output, expected, torch.float64)
    close(weights, alpha, torch.float64)
    assert_junk_has_no_gradient(attention, clean, dirty, lens, mask)


def test_each_head_may_have_a_mask_of_its_own():
    attention, x = MultiHeadAttention(6, 2).double(), numbers(2, 3, 6)
    mask = torch.cat([causal_mask(3), torch.eye(3).bool()[None]]).expand(2, 2, 3, 3)
    _, weights = attention(x, x, x, mask=mask, return_weights=True)
    assert ((weights > 0) == mask).all()
    close(weights[:, 1], torch.eye(3).expand(2, 3, 3), torch.float64)


MASKS = [(2, 4), (2, 1, 4), (2, 3, 4), (3, 4)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", sample(MASKS, (2, 3, 4)), ids=str)
def test_masks_compile_into_one_graph_and_vmap(kind, shape):
    attention, key_size = build(kind)
    q, k, v = numbers(2, 3, 3), numbers(2, 4, key_size, seed=1), numbers(2, 4, 2, seed=2)
    attention(q, k, v)
    mask = numbers(*shape, seed=3) < 0.5
    axes = {(2, 4): (0, 2), (3, 4): (1, 2)}.get(shape, (0, 1, 2))
    meant = reference.spread(mask, axes, (2, 3, 4))
    expected, _ = reference.attend(reference.scoring(attention), q, k, v, [3, 4], meant)
    torch.compiler.reset()
    compiled = torch.compile(attention, fullgraph=True, backend="aot_eager")
    for given_mask in (mask, mask.int()):
        output = compiled(q, k, v, torch.tensor([3, 4]), mask=given_mask)
        close(output, expected, torch.float64)
    many = torch.stack([mask, torch.ones_like(mask)])
    outputs = torch.func.vmap(lambda m: attention(q, k, v, mask=m))(many)
    close(outputs[0], attention(q, k, v, mask=mask), torch.float64)
    close(outputs[1], attention(q, k, v), torch.float64)


def test_masked_softmax_compiles_and_vmaps_with_a_mask():
    scores, mask = numbers(5, 2, 3, 4), numbers(5, 2, 4, seed=1) < 0
    compiled = torch.compile(masked_softmax, fullgraph=True, backend="aot_eager")
    outputs = torch.func.vmap(lambda s, m: masked_softmax(s, mask=m))(scores, mask)
    for s, m, output in zip(scores, mask, outputs, strict=True):
        expected = reference.weights(s, mask=reference.spread(m, (0, 2), s.shape))
        close(output, expected, torch.float64)
        close(compiled(s, mask=m), expected, torch.float64)


@pytest.mark.parametrize("words", ["a tokenizer's", "hidden", "added"])
def test_masks_of_pytorchs_module_are_ours_turned_round(words):
    """As in the table in d2lmini.masks."""
    torch.manual_seed(0)
    ours, x = MultiHeadAttention(8, 2), torch.randn(3, 5, 8)
    tokenizer = torch.tensor([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1], [0, 1, 1, 1, 0]])
    (causal,) = causal_mask(5)
    mask, theirs = {
        "a tokenizer's": (tokenizer[:, None], {"key_padding_mask": tokenizer == 0}),
        "hidden": (causal[None], {"attn_mask": ~causal}),
        "added": (causal[None].float().log() == 0, {"attn_mask": causal.float().log()}),
    }[words]
    expected, weights = peer(ours)(x, x, x, **theirs, average_attn_weights=False)
    close(ours(x, x, x, mask=mask), expected)
    close(ours.attention_weights, weights)


def test_a_cached_query_sees_all_its_keys():
    """PyTorch's is_causal starts at the first key; causal_mask ends at the last."""
    attention, x = DotProductAttention(), numbers(2, 6, 4)
    whole = attention(x, x, x, mask=causal_mask(6))
    close(whole, F.scaled_dot_product_attention(x, x, x, is_causal=True), torch.float64)
    for start in range(6):
        tail = attention(x[:, start:], x, x, mask=causal_mask(6 - start, 6))
        close(tail, whole[:, start:], torch.float64)
    last = F.scaled_dot_product_attention(x[:, 5:], x, x, is_causal=True)
    assert (last - whole[:, 5:]).abs().max() > 0.1


def test_a_causal_mask_is_made_where_it_is_wanted_and_for_no_words():
    assert causal_mask(2, 3, device="meta").is_meta
    assert causal_mask(0).shape == (1, 0, 0)
    assert causal_mask(0, 2).shape == (1, 0, 2)


class Operations(TorchDispatchMode):
    """Note the names of all operations."""

    def __init__(self):
        super().__init__()
        self.names = set()

    def __torch_dispatch__(self, operation, types, args=(), kwargs=None):
        self.names.add(str(operation))
        return operation(*args, **kwargs or {})


@pytest.mark.parametrize("kind", KINDS)
def test_on_a_device_nothing_waits_for_values(kind):
    """A tensor on meta has no values at all: who asked for one would get an error."""
    attention, key_size = build(kind)
    q, k, v = numbers(2, 3, 3), numbers(2, 4, key_size), numbers(2, 4, 2)
    attention(q, k, v)
    attention.to("meta")
    lens, mask = torch.tensor([2.0, 3.0]), torch.ones(2, 4).long()
    for place in ("cpu", "meta"):
        for grad in (True, False):
            with torch.set_grad_enabled(grad), Operations() as seen:
                leaves = [x.to("meta").requires_grad_(grad) for x in (q, k, v)]
                attention(*leaves, lens.to(place), mask=mask.to(place))
            if place == "meta":
                assert not any("_local_scalar_dense" in name for name in seen.names)
    with Operations() as seen:  # the check does find it where there are values
        attention = build("dot")[0]
        attention(q, q, q, mask=torch.ones(2, 3).long())
    assert any("_local_scalar_dense" in name for name in seen.names)


def test_seen_places_are_said_once_for_all():
    mask = [[1, 1, 0, 1], [0, 1, 1, 1]]
    seen = seen_places((2, 3, 4), torch.device("cpu"), [1, 4], mask)
    assert seen.int().tolist() == [[[1, 0, 0, 0]], [[0, 1, 1, 1]]]
    assert seen_places((2, 3, 4), torch.device("cpu")).tolist() == [[[True]]]
    assert seen_places((2, 3, 4), torch.device("meta")).is_meta
    x = torch.zeros(2, 3, 4, device="meta")
    mask = as_one_mask(x, x, [1, 2], None)
    found = *clear_padding(x, x, mask), mean_of_seen(x, mask)
    assert all(y.is_meta for y in found)


SIZES = {name: torch.export.Dim(name, min=1) for name in ("batch", "queries", "keys")}
LOOKS = ["lengths", "lengths of queries and a mask"]


@pytest.mark.parametrize("strict", sample([True, False], False))
@pytest.mark.parametrize("look", sample(LOOKS, LOOKS[1]))
@pytest.mark.parametrize("kind", [*KINDS, "heads", "fused heads"])
def test_export_takes_batches_and_lengths_of_any_size(kind, look, strict):
    """Nothing of the example's sizes may stay in the program but those of the vectors."""
    if "heads" in kind:
        attention, key_size = MultiHeadAttention(4, 4, need_weights=kind == "heads").double(), 4
    else:
        attention, key_size = build(kind, 4)

    def drawn(batch, queries, keys):
        sizes = {"queries": (queries, 4), "keys": (keys, key_size), "values": (keys, 4)}
        tensors = {name: numbers(batch, *size) for name, size in sizes.items()}
        lens = torch.arange(batch * queries).reshape(batch, queries) % keys + 1
        if look == "lengths":
            return {**tensors, "valid_lens": lens[:, 0]}
        return {**tensors, "valid_lens": lens, "mask": numbers(batch, 1, keys) > -1}

    example = drawn(2, 3, 5)
    attention(**example)  # sizes of vectors are inferred
    axes = {
        "queries": ("batch", "queries", None),
        "keys": ("batch", "keys", None),
        "values": ("batch", "keys", None),
        "valid_lens": ("batch", "queries"),
        "mask": ("batch", None, "keys"),
    }
    dynamic = {
        name: [SIZES.get(axis) for axis in axes[name][: x.dim()]] for name, x in example.items()
    }
    for shapes, sizes in ((None, [(2, 3, 5)]), (dynamic, [(7, 4, 9), (1, 8, 2)])):
        program = torch.export.export(attention, (), example, dynamic_shapes=shapes, strict=strict)
        for others in sizes:
            other = {name: x.flip(0) for name, x in drawn(*others).items()}
            close(program.module()(**other), attention(**other), torch.float64)
