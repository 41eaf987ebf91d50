"""The numbers of a panel as tensors, so that they can be exported: what its `tables` are.

Each function here says by PyTorch what the `tables` of its panel says by NumPy; `graphs.py`
compares the two whenever a figure is made.
"""

import numpy as np
import torch

from .. import panels
from ..panels import marks as kinds


def numbers(data):
    """Numbers of any kind as a tensor in float64; tensors among them are kept as such."""
    if isinstance(data, torch.Tensor):
        return data.double()
    if isinstance(data, list | tuple) and any(has_tensor(part) for part in data):
        return torch.stack([numbers(part) for part in data])
    return torch.from_numpy(np.array(data, dtype=np.float64))


def has_tensor(data):
    parts = data if isinstance(data, list | tuple) else ()
    return isinstance(data, torch.Tensor) or any(map(has_tensor, parts))


def by_kind(table, thing):
    """What a table has for a thing's class, or for the nearest class above it; else None."""
    return next((table[kind] for kind in type(thing).__mro__ if kind in table), None)


def mask(data):
    return data if isinstance(data, torch.Tensor) else torch.from_numpy(np.array(data))


def heatmap(panel):
    cells = numbers(panel.matrix)
    hidden = cells == -torch.inf
    for given in (panel.masked, panel.absent):
        hidden = hidden if given is None else hidden | mask(given)
    cells = {"cells": torch.where(hidden, torch.nan, cells)}
    return cells if panel.absent is None else {**cells, "absent": mask(panel.absent).double()}


def bars(panel):
    parts = panel.heights
    rows = [numbers(row) for row in (parts.values() if isinstance(parts, dict) else [parts])]
    found = {"cells": torch.stack(rows)}
    if panel.limit is not None:
        found["by"] = numbers(panel.limit).reshape(1, 1).expand(1, 2)
    return found


def curve(panel):
    found = {
        "lx": numbers(panel.x)[None],
        "ly": torch.stack([numbers(line) for line in panel.lines.values()]),
    }
    if panel.points:
        points = torch.stack([numbers(point) for point in panel.points.values()])
        found |= {"px": points[None, :, 0], "py": points[None, :, 1]}
    return {**found, **plot(panel)}


def plot(panel):
    return {
        f"{number}{key}": table
        for number, mark in enumerate((panel.marks or {}).values())
        for key, table in by_kind(MARKS, mark)(mark).items()
    }


def words(panel):
    if panel.weights is None:
        return {}
    weights = numbers(panel.weights)
    weights = weights[None] if weights.dim() == 1 else weights
    return {"cells": torch.where(weights == -torch.inf, torch.nan, weights)}


def grid(panel):
    if panel.border is None:
        return {}
    border = numbers(panel.border)
    return {"border": border[None] if border.dim() == 1 else border}


# ---- marks ----


def pairs(data):
    """Points of a plane, (n, 2), from one or more."""
    found = numbers(data)
    return found[None] if found.dim() == 1 else found


def row(data, count):
    """One number for each of `count` things, (1, count)."""
    return numbers(data).expand(1, count)


def links(mark, tips):
    found = {"x": tips[None, :, 0], "y": tips[None, :, 1]}
    for name in ("size", "shade"):
        if (given := getattr(mark, name)) is not None:
            found[name] = row(given, len(tips))
    return found


def arrows(mark):
    tips = pairs(mark.tips)
    starts = pairs(mark.starts).expand(len(tips), 2)
    return {**links(mark, tips), "u": starts[None, :, 0], "v": starts[None, :, 1]}


def borders(mark):
    normals = pairs(mark.normals)
    lengths = normals.square().sum(dim=1, keepdim=True).sqrt()
    return {"a": normals / lengths, "c": row(mark.offsets, len(normals)).T / lengths}


def outlines(mark):
    found = numbers(mark.xy)
    found = found[None] if found.dim() == 2 else found
    return {"x": found[..., 0], "y": found[..., 1]}


def area(mark):
    x, y = numbers(mark.x), numbers(mark.y)
    base = numbers(mark.base)[None]
    return {
        "x": torch.cat([x[:1], x, x[-1:]])[None],
        "y": torch.cat([base, y, base])[None],
    }


def histogram(mark):
    values, edges = numbers(mark.values).flatten()[:, None], numbers(mark.edges)
    # The last edge belongs to the last bin.
    below = (values >= edges[:-1]) & (values < edges[1:])
    counts = below.double().sum(dim=0)
    ends = (values == edges[-1]).double().sum(dim=0)
    counts = torch.cat([counts[:-1], counts[-1:] + ends])
    none = torch.zeros(1, dtype=torch.float64)
    y = torch.cat([none, counts.repeat_interleave(2), none])
    return {"x": edges.repeat_interleave(2)[None], "y": y[None]}


def across(mark):
    """The axis that a rule or a band stands on, and its numbers."""
    return ("x", numbers(mark.x)) if mark.x is not None else ("y", numbers(mark.y))


def rules(mark):
    axis, found = across(mark)
    return {axis: found.reshape(-1, 1).expand(-1, 2)}


def bands(mark):
    axis, found = across(mark)
    return {axis: pairs(found).repeat_interleave(2, dim=1)}


def field(mark):
    found = {"s": numbers(mark.strength).flip(0)}
    if mark.winner is not None:
        found["w"] = numbers(mark.winner).flip(0)
    return found


MARKS = {
    kinds.Points: lambda mark: links(mark, pairs(mark.xy)),
    kinds.Arrows: arrows,
    kinds.Segments: arrows,
    kinds.Borders: borders,
    kinds.Lines: outlines,
    kinds.Regions: outlines,
    kinds.Area: area,
    kinds.Histogram: histogram,
    kinds.Rules: rules,
    kinds.Bands: bands,
    kinds.Field: field,
}
PANELS = {
    panels.Heatmap: heatmap,
    panels.Bars: bars,
    panels.Curve: curve,
    panels.Plot: plot,
    panels.Plane: plot,
    panels.Words: words,
    panels.Grid: grid,
}
