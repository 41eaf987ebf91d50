"""The exercises of chapter 8, scoring functions compared."""

import math

import torch

from .chapter_04 import weigh
from .chapter_05 import three_stacks
from .checking import Exercise
from .step import Step
from .whole import score

by_hand = Exercise(
    expected=7.0,
    praise="The row q^T M is (1, 4), and 1 x 3 + 4 x 1 = 7.",
    slips={
        "that is k^T M q, with query and key exchanged: M is transposed.": 17.0,
        "that is the plain dot product; M is missing.": 5.0,
        "these are the terms still apart; the score is one number, their sum.": [3.0, 4.0],
        "that is the row q^T M; the dot product with k is missing.": [1.0, 4.0],
        "M is not symmetric: its lower left entry is 0, so q_2 k_1 does not count.": 19.0,
    },
)

largest_rank = Exercise(
    expected=23,
    praise="23 x 100 is less than 2400. With 24 there are as many parameters as in M.",
    slips={
        "with 24 they have exactly as many, 2400, and not fewer.": 24,
        "40 is the largest rank that M can have. Two factors then have 4000 parameters.": 40,
        "W_q and W_k stand beside each other: h x 60 and h x 40 are added, not multiplied.": 1,
        "that forgets W_k: it has parameters too.": 39,
        "that forgets W_q: it has parameters too.": 59,
    },
)


tired = Exercise(
    expected=[[1.0, 0.0], [0.0, 1.0], [0.0, -1.0]],
    praise="Two rows are the identity, the dot product; the third takes the north off.",
    slips={
        "that is M transposed: the query's three numbers choose the rows, the key's two the "
        "columns.": [[1.0, 0.0, 0.0], [0.0, 1.0, -1.0]],
        "the sign: here somebody tired likes to climb.": [[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]],
        "here the way to the east is charged; the first column belongs to the key's km east.": [
            [1.0, 0.0],
            [0.0, 1.0],
            [-1.0, 0.0],
        ],
        "here the way to the east is charged as well.": [[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]],
        "the first two rows alone are the plain dot product; the walker's third number needs a "
        "row, too.": [[1.0, 0.0], [0.0, 1.0]],
    },
)


def random_tensors(*shapes, seed):
    generator = torch.Generator().manual_seed(seed)
    return tuple(torch.randn(shape, generator=generator) for shape in shapes)


def distance_attention(queries, keys, values):
    differences = queries.unsqueeze(2) - keys.unsqueeze(1)
    return (-differences.square().sum(dim=-1) / 2).softmax(dim=-1) @ values


def random_pairs(batch, queries, keys, size):
    shapes = (batch, queries, size), (batch, keys, size), (batch, keys, 2)
    return random_tensors(*shapes, seed=queries + 10 * keys)


def dots_and(extra, scale=lambda d: 1.0):
    """Attention whose scores are scale(d) (q^T k + extra(k))."""

    def attend(queries, keys, values):
        scores = queries @ keys.transpose(1, 2) + extra(keys).unsqueeze(1)
        return (scale(queries.shape[-1]) * scores).softmax(dim=-1) @ values

    return attend


fused_distance = Exercise(
    cases=lambda: [random_pairs(2, 4, 4, 3), random_pairs(1, 2, 5, 2), random_pairs(3, 1, 3, 6)],
    expected=distance_attention,
    praise="One number more in each vector, and the dot product measures distances.",
    slips={
        "these are the outputs of the plain dot product: the keys' norms are missing, or the "
        "queries' norms stand in their place, and those cancel.": dots_and(
            lambda k: torch.zeros_like(k[..., 0])
        ),
        "the fee is taken off, not added: append minus half the squared norm.": dots_and(
            lambda k: k.square().sum(dim=-1) / 2
        ),
        "half of the squared norm is enough; the half is missing.": dots_and(
            lambda k: -k.square().sum(dim=-1)
        ),
        "the norm must be squared.": dots_and(lambda k: -k.norm(dim=-1) / 2),
        "the scores were divided by the root of the longer size; say scale=1.0.": dots_and(
            lambda k: -k.square().sum(dim=-1) / 2, scale=lambda d: (d + 1) ** -0.5
        ),
        "the scores were divided by the root of d; nothing is divided here.": dots_and(
            lambda k: -k.square().sum(dim=-1) / 2, scale=lambda d: d**-0.5
        ),
        "the values are not the keys: the third argument is what is averaged.": lambda q, k, v: (
            distance_attention(q, k, k)
        ),
    },
)


def bridged(queries, keys, values, M, divide=1.0, axis=-1):
    """Attention with bilinear scores."""
    scores = queries @ M @ keys.transpose(1, 2) / divide
    return scores.softmax(dim=axis) @ values


def common(queries, keys, values, M):
    """Dot products of the numbers that both have: the shorter vectors are filled up with zeros."""
    return bridged(queries, keys, values, torch.eye(*M.shape))


