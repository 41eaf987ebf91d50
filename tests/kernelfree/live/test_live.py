"""Live figures where no page runs: what is written down, refused, computed, copied and shown."""

import json
import math
import pickle
import random
from pathlib import Path

import ipywidgets
import numpy as np
import pytest
import torch
from PIL import Image
from shown import figure, panel, table

import kernelfree as kf
import kernelfree.book
from kernelfree import explore
from kernelfree.panels import KINDS, Panel
from kernelfree.panels._marks import Mark
from kernelfree.tracing.exporting import NotForThePageError

X, KEYS = torch.linspace(-3, 3, 61), torch.linspace(-2, 2, 5)
TABLE = torch.arange(6.0, dtype=torch.float64).reshape(2, 3) / 4


def push(query=0.5, kind="plain"):
    bell = torch.exp(-((X - query) ** 2) / 2)
    weights = torch.softmax(-((KEYS - query) ** 2) / 2, dim=0)
    weights = weights if kind == "plain" else weights.flip(0)
    marks = {"kernel": kf.Area(X, bell, role="score"), "query": kf.Rules(x=query)}
    return {
        "plot": kf.Plot(marks, xlabel=kind, drag={"query": "query"}),
        "weights": kf.Bars(weights),
        "says": f"At {query:g} the most is {weights.max():.1%} ({kind}).",
    }


def everything(n=1, x=0.25, m=TABLE):
    x = x * n
    weights = torch.softmax(m * x, -1)
    line = torch.stack([x, x**2]).reshape(1, 2) * torch.tensor([[0.0, 0.0], [1.0, 2.0]])
    side = torch.linspace(0, 1, 3, dtype=torch.float64)
    square = torch.outer(side, side)
    marks = {
        "points": kf.Points(line + 1, ["a", "b"], size=weights[0, :2], shade=weights[1, :2], role="key"),
        "query": kf.Arrows((x, 1.0)),
        "arrows": kf.Arrows(line, starts=(x, x)),
        "segments": kf.Segments([[1.0, x], [x, 2.0]]),
        "borders": kf.Borders([(1.0, 1.0), (x + 1, 2.0)], x),
        "lines": kf.Lines(line, dashed=True),
        "regions": kf.Regions([line + 1, line - 1]),
        "area": kf.Area([0.0, 1.0, 2.0], m[0], 0.5),
        "histogram": kf.Histogram(m * x, [-4.0, 0.0, 0.5, 4.0]),
        "rules": kf.Rules(y=[x, 2.0]),
        "bands": kf.Bands(x=(x, 2.0)),
        "field": kf.Field(side, side, square * x, role="value"),
    }
    gap = torch.where(m[0] > 0.3, torch.nan, x)
    return {
        "heat": kf.Heatmap(m * x, "score", masked=m > 1),
        "absent": kf.Heatmap(m - x, "score", absent=torch.eye(2, 3).bool()),
        "minus infinity": m.masked_fill(m > 0.9, -torch.inf) + x,
        "bars": kf.Bars(m[0] * x, limit=1.5, base=-9.0),
        "stacked": kf.Bars({"a": m[0] ** 2, "b": x.expand(3) ** 2}),
        "curve": kf.Curve([0.0, 1.0, 2.0], {"line": m[1], "gap": gap}, {"p": (x, 1.0)}),
        "plane": kf.Plane(marks, xlim=(-9, 9), ylim=(-9, 9), drag={"query": "x"}),
        "who": kf.Plot({"who": kf.Field(side, side, square, (square * 2 > x).long())}),
        "words": kf.Words(["a", "b", "c"], weights[0]),
        "grid": kf.Grid("heat", "n", [1.0, 2.0]),
        "number": kf.Number(m[0, 0] * x, decimals=8),
    }


@pytest.fixture(scope="module")
def pushed():
    return explore(push, query=(-2.0, 2.0), kind=["plain", "turned"], live=True)


@pytest.fixture(scope="module")
def whole():
    return explore(everything, n=[1, 2], x=(0.0, 1.0), m=kf.Matrix(TABLE, -2, 2), live=True)


