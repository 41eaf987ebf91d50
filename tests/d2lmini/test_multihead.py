"""Multi-head attention is what a loop in float64 and PyTorch's own module say it is."""

import copy

import pytest
import reference
import torch
from exhaustive import EXHAUSTIVE, examples
from hypothesis import given
from hypothesis import strategies as st
from test_attention import LENGTHS, LargestTensor, as_function
from test_attention import inputs as inputs_of
from test_masking import lengths, size
from torch import nn
from torch.autograd import gradcheck

from d2lmini import MultiHeadAttention
from d2lmini.multihead import join_heads, split_heads


def build(num_hiddens=6, num_heads=3, dtype=torch.float64, **options):
    torch.manual_seed(0)
    return MultiHeadAttention(num_hiddens, num_heads, **options).to(dtype).eval()


def inputs(batch=2, queries=3, keys=4, size=6, dtype=torch.float64):
    return inputs_of(batch, queries, keys, size, size, size, dtype)


def close(actual, expected, tolerance=1e-9):
    torch.testing.assert_close(actual.double(), expected.double(), rtol=tolerance, atol=tolerance)


def by_loop(attention, queries, keys, values, lens=None, mask=None):
    """Head by head: its rows of W_q, W_k and W_v, and a loop over pairs; then W_o."""

    def mapped(layer, x, rows=slice(None)):
        y = x.double() @ layer.weight.detach().double()[rows].T
        return y if layer.bias is None else y + layer.bias.detach().double()[rows]

    size = attention.W_q.out_features // attention.num_heads
    pooled, weights = [], []
    for head in range(attention.num_heads):
        rows = slice(head * size, (head + 1) * size)
        layers = {attention.W_q: queries, attention.W_k: keys, attention.W_v: values}
        parts = [mapped(layer, x, rows) for layer, x in layers.items()]
        output, alpha = reference.attend(reference.dot_product, *parts, lens, mask)
        pooled.append(output)
        weights.append(alpha)
    return mapped(attention.W_o, torch.cat(pooled, dim=-1)), torch.stack(weights, dim=1)


@st.composite
def cases(draw):
    num_heads, head_size = draw(size(4, 1)), draw(size(3, 1))
    batch, queries, keys = (draw(size(n)) for n in (3, 3, 5))
    attention = build(num_heads * head_size, num_heads, bias=draw(st.booleans()))
    lens = draw(lengths(batch, queries, keys))
    return attention, inputs(batch, queries, keys, num_heads * head_size), lens


@examples(30)
@given(cases())
def test_output_and_weights_are_those_of_the_loop(case):
    attention, tensors, lens = case
    before = [x.clone() for x in tensors]
    output = attention(*tensors, lens)
    expected, weights = by_loop(attention, *tensors, lens)
    close(output, expected)
    close(attention.attention_weights, weights)
    assert (attention.attention_weights[weights == 0] == 0).all()
    assert all(torch.equal(x, y) for x, y in zip(tensors, before, strict=True))


def peer(attention):
    """PyTorch's module with the parameters of ours."""
    bias, sizes = attention.W_o.bias is not None, (attention.W_o.in_features, attention.num_heads)
    module = nn.MultiheadAttention(*sizes, bias=bias, batch_first=True).eval()
    three = [attention.W_q, attention.W_k, attention.W_v]
    state = {f"out_proj.{name}": x for name, x in attention.W_o.state_dict().items()}
    for name in ("weight", "bias") if bias else ("weight",):
        state[f"in_proj_{name}"] = torch.cat([getattr(layer, name) for layer in three])
    module.load_state_dict(state)
    return module


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("mask", ["none", "padding", "causal", "both"])
def test_it_is_the_module_of_pytorch(bias, mask):
    attention = build(12, 4, torch.float32, bias=bias)
    X = inputs(2, 5, 5, 12, torch.float32)[0]
    padding, causal, lens = None, None, None
    if mask in ("padding", "both"):
        lens = torch.tensor([3, 5])
        padding = torch.arange(5) >= lens[:, None]
    if mask in ("causal", "both"):
        causal = torch.ones(5, 5).triu(1).bool()
        own = torch.arange(1, 6).expand(2, 5)
        lens = own if lens is None else torch.minimum(own, lens[:, None])
    expected, weights = peer(attention)(
        X, X, X, key_padding_mask=padding, attn_mask=causal, average_attn_weights=False
    )
    close(attention(X, X, X, lens), expected, 1e-6)
    close(attention.attention_weights, weights, 1e-6)


@pytest.mark.parametrize("lens", LENGTHS, ids=str)
def test_gradients(lens):
    attention, tensors = build(bias=True), [x.requires_grad_() for x in inputs()]
    leaves = [*tensors, *attention.parameters()]
    assert gradcheck(as_function(attention, lens), leaves, fast_mode=not EXHAUSTIVE)


def test_splitting_is_undone_by_joining():
    X = torch.arange(24.0).reshape(2, 3, 4)
    split = split_heads(X, 2)
    assert torch.equal(split, torch.stack([X[..., :2], X[..., 2:]], dim=1))
    assert torch.equal(join_heads(split), X)


def test_the_number_of_parameters_does_not_depend_on_the_heads():
    counts = {sum(p.numel() for p in build(12, heads).parameters()) for heads in (1, 2, 3, 12)}
    assert counts == {4 * 12**2}


def test_weights_are_kept_before_dropout_and_detached():
    attention, tensors = build(dropout=0.5), inputs()
    assert attention.attention_weights is None
    attention.train()(*tensors)
    assert attention.attention_weights.shape == (2, 3, 3, 4)
    close(attention.attention_weights.sum(dim=-1), torch.ones(2, 3, 3))
    assert not attention.attention_weights.requires_grad
    assert torch.equal(copy.deepcopy(attention).W_o.weight, attention.W_o.weight)


@pytest.mark.parametrize("lens", LENGTHS, ids=str)
def test_without_weights_it_is_the_same_and_keeps_none(lens):
    kept, fused = build(bias=True), build(bias=True, need_weights=False)
    tensors = inputs()
    output, weights = fused(*tensors, lens, return_weights=True)
    close(output, kept(*tensors, lens))
    assert weights is None
    assert fused.attention_weights is None
    leaves = [x.requires_grad_() for x in tensors]
    grads = [torch.autograd.grad(f(*leaves, lens).square().sum(), leaves) for f in (kept, fused)]
    for one, other in zip(*grads, strict=True):
        close(one, other)


def test_without_weights_no_tensor_of_their_size_is_made():
    torch.manual_seed(0)
    attention, X = MultiHeadAttention(8, 4, need_weights=False).eval(), torch.randn(1, 600, 8)
    with torch.no_grad(), LargestTensor() as largest:
        attention(X, X, X)
    assert largest.numbers < 4 * 600 * 600 / 4


def test_it_compiles_and_vmaps():
    attention, tensors, lens = build(), inputs(), torch.tensor([2, 3])
    expected = attention(*tensors, lens)
    torch.compiler.reset()
    compiled = torch.compile(attention, fullgraph=True, backend="aot_eager")
    close(compiled(*tensors, lens), expected)
    many = [torch.stack([x, 2 * x]) for x in tensors]
    outputs = torch.func.vmap(attention, in_dims=(0, 0, 0, None))(*many, lens)
    close(outputs[0], expected)
