"""The exercises of chapter 7, additive attention."""

import math

import torch

from .checking import Exercise

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

made_first = Exercise(
    expected="11.3.3",
    praise="The dot-product example makes them, and the additive one borrows them.",
    slips={
        "11.3.4 is the additive example. Look at its code: which tensors does it make, and which "
        "does it use without making them?": "11.3.4",
        "11.3.2 has the masked softmax and the batch matrix product. It makes random scores and "
        "tensors of ones, but no keys.": "11.3.2",
        "11.3.1 has formulas and no code.": "11.3.1",
    },
)


def additive_score(query, key, W_q, W_k, w_v):
    return w_v @ torch.tanh(W_q @ query + W_k @ key)


def random_pair(query_size, key_size, num_hiddens):
    sizes = [(query_size,), (key_size,), (num_hiddens, query_size), (num_hiddens, key_size)]
    generator = torch.Generator().manual_seed(7 * query_size + key_size)
    return tuple(torch.randn(s, generator=generator) for s in [*sizes, (num_hiddens,)])


one_pair = Exercise(
    cases=lambda: [random_pair(2, 1, 2), random_pair(3, 5, 4), random_pair(2, 2, 1)],
    expected=additive_score,
    praise="Queries of 3 numbers meet keys of 5, and the score is still one number.",
    slips={
        "tanh is missing. Then the query's part is the same for every key, and the softmax "
        "cancels it.": lambda q, k, W_q, W_k, w_v: w_v @ (W_q @ q + W_k @ k),
        "tanh is too late: it belongs on the hidden numbers, before w_v sums them.": (
            lambda q, k, W_q, W_k, w_v: torch.tanh(w_v @ (W_q @ q + W_k @ k))
        ),
        "tanh is too early: first add the two parts, then bend. Bent one by one they never meet, "
        "and the query cancels again.": lambda q, k, W_q, W_k, w_v: (
            w_v @ (torch.tanh(W_q @ q) + torch.tanh(W_k @ k))
        ),
        "the two parts are added here, not multiplied.": lambda q, k, W_q, W_k, w_v: (
            w_v @ torch.tanh((W_q @ q) * (W_k @ k))
        ),
        "w_v is missing: the hidden numbers are weighted, not just summed.": (
            lambda q, k, W_q, W_k, w_v: torch.tanh(W_q @ q + W_k @ k).sum()
        ),
    },
)

parameters = Exercise(
    cases=lambda: [(20, 2, 8), (64, 64, 64), (1000, 2000, 1000)],
    expected=lambda query_size, key_size, num_hiddens: num_hiddens * (query_size + key_size + 1),
    praise="W_q, W_k and w_v, and no biases.",
    slips={
        "these are too many: a bias for each of the three maps is counted, and there is none.": (
            lambda q, k, h: h * (q + k + 1) + 2 * h + 1
        ),
        "w_v is missing; it has one number for each hidden unit.": lambda q, k, h: h * (q + k),
        "query_size x key_size is the matrix M of the bilinear score; here there is no such "
        "matrix.": lambda q, k, h: q * k,
        "the maps stand side by side: their sizes are added, not multiplied.": (
            lambda q, k, h: h * q * k + h
        ),
    },
)


def all_scores(A, B, w_v):
    return torch.tanh(A.unsqueeze(2) + B.unsqueeze(1)) @ w_v


def random_batch(batch, queries, keys, num_hiddens):
    generator = torch.Generator().manual_seed(queries + keys)
    shapes = [(batch, queries, num_hiddens), (batch, keys, num_hiddens), (num_hiddens,)]
    return tuple(torch.randn(shape, generator=generator) for shape in shapes)


def matching_pairs(A, B, w_v):
    """What comes of A + B: query i with key i alone; other numbers of keys would not run."""
    n = min(A.shape[1], B.shape[1])
    return torch.tanh(A[:, :n] + B[:, :n]) @ w_v


all_pairs = Exercise(
    cases=lambda: [random_batch(2, 3, 3, 4), random_batch(1, 2, 5, 3), random_batch(3, 4, 1, 1)],
    expected=all_scores,
    praise="Each query meets each key, in rows and columns that are not mixed up.",
    slips={
        "the result is transposed: rows belong to queries, so the queries need their new axis at "
        "place 2 and the keys theirs at place 1.": lambda A, B, w_v: all_scores(
            A, B, w_v
        ).transpose(1, 2),
        "this adds query i to key i alone. With an axis of length 1 in each, every query meets "
        "every key.": matching_pairs,
        "tanh is missing.": lambda A, B, w_v: (A.unsqueeze(2) + B.unsqueeze(1)) @ w_v,
        "w_v is missing: the hidden numbers are weighted, not just summed.": lambda A, B, w_v: (
            all_scores(A, B, torch.ones_like(w_v))
        ),
        "A and B are added, not multiplied.": lambda A, B, w_v: (
            torch.tanh(A.unsqueeze(2) * B.unsqueeze(1)) @ w_v
        ),
        "the softmax is too early; the scores are asked for.": lambda A, B, w_v: all_scores(
            A, B, w_v
        ).softmax(dim=-1),
    },
)

loud_query = Exercise(
    expected=0.25,
    praise="Every hidden unit is saturated, so the four valid keys share alike.",
    tolerance=1e-3,
    slips={
        "that is what a dot product does. Here tanh cuts the query off at 1 and -1.": 1.0,
        "equal shares are right, but only the keys within the valid length share.": 0.1,
        "no valid key loses its weight: all their scores come to the same number.": 0.0,
        "the first key has no advantage; four valid keys share.": 0.5,
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
