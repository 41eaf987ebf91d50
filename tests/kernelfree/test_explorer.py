"""explore(): what it computes, stores, promises as a widget, and refuses."""

import ast
import base64
import copy
import gzip
import html
import inspect
import io
import json
import pickle
import re
import tracemalloc
import typing
from fractions import Fraction
from pathlib import Path

import hypothesis.strategies as st
import ipywidgets
import matplotlib
import matplotlib.figure
import nbformat
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from nbclient import NotebookClient
from PIL import Image

from d2lmini import Bars, Curve, Heatmap, Plot, Points, Prediction, Words, explore
from d2lmini.roles import ROLES, symbols_on_dark
from kernelfree import Number, axes, colors, explorer, palette, png, scales, states, texts
from kernelfree.explorer import Figure, slug
from kernelfree.panels import _marks_picture
from kernelfree.panels import curve as curves
from kernelfree.script import script
from kernelfree.widget import VIEW

ROOT = Path(explorer.__file__).parent
HOUSE = ROOT.parent


def weights(first, second):
    """Uniform weights over the first keys of each of two rows."""
    lengths = torch.tensor([[first], [second]])
    return (torch.arange(4)[None] < lengths) / lengths


def figure(**options):
    return explore(weights, first=range(1, 5), second=range(1, 5), **options)


def table_of(made, panel=0, key="cells"):
    """A stored table of a figure."""
    return made._state["tables"][made._state["panels"][panel]["tables"][key]]


def decode(stored, sizes, state):
    """An independent, slow reading of a stored table: the rows of one state, with their sums."""
    gap, *rows = stored["data"].split(" ")
    places = [int(place) for place in np.unravel_index(state, sizes)]
    width = stored["columns"]
    found = []
    for row in rows:
        used, steps, text = row.split(":")
        shape = [size if int(used) & 2**n else 1 for n, size in enumerate(sizes)]
        here = [place if int(used) & 2**n else 0 for n, place in enumerate(places)]
        runs = [[*run.split("~"), "1"][:2] for run in text.split(",")]
        numbers = [int(run or "0", 36) for run, count in runs for _ in range(int(count))]
        grid = np.array(numbers).reshape(*shape, width)
        stepped = [bool(int(steps) & 2**n) for n in range(len(sizes) + 1)]
        cells = []
        for column in range(width):
            # The sum of all that stands before, along the axes of differences.
            at = zip([*here, column], stepped, strict=True)
            cells.append(int(grid[tuple(slice(0 if s else p, p + 1) for p, s in at)].sum()))
        unit = 10 ** stored["decimals"]
        odd = {int(gap): float("nan"), int(gap) - 1: 5e-324, int(gap) - 2: -5e-324}
        found.append([odd.get(cell, cell / unit) for cell in cells])
    return np.array(found)


# ---- what is stored ----------------------------------------------------------------------------


@settings(deadline=None, max_examples=60)
@given(
    shape=st.tuples(st.integers(1, 3), st.integers(1, 4), st.integers(1, 3), st.integers(1, 6)),
    exponent=st.integers(-9, 9),
    shift=st.sampled_from([0, 0, 1, 1000]),
    seed=st.integers(0, 2**31),
)
def test_stored_numbers_are_close_and_zeros_and_masks_exact(shape, exponent, shift, seed):
    rng = np.random.default_rng(seed)
    first, second, rows, columns = shape
    table = (rng.normal(size=(first * second, rows, columns)) + shift) * 10.0**exponent
    table[rng.random(table.shape) < 0.2] = 0
    table[rng.random(table.shape) < 0.2] = np.nan
    stored = states.store(table, [first, second])
    known = table[~np.isnan(table)]
    span = (np.ptp(known) or abs(known[0]) or 1) if known.size else 1
    for state in range(first * second):
        found = decode(stored, [first, second], state)
        np.testing.assert_array_equal(np.isnan(found[:, :-1]), np.isnan(table[state]))
        places = np.unravel_index(state, (first, second))
        loaded = states.rows_at(states.unpack(stored, [first, second]), places)
        np.testing.assert_array_equal(loaded, found[:, :-1])
        error = np.abs(found[:, :-1] - table[state])
        assert np.nanmax(error, initial=0) <= 0.00050001 * span
        assert (found[:, :-1][table[state] == 0] == 0).all()
        np.testing.assert_allclose(
            found[:, -1], np.nansum(table[state], -1), atol=0.00050001 * span
        )


def test_rows_are_stored_for_the_controls_that_they_depend_on():
    stored = table_of(figure())
    _, *rows = stored["data"].split(" ")
    assert [row.split(":")[0] for row in rows] == ["1", "2"]
    assert [len(texts.decode(row.split(":")[2])) for row in rows] == [4 * 5, 4 * 5]


@settings(deadline=None)
@given(seed=st.integers(0, 2**31), shape=st.tuples(st.integers(1, 4), st.integers(1, 4)))
def test_integers_come_back_from_their_shortest_text(seed, shape):
    rng = np.random.default_rng(seed)
    first, second = np.arange(shape[0])[:, None, None], np.arange(shape[1])[:, None]
    slopes = rng.integers(-40, 40, 3)
    smooth = slopes[0] * first + slopes[1] * second + slopes[2] * np.arange(5)
    for numbers in (smooth, rng.integers(-999, 999, smooth.shape), smooth * (second > 1)):
        used, found = states.unsqueeze(states.squeeze(numbers), shape, 5)
        np.testing.assert_array_equal(np.broadcast_to(found, numbers.shape), numbers)
        assert used == sum(2**axis for axis in (0, 1) if np.diff(numbers, axis=axis).any())


def test_minus_infinity_and_a_mask_are_masked():
    def scores(length):
        matrix = torch.tensor([[1.0, 2.0, 3.0]])
        hide = torch.arange(3)[None] >= length
        return {
            "infinite": Heatmap(matrix.masked_fill(hide, -torch.inf), "score"),
            "marked": Heatmap(matrix, "score", masked=hide),
        }

    made = explore(scores, length=[1, 2])
    for at, panel in enumerate(made._state["panels"]):
        assert panel["masked"]
        np.testing.assert_array_equal(decode(table_of(made, at), [2], 0), [[1, np.nan, np.nan, 1]])
    assert len(made._state["tables"]) == 1  # equal tables are stored once


