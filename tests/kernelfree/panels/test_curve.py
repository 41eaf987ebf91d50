"""Curves."""

import matplotlib
import matplotlib.figure
import numpy as np
from shown import panel

from kernelfree import Curve, explore
from kernelfree.panels import _marks_picture
from kernelfree.panels import curve as curves


def test_eight_lines_without_a_role_look_different():
    made = explore(lambda a: Curve([1, 2], {f"line {n}": [a, n] for n in range(8)}), a=[1, 2])
    [drawn] = panel(made)["marks"]
    looks = list(zip(drawn["dashes"], drawn["colors"], strict=True))
    signs = [[sign.partition("line")[0], color] for sign, color in panel(made)["legend"]]
    for eight in (looks, signs):
        assert [eight.count(one) for one in eight] == [1] * 8


def test_places_of_a_line_are_told_apart():
    for x, words in (
        (2_460_000.5 + np.arange(3), ["2460000.5", "2460001.5", "2460002.5"]),
        (10.0 ** np.array([-3, 1, 6]), ["0.001", "10", "1000000"]),
        (np.arange(3) / 7, ["0", "0.1429", "0.2857"]),
        (np.array([9.23412, 9.23612]), ["9.234", "9.236"]),
    ):
        made = explore(lambda a, x=x: Curve(x, {"y": a * x}), a=[1, 2])
        assert panel(made)["columnNames"] == words


def test_a_still_picture_has_the_pages_dashes_in_widths_of_its_lines(monkeypatch):
    monkeypatch.setattr(curves, "DASHES", [[], [6, 2]])
    lines = {"a": [0, 1], "b": [1, 0], "c": [1, 1]}
    made = explore(lambda t: Curve([0, 1], lines), t=[1])
    look = made._state["panels"][0]
    assert look["marks"][0]["dashes"] == [[], [6, 2], [6, 2]]
    plot = matplotlib.figure.Figure().add_subplot()
    heights = np.array(list(lines.values()), float)
    _marks_picture.draw_plot(plot, look, {"lx": np.array([[0.0, 1]]), "ly": heights}, {})
    assert [line.is_dashed() for line in plot.lines] == [False, True, True]
    on, off = plot.lines[1]._dash_pattern[1]
    assert (on / plot.lines[1].get_linewidth(), off / plot.lines[1].get_linewidth()) == (3, 1)
