"""Marks over two axes: a plane of equal scales, or a plot."""

from dataclasses import dataclass, field
from string import ascii_letters
from typing import Any

import numpy as np

from ..axes import along, axis, date_axis, log_axis, singular
from ..language import deferred, say
from ..numerals import ends
from ..palette import GREY, GROUPS, color_named, read_as
from . import _marks
from ._checks import limits
from ._marks_picture import draw_plot
from ._panel import Panel, tick_room

# How a mark is told from the others without its colour, where its name stands above the plot.
SIGNS = {"dot": "\u25cf", "arrow": "\u279d", "": "\u2014", "fill": "\u25a0", "line": "\u2501\u2501"}


def logged(table, what):
    """Powers of ten of numbers, which must be above 0; NaN stays."""
    if (table <= 0).any():
        raise ValueError(
            f"{what}: {np.nanmin(table):g} is not above 0, as a log axis needs; "
            "np.where(x > 0, x, np.nan) leaves gaps"
        )
    return np.log10(table)


def on_log(tables, log, what):
    """The tables of a panel, with powers of ten for what stands on its log axes."""
    axes = {"x": "x", "u": "x", "y": "y", "v": "y"}
    return {
        key: logged(table, what) if axes.get(key[-1], "-") in log else table
        for key, table in tables.items()
    }


def check_log(log, marks, what):
    """Raise unless `log` names axes on which these marks can stand."""
    if log not in ("", "x", "y", "xy"):
        raise ValueError(f"{what}, log: expected '', 'x', 'y' or 'xy', got {log!r}")
    for name, mark in marks.items() if log else ():
        if isinstance(mark, _marks.EVEN):
            raise ValueError(f"{what}, log: mark {name!r} stands on even axes alone")


def bound(drag, marks, what):
    """Which controls each mark moves: name of the mark -> names of one or two controls."""
    if not isinstance(drag or {}, dict):
        raise TypeError(f"{what}, drag: expected a dict of mark -> control, got {drag!r}")
    found = {}
    for name, given in (drag or {}).items():
        if name not in marks:
            raise ValueError(f"{what}, drag: there is no mark {name!r}; there are {list(marks)}")
        controls = [given] if isinstance(given, str) else list(given)
        if len(controls) not in (1, 2):
            raise ValueError(
                f"{what}, drag: mark {name!r} moves {len(controls)} controls, not one or two"
            )
        kind = marks[name].kind["type"]
        if kind == "field" or (kind == "links" and marks[name].count(what) != 1):
            raise ValueError(f"{what}, drag: mark {name!r} is not a single point or a line")
        found[read_as(name)] = controls
    return found


