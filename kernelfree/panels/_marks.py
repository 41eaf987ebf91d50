"""The marks that a plot is made of. Each checks itself; what it shows may change with the state.

The page knows three types: `links` are points, with a tail or without, `paths` are lines, open or
closed, and a `field` is a grid of shades (`js/panels/marks.js`, `_marks_picture.py`).
"""

from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

import numpy as np

from ..arrays import Numbers, as_array, finite, numbers, rising
from ..dates import dated, days
from ..palette import GROUPS, read_as
from ..scales import digits_between, short
from ._checks import Words, check_role, words


def pairs(data, what):
    """An array whose last axis is (x, y), where x may be dates."""
    if dated(data) and dated(as_array(data)[..., 1:]):
        raise TypeError(f"{what}: dates stand on the x axis alone, got one as y")
    return numbers(days(data, what), what)


def places(data, what):
    """Points of a plane as an array (n, 2), from n pairs or a single one."""
    found = np.atleast_2d(pairs(data, what))
    if found.ndim != 2 or found.shape[1] != 2 or not len(found):
        turn = "; np.stack([x, y], axis=1) has such rows" if found.shape[0] == 2 else ""
        raise ValueError(
            f"{what}: expected (x, y) or rows of (x, y), got shape {found.shape}{turn}"
        )
    finite(found, what)
    return found


def outlines(data, what):
    """Lines of a plane as an array (k, m, 2), from k lines of m points or a single one."""
    found = pairs(data, what)
    found = found[None] if found.ndim == 2 else found
    if found.ndim != 3 or found.shape[2] != 2 or found.shape[1] < 2:
        raise ValueError(
            f"{what}: expected a line, two or more rows of (x, y), or several such lines of one "
            f"length, got shape {found.shape}"
        )
    finite(found, what)
    return found


def row(data, count, what):
    """One number for each of `count` things, (1, count); a single number is for all of them."""
    found = numbers(data, what)
    if found.shape not in ((), (count,)):
        raise ValueError(f"{what}: expected {count} numbers, got shape {found.shape}")
    finite(found, what)
    return np.broadcast_to(found, (1, count)).copy()


def links(mark, tips, what):
    """Tables of points: places, sizes and shades."""
    tables = {"x": tips[None, :, 0], "y": tips[None, :, 1]}
    for name in ("size", "shade"):
        if (given := getattr(mark, name)) is not None:
            tables[name] = row(given, len(tips), f"{what}, {name}")
    if (tables.get("size", np.zeros(1)) < 0).any():
        raise ValueError(f"{what}, size: {tables['size'].min():g} is below 0")
    return tables


def live_links(mark, tips, live):
    """The same by PyTorch."""
    tables = {"x": tips[None, :, 0], "y": tips[None, :, 1]}
    for name in ("size", "shade"):
        if (given := getattr(mark, name)) is not None:
            tables[name] = live.row(given, len(tips))
    return tables


def live_outlines(mark, live):
    """Tables of lines by PyTorch."""
    found = live.numbers(mark.xy)
    found = found[None] if found.dim() == 2 else found
    return {"x": found[..., 0], "y": found[..., 1]}


@dataclass
class Mark:
    """What all marks have.

    Parameters
    ----------
    role : str, optional
        Whose colour it has: a role of `add_role`. A mark that is
        called like a role has its colour; what has no role is grey.
    """

    _: KW_ONLY
    role: str | None = None
    # What it is to the page.
    kind: ClassVar[dict[str, Any]] = {}

    def spec(self, what):
        if self.role is not None:
            check_role(self.role, what)
        elif getattr(self, "shade", None) is not None:
            raise ValueError(f"{what}: shade needs a role, such as role='number'")
        return {"role": self.role, **self.kind}

    def tables(self, what):
        """The numbers of this state: name of the table -> (rows, columns) array."""
        raise NotImplementedError

    def tensors(self, live):
        """The same tables by PyTorch, for live figures."""
        raise NotImplementedError


