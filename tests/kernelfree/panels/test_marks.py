"""Planes, plots and their marks: what is stored, and what is refused."""

import gzip
import json
import re

import numpy as np
import pytest
import torch
from hypothesis import example, given
from hypothesis import strategies as st

from d2lmini import (
    Area,
    Arrows,
    Bands,
    Bars,
    Borders,
    Curve,
    Field,
    Heatmap,
    Histogram,
    Lines,
    Plane,
    Plot,
    Points,
    Regions,
    Rules,
    Segments,
    explore,
)
from d2lmini.roles import ROLES
from kernelfree import axes, states
from kernelfree.palette import GREY, GREYS, GROUPS
from kernelfree.panels._marks import Mark
from kernelfree.script import script

KEYS = torch.tensor([[2.0, 0.5], [-0.5, 1.5], [-1.0, -1.5]])
EVEN, FULL = torch.linspace(-1, 1, 5), torch.ones(5, 5)


def panel(made, number=0):
    return made._state["panels"][number]


def table(made, key, *places):
    """A table of one state."""
    stored = made._state["tables"][panel(made)["tables"][key]]
    sizes = [len(control["options"]) for control in made._state["controls"]]
    return states.rows_at(states.unpack(stored, sizes), places)


def one(mark, **options):
    """A figure of one plot with one mark."""
    return explore(lambda a: Plot({"it": mark}, **options), a=[1, 2])


def keeper(x=0.0, y=0.0):
    query = torch.tensor([x, y])
    scores = KEYS @ query
    weights = torch.softmax(scores, 0)
    marks = {
        "keys": Arrows(KEYS, ["plum", "lime", "mango"]),
        "query": Arrows(query),
        "weights": Points(KEYS, size=weights, shade=weights, role="weight"),
    }
    plane = Plane(marks, "sweet", "sour", drag={"query": ("x", "y")})
    fruits = ["plum", "lime", "mango"]
    return {
        "plane": plane,
        "scores": Bars(scores, fruits, "score"),
        "weights": Bars(weights, fruits),
    }


STEPS = [round(-2 + 0.2 * i, 1) for i in range(21)]


def test_a_point_over_441_states_and_three_panels_is_small():
    made = explore(keeper, x=STEPS, y=STEPS)
    bundle = made._repr_mimebundle_()[0]
    text, picture, source = bundle["text/html"], bundle["image/png"], script("static.packed.js")
    assert source in text
    text = text.replace(source, "")
    assert len(text.encode()) < 24_000  # with the script's 20,500: 45,000
    assert len(gzip.compress(text.replace(picture, "").encode())) < 6_000
    assert 'alt="keeper: plane, plane of keys, query, weights; scores, 3 bars' in text
    assert "plane: plane of keys, query, weights" in repr(made)
    assert json.dumps(made._state)  # nothing of NumPy is left
    # Size and shade are one table, and the tails of arrows stand still.
    tables = panel(made)["tables"]
    assert tables["2size"] == tables["2shade"]
    assert tables["0u"] == tables["0v"]
    for places in ((0, 0), (3, 17), (20, 20)):
        query = torch.tensor([STEPS[place] for place in places])
        found = [table(made, key, *places)[0, 0] for key in ("1x", "1y")]
        np.testing.assert_allclose(found, query, atol=0.002)
        want = torch.softmax(KEYS @ query, 0)
        np.testing.assert_allclose(table(made, "2size", *places)[0], want, atol=5e-4)


def test_marks_have_the_colours_of_their_roles_and_otherwise_none():
    marks = {"key": Points([0, 0]), "it": Points([1, 1], role="value"), "else": Points([2, 2])}
    made = explore(lambda a: Plot(marks), a=[1, 2])
    found = [mark["colors"][0] for mark in panel(made)["marks"]]
    assert found == [ROLES["key"], ROLES["value"], GREY]
    lines = {"output": [0, 1], "truth": [1, 0], "guess": [1, 1]}
    made = explore(lambda a: Curve([0, 1], lines, {"query": (0, 1), "there": (1, 1)}), a=[1, 2])
    curves, points = panel(made)["marks"]
    assert curves["colors"] == [ROLES["output"], *GREYS]
    assert points["colors"] == [ROLES["query"], GREY]


