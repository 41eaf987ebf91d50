"""Far from 0, in half types, at other sizes: the numbers are still those of the loop in float64."""

import pytest
import reference
import torch
from test_attention import KINDS, build, inputs
from torch.export import Dim

from d2lmini import DistanceAttention, MultiHeadAttention, causal_mask, masked_softmax

# How far a number can be from its float64 twin when only the end is rounded to this type.
LAST_ROUNDING = {torch.float16: 2**-10, torch.bfloat16: 2**-7}
HALF = pytest.mark.parametrize("dtype", LAST_ROUNDING)


def expected(attention, tensors, lens=None):
    """Output and weights of the loop, from the very numbers that the attention gets."""
    exact = [x.double() for x in tensors]
    return reference.attend(reference.scoring(attention.double()), *exact, lens)


@pytest.mark.parametrize("offset", [0, 1e4, 20_416, 1e6, -3e5])
@pytest.mark.parametrize("lens", [None, [4, 2], [[4, 1, 0], [2, 2, 2]]], ids=str)
def test_distances_do_not_depend_on_where_they_are_measured(offset, lens):
    queries, keys, values = inputs(dtype=torch.float32)
    queries, keys = (8 * x.round(decimals=1) + offset for x in (queries, keys))
    keys[1, 3] = torch.nan if lens else keys[1, 3]  # padding
    attention = DistanceAttention()
    output = attention(queries, keys, values, lens)
    keys = keys.nan_to_num(0)
    right, weights = expected(attention, (queries, keys, values), lens)
    torch.testing.assert_close(attention.attention_weights.double(), weights, rtol=0, atol=1e-5)
    torch.testing.assert_close(output.double(), right, rtol=0, atol=1e-5)


def test_a_common_point_has_no_gradient():
    tensors = [x.requires_grad_() for x in inputs()]
    plain = [x.detach().clone().requires_grad_() for x in tensors]
    DistanceAttention()(*tensors, [2, 4]).square().sum().backward()
    pooled = masked_softmax(DistanceAttention().score(*plain[:2]), [2, 4]) @ plain[2]
    pooled.square().sum().backward()
    for x, y in zip(tensors, plain, strict=True):
        torch.testing.assert_close(x.grad, y.grad)


@pytest.mark.parametrize(
    ("dtype", "query", "keys"),
    [(torch.bfloat16, 2016, [2000, 2008, 2016, 2024]), (torch.float16, 101, [100, 101, 102, 140])],
)
def test_years_in_half_types(dtype, query, keys):
    keys = torch.tensor(keys, dtype=dtype).view(1, -1, 1)
    query = torch.tensor([[[query]]], dtype=dtype)
    attention = DistanceAttention()
    attention(query, keys, keys)
    _, weights = expected(attention, (query, keys, keys))
    tolerance = LAST_ROUNDING[dtype]
    torch.testing.assert_close(
        attention.attention_weights.double(), weights, rtol=tolerance, atol=1e-7
    )


@HALF
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("lens", [None, [4, 2]], ids=str)
def test_half_types_lose_digits_at_the_end_alone(kind, dtype, lens):
    attention, key_size = build(kind, 64, dtype=dtype)
    tensors = inputs(2, 8, 4, 64, key_size, 5)
    tensors = [(4 * x).to(dtype) for x in tensors]
    output = attention(*tensors, lens)
    assert output.dtype == dtype
    right, _ = expected(attention, tensors, lens)
    largest = tensors[2].double().abs().max()
    assert (output.double() - right).abs().max() <= 2 * LAST_ROUNDING[dtype] * largest


def test_scores_beyond_the_largest_float16():
    queries = torch.full((1, 1, 64), 200.0, dtype=torch.float16)
    keys = torch.stack([queries[0, 0], queries[0, 0] * 0.999]).unsqueeze(0)  # scores of 320,000
    attention, _ = build("dot", 64)
    output = attention(queries, keys, torch.tensor([[[1.0], [0.0]]], dtype=torch.float16))
    assert output.item() == 1


