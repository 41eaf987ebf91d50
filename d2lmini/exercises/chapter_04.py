"""The exercises of chapter 4, masked softmax."""

import math

import torch
import torch.nn.functional as F

from .checking import Exercise

by_hand = Exercise(
    expected=[0.75, 0.25, 0.0],
    praise="Only ratios count: exp(ln 3) = 3 against exp(0) = 1, and the third key is not there.",
    slips={
        "the third key is padding, but it has a weight: the sum must stop at the valid length.": (
            F.softmax(torch.tensor([math.log(3), 0.0, 5.0], dtype=torch.float64), dim=0)
        ),
        "these are the exponentials; divide them by their sum.": [3.0, 1.0, 0.0],
        "these weights follow the scores themselves; take exp first, which turns 0 into 1.": [
            1.0,
            0.0,
            0.0,
        ],
        "the third weight is missing: padding keeps its place, with the weight 0.": [0.75, 0.25],
    },
)


one_percent = Exercise(
    expected=math.log((math.e + 1 + math.exp(2)) / 99),
    praise="With p = 11.107 / 99 the padding has p / (11.107 + p), a hundredth.",
    tolerance=1e-3,
    slips={
        "that is a hundredth of the words' sum; the padding's own exponential is part of the sum, "
        "too, so divide by 99.": math.log((math.e + 1 + math.exp(2)) / 100),
        "that is the padding's exponential; the fill is its logarithm.": (
            (math.e + 1 + math.exp(2)) / 99
        ),
        "the sign: exp(2.19) is 8.9, and the padding would get 45%.": (
            -math.log((math.e + 1 + math.exp(2)) / 99)
        ),
        "the share is one of exponentials, not of scores: those of the words sum to 11.107.": (
            (1 + 0 + 2) / 99
        ),
    },
)

# What the fill 10^-6 leaves to two placeholders beside the scores 2 and -1.
FILLED = 2 * math.exp(1e-6) / (2 * math.exp(1e-6) + math.exp(2) + math.exp(-1))

wrong_lines = Exercise(
    expected=[FILLED, 2.0, 6.0],
    praise="(a) needs its sign moved, -10^6; (b) an exp; (c) has 1 and 3 swapped, a 2 for a 3, "
    "and a 0 for a real pair.",
    tolerance=2e-3,
    slips={
        "(a): 0 is what the notes mean, with the fill -10^6. They say 10^-6, which is 0.000001.": [
            0.0,
            2.0,
            6.0,
        ],
        "(a): that is one empty place; there are two.": [FILLED / 2, 2.0, 6.0],
        "(b): that is the softmax. The notes forget exp: 2 over the sum of 2 and -1.": [
            FILLED,
            math.exp(2) / (math.exp(2) + math.exp(-1)),
            6.0,
        ],
        "(b): the sum of 2 and -1 is 1, not 3.": [FILLED, 2 / 3, 6.0],
        "(c): those are the kinds of slips. Count entries.": [FILLED, 2.0, 3.0],
        "(c): those are the swapped indices. How many pairs has database 2, and whose is w_23?": [
            FILLED,
            2.0,
            4.0,
        ],
        "(c): nearly. Each row has its own first index, and as many weights as pairs.": [
            FILLED,
            2.0,
            5.0,
        ],
    },
)


def prefixes(mask):
    again = torch.arange(mask.shape[-1]) < mask.sum(dim=-1, keepdim=True)
    return (again == mask).all(dim=-1)


works = Exercise(
    cases=lambda: [
        (torch.tensor([[True, True, False], [True, False, True], [False, True, True]]),),
        (torch.tensor([[False, False, False], [True, True, True], [False, False, True]]),),
        (torch.tensor([[False, True], [True, False]]),),
    ],
    expected=prefixes,
    praise="A length can say a row in which every True stands before every False. No True: 0.",
    slips={
        "a full row is not the only one where it works: words first and padding after them is "
        "what lengths are for.": lambda mask: mask.all(dim=-1),
        "to begin with a word is not enough: a hole may follow. And an empty row is a length, "
        "0.": lambda mask: mask[:, 0],
        "it works for an empty row, too: its length is 0.": lambda mask: (
            prefixes(mask) & mask.any(dim=-1)
        ),
        "that is the other way round: True if a length can say the same.": lambda mask: (
            ~prefixes(mask)
        ),
        "that is one answer for the whole batch; each row has its own.": lambda mask: prefixes(
            mask
        ).all(),
    },
)