def test_a_plane_has_room_around_its_points_and_a_plot_has_none():
    points = Points([[0, 0], [10, 5]])
    made = explore(lambda a: {"plane": Plane({"p": points}), "plot": Plot({"p": points})}, a=[1])
    assert panel(made, 0)["xaxis"] == (-0.6, 10.6)
    assert panel(made, 0)["yaxis"] == (-0.3, 5.3)
    assert panel(made, 1)["xaxis"] == (0, 10)
    field = Field(EVEN, EVEN, torch.eye(5), role="weight")
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


@given(st.floats(-1e12, 1e12), st.floats(-9, 3), st.booleans(), st.booleans())
@example(101_325.0, -12, False, False)
def test_an_axis_far_from_zero_tells_its_ticks_apart(low, exponent, tight, exact):
    """Pressures, kelvins and Julian dates change little beside their size."""
    high = low + 10**exponent * max(1.0, abs(low))
    found = axes.axis(low, high, tight, exact)
    span = found["high"] - found["low"]
    assert span > 0
    assert found["low"] - 1e-3 * span <= low <= high <= found["high"] + 1e-3 * span
    size = max(-low, high)
    constant = high - low <= (1e-12 if exact else 1e-6) * size
    assert span < (max(2, 1e-4 * size) if constant else 4 * (high - low))
    places, texts = zip(*found["ticks"], strict=True)
    assert len(set(texts)) == len(texts) >= 2
    assert found["low"] - 1e-3 * span <= places[0] < places[-1] <= found["high"] + 1e-3 * span
    steps = np.diff(places)
    np.testing.assert_allclose(steps, steps[0], rtol=0.01)
    assert f"{steps.mean():.1e}"[:3] in ("1.0", "2.0", "2.5", "5.0")
    for place, text in found["ticks"]:
        assert float(text.replace("\u2212", "-")) == place


def test_a_single_place_has_an_axis_around_it():
    for place in (0.0, 101_325.0, 1e300):
        assert panel(one(Points([place, place])))["y"]
    log = panel(one(Points([[100.0, 100.0]]), log="xy"))
    assert [text for _, text in log["x"]] == ["100", "1,000"]
    assert axes.axis(1, 1 + 1e-7, False)["high"] > 1.4
    day = axes.date_axis(10, 10)
    assert (day["low"], day["high"]) == (9, 11)


@pytest.mark.parametrize(("count", "every"), [(20, 1), (21, 2), (50, 5), (1500, 100), (2500, 2500)])
def test_cells_are_numbered_at_twenty_places_at_most(count, every):
    ticks = axes.counted([], count)
    numbers = sorted({1, *range(every, count + 1, every)})
    assert ticks == [[round((n - 0.5) / count, 4), str(n)] for n in numbers]
    assert [axes.singular(label) for label in ("Entries", "Keys", "")] == ["entry", "key", "place"]
    assert axes.named([], 3) == ["1", "2", "3"]
    assert axes.named(["a", "b", "a"], 3) == ["a (1)", "b", "a (3)"]


def test_eight_lines_without_a_role_look_different():
    made = explore(lambda a: Curve([1, 2], {f"line {n}": [a, n] for n in range(8)}), a=[1, 2])
    [drawn] = panel(made)["marks"]
    looks = list(zip(drawn["dashes"], drawn["colors"], strict=True))
    signs = [[sign.partition("line")[0], color] for sign, color in panel(made)["legend"]]
    for eight in (looks, signs):
        assert [eight.count(one) for one in eight] == [1] * 8


def test_places_of_a_line_are_told_apart():
    """With four digits where they do, with more where they don't."""
    for x, words in (
        (2_460_000.5 + np.arange(3), ["2460000.5", "2460001.5", "2460002.5"]),
        (10.0 ** np.array([-3, 1, 6]), ["0.001", "10", "1000000"]),
        (np.arange(3) / 7, ["0", "0.1429", "0.2857"]),
    ):
        made = explore(lambda a, x=x: Curve(x, {"y": a * x}), a=[1, 2])
        assert panel(made)["columnNames"] == words