def check(figure, result, tolerance):
    panels = [panel for panel in result.values() if not isinstance(panel, str)]
    panels = [p if isinstance(p, Panel) else kf.Heatmap(p) for p in panels]
    truth = [table for p in panels for _, table in sorted(p.tables("").items())]
    places = figure._now()[2]
    for number, expected in enumerate(truth):
        np.testing.assert_allclose(figure._numbers.reader()(number, places), expected, 0, tolerance)


def test_every_panel_and_mark_gives_its_functions_numbers(whole):
    shown = {type(mark) for mark in everything(1, torch.tensor(0.25))["plane"].marks.values()}
    assert shown == {*Mark.__subclasses__(), *kf.Arrows.__subclasses__()}
    kinds = {panel["kind"] for panel in whole._state["panels"]}
    assert kinds == {name for name, kind in KINDS.items() if kind.tensors is not Panel.tensors}
    rng = random.Random(0)
    for _ in range(20):
        m = [[rng.uniform(-2, 2) for _ in range(3)] for _ in range(2)]
        whole.value = {"n": rng.choice([1, 2]), "x": rng.uniform(0, 1), "m": m}
        x = torch.tensor(whole.value["x"], dtype=torch.float64)
        m = torch.tensor(whole.value["m"], dtype=torch.float64)
        check(whole, everything(whole.value["n"], x, m), 1e-12)


def test_what_is_float32_stays_float32_and_sentences_have_their_numbers(pushed):
    rng = random.Random(1)
    for _ in range(20):
        pushed.value = {"query": rng.uniform(-2, 2), "kind": rng.choice(["plain", "turned"])}
        # As with tables: the function computes the same of Python's own numbers.
        result = push(**pushed.value)
        check(pushed, result, 1e-6)
        assert pushed._now()[1] == result["says"]
        assert pushed._now()[0][0]["xlabel"] == pushed.value["kind"]


def test_values_are_checked_and_kept(pushed, whole):
    before = dict(pushed.value)
    for made, value, told in (
        (pushed, {"query": 2.5}, r"control 'query' goes from -2 to 2, got 2\.5"),
        (pushed, {"query": "a"}, "got 'a'"),
        (whole, {"m": [1.0, 2.0]}, r"'m' must have the shape \(2, 3\), got \(2,\)"),
        (whole, {"m": TABLE + 1}, "'m': every number must be from -2 to 2"),
        (whole, {"m": TABLE * math.nan}, "'m': every number must be from -2 to 2"),
    ):
        with pytest.raises(ValueError, match=told):
            made.value = value
    assert pushed.value == before
    pushed.value = {"query": np.float32(0.5)}
    assert pushed.value["query"] == 0.5
    whole.value = {"m": torch.ones(2, 3)}
    assert whole.value["m"] == [[1.0, 1.0, 1.0]] * 2


def test_it_is_pickled_printed_saved_and_drawn(pushed, tmp_path):
    pushed.value = {"query": 1.25, "kind": "turned"}
    other = pickle.loads(pickle.dumps(pushed))
    assert (other.value, repr(other)) == (pushed.value, repr(pushed))
    lines = repr(pushed).splitlines()
    assert lines[1:3] == ["  query: range, -2 to 2", "  kind: menu, 2 values, plain, turned"]
    assert lines[-1] == f"  {push(1.25, 'turned')['says']}"
    data = pushed._repr_mimebundle_()[0]
    assert data["image/png"]
    assert 'class="kernelfree-figure"' in data["text/html"]
    pushed.save(tmp_path / "push.html")
    json.dumps(pushed._state, allow_nan=False)


def test_it_starts_where_the_function_says():
    def curve(width=0.7, shift=0.125):
        return kf.Curve(X, {"bell": torch.exp(-((X - shift) ** 2) / width)})

    made = explore(curve, width=(0.1, 2.0), shift=(-1.0, 1.0), live=True)
    assert made.value == {"width": 0.7, "shift": 0.125}
    # A step is that of an arrow key; the value that nobody gave is the middle.
    made = explore(lambda t: [[t, 1.0]], t=(0.0, 1.0, 0.25), live=True)
    assert made.value == {"t": 0.5}
    assert made._state["controls"][0]["step"] == 0.25
    made.value = {"t": 0.3}  # between stops
    made = explore(lambda t, n: [[t * n]], t=(0.0, 1.0), n=(1, 3), live=True)
    assert made._state["controls"][1]["options"] == [1, 2, 3]  # whole numbers have stops
    question = kf.Prediction("?", {"a": "b", "c": "d"}, "a", at={"t": 0.2}, then={"t": 0.9})
    made = explore(lambda t: [[t, 1.0]], t=(0.0, 1.0), live=True, predict=question, play="t")
    assert made.value == {"t": 0.2}
    assert made._state["predict"]["then"] == {"t": 0.9}


