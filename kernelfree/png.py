"""Still pictures as files: few colours, and no ground, so that they fit light and dark pages."""

import io
import warnings

import numpy as np

from .colors import mapped, rgb
from .language import current
from .palette import FAINT, GREYS, INK

# The palest number above 0 covers this part of the page.
START = 0.14
# Up to this many rows and columns cells have gaps, one part of so many.
FEW, GAP = 24, 16
# How opaque a colour can be: steps of a scale, and of the smooth edges of writing.
LEVELS, EDGES = 24, 4
# Writing with these ids has room around its letters, so many points wide; numbers never meet.
NAME, NUMBER, ROOM = "name", "number", 2.5


def inked(pair):
    """The colour of a pair (on light pages, on dark ones) in a still, which is seen on both."""
    return INK if tuple(pair) in GREYS else pair[0]


def colors_of(low, high, color):
    """matplotlib's colour map of a scale: the farther from 0, the more a colour covers the page.

    So a larger number stands out more, on a light page and on a dark one. The smallest covers a
    visible part; below 0 the colour is grey. A scale on one side of 0 counts from its lower end.
    Instead of a colour it may be the name of a map, whose colours hide the page.
    """
    from matplotlib.colors import ListedColormap

    if not color.startswith("#"):
        return ListedColormap(mapped(color, low < 0 < high, 256))
    start = 0 if low < 0 < high else low
    numbers = np.linspace(low, high, 256)[:, None] - start
    opaque = START + (1 - START) * np.abs(numbers) / np.abs(numbers).max()
    return ListedColormap(np.hstack([np.where(numbers < 0, rgb(INK), rgb(color)), opaque]))


def draw_cells(axes, cells, low, high, colors, absent=False, numbered=False, zero=False):
    """A matrix on matplotlib's axes: what is 0 has no colour and a dot, what is NaN is hatched.

    `absent` is True where there is no cell. Where cells are `numbered`, 0 needs no dot; with `zero`
    it has its colour.
    """
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Rectangle

    rows, columns = cells.shape
    few = max(rows, columns) <= FEW
    holes = (cells == 0) & (not zero)
    shown = np.where(holes, np.nan, cells)
    if few:  # a gap between cells
        shown = shown.repeat(GAP, 0).repeat(GAP, 1)
        shown[::GAP] = shown[:, ::GAP] = np.nan
    look = {"cmap": colors, "vmin": low, "vmax": high, "aspect": "auto", "interpolation": "nearest"}
    axes.imshow(shown, extent=(-0.5, columns - 0.5, rows - 0.5, -0.5), **look)
    hidden = [
        Rectangle((c - 0.5, r - 0.5), 1, 1)
        for r, c in np.argwhere(np.isnan(cells) & ~np.asarray(absent))
    ]
    look = {"facecolor": "none", "edgecolor": FAINT, "linewidth": 0, "hatch": "/////"}
    axes.add_collection(PatchCollection(hidden, **look))
    if few and not numbered:
        down, across = np.nonzero(holes)
        axes.plot(across, down, "o", markersize=1.6, color=INK, markeredgewidth=0)


def encode(figure, colors):
    """A PNG of a matplotlib figure in few colours: each of `colors`, more or less opaque.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    colors : list of '#rrggbb', or None
        A pixel gets the nearest of their steps. Without them: 256 colours of the figure's own.

    Returns
    -------
    bytes
    """
    from PIL import Image

    with warnings.catch_warnings():
        # A letter that the font lacks is a box here; the page has better fonts. In a language that
        # has a font of its own, whoever has asked for warnings hears of it.
        warnings.filterwarnings("ignore", "Glyph", append=bool(current()))
        pixels = drawn(figure)
    if colors is None:
        stream = io.BytesIO()
        own = Image.fromarray(pixels).quantize(256, method=Image.Quantize.FASTOCTREE)
        own.save(stream, "png", optimize=True)
        return stream.getvalue()
    packed = pixels.view(np.uint32)[..., 0]

    table = [[255, 255, 255, 0]]
    for color in colors:
        levels = EDGES if color == INK else min(LEVELS, 240 // len(colors))
        table += [[*(255 * rgb(color)), 255 * (n + 1) / levels] for n in range(levels)]
    table = np.round(table).astype(np.uint8)

    different, which = np.unique(packed, return_inverse=True)
    found, known = seen(different.view(np.uint8).reshape(-1, 4)), seen(table)
    # The squared distance to each known colour, less what is the same for all.
    nearest = ((known**2).sum(-1) - 2 * found @ known.T).argmin(-1)
    used, nearest = np.unique(nearest, return_inverse=True)
    table = table[used]
    image = Image.fromarray(nearest[which].astype(np.uint8).reshape(packed.shape))
    image.putpalette(table[:, :3].tobytes())
    stream = io.BytesIO()
    image.save(stream, "png", optimize=True, transparency=table[:, 3].tobytes())
    return stream.getvalue()


def drawn(figure):
    """The pixels of a figure (height, width, 4); names and numbers stand in gaps of the rest."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.patheffects import withStroke

    canvas = FigureCanvasAgg(figure)
    names, numbers = (
        figure.findobj(lambda artist, gid=gid: artist.get_gid() == gid) for gid in (NAME, NUMBER)
    )
    for text in names + numbers:
        text.set_visible(False)
    canvas.draw()
    pixels, pen = np.array(canvas.buffer_rgba()), canvas.get_renderer()
    for together in [[name] for name in names] + ([numbers] if numbers else []):
        layers = []
        for effects in ([withStroke(linewidth=ROOM, foreground=INK)], []):
            pen.clear()
            for text in together:
                text.set_visible(True)
                text.set_path_effects(effects)
                text.draw(pen)
            layers.append(np.array(pen.buffer_rgba()))
        gap, letters = layers
        pixels[..., 3] = pixels[..., 3] * (1 - gap[..., 3] / 255)
        pixels = np.where(letters[..., 3:] > pixels[..., 3:], letters, pixels)
    return np.ascontiguousarray(pixels)


def seen(colors):
    """What colours look like: on a white page, and on a black one."""
    opaque = colors[:, 3:] / 255
    on_black = colors[:, :3] * opaque
    return np.concatenate([on_black, on_black + 255 * (1 - opaque)], -1)
