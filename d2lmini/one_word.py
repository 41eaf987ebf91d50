"""*One word goes through*: one sentence, and one figure that grows from chapter to chapter."""

import torch

from .figures import Arrows, Heatmap, Plane, Points, Segments, Words

# Two numbers for each word: how much it has to do with water, and how much with money.
NUMBERS = ["water", "money"]
MEANS = {"the": (0, 0), "river": (3, 0), "bank": (1, 1), "floods": (2, 0), "pays": (0, 2)}
MEANS["(pad)"] = (0, 0)
SENTENCE = ["the", "river", "bank", "floods"]
# Its companion, as long as the sentence.
PADDED = ["the", "bank", "pays", "(pad)"]
VECTORS, PADDED_VECTORS = (
    torch.tensor([MEANS[word] for word in words], dtype=torch.float32)
    for words in (SENTENCE, PADDED)
)


def one_word(
    words, row, x, values, weights, outputs, *, scores=None, queries=None, keys=None, room=None
):
    """The panels of a word's way: query, keys, scores, weights, values, output, and the plane.

    Parameters
    ----------
    words : list of str
        The sentence.
    row : int
        The word that asks, counted from 0. The control that a touched word sets is `word`.
    x, values, keys : tensor of shape (words, 2)
        The vectors before, and what is made of them.
    weights, scores : tensor of shape (rows, words)
        The rows are words that ask, or the heads of one. Minus infinity is a masked score.
    outputs, queries : tensor of shape (rows, 2)
    room : ((low, high), (low, high)), optional
        The ends of the plane's axes.

    Returns
    -------
    dict
        Panels by name, and the sentence under the figure.
    """
    every = len(weights) == len(words)  # all words ask
    asks = words if every else ["asks"]  # no name, so that nothing moves when another word asks
    heads = asks if len(weights) == len(asks) else [f"head {h + 1}" for h in range(len(weights))]
    own = row if every else 0
    weight = weights[own] if len(heads) == len(asks) else None  # two heads have none in common
    output = outputs[own]

    def matrix(numbers, role, rows, columns=NUMBERS):
        across = "Numbers" if columns is NUMBERS else "Words"
        down = "Words" if rows is asks or rows is words else "Heads"
        touch = ("word", None) if rows is words else None
        return Heatmap(numbers, role, across, down, columns, rows, touch=touch, large=True)

    panels = {"Sentence": Words(words, weight, touch="word", xlabel="Words")}
    if queries is not None:
        panels["q"] = matrix(queries, "query", asks)
        panels["k"] = matrix(keys, "key", words)
    if scores is not None:
        panels["scores"] = matrix(scores, "score", heads, words)
    panels["weights"] = matrix(weights, "weight", heads, words)
    panels["v"] = matrix(values, "value", words)
    panels["output"] = matrix(outputs, "output", asks)
    marks = {}
    if weight is not None:
        starts = torch.where(weight[:, None] > 0, values, output)  # no line without a weight
        lines = output.expand_as(values)
        marks["weights"] = Segments(lines, starts=starts, size=weight, role="weight")
    marks |= {
        "values": Points(values, words, role="value"),
        "before": Arrows(x[row], ["before"]),
        "after": Arrows(output, ["after"], role="output"),
    }
    across, up = room or ((-0.5, 3.5), (-0.5, 2.5))
    panels["Before and after"] = Plane(marks, *NUMBERS, xlim=across, ylim=up)
    after = f"({output[0]:.2f}, {output[1]:.2f})"
    panels["says"] = f"'{words[row]}' was {MEANS[words[row]]}, and has become {after}."
    return panels