def branches(t):
    return [[t, 1.0]] if t > 0.5 else [[1.0, t]]


COUNT = [0]


def counts(t):
    COUNT[0] += 1
    return [[t, float(COUNT[0])]]


TWO = np.ones((1, 2))
# Beside what test_graph.py has.
REFUSED = {
    branches: r"looks at values .* torch\.where .*line \d+ of branches: return \[\[t, 1\.0\]\] if",
    (lambda t: [[math.sqrt(t), 1.0]]): r"looks at values .*line \d+ of .*math\.sqrt",
    (lambda t: torch.tensor([[t, 1.0]])): r"torch\.stack makes one tensor of several \(line",
    (lambda t: {"": [[t]], "says": f"{t:>9.2f}"}): r"writes single numbers as .*, got '>9\.2f'",
    (lambda t: kf.Heatmap([[t]], xticks=[f"{t:.1f}"])): "xticks changes with a control that has no",
    (lambda t: kf.Text("a")): "can't compute a panel of Text; leave",
    counts: "gives other numbers than the function",
}


@pytest.mark.parametrize(("function", "told"), REFUSED.items())
def test_what_a_page_cannot_do_is_said_or_a_table_takes_over(function, told):
    with pytest.raises(NotForThePageError, match=told):
        explore(function, t=(0.25, 1.0), live=True)
    made = explore(function, t=(0.25, 1.0), live="if possible")
    assert "live" not in made._state
    assert len(made._state["controls"][0]["options"]) == 8  # as for interact: by 0.1


@pytest.mark.filterwarnings("ignore:__array_wrap__")  # PyTorch's, with NumPy 2
def test_numpy_beside_a_tensor_is_refused_with_a_way_out():
    with pytest.raises(ValueError, match=r"computes with NumPy.*torch\.exp"):
        explore(lambda t: t * TWO, t=(0.0, 1.0), live=True)
    with pytest.raises(ValueError, match=r"raised TypeError: .*make the array one, too"):
        explore(lambda t: TWO * t, t=(0.0, 1.0), live=True)


@pytest.mark.parametrize(
    ("controls", "told"),
    [
        ({"t": [0.0, 1.0]}, "every control has stops"),
        ({"t": [0.0, 1.0], "live": 3}, "live: expected True, False or 'if possible', got 3"),
        ({"t": kf.Matrix([[1.0]]), "live": False}, "a Matrix needs live=True"),
        ({"t": (1.0, 0.0)}, "the first must be below the second"),
        ({"t": (0.0, 1.0, 2.0)}, "fit between"),
        ({"t": (0.0, math.inf)}, "finite"),
        ({"t": kf.Matrix(((1.0, math.nan),))}, "finite"),
        ({"t": kf.Matrix(1.0)}, "a row or a table"),
        ({"t": kf.Matrix((1.0, 2.0), 3, 1)}, "low must be below high"),
        ({"t": kf.Matrix((1.0, 2.0), 0, 1)}, "from 0 to 1"),
        ({"t": (0.0, 1.0), "n": range(101)}, r"n \(101\) make 101 graphs, at most 100"),
    ],
)
def test_options_and_controls_are_checked(controls, told):
    with pytest.raises((TypeError, ValueError), match=told):
        explore(lambda t, n=1: [[t * n]], **{"live": True, **controls})


def test_what_has_no_stops_is_not_touched_and_a_shape_does_not_change():
    with pytest.raises(ValueError, match=r"its shape is \[1, 3\], but \[1, 2\].*\(at t="):
        explore(lambda t: torch.ones(1, 3 if t > 0.5 else 2), t=(0.0, 1.0), live=True)
    with pytest.raises(ValueError, match="has no stops, so it can't be touched"):
        explore(lambda t: kf.Words(["a", "b"], [t, 1.0], touch="t"), t=(0.0, 1.0), live=True)


