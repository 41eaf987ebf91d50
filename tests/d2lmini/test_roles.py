"""The book's roles: their colours, and the names that its figures have by them."""

from pathlib import Path

import matplotlib
import matplotlib.figure
import numpy as np
import pytest

import d2lmini
import kernelfree as kf
from d2lmini.roles import ROLES, symbols_on_dark
from kernelfree import colors, palette, scales

HOUSE = Path(d2lmini.__file__).parents[1]


def test_colours_have_one_place():
    own = [color for pair in palette.ROLES.values() for color in pair]
    places = ("kernelfree/**/*", "d2lmini/*", "assets/book.*")
    for path in (path for place in places for path in HOUSE.glob(place)):
        if path.suffix not in (".css", ".js", ".py"):
            continue
        text = path.read_text(encoding="utf-8")
        written = [color for color in own if f"color: {color}" in text or f'"{color}"' in text]
        assert written == [] or path.name in ("palette.py", "roles.py"), path
    style = symbols_on_dark()
    for light, dark in ROLES.values():
        assert f'[class~="color:{light}"]) {{ color: {dark} !important; }}' in style
        assert f'[style*="color:{light}"]' in style


def test_weights_are_the_reds_of_the_other_heatmaps():
    at = np.linspace(0.1, 1, 5)
    reds = [matplotlib.colors.to_hex(matplotlib.colormaps["Reds"](place)) for place in at]
    assert scales.ramp("weight", False, False)[::2] == reds


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("dark", [False, True])
def test_larger_numbers_stand_out_more_from_light_and_dark_pages(role, dark):
    page = colors.to_lab(scales.SURFACE[dark])
    far = [np.linalg.norm(colors.to_lab(color) - page) for color in scales.ramp(role, dark, True)]
    for side in (far[8::-1], far[8:]):
        assert side[0] > 0.06  # not even the smallest looks like 0
        assert (np.diff(side) > 0.03).all()


@pytest.mark.parametrize(("kind", "given"), [("Heatmap", [[1]]), ("Bars", [1]), ("Words", ["a"])])
def test_the_book_gives_its_own_names(kind, given):
    ours, neutral = (getattr(home, kind)(given) for home in (d2lmini, kf))
    assert (ours.role, ours.xlabel) == ("weight", "Keys")
    assert neutral.role == "number"
    assert neutral.xlabel != "Keys"