two_sizes = Exercise(
    cases=lambda: [
        random_tensors((2, 4, 3), (2, 5, 2), (2, 5, 3), (3, 2), seed=1),
        random_tensors((1, 2, 2), (1, 4, 5), (1, 4, 2), (2, 5), seed=2),
    ],
    expected=bridged,
    praise="A matrix between them, and the dot product takes any two sizes.",
    slips={
        "filled up with zeros, or cut: then the longer vector's last numbers never count, nor "
        "does M.": common,
        "the scores were divided by the root of the keys' size; say scale=1.0.": (
            lambda q, k, v, M: bridged(q, k, v, M, divide=k.shape[-1] ** 0.5)
        ),
        "the scores were divided by the root of the queries' size; say scale=1.0.": (
            lambda q, k, v, M: bridged(q, k, v, M, divide=q.shape[-1] ** 0.5)
        ),
        "here each key shares itself out over the queries; the softmax runs over the keys.": (
            lambda q, k, v, M: bridged(q, k, v, M, axis=-2)
        ),
        "these are the sums of the values, each times its score; the softmax is missing.": (
            lambda q, k, v, M: q @ M @ k.transpose(1, 2) @ v
        ),
    },
)


def attention(queries, keys, values, valid_lens=None, score=score):
    return weigh(score(queries, keys), valid_lens) @ values


step = Step(
    chapter=8,
    cases=lambda: [case for stack in three_stacks() for case in (stack, (*stack, torch.cdist))],
    expected=attention,
    praise="One attention, and the score is yours to choose.",
    slips={
        "the score that was given is not used: this is always the same one.": (
            lambda q, k, v, n, score=score: attention(q, k, v, n)
        ),
        "with no score given, it is to be the product over the root of d.": (
            lambda q, k, v, n, score=lambda q, k: q @ k.mT: attention(q, k, v, n, score)
        ),
        "a score that is given says itself whether it divides: no root outside of it.": (
            lambda q, k, v, n, score=score: attention(
                q, k, v, n, lambda q, k: score(q, k) / math.sqrt(q.shape[-1])
            )
        ),
        "the lengths don't count: nothing is hidden.": lambda q, k, v, n, score=score: attention(
            q, k, v, None, score
        ),
        "these are the weights; each output is an average of the values.": (
            lambda q, k, v, n, score=score: weigh(score(q, k), n)
        ),
        "these are the scores times the values; weigh is missing.": (
            lambda q, k, v, n, score=score: score(q, k) @ v
        ),
    },
    failures={
        "score is the fifth argument, score=score, given by its place: without a * before it.": (
            "positional argument"
        ),
        "score is None where nobody names one: its default is score=score.": (
            "NoneType' object is not callable"
        ),
        "score(queries, keys) has a row for each query; then weigh, then the values.": (
            "cannot be multiplied|Expected size|size mismatch|must match|broadcast"
        ),
    },
)


below_the_limit = Exercise(
    expected="ce",
    example="abc",
    praise="It takes a score whose sign does not turn with its inputs, or maps that never turn.",
    slips={
        "(c) is right, and there is one more: what if the turned map never occurs?": "c",
        "(e) is right, and there is one more: is tanh(x + b) the opposite of tanh(-x + b)?": "e",
        "(b) is the same number for all keys, and cancels in the softmax.": "bce",
        "(a): each hidden unit changes its sign, and so does the sum of a thousand.": "ace",
        "(d): a tanh of sums of tanh still changes its sign with its inputs.": "cde",
        "(b) cancels in the softmax, and one is missing: what if the turned map never occurs?": (
            "bc"
        ),
        "the letters are right; write them in the order of the alphabet.": "ec",
    },
)


def near(queries, keys):
    return (queries @ keys.T - keys.square().sum(dim=-1) / 2).argmax(dim=-1)


def along(queries, keys):
    return (queries @ keys.T).argmax(dim=-1)


def share(same):
    return same.double().mean()


agree = Exercise(
    cases=lambda: [
        random_tensors((40, 2), (8, 2), seed=8),
        random_tensors((50, 16), (5, 16), seed=9),
        (torch.tensor([[1.0, 1.0], [2.0, -1.0]]), torch.tensor([[1.0, 1.0], [-1, 2], [3, 0]])),
    ],
    expected=lambda q, k: share(near(q, k) == along(q, k)),
    praise="For Ann and Ben of chapter 3 the share is a half.",
    slips={
        "that is the share where they disagree.": lambda q, k: share(near(q, k) != along(q, k)),
        "that is one answer for each query; take the mean.": lambda q, k: (
            near(q, k) == along(q, k)
        ).double(),
        "that is a number of queries; divide it by how many there are.": lambda q, k: (
            near(q, k) == along(q, k)
        ).sum(),
        "the fee has the wrong sign: it is taken off.": lambda q, k: share(
            (q @ k.T + k.square().sum(dim=-1) / 2).argmax(dim=-1) == along(q, k)
        ),
        "half of the squared norm is enough; the half is missing.": lambda q, k: share(
            (q @ k.T - k.square().sum(dim=-1)).argmax(dim=-1) == along(q, k)
        ),
        "here each key chooses a query; each query chooses a key, along the last axis.": (
            lambda q, k: share(
                (q @ k.T - k.square().sum(dim=-1) / 2).argmax(dim=0) == (q @ k.T).argmax(dim=0)
            )
        ),
    },
)

enough_queries = Exercise(
    expected=30,
    praise="With 29 there are 9.9 operations for each byte.",
    slips={
        "nearly: 29 queries reach 9.9.": 29,
        "the scores have to be written too, n m numbers.": 21,
        "a number has 4 bytes here, not 2.": 12,
        "a product and its addition are two operations, not one.": 110,
        "the keys have to be read, too: that is what makes one query wait.": 1,
    },
)
