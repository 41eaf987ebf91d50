"""The exercises of chapter 12, inside a real model."""

import math

import torch
import torch.nn.functional as F

from .checking import Exercise

read_off = Exercise(
    expected="C",
    praise="Its line lies one place above the diagonal: row i, column i + 1.",
    slips={
        "A is the most even of the four, and has no line.": "A",
        "in B every row has its weight in the first column: that head rests on [CLS].": "B",
        "the line of D lies below the diagonal. Rows look, columns are looked at: row 3, column 2 "
        "is the token before.": "D",
    },
)

normalised = Exercise(
    expected=[-1.0, -1.0, 1.0, 1.0],
    praise="Mean 0, mean square 1.",
    tolerance=1e-3,
    slips={
        "divide by the root of the mean square, not by the mean square.": [-0.5, -0.5, 0.5, 0.5],
        "the mean has not been taken off.": [1.5, 1.5, 3.5, 3.5],
        "the mean is taken off. Now divide by the root of the mean square.": [-2, -2, 2, 2],
        "the sum of squares is divided by D, which is 4, not by D - 1.": [
            -math.sqrt(3) / 2,
            -math.sqrt(3) / 2,
            math.sqrt(3) / 2,
            math.sqrt(3) / 2,
        ],
    },
)


def tokens_and_lengths(seed, *lens):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(len(lens), max(lens) + 1, 4, generator=generator), torch.tensor(lens)


def real(Z, lens):
    return (torch.arange(Z.shape[1]) < lens[:, None])[..., None]  # (B, S, 1)


def mean_of_real(Z, lens):
    return (Z * real(Z, lens)).sum(dim=1) / lens[:, None]


pool = Exercise(
    cases=lambda: [tokens_and_lengths(1, 2, 5, 3), tokens_and_lengths(2, 4, 1)],
    expected=mean_of_real,
    praise="A sum over real tokens, divided by how many they are.",
    slips={
        "padding is in the mean.": lambda Z, lens: Z.mean(dim=1),
        "padding is not in the sum, but it is counted: divide by the valid length.": (
            lambda Z, lens: (Z * real(Z, lens)).mean(dim=1)
        ),
        "divide by the valid length, too: this is a sum.": (
            lambda Z, lens: (Z * real(Z, lens)).sum(dim=1)
        ),
        "padding is in the sum.": lambda Z, lens: Z.sum(dim=1) / lens[:, None],
        "one token too many: places are counted from 0, so real is < and not <=.": (
            lambda Z, lens: (Z * real(Z, lens + 1)).sum(dim=1) / lens[:, None]
        ),
        "that is the first token alone. Other models do it so; this one takes the mean.": (
            lambda Z, lens: Z[:, 0]
        ),
        "that is the largest number of each column, not the mean.": (
            lambda Z, lens: Z.masked_fill(~real(Z, lens), -torch.inf).amax(dim=1)
        ),
        "this is the mean over the batch. Tokens are axis 1.": lambda Z, lens: Z.mean(dim=0),
    },
)


def two_sets(seed, n, m, D):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(n, D, generator=generator), 3 * torch.randn(m, D, generator=generator)


cosines = Exercise(
    cases=lambda: [two_sets(1, 2, 3, 5), two_sets(2, 4, 4, 3)],
    expected=lambda A, B: F.normalize(A, dim=-1) @ F.normalize(B, dim=-1).T,
    praise="A row for each question, a column for each line.",
    slips={
        "these are dot products. Divide by both norms.": lambda A, B: A @ B.T,
        "the rows of A still have their own length.": lambda A, B: A @ F.normalize(B, dim=-1).T,
        "the rows of B still have their own length.": lambda A, B: F.normalize(A, dim=-1) @ B.T,
        "the norm is that of a row: dim=-1, not dim=0.": (
            lambda A, B: F.normalize(A, dim=0) @ F.normalize(B, dim=0).T
        ),
        "the other way round: a row for each row of A.": (
            lambda A, B: F.normalize(B, dim=-1) @ F.normalize(A, dim=-1).T
        ),
        "that is a distance. The cosine is large for what is alike.": torch.cdist,
    },
)


def some_pairs(seed, pairs):
    generator = torch.Generator().manual_seed(seed)
    return (torch.rand(pairs, 2, 2, generator=generator),)


def both_right(weights):
    first = weights[..., 0] > weights[..., 1]  # (pairs, sentence)
    return (first[:, 0] & ~first[:, 1]).sum()


pairs_right = Exercise(
    cases=lambda: [some_pairs(3, 41), some_pairs(13, 52)],
    expected=both_right,
    praise="A head that always takes the first noun gets 0 here, and a half in the other count.",
    slips={
        "these are sentences. A pair counts once, and only if both are right.": (
            lambda weights: (
                (weights[:, 0, 0] > weights[:, 0, 1]).sum()
                + (weights[:, 1, 0] < weights[:, 1, 1]).sum()
            )
        ),
        "one right sentence is not enough: & and not |.": (
            lambda weights: (
                (weights[:, 0, 0] > weights[:, 0, 1]) | (weights[:, 1, 0] < weights[:, 1, 1])
            ).sum()
        ),
        "this counts the pairs in which the first noun is taken twice.": (
            lambda weights: (weights[..., 0] > weights[..., 1]).all(dim=-1).sum()
        ),
        "the second sentence alone does not make a pair right.": (
            lambda weights: (weights[:, 1, 0] < weights[:, 1, 1]).sum()
        ),
        "the first sentence alone does not make a pair right.": (
            lambda weights: (weights[:, 0, 0] > weights[:, 0, 1]).sum()
        ),
        "the last axis is the noun, the one before it the sentence.": (
            lambda weights: both_right(weights.mT)
        ),
        "a number of pairs is asked for, not a share.": (
            lambda weights: both_right(weights) / len(weights)
        ),
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
