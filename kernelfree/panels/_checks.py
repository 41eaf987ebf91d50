"""Checks of the words and roles that an author gives to a panel."""

from collections.abc import Sequence
from typing import TypeAlias

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
