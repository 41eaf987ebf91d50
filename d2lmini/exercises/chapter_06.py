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
    praise="Scale, softmax along the keys, average: the whole of (6.8) and (6.9).",
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

reading = Exercise(
    expected=[3, 5],
    praise="Each query's row sums to 1, and a very negative number is -10^6.",
    slips={
        "line 3 is one of them. The other one has a minus sign in the wrong place.": [1, 3],
        "line 3 is one of them. In line 4 all is well: no row knows of another.": [3, 4],
        "line 3 is one of them. In line 2 all is well: the sum runs over the pairs.": [2, 3],
        "line 5 is one of them. In line 4 all is well: no row knows of another.": [4, 5],
        "line 5 is one of them. In line 1 all is well: one query has one row of weights.": [1, 5],
        "line 5 is one of them. In line 2 all is well: the sum runs over the pairs.": [2, 5],
        "line 3 is one of them; there is one more.": [3],
        "line 5 is one of them; there is one more.": [5],
        "these are the two; name the lower number first.": [5, 3],
    },
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


def weight_gradient_of(query, keys, i, factor=1.0):
    d = query.shape[-1]
    alpha = F.softmax(keys @ query / math.sqrt(d), dim=0)
    return alpha[i] * (keys[i] - factor * alpha @ keys) / math.sqrt(d)


def one_query():
    generator = torch.Generator().manual_seed(66)
    return [
        (torch.randn(d, generator=generator), torch.randn(m, d, generator=generator), i)
        for d, m, i in ((4, 3, 1), (2, 5, 4), (9, 2, 0))
    ]


weight_gradient = Exercise(
    cases=one_query,
    expected=weight_gradient_of,
    praise="Towards its own key, and away from the average of all.",
    slips={
        "1 / sqrt(d) is missing: the score moves with the query by k / sqrt(d).": (
            lambda q, k, i: weight_gradient_of(q, k, i) * math.sqrt(q.shape[-1])
        ),
        "only the weight's own score is counted; the query moves the other scores too, and they "
        "move the weight.": lambda q, k, i: (
            weight_gradient_of(q, k, i, factor=0.0)
            * (1 - F.softmax(k @ q / math.sqrt(q.shape[-1]), dim=0)[i])
        ),
        "the average of the keys is not taken away.": lambda q, k, i: weight_gradient_of(
            q, k, i, factor=0.0
        ),
        "the average has the wrong sign: what the other keys gain, this one loses.": (
            lambda q, k, i: weight_gradient_of(q, k, i, factor=-1.0)
        ),
        "the average of the keys has the weights alpha_j; here all keys count the same.": (
            lambda q, k, i: (
                F.softmax(k @ q / math.sqrt(q.shape[-1]), dim=0)[i]
                * (k[i] - k.mean(dim=0))
                / math.sqrt(q.shape[-1])
            )
        ),
        "the scores inside the softmax are not divided by sqrt(d).": lambda q, k, i: (
            F.softmax(k @ q, dim=0)[i]
            * (k[i] - F.softmax(k @ q, dim=0) @ k)
            / math.sqrt(q.shape[-1])
        ),
        "the factor alpha_i is missing.": lambda q, k, i: (
            (k[i] - F.softmax(k @ q / math.sqrt(q.shape[-1]), dim=0) @ k) / math.sqrt(q.shape[-1])
        ),
    },
)
