"""The exercises of chapter 5, batch matrix multiplication."""

import torch
import torch.nn.functional as F

from ..masking import masked_softmax
from .checking import Exercise

by_hand = Exercise(
    expected=[[1.0, -3.0], [2.0, 6.0]],
    praise="Four dot products, and no query has met a key of the other example.",
    slips={
        "here a query has met the columns of the keys; each key is a pair of numbers, a row.": [
            [2.0, -2.0],
            [2.0, 10.0],
        ],
        "here the queries have met the keys of the other example.": [[-4.0, 2.0], [4.0, 0.0]],
        "the scores of both examples are added up; each example keeps its own row.": [3.0, 3.0],
        "the scores are right; one row for each example is asked for.": [1.0, -3.0, 2.0, 6.0],
        "the sign of the query's -1 is lost.": [[3.0, 3.0], [2.0, 6.0]],
    },
)

multiplications = Exercise(
    cases=lambda: [(2, 3, 7, 4), (32, 10, 10, 64), (1, 1, 5, 2)],
    expected=lambda batch, n, m, d: batch * n * m * d,
    praise="One for each example, query, key and place.",
    slips={
        "that is the number of scores; each one takes d multiplications.": (
            lambda batch, n, m, d: batch * n * m
        ),
        "that is for one example; there are batch of them.": lambda batch, n, m, d: n * m * d,
        "this lets every query of the batch meet every key of the batch.": lambda batch, n, m, d: (
            batch * n * batch * m * d
        ),
        "these are the sizes of queries and keys; each query meets each key, so n and m are "
        "multiplied.": lambda batch, n, m, d: batch * (n + m) * d,
        "that is one less in each sum: d products need d - 1 additions, but d multiplications.": (
            lambda batch, n, m, d: batch * n * m * (d - 1)
        ),
    },
)


def random_batch(*shapes, seed):
    generator = torch.Generator().manual_seed(seed)
    return tuple(torch.randn(shape, generator=generator) for shape in shapes)


def queries_and_keys():
    """Two batches: as many queries as keys and places, and all sizes different."""
    return [
        random_batch((2, 3, 3), (2, 3, 3), seed=5),
        random_batch((3, 2, 4), (3, 5, 4), seed=6),
    ]


def all_scores(queries, keys):
    return queries @ keys.mT


scores = Exercise(
    cases=queries_and_keys,
    expected=all_scores,
    praise="Rows are queries, columns are keys, and no example has seen another.",
    slips={
        "the queries have met columns that are no keys: reshape gives the right shape and nothing "
        "more, and so does no transpose at all; use transpose(1, 2).": lambda q, k: (
            q @ k.reshape(k.shape[0], k.shape[2], k.shape[1])
        ),
        "the result is transposed: rows belong to queries, so the queries come first.": (
            lambda q, k: k @ q.mT
        ),
        "the scores of all examples are added up: in einsum, the letter of the batch is missing "
        "on the right.": lambda q, k: all_scores(q, k).sum(dim=0),
        "this pairs query i with key i alone; every query meets every key.": lambda q, k: (
            (q * k).sum(dim=-1) if q.shape == k.shape else all_scores(q, k)
        ),
        "these are weights; the scores are asked for, before the softmax.": lambda q, k: F.softmax(
            all_scores(q, k), dim=-1
        ),
    },
)


def fill_box(pairs, sizes, start=lambda room: 0):
    box = torch.zeros(len(sizes), max(sizes), pairs.shape[-1])
    for row, part in zip(box, pairs.split(sizes), strict=True):
        first = start(len(row) - len(part))
        row[first : first + len(part)] = part
    return box


def cut_to_shortest(pairs, sizes):
    return torch.stack([part[: min(sizes)] for part in pairs.split(sizes)])


def repeat_last(pairs, sizes):
    parts = pairs.split(sizes)
    return torch.stack([torch.cat([p, p[-1:].expand(max(sizes) - len(p), -1)]) for p in parts])


