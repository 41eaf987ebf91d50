"""Masks, which say what keys a query may look at, and the softmax over these.

A mask is True (or 1) where a query may look, as a tokenizer's `attention_mask` and the boolean
`attn_mask` of `F.scaled_dot_product_attention` are. PyTorch's own modules say the opposite. This
turns their words into ours, and back:

==================================================  ============================  ==============
theirs                                              ours                          back
==================================================  ============================  ==============
a tokenizer's `attention_mask`, 1: may look         ``mask=m[:, None]``           ``m[:, 0]``
`F.scaled_dot_product_attention`, boolean,
(queries, keys) or (heads, queries, keys)           ``mask=m[None]``              ``m[0]``
the same, (batch, heads or 1, queries, keys)        ``mask=m``                    ``m``
`nn.MultiheadAttention`, `nn.Transformer`, True:
hidden: `key_padding_mask`, (batch, keys)           ``mask=~m[:, None]``          ``~mask[:, 0]``
the same: `attn_mask`, (queries, keys)              ``mask=~m[None]``             ``~mask[0]``
an `attn_mask` of floats, 0 or -inf: it is added    ``mask=m[None] == 0``         ``mask[0].log()``
``is_causal=True``, n queries and n keys            ``mask=causal_mask(n)``
==================================================  ============================  ==============

With heads, (batch, keys) becomes ``m[:, None, None]``. An axis of length 1 holds for all; with it,
no mask can be read in two ways.
"""

import torch
import torch.nn.functional as F
from torch import Tensor

from .checks import (
    Lengths,
    Mask,
    check_count,
    check_mask,
    check_scores,
    check_size,
    check_valid_lens,
    in_float32,
    is_tame,
    may_hold_nan,
)
from .renamed import renamed


@renamed(X="scores")
def masked_softmax(
    scores: Tensor, valid_lens: Lengths | None = None, *, mask: Mask | None = None
) -> Tensor:
    """Turn scores into attention weights; a hidden key gets a weight of exactly 0.

    Parameters
    ----------
    scores : Tensor, (batch, ..., queries, keys) or (queries, keys)
        Any floating-point type. It is not changed.
    valid_lens : array of whole numbers, (batch,) or (batch, queries), optional
        How many keys, counted from the first, an example or a single query may look at. It
        applies to every head or other axis in between. (queries,) for scores without a batch.
    mask : array of booleans or of 0 and 1, optional
        True or 1: may look. (batch, keys), (queries, keys), (batch, queries, keys) or
        (batch, ..., queries, keys), with length 1 where it holds for all. What can be read in two
        ways is refused: say ``mask[:, None]`` for (batch, keys), ``mask[None]`` for
        (queries, keys); with heads ``mask[:, None, None]`` and ``mask[None, None]`` for these,
        ``mask[:, None]`` for (batch, queries, keys), ``mask[None]`` for (heads, queries, keys). Of
        one that is added, ``mask == 0``. With lengths: both must allow. Neither: all keys.

    Returns
    -------
    Tensor, (batch, ..., queries, keys)
        Each row sums to 1, except that a row without any key to look at is all 0.

    Raises
    ------
    ValueError, TypeError
        When a shape, a type or a value is wrong, or lengths look like a mask: 0 and 1 alone, for
        as many queries as keys. Values are checked where Python may look at them without
        waiting: on the CPU, and not under `torch.compile`, `torch.func` and `torch.jit.trace`.

    Notes
    -----
    Equation (4.2): alpha_i = exp(s_i) / sum_{j <= l} exp(s_j) for i <= l, and 0 beyond. Hidden
    scores become -inf, not a large negative number, so that no valid score can be lower.

    Examples
    --------
    >>> import torch
    >>> masked_softmax(torch.zeros(1, 1, 4), [2])
    tensor([[[0.5000, 0.5000, 0.0000, 0.0000]]])
    >>> masked_softmax(torch.zeros(1, 1, 4), mask=[[1, 0, 0, 1]])
    tensor([[[0.5000, 0.0000, 0.0000, 0.5000]]])
    """
    check_scores(scores)
    if valid_lens is None and mask is None:
        return F.softmax(scores, dim=-1)
    seen = seen_places(scores.shape, scores.device, valid_lens, mask)
    scores = torch.where(seen, scores, -torch.inf)  # (batch, ..., queries, keys)
    weights = F.softmax(scores, dim=-1)
    if may_hold_nan(weights):  # as a row without any key does
        weights = weights.masked_fill(~seen, 0)
    return weights


