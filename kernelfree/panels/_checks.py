"""Checks of the words and roles that an author gives to a panel."""

from collections.abc import Sequence
from typing import TypeAlias

from ..arrays import finite, numbers
from ..dates import days
from ..palette import ROLES

Words: TypeAlias = Sequence[str]


def labels(data, side):
    """The names that a pandas object gives its 'columns' or its 'index'; None if it only counts."""
    names = getattr(data, side, None)
    # A list has an `index`, too: a method.
    if names is None or callable(names) or type(names).__name__ == "RangeIndex":
        return None
    return list(names)


def words(ticks, count, what):
    """Tick labels as strings, or None; there must be `count` of them."""
    if ticks is None:
        return None
    ticks = [str(tick) for tick in ticks]
    if len(ticks) != count:
        raise ValueError(f"{what}: {len(ticks)} labels for {count} places")
    return ticks


def check_role(role, what):
    """Raise unless `role` is "number" or a role of `add_role`."""
    if role not in ROLES:
        raise ValueError(
            f"{what}: role {role!r} is not one of {', '.join(ROLES)}; add_role makes one"
        )


def limits(given, what):
    """Ends of an axis or of a scale that an author has chosen, or None."""
    if given is None:
        return None
    ends = numbers(days(given, what), what)
    finite(ends, what)
    if ends.shape != (2,) or ends[0] >= ends[1]:
        raise ValueError(f"{what}: expected (low, high), got {given!r}")
    return ends.tolist()
