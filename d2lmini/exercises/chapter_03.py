"""The exercises of chapter 3, dot-product scores."""

import math

import torch
import torch.nn.functional as F

from .chapter_01 import softmax
from .checking import Exercise
from .step import Step

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
            (KEYS @ QUERY).double(), dim=0
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


def squared_distances(queries, keys):
    return (queries[:, None] - keys).square().sum(dim=-1)


for_cleo = Exercise(
    expected="C",
    praise="Ann's scores 2, 1 and 3 become -2, -1 and -3: the order of the fruits turns round.",
    slips={
        "the bonus compares the product with the distance. What is the mango's product itself? "
        "A long arrow makes a negative product more negative.": "A",
        "the fruit is right and the reason is wrong: the apple's card lies nearer, with a squared "
        "distance of 8 against 9.": "B",
        "the softmax counts differences of scores, so a negative score is as good as any. "
        "The least negative one gets most.": "D",
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


fair = Exercise(
    expected=2 / 3,
    praise="With the card (2, 0) both products are 2.",
    tolerance=1e-3,
    slips={
        "the other way round: 3c is to be 2.": 1.5,
        "this makes the mango as long as the apple. But the two arrows have different angles to "
        "Ann's, so equal lengths are not equal scores.": math.sqrt(2) / 3,
        "with c = 1 nothing has changed: the scores are 2 and 3.": 1.0,
        "with this c the mango's score is 1, which is less than the apple's 2.": 1 / 3,
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


def score(queries, keys):
    return queries @ keys.T


def attention(queries, keys, values):
    return softmax(score(queries, keys)) @ values


def pooled(scores):
    """An attention with other scores."""
    return lambda q, k, v: softmax(scores(q, k)) @ v


step = Step(
    chapter=3,
    cases=lambda: [
        (*pair, torch.randn(len(pair[1]), 2, generator=torch.Generator().manual_seed(36)))
        for pair in sorted(random_pairs(), key=lambda pair: len(pair[0]) != 2)
    ],
    expected=attention,
    praise="One product holds all scores, each query with each key.",
    slips={
        "these are the weights; each output is an average of the values.": lambda q, k, v: softmax(
            score(q, k)
        ),
        "these are the scores; softmax and values are still to come.": lambda q, k, v: score(q, k),
        "the softmax is missing: scores may be negative, and weights may not.": lambda q, k, v: (
            score(q, k) @ v
        ),
        "the softmax runs along the queries; a query shares out its attention among the keys.": (
            lambda q, k, v: F.softmax(score(q, k), dim=0) @ v
        ),
        "these scores are minus squared distances; here they are products.": pooled(
            lambda q, k: -squared_distances(q, k)
        ),
        "these scores are minus half the squared distances, the bell; here they are products.": (
            pooled(lambda q, k: -squared_distances(q, k) / 2)
        ),
        "these scores are minus the distances; here they are products.": pooled(
            lambda q, k: -squared_distances(q, k).sqrt()
        ),
        "the vectors have been cut to length 1: that is the cosine. Here lengths count.": pooled(
            lambda q, k: F.normalize(q, dim=-1) @ F.normalize(k, dim=-1).T
        ),
        "you divide by the root of d. That is right in chapter 6; here the scores are the plain "
        "products.": pooled(lambda q, k: score(q, k) / math.sqrt(q.shape[-1])),
        "the products are to be added up over d; this keeps only their largest.": pooled(
            lambda q, k: (q[:, None] * k).amax(dim=-1)
        ),
        "all queries are one here: each query has a row of its own.": lambda q, k, v: (
            softmax(score(q.mean(dim=0, keepdim=True), k)) @ v
        ).expand(len(q), -1),
    },
    failures={
        "keys.T turns the keys, so that each query meets each key; then come the values.": (
            "cannot be multiplied|size mismatch|inconsistent"
        ),
        "* multiplies number by number; @ multiplies and adds up.": (
            "must match the size|cannot be broadcast"
        ),
    },
)


long_vectors = Exercise(
    expected="B",
    praise="In per cent the squared norms agree better and better, but their range grows like the "
    "root of d. "
    "The products grow like the root of d, too.",
    slips={
        "they become equal in per cent; for a softmax the differences themselves count.": "A",
        "one in eight would be two keepers who know nothing of each other. Both still have the "
        "same product in their scores.": "C",
        "these differences grow, and so do the products that they are added to.": "neither",
    },
)
