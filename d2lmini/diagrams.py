"""Our own diagrams: pooling, additive attention as a small network, padding, masks, layers.

Each function shows one picture, as `show_heatmaps` does: in a notebook as an output of its cell,
elsewhere as pyplot's figure. A role has the colour that it has in figures and equations, and a
letter or a word beside it. The type is large, so that a telephone shows it legibly. The sheet has
no ground, so that it fits a light page and a dark one.
"""

import math
from itertools import pairwise
from operator import index

from kernelfree.book import FAINT, INK, deferred, encode, in_notebook, say

from .roles import ROLES

WIDTH, MARGIN, DPI = 4.6, 0.1, 140  # inches, inches, dots per inch
SMALL, LARGE = 0.24, 0.32  # radii of dots, in inches
COLOR = {role: color for role, (color, _) in ROLES.items()}
# What stands beside the rows of the pooling diagram: one query, several keys.
NAMES = {
    "query": deferred("query"),
    "key": deferred("keys"),
    "score": deferred("scores"),
    "weight": deferred("weights"),
    "value": deferred("values"),
    "output": deferred("output"),
}


def pooling(query=None, keys=None, scores=None, values=None):
    """Show attention pooling: a query meets keys, scores become weights, weights average values.

    With no argument the picture has letters. With all four it has the numbers of this example: the
    weights are the softmax of the scores, and the output is the weighted average of the values.

    Parameters
    ----------
    query : number
    keys, scores, values : sequences of two to four numbers
        One for each pair.
    """
    given = {"query": query, "keys": keys, "scores": scores, "values": values}
    missing = [name for name, part in given.items() if part is None]
    if missing and len(missing) < len(given):
        raise TypeError(
            f"pooling needs all of query, keys, scores and values; no {missing[0]} came"
        )
    texts, shares, columns = in_letters() if missing else in_numbers(**given)
    middle = 2.8
    draw = Drawing(5.45)
    rows = {"query": 5.15, "key": 4.2, "score": 3.25, "weight": 1.8, "value": 1.1, "output": 0.25}
    for role, y in rows.items():
        draw.text(0.06, y, say(NAMES[role]), COLOR[role], ha="left")
    for i, (x, share) in enumerate(zip(columns, shares, strict=True)):
        draw.line((middle, 4.95), (x, 4.42), COLOR["query"])
        draw.line((x, 3.98), (x, 3.47), COLOR["key"], head=True)
        draw.line((x, 3.03), (x, 2.75), COLOR["score"], head=True)
        draw.line((x, 2.31), (x, 2.02), COLOR["weight"], head=True)
        draw.line((x, 0.88), (middle, 0.47), COLOR["output"])
        draw.text(x, 1.45, "×")
        for role in ("key", "score", "weight", "value"):
            draw.box(x, rows[role], texts[role][i], role)
        draw.gauge(x, rows["weight"], share)
    for role in ("key", "score", "weight", "value"):
        draw.text(3.65, rows[role], "···" if missing else "")
    draw.box(middle, 5.15, texts["query"], "query")
    draw.text(0.06, 3.72, "$s_i = a(\\mathbf{q}, \\mathbf{k}_i)$", COLOR["score"], ha="left")
    draw.box(middle, 2.53, "softmax", None, width=3.4)
    draw.box(middle, 0.25, texts["output"], "output", width=1.5)
    draw.show(say("Diagram: attention pooling"))


def in_letters():
    """What stands in the boxes of the pooling diagram, how full its gauges are, and its columns."""
    letters = {"key": "\\mathbf{k}", "score": "s", "weight": "\\alpha", "value": "\\mathbf{v}"}
    texts = {role: [f"${letter}_{i}$" for i in "123m"] for role, letter in letters.items()}
    sums = {"query": "$\\mathbf{q}$", "output": "$\\sum_i\\, \\alpha_i \\mathbf{v}_i$"}
    return {**texts, **sums}, [0.1, 0.55, 0.25, 0.04], [1.4, 2.25, 3.1, 4.2]


