"""The exercises of chapter 7, additive attention."""

import math

import torch

from .checking import Exercise
from .step import Step

LN2 = math.log(2)

by_hand = Exercise(
    expected=3.0,
    praise="tanh(ln 2) = 0.6 and tanh(0) = 0, so the score is 5 x 0.6 + 7 x 0.",
    tolerance=1e-3,
    slips={
        "tanh is missing: this weights the sums, ln 2 and 0, as they are.": 5 * LN2,
        "tanh comes after the two parts are added, not before: tanh(2 ln 2 - ln 2).": (
            5 * (math.tanh(2 * LN2) - math.tanh(LN2))
        ),
        "w_v is missing: the bent numbers are weighted by 5 and 7.": 0.6,
        "the two parts are still apart; the score is one number, their sum.": [3.0, 0.0],
        "tanh belongs on each hidden number, before w_v weights them.": math.tanh(5 * LN2),
    },
)

T1, T2, T3 = (math.tanh(n) for n in (1, 2, 3))


def weights(*scores):
    """The softmax of a few scores."""
    return torch.tensor(scores).softmax(dim=0)


bent_too_early = Exercise(
    expected=weights(-T1, 0.0, T1),
    praise="The reader's part is the same for every book and cancels, bend or no bend.",
    tolerance=2e-3,
    slips={
        "these are the weights with the bend in its place, after the sum.": (
            weights(T3 * -2 + T3, T2 * -2 + T2, T1 * -2 + T1)
        ),
        "these are the weights without any bend.": weights(-1.0, 0.0, 1.0),
        "each part is bent, and enough counts twice: 2 tanh(k) + tanh(-k).": (
            weights(-2 * T1, 0.0, 2 * T1)
        ),
        "the reader's part cancels, the books' own part does not.": [1 / 3] * 3,
        "these are the scores; the weights are their softmax.": [-T1, 0.0, T1],
    },
)


def random_pair(query_size, key_size, num_hiddens):
    sizes = [(query_size,), (key_size,), (num_hiddens, query_size), (num_hiddens, key_size)]
    generator = torch.Generator().manual_seed(7 * query_size + key_size)
    return tuple(torch.randn(s, generator=generator) for s in [*sizes, (num_hiddens,)])


large_pile = Exercise(
    expected=weights(T2, T1, 0.0),
    praise="Enough is 1 for all three books and cancels, so spare decides alone.",
    tolerance=2e-3,
    slips={
        "only enough is saturated. Spare still differs from book to book.": [1 / 3] * 3,
        "these are the weights without any bend.": weights(-1.0, 0.0, 1.0),
        "that is what scores that grow with the pile would do. Here tanh stops at 1.": (
            [0.0, 0.0, 1.0]
        ),
        "spare is 2 x time - thickness, so the thin book has the most of it.": (
            weights(0.0, T1, T2)
        ),
        "spare counts once: the 2 of w_v belongs to enough.": weights(2 * T2, 2 * T1, 0.0),
        "these are the scores; the weights are their softmax.": [2 + T2, 2 + T1, 2.0],
    },
)

one_unit = Exercise(
    expected=0.4,
    praise="One unit puts the books in one order for all readers, so it has one favourite.",
    slips={
        "the thin and the thick book can't both be favourites: one unit has one order.": 0.75,
        "one favourite for all, but you may choose which one: the most wanted.": 0.35,
        "a trained desk does better than luck: it takes the most wanted book.": 1 / 3,
        "that needs a favourite that depends on the reader, and one unit has one order.": 1.0,
        "the medium book is always between the others, and it is the least wanted.": 0.25,
    },
)


def additive(queries, keys, W_q, W_k, w_v):
    sums = (queries @ W_q.T).unsqueeze(2) + (keys @ W_k.T).unsqueeze(1)
    return torch.tanh(sums) @ w_v


