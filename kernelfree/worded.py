"""Words, and panels in small, in the still picture."""

import unicodedata

import numpy as np

from .palette import ACCENT, INK, ROLES
from .still import START, colors_of

# Inches: the longest line, the height of a line, room for lines between two rows.
WIDE, LINE, BETWEEN = 6.2, 0.29, 0.75


def width(text):
    """About how wide a word is, with its shade, in inches."""
    wide = sum(unicodedata.east_asian_width(sign) in "WF" for sign in text)
    return 0.1 + 0.078 * (len(text) + wide)


def flow(tokens, top=0.0):
    """Where each word stands: its left edge and its top, or None, and where the last line ends."""
    across, down, places = 0.0, top, []
    for token in tokens:
        if not token:
            places.append(None)
            continue
        if across and across + width(token) > WIDE:
            across, down = 0.0, down + LINE
        places.append((across, down))
        across += width(token) + 0.04
    return places, down + LINE


def rows_of(panel):
    """The places of the upper and of the lower row, and their height."""
    above, end = flow(panel["tokens"])
    below, end = flow(panel["target"] or [], end + (BETWEEN if panel["lines"] else 0.0))
    return above, below, end if panel["target"] else end - (BETWEEN if panel["lines"] else 0) - LINE


def size_words(panel):
    """Room on the left, width and height, in inches."""
    above, below, height = rows_of(panel)
    pairs = zip([*panel["tokens"], *(panel["target"] or ())], [*above, *below], strict=True)
    return 0.1, max(place[0] + width(token) for token, place in pairs if place), height


def draw_words(axes, panel, tables, scales):
    above, below, height = rows_of(panel)
    axes.set(xlim=(0, size_words(panel)[1]), ylim=(height, 0))
    axes.set_axis_off()
    looks, cells = panel["target"] is not None, tables.get("cells")
    chosen = panel.get("chosen", [None])[0]
    if cells is not None:
        scale = scales[panel["role"]]
        strength = np.abs(cells) / max(scale["high"], -scale["low"])
        row = 0 if len(cells) == 1 else (chosen or 0)
        if panel["lines"]:
            ends = [
                [place and place[0] + width(token) / 2 for token, place in zip(*row, strict=True)]
                for row in ((panel["tokens"], above), (panel["target"], below))
            ]
            levels = above[0][1] + 0.27, below[0][1]
            draw_lines(axes, ends, levels, strength, chosen, ROLES[panel["role"]][0])
        else:
            draw_shades(axes, above, panel["tokens"], strength[row], ROLES[panel["role"]][0])
    for tokens, places in ((panel["tokens"], above), (panel["target"] or [], below)):
        for i, (token, place) in enumerate(zip(tokens, places, strict=True)):
            if place is None:
                continue
            middle = place[0] + width(token) / 2
            write = {"ha": "center", "va": "center", "fontsize": 9, "color": INK}
            axes.text(middle, place[1] + 0.13, token, parse_math=False, **write)
            if i == chosen and (places is below) == looks:
                ends = [place[0] + 0.02, place[0] + width(token) - 0.02]
                axes.plot(ends, [place[1] + 0.02] * 2, color=ACCENT[0], linewidth=2)


def draw_shades(axes, places, tokens, strength, color):
    from matplotlib.patches import Rectangle

    for token, place, dark in zip(tokens, places, strength, strict=False):
        if place is None:
            continue
        if np.isnan(dark):
            y = place[1] + 0.13
            axes.plot([place[0], place[0] + width(token)], [y, y], color=INK, linewidth=0.8)
        elif dark:
            # Under the word, so that it can be read on any page; as high as it is opaque.
            high = 0.04 + 0.05 * dark
            look = {"facecolor": color, "alpha": START + (1 - START) * dark, "linewidth": 0}
            axes.add_patch(Rectangle((place[0], place[1] + 0.22), width(token), high, **look))


def draw_lines(axes, ends, levels, strength, chosen, color):
    for r, row in enumerate(strength):
        one = -1 if chosen is None else chosen
        target = ends[1][r if len(strength) > 1 else one] if ends[1][r:] else None
        pale = len(strength) > 1 and chosen not in (None, r)
        for source, dark in zip(ends[0], row, strict=False):
            if source is not None and target is not None and dark > 0:
                look = {"linewidth": 7 * dark, "alpha": 0.12 if pale else 0.9}
                axes.plot([source, target], levels, color=color, **look)


def size_grid(panel):
    """Room on the left, width and height, in inches."""
    rows, columns = panel["shape"]
    cell = min(0.36, 5.6 / columns)
    left = 0.4 + 0.065 * max((len(text) for _, text in panel["y"]), default=0)
    return left, cell * columns, cell * rows


def draw_grid(axes, panel, tables, scales):
    from matplotlib.patches import Rectangle

    rows, columns = panel["shape"]
    axes.set(xlim=(0, columns), ylim=(rows, 0))
    scale = scales[panel["role"]]
    ends = {"vmin": scale["low"], "vmax": scale["high"]}
    shades = {"cmap": colors_of(*ends.values(), scale["still"]), "aspect": "auto", **ends}
    for r in range(rows):
        for c in range(columns):
            thumb = tables["thumbs"][r][c]
            shown = np.where(thumb == 0, np.nan, thumb)
            axes.imshow(shown, extent=(c + 0.16, c + 0.84, r + 0.84, r + 0.16), **shades)
            thick = 2 * tables["border"][r, c] / panel["most"] if "border" in tables else 0.4
            look = {"fill": False, "edgecolor": INK, "linewidth": thick}
            axes.add_patch(Rectangle((c + 0.12, r + 0.12), 0.76, 0.76, **look))
    axes.set(xlim=(0, columns), ylim=(rows, 0))


def draw_chosen(axes, panel):
    """A frame around what the touched controls stand at: a row, a column, or where they cross."""
    from matplotlib.patches import Rectangle

    rows, columns = panel["shape"] if panel["kind"] != "bars" else (1, panel["shape"][1])
    row, column = panel["chosen"]
    high, wide = 1 if row is None else 1 / rows, 1 if column is None else 1 / columns
    look = {"fill": False, "edgecolor": panel["hue"][0], "linewidth": 1.8, "clip_on": False}
    corner = ((column or 0) * wide, 1 - ((row or 0) + 1) * high)
    axes.add_patch(Rectangle(corner, wide, high, transform=axes.transAxes, **look))


def chosen(panel, places):
    """The row and column that the touched controls stand at, or None."""
    return [None if number is None else places[number] for number in panel["touch"]]


def thumbs(panel, places, read):
    """The numbers of all thumbnails; `read(places)` gives those of a state."""
    found = []
    for row in range(panel["shape"][0]):
        found.append([])
        for column in range(panel["shape"][1]):
            there = list(places)
            for number, place in zip(panel["touch"], (row, column), strict=True):
                if number is not None:
                    there[number] = place
            found[-1].append(read(there))
    return found
