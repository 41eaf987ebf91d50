"""*One word goes through*: one sentence, and one figure that grows from chapter to chapter."""

import torch

from kernelfree.book import deferred, say

from .figures import Arrows, Heatmap, Plane, Points, Segments, Words

# Two numbers for each word: how much it has to do with water, and how much with money.
NUMBERS = [deferred("water"), deferred("money")]
MEANS = {
    deferred("the"): (0, 0),
    deferred("river"): (3, 0),
    deferred("bank"): (1, 1),
    deferred("floods"): (2, 0),
    deferred("pays"): (0, 2),
    deferred("(pad)"): (0, 0),
}
# The sentence, and its companion, which is as long; see `__getattr__`.
ENGLISH = {"SENTENCE": "the river bank floods", "PADDED": "the bank pays (pad)"}
VECTORS, PADDED_VECTORS = (
    torch.tensor([MEANS[word] for word in words.split()], dtype=torch.float32)
    for words in ENGLISH.values()
)


def __getattr__(name):
    """`SENTENCE` and `PADDED`: their words, in the language that is spoken."""
    if name not in ENGLISH:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return [say(word) for word in ENGLISH[name].split()]


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
    asks = (
        words if every else [say("asks")]
    )  # no name, so that nothing moves when another word asks
    heads = (
        asks
        if len(weights) == len(asks)
        else [say("head {number}", number=h + 1) for h in range(len(weights))]
    )
    own = row if every else 0
    weight = weights[own] if len(heads) == len(asks) else None  # two heads have none in common
    output = outputs[own]

    meanings = [say(name) for name in NUMBERS]

    def matrix(numbers, role, rows, columns=meanings):
        across = say("Numbers") if columns is meanings else say("Words")
        down = say("Words") if rows is asks or rows is words else say("Heads")
        touch = ("word", None) if rows is words else None
        return Heatmap(numbers, role, across, down, columns, rows, touch=touch, large=True)

    panels = {say("Sentence"): Words(words, weight, touch="word", xlabel=say("Words"))}
    if queries is not None:
        panels["q"] = matrix(queries, "query", asks)
        panels["k"] = matrix(keys, "key", words)
    if scores is not None:
        panels[say("scores")] = matrix(scores, "score", heads, words)
    panels[say("weights")] = matrix(weights, "weight", heads, words)
    panels["v"] = matrix(values, "value", words)
    panels[say("output")] = matrix(outputs, "output", asks)
    marks = {}
    if weight is not None:
        starts = torch.where(weight[:, None] > 0, values, output)  # no line without a weight
        lines = output.expand_as(values)
        marks[say("weights")] = Segments(lines, starts=starts, size=weight, role="weight")
    marks |= {
        say("values"): Points(values, words, role="value"),
        say("before"): Arrows(x[row], [say("before")]),
        say("after"): Arrows(output, [say("after")], role="output"),
    }
    across, up = room or ((-0.5, 3.5), (-0.5, 2.5))
    panels[say("Before and after")] = Plane(marks, *meanings, xlim=across, ylim=up)
    means = {say(word): numbers for word, numbers in MEANS.items()}
    change = {"before": means[words[row]], "after": f"({output[0]:.2f}, {output[1]:.2f})"}
    says = say("'{word}' was {before}, and has become {after}.", word=words[row], **change)
    panels["says"] = says
    return panels
