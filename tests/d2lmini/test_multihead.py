"""What multi-head attention alone has; test_attention.py asks it what it asks all others."""

import pytest
import torch
from attentions import Watch, close, numbers, peer

from d2lmini import MultiHeadAttention
from d2lmini.multihead import join_heads, split_heads


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("mask", ["none", "padding", "causal", "both"])
def test_it_is_the_module_of_pytorch(bias, mask):
    attention = MultiHeadAttention(12, 4, bias=bias)
    X = numbers(2, 5, 12).float()
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
    close(attention(X, X, X, lens), expected)
    close(attention.attention_weights, weights)


def test_splitting_is_undone_by_joining():
    X = torch.arange(24.0).reshape(2, 3, 4)
    split = split_heads(X, 2)
    assert torch.equal(split, torch.stack([X[..., :2], X[..., 2:]], dim=1))
    assert torch.equal(join_heads(split), X)


def test_the_number_of_parameters_does_not_depend_on_the_heads():
    counts = {
        sum(p.numel() for p in MultiHeadAttention(12, heads).parameters())
        for heads in (1, 2, 3, 12)
    }
    assert counts == {4 * 12**2}


def test_without_weights_no_tensor_of_their_size_is_made():
    torch.manual_seed(0)
    attention, X = MultiHeadAttention(8, 4, need_weights=False).eval(), torch.randn(1, 600, 8)
    with torch.no_grad(), Watch() as seen:
        attention(X, X, X)
    assert seen.largest < 4 * 600 * 600 / 4
