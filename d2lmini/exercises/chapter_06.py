"""The exercises of chapter 6, scaled dot-product attention."""

import math

import torch
import torch.nn.functional as F

from .checking import Exercise

by_hand = Exercise(
    expected=[0.75, 0.25],
    praise="The scores are ln 3 and 0, so the weights stand as 3 to 1.",
    slips={
        "these are the scores; the weights are their softmax.": [math.log(3), 0.0],
        "the dot products must be divided by sqrt(4) = 2 before the softmax.": [0.9, 0.1],
        "you divided by d = 4; the formula divides by its square root, 2.": (
            F.softmax(torch.tensor([math.log(3) / 2, 0.0]), dim=0)
        ),
    },
)

variance = Exercise(
    expected=36.0,
    praise="Each product has the variance 1 * 9 = 9, and four of them add up.",
    slips={
        "that is the variance of one product; the dot product adds d of them.": 9.0,
        "that is the standard deviation; the variance is its square.": 6.0,
        "that is for unit variance; the keys have standard deviation 3.": 4.0,
    },
)


def attend(queries, keys, values):
    scores = queries @ keys.T / math.sqrt(queries.shape[-1])
    return F.softmax(scores, dim=-1) @ values


def three_matrices():
    generator = torch.Generator().manual_seed(6)
    shapes = ((2, 4), (3, 4), (3, 5)), ((3, 9), (3, 9), (3, 2))
    return [tuple(torch.randn(*s, generator=generator) for s in case) for case in shapes]


attention = Exercise(
    cases=three_matrices,
    expected=attend,
    praise="Scale, softmax along the keys, average: the whole of (6.3).",
    slips={
        "the scores are not divided by sqrt(d).": lambda q, k, v: F.softmax(q @ k.T, dim=-1) @ v,
        "you divide by d instead of its square root.": lambda q, k, v: (
            F.softmax(q @ k.T / q.shape[-1], dim=-1) @ v
        ),
        "the softmax runs along the queries; each query's weights must sum to 1.": (
            lambda q, k, v: F.softmax(q @ k.T / math.sqrt(q.shape[-1]), dim=0) @ v
        ),
        "you divide the weights; the scores must be divided, before the softmax.": (
            lambda q, k, v: F.softmax(q @ k.T, dim=-1) / math.sqrt(q.shape[-1]) @ v
        ),
    },
)

saturated = Exercise(
    expected=0.0,
    praise="A weight of 1 leaves no room: its score gets no gradient, and nothing is learned.",
    slips={
        "that is the largest that it can be, reached at a weight of one half.": 0.25,
        "that is the weight; its derivative by its own score is alpha * (1 - alpha).": 1.0,
        "alpha * (1 - alpha), with alpha = 1.": -1.0,
    },
    tolerance=1e-6,
)


def with_temperature(scores, temperature):
    return F.softmax(scores / temperature, dim=-1)


temperature = Exercise(
    cases=lambda: [
        (torch.tensor([[1.0, 2.0, 4.0]]), 0.5),
        (torch.tensor([[0.0, -1.0], [3.0, 3.0]]), 10.0),
    ],
    expected=with_temperature,
    praise="sqrt(d) is a temperature that keeps the spread of the scores at 1.",
    slips={
        "a high temperature must flatten the weights: divide, don't multiply.": lambda s, t: (
            F.softmax(s * t, dim=-1)
        ),
        "the temperature belongs inside the softmax: these rows don't sum to 1.": lambda s, t: (
            F.softmax(s, dim=-1) / t
        ),
        "the softmax runs along the queries.": lambda s, t: F.softmax(s / t, dim=0),
    },
)