def test_one_scale_for_each_role_over_all_panels_and_states():
    def both(size):
        return {"a": torch.full((1, 2), 0.1 * size), "b": torch.tensor([[0.0, 0.05]])}

    made = explore(both, size=[1, 2, 3])
    assert list(made._state["scales"]) == ["weight"]
    scale = made._state["scales"]["weight"]
    assert (scale["low"], scale["high"]) == (0, 0.3)
    assert [text for _, text in scale["ticks"]] == ["0", "0.15", "0.3"]
    # It ends at two digits, forgiving what floats add.
    assert [scales.round_up(n) for n in (1.0000001, 0.8437, 0)] == [1, 0.85, 1]


def test_scores_below_zero_get_a_scale_symmetric_about_zero():
    made = explore(lambda t: Heatmap([[-3.0 * t, 1.0]], "score"), t=[1, 2])
    scale = made._state["scales"]["score"]
    assert (scale["low"], scale["high"]) == (-6, 6)
    for ramp in (scale["light"], scale["dark"]):
        assert len(ramp) == 17
        assert ramp[8:] == scales.ramp("score", ramp is scale["dark"], False)


@pytest.mark.parametrize(
    ("clim", "ends", "colors"),
    [
        ((285, 305), (285, 305), 9),
        ((-305, -285), (-305, -285), 9),
        ((0, 5), (0, 5), 9),
        ((-5, 20), (-20, 20), 17),
    ],
)
def test_an_author_says_where_a_scale_begins_and_ends(clim, ends, colors):
    low, high = clim
    cells = np.linspace(low, high, 6).reshape(2, 3)
    made = explore(lambda t: Heatmap(cells, clim=clim), t=[1, 2])
    [scale] = made._state["scales"].values()
    assert (scale["low"], scale["high"]) == ends
    assert len(scale["light"]) == len(scale["dark"]) == colors
    # In the still picture, too, the far end stands out most, and no number is left out.
    map_of = png.colors_of(*ends, "#1f6fd0")
    opaque = map_of([0.0, 0.999])[:, 3]
    assert opaque[1] == pytest.approx(1, abs=0.01)
    assert opaque[0] == (pytest.approx(1) if colors == 17 else pytest.approx(0.14))


@pytest.mark.parametrize(
    ("panels", "message"),
    [
        (lambda t: Heatmap([[3.0]], clim=(0, 2)), r"clim: \(0.0, 2.0\) must hold .* 3 to 3"),
        (lambda t: Heatmap([[3.0]], clim=(5, 2)), r"the panel, clim: expected \(low, high\)"),
        (
            lambda t: Heatmap([[3.0]], clim=(0, 5 + t)),
            r"its clim is \[0.0, 7.0\], but \[0.0, 6.0\]",
        ),
        (
            lambda t: {c: Heatmap([[3.0]], clim=(0, end)) for c, end in (("A", 4), ("B", 5))},
            r"panel 'B', clim: panels of role 'weight' share .* \(0.0, 5.0\) and \(0.0, 4.0\)",
        ),
    ],
)
def test_a_scale_that_cannot_be(panels, message):
    with pytest.raises(ValueError, match=message):
        explore(panels, t=[1, 2])


def test_a_scale_far_from_zero_tells_its_ticks_apart_and_may_hold_nothing():
    made = explore(lambda t: Heatmap([[-np.inf]], clim=(101_325, 101_326)), t=[1, 2])
    [scale] = made._state["scales"].values()
    assert scale["ticks"] == [[101_325, "101325"], [101_325.5, "101325.5"], [101_326, "101326"]]


def test_bars_of_a_role_may_go_beyond_its_shades():
    shown = {
        "cells": Heatmap([[290.0, 300.0]], clim=(285, 305)),
        "bars": Bars([1, 2], role="weight"),
    }
    made = explore(lambda t: shown, t=[1, 2])
    assert made._state["scales"]["weight"]["low"] == 285
    assert made._state["panels"][1]["yaxis"] == (0, 2)


def test_heights_and_shades_share_a_scale_by_a_role_that_is_named():
    for role, top in (("weight", 8), ("number", 2)):
        panels = {"cells": Heatmap([[8.0]], role), "bars": Bars([1, 2], role=role)}
        made = explore(lambda t, panels=panels: panels, t=[1, 2])
        assert made._state["panels"][1]["yaxis"] == (0, top)
        assert made._state["scales"][role]["high"] == 8


@pytest.mark.parametrize("dark", [False, True])
def test_the_far_end_of_a_scale_has_the_most_colour(dark):
    """So 1 and -1 are told apart by how dark they are, too."""
    lowest, *_, highest = map(colors.to_lab, scales.ramp("query", dark, True))
    role = colors.to_lab(ROLES["query"][dark])
    surface = colors.to_lab(scales.SURFACE[dark])
    assert abs(lowest - surface)[0] < abs(highest - surface)[0]
    assert np.hypot(*lowest[1:]) < np.hypot(*highest[1:])
    assert highest[0] < role[0]  # deeper than letters, and on dark pages less bright
    assert dark or scales.ramp("query", dark, True)[0] == scales.NEGATIVE[dark]  # not deeper
    assert not dark or np.hypot(*highest[1:]) > np.hypot(*role[1:])


def test_what_rounding_makes_of_zero_counts_as_zero():
    assert scales.scale("score", -1.5e-8, 1.0)["low"] == 0.0
    assert axes.axis(-1.5e-8, 1.0, False)["low"] == 0.0
    x = torch.tensor([-1.0, -1.5e-8, 1e-4, 1.0])
    shown = explore(lambda up=0: Curve(x, {"line": x + up}), up=[0, 1], title="Zero")
    assert '"columnNames":["\\u22121","0","0.0001","1"]' in bundle(shown)["text/html"]


def test_weights_are_the_reds_of_the_other_heatmaps():
    at = np.linspace(0.1, 1, 5)
    reds = [matplotlib.colors.to_hex(matplotlib.colormaps["Reds"](place)) for place in at]
    assert scales.ramp("weight", False, False)[::2] == reds


@pytest.mark.parametrize("role", palette.ROLES)
@pytest.mark.parametrize("dark", [False, True])
def test_larger_numbers_stand_out_more_from_light_and_dark_pages(role, dark):
    page = colors.to_lab(scales.SURFACE[dark])
    far = [np.linalg.norm(colors.to_lab(color) - page) for color in scales.ramp(role, dark, True)]
    for side in (far[8::-1], far[8:]):
        assert side[0] > 0.06  # not even the smallest looks like 0
        assert (np.diff(side) > 0.03).all()


