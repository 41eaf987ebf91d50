"""The exercises of chapter 12, rebuild a real model."""

import math

import torch
import torch.nn.functional as F

from .checking import Exercise

normalised = Exercise(
    expected=[-1.0, -1.0, 1.0, 1.0],
    praise="A positive factor or a shift of the column changes nothing: mean 0, mean square 1.",
    tolerance=1e-3,
    slips={
        "the factor of 100 is in the root, too, and goes away by the division.": [
            -100.0,
            -100.0,
            100.0,
            100.0,
        ],
        "the mean is taken off, so the 5 goes with it.": [4.0, 4.0, 6.0, 6.0],
        "divide by the root of the mean square, not by the mean square.": [
            -0.005,
            -0.005,
            0.005,
            0.005,
        ],
        "the mean has not been taken off.": [1.525, 1.525, 3.525, 3.525],
        "the mean is taken off. Now divide by the root of the mean square.": [
            -200.0,
            -200.0,
            200.0,
            200.0,
        ],
        "the sum of squares is divided by D, which is 4, not by D - 1.": [
            -math.sqrt(3) / 2,
            -math.sqrt(3) / 2,
            math.sqrt(3) / 2,
            math.sqrt(3) / 2,
        ],
    },
)

no_places = Exercise(
    expected=1.0,
    praise="The same bag of tokens, so the same columns in another order, and the same mean.",
    tolerance=0.002,
    slips={
        "that is the cosine with the places in place.": 0.97,
        "nothing makes the two perpendicular: they have all their words in common.": 0.0,
        "the cosine of opposite directions is -1. What would turn a mean around?": -1.0,
    },
)


def tokens_and_lengths(seed, *lens):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(len(lens), max(lens) + 1, 4, generator=generator), torch.tensor(lens)


def real(Z, lens):
    return (torch.arange(Z.shape[1]) < lens[:, None])[..., None]  # (B, S, 1)


def largest(Z, lens):
    return Z.masked_fill(~real(Z, lens), -torch.inf).amax(dim=1)


max_pool = Exercise(
    cases=lambda: [tokens_and_lengths(1, 2, 5, 3), tokens_and_lengths(2, 4, 1)],
    expected=largest,
    praise="What is hidden by minus infinity can never be the largest.",
    slips={
        "padding takes part.": lambda Z, lens: Z.amax(dim=1),
        "padding was made 0, and 0 can be the largest: fill it with minus infinity.": (
            lambda Z, lens: (Z * real(Z, lens)).amax(dim=1)
        ),
        "one token too many: places are counted from 0, so real is < and not <=.": (
            lambda Z, lens: largest(Z, lens + 1)
        ),
        "that is the mean over the real tokens.": (
            lambda Z, lens: (Z * real(Z, lens)).sum(dim=1) / lens[:, None]
        ),
        "that is the first token alone.": lambda Z, lens: Z[:, 0],
        "the largest of each number is asked for, over tokens, which are axis 1.": (
            lambda Z, lens: Z.amax(dim=-1)
        ),
        "that is the smallest of each number.": (
            lambda Z, lens: Z.masked_fill(~real(Z, lens), torch.inf).amin(dim=1)
        ),
    },
)

too_short = Exercise(
    expected=0.98,
    praise="One token fewer of 7 to 14 hardly moves a mean; and a test that asks for cosines "
    "above 0.95 would have missed the mistake.",
    tolerance=0.004,
    slips={
        "here only the mean is too short, or only the softmax; make both too short.": 0.99,
        "these would be the same: nothing was too short.": 1.0,
        "that is a batch with no mask in the softmax; here the lengths are too short.": 0.95,
    },
)


def head_of(X, W_q, W_k, head, size, length, scale=None, dim=-1, cut=None, mask=True):
    rows = cut or slice(size * head, size * (head + 1))
    q, k = X @ W_q[rows].T, X @ W_k[rows].T  # (S, size)
    scores = q @ k.T / (scale or math.sqrt(size))  # (S, S)
    if mask:
        scores = scores.masked_fill(torch.arange(len(X)) >= length, -torch.inf)
    return F.softmax(scores, dim=dim)


def layer_of(seed, S, D, head, size, length):
    generator = torch.Generator().manual_seed(seed)
    X, W_q, W_k = (torch.randn(n, D, generator=generator) for n in (S, D, D))
    return X, W_q / math.sqrt(D), W_k / math.sqrt(D), head, size, length


one_head = Exercise(
    cases=lambda: [layer_of(1, 5, 12, 2, 4, 3), layer_of(2, 4, 6, 1, 2, 4)],
    expected=head_of,
    praise="That is any of the 72, from its rows of two matrices.",
    slips={
        "the scale is that of a head: the root of its size, not of D.": lambda X, q, k, *rest: (
            head_of(X, q, k, *rest, scale=math.sqrt(X.shape[-1]))
        ),
        "the scores are not divided by the root of the head's size.": lambda X, q, k, *rest: (
            head_of(X, q, k, *rest, scale=1.0)
        ),
        "the softmax runs over the queries. Each row must sum to 1: dim=-1.": (
            lambda X, q, k, *rest: head_of(X, q, k, *rest, dim=0)
        ),
        "the padding is not hidden.": lambda X, q, k, *rest: head_of(X, q, k, *rest, mask=False),
        "(9.1) has columns. For tokens in rows it is X @ W.T, so a head has rows of W.": (
            lambda X, q, k, *rest: head_of(X, q.T, k.T, *rest)
        ),
        "a head's rows lie next to each other; this deals them out one by one.": (
            lambda X, q, k, head, size, length: head_of(
                X, q, k, head, size, length, cut=slice(head, None, len(q) // size)
            )
        ),
        "heads are counted from 0: head 0 has the first rows.": (
            lambda X, q, k, head, size, length: head_of(X, q, k, head - 1, size, length)
        ),
        "queries and keys have changed places: rows look, columns are looked at.": (
            lambda X, q, k, *rest: head_of(X, k, q, *rest)
        ),
    },
)
