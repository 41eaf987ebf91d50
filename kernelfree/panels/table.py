"""A table of words and numbers."""

from collections.abc import Mapping, Set
from dataclasses import dataclass
from numbers import Integral, Number, Real
from typing import Any

from ..arrays import columns_of, is_missing, is_tensor
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
    rows : list of rows, of dicts or of records, dict of columns, or DataFrame
        The first cell of a row is its name; in a DataFrame of pandas that is its index.
    header : sequence of str, optional
        The names of the columns; without it the dict or the DataFrame has them, or the first row.
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
        if hasattr(given, "to_frame") and not hasattr(given, "columns"):  # a Series
            given = given.to_frame("") if given.name is None else given.to_frame()
        if hasattr(given, "columns") and hasattr(given, "itertuples"):
            heads = given.columns if self.header is None else self.header
            return [pandas_name(given.index), *heads], list(given.itertuples(name=None))
        if hasattr(given, "to_dataframe"):  # xarray's have any number of axes
            way = "" if hasattr(given, "data_vars") else "'value'"
            raise TypeError(
                f"{what}: a Table takes rows or a DataFrame, got {type(given).__name__}; "
                f"Table(x.to_dataframe({way})) shows it"
            )
        columns = list(given.items()) if isinstance(given, Mapping) else columns_of(given)
        if columns is not None:
            return self.of_columns(columns, given, what)
        fields = getattr(getattr(given, "dtype", None), "names", None)  # of records of NumPy
        rows = self.listed(given, what)
        fields = getattr(rows[0], "_fields", fields) if rows else fields  # of named tuples
        if rows and all(isinstance(row, Mapping) for row in rows):
            names = list(dict.fromkeys(name for row in rows for name in row))
            rows, header = [[row.get(name) for name in names] for row in rows], names
        else:
            rows, header = [self.cells(n, row, what) for n, row in enumerate(rows, 1)], fields
        header = self.header or header
        if header is None and rows and not any(isinstance(cell, str) for cell in rows[0]):
            names = [f"column {n}" for n in range(1, len(rows[0]) + 1)]
            raise ValueError(
                f"{what}: the first row of a Table has the names of its columns, got {rows[0]}; "
                f"Table(x, header={names}) names them"
            )
        return (rows[0], rows[1:]) if header is None and rows else (list(header or ()), rows)

    def of_columns(self, columns, given, what):
        """The header and the rows of columns of one length."""
        names = [name for name, _ in columns]
        if any(isinstance(one, str | Mapping) or not hasattr(one, "__len__") for _, one in columns):
            raise TypeError(
                f"{what}: a Table takes rows, such as [['name', 'size'], ['a', 1]], got "
                f"{type(given).__name__}; a dict has a list of cells for each column"
            )
        if len(lengths := {len(column) for _, column in columns}) > 1:
            raise ValueError(f"{what}: columns of a Table have one length, got {sorted(lengths)}")
        lists = [as_list(column) for _, column in columns]
        return names if self.header is None else list(self.header), list(zip(*lists, strict=True))

    def listed(self, given, what):
        """Rows as a list; raise for what has none."""
        if isinstance(given, str | bytes | Set) or not hasattr(given, "__iter__"):
            raise TypeError(
                f"{what}: a Table takes rows, such as [['name', 'size'], ['a', 1]], a dict of "
                f"columns, or a DataFrame, got {type(given).__name__}"
            )
        return as_list(given)

    def cells(self, number, row, what):
        """The cells of a row; raise for what is one thing."""
        if isinstance(row, str | bytes | Mapping | Set) or not hasattr(row, "__iter__"):
            raise TypeError(
                f"{what}: row {number} of a Table must be a list of cells, got {row!r}; "
                "[[cell] for cell in rows] makes rows of one cell"
            )
        return as_list(row)

    def text(self, cell):
        """A cell as text: what is missing is empty."""
        cell = cell.tolist() if hasattr(cell, "tolist") else cell
        if cell is None or is_missing(cell) or (isinstance(cell, Number) and cell != cell):
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


def as_list(given):
    """Things of any library as a list, of Python's own where it has them."""
    for way in ("to_pylist", "to_list", "tolist"):
        if hasattr(given, way) and getattr(given, "ndim", 1) == 1:
            return getattr(given, way)()
    return list(given.tolist() if is_tensor(given) else given)


def widths(rows):
    """The widths of the columns of the still picture, in inches."""
    most = [max(letters(cell) for cell in column) for column in zip(*rows, strict=True)]
    return [0.25 + 0.08 * min(one, LETTERS) for one in most]