box = Exercise(
    cases=lambda: [
        (*random_batch((9, 2), seed=5), [2, 4, 3]),
        (*random_batch((4, 3), seed=6), [1, 3]),
    ],
    expected=fill_box,
    praise="The sizes [2, 4, 3] go along with it, so that the mask knows where each one ends.",
    slips={
        "the placeholders stand in front; valid lengths count from the first slot, so the real "
        "pairs come first.": lambda pairs, sizes: fill_box(pairs, sizes, start=lambda room: room),
        "the long databases are cut to the shortest; nothing real may be lost.": cut_to_shortest,
        "the last pair is repeated; zeros are asked for.": repeat_last,
        "here the largest size comes first; the order is (batch, largest size, d). pad_sequence "
        "needs batch_first=True.": lambda pairs, sizes: fill_box(pairs, sizes).transpose(0, 1),
        "the pairs follow each other without a gap, so databases run into each other.": (
            lambda pairs, sizes: F.pad(
                pairs, (0, 0, 0, len(sizes) * max(sizes) - len(pairs))
            ).reshape(len(sizes), max(sizes), -1)
        ),
    },
)


def pool(queries, keys, values, sizes):
    return masked_softmax(queries @ keys.mT, sizes) @ values


def beyond(keys, sizes):
    """True at placeholders, (batch, 1, keys)."""
    return torch.arange(keys.shape[1]) >= torch.tensor(sizes)[:, None, None]


attend = Exercise(
    cases=lambda: [
        (*random_batch((3, 2, 2), (3, 4, 2), (3, 4, 1), seed=5), [2, 4, 3]),
        (*random_batch((2, 3, 4), (2, 3, 4), (2, 3, 2), seed=6), [1, 2]),
    ],
    expected=pool,
    praise="Scores, masked weights, and their average of the values: two batch products.",
    slips={
        "the placeholders take part: the sizes are not used.": lambda q, k, v, sizes: (
            F.softmax(q @ k.mT, dim=-1) @ v
        ),
        "the softmax runs along the queries; a query's weights must sum to 1.": (
            lambda q, k, v, sizes: F.softmax(q @ k.mT, dim=1).masked_fill(beyond(k, sizes), 0) @ v
        ),
        "the weights of the real pairs don't sum to 1: you mask after the softmax.": (
            lambda q, k, v, sizes: F.softmax(q @ k.mT, dim=-1).masked_fill(beyond(k, sizes), 0) @ v
        ),
        "setting keys or scores of placeholders to 0 is no mask: exp(0) = 1.": (
            lambda q, k, v, sizes: (
                F.softmax((q @ k.mT).masked_fill(beyond(k, sizes), 0), dim=-1) @ v
            )
        ),
        "the softmax is missing: the scores themselves weight the values.": lambda q, k, v, sizes: (
            (q @ k.mT).masked_fill(beyond(k, sizes), 0) @ v
        ),
        "these are the weights; the output is asked for.": lambda q, k, v, sizes: masked_softmax(
            q @ k.mT, sizes
        ),
    },
)

query_gradient = Exercise(
    cases=lambda: [
        random_batch((2, 3, 3), (2, 3, 3), seed=5),
        random_batch((2, 2, 4), (2, 4, 3), seed=6),
    ],
    expected=lambda score_gradient, keys: score_gradient @ keys,
    praise="Each query is pulled along its keys, by as much as the loss wants each score moved.",
    slips={
        "that is the gradient with respect to the keys, if these were queries: row i of the "
        "scores belongs to query i, so nothing is transposed.": lambda g, keys: (
            g.mT @ keys if g.shape[1] == g.shape[2] else g @ keys
        ),
        "the keys must not be transposed: sum over the keys, not over their places.": (
            lambda g, keys: g @ keys.mT if keys.shape[1] == keys.shape[2] else g @ keys
        ),
        "the gradients of the scores are missing; this is the sum of all keys.": lambda g, keys: (
            torch.ones_like(g) @ keys
        ),
        "the queries of a minibatch don't share a gradient: this is added up over the examples.": (
            lambda g, keys: (g @ keys).sum(dim=0)
        ),
    },
)
