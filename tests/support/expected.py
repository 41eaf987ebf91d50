"""What the table of each kind of panel must show, from what the author's function returned."""

import numpy as np
import torch

from kernelfree import Arrows, Bars, Curve, Field, Grid, Heatmap, Plot, Points, Words


def tables_of(result):
    panels = result.values() if isinstance(result, dict) else [result]
    return [table_of(panel) for panel in panels if not isinstance(panel, str)]


def table_of(panel):
    match panel:
        case Plot():
            marks = sorted(panel.marks.values(), key=lambda mark: isinstance(mark, Field))
            return np.concatenate([points_of(mark) for mark in marks])  # fields come last
        case Bars(heights=dict(parts)):
            return np.stack([numbers(part) for part in parts.values()])
        case Bars(heights=heights):
            return numbers(heights).reshape(1, -1)
        case Curve(lines=lines):
            return np.stack([numbers(line) for line in lines.values()])
        case Words(weights=None) | Grid(border=None):
            return np.zeros((0, 0))
        case Words(weights=weights):
            return np.atleast_2d(cells(weights))
        case Grid(border=border):
            return np.atleast_2d(numbers(border))
        case Heatmap(matrix=matrix, masked=masked, absent=absent):
            return cells(cells(matrix, masked), absent)
    return cells(panel)


def cells(matrix, masked=None):
    matrix = numbers(matrix)
    matrix[np.isneginf(matrix)] = np.nan
    if masked is not None:
        matrix[np.broadcast_to(np.asarray(masked, dtype=bool), matrix.shape)] = np.nan
    return matrix


def points_of(mark):
    """The rows of a mark: x, y and what a point weighs."""
    if isinstance(mark, Field):
        return samples_of(mark)
    if isinstance(mark, Points):  # an arrow's tips, too
        xy = mark.xy
    elif isinstance(mark, Arrows):
        xy = mark.tips
    else:
        tables = mark.tables("")  # x, y, or one of both; the corners of lines and regions
        if not {"x", "y"} & set(tables):
            return np.zeros((0, 3))
        either = [np.ravel(tables[axis]) if axis in tables else None for axis in "xy"]
        count = max(len(part) for part in either if part is not None)
        nothing = np.full(count, np.nan)
        return np.stack([nothing if part is None else part for part in either] + [nothing], 1)
    xy = np.atleast_2d(numbers(xy))
    weight = mark.size if mark.shade is None else mark.shade
    weight = np.nan if weight is None else numbers(weight)
    return np.column_stack([xy, np.broadcast_to(weight, len(xy))])


def samples_of(field):
    """A field at 5 x 5 places, from the upper left: x, y and how strong it is."""
    x, y, strength = (numbers(part) for part in (field.x, field.y, field.strength))
    rows, columns = (np.floor((np.arange(5) + 0.5) * len(axis) / 5).astype(int) for axis in (y, x))
    rows = len(y) - 1 - rows
    return np.array([[x[c], y[r], strength[r, c]] for r in rows for c in columns])


def numbers(data):
    data = data if isinstance(data, torch.Tensor) else torch.as_tensor(np.asarray(data))
    return data.detach().double().numpy().copy()