@dataclass
class Points(Mark):
    """Dots.

    Parameters
    ----------
    xy : (x, y) or an array of shape (n, 2)
    names : sequence of n str, optional
        Written beside them.
    size : n numbers from 0, optional
        Their areas are in this proportion, over all states.
    shade : n numbers, optional
        Each has the colour that a heatmap of `role` would give to its number. `size=weights,
        shade=weights, role="number"` makes dots as large and as dark as their weights.
    """

    xy: Numbers
    names: Words | None = None
    _: KW_ONLY
    size: Numbers | None = None
    shade: Numbers | None = None
    kind: ClassVar = {"type": "links", "head": "dot"}
    advice: ClassVar = "points are pairs, (n, 2), such as Points(np.stack([x, y], axis=1))"

    def count(self, what):
        return len(places(self.xy, what))

    def tables(self, what):
        return links(self, places(self.xy, what), what)

    def tensors(self, live):
        return live_links(self, live.pairs(self.xy), live)


@dataclass
class Arrows(Mark):
    """Arrows from the origin, or from other points.

    Parameters
    ----------
    tips : (x, y) or an array of shape (n, 2)
    names : sequence of n str, optional
        Written beside the tips.
    starts : (x, y) or an array of shape (n, 2)
        Where they begin; one point is for all of them.
    size : n numbers from 0, optional
        They are as thick as that, in proportion over all states.
    shade : n numbers, optional
        Each has the colour that a heatmap of `role` would give to its number.
    """

    tips: Numbers
    names: Words | None = None
    _: KW_ONLY
    starts: Numbers = (0, 0)
    size: Numbers | None = None
    shade: Numbers | None = None
    kind: ClassVar = {"type": "links", "head": "arrow"}
    advice: ClassVar = "starts= says where they begin"

    def count(self, what):
        return len(places(self.tips, what))

    def tables(self, what):
        tips = places(self.tips, what)
        starts = places(self.starts, f"{what}, starts")
        if len(starts) not in (1, len(tips)):
            raise ValueError(f"{what}: {len(starts)} starts for {len(tips)} tips")
        starts = np.broadcast_to(starts, tips.shape)
        tails = {"u": starts[None, :, 0], "v": starts[None, :, 1]}
        return {**links(self, tips, what), **tails}

    def tensors(self, live):
        tips = live.pairs(self.tips)
        starts = live.pairs(self.starts).expand(len(tips), 2)
        tables = live_links(self, tips, live)
        return {**tables, "u": starts[None, :, 0], "v": starts[None, :, 1]}


@dataclass
class Segments(Arrows):
    """Straight lines from points to points: arrows without heads.

    Parameters
    ----------
    tips, starts : (x, y) or an array of shape (n, 2)
        Their ends.
    names, size, shade
        As for `Arrows`.
    """

    kind: ClassVar = {"type": "links", "head": ""}


@dataclass
class Borders(Mark):
    """Straight lines without ends: all points p with normal . p = offset.

    Parameters
    ----------
    normals : (a, b) or an array of shape (n, 2)
        What is at a right angle to them; none is zero.
    offsets : number or n numbers
    """

    normals: Numbers
    offsets: Numbers | float = 0.0
    kind: ClassVar = {"type": "paths", "dash": [7, 4]}

    def tables(self, what):
        normals = places(self.normals, what)
        lengths = np.linalg.norm(normals, axis=1)
        if not lengths.all():
            raise ValueError(f"{what}: a normal is (0, 0), which has no direction")
        offsets = row(self.offsets, len(normals), f"{what}, offsets")
        return {
            "a": normals / lengths[:, None],
            "c": offsets.T / lengths[:, None],
        }

    def tensors(self, live):
        normals = live.pairs(self.normals)
        lengths = normals.square().sum(dim=1, keepdim=True).sqrt()
        return {"a": normals / lengths, "c": live.row(self.offsets, len(normals)).T / lengths}


