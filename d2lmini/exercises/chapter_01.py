"""The exercises of chapter 1, queries, keys and values."""

import math

import torch
import torch.nn.functional as F

from .checking import Exercise
from .step import Step

by_hand = Exercise(
    expected=25.0,
    praise="The exponentials are 2, 1 and 1, so the weights are 1/2, 1/4 and 1/4.",
    slips={
        "that weights the values with the scores; make weights of the scores first.": (
            40 * math.log(2)
        ),
        "the exponentials are right, but they are no weights yet: divide by their sum.": 100.0,
        "that is the plain mean; the first note has a higher score than the others.": 20.0,
        "that is the best note alone; the others have a weight too.": 40.0,
        "these are the weights; the answer is the sum of weight times value.": [0.5, 0.25, 0.25],
    },
)


seats = Exercise(
    expected="B",
    praise="From 3.1 to 4.1 seats. What the note of 8 loses, the two others gain.",
    slips={
        "a perfect match has no share by itself: the two other notes gain when the sharpness "
        "falls.": "A",
        "the weights still sum to 1: what one note loses, others gain.": "C",
        "it does rise, but not for this reason: the weights sum to 1, so they can't all grow.": "D",
    },
)


def scores_of(a, b, c):
    return [math.log(b / a), math.log(c / a)]


choose_scores = Exercise(
    expected=scores_of(2 / 9, 11 / 18, 1 / 6),
    praise="The weights are 2/9, 11/18 and 1/6, and differences of scores are logarithms of their "
    "ratios.",
    tolerance=1e-2,
    slips={
        "these are the weights of the notes of 8 and 10; their scores are asked for.": [
            11 / 18,
            1 / 6,
        ],
        "these are all three weights; two scores are asked for.": [2 / 9, 11 / 18, 1 / 6],
        "these are the ratios of the weights; by (1.5) take their logarithms.": [11 / 4, 3 / 4],
        "these are the logarithms of the weights. Shift all three scores so that the note of 7 has "
        "the score 0.": [math.log(11 / 18), math.log(1 / 6)],
        "the right size with the wrong sign: the note of 8 needs more weight than that of 7.": [
            -math.log(11 / 4),
            -math.log(3 / 4),
        ],
        "the right numbers in the wrong order: first the score of the note of 8.": [
            math.log(3 / 4),
            math.log(11 / 4),
        ],
    },
)

E = math.exp(-1)

duplicate = Exercise(
    expected=2 * E / (E**2 + 3 * E),
    praise="A note that stands twice counts twice: its share goes from 0.4223 to 0.5938. "
    "A dictionary would have kept one of the two.",
    tolerance=1e-3,
    slips={
        "that is the weight without the copy. A dictionary keeps one note for each key; here both "
        "are asked.": E / (E**2 + 2 * E),
        "that is twice the old weight. The copy has joined the sum below as well; the shares of "
        "the others go down.": 2 * E / (E**2 + 2 * E),
        "that is the weight of one of the two copies.": E / (E**2 + 3 * E),
        "that leaves out the note of 7 o'clock; it is farther, but it still has a share.": 2 / 3,
        "two of four notes, yes, but they don't share alike: the note of 7 o'clock has a lower "
        "score.": 0.5,
    },
)


without_exp = Exercise(
    expected=80 / 3,
    praise="The weights are 1/3, 0 and 2/3: the perfect match has no say, and the worst has most.",
    tolerance=1e-3,
    slips={
        "that is the softmax; here the exponential is left out.": 40.9346,
        "that is a sum of scores times values; divide by the sum of the scores, -3.": -80.0,
        "without the minus sign: the sum of the scores is -3, not 3.": -80 / 3,
        "that is the note of 8 alone. Its score is 0, so what is 0 / -3?": 50.0,
        "that is the plain mean; the scores are not equal.": 100 / 3,
    },
)

strongest = Exercise(
    expected=math.log(2),
    praise="At ln 2 = 0.69 the note has half of the weight; the pull is 25/4 minutes for each "
    "point.",
    tolerance=1e-2,
    slips={
        "with score 0 the note has one third of the weight; a little more makes it stronger.": 0.0,
        "that is its weight there; the score is asked for.": 0.5,
        "near, but not on the top; try smaller steps around it.": 1.0,
        "that is the pull itself; the score is asked for.": 6.25,
        "there the output has nearly arrived, and little is left to pull.": 3.0,
    },
)


def softmax(scores):
    exponentials = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return exponentials / exponentials.sum(dim=-1, keepdim=True)


def attention(scores, values):
    return softmax(scores) @ values


step = Step(
    chapter=1,
    cases=lambda: [
        (
            torch.tensor([[-1.0, 0.0, -2.0], [-2.0, -1.0, -1.0]]),
            torch.tensor([[20.0, 12.0], [50.0, 0.0], [30.0, 2.0]]),
        ),
        (torch.tensor([[3.0, 1.0], [0.5, 0.5], [-2.0, 0.0]]), torch.eye(2)),
        (torch.tensor([[1000.0, 999.0, 0.0], [0.0, -1.0, -2.0]]), torch.eye(3)),
    ],
    expected=attention,
    praise="These are the first lines of your own attention.",
    slips={
        "the exponentials are missing: these are the scores, divided by their sum.": (
            lambda s, v: s / s.sum(dim=-1, keepdim=True) @ v
        ),
        "these are the exponentials; divide each row by its own sum.": lambda s, v: s.exp() @ v,
        "all rows together sum to 1; each row has a sum of its own: dim=-1, keepdim=True.": (
            lambda s, v: s.exp() / s.exp().sum() @ v
        ),
        "the softmax runs down the columns, dim=0; the keys are the last axis, dim=-1.": (
            lambda s, v: F.softmax(s, dim=0) @ v
        ),
        "exp(1000) is infinite, and infinite / infinite is NaN: first take away the row's largest "
        "score.": lambda s, v: s.exp() / s.exp().sum(dim=-1, keepdim=True) @ v,
        "take away the largest score of each row, not the largest of all: the "
        "exponentials of another row are 0, and 0/0 is NaN.": lambda s, v: (
            (s - s.max()).exp() / (s - s.max()).exp().sum(dim=-1, keepdim=True) @ v
        ),
        "the sign: a higher score must have a larger weight.": lambda s, v: (
            F.softmax(-s, dim=-1) @ v
        ),
        "these are the weights; multiply them with the values, @ values.": lambda s, v: softmax(s),
        "these are the scores times the values, without a softmax.": lambda s, v: s @ v,
        "this takes the softmax twice.": lambda s, v: softmax(softmax(s)) @ v,
        "that is the value of the best key alone; the others have a share, too.": lambda s, v: v[
            s.argmax(dim=-1)
        ],
        "that is the plain mean of the values: no score counts.": lambda s, v: v.mean(dim=0).expand(
            len(s), -1
        ),
    },
    failures={
        "two shapes don't fit number by number. The sum of a row needs keepdim=True, so that it "
        "stands as a column; and an average is a product of matrices, @, not *.": (
            "must match|broadcast"
        ),
        "max(dim=-1) gives values and their places; amax(dim=-1, keepdim=True) gives values "
        "alone.": "return_types|tuple",
    },
    forbids={"that softmax is PyTorch's; here its few lines are yours.": r"\.[sS]oftmax\b"},
)
