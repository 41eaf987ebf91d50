"""Colours, scales and axes of a figure: computed once, for the page and for the still picture."""

import math
import re

import numpy as np

from .palette import ROLES

# Near the surface of a light and of a dark page: the colour of zero.
SURFACE = ("#ffffff", "#1c1f26")
# Below zero is slate for every role, so that no role's colour means two things.
NEGATIVE = ("#475569", "#94a3b8")
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


def to_lab(color):
    """OKLab coordinates of '#rrggbb': distances in them look alike."""
    rgb = np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return TO_LAB @ np.cbrt(TO_LMS @ linear)


def to_hex(lab):
    """'#rrggbb' of OKLab coordinates."""
    linear = np.linalg.solve(TO_LMS, np.linalg.solve(TO_LAB, lab) ** 3).clip(0, 1)
    rgb = np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)
    return "#" + "".join(f"{round(255 * part):02x}" for part in rgb)


def blend(colors, places, count):
    """`count` colours, evenly spaced in OKLab, through `colors` at `places` in [0, 1]."""
    labs = np.array([to_lab(color) for color in colors])
    steps = np.linspace(0, 1, count)
    return [to_hex(np.array([np.interp(s, places, lab) for lab in labs.T])) for s in steps]


def ramp(role, dark, diverging):
    """The colours of a scale, from zero or from the most negative number to the largest."""
    color, surface, end = ROLES[role][dark], SURFACE[dark], ("#000000", "#ffffff")[dark]
    zero = blend([surface, color], [0, 1], 21)[1]
    deep = blend([color, end], [0, 1], 11)[5 if dark else 4]
    rise = [zero, color, deep], [0, 0.7, 1]
    if role == "weight" and not dark:
        # The reds of matplotlib, which draws the other heatmaps of the book.
        rise = ["#fff5f0", "#fcbba1", "#fb694a", "#ca181d", "#67000d"], [0, 0.25, 0.5, 0.75, 1]
    if not diverging:
        return blend(*rise, 9)
    below = NEGATIVE[dark]
    fall = [blend([below, end], [0, 1], 11)[5 if dark else 4], below, zero], [0, 0.3, 1]
    rise[0][0] = zero
    return blend(*fall, 9)[:-1] + blend(*rise, 9)


def round_up(number):
    """The next number with two significant digits, forgiving what floats add in the sixth."""
    if number == 0:
        return 1.0
    unit = math.floor(math.log10(number)) - 1
    return float(f"{math.ceil(round(number / 10**unit, 4)) * 10.0**unit:.6g}")


def settle(numbers, span):
    """Numbers with 0 for what rounding makes of it, such as -1.5e-08, which differs by machine."""
    return np.where(np.abs(numbers) < 1e-7 * span, 0.0, numbers)


def scale(role, low, high):
    """The one scale of a role: 0 to the largest, or symmetric about 0 when numbers are negative."""
    low, high = settle([low, high], high - low)
    top = round_up(max(abs(low), abs(high)))
    bottom = -top if low < 0 else 0.0
    middle = 0.0 if low < 0 else float(f"{top / 2:.6g}")
    return {
        "label": role.capitalize(),
        "low": bottom,
        "high": top,
        "ticks": [[tick, f"{tick:g}"] for tick in (bottom, middle, top)],
        "light": ramp(role, False, low < 0),
        "dark": ramp(role, True, low < 0),
    }


def axis(low, high, tight):
    """Limits and ticks of an axis that covers low to high: `tight` keeps the limits at the data."""
    from matplotlib.ticker import MaxNLocator

    low, high = (float(f"{end:.6g}") for end in settle([low, high], high - low))
    if low == high:
        low, high = low - 0.5, high + 0.5
    ticks = MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high)
    if not tight:
        low, high = ticks[0], ticks[-1]
    room = 1e-9 * (high - low)
    inside = [float(f"{t:.6g}") for t in ticks if low - room <= t <= high + room]
    return {
        "low": float(f"{low:.6g}"),
        "high": float(f"{high:.6g}"),
        "ticks": [[tick, f"{tick:g}"] for tick in inside],
    }


def finish(looks, tables):
    """Give each panel what it shares over all states, and return the scales of the roles."""
    spans = {}
    for look, part in zip(looks, tables, strict=True):
        if "role" in look:
            known = part["cells"][~np.isnan(part["cells"])]
            span = (known.min(), known.max()) if known.size else (0.0, 0.0)
            before = spans.get(look["role"], span)
            spans[look["role"]] = min(span[0], before[0]), max(span[1], before[1])
    scales = {role: scale(role, *span) for role, span in spans.items()}
    for look, part in zip(looks, tables, strict=True):
        look.update(FINISH[look["kind"]](look, part, scales, spans))
    return scales