def in_numbers(query, keys, scores, values):
    """The same for an example."""
    given = {"keys": keys, "scores": scores, "values": values}
    lists = {name: [float(number) for number in part] for name, part in given.items()}
    counts = {name: len(numbers) for name, numbers in lists.items()}
    if len(set(counts.values())) > 1 or not 2 <= counts["keys"] <= 4:
        raise ValueError(f"pooling needs two to four keys, and as many scores and values: {counts}")
    parts = [math.exp(score - max(lists["scores"])) for score in lists["scores"]]
    weights = [part / sum(parts) for part in parts]
    output = sum(w * value for w, value in zip(weights, lists["values"], strict=True))
    texts = {name.rstrip("s"): [short(n) for n in numbers] for name, numbers in lists.items()}
    texts |= {"query": short(float(query)), "weight": [f"{weight:.3f}" for weight in weights]}
    columns = [2.8 + 0.85 * (i - (len(weights) - 1) / 2) for i in range(len(weights))]
    return {**texts, "output": short(output)}, weights, columns


def short(number):
    """A number with three digits, and a minus sign as long as a plus."""
    return f"{number:.3g}".replace("-", "\u2212")


def padded_minibatch(valid_lens=(4, 3, 2)):
    """Show three sentences in one minibatch, filled up with padding.

    Parameters
    ----------
    valid_lens : sequence of three integers, each from 0 to 4
        How many words of each sentence there are; its other slots are padding.
    """
    sentences = [
        say("the cat sat down"),
        say("birds sing loudly today"),
        say("rain falls all day"),
    ]
    valid_lens = list(valid_lens)
    if len(valid_lens) != len(sentences):
        raise ValueError(f"valid_lens must be three lengths, got {len(valid_lens)}")
    draw = Drawing(2.25)
    for slot in range(4):
        draw.text(0.5 + 0.93 * slot, 2.1, say("slot {number}", number=slot + 1))
    draw.text(4.25, 2.1, say("length"))
    for row, (sentence, length) in enumerate(zip(sentences, valid_lens, strict=True)):
        y, length = 1.68 - 0.5 * row, whole("a valid length", length, 0, 4)
        for slot, word in enumerate(sentence.split()):
            text, role = (word, "key") if slot < length else ("", None)
            draw.box(0.5 + 0.93 * slot, y, text, role, width=0.87, hatched=role is None)
        draw.text(4.25, y, str(length))
    draw.legend("key", say("word"), say("padding"))
    lengths = ", ".join(map(str, valid_lens))
    draw.show(say("Diagram: three padded sentences of lengths {lengths}", lengths=lengths))


def additive_mlp():
    """Show additive attention as a network with one hidden layer on the joined query and key."""
    draw = Drawing(3.75)
    inputs = [("query", f"$q_{i + 1}$", 2.95 - 0.57 * i) for i in range(2)]
    inputs += [("key", f"$k_{i + 1}$", 1.55 - 0.57 * i) for i in range(2)]
    hidden = [2.7, 1.95, 1.2]
    for role, _, y in inputs:
        for end in hidden:
            draw.line((0.7, y), (2.35, end), COLOR[role], room=(SMALL, LARGE))
    for y in hidden:
        draw.line((2.35, y), (4.1, 1.95), COLOR["score"], room=(LARGE, SMALL))
        draw.dot(2.35, y, "tanh", INK, radius=LARGE)
    for role, text, y in inputs:
        draw.dot(0.7, y, text, COLOR[role])
    draw.dot(4.1, 1.95, "$s$", COLOR["score"])
    draw.text(0.7, 3.53, "$[\\mathbf{q}; \\mathbf{k}]$")
    draw.text(2.35, 3.53, say("hidden units"))
    draw.text(4.1, 3.53, say("score"), COLOR["score"])
    draw.text(1.55, 3.2, "$W_q$", COLOR["query"])
    draw.text(1.55, 0.75, "$W_k$", COLOR["key"])
    draw.text(3.35, 2.62, "$\\mathbf{w}_v$", COLOR["score"])
    draw.text(2.3, 0.2, "$s = \\mathbf{w}_v^\\top \\tanh(W_q \\mathbf{q} + W_k \\mathbf{k})$")
    draw.show(say("Diagram: additive attention as a network with one hidden layer"))


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
        say("padding"): lambda query, key: key < length,
        say("causal"): lambda query, key: key <= query,
        say("both"): lambda query, key: key < min(length, query + 1),
    }
    draw, cell = Drawing(2.5), 1.2 / size
    draw.text(0.13, 1.53, say("queries"), COLOR["query"], rotation=90)
    for panel, (name, may_look) in enumerate(seen.items()):
        left = 0.35 + 1.42 * panel
        draw.text(left + 0.6, 2.33, name)
        draw.text(left + 0.6, 0.72, say("keys"), COLOR["key"])
        for query in range(size):
            for key in range(size):
                x, y = left + (key + 0.5) * cell, 2.13 - (query + 0.5) * cell
                role = "weight" if may_look(query, key) else None
                draw.box(x, y, "", role, 0.86 * cell, 0.86 * cell, hatched=role is None, depth=0.5)
    draw.legend("weight", say("may look"), say("masked"))
    counts = {"length": length, "size": size}
    draw.show(
        say("Diagram: padding mask, causal mask and both, {length} of {size} keys real", **counts)
    )


