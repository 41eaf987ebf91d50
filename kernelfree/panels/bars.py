"""Bars beside each other, or on top of each other."""

from collections.abc import Mapping
from dataclasses import KW_ONLY, dataclass

import numpy as np

from ..arrays import Numbers, columns_of, finite, numbers, once
from ..axes import along, axis, counted, named, singular
from ..colors import own_colors
from ..language import deferred, say
from ..palette import FAINT, GREY, GREYS, ROLES, color_named, read_as
from ..png import inked
from ._checks import Words, check_role, common_labels, labels, side_label, words
from ._panel import Panel
from ._touch import bind_touch, draw_chosen, touch_spec


@dataclass
class Bars(Panel):
    """One bar for each of n places.

    Parameters
    ----------
    heights : sequence of n numbers, pandas Series or DataFrame, or dict
        The index of a Series are the labels, and its names those of the axes.
        A dict of name -> n numbers from 0 stacks them, and so do the columns of a table. A part
        that is called like a role has its colour, others are grey.
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
        A line across the bars that they are held against. It may move from state to state.
    unit : str
        What stands behind each number, such as 'GB'.
    color : str or dict, optional
        '#rrggbb' instead of the role's colour, or a dict of part -> '#rrggbb'. Dark pages have a
        lighter one of the same hue.
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
    color: str | Mapping[str, str] | None = None
    touch: str | None = None

    kind = deferred("bars")
    tinted = False

    def __post_init__(self):
        self.index = getattr(self.heights, "index", None)
        if (columns := columns_of(self.heights)) is not None:
            self.heights = dict(once(columns, "Bars"))

    def rows(self, what):
        """The heights as an array (parts, n)."""
        if not isinstance(self.heights, Mapping):
            heights = numbers(self.heights, what)
            if heights.ndim != 1 or not len(heights):
                way = "; dict(zip(names, x)) stacks rows" if heights.ndim == 2 else ""
                raise ValueError(
                    f"{what}: expected a row of heights, got shape {heights.shape}{way}"
                )
            return heights[None]
        parts = [numbers(part, f"{what}, {name!r}") for name, part in self.heights.items()]
        shapes = [part.shape for part in parts]
        if len(set(shapes)) != 1 or len(shapes[0]) != 1 or not shapes[0][0]:
            advice = ""
            if () in shapes:
                advice = "; each part is a row of heights: single bars are Bars([1, 2], names)"
            raise ValueError(
                f"{what}: expected parts of one length to stack, got shapes {shapes}{advice}"
            )
        if (np.stack(parts) < 0).any() or self.base:
            raise ValueError(f"{what}: stacked bars begin at 0 and have no number below it")
        return np.stack(parts)

    def spec(self, what):
        """What of this panel is the same in every state."""
        check_role(self.role, what)
        rows, count = self.rows(what).shape
        ends = numbers([self.base, 0 if self.limit is None else self.limit], f"{what}, base, limit")
        finite(ends, f"{what}, base, limit")
        parts = self.heights if isinstance(self.heights, Mapping) else {"": self.heights}
        names = list(map(read_as, parts)) if parts is self.heights else None
        own = common_labels(parts, what)
        ticks = own if self.labels is None else self.labels
        xlabel = side_label(self, "xlabel", self.index)
        ylabel = side_label(self, "ylabel", self.heights)
        return {
            "kind": self.kind,
            "role": self.role,
            "shape": [rows, count],
            "xlabel": say(xlabel),
            "ylabel": say(ylabel),
            "xticks": words(ticks, count, f"{what}, labels"),
            "base": float(self.base),
            "limit": self.limit is not None,
            "unit": f" {unit}" if (unit := str(self.unit).strip()) else "",
            "color": own_colors(self.color, list(parts), what),
            "rowNames": names or [ylabel or say(self.role)],
            **touch_spec(self.touch, what),
        }

    def tables(self, what):
        """The numbers of this state: table name -> (rows, columns) array."""
        heights = self.rows(what)
        way = "; a bar of 0 is none, or leave its place out"
        finite(heights if len(heights) > 1 else heights[0], what, advice=way)
        line = {} if self.limit is None else {"by": np.full((1, 2), float(self.limit))}
        return {"cells": heights, **line}

    def tensors(self, live):
        """The same tables by PyTorch."""
        stacked = isinstance(self.heights, Mapping)
        rows = self.heights.values() if stacked else [self.heights]
        tables = {"cells": live.torch.stack([live.numbers(row) for row in rows])}
        if self.limit is not None:
            tables["by"] = live.numbers(self.limit).reshape(1, 1).expand(1, 2)
        return tables

    @staticmethod
    def made_of(given):
        """Bars of a pandas Series whose index is words, several levels, or intervals."""
        row = len(getattr(given, "shape", ())) == 1
        index = labels(given, "index") or () if row else ()
        return Bars(given) if any(map(is_word, index)) else None

    @staticmethod
    def shaded(spec, tables):
        """The numbers of all states that have a role's colours: pairs of role and array."""
        return [(spec["role"], tables["cells"].sum(1))]

    @staticmethod
    def bind(specs, tables, what, controls, panels):
        """Find the controls that a touch sets."""
        bind_touch(specs, what, controls)

    @staticmethod
    def finish(spec, tables, scales, heights):
        """What this panel shares over all states: axes, ticks, names."""
        low, high = heights[spec["role"]]
        base, limited, names = spec["base"], spec.pop("limit"), spec["rowNames"]
        limits = [float(tables["by"].min()), float(tables["by"].max())] if limited else []
        ends = [low, high, base, *limits]
        up = axis(min(ends), max(ends), False)
        ends = up["low"], up["high"]
        ticks = along(up["ticks"], *ends)
        words, count = spec.pop("xticks"), spec["shape"][1]
        stacked = len(names) > 1
        own = spec.pop("color")
        colors = [own[i] or color_named(name, GREYS[i % 2]) for i, name in enumerate(names)]
        line = {
            "type": "paths",
            "name": say("limit"),
            "key": "b",
            "colors": [GREY],
            "dashes": [[7, 4]],
        }
        signs = [[f"\u25a0 {name}", color] for name, color in zip(names, colors, strict=True)]
        return {
            "words": bool(words),
            "x": counted(words, count),
            "columnNames": named(words, count),
            "y": [[1 - at, f"{text}{spec['unit']}"] for at, text in ticks],
            "column": singular(spec["xlabel"]),
            "yaxis": ends,
            "colors": colors if stacked else [own[0] or ROLES[spec["role"]]],
            "marks": [line] if limited else [],
            "legend": signs if stacked else [],
        }

    @staticmethod
    def describe(spec):
        """What a panel of this kind shows, in words, without its numbers."""
        rows, count = spec["shape"]
        bars = say("{count} bars", count=count) if count > 1 else say("1 bar")
        parts = say(", ").join(spec["rowNames"])
        return say("{bars} of {parts}", bars=bars, parts=parts) if rows > 1 else bars

    @staticmethod
    def draw(axes, panel, tables, scales):
        """Draw the bars, and the line across them, in the still picture."""
        count = panel["shape"][1]
        below = np.full(count, panel["base"])
        for heights, pair in zip(tables["cells"], panel["colors"], strict=True):
            axes.bar(np.arange(count), heights - panel["base"], 0.72, below, color=inked(pair))
            below = below + heights
        if "by" in tables:
            color = inked(panel["marks"][0]["colors"][0])
            axes.axhline(tables["by"][0, 0], color=color, dashes=[3.5, 2])
        axes.set(xlim=(-0.5, count - 0.5), ylim=panel["yaxis"])
        axes.grid(axis="y", color=FAINT, linewidth=0.5)
        axes.set_axisbelow(True)
        draw_chosen(axes, panel, 1, count)


def is_word(place):
    """Whether a place of an index is neither a number nor a date, as on an axis."""
    return isinstance(place, str | tuple | bool | np.bool_) or hasattr(place, "closed_left")
