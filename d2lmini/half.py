"""Half types are computed in float32, as fused kernels do it: scores need more digits and range."""

import functools

import torch
from torch import nn

from .checks import is_autocast

HALF = (torch.float16, torch.bfloat16)


class Pool(nn.Module):
    """A call of a pool, as a module: `functional_call` gives it parameters of another type."""

    def __init__(self, attention, pool):
        super().__init__()
        self.attention = attention
        self.pool = pool

    def forward(self, *inputs):
        return self.pool(self.attention, *inputs)


def in_float32(pool):
    """Let a method that pools (queries, keys, values, ...) meet half types as float32 alone.

    Output and weights come back in the type of the queries. A fused kernel does the same by
    itself, and under autocast PyTorch chooses the types.
    """

    @functools.wraps(pool)
    def wider(attention, queries, keys, values, valid_lens, mask):
        kind = queries.dtype
        fused = not getattr(attention, "need_weights", True)
        if kind not in HALF or fused or is_autocast(queries.device):
            return pool(attention, queries, keys, values, valid_lens, mask)
        if any(nn.parameter.is_lazy(p) for p in attention.parameters()):
            attention.score(queries[:0], keys[:0])  # sizes are inferred, of the right type
        parameters = {f"attention.{n}": p.float() for n, p in attention.named_parameters()}
        inputs = (*(x.float() for x in (queries, keys, values)), valid_lens, mask)
        output, weights = torch.func.functional_call(Pool(attention, pool), parameters, inputs)
        return output.to(kind), weights.to(kind)

    return wider