def test_the_function_is_called_without_gradients_and_may_return_a_leaf():
    matrix = torch.ones(1, 2, requires_grad=True)

    def product(t):
        assert not torch.is_grad_enabled()
        return matrix * t if t else matrix

    explore(product, t=[0, 1])


@pytest.mark.parametrize(
    "matrix",
    [
        [[0, 1], [1, 0]],
        np.eye(2)[::-1],
        torch.tensor([[0.0, 1], [1, 0]], dtype=torch.bfloat16),
        torch.tensor([[0, 1], [1, 0]]),
        torch.tensor([[False, True], [True, False]]),
    ],
    ids=["list", "numpy", "bfloat16", "int", "bool"],
)
def test_matrices_of_many_kinds(matrix):
    stored = table_of(explore(lambda t: matrix, t=[1]))
    np.testing.assert_array_equal(decode(stored, [1], 0)[:, :-1], [[0, 1], [1, 0]])


# ---- the widget --------------------------------------------------------------------------------


def test_value_starts_at_the_first_options_at_defaults_and_at_the_given_switch():
    def three(a, b=3, c="y", d=False):
        return [[a + b]]

    made = explore(three, a=[5, 6], b=range(5), c=["x", "y"], d=True)
    assert made.value == {"a": 5, "b": 3, "c": "y", "d": True}


def test_value_can_be_set_in_part_and_observed_and_linked():
    one, two = figure(), figure()
    seen = []
    one.observe(lambda change: seen.append(change["new"]), "value")
    one.value = {"second": 3}
    assert one.value == {"first": 1, "second": 3}
    assert seen == [{"first": 1, "second": 3}]
    ipywidgets.link((one, "value"), (two, "value"))
    two.value = {"first": 4}
    assert one.value == two.value == {"first": 4, "second": 3}
    ipywidgets.jslink((one, "value"), (two, "value"))


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"third": 1}, "no control 'third'; there are first, second"),
        ({"first": 9}, r"control 'first' has no value 9; it has \[1, 2, 3, 4\]"),
        ({"first": True}, "control 'first' has no value True"),
    ],
)
def test_wrong_values_are_named(value, message):
    made = figure()
    with pytest.raises(ValueError, match=message):
        made.value = value
    assert made.value == {"first": 1, "second": 1}


def test_value_from_the_page_is_accepted_as_json_writes_it():
    made = explore(lambda t, on: [[t * on]], t=[0.5, 1.0, 2.0], on=False)
    made.set_state({"value": {"t": 1, "on": True}})
    assert made.value == {"t": 1.0, "on": True}
    assert isinstance(made.value["t"], float)


@pytest.mark.parametrize(
    "values",
    [
        np.linspace(0, 1, 11),
        np.linspace(0, 1, 11, dtype=np.float32),
        list(np.linspace(0, 1, 11)),
        [i * 0.1 for i in range(11)],
        torch.linspace(0, 1, 11),
        torch.linspace(0, 1, 11, dtype=torch.float64),
    ],
)
def test_floats_are_what_they_look_like(values):
    called = []

    def scale(a=0.3):
        called.append(a)
        return [[a]]

    made = explore(scale, a=values)
    tenths = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
    assert made._state["controls"][0]["options"] == called == tenths
    assert made.value == {"a": 0.3}
    for near in (0.7, 0.7000000000000001, 7 * 0.1, np.float32(0.7), torch.tensor(0.7)):
        made.value = {"a": 0}
        made.value = {"a": near}
        assert made.value == {"a": 0.7}
    assert repr(made).endswith(
        "slider, 11 values, 0.0 to 1.0\n  11 states\n"
        "  weight: heatmap 1 x 1, min 0, max 1, mean 0.5\n  now: a=0.7"
    )
    with pytest.raises(ValueError, match=r"control 'a' has no value 0\.701"):
        made.value = {"a": 0.701}


