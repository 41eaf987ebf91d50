"""Our own diagrams: pooling, additive attention as a small network, padding, masks.

Each function shows one picture, as `show_heatmaps` does: in a notebook as an output of its cell,
elsewhere as pyplot's figure. A role has the colour that it has in figures and equations, and a
letter or a word beside it. The type is large, so that a telephone shows it legibly.
"""

import io
from operator import index

from .heatmaps import in_notebook
from .palette import INK, PALE, QUIET, ROLES

WIDTH, MARGIN, DPI = 4.6, 0.1, 140  # inches, inches, dots per inch
COLOR = {role: on_white for role, (on_white, _) in ROLES.items()}


def pooling():
    """Show attention pooling: a query meets keys, scores become weights, weights average values."""
    columns, names = [1.4, 2.25, 3.1, 4.2], ["1", "2", "3", "m"]
    shares = [0.1, 0.55, 0.25, 0.04]
    middle = 2.8
    draw = Drawing(5.45)
    rows = {"query": 5.15, "key": 4.2, "score": 3.25, "weight": 1.8, "value": 1.1, "output": 0.25}
    for role, y in rows.items():
        name = role if role in ("query", "output") else f"{role}s"
        draw.text(0.06, y, name, COLOR[role], ha="left")
    for x, name, share in zip(columns, names, shares, strict=True):
        draw.line((middle, 4.95), (x, 4.42), COLOR["query"])
        draw.line((x, 3.98), (x, 3.47), COLOR["key"], head=True)
        draw.line((x, 3.03), (x, 2.75), COLOR["score"], head=True)
        draw.line((x, 2.31), (x, 2.02), COLOR["weight"], head=True)
        draw.line((x, 0.88), (middle, 0.47), COLOR["output"])
        draw.text(x, 1.45, "×", QUIET)
        draw.box(x, 4.2, f"$\\mathbf{{k}}_{name}$", "key")
        draw.box(x, 3.25, f"$s_{name}$", "score")
        draw.box(x, 1.8, f"$\\alpha_{name}$", "weight", depth=share)
        draw.box(x, 1.1, f"$\\mathbf{{v}}_{name}$", "value")
    for role in ("key", "score", "weight", "value"):
        draw.text(3.65, rows[role], "···", QUIET)
    draw.box(middle, 5.15, "$\\mathbf{q}$", "query")
    draw.text(0.06, 3.72, "$s_i = a(\\mathbf{q}, \\mathbf{k}_i)$", COLOR["score"], ha="left")
    draw.box(middle, 2.53, "softmax", None, width=3.4)
    draw.box(middle, 0.25, "$\\sum_i\\, \\alpha_i \\mathbf{v}_i$", "output", width=1.5)
    draw.show("Diagram: attention pooling")


def padded_minibatch(valid_lens=(4, 3, 2)):
    """Show three sentences in one minibatch, filled up with padding.

    Parameters
    ----------
    valid_lens : sequence of three integers, each from 0 to 4
        How many words of each sentence there are; its other slots are padding.
    """
    sentences = ["the cat sat down", "birds sing loudly today", "rain falls all day"]
    valid_lens = list(valid_lens)
    if len(valid_lens) != len(sentences):
        raise ValueError(f"valid_lens must be three lengths, got {len(valid_lens)}")
    draw = Drawing(2.25)
    for slot in range(4):
        draw.text(0.5 + 0.93 * slot, 2.1, f"slot {slot + 1}", QUIET)
    draw.text(4.25, 2.1, "length", QUIET)
    for row, (sentence, length) in enumerate(zip(sentences, valid_lens, strict=True)):
        y, length = 1.68 - 0.5 * row, whole("a valid length", length, 0, 4)
        for slot, word in enumerate(sentence.split()):
            text, role = (word, "key") if slot < length else ("", None)
            draw.box(0.5 + 0.93 * slot, y, text, role, width=0.87, hatched=role is None)
        draw.text(4.25, y, str(length))
    draw.legend("key", "word", "padding")
    draw.show(f"Diagram: three padded sentences of lengths {', '.join(map(str, valid_lens))}")


def additive_mlp():
    """Show additive attention as a network with one hidden layer on the joined query and key."""
    draw = Drawing(3.75)
    inputs = [("query", f"$q_{i + 1}$", 2.95 - 0.57 * i) for i in range(2)]
    inputs += [("key", f"$k_{i + 1}$", 1.55 - 0.57 * i) for i in range(2)]
    hidden = [2.7, 1.95, 1.2]
    for role, _, y in inputs:
        for end in hidden:
            draw.line((0.7, y), (2.35, end), COLOR[role])
    for y in hidden:
        draw.line((2.35, y), (4.1, 1.95), COLOR["score"])
        draw.dot(2.35, y, "tanh", QUIET, radius=0.32)
    for role, text, y in inputs:
        draw.dot(0.7, y, text, COLOR[role])
    draw.dot(4.1, 1.95, "$s$", COLOR["score"])
    draw.text(0.7, 3.53, "$[\\mathbf{q}; \\mathbf{k}]$")
    draw.text(2.35, 3.53, "hidden units")
    draw.text(4.1, 3.53, "score", COLOR["score"])
    draw.text(1.55, 3.2, "$W_q$", COLOR["query"])
    draw.text(1.55, 0.75, "$W_k$", COLOR["key"])
    draw.text(3.35, 2.62, "$\\mathbf{w}_v$", COLOR["score"])
    draw.text(2.3, 0.2, "$s = \\mathbf{w}_v^\\top \\tanh(W_q \\mathbf{q} + W_k \\mathbf{k})$")
    draw.show("Diagram: additive attention as a network with one hidden layer")


