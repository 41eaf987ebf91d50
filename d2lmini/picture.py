"""How figures look: the colour ramps, the scales, and the still picture of one state."""

import io

import numpy as np

INK, QUIET = "#24292f", "#6b7280"
# Dots per inch of the picture, and how many of its dots make one CSS pixel.
DPI, DENSITY = 144, 1.5


def font(size=9, color=INK):
    return {"fontsize": size, "color": color}


def set_ticks(axes, panel):
    """The ticks that the page shows: places from 0 to 1, from the left and from the top."""
    for side in "xy":
        low, high = getattr(axes, f"get_{side}lim")()
        if side == "y" and panel["kind"] != "heatmap":
            low, high = high, low
        if side == "y" and panel["kind"] == "heatmap":
            low, high = sorted((low, high))
        places = [low + at * (high - low) for at, _ in panel[side]]
        texts = [text for _, text in panel[side]]
        slant = {}
        if side == "x" and panel.get("words") and max(map(len, texts)) > 3:
            slant = {"rotation": 45, "ha": "right", "rotation_mode": "anchor"}
        getattr(axes, f"set_{side}ticks")(places, texts, fontsize=8, color=QUIET, **slant)


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
    for index, name in enumerate(panel["rowNames"]):
        look = {"color": panel["colors"][index][0], "linestyle": DASHES[index % 4]}
        axes.plot(places, tables["cells"][index], label=name, **look)
    for index, name in enumerate(panel["points"]):
        place = (tables["px"][0, index], tables["py"][0, index])
        axes.plot(*place, "o", color=INK, markersize=5)
        axes.annotate(name, place, (6, 4), textcoords="offset points", **font(8))
    axes.set(xlim=panel["xaxis"], ylim=panel["yaxis"])
    axes.grid(axis="y", color="#e2e5ea", linewidth=0.8)
    if len(panel["rowNames"]) > 1:
        axes.legend(
            loc="lower left",
            bbox_to_anchor=(-0.03, 0.98),
            ncols=3,
            frameon=False,
            fontsize=8,
            handlelength=2.4,
            columnspacing=1.2,
        )


DRAW = {"heatmap": draw_heatmap, "bars": draw_bars, "curve": draw_curve}
DASHES = ["-", (0, (3.5, 2)), (0, (1, 1.5)), (0, (5.5, 2, 1, 2))]


def sizes(panel):
    """Width and height of a panel's plot in inches."""
    if panel["kind"] != "heatmap":
        return 2.9, 1.8
    rows, columns = panel["shape"]
    cell = min(0.3, 3.6 / columns, 2.9 / rows)
    return max(cell * columns, 0.5), max(cell * rows, 0.3)


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

    # Rows of panels, at most seven inches wide.
    lines, line, used = [], [], 0
    for panel in panels:
        left = 0.4 + 0.065 * max(len(text) for _, text in panel["y"])
        width, height = sizes(panel)
        if line and used + left + width > 7:
            lines, line, used = [*lines, line], [], 0
        line.append((left, width, height))
        used += left + width + 0.1
    lines.append(line)
    roles = [
        role for role in scales if any(p["kind"] == "heatmap" and p["role"] == role for p in panels)
    ]
    below = 0.42 + 0.05 * max(
        (len(w) for p in panels if p["kind"] != "curve" for _, w in p["x"] if len(w) > 3), default=0
    )
    heights = [0.42 + max(h for _, _, h in line) + below for line in lines]
    wide = max(3.2, 0.15 + max(sum(left + w + 0.1 for left, w, _ in line) for line in lines))
    wide = max(wide, 0.3 + 1.75 * len(roles), 0.4 + 0.085 * len(title))
    high = 0.35 + sum(heights) + (0.55 if roles else 0.05)

    figure = Figure(figsize=(wide, high), dpi=DPI, facecolor="white")
    figure.text(0.12 / wide, 1 - 0.24 / high, title, weight="bold", **font(10))
    top, drawn = high - 0.35, iter(zip(panels, tables, strict=True))
    for line, height in zip(lines, heights, strict=True):
        across = 0.05
        for left, width, tall in line:
            panel, numbers = next(drawn)
            across += left
            box = across / wide, (top - 0.42 - tall) / high, width / wide, tall / high
            axes = figure.add_axes(box)
            across += width + 0.1
            DRAW[panel["kind"]](axes, panel, numbers, scales)
            set_ticks(axes, panel)
            axes.set_xlabel(panel["xlabel"], labelpad=3, **font(8.5))
            axes.set_ylabel(panel["ylabel"], labelpad=3, **font(8.5))
            pad = 18 if panel["kind"] == "curve" and panel["shape"][0] > 1 else 5
            axes.set_title(panel["name"], loc="left", pad=pad, **font(9))
            axes.tick_params(which="both", length=0, pad=3)
            axes.spines[:].set_visible(panel["kind"] == "heatmap")
            axes.spines[:].set(color="#c9ced6", linewidth=0.6)
        top -= height
    for index, role in enumerate(roles):
        scale = scales[role]
        left = (0.12 + 1.75 * index) / wide
        axes = figure.add_axes((left, 0.25 / high, 1.45 / wide, 0.08 / high))
        rgb = np.array([[int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in scale["light"]])
        smooth = np.linspace(0, len(rgb) - 1, 145)
        bar = [np.interp(smooth, np.arange(len(rgb)), part) for part in rgb.T]
        axes.imshow(np.stack(bar, -1)[None].astype(np.uint8), aspect="auto")
        axes.set_yticks([])
        axes.spines[:].set_visible(False)
        axes.tick_params(length=0, pad=2)
        axes.set_xticks([0, 72, 144], [text for _, text in scale["ticks"]], fontsize=8, color=QUIET)
        axes.set_title(scale["label"], loc="left", pad=3, **font(8.5))

    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    image = Image.frombuffer("RGBA", canvas.get_width_height(), canvas.buffer_rgba())
    stream = io.BytesIO()
    image.convert("RGB").quantize(128, dither=Image.Dither.NONE).save(stream, "png", optimize=True)
    return stream.getvalue(), round(image.width / DENSITY), round(image.height / DENSITY)
