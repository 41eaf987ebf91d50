"""Marks: what is stored, and what is refused."""

import numpy as np
import pytest
from shown import panel, table

import kernelfree as kf
from kernelfree.palette import GREY, GREYS, GROUPS
from kernelfree.panels._marks import Mark

KEYS = np.array([[2.0, 0.5], [-0.5, 1.5], [-1.0, -1.5]])
EVEN, FULL, CUT = np.linspace(-1, 1, 5), np.ones((5, 5)), np.ones((5, 4))


def one(mark, **options):
    return kf.explore(lambda a: kf.Plot({"it": mark}, **options), a=[1, 2])


def test_marks_have_the_colours_of_their_roles_and_otherwise_none(roles):
    marks = {"key": kf.Points([0, 0]), "it": kf.Points([1, 1], role="value"), "else": kf.Points([2, 2])}
    made = kf.explore(lambda a: kf.Plot(marks), a=[1, 2])
    found = [mark["colors"][0] for mark in panel(made)["marks"]]
    assert found == [roles["key"], roles["value"], GREY]
    lines = {"output": [0, 1], "truth": [1, 0], "guess": [1, 1]}
    made = kf.explore(lambda a: kf.Curve([0, 1], lines, {"query": (0, 1), "there": (1, 1)}), a=[1, 2])
    curves, points = panel(made)["marks"]
    assert curves["colors"] == [roles["output"], *GREYS]
    assert points["colors"] == [roles["query"], GREY]


def test_what_marks_store():
    values = np.array([0.0, 0.2, 0.9, 0.5, 1.0])
    made = one(kf.Histogram(values, [0, 0.5, 1]))
    np.testing.assert_array_equal(table(made, "0x", 0), [[0, 0, 0.5, 0.5, 1, 1]])
    np.testing.assert_array_equal(table(made, "0y", 0), [[0, 2, 2, 3, 3, 0]])
    made = one(kf.Area([0, 1], [3, 4], base=1))
    np.testing.assert_array_equal(table(made, "0x", 0), [[0, 0, 1, 1]])
    np.testing.assert_array_equal(table(made, "0y", 0), [[1, 3, 4, 1]])
    np.testing.assert_array_equal(table(one(kf.Rules(3)), "0x", 0), [[3, 3]])
    np.testing.assert_array_equal(table(one(kf.Rules(y=[3, 4])), "0y", 0), [[3, 3], [4, 4]])
    np.testing.assert_array_equal(table(one(kf.Bands(y=(3, 4))), "0y", 0), [[3, 3, 4, 4]])
    made = one(kf.Borders([3, 4], 10))
    np.testing.assert_allclose(table(made, "0a", 0), [[0.6, 0.8]])
    np.testing.assert_allclose(table(made, "0c", 0), [[2]])
    made = one(kf.Segments([[1, 2], [3, 4]], starts=(1, 1), size=[1, 2]))
    np.testing.assert_array_equal(table(made, "0u", 0), [[1, 1]])
    assert panel(made)["marks"][0]["top"] == 2
    # The first row of a field is the upper one.
    winner = np.array([[0, 0], [1, 1]])
    made = one(kf.Field([0, 1], [0, 1], np.ones((2, 2)), winner, ["a", "b"]))
    np.testing.assert_array_equal(table(made, "0w", 0), [[1, 1], [0, 0]])
    assert panel(made)["marks"][0]["ends"] == {"x": [-0.5, 1.5], "y": [-0.5, 1.5]}
    assert [text for text, _ in panel(made)["legend"]] == ["\u25a0 a", "\u25a0 b"]


