"""Scales of colour: one for each role, over all panels and states."""

import io

import numpy as np
import pytest
from PIL import Image
from shown import bundle

from kernelfree import Bars, Curve, Heatmap, Plot, Points, Words, axes, colors, explore, palette, png, scales


def test_one_scale_for_each_role_over_all_panels_and_states():
    def both(size):
        return {"a": np.full((1, 2), 0.1 * size), "b": np.array([[0.0, 0.05]])}

    made = explore(both, size=[1, 2, 3])
    assert list(made._state["scales"]) == ["number"]
    scale = made._state["scales"]["number"]
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
    [((285, 305), (285, 305), 9), ((-305, -285), (-305, -285), 9), ((0, 5), (0, 5), 9), ((-5, 20), (-20, 20), 17)],
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
        (lambda t: Heatmap([[3.0]], clim=(0, 5 + t)), r"clim is \[0.0, 7.0\], but \[0.0, 6.0\]"),
        (
            lambda t: {c: Heatmap([[3.0]], clim=(0, end)) for c, end in (("A", 4), ("B", 5))},
            r"panel 'B', clim: panels of role 'number' share .* \(0.0, 5.0\) and \(0.0, 4.0\)",
        ),
    ],
)
def test_a_scale_that_cannot_be(panels, message):
    with pytest.raises(ValueError, match=message):
        explore(panels, t=[1, 2])


@pytest.mark.parametrize(
    ("panels", "message"),
    [
        (lambda t: Heatmap([[3.0]], cmap="virdis"), "the panel, cmap: .* got 'virdis'; did you mean 'viridis'"),
        (lambda t: Heatmap([[3.0]], cmap=3), "cmap: expected the name of a colour map .* got 3 "),
        (
            lambda t: {c: Heatmap([[3.0]], cmap=c) for c in ("magma", "RdBu")},
            "panel 'RdBu', cmap: panels of role 'number' share one scale, got 'RdBu' and 'magma'",
        ),
        (lambda t: Bars([1.0], color="red"), "the panel, color: must be written '#rrggbb', got 'red'"),
        (lambda t: Bars([1.0], color="#ffff00"), "color: #ffff00 has a contrast of 1.1 : 1 with the page #ffffff"),
        (lambda t: Curve([0, 1], {"a": [1, 2]}, color={"b": "#b3261e"}), "color: there is no 'b'; there are 'a'"),
        (lambda t: Curve([0, 1], {"a": [1, 2]}, color={"a": "red"}), "color of 'a': must be written '#rrggbb'"),
        (lambda t: Bars([1.0], color=["#b3261e"]), "color: expected '#rrggbb' or a dict .* got list"),
    ],
)
def test_a_colour_that_cannot_be(panels, message):
    with pytest.raises((ValueError, TypeError), match=message):
        explore(panels, t=[1, 2])


def test_bars_and_lines_have_a_colour_of_their_own():
    red, blue = "#b3261e", "#1f6fd0"
    stacked = Bars({"a": [1.0], "b": [2.0], "query": [1.0]}, color={"b": red})
    lines = {"a": [1, 2], "query": [0, 1]}
    shown = {
        "plain": Bars([1.0, 2.0], color=red),
        "stacked": stacked,
        "all": Curve([0, 1], lines, color=red),
        "one": Curve([0, 1], lines, color={"query": blue}),
    }
    made = explore(lambda t: shown, t=[1, 2])
    plain, stacked, every, one = made._state["panels"]
    pair = (red, colors.lighter(red))
    assert plain["colors"] == [pair]
    assert stacked["colors"] == [palette.GREYS[0], pair, palette.ROLES["query"]]
    assert stacked["legend"][1] == ["\u25a0 b", pair]
    assert every["marks"][-1]["colors"] == [pair, pair]
    assert one["marks"][-1]["colors"] == [palette.GREYS[0], (blue, colors.lighter(blue))]
    assert colors.contrast(pair[1], palette.PAGES[1]) > 4.5


