"""The still picture of one state of a figure, for places where no script runs."""

import io
import warnings

import numpy as np

from .palette import INK, PALE, QUIET
from .scales import minus

# Dots per inch of the picture, and how many of its dots make one CSS pixel.
DPI, DENSITY = 120, 1.25


def font(points, color=INK):
    """How to write; a dollar sign is a dollar sign."""
    return {"fontsize": points, "color": color, "parse_math": False}


def set_ticks(axes, panel):
    """The ticks that the page shows: places from 0 to 1, from the left and from the top."""
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    for side, start, end in (("x", left, right), ("y", top, bottom)):
        places = [start + at * (end - start) for at, _ in panel[side]]
        texts = [text for _, text in panel[side]]
        slant = {}
        if side == "x" and panel.get("words") and max(map(len, texts), default=0) > 3:
            slant = {"rotation": 45, "ha": "right", "rotation_mode": "anchor"}
        getattr(axes, f"set_{side}ticks")(places, texts, **font(8, QUIET), **slant)


def draw_heatmap(axes, panel, tables, scales):
    from matplotlib.colors import LinearSegmentedColormap

    scale = scales[panel["role"]]
    colors = LinearSegmentedColormap.from_list(panel["role"], scale["light"])
    axes.patch.set(hatch="/////", edgecolor="#b4bac4", facecolor="white", linewidth=0)
    rows, columns = panel["shape"]
    axes.imshow(tables["cells"], cmap=colors, vmin=scale["low"], vmax=scale["high"], aspect="auto")
    if max(rows, columns) <= 24:
        axes.set_xticks(np.arange(columns - 1) + 0.5, minor=True)
        axes.set_yticks(np.arange(rows - 1) + 0.5, minor=True)
        axes.grid(which="minor", color="white", linewidth=1)


def draw_bars(axes, panel, tables, scales):
    count = panel["shape"][1]
    axes.bar(np.arange(count), tables["cells"][0], 0.72, color=panel["colors"][0][0])
    axes.set(xlim=(-0.5, count - 0.5), ylim=panel["yaxis"])
    axes.grid(axis="y", color="#e2e5ea", linewidth=0.8)
    axes.set_axisbelow(True)


def draw_curve(axes, panel, tables, scales):
    low, high = panel["xaxis"]
    places = [low + at * (high - low) for at in panel["at"]]
    lines = [
        # The page's lines are two pixels wide; matplotlib counts in widths of the line.
        axes.plot(places, heights, color=color, dashes=[length / 2 for length in dash])[0]
        for heights, (color, _), dash in zip(
            tables["cells"], panel["colors"], panel["dashes"], strict=True
        )
    ]
    for index, name in enumerate(panel["points"]):
        place = (tables["px"][0, index], tables["py"][0, index])
        axes.plot(*place, "o", color=INK, markersize=5)
        axes.annotate(name, place, (6, 4), textcoords="offset points", **font(8))
    axes.set(xlim=panel["xaxis"], ylim=panel["yaxis"])
    axes.grid(axis="y", color="#e2e5ea", linewidth=0.8)
    if len(lines) > 1:
        place = {"loc": "lower left", "bbox_to_anchor": (-0.03, 0.98), "ncols": NAMES}
        room = {"handlelength": 2.4, "columnspacing": 1.2, "frameon": False, "fontsize": 8}
        for text in axes.legend(lines, panel["rowNames"], **place, **room).get_texts():
            text.set_parse_math(False)


DRAW = {"heatmap": draw_heatmap, "bars": draw_bars, "curve": draw_curve}
# How many names of lines stand beside each other.
NAMES = 3


def size(panel):
    """Room on the left, width and height of a panel's plot, in inches."""
    left = 0.4 + 0.065 * max((len(text) for _, text in panel["y"]), default=0)
    if panel["kind"] != "heatmap":
        return left, 2.9, 1.8
    rows, columns = panel["shape"]
    cell = min(0.3, 3.6 / columns, 2.9 / rows)
    return left, max(cell * columns, 0.5), max(cell * rows, 0.3)


