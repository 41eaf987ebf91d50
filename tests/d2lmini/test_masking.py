"""masked_softmax keeps its promises; values are compared with a loop in float64."""

import itertools
import math

import numpy as np
import pytest
import reference
import torch
from exhaustive import EXHAUSTIVE, examples
from hypothesis import given
from hypothesis import strategies as st
from torch.autograd import gradcheck, gradgradcheck

from d2lmini import (
    DistanceAttention,
    DotProductAttention,
    MultiHeadAttention,
    masked_softmax,
)
from d2lmini.checks import is_known

TOLERANCE = {torch.float16: 2e-3, torch.bfloat16: 2e-2, torch.float32: 1e-6, torch.float64: 1e-12}


def close(actual, expected, dtype=torch.float32, about="", times=1):
    """Assert that tensors agree to some times the rounding of a type."""
    tolerance = times * TOLERANCE[dtype]
    torch.testing.assert_close(
        actual.double(),
        expected.double(),
        rtol=tolerance,
        atol=tolerance,
        msg=lambda told: f"{about}: {told}",
    )


def numbers(*shape, seed=0, dtype=torch.float64):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=dtype)


LAYOUTS = ("contiguous", "transposed", "strided", "offset", "expanded")


def lay_out(tensor, layout):
    """Return a tensor of the same shape whose memory is arranged in an odd way.

    An expanded one repeats its first example, so its values differ; the others keep theirs.
    """
    if layout == "transposed":
        return tensor.transpose(-1, -2).contiguous().transpose(-1, -2)
    if layout == "strided":
        return torch.stack([tensor, tensor + 1], dim=-1)[..., 0]
    if layout == "offset":
        return torch.cat([tensor[:1], tensor])[min(1, len(tensor)) :]
    if layout == "expanded" and len(tensor):
        return tensor[:1].expand_as(tensor)
    return tensor


def not_as_a_mask(lens, queries, keys):
    """Return lengths that can't be taken for a mask, which would be refused."""
    square = lens.dim() == 2 and queries == keys > 1
    if square and lens.numel() and lens.max() <= 1:
        lens[-1, -1] = keys
    return lens


def size(most, least=0):
    """Each size as often as any other: of integers hypothesis draws mostly the smallest."""
    return st.sampled_from(range(least, most + 1))


@st.composite
def lengths(draw, batch, queries, keys):
    """Lengths of examples or of queries, which can't be taken for a mask, or None."""
    shape = draw(st.sampled_from([None, (batch,), (batch, queries)]))
    if shape is None:
        return None
    count = math.prod(shape)
    lens = draw(st.lists(st.integers(0, keys), min_size=count, max_size=count))
    return not_as_a_mask(torch.tensor(lens, dtype=torch.long).reshape(shape), queries, keys)


@st.composite
def cases(draw):
    """Scores of any shape, type and layout, with lengths of either rank, or none, in any form."""
    batch, queries, keys = (draw(size(n)) for n in (3, 4, 6))
    heads = draw(st.sampled_from([(), (), (1,), (2,), (2, 1)]))
    dtype = draw(st.sampled_from(list(TOLERANCE)))
    scores = numbers(batch, *heads, queries, keys, seed=draw(st.integers(0, 2**31)))
    scores = draw(st.sampled_from([1.0, 10.0, 1e3])) * scores
    scores = (scores - draw(st.sampled_from([0.0, 0.0, 3e4, 1e7]))).to(dtype)
    scores = scores.clamp(-6e4 if dtype == torch.float16 else -torch.inf, 6e4)
    scores = lay_out(scores, draw(st.sampled_from(LAYOUTS)))
    lens = draw(lengths(batch, queries, keys))
    if lens is None:
        return scores, None, dtype
    form = draw(
        st.sampled_from(["int64", "uint8", "float32", "bfloat16", "list", "numpy", "strided"])
    )
    if form in ("list", "numpy"):
        lens = lens.tolist() if form == "list" else lens.numpy()
    elif form == "strided":
        lens = lay_out(lens, form)
    else:
        lens = lens.to(getattr(torch, form))
    return scores, lens, dtype


