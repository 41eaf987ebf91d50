"""kernelfree by itself: no PyTorch, no word of attention, neutral names."""

import ast
import base64
import io
import itertools
import json
import pickle
import re
import subprocess
import sys
from datetime import UTC, datetime, time
from pathlib import Path

import hypothesis
import numpy as np
import pytest
from hypothesis import strategies as st
from matplotlib.figure import Figure
from PIL import Image as Pillow

import chapters
import kernelfree as kf
import kernelfree.book
from kernelfree import dates
from kernelfree.errors import NotForThePageError

HOME = Path(kf.__file__).parent

# What an author without PyTorch does.
ALONE = """
import numpy as np
import kernelfree
from kernelfree import *

assert "trace" not in globals() and "Curve" in globals()
x = np.linspace(0, 6, 50)
def waves(frequency=1.0, turned=False):
    return np.sin(frequency * x)[None] * np.cos(x)[:, None] * (-1) ** turned

figure = kernelfree.explore(waves, frequency=[0.5, 1.0, 2.0], turned=False)
figure.value = {"frequency": 2.0}
bundle = figure._repr_mimebundle_()
bundle = bundle[0] if isinstance(bundle, tuple) else bundle
assert bundle["text/html"].count("<script") == 2 and bundle["image/png"]
figure.save("waves.html")
kernelfree.explore(waves, live="if possible", frequency=(0.0, 1.0))
for missing in (lambda: kernelfree.explore(waves, live=True, frequency=(0.0, 1.0)),
                lambda: kernelfree.trace):
    try:
        missing()
    except ImportError as error:
        print(error)
"""


def run_alone(code, folder):
    """Run code where importing PyTorch or the book's package fails; return the lines it prints."""
    code = f"import sys\nsys.modules['torch'] = sys.modules['d2lmini'] = None\n{code}"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_figures_need_no_pytorch(tmp_path):
    saved, *missing = run_alone(ALONE, tmp_path)
    assert saved.startswith("waves.html: ")
    assert missing == [
        "live figures need PyTorch, which is missing: pip install torch",
        "traces need PyTorch, which is missing: pip install torch",
    ]


def test_the_manual_needs_no_pytorch_before_live_functions(tmp_path):
    _, *cells = chapters.read(chapters.ROOT / "chapters" / "making_figures.ipynb").cells
    live = next(n for n, cell in enumerate(cells) if cell.source.startswith("## A live function"))
    code = [cell.source for cell in cells[:live] if cell.cell_type == "code"]
    assert code[0].startswith("# @title Setup")
    assert len(code) > 12
    run_alone("\n\n".join(code[1:]), tmp_path)
    # What needs it later is the same package, too.
    assert not any("d2lmini" in cell.source for cell in cells[1:] if cell.cell_type == "code")


def test_it_has_no_word_of_attention():
    # PyTorch's own names of its functions may have such a word.
    for path in HOME.rglob("*.py"):
        text = re.sub(r"scaled_dot_product_\w*attention\w*", "", path.read_text(encoding="utf-8"))
        found = re.findall(r"\b(attention|queries|d2lmini)\b", text, re.IGNORECASE)
        assert not found, (path, found)


def test_what_has_no_name_gets_a_neutral_one():
    made = kf.explore(lambda t: np.eye(2) * t, t=[1, 2])
    [panel] = made._state["panels"]
    assert (panel["xlabel"], panel["ylabel"], panel["role"]) == ("Columns", "Rows", "number")
    assert made._state["scales"]["number"]["label"] == "Number"
    assert "summed" not in panel


@pytest.mark.parametrize(("kind", "given"), [("Heatmap", [[1]]), ("Bars", [1]), ("Words", ["a"])])
def test_the_book_gives_its_own_names(kind, given):
    import d2lmini

    ours, neutral = (getattr(home, kind)(given) for home in (d2lmini, kf))
    assert (ours.role, ours.xlabel) == ("weight", "Keys")
    assert neutral.role == "number"
    assert neutral.xlabel != "Keys"


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


class Index(list):
    """As one of pandas, with a name."""

    name = "year"


