"""A matrix as coloured cells."""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..arrays import Numbers, as_array, finite, masks, numbers
from ..axes import counted, named, singular
from ..colors import check_map
from ..language import deferred, say
from ..numerals import LONG, written
from ..palette import INK
from ..png import NUMBER, colors_of, draw_cells
from ._checks import Words, check_role, labels, limits, side_label, words
from ._panel import Panel, tick_room
from ._touch import bind_touch, draw_chosen, touch_spec


def cells(given, shape, what):
    """A boolean matrix that an author gives, False everywhere for None."""
    if given is None:
        return np.zeros(shape, bool)
    given = as_array(given)
    if given.dtype != np.bool_ or given.shape != shape:
        raise ValueError(
            f"{what}: expected a boolean matrix of shape {shape}, "
            f"got {given.dtype} of shape {given.shape}"
        )
    return given


def decimals_in_cells(table):
    """How many decimals cells show: two, fewer of large numbers, more where all are small."""
    top = np.nanmax(np.abs(table), initial=0)
    size = math.floor(math.log10(top)) if top else 0
    if top >= LONG:
        return 2 - size
    return min(max(3 - size, 0), 2) if size > -2 else 1 - size


@dataclass
class Heatmap(Panel):
    """A matrix drawn as coloured cells.

    Parameters
    ----------
    matrix : tensor, array, nested lists or pandas DataFrame, shape (rows, columns)
        Entries of minus infinity count as masked, and so do those of a masked array. A DataFrame's
        columns and index are the ticks, and their names those of the sides.
    role : str
        What the numbers are: "number", or a role of `add_role`. It decides the colour and names
        the colour bar; panels of one role share one scale over all states of a figure.
    xlabel, ylabel : str
        Names of the columns and rows, in the plural.
    xticks, yticks : sequence of str, optional
        A word for each column or row, such as tokens; otherwise they are numbered from 1.
    masked : boolean matrix, optional
        True where a cell is masked: it is hatched and has no number.
    absent : boolean matrix, optional
        True where there is no such cell: its place stays empty.
    touch : str, or (str, str), optional
        The control that a touched column sets, or the control of the rows and that of the columns;
        one of both may be None. The first row or column sets the first value, and so on.
    large : bool
        Make cells as large as their numbers, which each cell shows; there is no colour bar then.
    clim : (low, high), optional
        Where the scale of the role begins and ends, for numbers far from 0, such as kelvins. It
        must hold the numbers of all states. If not given, the scale begins at 0; where numbers
        are negative it is symmetric about 0, as it is if 0 lies within `clim`.
    cmap : str, optional
        A colour map of matplotlib for the scale of the role, such as "viridis". If not given, the
        scale goes from the page's own colour to that of the role, and below 0 to grey. 0 is the
        middle of the map where numbers are negative, else its beginning; one with two sides, such
        as "RdBu_r", then begins at its middle. Without a map, a cell that is
        exactly 0 has no colour.
    """

    matrix: Numbers
    role: str = "number"
    xlabel: str = deferred("Columns")
    ylabel: str = deferred("Rows")
    xticks: Words | None = None
    yticks: Words | None = None
    masked: Numbers | None = None
    absent: Numbers | None = None
    touch: str | tuple[str | None, str | None] | None = field(default=None, kw_only=True)
    large: bool = field(default=False, kw_only=True)
    clim: Any = field(default=None, kw_only=True)
    cmap: str | None = field(default=None, kw_only=True)

    kind = deferred("heatmap")
    framed = True

    def spec(self, what):
        """What of this panel is the same in every state."""
        check_role(self.role, what)
        check_map(self.cmap, what)
        matrix = numbers(self.matrix, what)
        if matrix.ndim != 2 or 0 in matrix.shape:
            advice = "; pick one of them, such as matrices[0]" if matrix.ndim > 2 else ""
            if matrix.ndim == 3 and matrix.shape[2] in (3, 4):
                advice += ", or show a picture by Image(array)"
            got = ""
            if matrix.ndim == 1:
                count = len(matrix)
                got = f"a row of {count} number{'s' * (count != 1)}, "
                advice = "; a line takes two numbers or more, Number(...) shows one"
                advice = advice if count < 2 else "; [row] is a matrix of one row"
            raise ValueError(
                f"{what}: expected a (rows, columns) matrix with at least one row and column, "
                f"got {got}shape {matrix.shape}{advice}"
            )
        rows, columns = matrix.shape
        return {
            "kind": self.kind,
            "role": self.role,
            "shape": [rows, columns],
            "xlabel": say(side_label(self, "xlabel", getattr(self.matrix, "columns", None))),
            "ylabel": say(side_label(self, "ylabel", getattr(self.matrix, "index", None))),
            "absent": self.absent is not None,
            "clim": limits(self.clim, f"{what}, clim"),
            "cmap": self.cmap,
            **({"large": True} if self.large else {}),
            "xticks": self.ticks(what, "xticks", "columns", columns),
            "yticks": self.ticks(what, "yticks", "index", rows),
            **touch_spec(self.touch, what),
        }

    def ticks(self, what, side, names, count):
        """The author's words along a side, else those of a DataFrame, else None."""
        given = getattr(self, side)
        given = labels(self.matrix, names) if given is None else given
        return words(given, count, f"{what}, {side}")

    def tables(self, what):
        """The numbers of this state, masked cells as NaN: table name -> (rows, columns) array."""
        matrix = numbers(self.matrix, what)
        masked = (matrix == -np.inf) | masks(self.matrix)
        masked |= cells(self.masked, matrix.shape, f"{what}, masked")
        absent = cells(self.absent, matrix.shape, f"{what}, absent")
        index = getattr(getattr(self.matrix, "index", None), "dtype", None)
        dated = getattr(index, "kind", "") == "M"
        advice = "; Curve(x.index, x) draws lines over its dates" if dated else ""
        finite(matrix, what, masked | absent, advice)
        tables = {"cells": np.where(masked | absent, np.nan, matrix)}
        return tables if self.absent is None else {**tables, "absent": absent.astype(float)}

    def tensors(self, live):
        """The same tables by PyTorch."""
        torch, cells = live.torch, live.numbers(self.matrix)
        hidden = cells == -torch.inf
        for given in (self.masked, self.absent):
            hidden = hidden if given is None else hidden | live.mask(given)
        tables = {"cells": torch.where(hidden, torch.nan, cells)}
        return (
            tables if self.absent is None else {**tables, "absent": live.mask(self.absent).double()}
        )

    @staticmethod
    def shaded(spec, tables):
        """The numbers of all states that have a role's colours: pairs of role and array."""
        return [(spec["role"], tables["cells"])]

    @staticmethod
    def bind(specs, tables, what, controls, panels):
        """Find the controls that a touch sets."""
        bind_touch(specs, what, controls)

    @staticmethod
    def finish(spec, tables, scales, heights):
        """What this panel shares over all states: axes, ticks, names."""
        rows, columns = spec["shape"]
        spec.pop("clim")
        spec.pop("cmap")
        across, down = spec.pop("xticks"), spec.pop("yticks")
        role, digits = scales[spec["role"]], decimals_in_cells(tables["cells"])
        letters = max(len(written(role[end], digits)) for end in ("low", "high"))
        # In pixels of the page, as in heatmap.js.
        large = spec.pop("large", False)
        own = {"least": math.ceil(6.3 * letters + 5)} if large else {"bar": spec["role"]}
        return {
            **own,
            "words": bool(across),
            "x": counted(across, columns),
            "y": counted(down, rows),
            "rowNames": named(down, rows),
            "columnNames": named(across, columns),
            "row": singular(spec["ylabel"]),
            "column": singular(spec["xlabel"]),
            "masked": bool((np.isnan(tables["cells"]) & ~(tables.get("absent", 0) > 0)).any()),
            # What a cell shows, where it fits: decimals, and letters of the longest number.
            "digits": digits,
            "letters": letters,
        }

    @staticmethod
    def fineness(key, spec, table):
        """Where every cell shows its number, so exact that this is rounded as Python rounds it."""
        if "least" not in spec:
            return Panel.fineness(key, spec, table)
        known = table[~np.isnan(table)]
        return 0.005 * 10.0 ** -spec["digits"] / ((np.ptp(known) if known.size else 0.0) or 1.0)

    @staticmethod
    def describe(spec):
        """What a panel of this kind shows, in words, without its numbers."""
        rows, columns = spec["shape"]
        return say("heatmap of {rows} x {columns}", rows=rows, columns=columns)

    @staticmethod
    def picture_size(panel):
        """Room on the left, width and height, in inches."""
        rows, columns = panel["shape"]
        cell = cell_of(panel)
        return tick_room(panel), max(cell * columns, 0.5), max(cell * rows, 0.3)

    @staticmethod
    def draw(axes, panel, tables, scales):
        """Draw the cells in the still picture."""
        scale = scales[panel["role"]]
        ends = scale["low"], scale["high"]
        absent = tables.get("absent", np.zeros(1)) > 0
        cells = tables["cells"]
        texts = {
            place: written(cells[place], panel["digits"], 1, 1)
            for place in zip(*np.nonzero(~np.isnan(cells)), strict=True)
        }
        # As wide as a cell; what is smaller than that is not read.
        points = min(
            7, 72 * cell_of(panel) / (0.64 * max(map(len, texts.values()), default=1) + 0.3)
        )
        numbered = "least" in panel and points > 5
        colors = colors_of(*ends, scale["still"])
        draw_cells(axes, cells, *ends, colors, absent, numbered, "zero" in panel)
        draw_chosen(axes, panel, *panel["shape"])
        for (row, column), text in texts.items() if numbered else ():
            style = {"fontsize": points, "color": INK, "ha": "center", "va": "center"}
            axes.text(column, row, text, gid=NUMBER, **style)


def cell_of(panel):
    """Inches of the side of a cell in the still picture."""
    rows, columns = panel["shape"]
    return min(0.3, 3.6 / columns, 2.9 / rows)