def test_a_log_axis_has_powers_of_ten():
    sizes = [10.0, 1000.0, 100000.0]

    def costs(a):
        lines = {"held": [0.02 * a, 3.0, 4e6], "limit": [80, 80, float("nan")]}
        return Curve(sizes, lines, {"here": (1000.0, 3.0)}, log="xy")

    made = explore(costs, a=[1, 2])
    look = panel(made)
    assert [text for _, text in look["x"]] == ["10", "100", "1,000", "10,000", "10\u2075"]
    assert look["xaxis"] == (1, 5)
    assert look["yaxis"] == (-2, 7)
    assert [text for _, text in look["y"]][:3] == ["0.01", "1", "100"]
    assert look["columnNames"] == ["10", "1000", "100000"]
    wide = [text for _, text in axes.log_axis(-4, 10, True)["ticks"]]
    assert wide == [axes.power(n) for n in range(-4, 11, 3)]
    assert wide[:3] == ["10\u207b\u2074", "0.1", "100"]
    for key, want in (("ly", np.log10([[0.04, 3, 4e6], [80, 80, np.nan]])), ("px", [[3]])):
        np.testing.assert_allclose(table(made, key, 1), want, atol=0.005)
    made = one(Points([[1.0, 2.0], [10.0, 3.0]]), log="x", xlim=(0.1, 10))
    assert (panel(made)["xaxis"], panel(made)["yaxis"][1]) == ((-1, 1), 3)
    np.testing.assert_allclose(table(made, "0x", 0), [[0, 1]])
    np.testing.assert_allclose(table(made, "0y", 0), [[2, 3]])


def test_a_small_number_is_not_zero():
    rows = torch.tensor([[1.0, 1e-5, 0.0, 1e-30], [0.0, 0.0, 1.0, 0.0004]])
    made = explore(lambda a: {"w": rows, "s": Heatmap([[-1.0, -1e-5, 1e-5, 1e-9]])}, a=[1, 2])
    weights, scores = (
        made._numbers.reader()(panel(made, n)["tables"]["cells"], [0]) for n in (0, 1)
    )
    np.testing.assert_allclose(weights, rows, atol=0.0005)
    np.testing.assert_array_equal(weights == 0, rows == 0)
    # Among numbers below zero, what rounding makes of zero is zero.
    np.testing.assert_array_equal(np.sign(scores), [[-1, -1, 1, 0]])


def test_what_marks_store():
    values = torch.tensor([0.0, 0.2, 0.9, 0.5, 1.0])
    made = one(Histogram(values, [0, 0.5, 1]))
    np.testing.assert_array_equal(table(made, "0x", 0), [[0, 0, 0.5, 0.5, 1, 1]])
    np.testing.assert_array_equal(table(made, "0y", 0), [[0, 2, 2, 3, 3, 0]])
    made = one(Area([0, 1], [3, 4], base=1))
    np.testing.assert_array_equal(table(made, "0x", 0), [[0, 0, 1, 1]])
    np.testing.assert_array_equal(table(made, "0y", 0), [[1, 3, 4, 1]])
    np.testing.assert_array_equal(table(one(Rules(3)), "0x", 0), [[3, 3]])
    np.testing.assert_array_equal(table(one(Rules(y=[3, 4])), "0y", 0), [[3, 3], [4, 4]])
    np.testing.assert_array_equal(table(one(Bands(y=(3, 4))), "0y", 0), [[3, 3, 4, 4]])
    made = one(Borders([3, 4], 10))
    np.testing.assert_allclose(table(made, "0a", 0), [[0.6, 0.8]])
    np.testing.assert_allclose(table(made, "0c", 0), [[2]])
    made = one(Segments([[1, 2], [3, 4]], starts=(1, 1), size=[1, 2]))
    np.testing.assert_array_equal(table(made, "0u", 0), [[1, 1]])
    assert panel(made)["marks"][0]["top"] == 2
    # The first row of a field is the upper one.
    winner = torch.arange(2)[:, None].expand(2, 2)
    made = one(Field([0, 1], [0, 1], torch.ones(2, 2), winner, ["a", "b"]))
    np.testing.assert_array_equal(table(made, "0w", 0), [[1, 1], [0, 0]])
    assert panel(made)["marks"][0]["ends"] == {"x": [-0.5, 1.5], "y": [-0.5, 1.5]}
    assert [text for text, _ in panel(made)["legend"]] == ["\u25a0 a", "\u25a0 b"]