class Series:
    """As one of pandas is to NumPy."""

    shape = (3,)

    def __init__(self, index, name=None):
        self.index, self.name = index, name

    def __len__(self):
        return 3

    def __iter__(self):
        return iter(np.array(self))

    def __array__(self, dtype=None, copy=None):
        return np.array([3.0, 1.0, 2.0])


class Frame:
    """As one of pandas is to NumPy, with a column of words."""

    columns = ("size", "name")

    def __init__(self, *rows):
        self.index, self.rows = rows and Index(row[0] for row in rows), rows

    def itertuples(self, name):
        return iter(self.rows)

    def items(self):
        return {"size": [1, 2, 3], "name": [3, 2, 1]}.items()

    def __array__(self, dtype=None, copy=None):
        return np.array([[1, "a"]], object)


def test_a_row_of_numbers_is_a_line_over_its_index():
    for given, places in (
        ([3.0, 1.0, 2.0], ["1", "2", "3"]),
        (Series([2020, 2021, 2023]), ["2020", "2021", "2023"]),
        (kf.Curve([2, 4, 8], Frame()), ["2", "4", "8"]),
    ):
        made = kf.explore(lambda t, given=given: given, t=[1])
        [panel] = made._state["panels"]
        assert (panel["kind"], panel["columnNames"]) == ("curve", places)


@pytest.mark.parametrize(
    ("index", "labels"),
    [(list("bac"), ["b", "a", "c"]), ([("a", 1), ("b", 2), "c"], ["a, 1", "b, 2", "c"])],
)
def test_a_series_over_words_is_bars(index, labels):
    panel = panel_of(Series(index))
    assert (panel["kind"], panel["columnNames"]) == ("bars", labels)


def test_the_names_of_pandas_are_the_labels_of_axes_that_have_none():
    def sides(given):
        panel = panel_of(given)
        return panel["xlabel"], panel["ylabel"]

    line, bars = Series(Index([3, 4, 5]), "price"), Series(Index("abc"), "price")
    assert sides(line) == sides(bars) == sides(kf.Bars(line)) == ("year", "price")
    assert sides(kf.Bars(bars, xlabel="letter", ylabel="count")) == ("letter", "count")
    table = np.ma.array([[1.0, 2.0]])
    table.index, table.columns = Index("a"), ["b", "c"]
    assert sides(table) == ("Columns", "year")


DATES = np.array(["2023-12-31", "2024-02-29", "2024-03-01"], "datetime64[D]")


@pytest.mark.parametrize(
    "days",
    [
        DATES,
        DATES.astype("datetime64[ns]"),
        list(DATES),
        DATES.tolist(),
        [datetime.combine(day, time()) for day in DATES.tolist()],
    ],
)
def test_dates_are_an_axis_of_days(days):
    heights = [3.0, 1.0, 2.0]
    lines = kf.Curve(days, {"y": heights}, points={"now": (days[1], 1.0)})
    marks = {
        "points": kf.Points([(day, 1.0) for day in days]),
        "line": kf.Lines([(day, 1.0) for day in days]),
        "area": kf.Area(days, heights),
        "counts": kf.Histogram(days, days),
        "rule": kf.Rules(x=days[1]),
        "level": kf.Rules(y=2.0),
        "band": kf.Bands(x=(days[0], days[1])),
    }
    for given in (Series(days), lines, kf.Plot(marks, xlim=(days[0], days[2]))):
        made = kf.explore(lambda t, given=given: given, t=[1])
        [panel] = made._state["panels"]
        assert panel["dates"] is True
        assert panel["xaxis"] == (19722.0, 19783.0)
        ticks = ["2024-01-01", "2024-01-15", "2024-01-29", "2024-02-12", "2024-02-26"]
        assert panel["x"] == [[round((1 + 14 * i) / 61, 4), day] for i, day in enumerate(ticks)]
        assert made._picture()[0].startswith(b"\x89PNG")
        names = panel.get("columnNames", ["2023-12-31", "2024-02-29", "2024-03-01"])
        assert names == ["2023-12-31", "2024-02-29", "2024-03-01"]
        key = "lx" if panel["kind"] == "curve" else "0x"
        stored = made._numbers.reader()(panel["tables"][key], [0])
        assert np.abs(stored - [19722, 19782, 19783]).max() <= (0.05 if key == "lx" else 0)


