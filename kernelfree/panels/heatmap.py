"""A matrix as coloured cells."""

from dataclasses import dataclass, field

import numpy as np

from ..arrays import as_array
from ..axes import counted, named, singular
from .checks import Numbers, Words, check_role, finite, labels, numbers, words
from .touch import asked, bind


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


@dataclass
class Heatmap:
    """A matrix drawn as coloured cells.

    Parameters
    ----------
    matrix : tensor, array, nested lists or pandas DataFrame, shape (rows, columns)
        Entries of minus infinity count as masked. A DataFrame's columns and index are the ticks.
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
    """

    matrix: Numbers
    role: str = "number"
    xlabel: str = "Columns"
    ylabel: str = "Rows"
    xticks: Words | None = None
    yticks: Words | None = None
    masked: Numbers | None = None
    absent: Numbers | None = None
    touch: str | tuple[str | None, str | None] | None = field(default=None, kw_only=True)

    def look(self, what):
        """What of this panel is the same in every state."""
        check_role(self.role, what)
        matrix = numbers(self.matrix, what)
        if matrix.ndim != 2 or 0 in matrix.shape:
            advice = "; pick one of them, such as matrices[0]" if matrix.ndim > 2 else ""
            raise ValueError(
                f"{what}: expected a (rows, columns) matrix with at least one row and column, "
                f"got shape {matrix.shape}{advice}"
            )
        rows, columns = matrix.shape
        return {
            "kind": "heatmap",
            "role": self.role,
            "shape": [rows, columns],
            "xlabel": str(self.xlabel),
            "ylabel": str(self.ylabel),
            "absent": self.absent is not None,
            "xticks": self.ticks(what, "xticks", "columns", columns),
            "yticks": self.ticks(what, "yticks", "index", rows),
            **asked(self.touch, what),
        }

    def ticks(self, what, side, names, count):
        """The author's words along a side, else those of a DataFrame, else None."""
        given = getattr(self, side)
        given = labels(self.matrix, names) if given is None else given
        return words(given, count, f"{what}, {side}")

    def tables(self, what):
        """The numbers of this state, masked cells as NaN: table name -> (rows, columns) array."""
        matrix = numbers(self.matrix, what)
        masked = (matrix == -np.inf) | cells(self.masked, matrix.shape, f"{what}, masked")
        absent = cells(self.absent, matrix.shape, f"{what}, absent")
        finite(matrix, what, masked | absent)
        tables = {"cells": np.where(masked | absent, np.nan, matrix)}
        return tables if self.absent is None else {**tables, "absent": absent.astype(float)}

    @staticmethod
    def shaded(look, part):
        """The numbers of all states that have a role's colours: pairs of role and array."""
        return [(look["role"], part["cells"])]

    bind = staticmethod(bind)

    @staticmethod
    def finish(look, part, scales, spans):
        """What this panel shares over all states: axes, ticks, names."""
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
            "masked": bool((np.isnan(part["cells"]) & ~(part.get("absent", 0) > 0)).any()),
            # What a cell shows, where it fits: decimals, and letters of the longest number.
            "digits": digits,
            "letters": max(len(f"{role[end]:.{digits}f}") for end in ("low", "high")),
        }

    @staticmethod
    def describe(look):
        """What a panel of this kind shows, in words, without its numbers."""
        rows, columns = look["shape"]
        return f"heatmap of {rows} x {columns}"