@pytest.mark.parametrize(
    ("given", "options"),
    [
        (np.arange(-1, 1.05, 0.1), [n / 10 for n in range(-10, 11)]),
        ([1e-12, 1e-6, 1.0, 1e12], [1e-12, 1e-6, 1.0, 1e12]),
        ([np.pi, 1e20], [3.14159265359, 1e20]),
        (np.logspace(-3, 3, 7), [0.001, 0.01, 0.1, 1, 10, 100, 1000]),
        # More digits than float32 promises.
        (torch.tensor([16777213.0, 16777214.0]), [16777213.0, 16777214.0]),
        ([3], [3]),
        (range(3), [0, 1, 2]),
        ((0, 10), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
        ([0, 10], [0, 10]),
        ((1, 2, 4, 8), [1, 2, 4, 8]),
        ((4,), [4]),
        (("x", "y"), ["x", "y"]),
    ],
)
def test_values_keep_their_digits_and_lists_are_what_they_hold(given, options):
    assert explore(ones, a=given)._state["controls"][0]["options"] == options


WHOLE = [(0, 10), (0, 9), (-4, 4), (5, 5), (np.int64(1), np.int64(3)), (0, 10, 2), (0, 10, 3)]
PARTS = [(0.0, 1.0), (0, 1.0), (0.0, 1.0, 0.25), (0.0, 10.0, 3)]


@pytest.mark.parametrize("given", [*WHOLE, (0, 7, 5), *PARTS])
def test_tuples_mean_what_they_mean_to_interact(given):
    def free(a):
        return [[a]]

    made = explore(free, a=given)
    options = made._state["controls"][0]["options"]
    theirs = ipywidgets.interactive(lambda a: a, a=given).children[0]
    count = int((theirs.max - theirs.min) / theirs.step + 1e-9) + 1
    np.testing.assert_allclose(options, [theirs.min + i * theirs.step for i in range(count)])
    assert made.value["a"] == pytest.approx(theirs.value)
    assert {type(o) for o in options} == {type(theirs.min)}

    def fixed(a=options[-1]):
        return [[a]]

    assert explore(fixed, a=given).value == {"a": options[-1]}


PAIRS = [("one", 10), ("two", 20)]


@pytest.mark.parametrize(
    ("given", "kind", "values"),
    [
        (3, "slider", range(-3, 10)),
        (-1, "slider", range(-3, 2)),
        (0, "slider", [0, 1]),
        (0.5, "slider", np.linspace(-0.5, 1.5, 21)),
        (0.33, "slider", np.linspace(-0.33, 0.99, 41)),
        (PAIRS, "menu", [10, 20]),
        (dict(PAIRS), "menu", [10, 20]),
        (ipywidgets.IntSlider(7, 1, 9, 2, description="Odd"), "slider", [1, 3, 5, 7, 9]),
        (ipywidgets.FloatSlider(0.5, min=0, max=1, step=0.25), "slider", [0, 0.25, 0.5, 0.75, 1]),
        (ipywidgets.BoundedIntText(2, min=1, max=3), "slider", [1, 2, 3]),
        (ipywidgets.BoundedFloatText(0.3, min=0, max=0.5), "slider", np.linspace(0, 0.5, 6)),
        (ipywidgets.FloatLogSlider(8.0, base=2, min=0, max=4, step=1), "slider", [1, 2, 4, 8, 16]),
        (ipywidgets.SelectionSlider(options=[1, 2, 5], value=5), "slider", [1, 2, 5]),
        (ipywidgets.SelectionSlider(options=PAIRS, value=20), "slider", [10, 20]),
        (ipywidgets.SelectionSlider(options=["a", "b"], value="b"), "slider", ["a", "b"]),
        (ipywidgets.Dropdown(options=[1, 2, 5], value=2), "menu", [1, 2, 5]),
        (ipywidgets.Dropdown(options=dict(PAIRS), value=20), "menu", [10, 20]),
        (ipywidgets.Select(options=["a", "b"], value="b"), "menu", ["a", "b"]),
        (ipywidgets.RadioButtons(options=PAIRS), "menu", [10, 20]),
        (ipywidgets.ToggleButtons(options=PAIRS, value=20, description="How"), "menu", [10, 20]),
        (ipywidgets.Checkbox(True, description="On"), "switch", [False, True]),
        (ipywidgets.ToggleButton(), "switch", [False, True]),
    ],
)
def test_what_interact_takes_means_the_same(given, kind, values):
    seen = []

    def function(a):
        return [[seen.append(a) or 1]]

    made = explore(function, a=given)
    theirs = ipywidgets.interactive(lambda a: a, a=given).children[0]
    assert made.value == {"a": theirs.value}
    assert seen == (values if isinstance(values[0], str) else pytest.approx(list(values)))
    control = made._state["controls"][0]
    assert (control["kind"], control["label"]) == (kind, theirs.description)
    assert explore(function, a=given, labels={"a": "A"})._state["controls"][0]["label"] == "A"


def test_what_is_fixed_is_no_control():
    made = explore(lambda a, b, c=3: Number(a + b + c), a=[1, 2], b=ipywidgets.fixed(20))
    assert made.value == {"a": 1}
    assert "number: number, 24 to 25" in repr(made)
    assert made.function(1, 2).value == 6
    with pytest.raises(ValueError, match="no controls"):
        explore(lambda b: [[b]], b=ipywidgets.fixed(20))
    with pytest.raises(ValueError, match="labels: there is no control 'b'"):
        explore(lambda a, b: [[b]], a=[1], b=ipywidgets.fixed(20), labels={"b": "B"})


def test_a_float_slider_of_a_live_function_stops_anywhere():
    slider = ipywidgets.FloatSlider(0.5, min=0, max=2, step=0.25, description="Depth")
    made = explore(lambda x: x.reshape(1, 1), x=slider, live=True)
    control = {"name": "x", "label": "Depth", "low": 0.0, "high": 2.0, "step": 0.25}
    assert made._state["controls"] == [{**control, "kind": "range", "decimals": 2}]
    made.value = {"x": 1.23}
    assert made.value == {"x": 1.23}


def test_a_named_value_may_be_anything_and_the_page_has_its_name():
    """Here two are named like each other."""
    tensor = torch.ones(2)
    choices = {"square": np.square, "none": None, "pair": (1, 2), "many": tensor, "pairs": "many"}
    seen = []

    def function(a="many"):
        return [[seen.append(a) or len(seen)]]

    asks = Prediction("Which?", {"a": "A.", "b": "B."}, "a", at={"a": (1, 2)}, then={"a": "none"})
    made = explore(function, a=choices, predict=asks)
    assert [one is other for one, other in zip(seen, choices.values(), strict=True)] == [True] * 5
    assert made._state["controls"][0]["options"] == list(choices)
    assert made._state["predict"]["then"] == {"a": "none"}
    assert made.value == {"a": (1, 2)}
    for value, name in ((None, "none"), ("square", "square"), (tensor, "many"), ("many", "pairs")):
        made.value = {"a": value}
        assert made.value["a"] is choices[name]
        assert made.get_state("value") == {"value": {"a": name}}
        assert f"now: a={name!r}" in repr(made)
    made.set_state({"value": {"a": "many"}})
    assert made.value["a"] is tensor
    for again in (copy.copy, copy.deepcopy, lambda made: pickle.loads(pickle.dumps(made))):
        assert torch.equal(again(made).value["a"], tensor)
        assert repr(again(made)) == repr(made)
    other = explore(function, a=choices)
    assert other.value == {"a": "many"}
    ipywidgets.link((made, "value"), (other, "value"))
    assert other.value["a"] is tensor
    message = r"no value 7; it has \['square', 'none', 'pair', 'many', 'pairs'\]"
    with pytest.raises(ValueError, match=message):
        made.value = {"a": 7}
    with pytest.raises(ValueError, match="the function's default 'many' is not one of its values"):
        explore(function, a={"one": 1})


def test_named_values_have_addresses_of_their_own():
    made = explore(lambda a: [[a]], a=dict(PAIRS), address={"a": ["x", "y"]})
    assert made.value == {"a": 10}
    made.set_state({"value": {"a": "y"}})
    assert made.value == {"a": 20}
    assert made.get_state("value") == {"value": {"a": "y"}}


def test_the_value_cannot_be_changed_in_place():
    made = figure()
    kept = {"first": 1, "second": 1}
    changes = [
        lambda value: value.__setitem__("first", 2),
        lambda value: value.update(first=2),
        lambda value: value.pop("first"),
        lambda value: value.popitem(),
        lambda value: value.clear(),
        lambda value: value.setdefault("third", 1),
        lambda value: value.__delitem__("first"),
        lambda value: value.__ior__({"first": 2}),
    ]
    for change in changes:
        with pytest.raises(TypeError, match="can't be changed in place; set the part that changes"):
            change(made.value)
        assert made.value == kept
    assert "now: first=1, second=1" in repr(made)
    assert json.dumps(made.value) == '{"first": 1, "second": 1}'
    assert made.get_state("value") == {"value": kept}
    made.value = {**made.value, "first": 3}
    assert made.value == {"first": 3, "second": 1}


@pytest.mark.parametrize(
    "again", [copy.copy, copy.deepcopy, lambda made: pickle.loads(pickle.dumps(made))]
)
def test_figures_are_copied_and_pickled(again):
    made = figure(title="Lengths", play="first")
    made.value = {"second": 3}
    other = again(made)
    assert isinstance(other, Figure)
    assert other.value == made.value == {"first": 1, "second": 3}
    assert repr(other) == repr(made)
    assert bundle(other)["text/html"] == bundle(made)["text/html"]
    assert other.model_id != made.model_id
    other.value = {"first": 4}
    assert made.value == {"first": 1, "second": 3}
    assert again(made.value) == made.value


def test_a_figure_keeps_its_text_and_not_its_tables():
    matrices = torch.rand(8, 64, 64, generator=torch.Generator().manual_seed(0))

    def one(which, other):
        return matrices[which]

    explore(one, which=[0], other=[0])  # what is loaded once is not the figure's
    tracemalloc.start()
    try:
        made = explore(one, which=range(8), other=range(64))  # 17 MB of float64
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 1_000_000
    assert made.value == {"which": 0, "other": 0}


# ---- what is shown -----------------------------------------------------------------------------


def test_every_title_has_its_own_address():
    # As they were, for the addresses in books and mails.
    assert slug("The Title: 2 * x") == "figure-the-title-2-x"
    assert slug("a_b") == "figure-a-b"
    assert slug("注意力") == "figure-注意力"
    assert slug("Température  d’Élan") == "figure-température-d-élan"
    assert slug("Tempe\u0301rature") == slug("Temp\u00e9rature")
    titles = ["注意力", "温度", "Внимание", "कि", "की", "x ≤ y", "x ≥ y", "→", "←", "?", "!", "—"]
    titles += ["", "١٢", "①", "👩‍🔬", "weights"]
    found = [slug(title) for title in titles]
    assert len(set(found)) == len(titles)
    for one in found:
        assert re.fullmatch(r"figure-[^\s\"'<>&?#%]+", one)
    assert f'id="{slug("注意力")}"' in bundle(figure(title="注意力"))["text/html"]


def bundle(made):
    data, _ = made._repr_mimebundle_()
    return data


def test_the_text_says_what_it_is_without_an_address():
    assert repr(figure(title="Lengths")) == (
        "Figure: Lengths\n"
        "  first: slider, 4 values, 1 to 4\n"
        "  second: slider, 4 values, 1 to 4\n"
        "  16 states\n"
        "  weight: heatmap 2 x 4, min 0, max 1, mean 0.25\n"
        "  now: first=1, second=1"
    )


def test_text_html_picture_and_view_are_offered():
    data = bundle(figure())
    assert set(data) >= {"text/plain", "text/html", "image/png", VIEW}
    assert data["text/html"] == bundle(figure())["text/html"]  # the same every time
    picture = Image.open(io.BytesIO(base64.b64decode(data["image/png"])))
    assert picture.mode == "P"
    assert len(data["image/png"]) < 10_000
    tag = re.search(r'<img alt="([^"]*)" width="(\d+)" height="(\d+)"', data["text/html"])
    assert tag.group(1) == "weights: heatmap of 2 x 4"
    assert abs(int(tag.group(2)) * 1.25 - picture.width) < 2


def test_all_figures_carry_one_script_without_what_a_strict_policy_forbids():
    texts = [bundle(figure())["text/html"], bundle(explore(lambda a: [[a]], a=[1, 2]))["text/html"]]
    scripts = [re.findall(r"<script>(.*?)</script>", text, re.DOTALL) for text in texts]
    assert scripts[0] == scripts[1]
    assert len(scripts[0]) == 1
    for word in ("eval(", "Function(", "import(", "innerHTML", "http://", "https://", "blob:"):
        assert word not in scripts[0][0]
    for text in texts:
        assert " style=" not in text
        assert "<style" not in text


def test_no_string_of_the_author_ends_the_script():
    evil = "</script><script>alert(1)</script><!--\u2028"
    made = explore(
        lambda **values: {evil: Heatmap([[1.0]], xticks=[evil], yticks=[evil], xlabel=evil)},
        title=evil,
        labels={evil: evil},
        **{evil: [evil]},
    )
    text = bundle(made)["text/html"]
    assert text.count("<script") == text.count("</script") == 2
    assert "alert(1)</" not in text
    state = re.search(r'<script type="application/json">(.*)</script>', text)
    assert json.loads(state.group(1))["title"] == evil
    assert html.escape(evil, quote=True) in text


@pytest.mark.parametrize(
    ("kind", "most", "packed"),
    [("static", 36_000, 15_100), ("live", 62_000, 25_700), ("trace", 30_000, 12_500)],
)
def test_scripts_stay_small(kind, most, packed):
    source = script(f"{kind}.js").encode()
    assert len(source) <= most
    assert len(gzip.compress(source, 9)) <= packed


def test_a_table_of_states_stays_small():
    text = bundle(explore(hundred, one=range(1, 11), two=range(1, 11)))["text/html"]
    assert f"<script>{script('static.packed.js')}</script>" in text
    own = text.replace(script("static.packed.js"), "").encode()  # a page needs the script once
    assert len(own) < 6_000
    assert len(gzip.compress(own)) < 4_000


def hundred(one, two):
    """100 states of a (2, 10) heatmap."""
    generator = torch.Generator().manual_seed(0)
    scores = torch.randn(2, 10, generator=generator)
    hide = torch.arange(10)[None] >= torch.tensor([[one], [two]])
    return torch.softmax(scores.masked_fill(hide, -torch.inf), -1)


def sanitised(text):
    rules = (Path(__file__).parents[1] / "book" / "nbval.cfg").read_text()
    pairs = re.findall("^regex: (.*)$\n^replace: (.*)$", rules, flags=re.MULTILINE)
    assert len(pairs) == 3
    for pattern, replacement in pairs:
        text = re.sub(pattern, replacement, text)
    return text


def test_strict_comparison_sees_names_and_not_numbers_or_source(monkeypatch):
    before = bundle(explore(hundred, one=[1, 2], two=[1, 2]))["text/html"]
    same = sanitised(before)
    for secret in ("DecompressionStream", "iVBOR", '"data":"-1 '):
        assert secret in before
        assert secret not in same
    monkeypatch.setattr(explorer, "script", lambda name: "changed()")
    other = explore(lambda one, two: hundred(one, two) ** 1.001, one=[1, 2], two=[1, 2])
    other._state = {**other._state, "title": "hundred", "id": "figure-hundred"}
    assert sanitised(bundle(other)["text/html"]) == same
    for change in ({"one": [1, 3]}, {"labels": {"one": "length"}}, {"title": "else"}):
        options = {"one": [1, 2], "two": [1, 2], **change}
        assert sanitised(bundle(explore(hundred, **options))["text/html"]) != same


class Person(NotebookClient):
    """Executes as JupyterLab does, for somebody who could be asked for input."""

    async def async_start_new_kernel_client(self):
        client = await super().async_start_new_kernel_client()
        client.allow_stdin = True
        return client


@pytest.mark.beyond
@pytest.mark.parametrize("client", [Person, NotebookClient])
def test_a_notebook_runs_clean_with_a_progress_bar_and_an_interrupt(client):
    cells = [
        "import time\nfrom d2lmini import explore, trace",
        "figure = explore(lambda t: [[t]], t=[1, 2])\nfigure",
        "explore(lambda t: [[time.sleep(0.4) or t]], t=range(5))",
        "def stop(t):\n    raise KeyboardInterrupt\n"
        "try:\n    explore(stop, t=[1])\nexcept KeyboardInterrupt:\n    print('stopped')",
        "explore(lambda t: [[t]], t=[1, 2])",
        "figure.value = {'t': 2}",
        "def doubled(scores):\n    return 2 * scores\ntrace(doubled, scores=[1.0])",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
    client(notebook, timeout=60, kernel_name="python3").execute()
    _, plain, slow, stopped, again, _, traced = [cell.outputs for cell in notebook.cells]
    assert stopped[0].text == "stopped\n"
    assert [o.output_type for o in plain] == ["execute_result"]
    assert again[0].data["text/html"] == plain[0].data["text/html"]
    shown = [plain, slow[-1:], again, traced]
    alone = {"text/plain", "text/html", "image/png"}
    if client is Person:
        # The bar was shown, by its view alone, and then taken away.
        assert [o.output_type for o in slow] == ["display_data", "execute_result"]
        assert slow[0].data == {}
        assert [set(one.data) for (one,) in shown] == [alone | {VIEW}] * 4
        known = notebook.metadata.widgets["application/vnd.jupyter.widget-state+json"]["state"]
        assert {one.data[VIEW]["model_id"] for (one,) in shown} <= known.keys()
        return
    # Nobody watches: no widget is in the file, not even in passing.
    assert [o.output_type for o in slow] == ["execute_result"]
    assert [set(one.data) for (one,) in shown] == [alone] * 4
    assert "widgets" not in notebook.metadata


def test_a_figure_in_another_widget_is_known_to_it():
    """Whoever is there: a box of widgets has nothing else to show."""
    notebook = nbformat.v4.new_notebook()
    cell = "import ipywidgets\nfrom d2lmini import explore\n"
    cell += "ipywidgets.VBox([explore(lambda t: [[t]], t=[1, 2])])"
    notebook.cells.append(nbformat.v4.new_code_cell(cell))
    NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    known = notebook.metadata.widgets["application/vnd.jupyter.widget-state+json"]["state"]
    (box,) = [one["state"] for one in known.values() if one["model_name"] == "VBoxModel"]
    (child,) = box["children"]
    assert known[child.removeprefix("IPY_MODEL_")]["state"]["value"] == {"t": 1}


# ---- what is refused ---------------------------------------------------------------------------


def ones(**values):
    return [[1.0]]


@pytest.mark.parametrize(
    ("values", "error", "message"),
    [
        (range(1, 1), ValueError, r" has no values: range\(1, 1\)"),
        ([], ValueError, " has no values"),
        (None, TypeError, ": expected a range, .* got NoneType"),
        ("abc", TypeError, r": a text box .* got 'abc'; .* length=\['abc', 'another'\]"),
        ([torch.ones(2)], TypeError, ": values must be all .*; give other values names, such as {"),
        ([("a", 1), ("a", 2)], ValueError, " has the value 'a' twice"),
        ({}, ValueError, " has no values"),
        (float("nan"), ValueError, ": every number must be fin"),
        (
            ipywidgets.IntSlider(min=-3, max=9, step=2),
            ValueError,
            r" has no value 0; it has \[-3, -1, 1,",
        ),
        (ipywidgets.Text("abc"), TypeError, r": expected .* got Text; .* length=\['one', 'two'\]"),
        (ipywidgets.FloatText(), TypeError, r": expected .* got FloatText; .* length=\(0, 10\)"),
        (ipywidgets.Play(), TypeError, r": .* got Play; write length=\(0, 100, 1\), play='length'"),
        (ipywidgets.IntRangeSlider(), TypeError, ": .* got IntRangeSlider; give two controls"),
        (ipywidgets.SelectMultiple(), TypeError, ": .* got SelectMultiple; give a switch for each"),
        (
            ipywidgets.DatePicker(),
            TypeError,
            r": .* got DatePicker; .* length={'May Day': datetime",
        ),
        (
            ipywidgets.ColorPicker(),
            TypeError,
            ": .* got ColorPicker; give the values to choose amo",
        ),
        ({1, 2}, TypeError, ".* got set; make a list of it"),
        ([1, "a"], TypeError, ": values must be all"),
        ([Fraction(1, 2), 1], TypeError, r": values must be all .* got \[Fraction\(1, 2\), 1\]"),
        ([True, False], TypeError, ": values must be all .* for a switch write True or False al"),
        ([1, 2, 1], ValueError, " has the value 1 twice"),
        ([0.3, 0.1 + 0.2], ValueError, r" has the value 0\.3 twice"),
        (["a", "a"], ValueError, " has the value 'a' twice"),
        ([1.0, float("nan")], ValueError, ": every value"),
        (range(10**6), ValueError, " has 1,000,000 values"),
        (range(10**30), ValueError, " has 1,000,000,000,000"),
        (range(10**30, 0, -7), ValueError, " has 142,857,142,857"),
        ((0, 10**6), ValueError, " has 1,000,001 values"),
        ((10, 0), ValueError, r": \(10, 0\) means \(low, high\)"),
        ((0, 10, 0), ValueError, ".* the step must be above 0"),
        ((1, 2, 4), ValueError, r".* write a list, \[1, 2, 4\]"),
        ((0.0, float("inf")), ValueError, ": every number must be fin"),
        ((True, False), TypeError, ": values must be all"),
        (np.ones((2, 3)), ValueError, r": expected one row of values, got 2 axes, shape \(2, 3\)"),
        (torch.tensor(3), ValueError, ": expected one row of values"),
        ([[1, 2], [3, 4]], TypeError, ": values must be all"),
        ([np.ones(2)], TypeError, ": values must be all"),
        ((n for n in [1]), TypeError, ": expected a range, .* got generator; make a list of it"),
        (map(int, "123"), TypeError, ".* got map; make a list of it"),
    ],
)
def test_bad_controls_are_named(values, error, message):
    with pytest.raises(error, match=f"control 'length'{message}"):
        explore(ones, length=values)


def test_no_controls_and_too_many_states():
    with pytest.raises(ValueError, match="no controls"):
        explore(ones)
    message = (
        r"a \(100\) x b \(100\) x c \(99\) make 990,000 combinations, .* thin 'a', .*"
        r" or let the page run the function, .*: live=True, a=\(0\.0, 99\.0\)"
    )
    with pytest.raises(ValueError, match=message):
        explore(ones, a=range(100), b=range(100), c=range(99))


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"labels": {"b": "B"}}, ValueError, "labels: there is no control 'b'"),
        ({"play": "b"}, ValueError, "play: there is no slider 'b'"),
        ({"predict": "why?"}, TypeError, "predict: expected a Prediction, got str"),
        ({"title": range(3)}, TypeError, "title: .* got range; .* can be called 'title'"),
        ({"labels": ["x"]}, TypeError, "labels: .* got list; .* no control can be called 'labels'"),
        ({"predict": True}, TypeError, "no control can be called 'predict'"),
        ({"play": [1, 2]}, TypeError, "play: .* got list; .* no control can be called 'play'"),
    ],
)
def test_bad_options_are_named(options, error, message):
    with pytest.raises(error, match=message):
        explore(ones, a=[1, 2], **options)


