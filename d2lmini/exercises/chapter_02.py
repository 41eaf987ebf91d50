"""The exercises of chapter 2, kernel regression."""

import math

import torch
import torch.nn.functional as F

from .checking import Exercise

by_hand = Exercise(
    expected=11.0,
    praise="The counts are 3/4, 1 and 0, so the answer is (21/4 + 14) / (7/4) = 11.",
    tolerance=1e-3,
    slips={
        "that is the triangle, 1 - |u|. Epanechnikov's kernel falls with the square, 1 - u^2.": (
            (0.5 * 7 + 14) / 1.5
        ),
        "the counts must be divided by their sum, 3/4 + 1 + 0.": 0.75 * 7 + 14,
        "the width is forgotten: the distance of the first reading is 1, which is half a width.": (
            14.0
        ),
        "that is the boxcar, which counts all three alike. Here the last one, at the very edge, "
        "counts 0.": 121 / 3,
        "that is a mean of readings and weights mixed up: divide by the sum of the counts, not by "
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

numbers_kept = Exercise(
    cases=lambda: [(40, 1, 1), (1000, 2, 3), (5, 784, 10)],
    expected=lambda m, d, v: m * (d + v) + 1,
    praise="All of the data, and one number that may be learned. More data, more to keep.",
    slips={
        "the width must be kept too.": lambda m, d, v: m * (d + v),
        "the width alone does not predict anything; the readings are needed each time.": (
            lambda m, d, v: 1
        ),
        "key and value stand beside each other: their sizes are added, not multiplied.": (
            lambda m, d, v: m * d * v + 1
        ),
        "that is for a value of one number; here it has v.": lambda m, d, v: m * (d + 1) + 1,
        "there is one width for all, not one for each reading.": lambda m, d, v: m * (d + v + 1),
        "one width is asked for, not one for each coordinate of the key.": (
            lambda m, d, v: m * (d + v) + d
        ),
    },
)


def plane(queries, keys, width):
    squares = ((queries[:, None] - keys) ** 2).sum(dim=-1)
    return F.softmax(-squares / (2 * width**2), dim=-1)


def divided(queries, keys, width):
    counts = torch.exp(-((queries[:, None] - keys) ** 2).sum(dim=-1) / (2 * width**2))
    return counts / counts.sum(dim=1, keepdim=True)


def places():
    generator = torch.Generator().manual_seed(2)
    sizes = [(3, 4, 0.7), (2, 2, 1.5)]
    cases = [
        (torch.randn(n, 2, generator=generator), torch.randn(m, 2, generator=generator), width)
        for n, m, width in sizes
    ]
    far = torch.tensor([[0.0, 30.0], [0.5, -40.0]])
    return [*cases, (far, torch.tensor([[0.0, 0.0], [0.0, 0.1], [1.0, 0.0]]), 1.0)]


plane_weights = Exercise(
    cases=places,
    expected=plane,
    praise="Any number of coordinates works: the last axis is summed away. And 30 widths from all "
    "keys the weights are still weights.",
    slips={
        "your answer is right near the keys. Far away every count is 0, and 0/0 is NaN: use a "
        "softmax of the scores.": divided,
        "square before you sum: differences of opposite sign cancel here.": lambda q, k, w: (
            F.softmax(-((q[:, None] - k).sum(dim=-1) ** 2) / (2 * w**2), dim=-1)
        ),
        "the distance itself is in the exponent, not its square.": lambda q, k, w: F.softmax(
            -((q[:, None] - k) ** 2).sum(dim=-1).sqrt() / (2 * w**2), dim=-1
        ),
        "the 2 in 2 width^2 is forgotten.": lambda q, k, w: plane(q, k, w / math.sqrt(2)),
        "the width must be squared.": lambda q, k, w: plane(q, k, math.sqrt(w)),
        "the softmax runs along the queries; each query's weights must sum to 1.": (
            lambda q, k, w: F.softmax(-((q[:, None] - k) ** 2).sum(dim=-1) / (2 * w**2), dim=0)
        ),
        "the minus sign is missing: far keys get the most.": lambda q, k, w: F.softmax(
            ((q[:, None] - k) ** 2).sum(dim=-1) / (2 * w**2), dim=-1
        ),
        "these are the weights of the first coordinate alone.": lambda q, k, w: plane(
            q[:, :1], k[:, :1], w
        ),
    },
)


def by_key(queries, keys, widths):
    return F.softmax(-((queries[:, None] - keys) ** 2) / (2 * widths**2), dim=-1)


def keys_with_widths():
    generator = torch.Generator().manual_seed(5)
    cases = []
    for n, m in [(3, 3), (2, 2), (4, 4)]:
        queries, keys = torch.randn(n, generator=generator), torch.randn(m, generator=generator)
        cases.append((queries, keys, 0.5 + torch.rand(m, generator=generator)))
    return [*cases, (torch.tensor([0.0, 10.0]), torch.tensor([0.0, 2.0, 9.0]), torch.ones(3))]


def by_query(queries, keys, widths):
    """What comes of a column of widths; with other numbers of queries it would not run."""
    n = len(queries)
    return F.softmax(-((queries[:, None] - keys) ** 2) / (2 * widths[:n, None] ** 2), dim=-1)


weights_by_key = Exercise(
    cases=keys_with_widths,
    expected=by_key,
    praise="A row of widths goes down the columns: one for each key, the same for every query.",
    slips={
        "these widths belong to the queries. A row of widths goes with the keys; as a column it "
        "goes with the queries, and with as many of both nothing complains.": by_query,
        "the widths must be squared.": lambda q, k, w: by_key(q, k, w.sqrt()),
        "the 2 in 2 width^2 is forgotten.": lambda q, k, w: by_key(q, k, w / math.sqrt(2)),
        "that is one width for all, the mean. Each key has its own.": lambda q, k, w: by_key(
            q, k, w.mean()
        ),
        "the scores are multiplied by the squared widths; a wide key must lose its trust slowly, "
        "so divide.": lambda q, k, w: by_key(q, k, 1 / w),
        "the softmax runs along the queries; each query's weights must sum to 1.": (
            lambda q, k, w: F.softmax(-((q[:, None] - k) ** 2) / (2 * w**2), dim=0)
        ),
        "these are the scores; the weights are their softmax.": lambda q, k, w: (
            -((q[:, None] - k) ** 2) / (2 * w**2)
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
