"""Colours as numbers: how far apart they look, and roles of an author's own."""

import re

import numpy as np

from .palette import PAGES, RESERVED, ROLES

CONTRAST = 4.5
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
    pair = (check_color("color", color), check_color("dark", dark) if dark else lighter(color))
    for which, own, page in zip(("color", "dark"), pair, PAGES, strict=True):
        if (found := contrast(own, page)) < CONTRAST:
            raise ValueError(
                f"add_role: {which} {own} has a contrast of {found:.1f} : 1 with the page "
                f"{page}, at least {CONTRAST} are needed to read it"
            )
    ROLES[name] = pair


def check_color(what, color):
    """Return '#rrggbb'; raise if it is something else."""
    if not isinstance(color, str) or not re.fullmatch("#[0-9a-fA-F]{6}", color):
        raise ValueError(f"add_role: {what} must be written '#rrggbb', got {color!r}")
    return color.lower()


def lighter(color):
    """A colour of the same hue for a dark page."""
    lab = to_lab(color)
    return to_hex(np.array([0.77, *lab[1:] * 0.85]))
