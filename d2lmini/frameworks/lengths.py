"""What valid lengths must be like, in NumPy's terms: said once for JAX, TensorFlow and MXNet."""

import numpy as np


def check_lengths(valid_lens, shape, known=True):
    """Return lengths that broadcast with scores; raise unless they fit scores of this shape.

    Parameters
    ----------
    valid_lens : array of integers, (batch,) or (batch, queries)
        Where its values are not `known` yet, since a framework traces, only its shape and type
        are checked.
    shape : tuple, (batch, ..., queries, keys)
        A size that is not an int is not known yet and is not checked.

    Returns
    -------
    array of integers, (batch, ..., 1 or queries, 1)
    """
    lens = to_numpy(valid_lens) if known else valid_lens
    kind = lens.dtype.name
    if kind == "bool":
        raise TypeError(
            "valid_lens must be integers that count keys, got bool: "
            "of a mask that is True at valid keys, take the sum over the last axis"
        )
    if not kind.startswith(("int", "uint")):
        raise TypeError(f"valid_lens must be integers, got {kind}")
    if len(shape) < 3:
        raise ValueError(f"scores must have the shape (batch, ..., queries, keys), got {shape}")
    batch, queries, keys = shape[0], shape[-2], shape[-1]
    if not (fits(lens.shape, (batch,)) or fits(lens.shape, (batch, queries))):
        raise ValueError(
            f"valid_lens must have the shape (batch,) = ({batch},) or (batch, queries) = "
            f"({batch}, {queries}), got {tuple(lens.shape)}"
        )
    if known and lens.size and isinstance(keys, int):
        shortest, longest = int(lens.min()), int(lens.max())
        if shortest < 0 or longest > keys:
            wrong = shortest if shortest < 0 else longest
            raise ValueError(
                f"valid_lens must lie between 0 and the number of keys, {keys}, got {wrong}"
            )
    per_query = (slice(None),) if len(lens.shape) == 2 else (None,)
    return lens[(slice(None), *(None,) * (len(shape) - 3), *per_query, None)]


def to_numpy(valid_lens):
    """Return a list or an array as a NumPy array."""
    try:
        lens = np.asarray(valid_lens)
    except (TypeError, ValueError) as error:  # lists of unequal lengths
        raise TypeError(
            f"valid_lens must be None or an array of integers, got {valid_lens!r}"
        ) from error
    if lens.dtype.kind in "OUS":
        raise TypeError(f"valid_lens must be None or an array of integers, got {valid_lens!r}")
    return lens if lens.size else lens.astype(int)  # an empty list has no type of its own


def fits(shape, expected):
    """Whether a shape is the expected one, as far as both are known."""
    return len(shape) == len(expected) and all(
        a == b or not (isinstance(a, int) and isinstance(b, int))
        for a, b in zip(shape, expected, strict=True)
    )
