"""Roles of an author's own and their colours."""

import numpy as np
import pytest

import kernelfree as kf
from kernelfree import Bars, Curve, Heatmap, colors, explore, palette


def test_a_role_of_ones_own_colours_every_panel(roles):
    kf.add_role("loss", "#a0307a")

    def shown(t):
        bars, curve = Bars([0.0, t], role="loss"), Curve([0, 1], {"loss": [0, t]})
        return {"map": Heatmap([[0.0, t]], role="loss"), "bars": bars, "curve": curve}

    made = explore(shown, t=[1, 2])
    state = made._state
    assert state["scales"]["loss"]["label"] == "Loss"
    assert state["panels"][1]["colors"] == [roles["loss"]]
    assert state["panels"][2]["marks"][0]["colors"] == [roles["loss"]]
    assert made._picture()[0].startswith(b"\x89PNG")


@pytest.mark.parametrize("color", ["#a0307a", "#5a5a00", "#004fc4", "#6b4f4f"])
def test_a_colour_for_dark_pages_is_found_and_both_can_be_read(color, roles):
    kf.add_role("mine", color)
    light, dark = roles["mine"]
    assert light == color
    for one, page in zip((light, dark), palette.PAGES, strict=True):
        assert colors.contrast(one, page) >= 4.5
    hues = [np.arctan2(*colors.to_lab(one)[:0:-1]) for one in (light, dark)]
    if color != "#6b4f4f":  # nearly grey
        assert abs(np.angle(np.exp(1j * (hues[0] - hues[1])))) < 0.35


@pytest.mark.parametrize("role", ["loss", "number"])
def test_a_cell_whose_colour_was_changed_is_run_again(role, roles):
    for color in ("#a0307a", "#a0307a", "#004fc4"):
        kf.add_role(role, color)
        [panel] = explore(lambda t: Bars([t], role=role), t=[1])._state["panels"]
        assert panel["colors"][0][0] == color


def test_contrast_is_that_of_the_guidelines():
    # Values of the W3C's own examples: black on white, and the least grey that passes on white.
    assert colors.contrast("#000000", "#ffffff") == pytest.approx(21)
    assert colors.contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.005)
    assert colors.contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        (("weight", "#a0307a"), ValueError, "the role 'weight' is taken"),
        (("loss", "red"), ValueError, "color must be written '#rrggbb', got 'red'"),
        (("loss", "#ffcc00"), ValueError, r"color #ffcc00 has a contrast of 1.5 : 1 with the page"),
        (("loss", "#a0307a", "#333333"), ValueError, "dark #333333 has a contrast of 1.4"),
        (("", "#a0307a"), TypeError, "name must be a word, got ''"),
    ],
)
def test_a_role_that_cannot_be_is_named(given, error, message, roles):
    with pytest.raises(error, match=message):
        kf.add_role(*given)
    assert len(roles) == 7  # the six, and "number"