@examples(100)
@given(cases())
def test_the_weights_are_those_of_the_loop_and_exactly_0_at_padding(case):
    scores, lens, dtype = case
    if isinstance(lens, list) and torch.as_tensor(lens).dim() == 1 and scores.shape[-2] == 0:
        lens = torch.zeros(len(scores), dtype=torch.long)  # nested empty lists have lost a rank
    before = scores.clone()
    weights = masked_softmax(scores, lens)
    expected = reference.weights(scores, lens)
    assert weights.dtype == dtype
    assert weights.shape == scores.shape
    close(weights, expected, dtype)
    assert not weights[expected == 0].double().gt(1e-7).any()
    hidden = reference.weights(torch.zeros(scores.shape), lens) == 0
    assert (weights[hidden] == 0).all()
    assert torch.equal(scores, before)


def test_scores_as_low_as_a_fill_value_do_not_leak():
    for dtype, score in itertools.product(TOLERANCE, [-torch.inf, -1e7, 0.0, 6e4]):
        score = max(score, torch.finfo(dtype).min)
        weights = masked_softmax(torch.full((1, 1, 4), score, dtype=dtype), [2])
        assert weights.tolist() == [[[0.5, 0.5, 0.0, 0.0]]], (dtype, score)


def test_scores_of_minus_infinity_are_no_padding():
    """A caller's own -inf is allowed; a row of nothing but -inf means what softmax says: NaN."""
    scores = torch.tensor([[[0.0, -torch.inf, 1.0], [-torch.inf, -torch.inf, 0.0]]])
    weights = masked_softmax(scores, [2])
    assert weights[0, 0].tolist() == [1, 0, 0]
    assert weights[0, 1, :2].isnan().all()
    assert weights[0, 1, 2] == 0


@pytest.mark.parametrize("lens", [None, [2, 4], [[0, 1, 4], [3, 4, 2]], [0, 3]])
@pytest.mark.parametrize("heads", [(), (2,)])
def test_gradients_of_first_and_second_order(lens, heads):
    scores = numbers(2, *heads, 3, 4).requires_grad_()
    assert gradcheck(lambda x: masked_softmax(x, lens), scores, fast_mode=not EXHAUSTIVE)
    assert gradgradcheck(lambda x: masked_softmax(x, lens), scores, fast_mode=not EXHAUSTIVE)


def test_sizes_of_0():
    for shape in [(0, 2, 3), (2, 0, 3), (2, 3, 0), (0, 0, 0), (2, 0, 3, 0)]:
        of_examples, of_queries = np.zeros(shape[0], int), np.zeros((shape[0], shape[-2]), int)
        for lens in (None, of_examples, of_queries):
            scores = torch.zeros(shape, requires_grad=True)
            weights = masked_softmax(scores, lens)
            weights.sum().backward()
            assert weights.shape == scores.grad.shape == shape


def test_an_empty_list_is_a_list_of_lengths_and_a_mask():
    assert masked_softmax(torch.zeros(0, 2, 3), []).shape == (0, 2, 3)
    assert masked_softmax(torch.zeros(2, 3, 0), mask=[]).shape == (2, 3, 0)


def test_lengths_are_read_as_integers_even_beyond_what_float32_can_count():
    keys = 2**24 + 2
    weights = masked_softmax(torch.zeros(1, 1, keys), [keys - 1])
    assert weights[0, 0, -2] > 0
    assert weights[0, 0, -1] == 0


@pytest.mark.parametrize("lens", [[2, 3], [[1, 3, 2], [0, 4, 3]], None])
def test_it_compiles_into_one_graph(lens):
    lens = None if lens is None else torch.tensor(lens)
    compiled = torch.compile(masked_softmax, fullgraph=True, backend="aot_eager")
    scores, twin = numbers(2, 3, 4).requires_grad_(), numbers(2, 3, 4).requires_grad_()
    weights = compiled(scores, lens)
    close(weights, reference.weights(scores, lens), torch.float64)
    weights[..., 0].sum().backward()
    masked_softmax(twin, lens)[..., 0].sum().backward()
    close(scores.grad, twin.grad, torch.float64)