def test_a_function_that_does_not_fit_its_controls():
    message = r"'size': the function does not take it \(it takes length\), .* no such option$"
    with pytest.raises(TypeError, match=message):
        explore(lambda length: [[1]], length=[1], size=[2])
    for name, meant in (("titel", "title"), ("label", "labels"), ("lenght", "length")):
        message = f"control '{name}': the function does not take it .*; did you mean {meant}?"
        with pytest.raises(TypeError, match=message):
            explore(lambda length: [[1]], length=[1], **{name: {"length": "one"}})
    with pytest.raises(TypeError, match=r"\(it takes nothing\)"):
        explore(lambda: [[1]], length=[1], live=True)
    with pytest.raises(TypeError, match="missing a required argument: 'size'"):
        explore(lambda length, size: [[1]], length=[1])
    with pytest.raises(ValueError, match="control 'a': the function's default 7 is not one of"):
        explore(lambda a=7: [[1]], a=[1])
    with pytest.raises(TypeError, match="needs 'title', which is an option of explore itself"):
        explore(lambda length, title: [[1]], length=[1], title="Lengths")
    with pytest.raises(TypeError, match="expected a function, got int"):
        explore(3, a=[1])


def test_a_function_that_raises_is_named_with_its_values():
    def divide(a, b):
        return [[a / b]]

    with pytest.raises(ValueError, match=r"divide\(a=1, b=0\) raised ZeroDivisionError") as caught:
        explore(divide, a=[1, 2], b=[2, 0])
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


