"""Planes and plots: their ends, and marks that are dragged."""

from functools import partial

import numpy as np
import pytest
from shown import panel

from kernelfree import Curve, Field, Histogram, Lines, Plane, Plot, Points, Regions, Rules, explore


def test_a_plane_has_room_around_its_points_and_a_plot_has_none():
    points = Points([[0, 0], [10, 5]])
    made = explore(lambda a: {"plane": Plane({"p": points}), "plot": Plot({"p": points})}, a=[1])
    assert panel(made, 0)["xaxis"] == (-0.6, 10.6)
    assert panel(made, 0)["yaxis"] == (-0.3, 5.3)
    assert panel(made, 1)["xaxis"] == (0, 10)
    even = np.linspace(-1, 1, 5)
    field = Field(even, even, np.eye(5), role="weight")
    made = explore(lambda a: Plane({"p": Points([0, 0]), "f": field}), a=[1])
    assert panel(made)["xaxis"] == panel(made)["yaxis"] == (-1.25, 1.25)
    made = explore(lambda a: Plane({"p": Points([a, 1])}, ticks=False), a=[1, 2])
    assert (panel(made)["x"], panel(made)["y"]) == ([], [])
    assert panel(made)["xaxis"][0] < 1 < 2 < panel(made)["xaxis"][1]


def test_ends_of_an_axis_may_change_with_the_state():
    made = explore(lambda a: Plot({"p": Points([a, 1])}, xlim=(0, 10 * a)), a=[1, 2])
    for a in (1, 2):
        made.value = {"a": a}
        assert made._now()[0][0]["xaxis"] == (0, 10 * a)


def test_lines_and_areas_alone_may_have_other_numbers_in_another_state():
    def shown(n, kind=Lines, **drag):
        return Plot({"it": kind(np.outer(np.arange(n + 1.0), [n, 1]))}, **drag)

    for kind in (Lines, Regions, lambda xy: Histogram([0], xy[:, 1])):
        made = explore(lambda n, kind=kind: shown(n, kind), n=[2, 1, 3])
        found = [made._numbers.reader()(0, [place])[0] for place in range(3)]
        kept = [np.isfinite(row).sum() for row in found]
        assert kept[1] < kept[0] < kept[2] == len(found[2])
        made.value = {"n": 1}
        assert made._picture()[0].startswith(b"\x89PNG")
    for refused in (lambda n: shown(n, Points), lambda n: shown(n, drag={"it": "n"})):
        with pytest.raises(ValueError, match="lines, areas and histograms that are not dragged"):
            explore(refused, n=[2, 1])


def test_marks_know_the_controls_that_they_move():
    for kind in (Plot, partial(Curve, [0, 1], {"y": [0, 1]})):
        shown = lambda a, b, kind=kind: kind(marks={"p": Points([1, b])}, drag={"p": "b"})  # noqa: E731
        made = explore(shown, a=[1], b=[1, 2])
        assert panel(made)["marks"][0]["drag"] == [1]


FOLLOWERS = {
    "a point": (lambda a, b: Points([a, 1])),
    "a line": (lambda a, b: Lines([[0, 0], [1, a]])),
    "a rule": (lambda a, b: Rules(x=a)),
    "a point, sometimes": (lambda a, b: Points([1, a * (b > 1)])),
}


@pytest.mark.parametrize("mark", FOLLOWERS.values(), ids=FOLLOWERS)
def test_a_mark_is_dragged_along_what_it_follows(mark):
    def shown(a, b=1, drag="a"):
        return Plot({"it": mark(a, b)}, drag={"it": drag.split()})

    assert panel(explore(shown, a=[1, 2], b=[1, 2]))["marks"][0]["drag"] == [0]
    if mark is not FOLLOWERS["a point, sometimes"]:
        for drag in ("b", "a b"):
            message = "drag: mark 'it' moves 'b', but stands at one place for all its values"
            with pytest.raises(ValueError, match=message):
                explore(lambda a, b, drag=drag: shown(a, b, drag), a=[1, 2], b=[1, 2])
