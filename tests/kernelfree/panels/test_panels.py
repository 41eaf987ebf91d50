"""What all panels share: how results become panels, and what stays the same in every state."""

import re

import numpy as np
import pytest
from PIL import Image as Pillow
from shown import panel_of, sheet

from kernelfree import Bars, Curve, Heatmap, Plot, Points, Words, explore


def test_what_an_author_has_is_shown_by_itself():
    given = "words", 3, np.float32(0.5), Pillow.new("RGB", (2, 3)), sheet()
    assert [panel_of(one)["kind"] for one in given] == ["text", "number", "number", "image", "image"]


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
        (Curve([0, 1], {"y": [1, 2]}), Curve([0, 2], {"y": [1, 2]}), r"its x is \[0.0, 2.0\], but"),
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


@pytest.mark.parametrize(
    "gone",
    [Curve([1, 2], {"y": [np.nan] * 2}), Curve([1, 2], {"y": [np.nan] * 2}, log="y"), Heatmap([[-np.inf]], large=True)],
)
def test_a_panel_without_a_number_is_drawn_without_a_warning(gone):
    made = explore(lambda a: gone, a=[1, 2])
    assert made._picture()[0].startswith(b"\x89PNG")
    assert re.search("(gaps|masked) 1$", repr(made), re.MULTILINE)


@pytest.mark.parametrize("panel", [Heatmap([[1, 2], [3, 4]], touch="b"), Bars([1, 2], touch="b")])
def test_a_touched_cell_or_bar_needs_a_control_with_a_value_for_each(panel):
    made = explore(lambda a, b: panel, a=[1, 2, 3], b=["x", "y"])
    assert made._state["panels"][0]["touch"] == [None, 1]
    for control, message in {"a": "there is no control 'b'", "b": "control 'b' has 1 values for 2 things to"}.items():
        with pytest.raises(ValueError, match=f"touch: {message}"):
            explore(lambda panel=panel, **_: panel, **{control: [1]})
    panel.touch = 3
    with pytest.raises(TypeError, match="touch: expected one or two names of controls, got 3"):
        explore(lambda a: panel, a=[1])