@pytest.mark.parametrize(
    ("result", "error", "message"),
    [
        (torch.ones(1), ValueError, r"the panel: expected a \(rows, columns\) matrix.*\(1,\)"),
        ([5], ValueError, r"got a row of 1 number, shape \(1,\); a line takes two numbers or more"),
        ([], ValueError, r"got a row of 0 numbers, shape \(0,\); a line takes two"),
        (Heatmap([1, 2]), ValueError, r"a row of 2 numbers, .*; \[row\] is a matrix of one row"),
        (
            Points([1, 2]),
            TypeError,
            "the panel: .* got Points; put it into a Plot or a Plane, such",
        ),
        ({"p": Points([1, 2])}, TypeError, r"panel 'p': .* such as Plot\({'it': Points\(...\)}\)"),
        (Bars({"a": 1, "b": 2}), ValueError, r"to stack, .* Bars\(\[1, 2\], names\)"),
        (torch.ones(1, 2, 2), ValueError, "pick one of them"),
        (torch.ones(0, 2), ValueError, r"got shape \(0, 2\)"),
        ([[1, 2], [3]], ValueError, "its rows differ in length"),
        ([["a"]], TypeError, "expected numbers, got list"),
        (torch.ones(1, 1, dtype=torch.complex64), TypeError, "expected numbers"),
        ([[2**53 + 1, 0]], ValueError, r"the panel: whole numbers .* 9,007,199,254,740,993"),
        ([[-(2**53) - 2]], ValueError, "the panel: whole numbers .* -9,007,199,254,740,994"),
        ([[float("inf")]], ValueError, r"the panel: inf at \(0, 0\)"),
        ({}, ValueError, "returned no panels"),
        ({3: [[1]]}, TypeError, "name of a panel must be a string, got 3"),
        ({"w": torch.ones(1)}, ValueError, "panel 'w': expected a"),
        (Heatmap([[1]], xticks=["a", "b"]), ValueError, "xticks: 2 labels for 1 places"),
        (Heatmap([[1]], masked=[[1]]), ValueError, "masked: expected a boolean matrix"),
        (Heatmap([[1]], masked=[[True, False]]), ValueError, r"masked: .* shape \(1, 2\)"),
        (Bars([[1]]), ValueError, "expected a row of heights"),
        (Bars([float("nan")]), ValueError, "nan at"),
        (Curve([0, 1], {}), TypeError, "lines must be a dict of at least one"),
        (Curve([1], {"y": [1]}), ValueError, r"x: expected at least two .* got shape \(1,\)"),
        (Curve([0, 1, 1], {"y": [1, 2, 3]}), ValueError, "x: .*, got 1 after 1 at place 3"),
        (Curve([0, 1], {"y": [1]}), ValueError, r"line 'y': expected shape \(2,\), got \(1,\)"),
        (Curve([0, 1], {"y": [1, 2]}, {"p": 3}), ValueError, r"point 'p': expected \(x, y\)"),
        (Curve([0, 1], {"y": [1, float("inf")]}), ValueError, "a line goes to infinity"),
    ],
)
def test_bad_panels_are_named(result, error, message):
    with pytest.raises(error, match=message):
        explore(lambda a: result, a=[1])