def seen_places(shape, device, valid_lens=None, mask=None):
    """Return a boolean tensor, True where a query may look: lengths and a mask in one.

    It broadcasts with scores of this shape: it has as many axes, some of them of length 1.
    """
    seen = None if mask is None else check_mask(mask, shape).to(device)
    if valid_lens is not None:
        lens = check_valid_lens(valid_lens, shape).to(device)  # (batch, ..., 1 or queries, 1)
        within = torch.arange(shape[-1], device=device) < lens
        seen = within if seen is None else seen & within
    if seen is None:
        seen = torch.ones((1,) * len(shape), dtype=torch.bool, device=device)
    return seen


def as_one_mask(queries, keys, valid_lens, mask):
    """Return lengths and a mask as one mask, with all axes of the scores; None if both are."""
    if valid_lens is None and mask is None:
        return None
    return seen_places((*queries.shape[:-1], keys.shape[-2]), keys.device, valid_lens, mask)


def clear_padding(keys, values, mask):
    """Return keys and values with 0 where no query of their example may look.

    They are returned as they are if nothing in them can do harm there.
    """
    if mask is None or is_tame(keys, values):
        return keys, values
    unseen = unseen_keys(mask)
    return keys.masked_fill(unseen, 0), values.masked_fill(unseen, 0)


def unseen_keys(mask):
    """Return a boolean tensor, (batch, ..., keys, 1), True where no query of the example looks."""
    return ~mask.any(dim=-2).unsqueeze(-1)


def mean_of_seen(keys, mask):
    """Return the mean of the seen keys, (batch, ..., 1, key_size), off the graph; 0 if none is.

    A half type has its mean in float32, which makes what is measured from there float32, too.
    """
    (keys,) = in_float32(keys.detach())
    if mask is None:
        return keys.sum(dim=-2, keepdim=True) / max(1, keys.shape[-2])
    unseen = unseen_keys(mask).expand(*keys.shape[:-1], 1)
    total = keys.masked_fill(unseen, 0).sum(dim=-2, keepdim=True)
    return total / (~unseen).sum(dim=-2, keepdim=True).clamp(min=1)


def causal_mask(queries: int, keys: int | None = None, device=None) -> Tensor:
    """Return a mask for words that may not look at later ones.

    Parameters
    ----------
    queries : int
        How many words ask: the last ones.
    keys : int, optional
        How many words there are in all, as many as queries if not given. With keys of earlier
        words in a cache there are more, and each query sees them all, as it does not with
        PyTorch's ``is_causal=True``, which takes the queries for the first words.
    device : torch.device, optional

    Returns
    -------
    Tensor of bool, (1, queries, keys)
        True where the query may look: at its own word and those before. The first axis is there
        so that it can't be taken for (batch, keys).

    Raises
    ------
    ValueError, TypeError
        When a number is no integer or negative, or when there are more queries than keys: the
        first of them could look at nothing.

    Examples
    --------
    >>> causal_mask(2, 4).int()
    tensor([[[1, 1, 1, 0],
             [1, 1, 1, 1]]], dtype=torch.int32)
    """
    return places_after(queries, keys, device) <= 0


def window_mask(
    queries: int, keys: int | None = None, *, window: int, causal: bool = True, device=None
) -> Tensor:
    """Return a mask for words that look at near words alone.

    It joins others with ``&``, and lengths beside it: both must allow.

    Parameters
    ----------
    queries, keys, device : optional
        As in `causal_mask`: the queries are the last of the words.
    window : int
        How many words a query sees: its own and the ``window - 1`` before it, as `sliding_window`
        of most configurations counts.
    causal : bool
        False: as many words after it, too.

    Returns
    -------
    Tensor of bool, (1, queries, keys)

    Raises
    ------
    ValueError, TypeError
        When a number is no integer or too small, or there are more queries than keys.

    Examples
    --------
    >>> window_mask(3, window=2).int()
    tensor([[[1, 0, 0],
             [1, 1, 0],
             [0, 1, 1]]], dtype=torch.int32)
    """
    check_size("window", window)
    after = places_after(queries, keys, device)
    return (after > -window) & (after < (1 if causal else window))


def places_after(queries, keys, device):
    """Return how many places after a query each key stands, (1, queries, keys)."""
    keys = queries if keys is None else keys
    check_count("queries", queries)
    check_count("keys", keys, least=queries, why=": the queries are the last of the words")
    own = torch.arange(keys - queries, keys, device=device).unsqueeze(-1)  # (queries, 1)
    return (torch.arange(keys, device=device) - own).unsqueeze(0)