def test_times_of_day_are_kept_to_the_second():
    start = np.datetime64("2024-03-05T10:00:00")
    places = start + np.array([0, 7, 3600 * 5 + 1]) * np.timedelta64(1, "s")
    curve = panel_of(kf.Curve(places, {"y": [1, 2, 3]}, xlabel="Time"))
    assert curve["columnNames"] == [str(place) for place in places]
    assert [text for _, text in curve["x"]] == [f"{hour}:00" for hour in range(10, 16)]
    # Where no tick is midnight, the axis has the date.
    assert (curve["xlabel"], curve["column"]) == ("Time, 2024-03-05", "Time")
    given = kf.Plot({"a": kf.Points([(place, 1) for place in places.tolist()])})
    made = kf.explore(lambda t: given, t=[1])
    stored = made._numbers.reader()(made._state["panels"][0]["tables"]["0x"], [0])[0]
    assert dates.iso(stored) == [str(place) for place in places]


@hypothesis.example(19.5, 1.0625)
@hypothesis.given(st.floats(-600_000, 2_900_000), st.floats(-4, 6.5))
def test_ticks_of_dates_are_whole_and_lie_on_their_axis(low, exponent):
    high = min(low + 10**exponent, 2_932_896.0)
    ticks, date = dates.ticks(low, high)
    places = [at for at, _ in ticks]
    assert all(low <= at <= high for at in places)
    assert len(places) <= 6
    assert len(places) > 1 or high - low < 1e-3 or high - low > 100_000
    for at, text in ticks:
        whole = str(np.datetime64(round(at * 86_400), "s"))
        assert text in (whole[:4], whole[:7], whole[:10], whole[11:16], whole[11:19])
        # What the label leaves out is the start of the year, the month or the day, or is told.
        rest = whole.replace(text, "", 1)
        assert rest in ("-01-01T00:00:00", "-01T00:00:00", "T00:00:00") or ":" in text
    times, days = (any(sign in text for _, text in ticks) for sign in ":-")
    assert bool(date) is (times and not days)
    assert dates.ticks(0, 1e7) == ([], "")  # 27,000 years


def test_explore_is_a_decorator_too():
    @kf.explore(frequency=[1.0, 2.0], title="Waves")
    def wave(frequency):
        return np.sin(frequency * np.arange(5.0))

    assert wave.value == {"frequency": 1.0}
    assert wave._state["title"] == "Waves"
    np.testing.assert_array_equal(wave.function(0.0), np.zeros(5))


def panel_of(given, **controls):
    """The panel of a figure that shows what is given in its one state."""
    made = kf.explore(lambda t: given, t=[1], **controls)
    assert made._picture()[0].startswith(b"\x89PNG")
    return made._state["panels"][0]


def sheet(size=1):
    figure = Figure(figsize=(3, 2))
    figure.subplots().plot([0, 1], [0, size])
    return figure


def pixels(panel):
    """The pixels of a stored PNG."""
    data = base64.b64decode(panel["content"]["png"])
    return np.asarray(Pillow.open(io.BytesIO(data)))


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        ("words", "text"),
        (3, "number"),
        (np.float32(0.5), "number"),
        (Pillow.new("RGB", (2, 3)), "image"),
        (sheet(), "image"),
    ],
)
def test_what_an_author_has_is_shown_by_itself(given, kind):
    assert panel_of(given)["kind"] == kind


@pytest.mark.parametrize("shape", [(2, 3), (2, 3, 3), (2, 3, 4)])
def test_an_array_is_stored_as_it_is(shape):
    array = np.arange(np.prod(shape), dtype=np.uint8).reshape(shape) * 9
    np.testing.assert_array_equal(pixels(panel_of(kf.Image(array))), array)
    np.testing.assert_array_equal(pixels(panel_of(kf.Image(array / 255))), array)