@pytest.mark.parametrize("large", [1.0, 2.0**53, 1e15, -1e300])
def test_rounding_beside_large_numbers_is_not_drawn(large):
    """Numbers that are one for the eye, and a mean that is nothing but their rounding."""
    matrix = np.array([[large, np.nextafter(large, 0), large] * 50])
    figure = explore(lambda a: matrix * a, a=[1])
    (table,) = figure._state["tables"]
    assert table["decimals"] <= 3
    assert len(table["data"]) < 1500
    balanced = explore(lambda a: [[large, -large + large * 1e-8]], a=[1])
    assert repr(balanced).count("mean 0\n") == 1


W = ["a", "b"]


def curve(**points):
    return Curve([0, 1], {"y": [1, 2]}, {name: (0, place) for name, place in points.items()})


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        ([[1.0]], [[1.0, 1.0]], r"its shape is \[1, 2\], but \[1, 1\] .* every state \(at a=1"),
        (Bars([1]), Heatmap([[1]]), "its kind is heatmap, but bars for the first"),
        (Heatmap([[1]], "query"), Heatmap([[1]], "key"), "its role is key, but query"),
        (Heatmap([[1.0]], absent=np.eye(1) < 0), Heatmap([[1.0]]), "its absent is False, but True"),
        (curve(a=1), curve(a=1, b=2), r"it has numbers of shapes .*\(1, 2\)"),
        (curve(a=1), curve(), "it has numbers of shapes"),
        (Words(W, [1, 2], W), Words(W, [1, 2], W, lines=True), "its lines is True, but False"),
        (Words(W, [1, 2]), Words(W), r"it has numbers of shapes \{\}"),
        (Plot({"q": Points([(0, 0)])}), Plot({"q": Points([(0, 0)] * 2)}), "it has numbers of"),
    ],
)
def test_a_panel_must_be_the_same_in_every_state(first, second, message):
    with pytest.raises(ValueError, match=f"panel 'p': {message}"):
        explore(lambda a: {"p": (first, second)[a]}, a=[0, 1])


