"""The exercises of chapter 17, scores kept in bounds."""

import math

import torch
import torch.nn.functional as F

from .checking import Exercise

by_hand = Exercise(
    expected=[5 / 3, 5 / 6],
    tolerance=6e-3,
    praise="The length is 6, the root of the mean square half of it.",
    slips={
        "the first is not divided by sqrt(d) = 2 yet.": [10 / 3, 5 / 6],
        "the first is not normalised: divide by the root of the mean square, 3.": [5.0, 5 / 6],
        "you divided by the length, 6; the root of the mean square is 3.": [5 / 6, 5 / 6],
        "a cosine is divided by both lengths; Eva's is 2.": [5 / 3, 5 / 3],
        "you divided by the mean square, 9; its root is 3.": [5 / 9, 5 / 6],
    },
)

temperature = Exercise(
    expected=2 / math.log(9000),
    tolerance=6e-4,
    praise="The exponent is 2 / T: the best cosine is 1 and all others are -1.",
    slips={
        "the others may have a cosine of -1, not 0: the lead is 2 / T.": 1 / math.log(9000),
        "that is b = 1 / T; T is its inverse.": math.log(9000) / 2,
        "that is for equal shares, one half; it should get 0.9.": 2 / math.log(1000),
        "0.9 of the weight is 9 to 1 against all others together, not against each.": (
            2 / math.log(9)
        ),
    },
)

cap = Exercise(
    expected=30 / math.atanh(0.5),
    tolerance=2e-3,
    praise="Where the capped score is half of the cap, three quarters of the gradient pass.",
    slips={
        "the capped score is half of c there, the score itself is not.": 60.0,
        "that cap would let a quarter through: 1 - tanh^2 should be 0.75.": (
            30 / math.atanh(math.sqrt(0.75))
        ),
        "the square is missing: tanh(30 / c) is the root of 0.25.": 30 / math.atanh(0.25),
        "at a score as large as the cap, 0.42 of the gradient pass.": 30.0,
    },
)

longer = Exercise(
    expected=5 + math.log(4095 / 15),
    tolerance=1e-3,
    praise="256 times as many keys, and about ln 256 more.",
    slips={
        "that is what must be added; the lead was 5 before.": math.log(4095 / 15),
        "the lead stands in an exponent: it grows by a logarithm, not by a factor.": 1280.0,
        "that multiplies the lead by ln 4096 / ln 16, as the factor does; the same weight needs "
        "less.": 15.0,
        "that is the old lead; 256 times as many others dilute it.": 5.0,
    },
)

third = Exercise(
    expected=0.4,
    praise="At 0.4 the third just reaches the threshold.",
    slips={
        "that is the threshold if the best has everything; the second has weight, too.": 0.0,
        "with the second's score the third has as much weight as the second.": 0.8,
        "that is the weight of the first; the threshold is what both lose.": 0.6,
        "that is the mean of both; each loses half of what is more than 1.": 0.9,
    },
)


def two_sheets():
    generator = torch.Generator().manual_seed(17)
    cases = ((2, 3, 8), 2), ((1, 4, 12), 3)
    return [(torch.randn(*shape, generator=generator), heads) for shape, heads in cases]


def normed(x, dim=-1):
    return x / x.square().mean(dim=dim, keepdim=True).sqrt()


heads = Exercise(
    cases=two_sheets,
    expected=lambda x, h: normed(x.unflatten(-1, (h, -1))).flatten(-2),
    praise="Each head has the same length now, whatever the others do.",
    slips={
        "that is one norm over all heads: a quiet head stays quiet.": lambda x, h: normed(x),
        "the sum of the squares is not their mean: the length of a head must be sqrt(d).": (
            lambda x, h: F.normalize(x.unflatten(-1, (h, -1)), dim=-1).flatten(-2)
        ),
        "the heads are the outer part of the last axis: (heads, d), not (d, heads).": (
            lambda x, h: normed(x.unflatten(-1, (-1, h)), dim=-2).flatten(-2)
        ),
        "the norm runs over the heads; it must run over the numbers of each head.": (
            lambda x, h: normed(x.unflatten(-1, (h, -1)), dim=-2).flatten(-2)
        ),
        "give back the shape of x, with the heads beside each other.": (
            lambda x, h: normed(x.unflatten(-1, (h, -1)))
        ),
    },
)


def attend(queries, keys, values, sink=None, scale=None):
    scale = 1 / math.sqrt(queries.shape[-1]) if scale is None else scale
    scores = queries @ keys.mT * scale
    if sink is not None:
        scores = F.pad(scores, (0, 1), value=sink)
        return F.softmax(scores, dim=-1)[..., :-1] @ values
    return F.softmax(scores, dim=-1) @ values


def three_tensors():
    generator = torch.Generator().manual_seed(71)
    shapes = ((2, 3, 4), (2, 5, 4), (2, 5, 3)), ((1, 2, 9), (1, 1, 9), (1, 1, 2))
    return [tuple(torch.randn(*s, generator=generator) for s in case) for case in shapes]


off_by_one = Exercise(
    cases=three_tensors,
    expected=lambda q, k, v: attend(q, k, v, sink=0.0),
    praise="A key of zeros scores 0 with everybody, and its value adds nothing.",
    slips={
        "that is the plain softmax; its weights sum to 1.": attend,
        "the added value must be zeros; yours brings something home.": (
            lambda q, k, v: attend(q, F.pad(k, (0, 0, 0, 1)), F.pad(v, (0, 0, 0, 1), value=1.0))
        ),
        "a key of ones has a score of its own with each query; a key of zeros has 0.": (
            lambda q, k, v: attend(q, F.pad(k, (0, 0, 0, 1), value=1.0), F.pad(v, (0, 0, 0, 1)))
        ),
        "the scores must be divided by sqrt(d), as the kernel does.": (
            lambda q, k, v: attend(q, k, v, sink=0.0, scale=1.0)
        ),
    },
)


def outputs():
    generator = torch.Generator().manual_seed(107)
    return [
        (
            torch.randn(*shape, 3, generator=generator),
            torch.randn(shape, generator=generator) + more,
            sink,
        )
        for shape, more, sink in (((2, 4), 1.0, 0.0), ((1, 3), 900.0, 899.0))
    ]


def times(output, share):
    return output * share.unsqueeze(-1)


sink_later = Exercise(
    cases=outputs,
    expected=lambda o, log_sum, sink: times(o, torch.sigmoid(log_sum - sink)),
    praise="One number for each query, and no kernel had to change.",
    slips={
        "that is the share of the sink; the keys have the rest.": (
            lambda o, log_sum, sink: times(o, torch.sigmoid(sink - log_sum))
        ),
        "the sink's score is missing.": lambda o, log_sum, sink: times(o, torch.sigmoid(log_sum)),
        "the share may only be taken away, and 1 - exp is not it: divide by both together.": (
            lambda o, log_sum, sink: times(o, 1 - torch.exp(sink - log_sum))
        ),
        "that is infinite over infinite for large scores; write the share as a sigmoid.": (
            lambda o, log_sum, sink: (
                times(o, log_sum.exp() / (log_sum.exp() + math.exp(sink)))
                if sink < 700
                else torch.full_like(o, math.nan)
            )
        ),
    },
)
