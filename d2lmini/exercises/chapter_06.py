"""The exercises of chapter 6, scaled dot-product attention."""

import math

import torch
import torch.nn.functional as F

from . import chapter_04, chapter_05, whole
from .chapter_04 import weigh
from .chapter_05 import pooled, three_stacks
from .checking import Exercise
from .step import Step

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
        "that takes 3, the standard deviation; each product has the variance 1 * 3^2.": 12.0,
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
    praise="Divide the queries, or the keys: each score is linear in both.",
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
    any_order=True,
    praise="Each query's row sums to 1, and dividing by sqrt(d) divides the variance by d.",
    slips={
        "line 3 is one of them. The other one has a square too few.": [1, 3],
        "line 3 is one of them. In line 4 all is well: no row knows of another.": [3, 4],
        "line 3 is one of them. In line 2 all is well: the sum runs over the pairs.": [2, 3],
        "line 5 is one of them. In line 4 all is well: no row knows of another.": [4, 5],
        "line 5 is one of them. In line 1 all is well: one query has one row of weights.": [1, 5],
        "line 5 is one of them. In line 2 all is well: the sum runs over the pairs.": [2, 5],
        "line 3 is one of them; there is one more.": [3],
        "line 5 is one of them; there is one more.": [5],
    },
)


def root(q, k, v):
    return math.sqrt(q.shape[-1])


step = Step(
    chapter=6,
    cases=lambda: list(three_stacks()),
    expected=whole.attention,
    praise="Now it is scaled dot-product attention: softmax(Q K^T / sqrt(d)) V, with a mask.",
    slips={
        "the scores are not divided by the root of d.": pooled(weigh),
        "you divide by d; the root of d is meant.": pooled(weigh, lambda q, k, v: q.shape[-1]),
        "you multiply by the root of d; it divides.": pooled(
            weigh, lambda q, k, v: 1 / root(q, k, v)
        ),
        "that is the root of the number of keys; d is the length of a key, the last axis.": pooled(
            weigh, lambda q, k, v: math.sqrt(k.shape[1])
        ),
        "that is the root of the number of queries; d is the last axis of the queries.": pooled(
            weigh, lambda q, k, v: math.sqrt(q.shape[1])
        ),
        "that is the root of the size of the minibatch; d is the last axis of the queries.": pooled(
            weigh, lambda q, k, v: math.sqrt(len(q))
        ),
        "that is the root of the values' size; d is that of queries and keys.": pooled(
            weigh, lambda q, k, v: math.sqrt(v.shape[-1])
        ),
        "you divide the weights; the scores must be divided, before the softmax.": (
            lambda q, k, v, n: weigh(q @ k.mT, n) / root(q, k, v) @ v
        ),
        **{why: pooled(slip, root) for why, slip in chapter_04.step.slips.items()},
        "these are the weights; each output is an average of the values.": lambda q, k, v, n: weigh(
            whole.score(q, k), n
        ),
        "keys.reshape keeps the order of the numbers; keys.transpose(1, 2) turns each matrix.": (
            lambda q, k, v, n: (
                weigh(q @ k.reshape(len(k), k.shape[2], k.shape[1]) / root(q, k, v), n) @ v
            )
        ),
        "the softmax is missing: scores may be negative, and weights may not.": lambda q, k, v, n: (
            (whole.score(q, k) * (weigh(whole.score(q, k), n) > 0)) @ v
        ),
        "this takes the softmax twice.": lambda q, k, v, n: (
            weigh(weigh(whole.score(q, k), n), n) @ v
        ),
        "the vectors have been cut to length 1: that is the cosine.": lambda q, k, v, n: (
            weigh(F.normalize(q, dim=-1) @ F.normalize(k, dim=-1).mT, n) @ v
        ),
    },
    failures=chapter_05.step.failures,
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

questions = Exercise(
    expected=900.0,
    praise="0.1 sqrt(d) = 3, so sqrt(d) = 30.",
    tolerance=1e-3,
    slips={
        "that is sqrt(d); the sheet has d questions.": 30.0,
        "that is the friend of the chapter, who agrees on 60%.": 225.0,
        "that friend's points are as large as the spread, not three times as large.": 100.0,
        "2r - 1 is 0.1, not 0.55: who disagrees takes a point away.": (3 / 0.55) ** 2,
    },
)

step_size = Exercise(
    expected=1 / 256,
    praise="W' moves 1/16 as far as W, and its gradient is 16 times as long: 1/16 of 1/16.",
    tolerance=1e-6,
    slips={
        "W' must move 1/16 as far, but its gradient is also 16 times as long.": 1 / 16,
        "then W' moves 16 times as far as W, and should move 1/16 as far.": 1.0,
        "a longer gradient needs a smaller step, not a larger one.": 16.0,
        "the two factors of 16 don't cancel: both ask for a smaller step.": 256.0,
    },
)
