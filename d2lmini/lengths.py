"""What lengths and masks must be like: said once, for PyTorch and for every other framework.

Scores have the shape (batch, ..., queries, keys), or (queries, keys) without a batch.
`check_lengths` and `check_mask` return an index of `slice(None)` and `None`, which the arrays of
any framework take: ``lens[index]`` and ``mask[index]`` have as many axes as the scores and
broadcast with them.
"""

import numpy as np

FLOATS = ("float", "bfloat")
INTEGERS = ("int", "uint")


def check_lengths(kind, lens_shape, shape, values=()):
    """Raise unless lengths fit scores of this shape; return the index that gives them its axes.

    Parameters
    ----------
    kind : str
        The name of their type, with a framework's name in front of it or not.
    lens_shape : tuple, (batch,) or (batch, queries)
        (queries,) for scores without a batch.
    shape : tuple, (batch, ..., queries, keys) or (queries, keys)
        A size that is not an int is not known yet and is not checked.
    values : sequence of int or float
        The lengths themselves; none where they are not known yet.
    """
    name = kind.rpartition(".")[2]
    if name == "bool":
        raise TypeError(
            f"valid_lens must be integers that count keys, got {kind}: "
            "a mask, True where a query may look, goes to mask="
        )
    if not name.startswith((*INTEGERS, *FLOATS)):
        raise TypeError(f"valid_lens must be integers, got {kind}")
    if len(shape) < 2:
        check_rank(shape)
    per_query = len(shape) - 2  # the axis of queries
    axes = (0, per_query) if per_query and len(lens_shape) == 2 else (0,)
    if not fits(lens_shape, (shape[0], shape[-2])[: len(axes)]):
        hint = "; a mask goes to mask=" if len(lens_shape) > 1 else ""
        raise ValueError(
            f"valid_lens must have the shape {wanted(shape)}, got {tuple(lens_shape)}{hint}"
        )
    if len(values):
        if name.startswith(FLOATS):
            check_whole(values)
        longest = check_counts(values, shape[-1])
        if longest <= 1 and per_query in axes and same(shape[-2], shape[-1]):
            check_no_mask(shape[-1])
    return index(axes, len(shape))


def check_kinds(lens):
    """Raise if a list holds True or False between numbers, where they would pass for 1 and 0."""
    kinds = {type(entry) for entry in entries(lens)}
    if len(kinds) > 1 and kinds & {bool, np.bool_}:
        raise TypeError(f"valid_lens must be integers that count keys, got booleans, too: {lens!r}")


def entries(nested):
    """What lists, or tuples, of any depth hold."""
    if isinstance(nested, list | tuple):
        for part in nested:
            yield from entries(part)
    else:
        yield nested


def check_whole(lens):
    """Raise unless floats are whole numbers, which NaN and infinity are not."""
    for length in lens:
        if not float(length).is_integer():
            raise ValueError(f"valid_lens must be whole numbers, got {length}")


def check_counts(lens, keys):
    """Return the longest length; raise unless they lie between 0 and the number of keys."""
    shortest, longest = min(lens), max(lens)
    if shortest < 0 or (isinstance(keys, int) and longest > keys):
        wrong = shortest if shortest < 0 else longest
        raise ValueError(
            f"valid_lens must lie between 0 and the number of keys, {keys}, got {wrong}"
        )
    return longest


def check_no_mask(keys):
    """Raise if 0 and 1 alone, for as many queries as there are keys, are a mask: with 2 keys on."""
    if isinstance(keys, int) and keys > 1:
        raise ValueError(
            "valid_lens must count keys, got only 0 and 1 for as many queries as keys, which looks "
            "like a mask: a mask, 1 or True where a query may look, goes to mask=; lengths of 0 "
            "and 1 can be given so, too, as mask=arange(keys) < valid_lens[..., None]"
        )


def check_mask(kind, mask_shape, shape, values=()):
    """Raise unless a mask fits scores of this shape; return the index that gives it its axes.

    True or 1 means that a query may look at a key.

    Parameters
    ----------
    kind : str
        The name of its type, with a framework's name in front of it or not: boolean or integer.
    mask_shape : tuple
        (batch, keys), (queries, keys), (batch, queries, keys), (keys,) or as many axes as the
        scores have. An axis of length 1 holds for all.
    shape : tuple, (batch, ..., queries, keys) or (queries, keys)
        A size that is not an int is not known yet and is not checked.
    values : sequence of int
        The smallest and the largest number in it; none where they are not known yet.
    """
    name = kind.rpartition(".")[2]
    if name.startswith(FLOATS):
        raise TypeError(
            f"mask must be boolean or integers 0 and 1, got {kind}: of a mask that is added to "
            "scores, 0 or -inf, take mask == 0; of one that is 1.0 where a query may look, take "
            "mask == 1"
        )
    if not name.startswith(("bool", *INTEGERS)):
        raise TypeError(f"mask must be boolean or integers 0 and 1, got {kind}")
    for value in values:
        if value not in (0, 1):
            raise ValueError(
                f"mask must hold only 0 and 1 (1 or True: may look), got {value}; "
                "lengths go to valid_lens"
            )
    return index(mask_axes(tuple(mask_shape), tuple(shape)), len(shape))