def test_panels_must_be_the_same_in_every_state():
    with pytest.raises(ValueError, match=r"panels are \['1', '2'\], but \['1'\]"):
        explore(lambda a: {str(i): [[1]] for i in range(1, a + 1)}, a=[1, 2])


def test_too_much_to_store_says_what_to_thin():
    with pytest.raises(ValueError, match="at most 20,000,000 are possible; thin 'a'"):
        explore(lambda a: torch.ones(200, 200), a=range(1000))
    noise = torch.rand(96, 64, 64, generator=torch.Generator().manual_seed(1))
    with pytest.raises(ValueError, match=r"characters to its page.*thin 'a'"):
        explore(lambda a: noise[a], a=range(96))


def test_ticks_without_words_leave_the_axis_bare():
    bare = ["", ""]
    assert explore(lambda a: Heatmap(np.eye(2), xticks=bare, yticks=bare), a=[1])._picture()


def test_a_bar_counts_what_takes_longer_than_a_second_and_leaves_nothing(monkeypatch):
    now, seen, shown = [0.0], [], []

    class Handle:
        def update(self, bundle, raw):
            shown.append((bundle, raw))

    def display(bundle, raw, display_id):
        assert raw
        assert display_id
        shown.append(bundle)
        return Handle()

    def slow(a):
        now[0] += 0.6
        views = [bundle[VIEW]["model_id"] for bundle in shown]
        bars = [ipywidgets.widgets.widget._instances[view] for view in views]
        seen.append([(bar.value, bar.max, bar.description) for bar in bars])
        return [[a]]

    for name in ("in_notebook", "attended"):
        monkeypatch.setattr(states, name, lambda: True)
    monkeypatch.setattr("IPython.display.display", display)
    monkeypatch.setattr(states.time, "monotonic", lambda: now[0])
    explore(slow, a=range(1, 5))
    assert seen == [[], [], [(2, 4, "Computing")], [(3, 4, "Computing")]]
    bar, end = shown
    model = bar[VIEW]["model_id"]
    assert bar == {VIEW: {"version_major": 2, "version_minor": 0, "model_id": model}}
    assert model not in ipywidgets.widgets.widget._instances
    assert end == ({}, True)


# ---- how it is written -------------------------------------------------------------------------


def test_colours_and_dashes_have_one_place(monkeypatch):
    own = [color for pair in palette.ROLES.values() for color in pair]
    for path in [*ROOT.rglob("*"), *HOUSE.glob("d2lmini/*"), *HOUSE.glob("assets/book.*")]:
        if path.suffix not in (".css", ".js", ".py"):
            continue
        text = path.read_text(encoding="utf-8")
        written = [color for color in own if f"color: {color}" in text or f'"{color}"' in text]
        assert written == [] or path.name in ("palette.py", "roles.py"), path
    style = symbols_on_dark()
    for light, dark in ROLES.values():
        assert f'[class~="color:{light}"]) {{ color: {dark} !important; }}' in style
        assert f'[style*="color:{light}"]' in style
    # The still picture has the page's dashes, in widths of its lines.
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


def test_functions_fit_on_a_screen():
    for path in ROOT.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                body = node.body[1:] if ast.get_docstring(node) else node.body
                assert not body or node.end_lineno - body[0].lineno < 50, (path.name, node.name)


@pytest.mark.parametrize("public", [explore, Heatmap, Curve, Bars, Prediction, Figure])
def test_public_names_say_their_types(public):
    called = public if public is explore else public.__init__
    hints = typing.get_type_hints(called)
    names = set(inspect.signature(called).parameters) - {"self"}
    assert names <= set(hints)
    assert "return" in hints
    assert object not in hints.values()
