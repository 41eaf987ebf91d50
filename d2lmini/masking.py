"""Softmax over the valid part of each row, and the mask that says which part that is."""

import torch
import torch.nn.functional as F
from torch import Tensor

from .checks import Lengths, check_scores, check_valid_lens
from .fast import quick


@quick
def masked_softmax(scores: Tensor, valid_lens: Lengths | None = None) -> Tensor:
    """Turn scores into attention weights; padding gets a weight of exactly 0.

    Parameters
    ----------
    scores : Tensor, (batch, ..., queries, keys)
        Any floating-point type. It is not changed.
    valid_lens : array of integers, (batch,) or (batch, queries), optional
        How many keys, counted from the first, an example or a single query may look at. It
        applies to every head or other axis in between. None: all keys.

    Returns
    -------
    Tensor, (batch, ..., queries, keys)
        Each row sums to 1, except that a row of valid length 0 is all 0.

    Raises
    ------
    ValueError, TypeError
        When a shape, a type or a length is wrong. Under `torch.compile` and `torch.func` lengths
        have no values yet, so only their shape and type are checked.

    Notes
    -----
    Equation (4.2): alpha_i = exp(s_i) / sum_{j <= l} exp(s_j) for i <= l, and 0 beyond. Hidden
    scores become -inf, not a large negative number, so that no valid score can be lower.

    Examples
    --------
    >>> import torch
    >>> masked_softmax(torch.zeros(1, 1, 4), [2])
    tensor([[[0.5000, 0.5000, 0.0000, 0.0000]]])
    """
    check_scores(scores)
    if valid_lens is None:
        return F.softmax(scores, dim=-1)
    hidden = padding_mask(valid_lens, scores.shape, scores.device)  # (batch, ..., queries, keys)
    weights = F.softmax(torch.where(hidden, -torch.inf, scores), dim=-1)
    return weights.masked_fill(hidden, 0)  # a row of length 0 is NaN before


def padding_mask(valid_lens, shape, device):
    """Return a boolean tensor, True at padding, that broadcasts with scores of this shape.

    Its shape is (batch, ..., 1 or queries, keys), with an axis of length 1 for each one between.
    """
    lens = check_valid_lens(valid_lens, shape).to(device)
    lens = lens.reshape(shape[0], *(1,) * (len(shape) - 3), *lens.shape[1:] or (1,), 1)
    return torch.arange(shape[-1], device=device) >= lens


def clear_padding(queries, keys, values, valid_lens):
    """Return keys and values with 0 where no query of their example may look."""
    if valid_lens is None:
        return keys, values
    shape = (*queries.shape[:2], keys.shape[1])
    unseen = padding_mask(valid_lens, shape, keys.device).all(dim=1).unsqueeze(-1)
    return keys.masked_fill(unseen, 0), values.masked_fill(unseen, 0)  # unseen: (batch, keys, 1)