def rows_of_names(panel):
    """How many rows the names of a curve's lines take; a single line needs none."""
    lines = panel["shape"][0] if panel["kind"] == "curve" else 1
    return -(-lines // NAMES) if lines > 1 else 0


def lines_of(panels):
    """The panels in lines of at most seven inches, as even as can be."""
    lines, used = 1, 0
    for panel in panels:
        left, width, _ = size(panel)
        if used and used + left + width > 7:
            lines, used = lines + 1, 0
        used += left + width + 0.1
    each = -(-len(panels) // lines)
    return [panels[i : i + each] for i in range(0, len(panels), each)]


def draw_panel(axes, panel, tables, scales):
    DRAW[panel["kind"]](axes, panel, tables, scales)
    set_ticks(axes, panel)
    axes.set_xlabel(panel["xlabel"], labelpad=3, **font(8.5))
    axes.set_ylabel(panel["ylabel"], labelpad=3, **font(8.5))
    axes.set_title(panel["name"], loc="left", pad=5 + 13 * rows_of_names(panel), **font(9))
    axes.tick_params(which="both", length=0, pad=3)
    axes.spines[:].set_visible(panel["kind"] == "heatmap")
    axes.spines[:].set_color(PALE)
    axes.spines[:].set_linewidth(0.6)


def draw_color_bar(axes, scale):
    axes.imshow(steps(scale["light"], 145)[None], aspect="auto")
    axes.set_yticks([])
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0, pad=2)
    axes.set_xticks([0, 72, 144], [minus(text) for _, text in scale["ticks"]], **font(8, QUIET))
    axes.set_title(scale["label"], loc="left", pad=3, **font(8.5))


def steps(colors, count):
    """`count` colours (count, 3) along '#rrggbb' stops."""
    rgb = np.array([[int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in colors])
    places = np.linspace(0, len(rgb) - 1, count)
    parts = [np.interp(places, np.arange(len(rgb)), part) for part in rgb.T]
    return np.stack(parts, -1).round().astype(np.uint8)


def palette(panels, scales, roles):
    """The few colours that the picture is made of: greys, the scales, the lines."""
    colors = [steps(["#ffffff", INK], 9)]
    colors += [steps(scales[role]["light"], max(24, 36 // len(roles))) for role in roles]
    lines = {pair[0] for panel in panels for pair in panel.get("colors", ())}
    colors += [steps([line, "#ffffff"], 5)[:4] for line in sorted(lines)]
    return np.concatenate(colors)[:256]


def draw(title, panels, tables, scales):
    """A still picture of one state.

    Returns
    -------
    tuple
        The PNG's bytes, and its width and height in CSS pixels.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from PIL import Image

    lines = lines_of(panels)
    roles = list(dict.fromkeys(p["role"] for p in panels if p["kind"] == "heatmap"))
    words = [text for p in panels if p.get("words") for _, text in p["x"]]
    above = 0.42 if any(panel["name"] for panel in panels) else 0.15
    above += 0.18 * max(0, max(map(rows_of_names, panels)) - 1)
    below = 0.42 + 0.05 * max((len(word) for word in words if len(word) > 3), default=0)
    heights = [above + max(size(panel)[2] for panel in line) + below for line in lines]
    widths = [sum(sum(size(panel)[:2]) + 0.1 for panel in line) for line in lines]
    wide = max(3.2, 0.15 + max(widths), 0.3 + 1.75 * len(roles), 0.4 + 0.085 * len(title))
    high = 0.35 + sum(heights) + (0.55 if roles else 0.05)

    figure = Figure(figsize=(wide, high), dpi=DPI, facecolor="white")
    figure.text(0.12 / wide, 1 - 0.24 / high, title, weight="bold", **font(10))
    numbers, top = iter(tables), high - 0.35
    for line, height in zip(lines, heights, strict=True):
        across = 0.05
        for panel in line:
            left, width, tall = size(panel)
            box = (across + left, top - above - tall, width, tall)
            axes = figure.add_axes(np.divide(box, [wide, high, wide, high]))
            draw_panel(axes, panel, next(numbers), scales)
            across += left + width + 0.1
        top -= height
    for index, role in enumerate(roles):
        box = (0.12 + 1.75 * index, 0.25, 1.45, 0.08)
        draw_color_bar(figure.add_axes(np.divide(box, [wide, high, wide, high])), scales[role])

    canvas = FigureCanvasAgg(figure)
    with warnings.catch_warnings():
        # A letter that the font lacks is a box here; the page has better fonts.
        warnings.filterwarnings("ignore", "Glyph")
        canvas.draw()
    image = Image.frombuffer("RGBA", canvas.get_width_height(), canvas.buffer_rgba())
    colors = Image.new("P", (1, 1))
    colors.putpalette(palette(panels, scales, roles).tobytes())
    few = image.convert("RGB").quantize(palette=colors, dither=Image.Dither.NONE)
    stream = io.BytesIO()
    few.save(stream, "png", optimize=True)
    return stream.getvalue(), round(image.width / DENSITY), round(image.height / DENSITY)