def test_shades_share_the_scale_of_their_role():
    def both(a):
        points = Points([[0, 0], [1, 1]], shade=[0.1 * a, 0.7], role="weight")
        return {"plot": Plot({"p": points}), "bars": Bars([0.2, 0.4])}

    scale = explore(both, a=[1, 2])._state["scales"]["weight"]
    assert (scale["low"], scale["high"]) == (0, 0.7)


def test_marks_know_the_controls_that_they_move():
    def moved(kind):
        def shown(a, b):
            marks = {"p": Points([1, b])}
            if kind == "plot":
                return Plot(marks, drag={"p": "b"})
            return Curve([0, 1], {"y": [0, 1]}, marks=marks, drag={"p": "b"})

        return shown

    for kind in ("plot", "curve"):
        made = explore(moved(kind), a=[1], b=[1, 2])
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


def test_a_mark_of_a_live_figure_is_dragged_along_what_it_follows():
    def shown(at, tilt=0.5, drag="at"):
        return Plot({"it": Points((at, 1.0)), "or": Borders((1.0, tilt))}, drag={"it": drag})

    free = {"at": (0.0, 1.0), "live": True}
    assert panel(explore(shown, **free))["marks"][0]["drag"] == [0]
    with pytest.raises(ValueError, match="mark 'it' moves 'b', but stands at one place"):
        explore(lambda at, b: shown(at, drag="b"), b=[1, 2], **free)
    with pytest.raises(ValueError, match="mark 'or' moves 'at', but stands at one place"):
        explore(lambda at: Plot({"or": Borders((1.0, at))}, drag={"or": "at"}), **free)


@pytest.mark.parametrize(
    "gone",
    [
        Curve([1, 2], {"y": [np.nan] * 2}),
        Curve([1, 2], {"y": [np.nan] * 2}, log="y"),
        Heatmap([[-np.inf]], large=True),
    ],
)
def test_a_panel_without_a_number_is_drawn_without_a_warning(gone):
    made = explore(lambda a: gone, a=[1, 2])
    assert made._picture()[0].startswith(b"\x89PNG")
    assert re.search("(gaps|masked) 1$", repr(made), re.MULTILINE)


def test_bars_are_stacked_against_a_limit_with_units():
    def bill(texts):
        parts = {"parameters": [16.0], "cache": [4.0 * texts]}
        return Bars(parts, ["bytes"], "output", "", limit=80, unit="GB")

    made = explore(bill, texts=[1, 2, 8])
    look = panel(made)
    assert look["yaxis"] == (0, 80)
    assert [text for _, text in look["y"]][-1] == "80 GB"
    assert look["rowNames"] == ["parameters", "cache"]
    np.testing.assert_allclose(table(made, "cells", 2), [[16], [32]])
    np.testing.assert_array_equal(table(made, "by", 0), [[80, 80]])
    made = explore(lambda a: Bars([1.0, 2.0], limit=[80, 8][a]), a=[0, 1])
    assert panel(made)["yaxis"] == (0, 80)
    np.testing.assert_array_equal(table(made, "by", 1), [[8, 8]])
    made = explore(lambda a: Bars([-40.0, -3.0 * a], role="score", base=-50), a=[1, 2])
    assert panel(made)["yaxis"][0] == -50
    assert panel(made)["base"] == -50