@dataclass
class Lines(Mark):
    """Lines from point to point.

    Parameters
    ----------
    xy : array of shape (m, 2) or (k, m, 2)
        The points of one line, or of k lines.
    dashed : bool
    """

    xy: Numbers
    _: KW_ONLY
    dashed: bool = False
    kind: ClassVar = {"type": "paths"}

    def spec(self, what):
        return {**super().spec(what), "dash": [7, 4] if self.dashed else []}

    def tables(self, what):
        found = outlines(self.xy, what)
        return {"x": found[..., 0], "y": found[..., 1]}

    def tensors(self, live):
        return live_outlines(self, live)


@dataclass
class Regions(Mark):
    """Filled regions.

    Parameters
    ----------
    xy : array of shape (m, 2) or (k, m, 2)
        The corners of one region, or of k regions.
    """

    xy: Numbers
    kind: ClassVar = {"type": "paths", "fill": True}

    def tables(self, what):
        found = outlines(self.xy, what)
        return {"x": found[..., 0], "y": found[..., 1]}

    def tensors(self, live):
        return live_outlines(self, live)


@dataclass
class Area(Mark):
    """The area between a line and a base, such as a bell.

    Parameters
    ----------
    x, y : sequences of m numbers
    base : number
    """

    x: Numbers
    y: Numbers
    base: float = 0.0
    kind: ClassVar = {"type": "paths", "fill": True}

    def tables(self, what):
        x = numbers(days(self.x, f"{what}, x"), f"{what}, x")
        y = numbers(self.y, f"{what}, y")
        if x.ndim != 1 or x.shape != y.shape or len(x) < 2:
            raise ValueError(
                f"{what}: expected x and y of one length, got shapes {x.shape} and {y.shape}"
            )
        x = np.concatenate([x[:1], x, x[-1:]])[None]
        y = np.concatenate([[self.base], y, [self.base]])[None]
        finite(x, f"{what}, x")
        finite(y, f"{what}, y")
        return {"x": x, "y": y}

    def tensors(self, live):
        x, y = live.numbers(self.x), live.numbers(self.y)
        base, cat = live.numbers(self.base)[None], live.torch.cat
        return {"x": cat([x[:1], x, x[-1:]])[None], "y": cat([base, y, base])[None]}


@dataclass
class Histogram(Mark):
    """How many of some numbers fall between each two edges.

    Parameters
    ----------
    values : array of any shape
    edges : sequence of increasing numbers
        One more than there are bins, such as `np.linspace(low, high, 11)` for ten. All values lie
        between the first and the last.
    """

    values: Numbers
    edges: Numbers
    kind: ClassVar = {"type": "paths", "fill": True}

    def tables(self, what):
        values = numbers(days(self.values, what), what)
        edges = numbers(days(self.edges, f"{what}, edges"), f"{what}, edges")
        if edges.ndim == 0:
            raise ValueError(
                f"{what}, edges: expected the ends of all bins, got a number; np.linspace(low, "
                f"high, {edges:g} + 1) are those of {edges:g} bins"
            )
        rising(edges, f"{what}, edges")
        finite(values, what)
        if (outside := (values < edges[0]) | (values > edges[-1])).any():
            raise ValueError(
                f"{what}: {outside.sum():,} of {values.size:,} values lie outside the edges, such "
                f"as {as_array(self.values)[outside][0]}; add edges, or count them in the first "
                "and the last bin by np.clip(values, edges[0], edges[-1])"
            )
        counts, _ = np.histogram(values, edges)
        x = np.repeat(edges, 2)[None]
        return {"x": x, "y": np.concatenate([[0], np.repeat(counts, 2), [0]])[None] + 0.0}

    def tensors(self, live):
        values, edges = live.numbers(self.values).flatten()[:, None], live.numbers(self.edges)
        # The last edge belongs to the last bin.
        counts = ((values >= edges[:-1]) & (values < edges[1:])).double().sum(dim=0)
        ends = (values == edges[-1]).double().sum(dim=0)
        counts = live.torch.cat([counts[:-1], counts[-1:] + ends])
        none = live.torch.zeros(1, dtype=live.torch.float64)
        y = live.torch.cat([none, counts.repeat_interleave(2), none])
        return {"x": edges.repeat_interleave(2)[None], "y": y[None]}


