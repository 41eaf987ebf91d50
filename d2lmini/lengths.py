"""What valid lengths must be like: said once, for PyTorch and for every other framework."""

import numpy as np


def check_lengths(kind, lens_shape, shape, values=()):
    """Raise unless lengths fit scores of this shape.

    Parameters
    ----------
    kind : str
        The name of their type, with a framework's name in front of it or not.
    lens_shape : tuple, (batch,) or (batch, queries)
    shape : tuple, (batch, ..., queries, keys)
        A size that is not an int is not known yet and is not checked.
    values : sequence of int
        The lengths themselves; none where they are not known yet.
    """
    name = kind.rpartition(".")[2]
    if name == "bool":
        raise TypeError(
            f"valid_lens must be integers that count keys, got {kind}: "
            "of a mask that is True at valid keys, take the sum over the last axis"
        )
    if not name.startswith(("int", "uint")):
        raise TypeError(f"valid_lens must be integers, got {kind}")
    if len(shape) < 3:
        raise ValueError(f"scores must have the shape (batch, ..., queries, keys), got {shape}")
    batch, queries, keys = shape[0], shape[-2], shape[-1]
    if not fits(lens_shape, (batch, queries)[: len(lens_shape) or 1]):
        raise ValueError(
            f"valid_lens must have the shape (batch,) = ({batch},) or (batch, queries) = "
            f"({batch}, {queries}), got {tuple(lens_shape)}"
        )
    if len(values) and isinstance(keys, int):
        shortest, longest = min(values), max(values)
        if shortest < 0 or longest > keys:
            wrong = shortest if shortest < 0 else longest
            raise ValueError(
                f"valid_lens must lie between 0 and the number of keys, {keys}, got {wrong}"
            )


def fits(shape, expected):
    """Whether a shape is the expected one, as far as both are known."""
    if len(shape) != len(expected):
        return False
    for a, b in zip(shape, expected, strict=True):
        if isinstance(a, int) and isinstance(b, int) and a != b:
            return False
    return True


def not_lengths(valid_lens):
    """The error to raise for what is no array of numbers."""
    return TypeError(f"valid_lens must be None or an array of integers, got {valid_lens!r}")


def broadcastable(valid_lens, shape, known=True):
    """Return lengths, (batch, ..., 1 or queries, 1), in NumPy's terms; raise unless they fit.

    Where their values are not `known` yet, since a framework traces, they stay the framework's
    array, and only shape and type are checked.
    """
    lens = to_numpy(valid_lens) if known else valid_lens
    values = lens.flatten().tolist() if known else ()
    check_lengths(lens.dtype.name, lens.shape, shape, values)
    per_query = (slice(None),) if len(lens.shape) == 2 else (None,)
    return lens[(slice(None), *(None,) * (len(shape) - 3), *per_query, None)]


def to_numpy(valid_lens):
    """Return a list or an array as a NumPy array."""
    try:
        lens = np.asarray(valid_lens)
    except (TypeError, ValueError) as error:  # lists of unequal lengths
        raise not_lengths(valid_lens) from error
    if lens.dtype.kind in "OUS":
        raise not_lengths(valid_lens)
    return lens if lens.size else lens.astype(int)  # an empty list has no type of its own