@dataclass
class Plot(Panel):
    """Points, arrows, lines, regions and more over two axes of numbers.

    Parameters
    ----------
    marks : dict
        Name -> mark: `Points`, `Arrows`, `Segments`, `Lines`, `Borders`, `Regions`, `Area`,
        `Histogram`, `Rules`, `Bands` or `Field`. The first is the lowest.
    xlabel, ylabel : str
        What the axes are.
    xlim, ylim : (low, high), optional
        Ends of the axes. They may change with the state; if not given, they hold all states.
        Places on x may be dates: then all of them are, and so is `xlim`.
    drag : dict, optional
        Name of a mark -> the control, or the two controls, that it moves. The reader drags the
        mark, or moves it by arrow keys; it goes to the nearest place that was computed.
    log : {'', 'x', 'y', 'xy'}
        The axes that count in powers of ten.
    ticks : bool
        False for a drawing whose places mean nothing: no numbers along its sides.
    """

    marks: dict[str, Any]
    xlabel: str = ""
    ylabel: str = ""
    xlim: Any = field(default=None, kw_only=True)
    ylim: Any = field(default=None, kw_only=True)
    drag: dict[str, Any] | None = field(default=None, kw_only=True)
    log: str = field(default="", kw_only=True)
    ticks: bool = field(default=True, kw_only=True)

    kind = deferred("plot")

    def spec(self, what):
        """What of this panel is the same in every state."""
        _marks.check_marks(self.marks, what)
        check_log(self.log, self.marks, what)
        dates = _marks.dates({"xlim": self.xlim}, self.marks, self.log, what)
        if (self.log or dates) and self.kind == "plane":
            name = "log" if self.log else "dates"
            raise ValueError(f"{what}, {name}: both axes of a plane have one scale; take a Plot")
        specs, names = _marks.specs(self.marks, what)
        return {
            "kind": self.kind,
            "shape": [len(specs), max(1, *map(len, names))],
            "xlabel": say(str(self.xlabel)),
            "ylabel": say(str(self.ylabel)),
            **ends_of(self, what),
            **dates,
            "ticks": bool(self.ticks),
            "specs": specs,
            "names": names,
            "drag": bound(self.drag, self.marks, what),
        }

    def tables(self, what):
        """The numbers of this state: number of the mark and table's name -> (rows, columns)."""
        return on_log(_marks.tables(self.marks, what), self.log, what)

    def tensors(self, live):
        """The same tables by PyTorch."""
        return _marks.tensors(self.marks, live)

    @staticmethod
    def bind(specs, tables, what, controls, panels):
        """Give the marks that are dragged the numbers of their controls, or raise."""
        names = list(controls)
        for spec in specs:
            for mark, moved in spec["drag"].items():
                if unknown := [name for name in moved if name not in names]:
                    raise ValueError(
                        f"{what}, drag: mark {mark!r} moves {unknown[0]!r}, but the controls are "
                        f"{', '.join(names)}"
                    )
                spec["drag"][mark] = [names.index(name) for name in moved]
        check_moved(specs[0], tables, what, list(controls.values()))

    @staticmethod
    def finish(spec, tables, scales, heights):
        """What this panel shares over all states: axes, colours, names above the plot."""
        specs, drag = spec.pop("specs"), spec.pop("drag")
        return {
            **frame(spec, specs, tables),
            "marks": [finished(str(n), mark, tables, drag) for n, mark in enumerate(specs)],
            "legend": legend(specs),
            **keys(drag),
        }

    @staticmethod
    def shaded(spec, tables):
        """The numbers that have the colours of a role: pairs of role and array."""
        return shaded(spec, tables)

    @staticmethod
    def ragged(key, spec):
        """Whether a table may have more or fewer numbers in another state."""
        return ragged(key, spec)

    @staticmethod
    def fineness(key, spec, table):
        """The largest error of a table, in parts of its range."""
        return fineness(key, spec, table)

    @staticmethod
    def describe(spec):
        """What a panel of this kind shows, in words, without its numbers."""
        marks = say(", ").join(mark["name"] for mark in spec["marks"])
        return say("{kind} of {marks}", kind=say(spec["kind"]), marks=marks)

    @staticmethod
    def summary(specs, tables):
        """A line of text."""
        spec = specs[0]
        shown = Plot.describe(spec)
        return f"{spec['name']}: {shown}" if spec["name"] else shown

    draw = staticmethod(draw_plot)


class Plane(Plot):
    __doc__ = Plot.__doc__.replace(
        "over two axes of numbers.", "in a plane: both axes have one scale, so angles are true."
    )
    kind = deferred("plane")

    @staticmethod
    def picture_size(panel):
        """Room on the left, width and height, in inches: both axes have one scale."""
        ratio = np.ptp(panel["yaxis"]) / np.ptp(panel["xaxis"])
        return tick_room(panel), min(3.2, 3.2 / ratio), min(3.2, 3.2 * ratio)


def check_moved(spec, tables, what, controls):
    """Raise unless marks that are dragged move with their controls: a hand goes to places."""
    stops = [len(c["options"]) for c in controls if "options" in c]
    for number, mark in enumerate(spec["specs"]):
        for n in spec["drag"].get(mark["name"], ()):
            # What has no stops was tried at samples, which are the last axis.
            axis = sum("options" in c for c in controls[:n]) if "options" in controls[n] else -1
            at = grip(str(number), mark, tables)
            found = [tables[key] for side in "xy" if (key := f"{number}{side}") in tables]
            places = [table[:, 0, at].reshape(*stops, -1) for table in found]
            still = all((place == place.take([0], axis)).all() for place in places)
            if still and len(controls[n].get("options", "ab")) > 1:
                name = controls[n]["name"]
                raise ValueError(
                    f"{what}, drag: mark {mark['name']!r} moves {name!r}, but stands at one place "
                    f"for all its values; compute the mark's place from {name}, or don't drag it"
                )


def grip(key, mark, tables):
    """Where a hand takes a mark: a line at its highest place in the first state."""
    first = tables.get(f"{key}y", np.zeros((1, 1, 1)))
    return int(first[0, 0].argmax()) if mark["type"] == "paths" else 0


def shaded(spec, tables):
    """The numbers of all states that have a role's colours: pairs of role and array."""
    for number, mark in enumerate(spec["specs"]):
        for key in ("shade", "s"):
            if f"{number}{key}" in tables and not mark.get("winners"):
                yield mark["role"], tables[f"{number}{key}"]


def ragged(key, spec):
    """Whether a table is that of a line or an area that no hand takes."""
    number = key.rstrip(ascii_letters)
    mark = spec["specs"][int(number)] if number else {}
    return mark.get("type") == "paths" and mark["name"] not in spec["drag"]


