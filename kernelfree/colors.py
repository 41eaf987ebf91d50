"""Colours as numbers: how far apart they look, and roles of an author's own."""

import re
from collections.abc import Mapping
from difflib import get_close_matches

import numpy as np

from .palette import PAGES, RESERVED, ROLES

CONTRAST = 4.5
# Maps of matplotlib whose middle is the colour of nothing.
DIVERGING = {
    *("PiYG", "PRGn", "BrBG", "PuOr", "RdGy", "RdBu", "RdYlBu", "RdYlGn", "Spectral", "coolwarm"),
    *("bwr", "seismic", "berlin", "managua", "vanimo"),
}
TO_LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def rgb(color):
    """Red, green and blue of '#rrggbb', from 0 to 1."""
    return np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)]) / 255


def linear(color):
    """The light of each part of '#rrggbb'."""
    parts = rgb(color)
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def to_lab(color):
    """OKLab coordinates of '#rrggbb': distances in them look alike."""
    return TO_LAB @ np.cbrt(TO_LMS @ linear(color))


def to_hex(lab):
    """'#rrggbb' of OKLab coordinates."""
    light = np.linalg.solve(TO_LMS, np.linalg.solve(TO_LAB, lab) ** 3).clip(0, 1)
    parts = np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)
    return "#" + "".join(f"{round(255 * part):02x}" for part in parts)


def contrast(one, other):
    """The contrast of two colours as WCAG 2.2 counts it, from 1 to 21."""
    light, dark = sorted(
        (0.05 + linear(color) @ [0.2126, 0.7152, 0.0722] for color in (one, other)), reverse=True
    )
    return float(light / dark)


def add_role(name: str, color: str, dark: str | None = None) -> None:
    """Add a role of your own: from now on panels and lines may have it.

    Added once more, it has its new colours in the figures that are made from then on: a cell whose
    colour was changed may be run again. "number" is the role of panels that are given none; added,
    it has other colours in all of them.

    Parameters
    ----------
    name : str
        What the numbers are, such as 'loss'. The colour bar says it.
    color : str
        '#rrggbb', on light pages.
    dark : str, optional
        '#rrggbb', on dark pages; if not given, a lighter `color` of the same hue.

    Raises
    ------
    ValueError
        When `name` is a role that a package keeps to itself, or a colour has a contrast of less
        than 4.5 : 1 with its page.
    """
    if not isinstance(name, str) or not name.strip():
        raise TypeError(f"add_role: name must be a word, got {name!r}")
    if name in RESERVED:
        raise ValueError(f"add_role: the role {name!r} is taken; choose another name")
    ROLES[name] = readable("add_role: color", color, dark)


def readable(what, color, dark=None):
    """A colour on light pages and on dark ones; raise if it can't be read on them."""
    names = what, "add_role: dark" if dark else what
    pair = check_color(what, color), check_color(names[1], dark) if dark else lighter(color)
    for name, own, page in zip(names, pair, PAGES, strict=True):
        if (found := contrast(own, page)) < CONTRAST:
            raise ValueError(
                f"{name} {own} has a contrast of {found:.1f} : 1 with the page "
                f"{page}, at least {CONTRAST} are needed to read it"
            )
    return pair


def check_color(what, color):
    """Return '#rrggbb'; raise if it is something else."""
    if not isinstance(color, str) or not re.fullmatch("#[0-9a-fA-F]{6}", color):
        raise ValueError(f"{what} must be written '#rrggbb', got {color!r}")
    return color.lower()


def own_colors(given, names, what):
    """The colours that an author gives to what has these names: a pair for each, or None.

    `given` is None, one colour for all, or a dict of name -> colour.
    """
    if given is None or isinstance(given, str):
        return [given and readable(f"{what}, color:", given)] * len(names)
    if not isinstance(given, Mapping):
        raise TypeError(
            f"{what}, color: expected '#rrggbb' or a dict of name -> '#rrggbb', "
            f"got {type(given).__name__}"
        )
    if unknown := [name for name in given if name not in names]:
        raise ValueError(
            f"{what}, color: there is no {unknown[0]!r}; there are {', '.join(map(repr, names))}"
        )
    pairs = {name: readable(f"{what}, color of {name!r}:", given[name]) for name in given}
    return [pairs.get(name) for name in names]


def check_map(name, what):
    """Raise if there is no map of colours with that name."""
    from matplotlib import colormaps

    if name is not None and name not in (known := list(colormaps)):
        near = get_close_matches(str(name), known, 1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise ValueError(
            f"{what}, cmap: expected the name of a colour map of matplotlib, such as 'viridis', "
            f"got {name!r}{hint}"
        )


def mapped(name, both, count=33):
    """Colours of a map, evenly spaced: '#rrggbb' each.

    Where numbers are on `both` sides of 0, that is the middle of the map. Where they are not, one
    that is made for both sides begins at its middle.
    """
    from matplotlib import colormaps
    from matplotlib.colors import to_hex as hex_of

    half = name.removesuffix("_r") in DIVERGING and not both
    return [hex_of(color) for color in colormaps[name](np.linspace(0.5 * half, 1, count))]


def lighter(color):
    """A colour of the same hue for a dark page."""
    lab = to_lab(color)
    return to_hex(np.array([0.77, *lab[1:] * 0.85]))