def counted(words, count):
    """Ticks of `count` places: where each stands from 0 to 1, and its label."""
    every = next(n for n in (1, 2, 5, 10, 20, 50, 100, count) if words or count / n <= 20)
    texts = words or [str(i + 1) if i == 0 or (i + 1) % every == 0 else "" for i in range(count)]
    short = [text if len(text) <= 16 else text[:15] + "\u2026" for text in texts]
    return [[round((i + 0.5) / count, 4), text] for i, text in enumerate(short) if text]


def named(words, count):
    """What to call each of `count` places."""
    return [f"{i + 1} ({words[i]})" if words else str(i + 1) for i in range(count)]


def minus(text):
    """A number with a real minus sign."""
    return text.replace("-", "\u2212")


def along(ticks, low, high):
    """Ticks of an axis of numbers: where each stands from 0 to 1, and its label."""
    return [[round((at - low) / (high - low), 4), minus(text)] for at, text in ticks]


def singular(label):
    """'Queries' -> 'query'."""
    return re.sub(r"s$", "", re.sub(r"ies$", "y", label.lower())) or "place"


def finish_heatmap(look, part, scales, spans):
    rows, columns = look["shape"]
    across, down = look.pop("xticks"), look.pop("yticks")
    role, digits = scales[look["role"]], 2
    return {
        "words": bool(across),
        "x": counted(across, columns),
        "y": counted(down, rows),
        "rowNames": named(down, rows),
        "columnNames": named(across, columns),
        "row": singular(look["ylabel"]),
        "column": singular(look["xlabel"]),
        "masked": bool(np.isnan(part["cells"]).any()),
        # What a cell shows, where it fits: decimals, and letters of the longest number.
        "digits": digits,
        "letters": max(len(f"{role[end]:.{digits}f}") for end in ("low", "high")),
    }


def finish_bars(look, part, scales, spans):
    low, high = spans[look["role"]]
    up = axis(min(low, 0.0), max(high, 0.0), False)
    ends = up["low"], up["high"]
    ticks = along(up["ticks"], *ends)
    words, count = look.pop("xticks"), look["shape"][1]
    return {
        "words": bool(words),
        "x": counted(words, count),
        "rowNames": [look["ylabel"] or look["role"]],
        "columnNames": named(words, count),
        "y": [[1 - at, text] for at, text in ticks],
        "column": singular(look["xlabel"]),
        "yaxis": ends,
        "colors": [ROLES[look["role"]]],
    }


# How a line is told from the others without its colour: on the canvas, and in the legend.
DASHES = [[], [7, 4], [2, 3], [11, 4, 2, 4]]
MARKS = ["\u2501\u2501\u2501", "\u2501 \u2501", "\u22ef\u22ef", "\u2501 \u00b7"]


def finish_curve(look, part, scales, spans):
    x = np.array(look.pop("places"))
    heights = [part[key] for key in ("cells", "py") if key in part]
    xs = [x, part["px"]] if "px" in part else [x]
    across = axis(min(map(np.min, xs)), max(map(np.max, xs)), True)
    x = settle(x, across["high"] - across["low"])
    up = axis(min(map(np.min, heights)), max(map(np.max, heights)), False)
    ends = across["low"], across["high"]
    roles = list(ROLES)
    colors = [
        ROLES[line if line in ROLES else roles[i % len(roles)]]
        for i, line in enumerate(look["rowNames"])
    ]
    return {
        "x": along(across["ticks"], *ends),
        "y": [[1 - at, text] for at, text in along(up["ticks"], up["low"], up["high"])],
        "at": [float(f"{(place - ends[0]) / (ends[1] - ends[0]):.5f}") for place in x],
        "column": look["xlabel"] or "x",
        "columnNames": [minus(f"{place:.4g}") for place in x],
        "xaxis": ends,
        "yaxis": (up["low"], up["high"]),
        "dashes": [DASHES[i % len(DASHES)] for i in range(len(look["rowNames"]))],
        "marks": [
            f"{MARKS[i % len(MARKS)]} {line}"
            for i, line in enumerate(look["rowNames"])
            if i or len(look["rowNames"]) > 1
        ],
        "colors": colors,
    }


FINISH = {"heatmap": finish_heatmap, "bars": finish_bars, "curve": finish_curve}