def transformer():
    """Show a Transformer that translates: its three attention layers lit, each with its mask."""
    words, numbers, self_attention = 0.2, 0.95, 1.85  # from below, as in the paper
    left = {words: say("old sentence"), numbers: say("numbers of its words")}
    left |= {self_attention: say("self-attention\nmask: padding"), 2.8: say("feed-forward")}
    right = {words: say("new sentence, so far"), numbers: say("numbers of its words")}
    right |= {self_attention: say("self-attention\nmask: causal")}
    right |= {2.8: say("attention to the old\nmask: padding"), 3.7: say("feed-forward")}
    right |= {4.4: say("guess of the next word")}
    draw = Drawing(4.65)
    for x, stack, lit in (1.05, left, {self_attention}), (3.55, right, {self_attention, 2.8}):
        heights = {y: 0.66 if y in lit else 0.44 for y in stack}
        for y, text in stack.items():
            role = "weight" if y in lit else None
            draw.box(x, y, text, role, width=2.05, height=heights[y], depth=0.18)
        for low, high in pairwise(stack):
            room = heights[low] / 2, heights[high] / 2
            draw.line((x, low), (x, high), INK, head=True, room=room)
    draw.line((2.075, 2.8), (2.525, 2.8), INK, head=True)
    draw.show(say("Diagram: a Transformer that translates, its three attention layers lit"))


def encoder_layer():
    """Show a layer of chapter 12's encoder: what heads and a network bring is added to a token."""
    first = (say("12 heads of 32"), "weight", say("tokens look\nat each other"), "x", "f")
    second = (say("1,536 hidden units"), None, say("each token\nby itself"), "y", "n")
    middle, side, top = 1.75, 3.15, 5.05
    draw = Drawing(top)
    draw.text(middle + 0.12, top - 0.2, say("384 numbers"), ha="left")
    for text, role, says, token, brought in first, second:
        box, plus, norm = top - 0.95, top - 1.65, top - 2.15
        draw.text(middle - 0.3, top - 0.2, f"$\\mathbf{{{token}}}_i$")
        draw.line((middle, top), (middle, box), INK, head=True, room=(0, 0.22))
        draw.box(middle, box, text, role, width=2.3)
        draw.text(side + 0.1, box, says, ha="left")
        draw.line((middle, box), (middle, plus), INK, head=True, room=(0.22, 0.15))
        color = COLOR["output"] if role else INK
        draw.text(middle - 0.3, top - 1.33, f"$\\mathbf{{{brought}}}_i$", color)
        for start, end in pairwise([(middle, top - 0.4), (side, top - 0.4), (side, plus)]):
            draw.line(start, end, INK)  # the token itself, around the box
        draw.line((side, plus), (middle, plus), INK, head=True, room=(0, 0.15))
        draw.dot(middle, plus, "+", INK, radius=0.15)
        draw.line((middle, plus), (middle, norm), INK, head=True, room=(0.15, 0.16))
        draw.box(middle, norm, say("norm"), None, width=0.9, height=0.32)
        top = norm - 0.16
    draw.line((middle, top), (middle, top - 0.4), INK, head=True)
    draw.text(middle - 0.3, top - 0.25, "$\\mathbf{z}_i$")
    draw.show(say("Diagram: a layer of an encoder, where what heads and a network bring is added"))


