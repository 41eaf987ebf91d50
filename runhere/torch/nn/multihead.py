"""nn.MultiheadAttention"""

import math

from ..core import filled
from ..dtypes import bool as truth
from ..dtypes import get_default_dtype
from ..engine import refuse
from . import functional as F
from . import init
from .layers import Linear, empty
from .module import Module


class NonDynamicallyQuantizableLinear(Linear):
    pass


class MultiheadAttention(Module):
    def __init__(self, embed_dim, num_heads, dropout=0.0, bias=True, batch_first=False, **more):
        super().__init__()
        given = [value for value in more.values() if value not in (None, False)]
        refuse(given, f"nn.MultiheadAttention with {', '.join(more)}")
        if embed_dim % num_heads:
            raise AssertionError("embed_dim must be divisible by num_heads")
        self.embed_dim, self.num_heads, self.dropout = embed_dim, num_heads, dropout
        self.head_dim, self.batch_first = embed_dim // num_heads, batch_first
        self.in_proj_weight = empty(3 * embed_dim, embed_dim)
        self.register_parameter("in_proj_bias", empty(3 * embed_dim) if bias else None)
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias)
        init.xavier_uniform_(self.in_proj_weight)
        if bias:
            init.zeros_(self.out_proj.bias)

    def forward(
        self, query, key, value, key_padding_mask=None, need_weights=True, attn_mask=None, average_attn_weights=True,
        is_causal=False,
    ):  # fmt: skip
        unlike = query.dim() != 3 or is_causal
        refuse(unlike, "nn.MultiheadAttention without a batch, or with is_causal=True")
        given = [x if self.batch_first else x.transpose(0, 1) for x in (query, key, value)]
        weights = self.in_proj_weight.chunk(3)
        biases = [None] * 3 if self.in_proj_bias is None else self.in_proj_bias.chunk(3)
        queries, keys, values = [
            F.linear(x, w, b).unflatten(-1, (self.num_heads, self.head_dim)).transpose(1, 2)
            for x, w, b in zip(given, weights, biases)
        ]
        hidden = None if attn_mask is None else added(attn_mask)
        if hidden is not None and hidden.dim() == 3:
            hidden = hidden.unflatten(0, (-1, self.num_heads))
        if key_padding_mask is not None:
            padded = added(key_padding_mask)[:, None, None]
            hidden = padded if hidden is None else hidden + padded
        p, attention = self.dropout if self.training else 0.0, None
        if need_weights:
            scores = (queries * math.sqrt(1.0 / self.head_dim)) @ keys.mT
            attention = F.dropout(F.softmax(scores if hidden is None else scores + hidden, -1), p)
            heads = attention @ values
        else:
            heads = F.scaled_dot_product_attention(queries, keys, values, hidden, p)
        out = self.out_proj(heads.transpose(1, 2).flatten(2))
        out = out if self.batch_first else out.transpose(0, 1)
        return out, attention.mean(1) if need_weights and average_attn_weights else attention


def added(mask):
    """A mask as numbers that are added to scores: True hides."""
    return F.where(mask, -math.inf, filled([], 0, get_default_dtype())) if mask.dtype is truth else mask
