"""A table of words and numbers."""

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

from ..arrays import is_tensor
from ..axes import minus
from ..language import deferred, say
from ..palette import INK
from ..texts import check_text, cut, letters
from ._checks import Words, pandas_name, readable
from ._content import LINES, Content

# Columns of the still picture, and letters of a cell there.
COLUMNS, LETTERS = 8, 16


@dataclass
class Table(Content):
    """A table with a header; its first column names the rows.

    Parameters
    ----------
    rows : pandas DataFrame, or list of rows
        A DataFrame's index names its rows.
    header : sequence of str, optional
        The names of the columns; without it the first row has them, or the DataFrame.
    digits : int
        How many digits of a float are shown.
    """

    rows: Any
    header: Words | None = None
    digits: int = 4

    kind = deferred("table")

    def content(self, what):
        """The heads of the columns, the rows as (name, texts), and the head of the names."""
        header, rows = self.parts(what)
        if not header or not rows:
            raise ValueError(f"{what}: a Table needs a header and at least one row")
        for number, row in enumerate(rows):
            if len(row) != len(header):
                raise ValueError(
                    f"{what}: row {number + 1} of a Table has {len(row)} cells, but its header "
                    f"{len(header)}"
                )
        corner, *heads = [self.text(cell) for cell in readable(header)]
        columns = map(readable, zip(*rows, strict=True))
        texts = [[self.text(cell) for cell in row] for row in zip(*columns, strict=True)]
        for text in [corner, *heads, *(cell for row in texts for cell in row)]:
            check_text(what, text)
        return [heads, [[name, cells] for name, *cells in texts], corner]

    def parts(self, what):
        """The header and the rows, the first column of which are their names."""
        given = self.rows
        if hasattr(given, "columns") and hasattr(given, "index"):
            heads = given.columns if self.header is None else self.header
            return [pandas_name(given.index), *heads], list(given.itertuples(name=None))
        if isinstance(given, str | Mapping) or not hasattr(given, "__iter__"):
            raise TypeError(
                f"{what}: a Table takes rows, such as [['name', 'size'], ['a', 1]], or a "
                f"DataFrame, got {type(given).__name__}"
            )
        rows = [list(row) for row in (given.tolist() if is_tensor(given) else given)]
        return (rows[0], rows[1:]) if self.header is None and rows else (list(self.header), rows)

    def text(self, cell):
        """A cell as text: what is missing is empty."""
        cell = cell.item() if getattr(cell, "shape", None) == () else cell
        # That of pandas' integers is not even equal or unequal to itself.
        if cell is None or str(cell) == "<NA>" or cell != cell:
            return ""
        if isinstance(cell, Real) and not isinstance(cell, bool | Integral):
            return minus(f"{float(cell):.{self.digits}g}")
        return minus(str(cell)) if isinstance(cell, Integral) else str(cell)

    @staticmethod
    def describe(spec):
        """What it shows, in words."""
        heads, rows, corner = spec["content"]
        heads = say(", ").join(filter(None, [corner, *heads]))
        return say("table of {count} rows: {heads}", count=len(rows), heads=heads)

    @staticmethod
    def lines(panel):
        """The rows that the still picture has room for."""
        heads, rows, corner = panel["content"]
        rows = [[corner, *heads], *([name, *cells] for name, cells in rows)]
        return [row[:COLUMNS] for row in rows[:LINES]]

    @staticmethod
    def picture_size(panel):
        """Room on the left, width and height, in inches."""
        rows = Table.lines(panel)
        return 0.1, sum(widths(rows)), 0.19 * len(rows)

    @staticmethod
    def draw(axes, panel, tables, scales):
        """Write the cells into the still picture."""
        rows = Table.lines(panel)
        wide = widths(rows)
        axes.set(xlim=(0, sum(wide)), ylim=(len(rows), 0))
        axes.set_axis_off()
        for down, row in enumerate(rows):
            for column, cell in enumerate(row):
                style = {"fontsize": 8, "color": INK, "parse_math": False, "va": "center"}
                weight = "bold" if not down else "normal"
                text = cut(cell, LETTERS)
                axes.text(sum(wide[:column]), down + 0.5, text, weight=weight, **style)


def widths(rows):
    """The widths of the columns of the still picture, in inches."""
    most = [max(letters(cell) for cell in column) for column in zip(*rows, strict=True)]
    return [0.25 + 0.08 * min(one, LETTERS) for one in most]
