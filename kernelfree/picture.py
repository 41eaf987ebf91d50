"""The still picture of one state of a figure, for places where no script runs."""

import math
from itertools import pairwise

import numpy as np

from .axes import minus
from .palette import FAINT, INK
from .panels import KINDS
from .panels._marks_picture import names_across
from .png import colors_of, encode, inked
from .tex import beyond as higher
from .texts import cut, filled, letters

# Dots per inch of the picture, and how many of its dots make one CSS pixel.
DPI, DENSITY = 120, 1.25


def font(points):
    """How to write; a dollar sign is a dollar sign, but around a formula."""
    return {"fontsize": points, "color": INK, "parse_math": True}


# Inches of a letter of a tick, of its line, and between two that stand beside each other.
LETTER, LINE, BETWEEN = 0.072, 0.12, 0.06


def longest(texts):
    """The letters of the longest of some texts."""
    return max(map(letters, texts), default=0)


def slanted(panel):
    """Whether the labels below a panel are words that need more room than a cell has."""
    return panel.get("words") and longest(text for _, text in panel["x"]) > 3


def set_ticks(axes, panel):
    """The ticks that the page shows: places from 0 to 1, from the left and from the top."""
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    _, width, height = size(panel)
    beside = LINE if slanted(panel) else LETTER * longest(text for _, text in panel["x"]) + BETWEEN
    slant = {"rotation": 45, "ha": "right", "rotation_mode": "anchor"} if slanted(panel) else {}
    for side, start, end, room in (
        ("x", left, right, beside / width),
        ("y", top, bottom, LINE / height),
    ):
        ticks = thinned(panel[side], room)
        places = [start + at * (end - start) for at, _ in ticks]
        texts = [text for _, text in ticks]
        getattr(axes, f"set_{side}ticks")(
            places, texts, **font(8), **(slant if side == "x" else {})
        )


def thinned(ticks, room):
    """Ticks without those that have no room; `room` is what each needs, from 0 to 1."""
    gaps = [abs(after - before) for (before, _), (after, _) in pairwise(ticks)]
    return ticks[:: math.ceil(room / min(gaps))] if gaps else ticks


def beyond(panel):
    """Room on the right of a plot, for the half of its last label that stands there; in inches."""
    if slanted(panel) or not panel.get("x"):
        return 0.1
    at, text = panel["x"][-1]
    return max(0.1, LETTER * letters(text) / 2 - 0.1 - (1 - at) * size(panel)[1])


def size(panel):
    """Room on the left, width and height of a panel's plot, in inches."""
    left, width, height = KINDS[panel["kind"]].picture_size(panel)
    return left + higher(panel.get("ylabel", "")), width, height


