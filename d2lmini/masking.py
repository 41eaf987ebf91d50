"""Softmax over the keys that a query may look at."""

import torch
import torch.nn.functional as F
from torch import Tensor

from .checks import Lengths, Mask, check_scores
from .masks import hidden_places
from .quick import quick
from .renamed import renamed


@renamed(X="scores")
@quick
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
        (batch, ..., queries, keys), with length 1 where it holds for all. Where batch and
        queries are equal, say ``mask[:, None]`` for (batch, keys), ``mask[None]`` for
        (queries, keys). Lengths and a mask together: both must allow. None of them: all keys.

    Returns
    -------
    Tensor, (batch, ..., queries, keys)
        Each row sums to 1, except that a row without any key to look at is all 0.

    Raises
    ------
    ValueError, TypeError
        When a shape, a type or a value is wrong, or lengths look like a mask: 0 and 1 alone, for
        as many queries as keys. Values are checked where Python may look at them without
        waiting: on the CPU, and not under `torch.compile` and `torch.func`.

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
    hidden = hidden_places(scores.shape, scores.device, valid_lens, mask)
    scores = torch.where(hidden, -torch.inf, scores)  # (batch, ..., queries, keys)
    weights = F.softmax(scores, dim=-1)
    return weights.masked_fill(hidden, 0)  # a row without any key is NaN before
