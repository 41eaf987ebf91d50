"""Objects of other libraries: each is shown whole, or refused with a way out that shows it.

A script, for an environment that has these libraries: `test_environments.py` runs it there.
"""

from collections import namedtuple
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas
import polars as pl
import pyarrow
import pyarrow.compute
import xarray as xr
from PIL import Image as Pillow

from kernelfree import Bars, Curve, Heatmap, Image, Table, Words, explore

TABLE = [["b"], [["1", ["3.5"]], ["2", [""]]], "a"]
INDEXED = [["a", "b"], [["0", ["1", "3.5"]], ["1", ["2", ""]]], ""]
CELLS = [[1, 3.5], [2, np.nan]]
DAYS = [19723.0, 19724.0, 19725.0]
ZONE = "Europe/Berlin"

frame = pandas.DataFrame({"a": [1, 2], "b": [3.5, None]}).convert_dtypes()
arrow = pandas.DataFrame({"a": [1, 2], "b": [3.5, None]}).convert_dtypes(dtype_backend="pyarrow")
twice = pandas.DataFrame([[1, 2], [3, 4]], columns=["a", "a"])
polar = pl.DataFrame({"a": [1, 2], "b": [3.5, None]})
table = pyarrow.table({"a": [1, 2], "b": [3.5, None]})
array = xr.DataArray(np.eye(2), dims=["x", "y"])
row = xr.DataArray([1.0, 2.0], dims="t")
years = pandas.Series([1.0, 2.0, 3.0], range(2015, 2018))
one, other = (pandas.Series([1, 2, 3], list(names)) for names in ("abc", "cab"))
stacks = pandas.DataFrame({"one": one, "other": other})
timed = pandas.DataFrame({"day": pandas.date_range("2024-01-01", periods=3), "v": [1, 2, 3]})
dates = pandas.date_range("2024-01-01", periods=3, tz=ZONE)
months = pandas.period_range("2024-01-01", periods=3, freq="D")
clock = pl.Series([datetime(2024, 1, day) for day in (1, 2, 3)]).dt.replace_time_zone(ZONE)
Pair = namedtuple("Pair", "a b")
sixteen = Pillow.fromarray(np.array([[0, 65535]], np.uint16))
blank = Pillow.new("F", (2, 1))


def as_it_is(x):
    return x


def lines(x):
    return Curve([0, 1], x)


def over(x):
    return Curve(x, {"y": [1, 2, 3]})


def ordered(x):
    return Curve([1, 2, 3], x)


