"""Arrays of NumPy and of pandas: masks, rows, names."""

import numpy as np
import pytest
from pandas_like import Frame, Index, RangeIndex, Series, frame
from shown import panel_of

import kernelfree as kf
import kernelfree.book
from kernelfree import Bars, Heatmap

MASKED = np.ma.masked_greater([[1.0, 2.0], [9.0, 4.0]], 8)
HELD = [[1.0, 2.0], [np.nan, 4.0]]


@pytest.mark.parametrize(
    ("given", "kind", "held"),
    [
        (MASKED, "heatmap", HELD),
        (MASKED.astype(int), "heatmap", HELD),
        (list(MASKED), "heatmap", HELD),
        (MASKED.ravel(), "curve", [np.ravel(HELD)]),
        ([1.0, np.ma.masked, 3.0], "curve", [[1.0, np.nan, 3.0]]),
        (kf.Curve([1, 2], {"a": MASKED[0], "b": MASKED[1]}), "curve", HELD),
        (kf.Words(["a", "b"], MASKED), "words", HELD),
    ],
)
def test_what_numpy_has_masked_stays_without_a_number(given, kind, held):
    made = kf.explore(lambda t: given, t=[1])
    [panel] = made._state["panels"]
    assert (panel["kind"], panel.get("masked", True)) == (kind, True)
    stored = made._numbers.reader()(panel["tables"]["ly" if kind == "curve" else "cells"], [0])
    np.testing.assert_array_equal(stored, held)


def test_a_row_of_numbers_is_a_line_over_its_index():
    for given, places in (
        ([3.0, 1.0, 2.0], ["1", "2", "3"]),
        (Series([2020, 2021, 2023]), ["2020", "2021", "2023"]),
        (kf.Curve([2, 4, 8], Frame()), ["2", "4", "8"]),
    ):
        made = kf.explore(lambda t, given=given: given, t=[1])
        [panel] = made._state["panels"]
        assert (panel["kind"], panel["columnNames"]) == ("curve", places)


def test_a_series_over_words_is_bars():
    for index, labels in (list("bac"), ["b", "a", "c"]), ([("a", 1), ("b", 2), "c"], ["a, 1", "b, 2", "c"]):
        panel = panel_of(Series(index))
        assert (panel["kind"], panel["columnNames"]) == ("bars", labels)


def test_the_names_of_pandas_are_the_labels_of_axes_that_have_none():
    def sides(given):
        panel = panel_of(given)
        return panel["xlabel"], panel["ylabel"]

    line, bars = Series(Index([3, 4, 5]), "price"), Series(Index("abc"), "price")
    assert sides(line) == sides(bars) == sides(kf.Bars(line)) == ("year", "price")
    assert sides(kf.Bars(bars, xlabel="letter", ylabel="count")) == ("letter", "count")
    assert sides(frame([[1.0, 2.0]], Index("a"), ["b", "c"])) == ("Columns", "year")


def test_the_names_of_a_frame_become_ticks():
    def ticks(given, side="x"):
        return [text for _, text in panel_of(given)[side]]

    table = frame([[1.0, 2.0]], ["row"], ["left", "right"])
    assert ticks(table) == ["left", "right"]
    assert ticks(table, "y") == ["row"]
    assert ticks(frame([[1.0, 2.0]], RangeIndex([0]), RangeIndex([0, 1]))) == ["1", "2"]
    assert ticks(frame([[1.0, 2.0]], RangeIndex([7]), RangeIndex([7, 8]))) == ["7", "8"]
    assert ticks(Heatmap(table, xticks=["a", "b"])) == ["a", "b"]
    assert ticks(Bars(frame([1.0, 2.0], ["left", "right"]))) == ["left", "right"]