class Drawing:
    """A sheet, WIDTH inches wide and a margin around it; places are inches on it."""

    def __init__(self, height):
        from matplotlib.figure import Figure

        size = (WIDTH + 2 * MARGIN, height + 2 * MARGIN)
        if in_notebook():
            figure = Figure(figsize=size)
        else:
            from matplotlib import pyplot as plt

            figure = plt.figure(figsize=size)
        figure.set(facecolor="none", dpi=DPI)
        self.figure = figure
        self.axes = figure.add_axes((0, 0, 1, 1))
        self.axes.set(xlim=(-MARGIN, WIDTH + MARGIN), ylim=(-MARGIN, height + MARGIN))
        self.axes.axis("off")

    def text(self, x, y, text, color=INK, ha="center", **options):
        size = 13 if "$" in text else 11
        style = {"ha": ha, "va": "center", "fontsize": size, "math_fontfamily": "cm", "zorder": 4}
        self.axes.text(x, y, text, color=color, **style, **options)

    def line(self, start, end, color, head=False, room=(0, 0)):
        """A line; it keeps `room` inches from its start and from its end."""
        style = {"arrowstyle": "-|>" if head else "-", "color": color}
        style |= {"shrinkA": 72 * room[0], "shrinkB": 72 * room[1]}
        style |= {"linewidth": 1.2, "mutation_scale": 9}
        self.axes.annotate("", end, start, arrowprops=style, zorder=1)

    def box(self, x, y, text, role, width=0.6, height=0.44, hatched=False, depth=0.08):
        """A box of a role's colour, or grey; a depth from 0 to 1 says how much of it fills it."""
        from matplotlib.colors import to_rgba
        from matplotlib.patches import FancyBboxPatch

        edge = COLOR[role] if role else FAINT if hatched else INK
        place, style = (x - width / 2, y - height / 2), "round,pad=0,rounding_size=0.05"
        look = {"facecolor": to_rgba(edge, depth) if role else "none", "edgecolor": edge}
        look |= {"hatch": "////" if hatched else None, "linewidth": 1.2, "zorder": 2}
        self.axes.add_patch(FancyBboxPatch(place, width, height, boxstyle=style, **look))
        self.text(x, y, text, COLOR[role] if role else INK)

    def gauge(self, x, y, share):
        """How large a weight is, along the foot of its box."""
        from matplotlib.patches import Rectangle

        look = {"facecolor": COLOR["weight"], "zorder": 3}
        self.axes.add_patch(Rectangle((x - 0.27, y - 0.19), 0.54 * share, 0.06, **look))

    def dot(self, x, y, text, color, radius=SMALL):
        from matplotlib.patches import Circle

        look = {"facecolor": "none", "edgecolor": color, "linewidth": 1.2, "zorder": 2}
        self.axes.add_patch(Circle((x, y), radius, **look))
        self.text(x, y, text, color)

    def legend(self, role, real, hidden):
        """What is filled and what is hatched, in words, at the foot."""
        self.box(1.05, 0.2, "", role, 0.28, 0.22, depth=0.5)
        self.text(1.28, 0.2, real, ha="left")
        self.box(2.75, 0.2, "", None, 0.28, 0.22, hatched=True)
        self.text(2.98, 0.2, hidden, ha="left")

    def show(self, text):
        """Show the picture once: the same bytes every time, and a line of text."""
        if not in_notebook():
            return  # pyplot has it
        from IPython.display import display

        png = encode(self.figure, [INK, *COLOR.values()])
        display({"image/png": png, "text/plain": f"<{text}>"}, raw=True)


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
