"""Bars beside each other, or on top of each other."""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass

import numpy as np

from ..axes import along, axis, counted, named, singular
from ..palette import GREY, GREYS, ROLES
from .checks import Numbers, Words, check_role, finite, labels, numbers, words
from .touch import asked, bind


@dataclass
class Bars:
    """One bar for each of n places.

    Parameters
    ----------
    heights : sequence of n numbers, pandas Series, or dict
        The index of a Series are the labels.
        A dict of name -> n numbers from 0 stacks them. A part that is called like a role has its
        colour, others are grey.
    labels : sequence of str, optional
        A word under each bar; otherwise they are numbered from 1.
    role : str
        What the heights are: "number", or a role of `add_role`. It decides the colour; panels of
        one role share one scale.
    xlabel, ylabel : str
        What the axes are.
    base : number
        Where bars begin: among scores below 0, a base below all of them makes the best the
        longest. Stacked bars begin at 0.
    limit : number, optional
        A line across the bars that they are held against.
    unit : str
        What stands behind each number, such as 'GB'.
    touch : str, optional
        The control that a touched bar sets: the first bar its first value, and so on.
    """

    heights: Numbers | Mapping[str, Numbers]
    labels: Words | None = None
    role: str = "number"
    xlabel: str = ""
    ylabel: str = ""
    _: KW_ONLY
    base: float = 0.0
    limit: float | None = None
    unit: str = ""
    touch: str | None = None

    def rows(self, what):
        """The heights as an array (parts, n)."""
        if not isinstance(self.heights, Mapping):
            heights = numbers(self.heights, what)
            if heights.ndim != 1 or not len(heights):
                raise ValueError(f"{what}: expected a row of heights, got shape {heights.shape}")
            return heights[None]
        parts = [numbers(part, f"{what}, {name!r}") for name, part in self.heights.items()]
        shapes = [part.shape for part in parts]
        if len(set(shapes)) != 1 or len(shapes[0]) != 1 or not shapes[0][0]:
            raise ValueError(f"{what}: expected parts of one length to stack, got shapes {shapes}")
        if (np.stack(parts) < 0).any() or self.base:
            raise ValueError(f"{what}: stacked bars begin at 0 and have no number below it")
        return np.stack(parts)

    def look(self, what):
        """What of this panel is the same in every state."""
        check_role(self.role, what)
        rows, count = self.rows(what).shape
        ends = numbers([self.base, 0 if self.limit is None else self.limit], f"{what}, base, limit")
        finite(ends, f"{what}, base, limit")
        names = list(map(str, self.heights)) if isinstance(self.heights, Mapping) else None
        ticks = labels(self.heights, "index") if self.labels is None else self.labels
        return {
            "kind": "bars",
            "role": self.role,
            "shape": [rows, count],
            "xlabel": str(self.xlabel),
            "ylabel": str(self.ylabel),
            "xticks": words(ticks, count, f"{what}, labels"),
            "base": float(self.base),
            "limit": None if self.limit is None else float(self.limit),
            "unit": f" {self.unit}" if self.unit else "",
            "rowNames": names or [str(self.ylabel) or self.role],
            **asked(self.touch, what),
        }

    def tables(self, what):
        """The numbers of this state: table name -> (rows, columns) array."""
        heights = self.rows(what)
        finite(heights, what)
        line = {} if self.limit is None else {"by": np.full((1, 2), float(self.limit))}
        return {"cells": heights, **line}

    @staticmethod
    def shaded(look, part):
        """The numbers of all states that have a role's colours: pairs of role and array."""
        return [(look["role"], part["cells"].sum(1))]

    bind = staticmethod(bind)

    @staticmethod
    def finish(look, part, scales, spans):
        """What this panel shares over all states: axes, ticks, names."""
        low, high = spans[look["role"]]
        base, limit, names = look["base"], look.pop("limit"), look["rowNames"]
        ends = [low, high, base, *([] if limit is None else [limit])]
        up = axis(min(ends), max(ends), False)
        ends = up["low"], up["high"]
        ticks = along(up["ticks"], *ends)
        words, count = look.pop("xticks"), look["shape"][1]
        stacked = len(names) > 1
        colors = [ROLES.get(name, GREYS[i % 2]) for i, name in enumerate(names)]
        line = {"type": "paths", "name": "limit", "key": "b", "colors": [GREY], "dashes": [[7, 4]]}
        signs = [[f"\u25a0 {name}", color] for name, color in zip(names, colors, strict=True)]
        return {
            "words": bool(words),
            "x": counted(words, count),
            "columnNames": named(words, count),
            "y": [[1 - at, f"{text}{look['unit']}"] for at, text in ticks],
            "column": singular(look["xlabel"]),
            "yaxis": ends,
            "colors": colors if stacked else [ROLES[look["role"]]],
            "marks": [] if limit is None else [line],
            "legend": signs if stacked else [],
        }

    @staticmethod
    def describe(look):
        """What a panel of this kind shows, in words, without its numbers."""
        rows, count = look["shape"]
        bars = f"{count} bar{'s' if count > 1 else ''}"
        return f"{bars} of {', '.join(look['rowNames'])}" if rows > 1 else bars