def mask_axes(mask_shape, shape):
    """Which axes of the scores a mask has; raise unless its shape makes that clear."""
    check_rank(shape)
    rank = len(shape)
    if fits(mask_shape, shape, ones=True):
        return tuple(range(rank))
    queries, keys = rank - 2, rank - 1
    layouts = {(keys,): "(keys,)", (0, keys): "(batch, keys)", (queries, keys): "(queries, keys)"}
    if rank > 3:
        layouts[0, queries, keys] = "(batch, queries, keys)"
        if same(mask_shape[0], shape[-3]):  # so PyTorch means it, whose masks have the last axes
            layouts[rank - 3, queries, keys] = "(heads, queries, keys)"
    fitting = [axes for axes in layouts if fits(mask_shape, [shape[a] for a in axes], ones=True)]
    if len(fitting) > 1 and not same(mask_shape[0], 1):  # 1 holds for all, whichever is meant
        surely = [axes for axes in fitting if same(mask_shape[0], shape[axes[0]])]
        if len(surely) != 1:
            one, other = (layouts[axes] for axes in fitting)
            left = ", ".join(["None"] * (rank - len(mask_shape)))
            raise ValueError(
                f"mask of the shape {mask_shape} may be {one} or {other} for scores of the shape "
                f"{shape}: say mask[:, {left}] if it is {one}, mask[{left}] if it is {other}"
            )
        fitting = surely
    if not fitting or layouts[fitting[0]] == "(heads, queries, keys)":
        left = ", ".join(["None"] * (rank - len(mask_shape)))
        hint = f"; say mask[{left}] if it is (heads, queries, keys)" if fitting else ""
        raise ValueError(
            "mask must broadcast as (batch, keys), (queries, keys), (batch, queries, keys) or "
            f"(batch, ..., queries, keys) with scores of the shape {shape}, got {mask_shape}{hint}"
        )
    return fitting[0]


def index(axes, rank):
    """The index that adds to an array with these axes the others of `rank`, of length 1."""
    places = [None] * rank
    for axis in axes:
        places[axis] = slice(None)
    return tuple(places)


def check_rank(shape):
    """Raise unless scores have queries and keys."""
    if len(shape) < 2:
        raise ValueError(
            f"scores must have the shape (batch, ..., queries, keys), got {tuple(shape)}"
        )


def wanted(shape):
    """The shapes that lengths may have, in words."""
    if len(shape) == 2:
        return f"(queries,) = ({shape[0]},)"
    batch, queries = shape[0], shape[-2]
    return f"(batch,) = ({batch},) or (batch, queries) = ({batch}, {queries})"


def same(a, b):
    """Whether two sizes are surely the same: equal, or both not known yet."""
    if isinstance(a, int) and isinstance(b, int):
        return a == b
    return not isinstance(a, int) and not isinstance(b, int)


def fits(shape, expected, ones=False):
    """Whether a shape is the expected one, as far as both are known; `ones` may stand for all."""
    if len(shape) != len(expected):
        return False
    for a, b in zip(shape, expected, strict=True):
        if isinstance(a, int) and isinstance(b, int) and a != b and not (ones and a == 1):
            return False
    return True


def not_lengths(valid_lens):
    """The error to raise for what is no array of numbers."""
    return TypeError(f"valid_lens must be None or an array of integers, got {valid_lens!r}")


def not_a_mask(mask):
    """The error to raise for a mask that is no array."""
    return TypeError(f"mask must be None or an array of booleans or of 0 and 1, got {mask!r}")


def broadcastable(valid_lens, shape, known=True):
    """Return lengths, (batch, ..., 1 or queries, 1), in NumPy's terms; raise unless they fit.

    Where their values are not `known` yet, since a framework traces, they stay the framework's
    array, of their type, and only shape and type are checked.
    """
    check_kinds(valid_lens)
    lens = to_numpy(valid_lens, not_lengths) if known else valid_lens
    values = lens.flatten().tolist() if known else ()
    lens = lens[check_lengths(lens.dtype.name, lens.shape, shape, values)]
    return lens.astype(np.int64) if known else lens


def broadcastable_mask(mask, shape, known=True):
    """Return a mask, True where a query may look, with the axes of scores; raise unless it fits.

    In NumPy's terms, as `broadcastable` does it.
    """
    mask = to_numpy(mask, not_a_mask) if known else mask
    values = (int(mask.min()), int(mask.max())) if known and holds_integers(mask) else ()
    mask = mask[check_mask(mask.dtype.name, mask.shape, shape, values)]
    return mask.astype(bool) if known else mask


def holds_integers(array):
    """Whether an array of NumPy holds integers, at least one."""
    return array.size > 0 and array.dtype.kind in "iu"


def to_numpy(given, error):
    """Return a list or an array as a NumPy array; raise the error made of it if it is neither."""
    try:
        array = np.asarray(given)
    except (TypeError, ValueError) as cause:  # lists of unequal lengths
        raise error(given) from cause
    if array.dtype.kind in "OUS":
        raise error(given)
    return array if array.size else array.astype(int)  # an empty list has no type of its own
