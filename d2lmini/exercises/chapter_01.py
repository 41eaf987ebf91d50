"""The exercises of chapter 1, queries, keys and values."""

import math

import torch
import torch.nn.functional as F

from .checking import Exercise

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


def nearest_value(query, keys, values):
    distance = (query - keys).abs()
    return values[distance == distance.min()].mean(dim=0)


NOTES = torch.tensor([7.0, 8.0, 10.0]), torch.tensor([[20.0, 12.0], [50.0, 0.0], [30.0, 2.0]])

nearest = Exercise(
    cases=lambda: [
        (torch.tensor(8.9), *NOTES),
        (torch.tensor(9.0), *NOTES),
        (torch.tensor(3.0), torch.tensor([3.0, 1.0, 3.0]), torch.tensor([[1.0], [9.0], [2.0]])),
        (torch.tensor(5.0), torch.tensor([6.0]), torch.tensor([[4.0, 5.0]])),
    ],
    expected=nearest_value,
    praise="It answers when no key matches, and it counts two equally near keys alike.",
    slips={
        "a key that is not there has no exact match, and the mean of nothing is NaN; take the "
        "smallest distance instead.": lambda q, k, v: v[k == q].mean(dim=0),
        "when two keys are equally near, both count: argmin tells you of the first alone.": (
            lambda q, k, v: v[(q - k).abs().argmin()]
        ),
        "that is the farthest key.": lambda q, k, v: v[(q - k).abs() == (q - k).abs().max()].mean(
            dim=0
        ),
        "a distance has no sign: without abs(), the largest key has the smallest difference.": (
            lambda q, k, v: v[(q - k) == (q - k).min()].mean(dim=0)
        ),
        "this adds the values of equally near keys; the answer is their mean.": lambda q, k, v: v[
            (q - k).abs() == (q - k).abs().min()
        ].sum(dim=0),
        "that is the nearest key itself; the answer is its value.": lambda q, k, v: k[
            (q - k).abs() == (q - k).abs().min()
        ].mean(),
    },
)


def score(queries, keys):
    return -(queries[:, None] - keys).abs()


def soft(queries, keys, values, sharpness):
    return F.softmax(sharpness * score(queries, keys), dim=-1) @ values


many_queries = Exercise(
    cases=lambda: [
        (torch.tensor([8.0, 9.0]), *NOTES, 0.5),
        (torch.tensor([7.5, 8.0, 11.0]), *NOTES, 2.0),
        (torch.tensor([1.0]), torch.tensor([0.0, 3.0]), torch.tensor([[1.0], [5.0]]), 0.0),
    ],
    expected=soft,
    praise="Each query has a row of its own, and each row sums to 1.",
    slips={
        "the softmax runs along the wrong axis: for each query, the weights of all keys must sum "
        "to 1.": lambda q, k, v, sharp: F.softmax(sharp * score(q, k), dim=0) @ v,
        "the sign of the score is wrong: here the farthest key gets the most.": (
            lambda q, k, v, sharp: soft(q, k, v, -sharp)
        ),
        "the sharpness multiplies the scores, before the softmax.": lambda q, k, v, sharp: (
            sharp * F.softmax(score(q, k), dim=-1) @ v
        ),
        "the softmax is missing: these are scores times values.": lambda q, k, v, sharp: (
            sharp * score(q, k) @ v
        ),
        "this pools the keys; the answer is made of the values.": lambda q, k, v, sharp: soft(
            q, k, k[:, None], sharp
        ),
        "the score is minus the distance, not minus its square.": lambda q, k, v, sharp: (
            F.softmax(-sharp * score(q, k) ** 2, dim=-1) @ v
        ),
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


def gradient(weights, values):
    return weights[:, None] * (values - weights @ values)


def random_note(m, value_size):
    generator = torch.Generator().manual_seed(m)
    weights = F.softmax(torch.randn(m, generator=generator), dim=0)
    return weights, torch.randn(m, value_size, generator=generator)


score_gradient = Exercise(
    cases=lambda: [random_note(3, 2), random_note(4, 1), random_note(2, 3)],
    expected=gradient,
    praise="No m x m matrix was needed, and the rows sum to 0: adding the same to all scores "
    "changes nothing.",
    slips={
        "a score also moves the other weights: subtract the output from the value.": (
            lambda w, v: w[:, None] * v
        ),
        "this has only the terms with i = j; the other weights move as well.": lambda w, v: (
            (w * (1 - w))[:, None] * v
        ),
        "the sign is wrong: a note above the answer pulls the answer up.": lambda w, v: (
            -gradient(w, v)
        ),
        "subtract the output, which is the weighted mean, not the plain mean of the values.": (
            lambda w, v: w[:, None] * (v - v.mean(dim=0))
        ),
        "the weight in front is missing: a note that hardly counts hardly moves the answer.": (
            lambda w, v: v - w @ v
        ),
    },
)

sharp_enough = Exercise(
    cases=lambda: [(3, 1.0, 0.9), (10, 2.0, 0.5), (101, 0.5, 0.99)],
    expected=lambda m, gap, share: math.log((m - 1) * share / (1 - share)) / gap,
    praise="Ten times more notes need only ln 10, about 2.3, more points of score.",
    slips={
        "there are m - 1 other notes, not m.": lambda m, gap, share: (
            math.log(m * share / (1 - share)) / gap
        ),
        "that holds for one other note; there are m - 1.": lambda m, gap, share: (
            math.log(share / (1 - share)) / gap
        ),
        "the gap divides: the wider it is, the less sharpness is needed.": lambda m, gap, share: (
            math.log((m - 1) * share / (1 - share)) * gap
        ),
        "the logarithm is missing: weights go with the exponential of the scores.": (
            lambda m, gap, share: (m - 1) * share / (1 - share) / gap
        ),
        "the fraction is upside down: this is the same number with a minus sign.": (
            lambda m, gap, share: -math.log((m - 1) * share / (1 - share)) / gap
        ),
    },
)
