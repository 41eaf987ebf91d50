"""What a function should not return: each mistake is named, with a way out."""

from datetime import UTC, datetime

import numpy as np
import pytest
from matplotlib.figure import Figure
from pandas_like import Frame, Month, Series
from PIL import Image as Pillow

import kernelfree as kf
import kernelfree.book
from kernelfree import explore

MASKED = np.ma.masked_greater([[1.0, 2.0], [9.0, 4.0]], 8)
DATES = np.array(["2023-12-31", "2024-02-29", "2024-03-01"], "datetime64[D]")


def line_over(x):
    return kf.Curve(x, {"y": [1, 2]})


AWARE = [datetime(2024, 1, day, tzinfo=UTC) for day in (1, 2)]
MADE = r"np.array\(x, 'datetime64\[D\]'\) or pandas.to_datetime\(x\) makes dates of them"
ONE_AS_Y = "dates stand on the x axis alone, got one as y"
axes = Figure().subplots()


@pytest.mark.parametrize(
    ("given", "error"),
    [
        (line_over(AWARE), "x: 2024-01-01 .* has a time zone"),
        (line_over(np.array(["2024", "NaT"], "M8[D]")), r"x: a date is missing \(NaT\)"),
        (line_over(np.array(["9999", "10000"], "M8[D]")), "x: dates must be of the years 1 to 9999, got 9999 to 10000"),
        (kf.Curve([*DATES.tolist(), 3], {"y": range(4)}), "x: expected dates or numbers, got both"),
        (kf.Curve([1, 2, 3], {"y": DATES}), "line 'y': expected numbers"),
        (kf.Curve([1, 2], {"y": [1, 2]}, "time"), "points must be .* got str; .* xlabel="),
        (kf.Curve(DATES, {"y": [1, 2, 3]}, xlim=(0, 1)), "x has .* xlim has num"),
        (kf.Curve(DATES, {"y": [1, 2, 3]}, log="x"), "log: x has dates"),
        (kf.Plot({"a": kf.Points([(1.0, DATES.tolist()[0])])}), f"'a': {ONE_AS_Y}"),
        (kf.Plane({"a": kf.Points([(DATES[0], 1.0)])}), "dates: both axes of a plane have one sc"),
        (
            kf.Plot({"a": kf.Rules(x=DATES), "b": kf.Borders((1, 0))}),
            "mark 'a', x has dates .* mark 'b' has numbers",
        ),
        (kf.Image(np.ones((2, 3, 2))), r"\(rows, columns, 3 or 4\), got shape \(2, 3, 2\)"),
        (kf.Image(np.ones((2, 2)) * 255), "from 0 to 1, got 255 to 255"),
        (Pillow.new("I;16", (1, 1)), "mode 'I;16' holds numbers and no shades"),
        (kf.Image(np.ones((2, 2), int)), "uint8 or of floats, got int64"),
        (kf.Image(np.eye(2), width=0), "width: expected 1 to 4,096 pixels, got 0"),
        (Figure(), r"the panel: the figure has no axes; did plt.show\(\) close it\?"),
        (kf.Text(3), "text: expected a string, got int"),
        (kf.Text("a" * 20_001), "at most 20,000 characters, got 20,001"),
        (kf.Number([1, 2]), r"expected one number, got shape \(2,\)"),
        (kf.Number(np.nan), "every number must be finite"),
        (kf.Bars(MASKED[1]), r"nan at \(0,\); every number must be finite"),
        (kf.Plot({"p": kf.Points(MASKED)}), r"'p': nan at \(1, 0\); every number must be finite"),
        (line_over(np.ma.array(DATES[:2], mask=[0, 1])), r"x: a date is missing \(NaT\)"),
        (kf.Number(1, decimals=-1), "decimals: expected 0 to 12, got -1"),
        (kf.Table([["a"], ["b", "c"]]), "row 1 of a Table has 2 cells, but its header 1"),
        (kf.Table([["a"]]), "a header and at least one row"),
        (kf.Table(3), "a Table takes rows, .* or a DataFrame, got int"),
        (kf.Table(["ab", "cd"]), "row 1 of a Table must be a list of cells, got 'ab'"),
        (kf.Table([[1, 2], [3, 4]]), r"the names of its columns, got \[1, 2\]; .* header="),
        (kf.Html("<svg><circle r='3'/></svg>"), "nothing is left to show of .<svg>"),
        (kf.Number(9008.0, decimals=12), "the panel: 9008 with 12 decimals has more than the 15 d"),
        (kf.Html(3), "html: expected a string, got int"),
        (None, r"the panel: .* got None; did the function forget `return`\?"),
        ({"a": [[1]], "b": None}, "panel 'b': expected an array, .* got None; leave it out"),
        ([kf.Number(1)], "got list; return a dict of them, name -> panel"),
        ({"a": {"b": [[1]]}}, "panel 'a': .* got dict; all panels stand in one dict"),
        (kf.Bars, r"got type; call it, Bars\(...\)"),
        (axes, "got Axes; return its figure"),
        (axes.plot([1, 2]), "got list; return its figure"),
        (Frame(), r"the panel: expected numbers, got Frame of str; Table\(...\) shows"),
        (np.array([None, None]), "the panel: expected numbers, got ndarray of None"),
        (["a", "b"], "the panel: expected numbers, got list of text"),
        ((n for n in [1]), "the panel: expected numbers, got generator; make a list of it"),
        (np.zeros((4, 4, 3)), r"or show a picture by Image\(array\)"),
        ([[1, np.nan]], r"the panel: nan at \(0, 1\); .*masked=~np.isfinite\(matrix\).*\(at t=1\)"),
        (kf.Heatmap([[1]], "loss"), "'loss' is not one of number, query, key.*; add_role"),
        (Series([3, 2, 1]), "x: expected increasing numbers, got 2 after 3 at place 2; sort"),
        (Series([Month()] * 3), r"x: .* got dates \(list\); give days"),
        (line_over(["2024-01-01", "2024-01-02"]), f"x: expected numbers, got list of text; {MADE}"),
        (kf.Curve(DATES, {"y": [1, 2, 3]}, xlim=("2024-01", "2024-02")), f"xlim: .* text; {MADE}"),
        (line_over(["2024-01-01", "no date"]), r"x: expected numbers, got list of text \("),
        (kf.Curve([1, 2], [1, 2]), r"such as Curve\(x, {'y': y}\), got list"),
        (kf.Plot(kf.Points([1, 2])), "name -> mark, such as .* got Points"),
        (kf.Plot({"p": kf.Points(np.ones((2, 5)))}), r"np.stack\(\[x, y\], axis"),
        (kf.Table({"a": 1}), "a Table takes rows, such as .*, got dict"),
        ([5], r"got a row of 1 number, shape \(1,\); a line takes two numbers or more"),
        (kf.Heatmap([1, 2]), r"a row of 2 numbers, .*; \[row\] is a matrix of one row"),
        ({"p": kf.Points([1, 2])}, r"panel 'p': .* as Plot\({'it': Points\(...\)}\)"),
        (kf.Bars({"a": 1, "b": 2}), r"to stack, .* Bars\(\[1, 2\], names\)"),
        (np.ones((1, 2, 2)), "pick one of them"),
        (np.ones((0, 2)), r"got shape \(0, 2\)"),
        ([[1, 2], [3]], "its rows differ in length"),
        (np.ones((1, 1), complex), "expected numbers"),
        ([[2**53 + 1, 0]], r"the panel: whole numbers .* 9,007,199,254,740,993"),
        ({}, "returned no panels"),
        ({3: [[1]]}, "name of a panel must be a string, got 3"),
        ({"w": np.ones(1)}, "panel 'w': expected a"),
        (kf.Heatmap([[1]], xticks=["a", "b"]), "xticks: 2 labels for 1 places"),
        (kf.Heatmap([[1]], masked=[[1]]), "masked: expected a boolean matrix"),
        (kf.Heatmap([[1]], masked=[[True, False]]), r"masked: .* shape \(1, 2\)"),
        (kf.Bars([[1]]), "expected a row of heights"),
        (kf.Curve([0, 1], {}), "lines must be a dict of at least one"),
        (kf.Curve([1], {"y": [1]}), r"x: expected at least two .* got shape \(1,\)"),
        (kf.Curve([0, 1], {"y": [1]}), r"line 'y': expected shape \(2,\), got \(1,\)"),
        (kf.Curve([0, 1], {"y": [1, 2]}, {"p": 3}), r"point 'p': expected \(x, y\)"),
        (kf.Curve([0, 1], {"y": [1, float("inf")]}), "a line goes to infinity"),
        ({"w": [[1]], "one": "a", "two": "b"}, "a figure says one sentence, got 'a' and 'b'"),
        ({"says": "a"}, r"returned no panels: {'says': 'a'}"),
    ],
)
def test_a_mistake_has_a_way_out(given, error):
    with pytest.raises((TypeError, ValueError), match=error) as caught:
        kf.explore(lambda t: given, t=[1])
    # What this package checks shows no second traceback.
    assert caught.value.__suppress_context__