# What is shown, how, and what its table then holds.
SHOWN = [
    *((x, Table, TABLE) for x in (polar, table, polar.to_dicts(), polar.to_dict(as_series=False))),
    *((x, Table, INDEXED) for x in (frame, arrow)),
    ([Pair(1, 3.5), Pair(2, None)], Table, TABLE),
    (np.array([(1, 3.5), (2, np.nan)], [("a", int), ("b", float)]), Table, TABLE),
    (pandas.Series([1, 2], ["p", "q"], name="s"), Table, [["s"], [["p", ["1"]], ["q", ["2"]]], ""]),
    *((x, Heatmap, CELLS) for x in (frame, arrow)),
    *((x, lines, np.transpose(CELLS)) for x in (frame, arrow, polar, table)),
    (pandas.Series([1, None, 3], dtype="Int64"), as_it_is, [[1, np.nan, 3]]),
    *((x, as_it_is, [[1, 2]]) for x in (pl.Series([1, 2]), pyarrow.array([1, 2]), row)),
    (pl.Series([date(2024, 1, day) for day in (1, 2, 3)]), over, [[1, 2, 3]]),
    (polar[:1].to_dict(), Bars, [[1], [3.5]]),
    ([1, None, 3], as_it_is, [[1, np.nan, 3]]),
    (stacks, Bars, [[1, 2, 3], [2, 3, 1]]),
    (pl.Series([0.25, 0.75]), lambda x: Words(pyarrow.array(["a", "b"]), x), [[0.25, 0.75]]),
]
# What is refused: x, how it was given, and the way out that the message names; dates, whose days
# are those of the clocks that they were taken from; and all else.
WRITTEN = ["2024-01-01", "2024-01-02", "2024-01-03"]
DATES = [
    (dates, over, "x.tz_localize(None)"),
    (pandas.Series(dates), over, "x.dt.tz_localize(None)"),
    (months, over, "x.to_timestamp()"),
    (clock, over, "x.dt.replace_time_zone(None)"),
    (pyarrow.array(dates), over, "pyarrow.compute.local_timestamp(x)"),
    (list(dates), over, "[date.replace(tzinfo=None) for date in x]"),
    (WRITTEN, over, "np.array(x, 'datetime64[D]')"),
    (WRITTEN, over, "pandas.to_datetime(x)"),
    (pandas.Series([1, 2, 3], dates), as_it_is, "x.tz_localize(None)"),
    (pandas.Series([1, 2, 3], months), as_it_is, "x.to_timestamp()"),
]
SCALED = "Image(np.interp(x, (x.min(), x.max()), (0, 1)))"
LEFT_OUT = "Heatmap(matrix, masked=~np.isfinite(matrix))"
REFUSED = [
    (array, Table, "Table(x.to_dataframe('value'))"),
    (xr.Dataset({"u": ("x", [1, 2])}), Table, "Table(x.to_dataframe())"),
    (np.eye(2), Table, "Table(x, header=['column 1', 'column 2'])"),
    (["one", "two"], Table, "[[cell] for cell in rows]"),
    (polar, Heatmap, LEFT_OUT),
    (table, Heatmap, LEFT_OUT),
    (sixteen, Image, SCALED),
    (blank, Image, SCALED),
    (np.array([[0, 300]]), Image, SCALED),
    (np.array([[0.0, 3.0]]), Image, SCALED),
    (pandas.Series(pandas.to_timedelta([1, 2], unit="D")), as_it_is, "x / np.timedelta64(1, 'D')"),
    ([Decimal(1), Decimal(2)], as_it_is, "np.array(x, float)"),
    (Fraction(1, 3), as_it_is, "np.array(x, float)"),
    ([10**16, 1], as_it_is, "np.array(x, float)"),
    *(([1j, 2], as_it_is, f"np.{part}(x)") for part in ("abs", "real", "imag")),
    (np.array([[50, 200]]), Image, "Image(x.astype(np.uint8))"),
    *((x, as_it_is, "np.array(x, float)") for x in (["1", "2.5"], pandas.Series(["1", "2.5"]), [10**30, 1])),
    *((x, as_it_is, "Table(x)") for x in ([["name", "city"], ["Ann", "Bonn"]], [("apples", 2)] * 2, [{"name": "Ann"}])),
    (pandas.Series(["a", "b"], name="s"), as_it_is, "Table(x.to_frame())"),
    (pandas.DataFrame({"a": [1, np.nan, 3]}, dates.tz_localize(None)), as_it_is, "Curve(x.index, x)"),
    (np.eye(2), Bars, "dict(zip(names, x))"),
    (pandas.Series([10**16, 1], ["a", "b"]), as_it_is, "x.astype(float)"),
    *(({"a": one, "b": other}, make, "pandas.DataFrame(x)") for make in (Bars, ordered)),
    *((x, as_it_is, "Curve(x['day'], {'y': y})") for x in (timed, pl.from_pandas(timed))),
]


def numbers(figure, key=None):
    """What a figure of one panel holds: its content, or a table."""
    (panel,) = figure._state["panels"]
    if "content" in panel:
        return panel["content"]
    key = key or ("ly" if "ly" in panel["tables"] else "cells")
    return figure._numbers.reader()(panel["tables"][key], [0])


def by_way_out(x, make, way):
    """The figure that the way out makes, which stands in what is said of x."""
    told = "it was taken"
    try:
        explore(lambda a: make(x), a=[1])
    except (TypeError, ValueError) as error:
        told = str(error)
    assert way in told, (x, told)
    x = np.asarray(x) if make is Image else x
    found = eval(way, {**globals(), "x": x, "matrix": x, "rows": x, "names": ["one", "other"], "y": [1, 2, 3]})
    return explore(lambda a: found if hasattr(found, "spec") else make(found), a=[1])


def main():
    for given, make, held in SHOWN:
        made = explore(lambda a, given=given, make=make: make(given), a=[1])
        np.testing.assert_equal(numbers(made), held)
    for case in DATES:
        assert numbers(by_way_out(*case), "lx").tolist() == [DAYS], case
    for case in REFUSED:
        assert by_way_out(*case)._picture()


if __name__ == "__main__":
    main()