def test_a_figure_of_matplotlib_is_stored_once_for_each_look():
    made = kf.explore(lambda t, n: sheet(t), t=[1, 2], n=range(5))
    [panel] = made._state["panels"]
    used, pictures = panel["texts"]["content"]
    assert used.startswith("1:")
    assert len(pictures) == 2
    assert "image, 2 different" in repr(made)
    assert pickle.loads(pickle.dumps(made))._picture() == made._picture()


@pytest.mark.parametrize("look", ["lines", "colours", "clear"])
def test_a_figure_of_matplotlib_looks_as_it_was_drawn(look):
    """In few colours, which take a third of the room, where that is not seen."""
    figure = Figure(figsize=(3, 2), facecolor="none" if look == "clear" else "white")
    axes = figure.subplots()
    figure.subplots_adjust(left=0.25)
    if look == "colours":
        axes.imshow(np.random.default_rng(0).random((90, 90, 3)))
    else:
        axes.plot(np.sin(np.arange(30.0)), label="sine")
        axes.legend()
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=120)
    drawn = np.asarray(Pillow.open(stream).convert("RGBA")).astype(int)
    content = panel_of(figure)["content"]
    shown = Pillow.open(io.BytesIO(base64.b64decode(content["png"])))
    assert (shown.mode == "P") == (look == "lines")
    assert shown.size == (content["width"], content["height"])
    assert content["style"] == f"width:{round(shown.width / 1.25)}px"
    rgba = np.asarray(shown.convert("RGBA")).astype(int)
    (top, bottom, left, right), here = ends(drawn), ends(rgba)
    inner = rgba[here[0] : here[1], here[2] : here[3]]
    assert np.abs(inner - drawn[top:bottom, left:right]).max() <= 8
    # Around it is about a tenth of an inch, as in notebooks.
    margin = here[0], shown.height - here[1], here[2], shown.width - here[3]
    np.testing.assert_allclose(margin, 12, atol=6)


def ends(picture):
    """Where what is drawn on a ground begins and ends: its rows, then its columns."""
    drawn = np.abs(picture - picture[0, 0]).max(-1) > 40
    sides = (np.flatnonzero(drawn.any(axis)) for axis in (1, 0))
    return [end for places in sides for end in (places[0], places[-1] + 1)]


@pytest.mark.parametrize("width", [None, 200])
def test_labels_outside_a_figure_are_shown_and_its_axes_stand_still(width):
    def tall(t, wide):
        figure = sheet(10.0**t)
        figure.axes[0].set(ylabel="What is cut off by the edge", xlabel="below")
        figure.set_figwidth(wide)
        return kf.Image(figure, width=width)

    made = kf.explore(tall, t=[0, 5], wide=[3, 4])
    pictures, looks = [], set()
    for t, wide in itertools.product([0, 5], [3, 4]):
        made.value = {"t": t, "wide": wide}
        [panel] = made._now()[0]
        content = panel["content"]
        looks.add((content["width"], content["height"], content["style"]))
        shown = Pillow.open(io.BytesIO(base64.b64decode(content["png"]))).convert("RGB")
        assert shown.size == (content["width"], content["height"])
        pictures.append(np.asarray(shown).astype(int))
        edges = [pictures[-1][[0, -1]].reshape(-1, 3), pictures[-1][:, [0, -1]].reshape(-1, 3)]
        assert (np.concatenate(edges) == 255).all()
    [(wide, _, style)] = looks
    assert style == f"width:{width or round(wide / 1.25)}px"
    # The frame of the axes: nearly all black columns and rows.
    lines = [
        [np.flatnonzero((one.max(-1) < 60).mean(axis) > 0.5) for axis in (0, 1)] for one in pictures
    ]
    for n in (0, 1):
        for one, other in zip(lines[n], lines[n + 2], strict=True):
            np.testing.assert_array_equal(one, other)
            assert len(one) >= 2


def test_a_table_has_its_header_and_the_names_of_its_rows():
    rows = [["name", "size"], ["a", 1], ["b", 0.123456], ["c", None]]
    found = panel_of(kf.Table(rows))["content"]
    assert found == [["size"], [["a", ["1"]], ["b", ["0.1235"]], ["c", [""]]], "name"]
    assert panel_of(kf.Table(rows[1:], rows[0]))["content"] == found


