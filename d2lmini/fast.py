"""The same numbers in less time and memory; nothing is defined here, and nothing depends on it.

`quick` puts a fast way in front of a plain definition. Each fast way is held to its plain
definition by tests/package/test_fast.py, values and gradients. Without this file and the lines that
say `quick` the package does the same.
"""

import functools
import math
from collections.abc import Callable
from typing import Any, TypeVar

import torch
import torch.nn.functional as F

from .checks import check_scores, check_valid_lens, is_known

# From this many scores on an example is worth a turn of its own in a Python loop.
LARGE = 2**16
# From this many scores on a look at the weights costs less than zeros written over them.
MANY = 2**13
# How many numbers additive attention makes at a time: few fit the cache, many save calls.
CHUNK = 2**20

Plain = TypeVar("Plain", bound=Callable[..., Any])


def quick(plain: Plain) -> Plain:
    """Return a function that gives what a plain definition gives, faster."""
    fast = FAST[plain.__qualname__]

    @functools.wraps(plain)
    def quicker(*args, **kwargs):
        return fast(plain, *args, **kwargs)

    return quicker  # type: ignore[return-value]


def softmax(plain, scores, valid_lens=None):
    """The masked softmax; examples with many scores are cut to their valid keys before it."""
    if valid_lens is None:
        return plain(scores)
    check_scores(scores)  # before its shape is asked for
    shape = scores.shape
    lens = check_valid_lens(valid_lens, shape).to(scores.device)
    if lens.dim() == 1 and is_large(shape, lens, scores):
        examples = zip(scores, lens.tolist(), strict=True)
        valid = [F.pad(F.softmax(x[..., :n], dim=-1), (0, shape[-1] - n)) for x, n in examples]
        return torch.stack(valid)
    return softmax_where(scores, hidden_places(lens, shape))


def pool(plain, attention, queries, keys, values, valid_lens=None):
    """Pool; examples with many scores are cut to the keys that some query may look at."""
    attend = at_once if getattr(attention, "need_weights", True) else fused
    if valid_lens is None:
        return attend(attention, queries, keys, values, None)
    shape = (*queries.shape[:2], keys.shape[1])
    lens = check_valid_lens(valid_lens, shape).to(keys.device)
    if is_large(shape, lens, queries, keys, values):
        return by_example(attend, attention, queries, keys, values, lens)
    hidden = hidden_places(lens, shape)
    if attend is at_once and not torch.is_grad_enabled():
        output, weights = at_once(attention, queries, keys, values, hidden, hopeful=True)
        if is_tame(output) and output.numel():  # no weight and no value was NaN
            return output, weights
    if not (is_tame(keys) and is_tame(values)):
        unseen = hidden.all(dim=1).unsqueeze(-1)  # (batch, keys, 1)
        keys, values = keys.masked_fill(unseen, 0), values.masked_fill(unseen, 0)
    return attend(attention, queries, keys, values, hidden)


def score(plain, attention, queries, keys):
    """The additive score of a few queries at a time, so that about `CHUNK` numbers are held."""
    queries, keys = attention.W_q(queries), attention.W_k(keys)
    rows = max(1, CHUNK // max(1, keys.numel()))  # a query meets batch x keys x hiddens numbers
    if queries.shape[1] <= rows:
        return score_pairs(attention, queries, keys)
    chunks = queries.split(rows, dim=1)
    return torch.cat([score_pairs(attention, chunk, keys) for chunk in chunks], dim=1)


def score_pairs(attention, queries, keys):
    """The additive score of mapped queries and keys, with every sum bent in its place."""
    features = queries.unsqueeze(2) + keys.unsqueeze(1)  # (batch, queries, keys, hiddens)
    return attention.w_v(features.tanh_()).squeeze(-1)


FAST = {"masked_softmax": softmax, "Attention.pool": pool, "AdditiveAttention.score": score}


def is_large(shape, *tensors):
    """Whether to take examples one by one: each has many scores, and all values are known."""
    return (
        math.prod(shape) >= LARGE * max(1, shape[0])
        and shape[0] > 0
        and all(is_known(x) and x.device.type == "cpu" for x in tensors)
    )


def hidden_places(lens, shape):
    """Return a mask, True at padding, that broadcasts with scores of this shape."""
    lens = lens.view(shape[0], *(1,) * (len(shape) - 3), *lens.shape[1:] or (1,), 1)
    return torch.arange(shape[-1], device=lens.device) >= lens


def softmax_where(scores, hidden, hopeful=False):
    """Softmax with 0 where hidden, which it sees to by itself except in rows of NaN.

    If it is `hopeful`, the caller looks for NaN.
    """
    check_scores(scores)
    if hidden is None:
        return F.softmax(scores, dim=-1)
    weights = F.softmax(torch.where(hidden, -torch.inf, scores), dim=-1)
    # A row without any valid key is NaN, all of it, and so are then its first weight and the sum.
    if hopeful or (
        weights.numel() >= MANY
        and is_known(weights)
        and not math.isnan(weights[..., :1].sum().item())
    ):
        return weights
    return weights.masked_fill(hidden, 0)


def at_once(attention, queries, keys, values, hidden, hopeful=False):
    """Return the values pooled and the weights; padding is clean."""
    # The scores have no name here, so that they are gone before the values are pooled.
    weights = softmax_where(attention.score(queries, keys), hidden, hopeful)
    dropout = attention.dropout
    idle = isinstance(dropout, torch.nn.Dropout) and not (dropout.p and dropout.training)
    dropped = weights if idle else dropout(weights)
    return torch.bmm(dropped, values), weights


def fused(attention, queries, keys, values, hidden):
    """Scaled dot-product attention by PyTorch's kernel, without weights; padding is clean."""
    # The fast kernels want an axis for heads.
    q, k, v = queries.unsqueeze(1), keys.unsqueeze(1), values.unsqueeze(1)
    dropout = attention.dropout.p if attention.training else 0.0
    if hidden is None:
        return F.scaled_dot_product_attention(q, k, v, dropout_p=dropout).squeeze(1), None
    hidden = hidden.unsqueeze(1)  # (batch, 1, 1 or queries, keys)
    # What a kernel makes of a row without keys differs: let it see them all, then drop the row.
    empty = hidden[..., :1].all(dim=-1, keepdim=True)
    output = F.scaled_dot_product_attention(q, k, v, attn_mask=empty | ~hidden, dropout_p=dropout)
    return output.masked_fill(empty, 0).squeeze(1), None


def by_example(attend, attention, queries, keys, values, lens):
    """Pool each example by itself, cut to the keys that are seen: no padding is left."""
    outputs, weights = [], None
    for i, (q, k, v) in enumerate(
        zip(queries.split(1), keys.split(1), values.split(1), strict=True)
    ):
        n = int(lens[i].max())
        hidden = None if lens.dim() == 1 else hidden_places(lens[i : i + 1], (1, lens.shape[1], n))
        output, part = attend(attention, q, k[:, :n], v[:, :n], hidden)
        outputs.append(output)
        if part is not None:
            weights = (
                part.new_zeros(len(lens), *part.shape[1:-1], keys.shape[1])
                if weights is None
                else weights
            )
            weights[i, :, :n] = part[0].detach()
    return torch.cat(outputs), weights


def is_tame(tensor):
    """Whether it is known to hold no NaN and nothing whose square is infinite.

    A weight of 0 stops such numbers by itself, in the output and in every gradient.
    """
    if not is_known(tensor):
        return False
    norm = torch.linalg.vector_norm(tensor.detach()).item()  # no entry is larger
    return norm < torch.finfo(tensor.dtype).max ** 0.5
