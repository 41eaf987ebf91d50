"""Marks in the still picture, as `js/panels/marks.js` draws them on the page."""

import numpy as np

from ..colors import rgb
from ..palette import FAINT, INK
from ..png import NAME, colors_of, inked
from ..texts import letters
from ._panel import KINDS


def draw_plot(axes, panel, tables, scales):
    """Draw the marks of a plot, a plane or a curve, and the names above it."""
    axes.set(xlim=panel["xaxis"], ylim=panel["yaxis"])
    if panel["kind"] == "plane":
        axes.set_aspect("equal")
    axes.grid(axis="y", color=FAINT, linewidth=0.5)
    axes.set_axisbelow(True)
    points = []
    for mark, names in zip(panel["marks"], panel["names"], strict=True):
        rows = {
            key.removeprefix(mark["key"]): table
            for key, table in tables.items()
            if key.startswith(mark["key"])
        }
        {"links": draw_links, "paths": draw_paths, "field": draw_field}[mark["type"]](
            axes, mark, rows, scales
        )
        places = (rows.get(axis, [[]])[0] for axis in "xy")
        points += zip(names, *places, strict=False)
    write_names(axes, points)
    draw_legend(axes, panel)


def common(one, other):
    """The area that two boxes share, each [lower left, upper right]."""
    sides = np.minimum(one[1], other[1]) - np.maximum(one[0], other[0])
    return sides.clip(0).prod()


def gap(box, dot):
    """How far a point is from a box [lower left, upper right]."""
    return np.hypot(*np.maximum(box[0] - dot, dot - box[1]).clip(0))


def write_names(axes, points):
    """Names beside their own points, where they cover least, as on the page; lengths in points."""
    unit = 72 / axes.figure.dpi
    frame = axes.bbox.get_points() * unit
    dots = [axes.transData.transform(place) * unit for _, *place in points]
    taken = [np.array([dot - 5, dot + 5]) for dot in dots]
    for dot, (name, *place) in zip(dots, points, strict=True):
        wide = 4.9 * letters(name)
        beside = [(right, up) for right in (6, -6 - wide) for up in (4, -10)]
        boxes = [
            dot + np.array([[right, up], [right + wide, up + 8]])
            for right, up in [*beside, (-wide / 2, 7), (-wide / 2, -15)]
        ]
        others = [other for other in dots if np.hypot(*(other - dot)) > 3]
        costs = [
            sum(common(box, t) for t in taken)
            - 9 * common(box, frame)
            + 9e4 * any(gap(box, other) <= gap(box, dot) for other in others)
            for box in boxes
        ]
        best = boxes[int(np.argmin(costs))]
        taken.append(best)
        style = {"fontsize": 8, "color": INK, "parse_math": True, "gid": NAME}
        axes.annotate(name, place, best[0] - dot, textcoords="offset points", **style)


def names_across(panel):
    """How many names above the plot stand beside each other: at most three, as they have room."""
    _, width, _ = KINDS[panel["kind"]].picture_size(panel)
    longest = max(letters(text) for text, _ in panel["legend"])
    return max(1, min(3, int(width / (0.06 * longest + 0.06))))


def draw_legend(axes, panel):
    """The names above the plot, in the colours of what they name."""
    if not panel["legend"]:
        return
    across = names_across(panel)
    last = (len(panel["legend"]) - 1) // across
    for place, (text, pair) in enumerate(panel["legend"]):
        row, column = divmod(place, across)
        style = {"fontsize": 8, "color": inked(pair), "parse_math": True}
        above = {"xytext": (0, 4 + 13 * (last - row)), "textcoords": "offset points"}
        axes.annotate(text, (column / across, 1), xycoords="axes fraction", **above, **style)


def shades(mark, rows, scales, count):
    """The colour of each of `count` points."""
    if "shade" not in rows:
        pairs = mark["colors"]
        return [inked(pairs[i % len(pairs)]) for i in range(count)]
    scale = scales[mark["role"]]
    low, high = scale["low"], scale["high"]
    shades = colors_of(low, high, scale["still"])((rows["shade"][0] - low) / (high - low))
    return [tuple(shade) for shade in shades]