@pytest.mark.parametrize(
    ("result", "error", "message"),
    [
        (kf.Plot({}), TypeError, "marks must be a dict of at least one name -> mark"),
        (kf.Plot([1]), TypeError, "marks must be a dict"),
        (kf.Plot({"p": [1, 2]}), TypeError, "mark 'p': expected a mark such as Points, got list"),
        (kf.Points([1, 2, 3]), ValueError, r"'p': expected \(x, y\) or rows.*\(1, 3\)"),
        (kf.Points([1, float("nan")]), ValueError, r"'p': nan at \(0, 1\)"),
        (kf.Points([1, 2], size=[1, 2]), ValueError, r"'p', size: expected 1 numbers"),
        (kf.Points([1, 2], size=-1), ValueError, "'p', size: -1 is below 0"),
        (kf.Points([1, 2], shade=1), ValueError, "'p': shade needs a role"),
        (kf.Points([1, 2], role="red"), ValueError, "'p': role 'red' is not one of"),
        (kf.Points([1, 2], ["a", "b"]), ValueError, "'p', names: 2 labels for 1"),
        (kf.Points(EVEN, EVEN), TypeError, r"'p', names: .* got float64; .* Points is .* pairs, \(n, 2\), such as"),
        (kf.Points(KEYS, 3), TypeError, "'p', names: expected strings, got int"),
        (kf.Arrows([[1, 2]], [[3, 4]]), TypeError, "names: .* got list; the second .* and starts= sa"),
        (kf.Segments(KEYS, KEYS), TypeError, "names: expected strings, got ndarray; .*starts= says"),
        (kf.Histogram([1, 2, 99], [0, 1, 2, 3]), ValueError, "1 of 3 values lie .* 99; .* np.clip"),
        (kf.Histogram([1, 2], 10), ValueError, r"'p', edges: .* np.linspace\(low, high, 10 \+ 1\)"),
        (kf.Arrows(KEYS, starts=KEYS[:2]), ValueError, "'p': 2 starts for 3 tips"),
        (kf.Borders([0, 0]), ValueError, r"'p': a normal is \(0, 0\)"),
        (kf.Lines([1, 2]), ValueError, "'p': expected a line, two or more rows"),
        (kf.Regions([[1, 2]]), ValueError, "'p': expected a line, two or more rows"),
        (kf.Area([1, 2], [1]), ValueError, "'p': expected x and y of one length"),
        (kf.Histogram([1.0], [1, 1]), ValueError, "'p', edges: expected incr"),
        (kf.Rules(), ValueError, "'p': give x or y, got neither"),
        (kf.Rules(1, 2), ValueError, "'p': give x or y, not both"),
        (kf.Bands(1), ValueError, r"'p', x: expected \(low, high\)"),
        (kf.Field([0, 1], [0, 1], [[1, 1]]), ValueError, "'p': give a winner"),
        (kf.Field([0, 1, 3], EVEN, FULL[:, :3], role="weight"), ValueError, "'p', x: expected evenly"),
        (kf.Field(EVEN, EVEN, CUT, role="weight"), ValueError, r"'p', strength: .* shape \(5, 5\), got \(5, 4\)"),
        (kf.Field(EVEN, EVEN, FULL, 9 * FULL), ValueError, f"'p', winner: .* numbers from 0 to {len(GROUPS) - 1}"),
        (kf.Plot({"p": kf.Points([1, 2])}, xlim=(2, 1)), ValueError, r"xlim: expected \(low, high\)"),
        (kf.Plot({"p": kf.Points([1, 2])}, drag={"q": "a"}), ValueError, "drag: there is no mark 'q'"),
        (kf.Plot({"p": kf.Points([1, 2])}, drag={"p": "b"}), ValueError, "'p' moves 'b', but the contr"),
        (kf.Plot({"p": kf.Points([1, 2])}, drag="p"), TypeError, "drag: expected a dict of mark"),
        (kf.Plot({"p": kf.Points([1, 2])}, drag={"p": ()}), ValueError, "moves 0 controls, not one or"),
        (kf.Plot({"p": kf.Points(KEYS)}, drag={"p": "a"}), ValueError, "'p' is not a single point"),
        (kf.Plot({"p": kf.Points([0, 2])}, log="x"), ValueError, ": 0 is not above 0, as a log axis n"),
        (kf.Plot({"p": kf.Points([1, 2])}, log="z"), ValueError, "log: expected '', 'x', 'y' or 'xy', "),
        (kf.Plot({"p": kf.Borders([1, 2])}, log="x"), ValueError, "mark 'p' stands on even axes alone"),
        (kf.Plane({"p": kf.Points([1, 2])}, log="x"), ValueError, "log: both axes of a plane have one"),
        (kf.Curve([1, 2], {"y": [0, 1]}, log="y"), ValueError, ": 0 is not above 0, as a log axis n"),
        (kf.Curve([0, 1], {"y": [0, 1]}, marks={"p": 3}), TypeError, "mark 'p': expected a mark"),
        (kf.Bars({"a": [1, 2], "b": [1]}), ValueError, r"expected parts of one length to stack"),
        (kf.Bars({"a": [1, -2]}), ValueError, "stacked bars begin at 0"),
        (kf.Bars([1.0], limit=float("nan")), ValueError, "base, limit: nan"),
    ],
)
@pytest.mark.parametrize("name", ["", "there"])
def test_bad_marks_are_named(result, error, message, name):
    panel = kf.Plot({"p": result}) if isinstance(result, Mark) else result
    with pytest.raises(error, match=message) as caught:
        kf.explore(lambda a: {name: panel} if name else panel, a=[1])
    assert str(caught.value).startswith(f"panel {name!r}" if name else "the panel")