def test_a_table_of_pandas_is_read_as_people_write():
    noon = datetime(2024, 1, 1, 12)
    days = [datetime(2024, 1, 1), np.datetime64("2024-01-01", "ns")]
    rows = [(("a", 1), days[0], days[0]), (("b", 2), days[1], noon)]
    assert panel_of(kf.Table(Frame(*rows)))["content"] == [
        ["size", "name"],
        [
            ["a, 1", ["2024-01-01", "2024-01-01 00:00:00"]],
            ["b, 2", ["2024-01-01", "2024-01-01 12:00:00"]],
        ],
        "year",
    ]


@pytest.mark.parametrize(
    "evil",
    [
        "<script>x()</script>",
        "<p onclick='x()'>a</p>",
        "<a href='javascript:x()'>a</a>",
        "<a href='https://example.org'>a</a>",
        "<img src='https://example.org/a.png'>",
        "<img src=//example.org/a.png onerror=x()>",
        "<blockquote cite='https://example.org'>a</blockquote>",
        "<iframe src='https://example.org'></iframe>",
        "<style>@import 'https://example.org'</style>",
        "<p style='background:url(https://example.org)'>a</p>",
        "<svg onload='x()'><script>x()</script></svg>",
    ],
)
def test_html_is_sanitised(evil):
    given = f"<b title='1 < 2'>kept</b>{evil}<i>too</i>"
    found = json.dumps(panel_of(kf.Html(given))["content"])
    assert found.startswith('["div", {}, ["b", {"title": "1 < 2"}, "kept"]')
    assert found.endswith('["i", {}, "too"]]')
    assert not re.search(r"x\(\)|example|javascript|import", found)


def test_a_head_of_nothing_is_a_cell():
    head = '<tr><th scope="col"> </th><th>a</th><th><img src="data:image/png,"></th></tr>'
    found = panel_of(kf.Html(f"<table><thead>{head}</thead></table>"))["content"]
    row = found[2][2][2]
    assert [cell[0] for cell in row[2:]] == ["td", "th", "th"]
    assert row[2] == ["td", {}, " "]


def test_html_without_nh3_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "nh3", None)
    with pytest.raises(ImportError, match="Html needs nh3, which is missing: pip install nh3"):
        panel_of(kf.Html("<b>a</b>"))


def test_a_number_is_as_exact_as_it_is_shown():
    made = kf.explore(lambda t: kf.Number(t / 7, decimals=5), t=[1, 7000])
    assert made._numbers.reader()(0, [0])[0, 0] == round(1 / 7, 5)
    assert "number, 0.14286 to 1000.00000" in repr(made)


