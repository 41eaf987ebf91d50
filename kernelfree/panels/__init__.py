"""What a figure can show. A kind of panel is one class in one file, and stands in `KINDS`.

Each has five methods, and so checks, finishes and describes itself (`what` names it in errors):

- `look(what)`: what is the same in every state, as JSON, with "kind" and "shape"; only what
  `texts.WORDS` names may change;
- `tables(what)`: the numbers of this state, table name -> (rows, columns) array, NaN is masked;
- `shaded(look, part)`: the numbers of all states that have a role's colours, as pairs;
- `finish(look, part, scales, spans)`: what all states share, from the tables of all states
  (states, rows, columns) in `part` and from the colour scales and the spans of the roles;
- `bind(looks, part, what, controls, panels)`, if it touches controls or shows another panel:
  finds them by name, or raises;
- `describe(look)`: what it shows, in words, for those who don't see it.

The page draws it by the class of the same name in `page/kinds.js`, the still picture by
`picture.DRAW`.
"""

from itertools import pairwise
from numbers import Real
from typing import TypeAlias

import numpy as np

from ..palette import SUMMED
from ..scales import scale
from .bars import Bars
from .checks import Numbers, labels
from .curve import Curve
from .grid import Grid
from .heatmap import Heatmap
from .marks import (
    Area,
    Arrows,
    Bands,
    Borders,
    Field,
    Histogram,
    Lines,
    Points,
    Regions,
    Rules,
    Segments,
)
from .plot import Plane, Plot
from .words import Words

KINDS = {
    "heatmap": Heatmap,
    "curve": Curve,
    "bars": Bars,
    "plot": Plot,
    "plane": Plane,
    "words": Words,
    "grid": Grid,
}

# A mean below this part of the largest number is what float32 leaves of a sum that cancels.
NOISE = 1e-6

# What a function may return for one panel.
Panel: TypeAlias = Heatmap | Curve | Bars | Plot | Words | Grid | Numbers

__all__ = [
    "KINDS",
    "Area",
    "Arrows",
    "Bands",
    "Bars",
    "Borders",
    "Curve",
    "Field",
    "Grid",
    "Heatmap",
    "Histogram",
    "Lines",
    "Numbers",
    "Panel",
    "Plane",
    "Plot",
    "Points",
    "Regions",
    "Rules",
    "Segments",
    "Words",
    "as_panel",
    "bind",
    "finish",
    "summary",
]


def as_panel(given, matrix=Heatmap):
    """The panel that shows a result which is none: a row of numbers is a line.

    Parameters
    ----------
    given : array of shape (n,) or (rows, columns)
    matrix : callable
        What makes a panel of a matrix.
    """
    if hasattr(given, "savefig"):
        raise TypeError(
            "explore: expected numbers or a panel, got a figure of matplotlib; return the numbers "
            "that it was drawn from, such as Curve(x, {'name': y})"
        )
    shape = given.shape if hasattr(given, "shape") else np.shape(given)
    if len(shape) == 1 and shape[0] > 1:
        return Curve(places_of(given, shape[0]), {"": given})
    return matrix(given)


def places_of(given, count):
    """What a row of numbers stands over: the index of a pandas Series if it rises, else 1 to n."""
    index = labels(given, "index") or ()
    numbers = all(isinstance(place, Real) for place in index)
    rises = numbers and all(a < b for a, b in pairwise(index))
    return list(index) if index and rises else range(1, count + 1)


def bind(looks, tables, controls):
    """Let panels that set controls, or show other panels, find them."""
    controls = {control["name"]: control for control in controls}
    panels = [variants[0] for variants in looks]
    for variants, part in zip(looks, tables, strict=True):
        kind, name = KINDS[variants[0]["kind"]], variants[0]["name"]
        if hasattr(kind, "bind"):
            kind.bind(variants, part, f"panel {name!r}" if name else "the panel", controls, panels)


def finish(looks, tables):
    """Give each look what its panel shares over all states, and return the scales of the roles.

    `looks` has a list for each panel: its looks, which differ in words alone.
    """
    spans = {}
    for (look, *_), part in zip(looks, tables, strict=True):
        for role, table in KINDS[look["kind"]].shaded(look, part):
            known = table[~np.isnan(table)]
            span = (known.min(), known.max()) if known.size else (0.0, 0.0)
            before = spans.get(role, span)
            spans[role] = min(span[0], before[0]), max(span[1], before[1])
    scales = {role: scale(role, *span) for role, span in spans.items()}
    for variants, part in zip(looks, tables, strict=True):
        for look in variants:
            look.update(KINDS[look["kind"]].finish(look, part, scales, spans))
            if look.get("role") in SUMMED:
                look["summed"] = True
    return scales


def summary(look, part):
    """A panel in one line of text: its kind and shape, and a few numbers over all states."""
    if look["kind"] in ("plot", "plane"):
        shown = KINDS[look["kind"]].describe(look)
        return f"{look['name']}: {shown}" if look["name"] else shown
    table = next((part[key] for key in ("cells", "ly", "border") if key in part), np.empty(0))
    rows, columns = look["shape"]
    told = f"{look['name'] or look.get('role', look['kind'])}: {look['kind']} {rows} x {columns}"
    if masked := int(np.isnan(table).sum()):
        told += f", masked {masked / table.size:.3g}"
    if masked < table.size:
        low, high, mean = np.nanmin(table), np.nanmax(table), np.nanmean(table)
        if abs(mean) < NOISE * max(-low, high):
            mean = 0.0
        told += f", min {low + 0.0:.3g}, max {high + 0.0:.3g}, mean {mean:.3g}"
    return told