def fineness(key, spec, table):
    """The largest error of a table of a mark: what is drawn and not written needs less.

    Dates are written whole: to the day, or to the second.
    """
    if key[0].isdigit() and key[-1] in "xu" and spec.get("dates"):
        return 0.5 * (1.0 if not (table % 1 > 0).any() else 1e-6) / ends(table)[2]
    if key[-1] in "xyuv" and ("x" if key[-1] in "xu" else "y") in spec.get("log", ""):
        return 0.5e-4 / ends(table)[2]  # powers of ten, for three digits of the number itself
    drawn = {**dict.fromkeys("xyuv", 0.001), "s": 0.005}
    return drawn.get(key[-1], 0.0005) if key[0].isdigit() else 0.0005


def ends_of(panel, what):
    """The ends of the axes that an author has chosen, and which axes count in powers of ten."""
    found = {"log": panel.log}
    for name in ("x", "y"):
        ends = limits(getattr(panel, f"{name}lim"), f"{what}, {name}lim")
        if ends and name in panel.log:
            ends = logged(np.array(ends), f"{what}, {name}lim").tolist()
        found[f"{name}lim"] = ends
    return found


def frame(spec, specs, tables):
    """The two axes: their ends, and ticks from the left and from the top."""
    equal, found = spec["kind"] == "plane", {}
    ticks = spec.pop("ticks", True)
    for name, keys in (("x", "xu"), ("y", "yv")):
        ends = [m["ends"][name] for m in specs if m["type"] == "field"]
        places = [table for key, table in tables.items() if key[-1] in keys]
        if name == "x" and spec["kind"] == "curve":  # as wide as its lines
            places = [tables[key] for key in ("lx", "px") if key in tables]
        known = [seen for table in places if (seen := table[~np.isnan(table)]).size]
        low = min([*(table.min() for table in known), *(low for low, _ in ends)], default=0.0)
        high = max([*(table.max() for table in known), *(high for _, high in ends)], default=1.0)
        # A plane leaves room around its points, unless a field fills it.
        room = 0.06 * (high - low) if equal and not ends else 0.0
        given = spec.pop(f"{name}lim")
        tight = equal or name == "x" or given is not None
        low, high = given or (low - room, high + room)
        if name == "x" and spec.get("dates"):
            up = date_axis(low, high)
            found["xlabel"] = ", ".join(filter(None, [spec["xlabel"], up["date"]]))
        else:
            exact = given is not None or (name == "x" and spec["kind"] == "curve")
            up = (
                log_axis(low, high, tight) if name in spec["log"] else axis(low, high, tight, exact)
            )
        found[f"{name}axis"] = up["low"], up["high"]
        found[name] = along(up["ticks"], up["low"], up["high"]) if ticks else []
    found["y"] = [[1 - at, text] for at, text in found["y"]]
    return found


def color(mark):
    return color_named(mark["role"] or mark["name"], GREY)


def finished(key, mark, tables, drag):
    """One mark for the page: what it is, its colours, and what moves it."""
    found = {
        name: mark[name]
        for name in ("type", "name", "head", "fill", "ends", "groups")
        if name in mark
    }
    if mark.get("dash"):
        found["dashes"] = [mark["dash"]]
    if mark["type"] == "links":
        # What one of its points is: those of "keys" are the keys of other panels, too.
        found["thing"] = singular(mark["name"])
    found |= {"key": key, "colors": GROUPS if mark.get("winners") else [color(mark)]}
    if f"{key}shade" in tables or mark["type"] == "field":
        found["role"] = mark["role"]
    if f"{key}size" in tables:
        found["top"] = float(f"{tables[f'{key}size'].max():.6g}") or 1.0
    if mark["name"] in drag:
        found |= {"drag": drag[mark["name"]], "grip": grip(key, mark, tables)}
    return found


def keys(drag):
    """What arrow keys do, if a mark can be moved, for those who don't see it."""
    marks = say(", ").join(drag)
    one = say("move {marks}; with Shift they read the numbers", marks=marks)
    several = say(
        "move {marks}, Enter takes the next of them; with Shift they read the numbers", marks=marks
    )
    return {"keys": several if len(drag) > 1 else one} if drag else {}


def legend(specs):
    """What stands above the plot: marks whose names do not stand in it, as text and colours."""
    found = []
    for mark in specs:
        if mark["type"] == "field":
            found += [
                [f"{SIGNS['fill']} {name}", GROUPS[i]] for i, name in enumerate(mark["groups"])
            ]
        elif mark["type"] == "paths" and len(specs) > 1:
            sign = "fill" if mark.get("fill") else "line"
            found.append([f"{SIGNS[sign]} {mark['name']}", color(mark)])
    return found
