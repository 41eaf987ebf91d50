"""What multi-head attention alone has; test_attention.py asks it what it asks all others."""

import pytest
import torch
from attentions import Watch, close, numbers, peer

from d2lmini import MultiHeadAttention, causal_mask
from d2lmini.multihead import join_heads, split_heads

LENS = torch.tensor([3, 5, 4])
OWN = torch.arange(1, 6).expand(3, 5)
TOKENS = torch.tensor([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1], [0, 1, 1, 1, 0]])
(CAUSAL,) = causal_mask(5)
PADDED = {"key_padding_mask": torch.arange(5) >= LENS[:, None]}
HIDDEN = {"attn_mask": ~CAUSAL}
# What we are given, and what PyTorch's module is: also as in the table in d2lmini.masks.
ALIKE = {
    "none": ({}, {}),
    "padding": ({"valid_lens": LENS}, PADDED),
    "causal": ({"valid_lens": OWN}, HIDDEN),
    "both": ({"valid_lens": torch.minimum(OWN, LENS[:, None])}, PADDED | HIDDEN),
    "a tokenizer's": ({"mask": TOKENS[:, None]}, {"key_padding_mask": TOKENS == 0}),
    "hidden": ({"mask": CAUSAL[None]}, HIDDEN),
    "added": ({"mask": CAUSAL[None].float().log() == 0}, {"attn_mask": CAUSAL.float().log()}),
}


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize(("ours", "theirs"), ALIKE.values(), ids=ALIKE)
def test_it_is_the_module_of_pytorch(bias, ours, theirs):
    attention, X = MultiHeadAttention(12, 4, bias=bias), numbers(3, 5, 12).float()
    expected, weights = peer(attention)(X, X, X, **theirs, average_attn_weights=False)
    close(attention(X, X, X, **ours), expected)
    close(attention.attention_weights, weights)


def test_splitting_is_undone_by_joining_and_heads_need_no_parameters():
    X = torch.arange(24.0).reshape(2, 3, 4)
    split = split_heads(X, 2)
    assert torch.equal(split, torch.stack([X[..., :2], X[..., 2:]], dim=1))
    assert torch.equal(join_heads(split), X)
    for heads in (1, 2, 3, 12):
        assert sum(p.numel() for p in MultiHeadAttention(12, heads).parameters()) == 4 * 12**2


def test_without_weights_no_tensor_of_their_size_is_made():
    torch.manual_seed(0)
    attention, X = MultiHeadAttention(8, 4, need_weights=False).eval(), torch.randn(1, 600, 8)
    with torch.no_grad(), Watch() as seen:
        attention(X, X, X)
    assert seen.largest < 4 * 600 * 600 / 4