@HALF
def test_gradients_of_half_types_reach_parameters(dtype):
    attention, key_size = build("additive", dtype=dtype)
    leaves = [x.requires_grad_() for x in inputs(key_size=key_size, dtype=dtype)]
    attention(*leaves, [2, 4]).sum().backward()
    exact, _ = build("additive")
    twins = [x.detach().double().requires_grad_() for x in leaves]
    exact(*twins)  # sizes are inferred
    exact.load_state_dict({name: p.double() for name, p in attention.state_dict().items()})
    exact(*twins, [2, 4]).sum().backward()
    for p, twin in zip(attention.parameters(), exact.parameters(), strict=True):
        assert p.grad.dtype == dtype
        tolerance = 4 * LAST_ROUNDING[dtype]
        torch.testing.assert_close(p.grad.double(), twin.grad, rtol=tolerance, atol=tolerance)


SIZES = {"batch": Dim("batch", min=2, max=64), "rows": Dim("rows", min=2, max=64)}


class Alone(torch.nn.Module):
    """Attention of a text to itself, with lengths: what people export."""

    def __init__(self, attention):
        super().__init__()
        self.attention = attention

    def forward(self, x, lens):
        return self.attention(x, x, x, lens)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of PyTorch by PyTorch
@pytest.mark.parametrize("kind", [*KINDS, "heads", "heads, fused"])
def test_every_class_is_exported_for_any_batch_and_any_length(kind):
    if kind.startswith("heads"):
        attention = MultiHeadAttention(6, 2, need_weights=kind == "heads").double()
    else:
        attention, _ = build(kind, 6, key_size=6)
    x = torch.randn(3, 5, 6, dtype=torch.float64)
    attention(x, x, x)
    shapes = {0: SIZES["batch"], 1: SIZES["rows"]}, {0: SIZES["batch"]}
    program = torch.export.export(
        Alone(attention), (x, torch.tensor([2, 5, 0])), dynamic_shapes=shapes, strict=False
    )
    steps = " ".join(str(node.target) for node in program.graph.nodes)
    assert ("scaled_dot_product_attention" in steps) == ("fused" in kind)
    for batch, rows in ((7, 9), (2, 64)):
        x = torch.randn(batch, rows, 6, dtype=torch.float64)
        lens = torch.randint(0, rows + 1, (batch,))
        torch.testing.assert_close(program.module()(x, lens), attention(x, x, x, lens))


@pytest.mark.parametrize("lens", [None, [2, 4], [[1, 3, 2], [4, 0, 3]]], ids=str)
def test_heads_without_weights_give_the_same(lens):
    with_weights = MultiHeadAttention(6, 3).double()
    without = MultiHeadAttention(6, 3, need_weights=False).double()
    without.load_state_dict(with_weights.state_dict())
    tensors = inputs(size=6, key_size=6, value_size=6)
    torch.testing.assert_close(without(*tensors, lens), with_weights(*tensors, lens))
    assert without.attention_weights is None
    assert without(*tensors, lens, return_weights=True)[1] is None


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda s: masked_softmax(s, None, s > 0), TypeError, r"masked_softmax\(\) takes"),
        (
            lambda s: masked_softmax(s, valid_len=[1]),
            TypeError,
            r"masked_softmax\(\) got .*valid_len",
        ),
        (lambda s: masked_softmax(s, [True, 2]), TypeError, r"valid_lens must .*\[True, 2\]"),
        (lambda s: masked_softmax(s, [[True, 2], [1, 3]]), TypeError, r"valid_lens must"),
        (lambda s: MultiHeadAttention(4, 2, 7), ValueError, r"got 7; .*MultiHeadAttention\(num_h"),
        (lambda s: causal_mask(-1), ValueError, "queries must be at least 0, got -1"),
        (lambda s: causal_mask(2.5), TypeError, "queries must be an integer, got 2.5"),
        (lambda s: causal_mask("3"), TypeError, "queries must be an integer, got '3'"),
        (lambda s: causal_mask(True), TypeError, "queries must be an integer, got True"),
        (lambda s: causal_mask(2, 2.5), TypeError, "keys must be an integer, got 2.5"),
        (lambda s: causal_mask(4, 2), ValueError, "keys must be at least as many as queries, 4"),
    ],
)
def test_an_error_names_what_was_called_and_what_came(call, error, message):
    with pytest.raises(error, match=message):
        call(torch.zeros(2, 2, 3))
