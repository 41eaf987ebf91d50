"""The exercises of chapter 4, masked softmax."""

import math

import torch
import torch.nn.functional as F

from .chapter_01 import softmax
from .checking import Exercise
from .step import NO_LENGTHS, Step

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


def weigh(scores, valid_lens=None):
    if valid_lens is None:
        return softmax(scores)
    if valid_lens.ndim == 1:  # one length for all queries of an example
        valid_lens = valid_lens[:, None]
    hidden = torch.arange(scores.shape[-1]) >= valid_lens[..., None]
    weights = softmax(scores.masked_fill(hidden, float("-inf")))
    return weights.masked_fill(hidden, 0.0)


def beyond(scores, valid_lens, more=0):
    """Where the keys lie beyond the length."""
    if valid_lens is None:
        return torch.zeros_like(scores, dtype=torch.bool)
    lens = valid_lens[:, None] if valid_lens.ndim == 1 else valid_lens
    return (torch.arange(scores.shape[-1]) >= lens[..., None] + more).expand_as(scores)


def filled(fill, dim=-1):
    """Weights of scores with a fill in the place of those that are hidden."""
    return lambda s, n: F.softmax(s.masked_fill(beyond(s, n), fill), dim=dim)


def late(s, n):
    return F.softmax(s, dim=-1) * ~beyond(s, n)


def of_queries(s, n):
    """Takes lengths of examples for lengths of queries, where their number allows it."""
    fits = n is not None and n.ndim == 1 and len(n) == s.shape[1]
    return weigh(s, n.expand(len(s), -1) if fits else n)


def masked_cases():
    draw = torch.Generator().manual_seed(46)
    padded = torch.randn(2, 3, 4, generator=draw)
    padded[0, :, 2:] = 1e4
    return [
        (torch.randn(2, 2, 4, generator=draw), torch.tensor([2, 3])),
        (padded, torch.tensor([[1, 2, 2], [3, 0, 4]])),
        (torch.tensor([[[-3e6, 0.0, 5.0]]]), torch.tensor([1])),
        (torch.randn(2, 1, 3, generator=draw), None),
    ]


step = Step(
    chapter=4,
    cases=masked_cases,
    expected=weigh,
    praise="Masked softmax: 0 beyond the length, rows that sum to 1, zeros where no key is.",
    slips={
        "the mask comes after the softmax, so padding has taken its share, and a row sums to less "
        "than 1: hide the scores before.": late,
        "the mask comes after the softmax, and dividing by what is left does not always help: next "
        "to a score of 10,000 the real weights have been rounded to 0.": lambda s, n: (
            late(s, n) / late(s, n).sum(dim=-1, keepdim=True)
        ),
        "the mask is turned round: it hides what is real and shows the padding.": lambda s, n: (
            F.softmax(s.masked_fill(~beyond(s, n), -math.inf), dim=-1).nan_to_num(0.0)
            if n is not None
            else weigh(s)
        ),
        "hidden scores are 0, or -1e-6, and exp(0) = 1 has a share; minus infinity has "
        "none.": filled(0.0),
        "the first place has the number 0: with the length 2, places 0 and 1 are seen, and >= "
        "hides, not >.": lambda s, n: weigh(s, None if n is None else n + 1),
        "a large negative number, such as -1e6, hides only as long as something else is larger: a "
        "row without keys gets equal weights. It should get zeros.": filled(-1e6),
        "a row without keys is NaN, 0/0: set what is hidden to 0 after the softmax, too.": filled(
            -math.inf
        ),
        "the softmax does not run along the keys, the last axis, dim=-1.": lambda s, n: filled(
            -math.inf, -2
        )(s, n).masked_fill(beyond(s, n), 0.0),
        "the softmax runs along the minibatch; the keys are the last axis, dim=-1.": filled(
            -1e9, 0
        ),
        "lengths (batch,) are one for each example; here they count as one for each query.": (
            of_queries
        ),
        "lengths (batch, queries) are one for each query; here the first counts for all.": (
            lambda s, n: weigh(s, n[:, 0] if n is not None and n.ndim == 2 else n)
        ),
        "the lengths don't count: nothing is hidden.": lambda s, n: softmax(s),
        "words come first and padding after them; this hides the beginning.": lambda s, n: (
            weigh(s.flip(-1), n).flip(-1) if n is not None else weigh(s)
        ),
        "these are the masked scores; their softmax is asked for.": lambda s, n: s.masked_fill(
            beyond(s, n), -math.inf
        ),
    },
    failures={
        "valid_lens may be None: then every key counts.": NO_LENGTHS,
        "lengths are (batch,) or (batch, queries); the mask is (batch, 1 or queries, keys).": (
            "must match|broadcast|shape of the mask"
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