@dataclass
class Rules(Mark):
    """Lines across the whole plot, upright at `x` or level at `y`.

    Parameters
    ----------
    x, y : number or n numbers
        One of both.
    """

    x: Numbers | float | None = None
    y: Numbers | float | None = None
    kind: ClassVar = {"type": "paths", "dash": []}

    def tables(self, what):
        axis, found = across(self, what)
        if found.ndim > 1:
            raise ValueError(f"{what}, {axis}: expected numbers, got shape {found.shape}")
        return {axis: np.repeat(found.reshape(-1, 1), 2, axis=1)}

    def tensors(self, live):
        axis, given = one_axis(self, "")
        return {axis: live.numbers(given).reshape(-1, 1).expand(-1, 2)}


@dataclass
class Bands(Mark):
    """Bands across the whole plot, from low to high `x` or from low to high `y`.

    Parameters
    ----------
    x, y : (low, high) or an array of shape (n, 2)
        One of both.
    """

    x: Numbers | None = None
    y: Numbers | None = None
    kind: ClassVar = {"type": "paths", "fill": True}

    def tables(self, what):
        axis, found = across(self, what)
        if found.shape[-1:] != (2,) or found.ndim > 2:
            raise ValueError(f"{what}, {axis}: expected (low, high), got shape {found.shape}")
        return {axis: np.repeat(np.atleast_2d(found), 2, axis=1)}

    def tensors(self, live):
        axis, given = one_axis(self, "")
        return {axis: live.pairs(given).repeat_interleave(2, dim=1)}


def one_axis(mark, what):
    """Which axis a rule or a band stands on, and what is given for it."""
    given = [(axis, data) for axis in "xy" if (data := getattr(mark, axis)) is not None]
    if len(given) != 1:
        raise ValueError(f"{what}: give x or y, {'not both' if given else 'got neither'}")
    return given[0]


def across(mark, what):
    """Which axis a rule or a band stands on, and its numbers."""
    axis, data = one_axis(mark, what)
    found = numbers(days(data, f"{what}, x") if axis == "x" else data, f"{what}, {axis}")
    finite(found, f"{what}, {axis}")
    return axis, found


@dataclass
class Field(Mark):
    """Shades over a grid: how strong something is everywhere, and which of several things wins.

    Parameters
    ----------
    x, y : sequences of evenly spaced numbers, increasing
        The middles of the columns and of the rows.
    strength : array of shape (rows, columns)
        From 0 to 1 if there are winners; otherwise the shades are those of `role`.
    winner : integers, of the same shape, optional
        The number of who wins, from 0; each has a colour.
    names : sequence of str, optional
        Who they are.
    """

    x: Numbers
    y: Numbers
    strength: Numbers
    winner: Numbers | None = None
    names: Words | None = None

    kind: ClassVar = {"type": "field"}

    def spec(self, what):
        ends = {axis: self.ends(axis, what) for axis in "xy"}
        winners = self.winner is not None
        if self.role is None and not winners:
            raise ValueError(f"{what}: give a winner for each place, or a role for its shades")
        names = [str(name) for name in self.names or ()]
        return {**super().spec(what), "ends": ends, "winners": winners, "groups": names}

    def ends(self, axis, what):
        found = numbers(getattr(self, axis), f"{what}, {axis}")
        steps = np.diff(found) if found.ndim == 1 else ()
        if not len(steps) or not (steps > 0).all() or np.ptp(steps) > 1e-4 * steps.mean():
            raise ValueError(f"{what}, {axis}: expected evenly spaced, increasing numbers")
        half = (found[-1] - found[0]) / (len(found) - 1) / 2
        low, high = found[0] - half, found[-1] + half
        return [short(end, digits_between(low, high)) for end in (low, high)]

    def tables(self, what):
        shape = (len(self.y), len(self.x))
        tables = {"s": numbers(self.strength, f"{what}, strength")}
        if self.winner is not None:
            tables["w"] = numbers(self.winner, f"{what}, winner")
            if not np.isin(tables["w"], range(len(GROUPS))).all():
                raise ValueError(
                    f"{what}, winner: expected whole numbers from 0 to {len(GROUPS) - 1}"
                )
            if tables["s"].min() < 0 or tables["s"].max() > 1.000001:
                raise ValueError(f"{what}, strength: expected numbers from 0 to 1")
        for key, table in tables.items():
            if table.shape != shape:
                name = {"s": "strength", "w": "winner"}[key]
                raise ValueError(f"{what}, {name}: expected shape {shape}, got {table.shape}")
            finite(table, what)
        # The first row is the upper one, as on the page.
        return {key: table[::-1] for key, table in tables.items()}

    def tensors(self, live):
        tables = {"s": live.numbers(self.strength).flip(0)}
        if self.winner is not None:
            tables["w"] = live.numbers(self.winner).flip(0)
        return tables