class Month:
    """As one of pandas."""

    def to_timestamp(self):
        return DATES[0]


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
        (line_over(DATES[:1].repeat(2)), "increasing"),
        (line_over(np.array(["2024", "NaT"], "M8[D]")), r"x: a date is missing \(NaT\)"),
        (
            line_over(np.array(["9999", "10000"], "M8[D]")),
            "x: dates must be of the years 1 to 9999, got 9999 to 10000",
        ),
        (kf.Curve([*DATES.tolist(), 3], {"y": range(4)}), "x: expected dates or numbers, got both"),
        (kf.Curve([1, 2, 3], {"y": DATES}), "line 'y': expected numbers"),
        (kf.Curve([1, 2], {"y": [1, 2]}, "time"), "points must be .* got str; .* xlabel="),
        (kf.Curve(DATES, {"y": [1, 2, 3]}, xlim=(0, 1)), "x has .* xlim has num"),
        (kf.Curve(DATES, {"y": [1, 2, 3]}, log="x"), "log: x has dates"),
        (kf.Plot({"a": kf.Points([(1.0, DATES.tolist()[0])])}), f"'a': {ONE_AS_Y}"),
        (kf.Plot({"a": kf.Points(DATES[[[0, 1]]])}), f"'a': {ONE_AS_Y}"),
        (kf.Plane({"a": kf.Points([(DATES[0], 1.0)])}), "dates: both axes of a plane have one sc"),
        (
            kf.Plot({"a": kf.Rules(x=DATES), "b": kf.Borders((1, 0))}),
            "mark 'a', x has dates for x, but mark 'b' has numbers",
        ),
        (kf.Image(np.ones((2, 3, 2))), r"\(rows, columns, 3 or 4\), got shape \(2, 3, 2\)"),
        (kf.Image(np.ones((2, 2)) * 255), "from 0 to 1, got 255 to 255"),
        (kf.Image(np.ones((2, 2), int)), "uint8 or of floats, got int64"),
        (kf.Image(np.eye(2), width=0), "width: expected 1 to 4,096 pixels, got 0"),
        (Figure(), r"the panel: the figure has no axes; did plt.show\(\) close it\?"),
        (kf.Text(3), "text: expected a string, got int"),
        (kf.Text("a" * 20_001), "at most 20,000 characters, got 20,001"),
        (kf.Number([1, 2]), r"expected one number, got shape \(2,\)"),
        (kf.Number(np.nan), "every number must be finite"),
        (kf.Bars(MASKED[1]), r"nan at \(0, 0\); every number must be finite"),
        (kf.Plot({"p": kf.Points(MASKED)}), r"'p': nan at \(1, 0\); every number must be finite"),
        (line_over(np.ma.array(DATES[:2], mask=[0, 1])), r"x: a date is missing \(NaT\)"),
        (kf.Number(1, decimals=-1), "decimals: expected 0 to 12, got -1"),
        (kf.Table([["a"], ["b", "c"]]), "row 1 of a Table has 2 cells, but its header 1"),
        (kf.Table([["a"]]), "a header and at least one row"),
        (kf.Table(3), "a Table takes rows, .* or a DataFrame, got int"),
        (kf.Html(3), "html: expected a string, got int"),
        (None, r"the panel: .* got None; did the function forget `return`\?"),
        ({"a": [[1]], "b": None}, "panel 'b': expected an array, .* got None; leave it out"),
        ([kf.Number(1)], "got list; return a dict of them, name -> panel"),
        ({"a": {"b": [[1]]}}, "panel 'a': .* got dict; all panels stand in one dict"),
        (kf.Bars, r"got type; call it, Bars\(...\)"),
        (axes, "got Axes; return its figure"),
        (axes.plot([1, 2]), "got list; return its figure"),
        (Frame(), r"the panel: expected numbers, got Frame of str; Table\(...\) shows"),
        (np.array([1, None, 3]), "the panel: expected numbers, got ndarray of None"),
        (["a", "b"], "the panel: expected numbers, got list of text"),
        ((n for n in [1]), "the panel: expected numbers, got generator; make a list of it"),
        (np.zeros((4, 4, 3)), r"or show a picture by Image\(array\)"),
        ([[1, np.nan]], r"the panel: nan at \(0, 1\); .*masked=~np.isfinite\(matrix\).*\(at t=1\)"),
        (np.nan, "the panel: nan; every number must be finite"),
        (kf.Heatmap([[1]], "loss"), "'loss' is not one of number, query, key.*; add_role"),
        (Series([3, 2, 1]), "x: expected increasing numbers, got 2 after 3 at place 2; sort"),
        (Series([Month()] * 3), r"x: .* got dates \(list\); give days"),
        (line_over(["2024-01-01", "2024-01-02"]), f"x: expected numbers, got list of text; {MADE}"),
        (kf.Curve([1, 2], {"y": [1, 2]}, xlim=("2024-01", "2024-02")), f"xlim: .* text; {MADE}"),
        (kf.Curve(DATES, {"y": [1, 2, 3]}, xlim=("2024-01", "2024-02")), f"xlim: .* text; {MADE}"),
        (line_over(["2024-01-01", "no date"]), r"x: expected numbers, got list of text \("),
        (line_over([1, np.nan]), r"x: nan at \(1,\)"),
        (kf.Curve([1, 2], [1, 2]), r"such as Curve\(x, {'y': y}\), got list"),
        (kf.Plot(kf.Points([1, 2])), "name -> mark, such as .* got Points"),
        (kf.Plot({"p": kf.Points(np.ones((2, 5)))}), r"np.stack\(\[x, y\], axis"),
        (kf.Table({"a": 1}), "a Table takes rows, such as .*, got dict"),
        (kf.Table([["a", 1]], header=["n"]), "has 2 cells, but its header 1"),
    ],
)
def test_a_mistake_has_a_way_out(given, error):
    with pytest.raises((TypeError, ValueError), match=error) as caught:
        kf.explore(lambda t: given, t=[1])
    # What this package checks shows no second traceback.
    assert caught.value.__suppress_context__


