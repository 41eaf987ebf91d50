"""Softmax over the valid part of each row, and the mask that says which part that is."""

import torch
import torch.nn.functional as F


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

    Examples
    --------
    >>> masked_softmax(torch.zeros(1, 1, 4), [2])
    tensor([[[0.5000, 0.5000, 0.0000, 0.0000]]])
    """
    check_scores(scores)
    if valid_lens is None:
        return F.softmax(scores, dim=-1)
    hidden = padding_mask(valid_lens, scores.shape, scores.device)  # (batch, ..., queries, keys)
    weights = F.softmax(torch.where(hidden, -torch.inf, scores), dim=-1)
    return zero_empty_rows(weights, hidden)


def padding_mask(valid_lens, shape, device):
    """Return a boolean tensor, True at padding, that broadcasts with scores of this shape.

    Its shape is (batch, ..., 1 or queries, keys), with an axis of length 1 for each one between.
    """
    lens = check_valid_lens(valid_lens, shape).to(device)
    lens = lens.reshape(shape[0], *(1,) * (len(shape) - 3), *lens.shape[1:] or (1,), 1)
    return torch.arange(shape[-1], device=device) >= lens


def zero_empty_rows(weights, hidden):
    """Return the weights with all 0 where a row has no valid key: there, softmax gives NaN."""
    empty = hidden[..., :1]  # a row is empty when even its first key is hidden
    return weights.masked_fill(empty, 0) if not is_known(empty) or empty.any() else weights


def zero_padding(hidden, keys, values):
    """Return keys and values with 0 where no query may look, so that not even NaN gets through.

    `hidden` comes from `padding_mask`: (batch, 1 or queries, keys).
    """
    # A weight of 0 already stops any finite number. A finite sum has no NaN or inf in it.
    if is_known(keys) and bool((keys.sum() + values.sum()).isfinite()):
        return keys, values
    unseen = hidden.all(dim=1).unsqueeze(-1)  # (batch, keys, 1)
    return keys.masked_fill(unseen, 0), values.masked_fill(unseen, 0)


def is_known(tensor):
    """Whether Python may look at the values: not under torch.compile or torch.func, nor on meta.

    Every check of values, and every shortcut that depends on them, asks here.
    """
    traced = torch.compiler.is_compiling() or torch._C._are_functorch_transforms_active()
    return not (traced or tensor.is_meta)


def check_scores(scores):
    """Raise unless `scores` is a floating-point tensor with a batch, queries and keys."""
    if not isinstance(scores, torch.Tensor):
        raise TypeError(f"scores must be a tensor, got {type(scores).__name__}")
    if not scores.is_floating_point():
        raise TypeError(f"scores must be floating-point numbers, got {scores.dtype}")
    if scores.dim() < 3:
        raise ValueError(
            f"scores must have the shape (batch, ..., queries, keys), got {tuple(scores.shape)}"
        )


def check_valid_lens(valid_lens, shape):
    """Return `valid_lens` as a tensor of int64; raise unless it fits scores of this shape."""
    lens = valid_lens
    if not isinstance(lens, torch.Tensor):
        try:
            lens = torch.as_tensor(lens)
        except (TypeError, ValueError, RuntimeError) as error:
            raise TypeError(
                f"valid_lens must be None or an array of integers, got {valid_lens!r}"
            ) from error
        if not lens.numel():  # an empty list has no type of its own
            lens = lens.long()
    if lens.dtype == torch.bool:
        raise TypeError(
            "valid_lens must be integers that count keys, got torch.bool: "
            "of a mask that is True at valid keys, take mask.sum(dim=-1)"
        )
    if lens.is_floating_point() or lens.is_complex():
        raise TypeError(f"valid_lens must be integers, got {lens.dtype}")
    batch, queries, keys = shape[0], shape[-2], shape[-1]
    if tuple(lens.shape) not in ((batch,), (batch, queries)):
        raise ValueError(
            f"valid_lens must have the shape (batch,) = ({batch},) or (batch, queries) = "
            f"({batch}, {queries}), got {tuple(lens.shape)}"
        )
    lens = lens.long()
    if is_known(lens) and lens.numel():
        shortest, longest = (int(end) for end in lens.aminmax())
        if shortest < 0 or longest > keys:
            wrong = shortest if shortest < 0 else longest
            raise ValueError(f"valid_lens must lie between 0 and {keys}, the keys, got {wrong}")
    return lens
