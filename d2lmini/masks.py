"""Masks: which keys a query may look at, in our words and in PyTorch's.

A mask is True (or 1) where a query may look, as a tokenizer's `attention_mask` and the boolean
`attn_mask` of `F.scaled_dot_product_attention` are. PyTorch's own modules say the opposite. This
turns their words into ours, and back:

==================================================  ============================  ==============
theirs                                              ours                          back
==================================================  ============================  ==============
a tokenizer's `attention_mask`, 1: may look         ``mask=m``                    ``m``
`F.scaled_dot_product_attention`, boolean           ``mask=m``                    ``m``
`nn.MultiheadAttention`, `nn.Transformer`:
`key_padding_mask` or `attn_mask`, True: hidden     ``mask=~m``                   ``~mask``
any `attn_mask` of floats, 0 or -inf (it is added)  ``mask=m == 0``               ``mask.log()``
``is_causal=True``, n queries and n keys            ``mask=causal_mask(n)``
==================================================  ============================  ==============
"""

import torch
from torch import Tensor

from .checks import check_count, check_mask, check_valid_lens, in_float32


def hidden_places(shape, device, valid_lens=None, mask=None):
    """Return a boolean tensor, True where a query may not look.

    It broadcasts with scores of this shape: it has as many axes, some of them of length 1.
    """
    hidden = None
    if valid_lens is not None:
        lens = check_valid_lens(valid_lens, shape).to(device)  # (batch, ..., 1 or queries, 1)
        hidden = torch.arange(shape[-1], device=device) >= lens
    if mask is not None:
        closed = ~check_mask(mask, shape).to(device)
        hidden = closed if hidden is None else hidden | closed
    if hidden is None:
        hidden = torch.zeros((1,) * len(shape), dtype=torch.bool, device=device)
    return hidden


def clear_padding(queries, keys, values, valid_lens, mask=None):
    """Return keys and values with 0 where no query of their example may look."""
    shape = (*queries.shape[:-1], keys.shape[-2])
    unseen = unseen_keys(hidden_places(shape, keys.device, valid_lens, mask))
    return keys.masked_fill(unseen, 0), values.masked_fill(unseen, 0)


def unseen_keys(hidden):
    """Return a boolean tensor, (batch, ..., keys, 1), True where no query of the example looks."""
    return hidden.all(dim=-2).unsqueeze(-1)


def mean_of_seen(queries, keys, valid_lens, mask):
    """Return the mean of the keys that a query of their example may look at; see `middle`."""
    shape = (*queries.shape[:-1], keys.shape[-2])
    return middle(keys, hidden_places(shape, keys.device, valid_lens, mask))


def middle(keys, hidden):
    """Return the mean of the seen keys, (batch, ..., 1, key_size), off the graph; 0 if none is.

    A half type has its mean in float32, which makes what is measured from there float32, too.
    """
    (keys,) = in_float32(keys.detach())
    unseen = unseen_keys(hidden).expand(*keys.shape[:-1], 1)
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
    check_count("queries", queries)
    keys = queries if keys is None else keys
    check_count("keys", keys)
    if keys < queries:
        raise ValueError(
            f"keys must be at least as many as queries, {queries}, got {keys}: the queries are the "
            "last of the words"
        )
    return torch.ones(1, queries, keys, dtype=torch.bool, device=device).tril(keys - queries)