W = ["a", "b"]


@pytest.mark.parametrize(
    ("panel", "error", "message"),
    [
        (kf.Words("a b"), TypeError, "panel 'p', tokens: expected a list of strings, got 'a b'"),
        (kf.Words(["", ""]), ValueError, "panel 'p', tokens: there is no word"),
        (kf.Words(W, [1, 2, 3]), ValueError, "panel 'p', weights: 3 for 2 tokens"),
        (kf.Words(W, [[[1, 2]]]), ValueError, r"panel 'p', weights: expected shape .*\(1, 1, 2\)"),
        (kf.Words(W, np.ones((3, 2))), ValueError, "weights: 3 rows for 2 words that look"),
        (kf.Words(W, np.ones((2, 2)), ["c"]), ValueError, "2 rows for 1 words that look"),
        (kf.Words(W, [1, float("inf")]), ValueError, "panel 'p', weights: inf at"),
        (kf.Words(W, [1, 2], lines=True), ValueError, "lines go from the words of a target"),
        (kf.Words(W, [1, 2], touch=3), TypeError, "touch: expected the name of a control, got 3"),
        (kf.Words(W, [1, 2], touch="z"), ValueError, "panel 'p', touch: there is no control 'z'"),
        (kf.Words(W, touch="a"), ValueError, "control 'a' has 3 values for 2 things to touch"),
        (kf.Words(W, [1, 2], role="red"), ValueError, "panel 'p': role 'red' is not one of"),
        (kf.Grid("q", "a"), ValueError, "panel 'p', of: 'q' is not one of h"),
        (kf.Grid("h", "z"), ValueError, "panel 'p', touch: there is no control 'z'; there are a"),
        (kf.Grid("h", ("a", "a", "a")), TypeError, "expected one or two names of controls"),
        (kf.Grid("h", "a", [1, 2]), ValueError, r"border: expected shape \[1, 3\], got \[1, 2\]"),
        (kf.Grid("h", "a", [1, -2, 3]), ValueError, "border: -2 is below 0"),
        (kf.Grid("h", "a", [1, float("nan"), 3]), ValueError, "border: nan at"),
    ],
)
def test_bad_words_and_grids_are_named(panel, error, message):
    with pytest.raises(error, match=message):
        explore(lambda a: {"p": panel, "h": kf.Heatmap([[1]]), "b": kf.Bars([1])}, a=[1, 2, 3])
