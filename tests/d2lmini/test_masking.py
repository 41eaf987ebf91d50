"""masked_softmax keeps its promises; values are compared with a loop in float64."""

import pytest
import reference
import torch
from attentions import LAYOUTS, TOLERANCE, close, lay_out, looks, numbers, size
from exhaustive import examples
from hypothesis import given
from hypothesis import strategies as st

from d2lmini import masked_softmax
from d2lmini.checks import is_known


@st.composite
def cases(draw):
    """Scores of any size, type and layout, with lengths, a mask, both or none, in any form."""
    heads = draw(st.sampled_from([(), (), (1,), (2,), (2, 1)]))
    shape = draw(size(3)), *heads, draw(size(4)), draw(size(6))
    dtype = draw(st.sampled_from(list(TOLERANCE)))
    scores = numbers(*shape, seed=draw(st.integers(0, 2**31)))
    scores = draw(st.sampled_from([1.0, 10.0, 1e3])) * scores
    scores = (scores - draw(st.sampled_from([0.0, 0.0, 3e4, 1e7]))).to(dtype)
    scores = scores.clamp(-6e4 if dtype == torch.float16 else -torch.inf, 6e4)
    return lay_out(scores, draw(st.sampled_from(LAYOUTS))), *draw(looks(shape))


@examples(100)
@given(cases())
def test_the_weights_are_those_of_the_loop_and_exactly_0_at_padding(case):
    scores, lens, mask, seen = case
    before = scores.clone()
    weights = masked_softmax(scores, lens, mask=mask)
    expected = reference.weights(scores, mask=seen)
    assert weights.dtype == scores.dtype
    close(weights, expected, scores.dtype)
    assert not weights[expected == 0].double().gt(1e-7).any()
    assert (weights[~seen] == 0).all()
    assert torch.equal(scores, before)


def test_scores_of_minus_infinity_are_no_padding_and_lengths_are_integers():
    """A caller's own -inf is allowed; a row of nothing but -inf means what softmax says: NaN."""
    scores = torch.tensor([[[0.0, -torch.inf, 1.0], [-torch.inf, -torch.inf, 0.0]]])
    weights = masked_softmax(scores, [2])
    assert weights[0, 0].tolist() == [1, 0, 0]
    assert weights[0, 1, :2].isnan().all()
    assert weights[0, 1, 2] == 0
    # An empty list is a list of lengths, and a mask.
    assert masked_softmax(torch.zeros(0, 2, 3), []).shape == (0, 2, 3)
    assert masked_softmax(torch.zeros(2, 3, 0), mask=[]).shape == (2, 3, 0)
    keys = 2**24 + 2  # beyond what float32 can count
    weights = masked_softmax(torch.zeros(1, 1, keys), [keys - 1])
    assert weights[0, 0, -2] > 0
    assert weights[0, 0, -1] == 0


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