def padded_softmax(weights, length):
    masked = torch.zeros_like(weights)
    masked[:length] = F.softmax(weights[:length], dim=0)
    return masked


def handed_out(weights, length):
    masked = torch.zeros_like(weights)
    masked[:length] = weights[:length] / weights[:length].sum()
    return masked


def valid_part(weights, length):
    return weights * (torch.arange(len(weights)) < length)


hand_out = Exercise(
    cases=lambda: [
        (F.softmax(torch.tensor([2.0, 1.0, 0.0]), dim=0), 2),
        (torch.tensor([0.1, 0.2, 0.3, 0.4]), 3),
        (torch.tensor([0.25, 0.75]), 2),
        (torch.tensor([0.5, 0.5]), 0),
    ],
    expected=handed_out,
    praise="Every real weight is divided by the same number, so the ratios stay.",
    slips={
        "the padding is 0 now, but the rest no longer sums to 1: its share is lost.": valid_part,
        "that hands out equal parts of the padding's share; a softmax shares out in proportion.": (
            lambda w, n: valid_part(w + w[n:].sum() / max(n, 1), n)
        ),
        "a softmax of weights is no softmax of scores: it evens them out.": lambda w, n: (
            padded_softmax(w, n)
        ),
        "divide by what is left, 1 minus the padding's share, not by that share.": lambda w, n: (
            valid_part(w, n) / w[n:].sum()
        ),
        "the valid part is right, but the padding must keep its place, with the weight 0.": (
            lambda w, n: w[:n] / w[:n].sum()
        ),
        "a row of length 0 has nothing to share out: its weights are 0, and 0/0 is NaN.": (
            lambda w, n: valid_part(w, n) / valid_part(w, n).sum()
        ),
    },
)


def vector_jacobian(weights, gradient):
    return weights * (gradient - (weights * gradient).sum())


softmax_gradient = Exercise(
    cases=lambda: [
        (torch.tensor([0.7, 0.3, 0.0]), torch.tensor([1.0, 0.0, 5.0])),
        (torch.tensor([0.5, 0.25, 0.25]), torch.tensor([-1.0, 2.0, 0.5])),
        (torch.tensor([0.0, 0.0]), torch.tensor([3.0, 4.0])),
    ],
    expected=vector_jacobian,
    praise="It is (1.8) with gradients for values, and a weight of 0 gets a gradient of exactly 0.",
    slips={
        "the second term of (4.5) is missing: every score also moves all the other weights.": (
            lambda w, g: w * g
        ),
        "this uses only the diagonal of (4.5); the entries with i different from j count too.": (
            lambda w, g: w * (1 - w) * g
        ),
        "the sign is wrong: the sum is taken away from the gradient.": lambda w, g: (
            w * ((w * g).sum() - g)
        ),
        "the average must be weighted: sum weights * gradient, not the gradient alone.": (
            lambda w, g: w * (g - g.sum())
        ),
    },
)


def padded_share(scores, length):
    return F.softmax(scores, dim=-1)[:, length:].sum(dim=-1).mean()


padding_gets = Exercise(
    cases=lambda: [
        (torch.randn(5, 8, generator=torch.Generator().manual_seed(7)), 2),
        (torch.tensor([[0.0, 0.0, 0.0, 5.0], [1.0, 0.0, 2.0, 3.0]]), 3),
        (torch.tensor([[1.0, 2.0]]), 2),
    ],
    expected=padded_share,
    praise="On average, each slot of padding takes as much as a word.",
    slips={
        "that is the share of the words; the rest goes to the padding.": lambda s, n: (
            1 - padded_share(s, n)
        ),
        "that is the average of one slot of padding; add its slots up in each row.": lambda s, n: (
            F.softmax(s, dim=-1)[:, n:].mean() if n < s.shape[-1] else torch.tensor(0.0)
        ),
        "the softmax runs along the slots of a row, the last axis.": lambda s, n: (
            F.softmax(s, dim=0)[:, n:].sum(dim=-1).mean()
        ),
        "that is a share for each row; average over the rows.": lambda s, n: F.softmax(s, dim=-1)[
            :, n:
        ].sum(dim=-1),
    },
)
