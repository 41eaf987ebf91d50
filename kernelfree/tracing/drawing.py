"""The still picture of a trace: the outermost lines, and what they make."""

import numpy as np

from ..language import faces
from ..palette import FAINT, INK, ROLES
from ..png import colors_of, draw_cells, encode
from ..texts import cut, letters
from .labels import shape_of

# Inches: the height of a line with tensors and without, a letter's width, a tensor's room.
TALL, LOW, LETTER, ROOM = 0.62, 0.22, 0.075, 1.5
# Dots per inch, and letters of a line that a picture has room for.
DPI, LONG = 120, 72


def draw(state, values):
    """A PNG, and its width and height on the page."""
    from matplotlib.figure import Figure

    lines = state["source"]["lines"]
    heights = [TALL if line.get("makes") else LOW for line in lines]
    texts = [cut(line["text"], LONG) for line in lines]
    side = 0.6 + LETTER * max(map(letters, texts))
    most = max(len(line.get("makes", [])) for line in lines)
    wide, high = side + ROOM * min(most, 2), 0.6 + sum(heights)
    figure = Figure(figsize=(wide, high), dpi=DPI, facecolor="none")

    def write(x, y, text, size=8, **look):
        look = {"color": INK, "parse_math": False, "va": "center", **look}
        figure.text(x / wide, y / high, text, fontsize=size, **look)

    write(0.1, high - 0.15, state["title"], 10, weight="bold")
    top, code = high - 0.45, ["monospace", *faces()]
    for line, text, height in zip(lines, texts, heights, strict=True):
        write(0.1, top - height / 2, f"{line['number']:3}", family=code)
        write(0.45, top - height / 2, text, family=code)
        for at, made in enumerate(line.get("makes", [])[:2]):
            left = side + at * ROOM
            write(left, top - 0.05, f"{made['name']} {shape_of(made['shape'])}", 6.5)
            draw_tensor(figure, values[made["value"]], made, (left, top - 0.52))
        top -= height
    png = encode(figure, [INK, *(ROLES[role][0] for role in state["colors"] if role)])
    return png, round(wide * 96), round(high * 96)


def draw_tensor(figure, x, made, place):
    """One tensor as a matrix: its leading axes stand one below the other."""
    wide, high = figure.get_size_inches()
    x = x.double().reshape(-1, (made["shape"] or [1])[-1]).numpy()
    if not x.size:
        return
    known = np.abs(x[np.isfinite(x)])
    most = known.max() if known.size and known.max() else 1.0
    ratio = min(1.1 / x.shape[1], 0.4 / x.shape[0], 0.16)
    box = np.array([*place, ratio * x.shape[1], ratio * x.shape[0]]) / [wide, high, wide, high]
    axes = figure.add_axes(tuple(box))
    axes.patch.set_alpha(0)
    low = -most if (known.size and x[np.isfinite(x)].min() < 0) else 0.0
    colors = colors_of(low, most, ROLES[made["role"]][0] if made["role"] else INK)
    draw_cells(axes, np.where(np.isfinite(x), x, np.nan), low, most, colors)
    axes.set(xticks=[], yticks=[])
    axes.spines[:].set(color=FAINT, linewidth=0.5)
