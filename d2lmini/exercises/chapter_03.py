"""The exercises of chapter 3, dot-product scores."""

import torch
import torch.nn.functional as F

from .checking import Exercise

QUERY = torch.tensor([1.0, 2.0])
KEYS = torch.tensor([[3.0, 0.0], [0.0, 3.0], [1.0, 1.0]])

by_hand = Exercise(
    expected=[3.0, 6.0, 3.0],
    praise="The key (1, 1) is the nearest, and (0, 3) has the highest score.",
    slips={
        "these are the products of the single numbers; add them up, to one number for each "
        "key.": KEYS * QUERY,
        "these are squared distances; a dot product multiplies, it takes no differences.": [
            8.0,
            2.0,
            1.0,
        ],
        "these are weights; the scores are asked for, before the softmax.": F.softmax(
            KEYS @ QUERY, dim=0
        ),
        "these are the cosines; the norms belong to the dot product.": F.normalize(KEYS, dim=1)
        @ F.normalize(QUERY, dim=0),
        "the query is left out: these are the sums of the keys' numbers.": [3.0, 3.0, 2.0],
    },
)


def random_pairs():
    """Queries and keys: as many of both, unlike numbers, and one of each."""
    generator = torch.Generator().manual_seed(3)
    shapes = ((3, 3), (3, 3)), ((2, 4), (5, 4)), ((1, 2), (1, 2))
    return [tuple(torch.randn(s, generator=generator) for s in case) for case in shapes]


def matching_pairs(queries, keys):
    """What comes of queries * keys: query i with key i alone."""
    n = min(len(queries), len(keys))
    return (queries[:n] * keys[:n]).sum(dim=1)


def squared_distances(queries, keys):
    return (queries[:, None] - keys).square().sum(dim=-1)


all_scores = Exercise(
    cases=random_pairs,
    expected=lambda queries, keys: queries @ keys.T,
    praise="Rows are queries and columns are keys, as in all the matrices of this book.",
    slips={
        "the result is transposed: rows belong to queries, so the queries come first.": (
            lambda queries, keys: keys @ queries.T
        ),
        "this pairs query i with key i alone; every query meets every key.": matching_pairs,
        "the transpose is missing: a row of queries met a column of keys, which is no key.": (
            lambda queries, keys: (
                queries @ keys if keys.shape[0] == keys.shape[1] else queries @ keys.T
            )
        ),
        "these are weights; the scores are asked for, before the softmax.": lambda queries, keys: (
            F.softmax(queries @ keys.T, dim=-1)
        ),
        "these are distances; (3.1) multiplies and adds.": squared_distances,
    },
)

moved = Exercise(
    expected="keys",
    praise="All scores of a row rise by q^T a, one number, and (3.3) cancels it.",
    slips={
        "the new term is a^T k_i, which differs from key to key, so it does not cancel.": "queries",
        "that is right for distances. Here (q + a)^T (k_i + a) has a new term a^T k_i, "
        "which differs from key to key.": "both",
        "one of them does: q^T a is the same for all keys of a row.": "none",
    },
)


def cosine(queries, keys):
    return F.normalize(queries, dim=1) @ F.normalize(keys, dim=1).T


cosines = Exercise(
    cases=random_pairs,
    expected=cosine,
    praise="No vector's length counts any more, and no score is beyond 1 or -1.",
    slips={
        "these are the dot products; both norms are still in them.": lambda q, k: q @ k.T,
        "only the queries are normalised; long keys still get more.": lambda q, k: (
            F.normalize(q, dim=1) @ k.T
        ),
        "only the keys are normalised; divide by the queries' norms as well.": lambda q, k: (
            q @ F.normalize(k, dim=1).T
        ),
        "you divide by squared norms; the norm is the square root of the sum.": lambda q, k: (
            q @ k.T / q.square().sum(dim=1, keepdim=True) / k.square().sum(dim=1)
        ),
        "the norms are taken down the columns; each query and each key is a row.": lambda q, k: (
            F.normalize(q, dim=0) @ F.normalize(k, dim=0).T
        ),
    },
)

most_for_the_middle = Exercise(
    expected=1 / 3,
    praise="It gets a third from customers who find all three alike, and from others less.",
    tolerance=1e-3,
    slips={
        "that is so by distance, or if its score could be the highest. The apple's score is always "
        "the middle of the other two.": 1.0,
        "at best all three scores are equal; how many share then?": 0.5,
        "a softmax never gives 0. Which customers find all three alike?": 0.0,
    },
)


def by_distance(queries, keys):
    return F.softmax(-squared_distances(queries, keys) / 2, dim=-1)


distance_weights = Exercise(
    cases=random_pairs,
    expected=by_distance,
    praise="One matrix product, one correction for each key, and no tensor of differences.",
    slips={
        "these are the weights of the plain dot product: the norms of the keys are missing. "
        "(Those of the queries cancel.)": lambda q, k: F.softmax(q @ k.T, dim=-1),
        "the squared norm is to be halved.": lambda q, k: F.softmax(
            q @ k.T - k.square().sum(dim=1), dim=-1
        ),
        "the norm is to be squared.": lambda q, k: F.softmax(q @ k.T - k.norm(dim=1) / 2, dim=-1),
        "the sign is wrong: this gives long keys their bonus twice.": lambda q, k: F.softmax(
            q @ k.T + k.square().sum(dim=1) / 2, dim=-1
        ),
        "these are the scores; the weights are asked for.": lambda q, k: (
            q @ k.T - k.square().sum(dim=1) / 2
        ),
        "the softmax runs along the queries.": lambda q, k: F.softmax(
            q @ k.T - k.square().sum(dim=1) / 2, dim=0
        ),
    },
)
