"""What a figure can show: a heatmap, a curve or bars. Each panel checks itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import torch

from .palette import ROLES

Numbers: TypeAlias = torch.Tensor | np.ndarray | Sequence[Any] | range
Words: TypeAlias = Sequence[str]


def numbers(data, what):
    """A float64 array from a tensor, an array or nested lists; `what` names it in errors."""
    if isinstance(data, torch.Tensor):
        data = data.detach().cpu()
        if data.dtype == torch.bfloat16:
            data = data.float()
        data = data.numpy()
    try:
        array = np.asarray(data)
    except ValueError as error:
        raise ValueError(f"{what}: its rows differ in length") from error
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{what}: expected numbers, got {type(data).__name__} of {array.dtype}")
    return array.astype(np.float64)


def finite(array, what, masked=None):
    """Raise if `array` holds NaN or an infinity where `masked` is not set."""
    bad = ~np.isfinite(array)
    if masked is not None:
        bad &= ~masked
    if bad.any():
        place = tuple(int(i) for i in np.argwhere(bad)[0])
        raise ValueError(f"{what}: {array[place]} at {place}; every number must be finite")


def words(ticks, count, what):
    """Tick labels as strings, or None; there must be `count` of them."""
    if ticks is None:
        return None
    ticks = [str(tick) for tick in ticks]
    if len(ticks) != count:
        raise ValueError(f"{what}: {len(ticks)} labels for {count} places")
    return ticks


def check_role(role, what):
    if role not in ROLES:
        raise ValueError(f"{what}: role {role!r} is not one of {', '.join(ROLES)}")


@dataclass
class Heatmap:
    """A matrix drawn as coloured cells.

    Parameters
    ----------
    matrix : tensor, array or nested lists, shape (queries, keys)
        Entries of minus infinity count as masked.
    role : {'query', 'key', 'value', 'score', 'weight', 'output'}
        What the numbers are. It decides the colour and names the colour bar; panels of one role
        share one scale over all states of a figure.
    xlabel, ylabel : str
        Names of the columns and rows, in the plural.
    xticks, yticks : sequence of str, optional
        A word for each column or row, such as tokens; otherwise they are numbered from 1.
    masked : boolean matrix, optional
        True where a cell is masked: it is hatched and has no number.
    """

    matrix: Numbers
    role: str = "weight"
    xlabel: str = "Keys"
    ylabel: str = "Queries"
    xticks: Words | None = None
    yticks: Words | None = None
    masked: Numbers | None = None

    def look(self, what):
        """What of this panel is the same in every state."""
        check_role(self.role, what)
        matrix = numbers(self.matrix, what)
        if matrix.ndim != 2 or 0 in matrix.shape:
            advice = "; pick one example, such as weights[0]" if matrix.ndim > 2 else ""
            raise ValueError(
                f"{what}: expected a (queries, keys) matrix with at least one row and column, "
                f"got shape {matrix.shape}{advice}"
            )
        rows, columns = matrix.shape
        return {
            "kind": "heatmap",
            "role": self.role,
            "shape": [rows, columns],
            "xlabel": str(self.xlabel),
            "ylabel": str(self.ylabel),
            "xticks": words(self.xticks, columns, f"{what}, xticks"),
            "yticks": words(self.yticks, rows, f"{what}, yticks"),
        }

    def tables(self, what):
        """The numbers of this state, masked cells as NaN: table name -> (rows, columns) array."""
        matrix = numbers(self.matrix, what)
        masked = matrix == -np.inf
        if self.masked is not None:
            given = self.masked
            given = np.asarray(given.cpu() if isinstance(given, torch.Tensor) else given)
            if given.dtype != np.bool_ or given.shape != matrix.shape:
                raise ValueError(
                    f"{what}, masked: expected a boolean matrix of shape {matrix.shape}, "
                    f"got {given.dtype} of shape {given.shape}"
                )
            masked = masked | given
        finite(matrix, what, masked)
        return {"cells": np.where(masked, np.nan, matrix)}


@dataclass
class Curve:
    """Lines, and points, over a common horizontal axis.

    Parameters
    ----------
    x : sequence of n numbers, in increasing order
        The same in every state.
    lines : dict
        Name -> n heights. A line named after a role gets that role's colour.
    points : dict, optional
        Name -> (x, y), a place to mark.
    xlabel, ylabel : str
        What the axes are.
    """

    x: Numbers
    lines: dict[str, Any]
    points: dict[str, Any] | None = None
    xlabel: str = ""
    ylabel: str = ""

    def look(self, what):
        """What of this panel is the same in every state."""
        if not isinstance(self.lines, dict) or not self.lines:
            raise TypeError(f"{what}: lines must be a dict of at least one name -> heights")
        if not isinstance(self.points or {}, dict):
            raise TypeError(f"{what}: points must be a dict of name -> (x, y)")
        x = numbers(self.x, f"{what}, x")
        if x.ndim != 1 or len(x) < 2 or not (np.diff(x) > 0).all():
            raise ValueError(f"{what}, x: expected at least two increasing numbers, got {x.shape}")
        for name, y in self.lines.items():
            if (shape := numbers(y, f"{what}, line {name!r}").shape) != x.shape:
                raise ValueError(f"{what}, line {name!r}: expected shape {x.shape}, got {shape}")
        return {
            "kind": "curve",
            "shape": [len(self.lines), len(x)],
            "xlabel": str(self.xlabel),
            "ylabel": str(self.ylabel),
            "places": x.tolist(),
            "rowNames": [str(name) for name in self.lines],
            "points": [str(name) for name in self.points or {}],
        }

    def tables(self, what):
        """The numbers of this state: table name -> (rows, columns) array."""
        tables = {"cells": np.stack([numbers(y, what) for y in self.lines.values()])}
        if self.points:
            places = [numbers(p, f"{what}, point {name!r}") for name, p in self.points.items()]
            for name, place in zip(self.points, places, strict=True):
                if place.shape != (2,):
                    raise ValueError(f"{what}, point {name!r}: expected (x, y), got {place.shape}")
            tables["px"] = np.array([[place[0] for place in places]])
            tables["py"] = np.array([[place[1] for place in places]])
        for name, table in tables.items():
            finite(table, f"{what}, {name}")
        return tables


@dataclass
class Bars:
    """One bar for each of n places.

    Parameters
    ----------
    heights : sequence of n numbers
    labels : sequence of str, optional
        A word under each bar; otherwise they are numbered from 1.
    role : {'query', 'key', 'value', 'score', 'weight', 'output'}
        What the heights are; it decides the colour. Panels of one role share one scale.
    xlabel, ylabel : str
        What the axes are.
    """

    heights: Numbers
    labels: Words | None = None
    role: str = "weight"
    xlabel: str = "Keys"
    ylabel: str = ""

    def look(self, what):
        """What of this panel is the same in every state."""
        check_role(self.role, what)
        heights = numbers(self.heights, what)
        if heights.ndim != 1 or not len(heights):
            raise ValueError(f"{what}: expected a row of heights, got shape {heights.shape}")
        return {
            "kind": "bars",
            "role": self.role,
            "shape": [1, len(heights)],
            "xlabel": str(self.xlabel),
            "ylabel": str(self.ylabel),
            "xticks": words(self.labels, len(heights), f"{what}, labels"),
        }

    def tables(self, what):
        """The numbers of this state: table name -> (rows, columns) array."""
        heights = numbers(self.heights, what)[None]
        finite(heights, what)
        return {"cells": heights}


# What a function may return for one panel.
Panel: TypeAlias = Heatmap | Curve | Bars | Numbers


@dataclass(frozen=True)
class Prediction:
    """A question to answer before the figure is uncovered.

    Parameters
    ----------
    question : str
    choices : dict
        Text of a choice -> why it is right, or what is wrong with it.
    answer : str
        The text of the right choice.
    """

    question: str
    choices: dict[str, str]
    answer: str

    def __post_init__(self):
        if not isinstance(self.choices, dict) or len(self.choices) < 2:
            raise TypeError("Prediction: choices must be a dict of at least two texts -> why")
        if self.answer not in self.choices:
            raise ValueError(
                f"Prediction: answer {self.answer!r} is not among the choices {list(self.choices)}"
            )

    def replies(self):
        """The question, and for each choice what the page replies."""
        choices = [
            [
                str(text),
                f"Right. {why}"
                if text == self.answer
                else f"Not quite. {why} The answer: {self.answer}",
            ]
            for text, why in self.choices.items()
        ]
        choices.append(["Skip the question", ""])
        return {"question": str(self.question), "choices": choices}
