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
            F.softmax(torch.tensor([math.log(3), 0.0, 5.0]), dim=0)
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


def padded_softmax(scores, length):
    weights = torch.zeros_like(scores)
    weights[:length] = F.softmax(scores[:length], dim=0)
    return weights


truncated_softmax = Exercise(
    cases=lambda: [
        (torch.tensor([2.0, 1.0, 0.0]), 1),
        (torch.tensor([1.0, 0.0, 2.0, 3.0]), 3),
        (torch.tensor([0.3, -1.2]), 2),
        (torch.tensor([-2e7, -1e7, 0.0]), 2),
        (torch.tensor([1.0, 2.0]), 0),
    ],
    expected=padded_softmax,
    praise="It also holds for a row of length 0 and for scores far below -1e6.",
    slips={
        "the weights of the valid keys don't sum to 1: you mask after the softmax, "
        "so the padding has already taken its share.": lambda s, n: (
            F.softmax(s, dim=0) * (torch.arange(len(s)) < n)
        ),
        "one key too many: a valid length of n means the keys 0 to n - 1.": lambda s, n: (
            padded_softmax(s, min(n + 1, len(s)))
        ),
        "the padding is still in the sum.": lambda s, n: F.softmax(s, dim=0),
        "the valid part is right, but the padding must keep its place, with the weight 0.": (
            lambda s, n: F.softmax(s[:n], dim=0)
        ),
        "-1e6 is not low enough: here the valid scores lie below it, "
        "so the padding takes all the weight. Use -inf.": lambda s, n: F.softmax(
            s.masked_fill(torch.arange(len(s)) >= n, -1e6), dim=0
        ),
        "a row of length 0 has nothing to share out: its weights are 0, not NaN.": lambda s, n: (
            F.softmax(s.masked_fill(torch.arange(len(s)) >= n, -torch.inf), dim=0)
        ),
    },
)

misprint = Exercise(
    expected=0.5,
    praise="exp(0.000001) is about 1, so the two padded keys weigh as much as the two real ones.",
    tolerance=1e-3,
    slips={
        "that holds for -10^6, with the minus sign in front. Here the padded scores become "
        "0.000001.": 0.0,
        "that is one padded key; there are two.": 0.25,
        "that is without any filling; the sevens are replaced first.": (
            2 * math.exp(7) / (2 * math.exp(7) + 2)
        ),
    },
)

lengths_from_mask = Exercise(
    cases=lambda: [
        (torch.tensor([[True, True, True, False], [True, False, False, False]]),),
        (torch.tensor([[False, False, False], [True, True, True]]),),
        (torch.tensor([[True, True]]),),
    ],
    expected=lambda mask: mask.sum(dim=-1),
    praise="Handed over as lengths, the mask itself would be read as ones and zeros, or refused.",
    slips={
        "you count the padding: the mask is True where a word stands.": lambda mask: (~mask).sum(
            dim=-1
        ),
        "you sum over the sentences; each sentence has a length, so sum over its words.": (
            lambda mask: mask.sum(dim=0)
        ),
        "that is one number for the whole batch; each sentence has its own length.": (
            lambda mask: mask.sum()
        ),
        "that is the index of the last word; the length is one more.": lambda mask: (
            mask.sum(dim=-1) - 1
        ),
    },
)


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