def test_a_tensor_is_taken_where_an_array_is():
    for dtype in (torch.bfloat16, torch.int64, torch.bool):
        made = explore(lambda t, dtype=dtype: torch.eye(2).flip(0).to(dtype), t=[1])
        assert table(made, "cells", 0).tolist() == [[0, 1], [1, 0]]
    for numbers in (torch.linspace(0, 1, 11), torch.linspace(0, 1, 11, dtype=torch.float64)):
        made = explore(lambda a: [[a]], a=numbers)
        assert made._state["controls"][0]["options"] == [n / 10 for n in range(11)]
        made.value = {"a": torch.tensor(0.7)}
        assert made.value == {"a": 0.7}
    for shown, given, told in (
        ([[1.0]], torch.tensor(3), "expected one row of values"),
        ([[1.0]], [torch.ones(2)], r"values must be all .*; give other values names"),
        (torch.ones(1, 1).cfloat(), [1], "expected numbers"),
    ):
        with pytest.raises((TypeError, ValueError), match=told):
            explore(lambda a, shown=shown: shown, a=given)


def test_the_function_is_called_without_gradients_and_may_return_a_leaf():
    matrix = torch.ones(1, 2, requires_grad=True)

    def product(t):
        assert not torch.is_grad_enabled()
        return matrix * t if t else matrix

    explore(product, t=[0, 1])


def test_a_float_slider_of_a_live_function_stops_anywhere():
    slider = ipywidgets.FloatSlider(0.5, min=0, max=2, step=0.25, description="Depth")
    made = explore(lambda x: x.reshape(1, 1), x=slider, live=True)
    control = {"name": "x", "label": "Depth", "low": 0.0, "high": 2.0, "step": 0.25}
    assert made._state["controls"] == [{**control, "kind": "range", "decimals": 2}]
    made.value = {"x": 1.23}
    assert made.value == {"x": 1.23}


def test_a_mark_of_a_live_figure_is_dragged_along_what_it_follows():
    def shown(at, tilt=0.5, drag="at"):
        return kf.Plot({"it": kf.Points((at, 1.0)), "or": kf.Borders((1.0, tilt))}, drag={"it": drag})

    free = {"at": (0.0, 1.0), "live": True}
    assert panel(explore(shown, **free))["marks"][0]["drag"] == [0]
    with pytest.raises(ValueError, match="mark 'it' moves 'b', but stands at one place"):
        explore(lambda at, b: shown(at, drag="b"), b=[1, 2], **free)
    with pytest.raises(ValueError, match="mark 'or' moves 'at', but stands at one place"):
        explore(lambda at: kf.Plot({"or": kf.Borders((1.0, at))}, drag={"or": "at"}), **free)


def test_figures_share_a_script(tmp_path, capsys):
    shared = tmp_path / "scripts" / "figures.js"
    shared.parent.mkdir()
    (tmp_path / "pages").mkdir()

    def save(made, name):
        made.save(tmp_path / "pages" / name, script="../scripts/figures.js")
        said = [line.partition(":")[0] for line in capsys.readouterr().out.splitlines()]
        assert [Path(path).name for path in said] == [name, f"{Path(name).stem}.png", "figures.js"]
        return shared.read_text()

    static = save(figure(), "one.html")
    text = (tmp_path / "pages" / "one.html").read_text()
    assert text.count("<script") == 2
    assert '<script src="../scripts/figures.js"></script>' in text
    for inline in ("<style", "style=", "data:", "<script>"):
        assert inline not in text
    with Image.open(tmp_path / "pages" / "one.png") as picture:
        picture.verify()
    # A live figure needs more of it, and takes nothing from the others.
    live = save(explore(lambda t: t.reshape(1, 1), t=(0.0, 1.0), live=True), "two.html")
    assert len(live) > 1.3 * len(static)
    assert save(figure(), "one.html") == live
    # One of another version is written anew, and one of this version is left alone.
    shared.write_text(live.replace("(()=>", "(() =>"))
    assert save(figure(), "one.html") == live
    before = shared.stat().st_mtime_ns
    save(figure(), "one.html")
    assert shared.stat().st_mtime_ns == before