@pytest.mark.parametrize(
    ("name", "cells", "first", "middle", "last"),
    [
        ("viridis", [1.0, 4.0], "#440154", "#21918c", "#fde725"),
        ("viridis", [-1.0, 4.0], "#440154", "#21918c", "#fde725"),
        ("RdBu_r", [-4.0, 1.0], "#053061", "#f7f6f6", "#67001f"),
        ("RdBu_r", [1.0, 4.0], "#f7f6f6", "#e48066", "#67001f"),  # nothing is on the blue side
    ],
)
def test_a_map_of_colours_has_zero_in_its_middle_where_numbers_are_on_both_sides(name, cells, first, middle, last):
    made = explore(lambda t: {"a": Heatmap([cells], cmap=name), "b": Heatmap([cells])}, t=[1, 2])
    [scale] = made._state["scales"].values()
    assert (scale["low"], scale["high"]) == (-4.0 if min(cells) < 0 else 0, 4)
    assert scale["light"] == scale["dark"]
    for place, color in zip((0, 16, 32), (first, middle, last), strict=True):
        assert np.allclose(colors.rgb(scale["light"][place]), colors.rgb(color), atol=0.03)
    still = Image.open(io.BytesIO(made._picture()[0])).convert("RGBA")
    end = np.array([*(255 * colors.rgb(last)), 255])
    assert (np.abs(np.asarray(still) - end).max(-1) < 12).any()
    assert "cmap" not in made._state["panels"][0]


def test_words_share_the_scale_of_a_map():
    shown = {"cells": Heatmap([[0.5, 1.0]], cmap="magma"), "words": Words(["a", "b"], [0.5, 1.0])}
    shown["between"] = Words(["a", "b"], [0.5, 1.0], ["c"], lines=True)
    assert explore(lambda t: shown, t=[1, 2])._picture()[0].startswith(b"\x89PNG")


def test_a_scale_far_from_zero_tells_its_ticks_apart_and_may_hold_nothing():
    made = explore(lambda t: Heatmap([[-np.inf]], clim=(101_325, 101_326)), t=[1, 2])
    [scale] = made._state["scales"].values()
    assert scale["ticks"] == [[101_325, "101325"], [101_325.5, "101325.5"], [101_326, "101326"]]


def test_bars_of_a_role_may_go_beyond_its_shades():
    shown = {"cells": Heatmap([[290.0, 300.0]], "weight", clim=(285, 305)), "bars": Bars([1, 2], role="weight")}
    made = explore(lambda t: shown, t=[1, 2])
    assert made._state["scales"]["weight"]["low"] == 285
    assert made._state["panels"][1]["yaxis"] == (0, 2)


def test_heights_and_shades_share_a_scale_by_a_role_that_is_named():
    for role, top in (("weight", 8), ("number", 2)):
        shaded = Plot({"p": Points([[0, 0], [1, 1]], shade=[0.1, 8.0], role=role)})
        panels = {"shades": shaded, "bars": Bars([1, 2], role=role)}
        made = explore(lambda t, panels=panels: panels, t=[1, 2])
        assert made._state["panels"][1]["yaxis"] == (0, top)
        assert made._state["scales"][role]["high"] == 8


@pytest.mark.parametrize("dark", [False, True])
def test_the_far_end_of_a_scale_has_the_most_colour(dark, roles):
    lowest, *_, highest = map(colors.to_lab, scales.ramp("query", dark, True))
    role = colors.to_lab(roles["query"][dark])
    surface = colors.to_lab(scales.SURFACE[dark])
    assert abs(lowest - surface)[0] < abs(highest - surface)[0]
    assert np.hypot(*lowest[1:]) < np.hypot(*highest[1:])
    assert highest[0] < role[0]  # deeper than letters, and on dark pages less bright
    assert dark or scales.ramp("query", dark, True)[0] == scales.NEGATIVE[dark]  # not deeper
    assert not dark or np.hypot(*highest[1:]) > np.hypot(*role[1:])


def test_what_rounding_makes_of_zero_counts_as_zero():
    assert scales.scale("score", -1.5e-8, 1.0)["low"] == 0.0
    assert axes.axis(-1.5e-8, 1.0, False)["low"] == 0.0
    x = np.array([-1.0, -1.5e-8, 1e-4, 1.0])
    shown = explore(lambda up=0: Curve(x, {"line": x + up}), up=[0, 1], title="Zero")
    assert '"columnNames":["\\u22121","0","0.0001","1"]' in bundle(shown)["text/html"]