@pytest.mark.parametrize(
    ("given", "default", "error"),
    [
        ((0.0, 10.0), 0.05, r"\[0.0, 0.1, 0.2, ... 10.0\] \(101 in all\); the nearest is 0.0"),
        ((0.0, 1.0, 0.3), 1.0, r"default 1.0 is not one of its values \[0.0, 0.3, 0.6, 0.9\]$"),
    ],
)
def test_a_control_that_does_not_fit_has_a_way_out(given, default, error):
    with pytest.raises(ValueError, match=error):
        kf.explore(lambda a=default: [[a]], a=given)


def test_a_control_may_be_a_series():
    made = kf.explore(lambda a: [[a]], a=Series([0, 1, 2]))
    assert made._state["controls"][0]["options"] == [3.0, 1.0, 2.0]


def test_x_that_changes_is_said_in_short():
    x = np.arange(20.0)
    with pytest.raises(ValueError, match=r"its x has 2\.0 at place 2, but 1\.0") as caught:
        kf.explore(lambda a: kf.Curve(x * a, {"y": x}), a=[1, 2])
    assert str(caught.value).endswith("in every state; Lines in a Plot may change (at a=2)")
    assert len(str(caught.value)) < 200


def test_the_text_has_the_numbers_of_the_author():
    gain = kf.Curve([1, 2, 3], {"y": [1, np.nan, 1e-8]}, log="y")
    text = repr(kf.explore(lambda t: gain, t=[1]))
    assert "curve: curve 1 x 3, gaps 0.333, min 1e-08, max 1, mean 0.5" in text


@pytest.mark.parametrize("unit", ["mm", " mm"])
def test_one_blank_stands_before_a_unit(unit):
    text = repr(kf.explore(lambda t: kf.Number(t, unit=unit), t=[1, 2]))
    assert "number, 1 to 2 mm" in text


@pytest.mark.parametrize(("side", "states"), [(2000, 5), (100, 2000)])
def test_too_many_numbers_are_said_before_all_are_computed(side, states):
    noise, calls = np.random.default_rng(0), []

    def matrix(t):
        calls.append(t)
        return noise.random((side, side))

    with pytest.raises(ValueError, match="combinations alone take more than the 1,000,000 char"):
        kf.explore(matrix, t=range(states))
    assert len(calls) * side**2 <= 4_000_000


def test_too_many_pictures_are_said_before_all_are_drawn():
    noise, calls = np.random.default_rng(0), []

    def picture(t):
        calls.append(t)
        return kf.Image(noise.random((300, 300)))

    with pytest.raises(ValueError, match=r"of 2,000 combinations already add .* thin 't'.*smaller"):
        kf.explore(picture, t=range(2000))
    assert len(calls) < 20


def test_live_figures_have_numbers_but_no_pictures():
    made = kf.explore(lambda t: kf.Number(t * 2), t=(0.0, 1.0), live=True)
    made.value = {"t": 0.25}
    assert made._numbers.reader()(0, [0.25]) == 0.5
    with pytest.raises(NotForThePageError, match="can't compute a panel of Text; leave"):
        kf.explore(lambda t: kf.Text("a"), t=(0.0, 1.0), live=True)


def test_what_others_take_of_it_comes_through_its_doors():
    rooms = ("d2lmini", "pages", "tools", "classroom", "benchmarks")
    taken = {
        (getattr(node, "module", None) or one.name, one.name)
        for room in rooms
        for path in (HOME.parent / room).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for one in node.names
    }
    inside = {pair for pair in taken if pair[0].startswith("kernelfree")}
    inside -= {("kernelfree", name) for name in ("kernelfree", *kf.__all__)}
    assert inside == {("kernelfree.book", name) for name in kf.book.__all__}