# Marks that stand on even axes of numbers, and what others have on the x axis.
EVEN = (Field, Borders)
ACROSS = ("xy", "tips", "starts", "x", "values", "edges")


def dates(given, marks, log, what):
    """The part of a spec that says that x is dates; raise where it is dates here, numbers there.

    `given` has what stands on the x axis beside the marks, by name; None is left out.
    """
    across = dict(given)
    for name, mark in marks.items():
        across |= {f"mark {name!r}, {key}": getattr(mark, key, None) for key in ACROSS}
    found = {name: dated(data) for name, data in across.items() if data is not None}
    if not any(found.values()):
        return {}
    found |= {f"mark {name!r}": False for name, mark in marks.items() if isinstance(mark, EVEN)}
    if not all(found.values()):
        one, other = (next(n for n in found if found[n] is is_) for is_ in (True, False))
        if other in across:  # text, perhaps
            numbers(across[other], f"{what}, {other}")
        raise TypeError(f"{what}: {one} has dates for x, but {other} has numbers")
    if "x" in log:
        raise ValueError(f"{what}, log: x has dates, which have no powers of ten")
    return {"dates": True}


def check_marks(marks, what):
    if not isinstance(marks, dict) or not marks:
        got = "an empty one" if isinstance(marks, dict) else type(marks).__name__
        raise TypeError(
            f"{what}: marks must be a dict of at least one name -> mark, such as "
            f"{{'points': Points(xy)}}, got {got}"
        )
    for name, mark in marks.items():
        if not isinstance(mark, Mark):
            raise TypeError(
                f"{what}, mark {name!r}: expected a mark such as Points, got {type(mark).__name__}"
            )


def check_names(mark, what):
    """Raise unless the names of points are strings: an author may mean their other ends."""
    names = () if mark.names is None else mark.names
    odd = [one for one in names if not isinstance(one, str)] if np.iterable(names) else [names]
    if odd:
        kind = type(mark).__name__
        raise TypeError(
            f"{what}, names: expected strings, got {type(odd[0]).__name__}; the second argument of "
            f"{kind} is what is written beside them, and {mark.advice}"
        )


def specs(marks, what) -> tuple[list[dict[str, Any]], list[list[str]]]:
    """What of each mark is the same in every state, and the names of its points."""
    found, names = [], []
    for name, mark in marks.items():
        of = f"{what}, mark {name!r}"
        found.append({"name": read_as(name), **mark.spec(of)})
        if mark.kind["type"] == "links":
            check_names(mark, of)
        count = mark.count(of) if mark.kind["type"] == "links" else 0
        given = words(mark.names, count, f"{of}, names") if count else None
        # A single point is called like its mark.
        names.append(given or ([read_as(name)] if count == 1 else []))
    return found, names


def tables(marks, what):
    """The numbers of all marks: number of the mark and name of the table -> (rows, columns)."""
    return {
        f"{number}{key}": table
        for number, (name, mark) in enumerate(marks.items())
        for key, table in mark.tables(f"{what}, mark {name!r}").items()
    }


def tensors(marks, live):
    """The same by PyTorch."""
    return {
        f"{number}{key}": table
        for number, mark in enumerate(marks.values())
        for key, table in mark.tensors(live).items()
    }