def test_vmap_over_scores_and_over_lengths():
    scores = numbers(5, 2, 3, 4)

    def loss(scores, lens):
        return masked_softmax(scores, lens).square().sum()

    for lens in (torch.randint(0, 5, (5, 2)), torch.randint(0, 5, (5, 2, 3))):
        expected = [reference.weights(s, n) for s, n in zip(scores, lens, strict=True)]
        close(torch.func.vmap(masked_softmax)(scores, lens), torch.stack(expected), torch.float64)
        over_lens = torch.func.vmap(masked_softmax, in_dims=(None, 0))(scores[0], lens)
        expected = [reference.weights(scores[0], n) for n in lens]
        close(over_lens, torch.stack(expected), torch.float64)
        grads = torch.func.vmap(torch.func.grad(loss), in_dims=(None, 0))(scores[0], lens)
        for grad, n in zip(grads, lens, strict=True):
            leaf = scores[0].clone().requires_grad_()
            loss(leaf, n).backward()
            close(grad, leaf.grad, torch.float64)


# PyTorch scripts its own formulas for jvp, and warns that scripting is going away.
@pytest.mark.filterwarnings("ignore:.*torch.jit.script.*:DeprecationWarning")
@pytest.mark.parametrize("lens", [[2, 3], [[1, 3, 2], [0, 4, 3]], None])
def test_func_transforms_of_the_input_itself(lens):
    def loss(scores):
        return masked_softmax(scores, lens).square().sum()

    scores = numbers(2, 3, 4).requires_grad_()
    (expected,) = torch.autograd.grad(loss(scores), scores)
    x = scores.detach()
    close(torch.func.grad(loss)(x), expected, torch.float64)
    close(torch.func.vmap(torch.func.grad(loss))(x[None])[0], expected, torch.float64)
    tangent = numbers(2, 3, 4, seed=1)
    _, slope = torch.func.jvp(loss, (x,), (tangent,))
    close(slope, (expected * tangent).sum(), torch.float64)
    assert torch.func.hessian(loss)(x).isfinite().all()


def test_values_are_looked_at_only_where_they_are_known():
    seen = []

    def function(x):
        seen.append(is_known(x))
        return x * 2

    function(torch.ones(1))
    function(torch.ones(1, device="meta"))
    torch.func.vmap(function)(torch.ones(1))
    torch.func.grad(lambda x: function(x).sum())(torch.ones(1))
    torch.func.functionalize(function)(torch.ones(1))
    assert seen == [True, False, False, False, False]


@pytest.mark.parametrize("shape", [(2, 3, 4), (2, 128, 64)])
def test_a_device_without_values_gives_shapes(shape):
    """There no tensor of another device gets into an operation unnoticed."""
    queries, scores = torch.zeros(*shape[:2], 5, device="meta"), torch.zeros(shape, device="meta")
    keys = values = torch.zeros(2, shape[2], 5, device="meta")
    for lens, mask in ([2, 3], None), (None, torch.ones(shape).bool()), (None, None):
        weights = masked_softmax(scores, lens, mask=mask)
        assert weights.is_meta
        assert weights.shape == shape
        for attention in DotProductAttention(), DistanceAttention(), MultiHeadAttention(5, 5):
            attention.to("meta")
            assert attention(queries, keys, values, lens, mask=mask).is_meta
            assert attention.attention_weights.is_meta


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_a_gpu_gives_the_same_with_lengths_from_either_side():
    scores, lens = numbers(2, 3, 4), torch.tensor([[1, 3, 2], [0, 4, 3]])
    for n in (lens, lens.cuda(), lens.tolist()):
        weights = masked_softmax(scores.cuda(), n)
        assert weights.is_cuda
        close(weights.cpu(), reference.weights(scores, lens), torch.float64)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_autocast_gives_the_same_weights(dtype):
    scores = numbers(2, 3, 4).to(dtype)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        weights = masked_softmax(scores, [2, 3])
    close(weights, reference.weights(scores, [2, 3]), dtype)
    assert (weights[0, :, 2:] == 0).all()
