"""The exercises of chapter 2, kernel regression."""

import math

import torch
import torch.nn.functional as F

from .checking import Exercise
from .step import Step

by_hand = Exercise(
    expected=11.0,
    praise="The heights are 3/4, 1 and 0, so the answer is (21/4 + 14) / (7/4) = 11.",
    tolerance=1e-3,
    slips={
        "that is the triangle, 1 - |u|. Epanechnikov's kernel falls with the square, 1 - u^2.": (
            (0.5 * 7 + 14) / 1.5
        ),
        "the heights must be divided by their sum, 3/4 + 1 + 0.": 0.75 * 7 + 14,
        "the width is forgotten: the distance of the first reading is 1, which is half a width.": (
            14.0
        ),
        "that is the boxcar, which is equally high for all three. Here the last one, at the very "
        "edge, has the height 0.": 121 / 3,
        "that is a mean of readings and weights mixed up: divide by the sum of the heights, not by "
        "their number.": (0.75 * 7 + 14) / 3,
    },
)

which_width = Exercise(
    expected=math.sqrt(3 / (2 * math.log(3))),
    praise="exp((4 - 1) / (2 width^2)) = 3, so width^2 = 3 / (2 ln 3).",
    tolerance=2e-3,
    slips={
        "that is the square of the width; take its root.": 3 / (2 * math.log(3)),
        "the 2 in 2 width^2 is forgotten.": math.sqrt(3 / math.log(3)),
        "the distances must be squared before they are compared: 4 - 1, not 2 - 1.": (
            math.sqrt(1 / (2 * math.log(3)))
        ),
        "3/4 to 1/4 is a ratio of 3, not of 4.": math.sqrt(3 / (2 * math.log(4))),
        "that is for a ratio of 3/4. The ratio is 3/4 to 1/4.": (
            math.sqrt(3 / (2 * math.log(4 / 3)))
        ),
    },
)

wider = Exercise(
    expected="B",
    praise="The weights go from 0.10, 0.45, 0.45 to 0.26, 0.37, 0.37, and the answer from 3.35 to "
    "3.12.",
    slips={
        "all three readings have a say at every width. What counts is who gains weight, and how "
        "warm it was there.": "A",
        "the weights sum to 1 at every width: what the near readings lose, the far one gains.": "C",
        "they stay equal to each other, but both lose to the reading of time 1.": "D",
    },
)

twins = Exercise(
    expected=0.05,
    praise="One copy is left out, and the other stays at distance 0: the narrowest bell copies it.",
    slips={
        "that is the choice without copies. Is the list twice as long where you try it?": 0.3,
        "that is its place in the list, counted from 0; the width at this place is asked for.": 0.0,
        "that is the smallest error; the width that has it is asked for.": 0.3784,
        "that is the width with the largest error.": 1.5,
    },
)


def score(queries, keys):
    return -((queries[:, None] - keys) ** 2) / 2


def times(queries, keys):
    generator = torch.Generator().manual_seed(queries)
    return tuple(3 * torch.randn(n, generator=generator) for n in (queries, keys))


step = Step(
    chapter=2,
    cases=lambda: [times(2, 3), times(4, 1), times(3, 5)],
    expected=score,
    praise="Each query has met each key, and the softmax will make a bell of it.",
    slips={
        "the sign: the nearer a key, the higher its score.": lambda q, k: -score(q, k),
        "divide the squares by 2: the bell of width 1 is exp(-u^2 / 2).": (
            lambda q, k: 2 * score(q, k)
        ),
        "these are minus the distances; the bell has their squares, divided by 2.": (
            lambda q, k: -(q[:, None] - k).abs()
        ),
        "these are minus half the distances; the bell has their squares.": (
            lambda q, k: -(q[:, None] - k).abs() / 2
        ),
        "these are the differences; the bell has minus their squares, divided by 2.": (
            lambda q, k: q[:, None] - k
        ),
        "rows are queries and columns are keys; here it is the other way round.": (
            lambda q, k: score(k, q)
        ),
        "the exponential belongs to the softmax: the score is what stands in it.": (
            lambda q, k: score(q, k).exp()
        ),
        "these are weights; the softmax is chapter 1's part.": lambda q, k: F.softmax(
            score(q, k), dim=-1
        ),
        "these are products; here the score is minus half the squared distance.": (
            lambda q, k: q[:, None] * k
        ),
    },
    failures={
        "the queries need an axis of their own, queries[:, None], so that each meets each key.": (
            "must match|broadcast"
        ),
    },
)


def slope(query, keys, values, width):
    squares = (query - keys) ** 2
    weights = F.softmax(-squares / (2 * width**2), dim=0)
    return (weights * (squares - weights @ squares)) @ values / width**3


def readings():
    generator = torch.Generator().manual_seed(6)
    return [
        (0.3, torch.randn(m, generator=generator), torch.randn(m, generator=generator), width)
        for m, width in [(3, 0.8), (5, 1.5), (4, 0.5)]
    ]


def weights_for(query, keys, width):
    return F.softmax(-((query - keys) ** 2) / (2 * width**2), dim=0)


width_slope = Exercise(
    cases=readings,
    expected=slope,
    praise="A covariance of squared distance and value, over the width's third power.",
    slips={
        "the sum below the line depends on the width too: take the weighted mean of the score's "
        "derivatives away.": lambda q, k, v, w: weights_for(q, k, w) @ ((q - k) ** 2 * v) / w**3,
        "the mean that is taken away is the weighted one, sum of alpha_j d_j^2, not the plain "
        "one.": lambda q, k, v, w: (
            (weights_for(q, k, w) * ((q - k) ** 2 - ((q - k) ** 2).mean())) @ v / w**3
        ),
        "the power of the width: the derivative of -1 / (2 width^2) is 1 / width^3.": (
            lambda q, k, v, w: slope(q, k, v, w) * w
        ),
        "the sign: a wider kernel gives far keys more.": lambda q, k, v, w: -slope(q, k, v, w),
        "that is the derivative of the score alone times two: 2 in 2 width^2 cancels the 2 of the "
        "power.": lambda q, k, v, w: 2 * slope(q, k, v, w),
        "these are the slopes of the weights times the values, one for each key; the prediction "
        "is their sum.": lambda q, k, v, w: (
            weights_for(q, k, w) * ((q - k) ** 2 - weights_for(q, k, w) @ (q - k) ** 2) * v / w**3
        ),
    },
)
