"""Softmax over the valid part of each row, and the mask that says which part that is."""

import math

import torch
import torch.nn.functional as F

from .checks import check_scores, check_valid_lens, is_known

# From this many scores an example is worth a turn of its own in a Python loop.
LARGE = 2**16


def masked_softmax(scores, valid_lens=None):
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
    if hidden.shape[-2] == 1 and is_large(hidden, scores.shape):
        return softmax_one_by_one(scores, hidden)  # the same, with less work
    weights = F.softmax(torch.where(hidden, -torch.inf, scores), dim=-1)
    return zero_hidden(weights, hidden)


def padding_mask(valid_lens, shape, device):
    """Return a boolean tensor, True at padding, that broadcasts with scores of this shape.

    Its shape is (batch, ..., 1 or queries, keys), with an axis of length 1 for each one between.
    """
    lens = check_valid_lens(valid_lens, shape).to(device)
    lens = lens.reshape(shape[0], *(1,) * (len(shape) - 3), *lens.shape[1:] or (1,), 1)
    return torch.arange(shape[-1], device=device) >= lens


def zero_hidden(weights, hidden):
    """Return the weights with 0 where hidden, which softmax has seen to save in rows of NaN."""
    # A row without any valid key is NaN, all of it, and so are then its first weight and the sum.
    if is_known(weights) and not math.isnan(weights[..., :1].sum().item()):
        return weights
    return weights.masked_fill(hidden, 0)


def is_large(lens, shape):
    """Whether to take examples one by one: each has many scores, and lengths or mask are known."""
    large = math.prod(shape) >= LARGE * max(1, shape[0])
    return large and is_known(lens) and lens.device.type == "cpu" and shape[0] > 0


def softmax_one_by_one(scores, hidden):
    """Return the masked softmax of examples that are cut to their valid keys before it."""
    keys = scores.shape[-1]
    cuts = hidden.sum(dim=-1).flatten().tolist()  # one for each example
    valid = [F.softmax(x[..., : keys - n], dim=-1) for x, n in zip(scores, cuts, strict=True)]
    return torch.stack([F.pad(x, (0, n)) for x, n in zip(valid, cuts, strict=True)])


def valid_parts(queries, keys, values, valid_lens):
    """Return a list of (queries, keys, values, valid_lens) without the padding no query may see.

    Large examples are cut to their valid keys and become a part each: less work, and no padding
    left. Small ones, and values that nobody knows yet, stay in one batch, where padding that
    could do harm is set to 0.
    """
    if valid_lens is None:
        return [(queries, keys, values, None)]
    shape = (*queries.shape[:2], keys.shape[1])
    lens = check_valid_lens(valid_lens, shape).to(keys.device)
    if is_large(lens, shape):
        seen = lens if lens.dim() == 1 else lens.amax(dim=1)
        rows = [None] * len(lens) if lens.dim() == 1 else lens.split(1)
        examples = (queries.split(1), keys.split(1), values.split(1), seen.tolist(), rows)
        return [(q, k[:, :n], v[:, :n], row) for q, k, v, n, row in zip(*examples, strict=True)]
    if not (is_tame(keys) and is_tame(values)):
        unseen = padding_mask(lens, shape, keys.device).all(dim=1).unsqueeze(-1)  # (batch, keys, 1)
        keys, values = keys.masked_fill(unseen, 0), values.masked_fill(unseen, 0)
    return [(queries, keys, values, lens)]


def is_tame(tensor):
    """Whether it is known to hold no NaN and nothing whose square is infinite.

    A weight of 0 stops such numbers by itself, in the output and in every gradient.
    """
    if not is_known(tensor) or not tensor.numel():
        return False
    low, high = tensor.detach().aminmax()
    limit = torch.finfo(tensor.dtype).max ** 0.5
    return bool((-limit < low) & (high < limit))