def rows_of_names(panel):
    """How many rows the names above a plot take."""
    return -(-len(names) // names_across(panel)) if (names := panel.get("legend")) else 0


def lines_of(panels):
    """The panels in lines of at most seven inches, as even as can be."""
    lines, used = 1, 0
    for panel in panels:
        left, width, _ = size(panel)
        if used and used + left + width > 7:
            lines, used = lines + 1, 0
        used += left + width + beyond(panel)
    each = -(-len(panels) // lines)
    return [panels[i : i + each] for i in range(0, len(panels), each)]


def draw_panel(axes, panel, tables, scales):
    kind = KINDS[panel["kind"]]
    axes.patch.set_visible(False)
    kind.draw(axes, panel, tables, scales)
    if "x" in panel:
        set_ticks(axes, panel)
        axes.set_xlabel(panel["xlabel"], labelpad=3, **font(8.5))
        room = size(panel)[2] + 0.8  # with what stands above and below
        axes.set_ylabel(cut(panel["ylabel"], int(room / LETTER)), labelpad=3, **font(8.5))
    axes.set_title(panel["name"], loc="left", pad=5 + 13 * rows_of_names(panel), **font(9))
    axes.tick_params(which="both", length=0, pad=3)
    axes.tick_params(axis="x", pad=5)  # the first may reach below those of the other axis
    axes.spines[:].set_visible(kind.framed)
    axes.spines[:].set_color(FAINT)
    axes.spines[:].set_linewidth(0.6)


def draw_color_bar(axes, scale):
    bar = colors_of(scale["low"], scale["high"], scale["still"])
    axes.imshow(np.arange(145)[None], cmap=bar, aspect="auto")
    axes.patch.set_visible(False)
    axes.spines[:].set_visible(False)
    axes.set_yticks([])
    axes.tick_params(length=0, pad=2)
    axes.set_xticks([0, 72, 144], [minus(text) for _, text in scale["ticks"]], **font(8))
    axes.set_title(scale["label"], loc="left", pad=3, **font(8.5))


def colors(panels, scales):
    """The few colours that the picture is made of."""
    lines = {inked(pair) for panel in panels for pair in panel.get("colors", ())}
    marks = [mark for panel in panels for mark in panel.get("marks", ())]
    lines |= {inked(pair) for mark in marks for pair in mark["colors"]}
    lines |= {inked(panel["hue"]) for panel in panels if "hue" in panel}
    lines |= {scale["still"] for scale in scales.values()}
    return [INK, *sorted(lines - {INK})]


def draw(title, panels, tables, scales, sentence=""):
    """A still picture of one state, with a sentence below where nothing else says it.

    Returns
    -------
    tuple
        The PNG's bytes, and its width and height in CSS pixels.
    """
    from matplotlib.figure import Figure

    lines = lines_of(panels)
    shaded = [panel.get("bar") for panel in panels]
    roles = [role for role in dict.fromkeys(shaded) if role]
    words = [text for p in panels if p.get("words") for _, text in p["x"]]
    above = 0.42 if any(panel["name"] for panel in panels) else 0.15
    above += 0.18 * max(0, max(map(rows_of_names, panels)) - 1)
    below = 0.42 + max(higher(panel.get("xlabel", "")) for panel in panels)
    below += 0.05 * longest(word for word in words if letters(word) > 3)
    heights = [above + max(size(panel)[2] for panel in line) + below for line in lines]
    widths = [sum(sum(size(panel)[:2]) + beyond(panel) for panel in line) for line in lines]
    wide = max(3.2, 0.15 + max(widths), 0.3 + 1.75 * len(roles), 0.4 + 0.085 * letters(title))
    lines_below = filled(sentence, int(wide / 0.078))
    low = 0.1 + 0.19 * len(lines_below) if lines_below else 0.0
    head = 0.35 + higher(title)
    high = head + sum(heights) + (0.55 if roles else 0.05) + low

    figure = Figure(figsize=(wide, high), dpi=DPI, facecolor="none")
    figure.text(0.12 / wide, 1 - (head - 0.11) / high, title, weight="bold", **font(10))
    under = {**font(9), "parse_math": False}
    figure.text(0.12 / wide, 0.1 / high, "\n".join(lines_below), **under)
    numbers, top = iter(tables), high - head
    for line, height in zip(lines, heights, strict=True):
        across = 0.05
        for panel in line:
            left, width, tall = size(panel)
            box = (across + left, top - above - tall, width, tall)
            axes = figure.add_axes(np.divide(box, [wide, high, wide, high]))
            draw_panel(axes, panel, next(numbers), scales)
            across += left + width + beyond(panel)
        top -= height
    for index, role in enumerate(roles):
        box = (0.12 + 1.75 * index, low + 0.25, 1.45, 0.11)
        draw_color_bar(figure.add_axes(np.divide(box, [wide, high, wide, high])), scales[role])

    size_on_page = (round(inches * DPI / DENSITY) for inches in (wide, high))
    pictured = any(KINDS[panel["kind"]].pictured for panel in panels)
    pictured |= any(not scale["still"].startswith("#") for scale in scales.values())
    png = encode(figure, None if pictured else colors(panels, scales))
    return png, *size_on_page
