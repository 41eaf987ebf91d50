"""Lines, and points, over one axis."""

from dataclasses import dataclass, field
from numbers import Real
from typing import Any

import numpy as np

from ..arrays import Numbers, columns_of, finite, is_missing, numbers, once, rising
from ..axes import minus
from ..colors import own_colors
from ..dates import dated, days, iso
from ..language import deferred, say
from ..palette import GREY, GREYS, color_named, read_as
from ..scales import settle
from . import _marks
from ._checks import common_labels, labels, pandas_name
from ._marks_picture import draw_plot
from ._panel import Panel
from .plot import (
    Plot,
    bound,
    check_log,
    ends_of,
    fineness,
    finished,
    frame,
    keys,
    legend,
    on_log,
    ragged,
    shaded,
)

# How a line is told from the others without its colour: on the canvas, and in the legend.
DASHES = [[], [7, 4], [2, 3], [11, 4, 2, 4]]
MARKS = ["\u2501\u2501\u2501", "\u2501 \u2501", "\u22ef\u22ef", "\u2501 \u00b7"]


@dataclass
class Curve(Panel):
    """Lines, and points, over a common horizontal axis.

    Parameters
    ----------
    x : sequence of n numbers or of n dates, in increasing order
        The same in every state. Dates are Python's, NumPy's or pandas', without a time zone.
    lines : dict or pandas DataFrame
        Name -> n heights; NaN leaves a gap. A line named after a role gets that role's colour,
        others are grey.
    points : dict, optional
        Name -> (x, y), a place to mark; called like a role, it has its colour.
    xlabel, ylabel : str
        What the axes are.
    marks : dict, optional
        Name -> mark, such as `Points`, an `Area` or `Rules`: drawn below the lines.
    xlim, ylim : (low, high), optional
        Ends of the axes. They may change with the state; if not given, they hold all states.
    drag : dict, optional
        Name of a mark -> the control, or the two controls, that it moves, as in a `Plot`.
    log : {'', 'x', 'y', 'xy'}
        The axes that count in powers of ten.
    color : str or dict, optional
        '#rrggbb' for the lines, or a dict of line -> '#rrggbb'. Dark pages have a lighter one of
        the same hue.
    """

    x: Numbers
    lines: Any
    points: dict[str, Any] | None = None
    xlabel: str = ""
    ylabel: str = ""
    marks: dict[str, Any] | None = field(default=None, kw_only=True)
    xlim: Any = field(default=None, kw_only=True)
    ylim: Any = field(default=None, kw_only=True)
    drag: dict[str, Any] | None = field(default=None, kw_only=True)
    log: str = field(default="", kw_only=True)
    color: str | dict[str, str] | None = field(default=None, kw_only=True)

    kind = deferred("curve")
    missing = deferred("gaps")

    def __post_init__(self):
        if (columns := columns_of(self.lines)) is not None:
            self.lines = dict(once(columns, "Curve"))

    def spec(self, what):
        """What of this panel is the same in every state."""
        if not isinstance(self.lines, dict) or not self.lines:
            got = "an empty one" if isinstance(self.lines, dict) else type(self.lines).__name__
            raise TypeError(
                f"{what}: lines must be a dict of at least one name -> heights, such as "
                f"Curve(x, {{'y': y}}), got {got}"
            )
        if not isinstance(self.points or {}, dict):
            hint = "; a label goes to xlabel=" if isinstance(self.points, str) else ""
            got = type(self.points).__name__
            raise TypeError(f"{what}: points must be a dict of name -> (x, y), got {got}{hint}")
        x = numbers(days(self.x, f"{what}, x"), f"{what}, x")
        rising(x, f"{what}, x", iso if dated(self.x) else None)
        common_labels(self.lines, what)
        for name, y in self.lines.items():
            line = f"{what}, line {name!r}" if name else what
            if (shape := numbers(y, line).shape) != x.shape:
                raise ValueError(f"{line}: expected shape {x.shape}, got {shape}")
        for name, place in (self.points or {}).items():
            if (shape := _marks.pairs(place, f"{what}, point {name!r}").shape) != (2,):
                raise ValueError(f"{what}, point {name!r}: expected (x, y), got {shape}")
        marks = self.marks or {}
        if self.marks is not None:
            _marks.check_marks(marks, what)
        check_log(self.log, marks, what)
        given = {"x": self.x, "xlim": self.xlim}
        given |= {f"point {name!r}": place for name, place in (self.points or {}).items()}
        dates = _marks.dates(given, marks, self.log, what)
        specs, names = _marks.specs(marks, what)
        return {
            "kind": self.kind,
            "shape": [len(self.lines), len(x)],
            "xlabel": say(str(self.xlabel)),
            "ylabel": say(str(self.ylabel)),
            **ends_of(self, what),
            **dates,
            "x": x.tolist(),
            "rowNames": [read_as(name) for name in self.lines],
            "points": [read_as(name) for name in self.points or {}],
            "specs": specs,
            "names": names,
            "drag": bound(self.drag, marks, what),
            "color": own_colors(self.color, list(self.lines), what),
        }

    def tables(self, what):
        """The numbers of this state: table name -> (rows, columns) array."""
        lines = np.stack([numbers(y, what) for y in self.lines.values()])
        if np.isinf(lines).any():
            raise ValueError(f"{what}: a line goes to infinity; NaN leaves a gap")
        tables = {"lx": numbers(days(self.x, what), what)[None], "ly": lines}
        if self.points:
            places = np.stack([_marks.pairs(place, what) for place in self.points.values()])
            finite(places, f"{what}, points")
            tables |= {"px": places[None, :, 0], "py": places[None, :, 1]}
        return on_log({**tables, **_marks.tables(self.marks or {}, what)}, self.log, what)

    def tensors(self, live):
        """The same tables by PyTorch."""
        stack = live.torch.stack
        tables = {
            "lx": live.numbers(self.x)[None],
            "ly": stack([live.numbers(line) for line in self.lines.values()]),
        }
        if self.points:
            points = stack([live.numbers(point) for point in self.points.values()])
            tables |= {"px": points[None, :, 0], "py": points[None, :, 1]}
        return {**tables, **_marks.tensors(self.marks or {}, live)}

    @staticmethod
    def made_of(given):
        """A line for a row of numbers, over the index of a pandas Series: one of words is bars."""
        if not is_row(given):
            return None
        index = getattr(given, "index", None)
        return Curve(places_of(given), {"": given}, None, pandas_name(index), pandas_name(given))

    @staticmethod
    def shaded(spec, tables):
        """The numbers of all states that have a role's colours: pairs of role and array."""
        return shaded(spec, tables)

    @staticmethod
    def ragged(key, spec):
        """Whether a table may have more or fewer numbers in another state."""
        return ragged(key, spec)

    @staticmethod
    def fineness(key, spec, table):
        """The largest error of a table, in parts of its range."""
        return fineness(key, spec, table)

    # Marks are dragged as in a plot.
    bind = staticmethod(Plot.bind)

    @staticmethod
    def finish(spec, tables, scales, heights):
        """What this panel shares over all states: axes, colours, names above the plot."""
        specs, drag, names = spec.pop("specs"), spec.pop("drag"), spec.pop("points")
        x, lines = np.array(spec.pop("x")), spec["rowNames"]
        ends = frame(spec, specs, tables)
        greys = iter(GREYS * len(lines))
        own = spec.pop("color")
        colors = [
            pair or color_named(line, None) or next(greys)
            for pair, line in zip(own, lines, strict=True)
        ]
        marks = [finished(str(n), mark, tables, drag) for n, mark in enumerate(specs)]
        # With each round of the dashes they go on by one, so that greys are paired anew.
        looks = [(i + i // len(DASHES)) % len(DASHES) for i in range(len(lines))]
        dashes = [DASHES[look] for look in looks]
        marks.append({"type": "paths", "name": "", "key": "l", "colors": colors, "dashes": dashes})
        if names:
            of = [color_named(name, GREY) for name in names]
            marks.append({"type": "links", "name": "", "key": "p", "head": "dot", "colors": of})
        signs = [
            [f"{MARKS[look]} {line}", color]
            for look, line, color in zip(looks, lines, colors, strict=True)
        ]
        return {
            **ends,
            "column": spec["xlabel"] or "x",
            "columnNames": iso(x) if "dates" in spec else places_in_words(x),
            "marks": marks,
            "names": [*spec["names"], [], names][: len(marks)],
            "legend": [*legend(specs), *(signs if len(lines) > 1 else [])],
            **keys(drag),
        }

    @staticmethod
    def describe(spec):
        """What a panel of this kind shows, in words, without its numbers."""
        rows = spec["shape"][0]
        return say("curve of {count} lines", count=rows) if rows > 1 else say("curve of 1 line")

    draw = staticmethod(draw_plot)


def places_in_words(x):
    """Each place with four digits, or one more than tell it from its neighbours."""
    gaps = np.concatenate([[np.inf], np.diff(x), [np.inf]])
    gaps = np.minimum(gaps[:-1], gaps[1:])
    first, last = (np.floor(np.log10(one)) for one in (np.maximum(np.abs(x), gaps), gaps))
    digits = np.where(first - last < 4, 4, first - last + 2).astype(int)
    x = x if x[0] > 0 else settle(x, x[-1] - x[0])  # 0 is not among numbers above it
    rounded = [float(f"{place:.{count}g}") for place, count in zip(x, digits, strict=True)]
    return [minus(np.format_float_positional(place, trim="-")) for place in rounded]


def is_row(given):
    """Whether it is two numbers or more, one after the other."""
    if hasattr(given, "to_pylist") and not hasattr(given, "column_names"):  # pyarrow
        given = given.to_pylist()
    if hasattr(given, "shape"):
        return len(given.shape) == 1 and given.shape[0] > 1
    row = isinstance(given, list | tuple | range) and len(given) > 1
    return row and all(
        isinstance(x, Real) or is_missing(x) or getattr(x, "ndim", None) == 0 for x in given
    )


def places_of(given):
    """What a row of numbers stands over: 1 to n, or the index of a pandas Series."""
    count = given.shape[0] if hasattr(given, "shape") else len(given)
    return range(1, count + 1) if labels(given, "index") is None else given.index