@pytest.mark.parametrize(
    ("result", "error", "message"),
    [
        (Plot({}), TypeError, "marks must be a dict of at least one name -> mark"),
        (Plot([1]), TypeError, "marks must be a dict"),
        (Plot({"p": [1, 2]}), TypeError, "mark 'p': expected a mark such as Points, got list"),
        (Points([1, 2, 3]), ValueError, r"'p': expected \(x, y\) or rows.*\(1, 3\)"),
        (Points([1, float("nan")]), ValueError, r"'p': nan at \(0, 1\)"),
        (Points([1, 2], size=[1, 2]), ValueError, r"'p', size: expected 1 numbers"),
        (Points([1, 2], size=-1), ValueError, "'p', size: -1 is below 0"),
        (Points([1, 2], shade=1), ValueError, "'p': shade needs a role"),
        (Points([1, 2], role="red"), ValueError, "'p': role 'red' is not one of"),
        (Points([1, 2], ["a", "b"]), ValueError, "'p', names: 2 labels for 1"),
        (
            Points(np.arange(3.0), np.arange(3.0)),
            TypeError,
            r"'p', names: expected strings, got float64; .* Points is .* pairs, \(n, 2\), such as",
        ),
        (Points(KEYS, 3), TypeError, "'p', names: expected strings, got int"),
        (Arrows([[1, 2]], [[3, 4]]), TypeError, "names: .* got list; the second .* and starts= sa"),
        (Segments(KEYS, KEYS), TypeError, "names: expected strings, got Tensor; .*starts= says wh"),
        (Histogram([1, 2, 99], [0, 1, 2, 3]), ValueError, "1 of 3 values lie .* 99; .* np.clip"),
        (Histogram([1, 2], 10), ValueError, r"'p', edges: .* np.linspace\(low, high, 10 \+ 1\)"),
        (Arrows(KEYS, starts=KEYS[:2]), ValueError, "'p': 2 starts for 3 tips"),
        (Borders([0, 0]), ValueError, r"'p': a normal is \(0, 0\)"),
        (Lines([1, 2]), ValueError, "'p': expected a line, two or more rows"),
        (Regions([[1, 2]]), ValueError, "'p': expected a line, two or more rows"),
        (Area([1, 2], [1]), ValueError, "'p': expected x and y of one length"),
        (Histogram([1.0], [1, 1]), ValueError, "'p', edges: expected incr"),
        (Rules(), ValueError, "'p': give x or y, got neither"),
        (Rules(1, 2), ValueError, "'p': give x or y, not both"),
        (Bands(1), ValueError, r"'p', x: expected \(low, high\)"),
        (Field([0, 1], [0, 1], [[1, 1]]), ValueError, "'p': give a winner"),
        (Field([0, 1, 3], EVEN, FULL[:, :3], role="weight"), ValueError, "'p', x: expected evenly"),
        (
            Field(EVEN, EVEN, FULL[:, :4], role="weight"),
            ValueError,
            r"'p', strength: expected shape \(5, 5\), got \(5, 4\)",
        ),
        (
            Field(EVEN, EVEN, FULL, 9 * FULL),
            ValueError,
            f"'p', winner: expected whole numbers from 0 to {len(GROUPS) - 1}",
        ),
        (Plot({"p": Points([1, 2])}, xlim=(2, 1)), ValueError, r"xlim: expected \(low, high\)"),
        (Plot({"p": Points([1, 2])}, drag={"q": "a"}), ValueError, "drag: there is no mark 'q'"),
        (Plot({"p": Points([1, 2])}, drag={"p": "b"}), ValueError, "'p' moves 'b', but the contr"),
        (Plot({"p": Points([1, 2])}, drag="p"), TypeError, "drag: expected a dict of mark"),
        (Plot({"p": Points([1, 2])}, drag={"p": ()}), ValueError, "moves 0 controls, not one or"),
        (Plot({"p": Points(KEYS)}, drag={"p": "a"}), ValueError, "'p' is not a single point"),
        (Plot({"p": Points([0, 2])}, log="x"), ValueError, ": 0 is not above 0, as a log axis n"),
        (Plot({"p": Points([1, 2])}, log="z"), ValueError, "log: expected '', 'x', 'y' or 'xy', "),
        (Plot({"p": Borders([1, 2])}, log="x"), ValueError, "mark 'p' stands on even axes alone"),
        (Plane({"p": Points([1, 2])}, log="x"), ValueError, "log: both axes of a plane have one"),
        (Curve([1, 2], {"y": [0, 1]}, log="y"), ValueError, ": 0 is not above 0, as a log axis n"),
        (Curve([0, 1], {"y": [0, 1]}, marks={"p": 3}), TypeError, "mark 'p': expected a mark"),
        (Bars({"a": [1, 2], "b": [1]}), ValueError, r"expected parts of one length to stack"),
        (Bars({"a": [1, -2]}), ValueError, "stacked bars begin at 0"),
        (Bars([1.0], limit=float("nan")), ValueError, "base, limit: nan"),
    ],
)
@pytest.mark.parametrize("name", ["", "there"])
def test_bad_marks_are_named(result, error, message, name):
    panel = Plot({"p": result}) if isinstance(result, Mark) else result
    with pytest.raises(error, match=message) as caught:
        explore(lambda a: {name: panel} if name else panel, a=[1])
    assert str(caught.value).startswith(f"panel {name!r}" if name else "the panel")
