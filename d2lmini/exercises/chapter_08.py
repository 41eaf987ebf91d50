"""The exercises of chapter 8, scoring functions compared."""

import torch

from .checking import Exercise

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
    praise="23 x 100 is less than 2400.",
    slips={
        "with 24 they have exactly as many, 2400, and not fewer.": 24,
        "40 is the largest rank that M can have. Two factors then have 4000 parameters.": 40,
        "W_q and W_k stand beside each other: h x 60 and h x 40 are added, not multiplied.": 1,
        "that forgets W_k: it has parameters too.": 39,
        "that forgets W_q: it has parameters too.": 59,
    },
)


def all_scores(queries, keys, M):
    return queries @ M @ keys.transpose(1, 2)


def random_batch(batch, queries, keys, query_size, key_size):
    generator = torch.Generator().manual_seed(queries + keys)
    shapes = [(batch, queries, query_size), (batch, keys, key_size), (query_size, key_size)]
    return tuple(torch.randn(shape, generator=generator) for shape in shapes)


def transposed_where_it_fits(queries, keys, M):
    """What comes of M.T; with sizes that differ it would not run."""
    return all_scores(queries, keys, M.T if M.shape[0] == M.shape[1] else M)


bridge = Exercise(
    cases=lambda: [random_batch(2, 3, 3, 4, 4), random_batch(2, 3, 5, 4, 2)],
    expected=all_scores,
    praise="Queries of 4 numbers meet keys of 2, and each row belongs to a query.",
    slips={
        "M is transposed. With sizes that differ it would not have run.": transposed_where_it_fits,
        "the result is transposed: rows belong to queries.": lambda q, k, M: all_scores(
            q, k, M
        ).transpose(1, 2),
        "M is missing; with sizes that differ it would not have run.": lambda q, k, M: (
            q @ k.transpose(1, 2) if M.shape[0] == M.shape[1] else all_scores(q, k, M)
        ),
        "nothing is divided here: M is learned and sets the scale itself.": lambda q, k, M: (
            all_scores(q, k, M) / q.shape[-1] ** 0.5
        ),
        "the softmax is too early; the scores are asked for.": lambda q, k, M: all_scores(
            q, k, M
        ).softmax(dim=-1),
    },
)


def distance_attention(queries, keys, values):
    differences = queries.unsqueeze(2) - keys.unsqueeze(1)
    return (-differences.square().sum(dim=-1) / 2).softmax(dim=-1) @ values


def random_pairs(batch, queries, keys, size):
    generator = torch.Generator().manual_seed(queries + 10 * keys)
    shapes = [(batch, queries, size), (batch, keys, size), (batch, keys, 2)]
    return tuple(torch.randn(shape, generator=generator) for shape in shapes)


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

fewest_multiplications = Exercise(
    cases=lambda: [(10, 300, 64, 32), (300, 10, 64, 32), (10, 300, 32, 64), (1, 1000, 1000, 2000)],
    expected=lambda n, m, query_size, key_size: min(
        n * query_size * key_size + n * m * key_size,
        m * query_size * key_size + n * m * query_size,
    ),
    praise="Few queries: turn the queries. Few keys: turn the keys.",
    slips={
        "this always turns the queries first. With 300 queries and 10 keys, try the keys.": (
            lambda n, m, query_size, key_size: n * query_size * key_size + n * m * key_size
        ),
        "this always turns the keys first. With 10 queries and 300 keys, try the queries.": (
            lambda n, m, query_size, key_size: m * query_size * key_size + n * m * query_size
        ),
        "this uses M anew for each pair, as the two sums of (8.1) do. Q M needs to be made only "
        "once for all keys.": lambda n, m, query_size, key_size: n * m * query_size * key_size,
        "only the product with M is counted; the scores are still to come.": (
            lambda n, m, query_size, key_size: min(n, m) * query_size * key_size
        ),
        "after one side has been turned, the vectors have the other side's size: Q M has rows of "
        "key_size.": lambda n, m, query_size, key_size: min(
            n * query_size * key_size + n * m * query_size,
            m * query_size * key_size + n * m * key_size,
        ),
    },
)

one_query_intensity = Exercise(
    cases=lambda: [(4096, 64), (10, 2), (100_000, 128)],
    expected=lambda m, d: 2 * m * d / (2 * (d + m * d + m)),
    praise="Never above 1: each key is fetched, used once, and dropped.",
    slips={
        "a factor of 2 is missing: a multiplication and an addition are two operations, and in "
        "half precision a number has 2 bytes.": lambda m, d: m * d / (2 * (d + m * d + m)),
        "these are operations for each number, not for each byte.": lambda m, d: (
            2 * m * d / (d + m * d + m)
        ),
        "the scores have to be written too.": lambda m, d: 2 * m * d / (2 * (d + m * d)),
        "the query is read once, not once for each key.": lambda m, d: (
            2 * m * d / (2 * (2 * m * d + m))
        ),
        "that is upside down: bytes for each operation.": lambda m, d: (
            2 * (d + m * d + m) / (2 * m * d)
        ),
    },
)
