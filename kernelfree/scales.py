"""Colours and scales of a figure: computed once, for the page and for the still picture."""

import math

import numpy as np

from .colors import mapped, to_hex, to_lab
from .language import say
from .palette import RAMPS, ROLES

# What scales start from: the ground of a light and of a dark page.
SURFACE = ("#ffffff", "#14161a")
# The smallest number above 0 stands out from the ground by this part of the way to the colour.
START = 0.14
# Below zero is slate for every role, so that no role's colour means two things. It stays paler than
# the deepest colour of a role: 1 and -1 are told apart by how dark they are, too.
NEGATIVE = ("#64748b", "#94a3b8")


def blend(colors, places, count):
    """`count` colours, evenly spaced in OKLab, through `colors` at `places` in [0, 1]."""
    labs = np.array([to_lab(color) for color in colors])
    steps = np.linspace(0, 1, count)
    return [to_hex(np.array([np.interp(s, places, lab) for lab in labs.T])) for s in steps]


def ramp(role, dark, diverging):
    """The colours of a scale, from just above 0 or from the most negative number to the largest.

    On a light page and on a dark one alike, a larger number has more of the role's colour and
    stands out more from the page. The page's own colour is left to a number that is exactly 0.
    """
    rise = from_ground(ROLES[role][dark], dark)
    if role in RAMPS and not dark:
        rise = blend(RAMPS[role], np.linspace(0, 1, len(RAMPS[role])), 9)
    return from_ground(NEGATIVE[dark], dark, deeper=False)[:0:-1] + rise if diverging else rise


def from_ground(color, dark, deeper=True):
    """Nine colours from near the page's ground to a colour; a light page has room for deeper."""
    ground, lab = to_lab(SURFACE[dark]), to_lab(color)
    if dark:  # cells are larger than letters: they may be less bright and have more colour
        lab *= [0.93, 1.35, 1.35]
    least = to_hex(ground * (1 - START) + lab * START)
    if dark or not deeper:
        return blend([least, to_hex(lab)], [0, 1], 9)
    return blend([least, color, to_hex(lab * 0.6)], [0, 0.7, 1], 9)


def round_up(number):
    """The next number with two significant digits, forgiving what floats add in the sixth."""
    if number == 0:
        return 1.0
    unit = math.floor(math.log10(number)) - 1
    return float(f"{math.ceil(round(number / 10**unit, 4)) * 10.0**unit:.6g}")


def settle(numbers, span):
    """Numbers with 0 for what rounding makes of it, such as -1.5e-08, which differs by machine."""
    return np.where(np.abs(numbers) < 1e-7 * span, 0.0, numbers)


def digits_between(low, high):
    """How many digits tell two ends apart, and what stands between them; six at least."""
    return max(6, math.ceil(math.log10(max(-low, high) / (high - low))) + 4)


def short(number, digits):
    return float(f"{number:.{digits}g}")


def scale(role, low, high, clim=None, cmap=None):
    """The one scale of a role: 0 to the largest, or symmetric about 0 when numbers are negative.

    With `clim` it begins and ends there instead, unless 0 lies in between. With `cmap` it has the
    colours of that map, on light and on dark pages.
    """
    if clim:
        bottom, top = clim
        if low < bottom or high > top:
            raise ValueError(
                f"clim: {tuple(clim)} must hold the numbers of role {role!r}, which go from "
                f"{low:g} to {high:g}"
            )
        diverging = bottom < 0 < top
        if diverging:
            top = max(top, -bottom)
            bottom = -top
    else:
        low, high = settle([low, high], high - low)
        diverging, top = low < 0, round_up(max(abs(low), abs(high)))
        bottom = -top if diverging else 0.0
    digits = digits_between(bottom, top)
    ticks = bottom, short((bottom + top) / 2, digits), top
    light, dark = (
        mapped(cmap, diverging) if cmap else ramp(role, which, diverging) for which in (False, True)
    )
    return {
        "label": say(role).capitalize(),
        "still": cmap or ROLES[role][0],
        "low": bottom,
        "high": top,
        "ticks": [[tick, f"{tick:.{digits}g}"] for tick in ticks],
        "light": light,
        "dark": dark,
    }