def stacks():
    for seed, (batch, n, m, query_size, key_size, hiddens) in enumerate(
        [(2, 3, 4, 2, 3, 5), (1, 1, 2, 4, 4, 3), (2, 2, 2, 2, 2, 1)]
    ):
        sizes = [(batch, n, query_size), (batch, m, key_size)]
        sizes += [(hiddens, query_size), (hiddens, key_size), (hiddens,)]
        generator = torch.Generator().manual_seed(seed)
        yield tuple(torch.randn(size, generator=generator) for size in sizes)


def parts(queries, keys, W_q, W_k):
    return (queries @ W_q.T).unsqueeze(2), (keys @ W_k.T).unsqueeze(1)


step = Step(
    chapter=7,
    cases=lambda: list(stacks()),
    expected=additive,
    praise="Another score: softmax, mask and average stay as they are.",
    slips={
        "tanh is missing: without the bend all queries give the same weights.": (
            lambda q, k, Wq, Wk, w: sum(parts(q, k, Wq, Wk)) @ w
        ),
        "both parts are bent before they meet; tanh comes after the sum.": (
            lambda q, k, Wq, Wk, w: sum(x.tanh() for x in parts(q, k, Wq, Wk)) @ w
        ),
        "tanh comes too late: it bends each hidden number, before w_v makes one of them.": (
            lambda q, k, Wq, Wk, w: (sum(parts(q, k, Wq, Wk)) @ w).tanh()
        ),
        "w_v is missing: it makes one score of the hidden numbers.": (
            lambda q, k, Wq, Wk, w: sum(parts(q, k, Wq, Wk)).tanh().sum(dim=-1)
        ),
        "queries and keys are multiplied here; they are added, before tanh.": (
            lambda q, k, Wq, Wk, w: math.prod(parts(q, k, Wq, Wk)).tanh() @ w
        ),
        "rows are queries and columns are keys; here it is the other way round.": (
            lambda q, k, Wq, Wk, w: additive(q, k, Wq, Wk, w).mT
        ),
        "these are weights: the softmax comes later, in weigh.": (
            lambda q, k, Wq, Wk, w: additive(q, k, Wq, Wk, w).softmax(dim=-1)
        ),
        "this is divided by the root of a size: an additive score needs no root.": (
            lambda q, k, Wq, Wk, w: additive(q, k, Wq, Wk, w) / math.sqrt(q.shape[-1])
        ),
    },
    failures={
        "W_q is for the queries and W_k for the keys, (hiddens, size): queries @ W_q.T.": (
            "cannot be multiplied|Expected size|size mismatch|inconsistent"
        ),
        "each query is to meet each key: (batch, queries, 1, hiddens) and (batch, 1, keys, "
        "hiddens).": "must match|broadcast",
    },
)


def slope(query, key, W_q, W_k, w_v):
    hidden = torch.tanh(W_q @ query + W_k @ key)
    return W_k.T @ (w_v * (1 - hidden**2))


key_gradient = Exercise(
    cases=lambda: [random_pair(2, 3, 2), random_pair(3, 3, 4), random_pair(1, 2, 1)],
    expected=slope,
    praise="A saturated unit has 1 - tanh^2 close to 0: nothing flows back through it.",
    slips={
        "the slope of tanh is missing; this is the gradient of the score without tanh.": (
            lambda q, k, W_q, W_k, w_v: W_k.T @ w_v
        ),
        "this has tanh where its slope belongs: 1 - tanh^2.": lambda q, k, W_q, W_k, w_v: (
            W_k.T @ (w_v * torch.tanh(W_q @ q + W_k @ k))
        ),
        "the slope is 1 minus the square of tanh; the square is missing.": (
            lambda q, k, W_q, W_k, w_v: W_k.T @ (w_v * (1 - torch.tanh(W_q @ q + W_k @ k)))
        ),
        "that is the gradient with respect to the query: the last factor must be that of the "
        "key.": lambda q, k, W_q, W_k, w_v: (
            W_q.T @ (w_v * (1 - torch.tanh(W_q @ q + W_k @ k) ** 2))
        ),
        "w_v is missing.": lambda q, k, W_q, W_k, w_v: (
            W_k.T @ (1 - torch.tanh(W_q @ q + W_k @ k) ** 2)
        ),
    },
)