def draw_links(axes, mark, rows, scales):
    count = len(rows["x"][0])
    sizes = rows["size"][0] / mark["top"] if "size" in rows else np.full(count, np.nan)
    colors = shades(mark, rows, scales, count)
    for i, (x, y) in enumerate(zip(rows["x"][0], rows["y"][0], strict=True)):
        if mark["head"] == "dot":
            radius = 3.5 if np.isnan(sizes[i]) else max(1.6, 10 * np.sqrt(sizes[i]))
            edge = {"markeredgecolor": INK, "markeredgewidth": 0.4 if "shade" in rows else 0}
            axes.plot(x, y, "o", color=colors[i], markersize=2 * radius * 0.8, **edge)
            continue
        width = 1.6 if np.isnan(sizes[i]) else max(0.4, 7 * sizes[i])
        style = {"arrowstyle": "-|>" if mark["head"] else "-", "shrinkA": 0, "shrinkB": 0}
        arrow = {**style, "color": colors[i], "linewidth": width}
        axes.annotate("", (x, y), (rows["u"][0][i], rows["v"][0][i]), arrowprops=arrow)


def outlines(mark, rows, axes):
    """The lines of a mark; those that cross the whole plot end at its edges."""
    if "a" in rows:
        ends = np.multiply(3 * np.abs([*axes.get_xlim(), *axes.get_ylim()]).max(), [-1, 1])
        for (a, b), (c,) in zip(rows["a"], rows["c"], strict=True):
            yield c * a - ends * b, c * b + ends * a
        return
    x, y = rows.get("x"), rows.get("y")
    for i in range(max(len(t) for t in (x, y) if t is not None)):
        sides = np.arange(len((y if x is None else x)[0])) % 3 > 0
        yield (
            np.where(sides, *axes.get_xlim()[::-1]) if x is None else x[i % len(x)],
            np.where(sides, *axes.get_ylim()[::-1]) if y is None else y[i % len(y)],
        )


def draw_paths(axes, mark, rows, scales):
    dashes = mark.get("dashes", [[]])
    for i, (x, y) in enumerate(outlines(mark, rows, axes)):
        color = inked(mark["colors"][i % len(mark["colors"])])
        # The page's lines are two pixels wide; matplotlib counts in widths of the line.
        dash = [length / 2 for length in dashes[i % len(dashes)]]
        if mark.get("fill"):
            x, y = np.array(x)[~np.isnan(y)], np.array(y)[~np.isnan(y)]
            axes.fill(x, y, color=color, alpha=0.22, linewidth=0)
            x, y = [*x, *x[:1]], [*y, *y[:1]]
        axes.plot(x, y, color=color, dashes=dash, linewidth=0.8 if mark.get("fill") else 1.5)
        lone = ~np.isnan(y) & np.isnan([np.nan, *y[:-1]]) & np.isnan([*y[1:], np.nan])
        if lone.any():
            axes.plot(np.array(x)[lone], np.array(y)[lone], "o", color=color, markersize=2.5)


def draw_field(axes, mark, rows, scales):
    extent = [*mark["ends"]["x"], *mark["ends"]["y"]]
    if "w" not in rows:
        scale = scales[mark["role"]]
        ends = {"vmin": scale["low"], "vmax": scale["high"]}
        colors = colors_of(*ends.values(), scale["still"])
        axes.imshow(rows["s"], cmap=colors, extent=extent, aspect="auto", zorder=0, **ends)
        return
    tones = np.array([rgb(inked(pair)) for pair in mark["colors"]])[rows["w"].astype(int)]
    alpha = (25 + 105 * rows["s"][..., None]) / 255
    image = np.concatenate([tones, alpha], -1)
    axes.imshow(image, extent=extent, aspect="auto", zorder=0)