def masks(length=3, size=4):
    """Show three masks beside each other: padding, causal, and both.

    Parameters
    ----------
    length : int, from 0 to size
        How many keys are real.
    size : int, from 1 to 8
        How many queries there are, and as many keys.
    """
    size = whole("size", size, 1, 8)
    length = whole("length", length, 0, size)
    seen = {
        "padding": lambda query, key: key < length,
        "causal": lambda query, key: key <= query,
        "both": lambda query, key: key < min(length, query + 1),
    }
    draw, cell = Drawing(2.5), 1.2 / size
    draw.text(0.13, 1.53, "queries", COLOR["query"], rotation=90)
    for panel, (name, may_look) in enumerate(seen.items()):
        left = 0.35 + 1.42 * panel
        draw.text(left + 0.6, 2.33, name)
        draw.text(left + 0.6, 0.72, "keys", COLOR["key"])
        for query in range(size):
            for key in range(size):
                x, y = left + (key + 0.5) * cell, 2.13 - (query + 0.5) * cell
                role = "weight" if may_look(query, key) else None
                draw.box(x, y, "", role, 0.86 * cell, 0.86 * cell, hatched=role is None, depth=0.5)
    draw.legend("weight", "may look", "masked")
    draw.show(f"Diagram: padding mask, causal mask and both, {length} of {size} keys real")


class Drawing:
    """A white sheet, WIDTH inches wide and a margin around it; places are inches on it."""

    def __init__(self, height):
        from matplotlib.figure import Figure

        size = (WIDTH + 2 * MARGIN, height + 2 * MARGIN)
        if in_notebook():
            figure = Figure(figsize=size)
        else:
            from matplotlib import pyplot as plt

            figure = plt.figure(figsize=size)
        figure.set(facecolor="white", dpi=DPI)
        self.figure = figure
        self.axes = figure.add_axes((0, 0, 1, 1))
        self.axes.set(xlim=(-MARGIN, WIDTH + MARGIN), ylim=(-MARGIN, height + MARGIN))
        self.axes.axis("off")

    def text(self, x, y, text, color=INK, ha="center", **options):
        size = 13 if "$" in text else 11
        style = {"ha": ha, "va": "center", "fontsize": size, "math_fontfamily": "cm", "zorder": 4}
        self.axes.text(x, y, text, color=color, **style, **options)

    def line(self, start, end, color, head=False):
        style = {"arrowstyle": "-|>" if head else "-", "shrinkA": 0, "shrinkB": 0, "color": color}
        style |= {"linewidth": 1.2, "mutation_scale": 9}
        self.axes.annotate("", end, start, arrowprops=style, zorder=1)

    def box(self, x, y, text, role, width=0.6, height=0.44, hatched=False, depth=None):
        """A box of a role's colour, or grey; a depth from 0 to 1 fills it, with dark text."""
        from matplotlib.colors import to_rgba
        from matplotlib.patches import FancyBboxPatch

        edge = COLOR[role] if role else PALE
        place, style = (x - width / 2, y - height / 2), "round,pad=0,rounding_size=0.05"
        look = {
            "facecolor": to_rgba(edge, 0.1 if depth is None else depth) if role else "white",
            "edgecolor": edge,
        }
        look |= {"hatch": "////" if hatched else None, "linewidth": 1.2, "zorder": 2}
        self.axes.add_patch(FancyBboxPatch(place, width, height, boxstyle=style, **look))
        self.text(x, y, text, COLOR[role] if role and depth is None else INK)

    def dot(self, x, y, text, color, radius=0.24):
        from matplotlib.patches import Circle

        look = {"facecolor": "white", "edgecolor": color, "linewidth": 1.2, "zorder": 2}
        self.axes.add_patch(Circle((x, y), radius, **look))
        self.text(x, y, text, color)

    def legend(self, role, real, hidden):
        """What is filled and what is hatched, in words, at the foot."""
        self.box(1.05, 0.2, "", role, 0.28, 0.22, depth=0.5)
        self.text(1.28, 0.2, real, QUIET, ha="left")
        self.box(2.75, 0.2, "", None, 0.28, 0.22, hatched=True)
        self.text(2.98, 0.2, hidden, QUIET, ha="left")

    def show(self, text):
        """Show the picture once: the same bytes every time, and a line of text."""
        if not in_notebook():
            return  # pyplot has it
        from IPython.display import display
        from PIL import Image

        drawn, png = io.BytesIO(), io.BytesIO()
        self.figure.savefig(drawn, format="png", dpi=DPI)
        # Few colours make a quarter of the bytes, and every role keeps its own exactly.
        few = Image.open(drawn).convert("RGB").quantize(128, dither=Image.Dither.NONE)
        few.save(png, "png", optimize=True)
        display({"image/png": png.getvalue(), "text/plain": f"<{text}>"}, raw=True)


def whole(what, number, low, high):
    """Return a whole number in a range; raise if it is not one."""
    try:
        result = index(number)
    except TypeError:
        result = None
    if result is None or isinstance(number, bool):
        raise TypeError(f"{what} must be a whole number, got {number!r}")
    if not low <= result <= high:
        raise ValueError(f"{what} must be from {low} to {high}, got {result}")
    return result
