"""Checks of the words and roles that an author gives to a panel."""

from collections.abc import Sequence
from datetime import datetime, time
from typing import TypeAlias

import numpy as np

from ..arrays import as_array, finite, numbers
from ..dates import days
from ..palette import ROLES
from ..texts import shortened

Words: TypeAlias = Sequence[str]


def labels(data, side):
    """The names that a pandas object gives its 'columns' or its 'index'; None if it only counts."""
    names = getattr(data, side, None)
    if side == "columns" and hasattr(data, "column_names"):  # pyarrow
        names = data.column_names
    # A list has an `index`, too: a method.
    if names is None or callable(names):
        return None
    found = list(names)
    only = type(names).__name__ == "RangeIndex" and found == list(range(len(found)))
    return None if only else found


def common_labels(parts, what):
    """The index that all parts have that have one, or None; raise if two have different ones."""
    found = {name: index for name, y in parts.items() if (index := labels(y, "index")) is not None}
    first = next(iter(found), None)
    for name, index in found.items():
        if index != found[first]:
            raise ValueError(
                f"{what}: the index of {name!r} is {shortened(index)}, that of {first!r} is "
                f"{shortened(found[first])}; pandas.DataFrame(x) puts them in one order"
            )
    return found.get(first)


def pandas_name(data):
    """What pandas calls a Series, an index or columns; '' if they have no name."""
    names = getattr(data, "names", None) or [getattr(data, "name", None)]
    return ", ".join(str(joined(name)) for name in names if name is not None)


def side_label(panel, side, data):
    """What an author calls a side of a panel, else what pandas does, else the kind's own word."""
    given, usual = getattr(panel, side), getattr(type(panel), side)
    return str(given if given != usual else pandas_name(data) or usual)


def joined(name):
    """A name of several levels as pandas has it, a tuple, in words; any other as it is."""
    return ", ".join(map(str, name)) if isinstance(name, tuple) else name


def readable(cells):
    """Cells as a reader expects them: levels in words, and days alone where no time is told."""
    cells = [moment(joined(cell)) for cell in cells]
    # What is missing among times of pandas is one of them, and not equal to itself.
    times = [i for i, one in enumerate(cells) if isinstance(one, datetime) and one == one]
    if all(cells[i].time() == time() for i in times):
        for i in times:
            cells[i] = cells[i].date()
    return cells


def moment(cell):
    """A time of NumPy's as Python's, to the microsecond, and what an array of one place holds."""
    cell = as_array(cell)[()] if getattr(cell, "ndim", None) == 0 else cell
    return cell.astype("M8[us]").item() if isinstance(cell, np.datetime64) else cell


def words(ticks, count, what):
    """Tick labels as strings, or None; there must be `count` of them."""
    if ticks is None:
        return None
    ticks = [str(tick) for tick in readable(ticks)]
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
