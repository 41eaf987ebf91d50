"""What panels check of the numbers and words that an author gives, and how errors name them."""

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np

from ..arrays import as_array
from ..palette import ROLES


class SupportsArray(Protocol):
    """What NumPy can read: its own arrays, PyTorch's tensors, pandas, JAX, ..."""

    def __array__(self) -> np.ndarray: ...


Numbers: TypeAlias = SupportsArray | Sequence[Any] | range
# The largest number of a figure, and the least that the largest of a panel may be, unless it is 0:
# beyond, a scale cannot be written in float64.
LARGEST, LEAST = 1e300, 1e-290
# Whole numbers up to this one are apart in float64, which is all that a page has.
WHOLE = 2**53
Words: TypeAlias = Sequence[str]


def numbers(data, what):
    """A float64 array from a tensor, an array or nested lists; `what` names it in errors."""
    try:
        array = as_array(data)
    except ValueError as error:
        raise ValueError(f"{what}: its rows differ in length") from error
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{what}: expected numbers, got {type(data).__name__} of {array.dtype}")
    if array.dtype.kind in "iu" and (large := array[(array > WHOLE) | (array < -WHOLE)]).size:
        raise ValueError(f"{what}: whole numbers must be from -2**53 to 2**53, got {large[0]:,}")
    array = array.astype(np.float64)
    sizes = np.abs(array[np.isfinite(array)])
    if sizes.size and (largest := sizes.max()) > LARGEST:
        raise ValueError(f"{what}: numbers must be at most {LARGEST:g} in size, got {largest:g}")
    return array


def labels(data, side):
    """The names that a pandas object gives its 'columns' or its 'index'; None if it only counts."""
    names = getattr(data, side, None)
    # A list has an `index`, too: a method.
    if names is None or callable(names) or type(names).__name__ == "RangeIndex":
        return None
    return list(names)


def finite(array, what, masked=None):
    """Raise if `array` holds NaN or an infinity where `masked` is not set."""
    bad = ~np.isfinite(array)
    if masked is not None:
        bad &= ~masked
    if bad.any():
        place = tuple(int(i) for i in np.argwhere(bad)[0])
        raise ValueError(f"{what}: {array[place]} at {place}; every number must be finite")


def words(ticks, count, what):
    """Tick labels as strings, or None; there must be `count` of them."""
    if ticks is None:
        return None
    ticks = [str(tick) for tick in ticks]
    if len(ticks) != count:
        raise ValueError(f"{what}: {len(ticks)} labels for {count} places")
    return ticks


def check_role(role, what):
    if role not in ROLES:
        raise ValueError(f"{what}: role {role!r} is not one of {', '.join(ROLES)}")
