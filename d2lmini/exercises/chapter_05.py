"""The exercises of chapter 5, batch matrix multiplication."""

import torch
import torch.nn.functional as F

from ..masks import masked_softmax
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

SENTENCES = torch.tensor([2, 9, 3, 8, 2, 9])


def padded(lengths):
    """The scores of one minibatch of sentences, each as long as the longest."""
    return len(lengths) * int(lengths.max()) ** 2


def split(lengths):
    """The scores of two minibatches, each of half of the sentences."""
    return sum(map(padded, lengths.chunk(2)))


whole, real = padded(SENTENCES), int(SENTENCES.square().sum())
short_and_long = split(SENTENCES.sort().values)

counts = Exercise(
    expected=[whole, short_and_long],
    praise="Short sentences beside short ones need little padding.",
    slips={
        "that counts no padding; bmm computes the scores of the placeholders, too.": [real, real],
        "here both minibatches have a sentence of 9 words; put the three shortest together.": [
            whole,
            split(SENTENCES),
        ],
        "each word meets each word of its own sentence alone; here it meets the whole minibatch.": [
            54**2,
            9**2 + 27**2,
        ],
        "these are the words with their placeholders; each is a query that meets all the keys of "
        "its sentence.": [54, 36],
    },
)

blind_test = Exercise(
    expected=[[1.0, 2.0, 2.0], [2.0, 2.0, 3.0]],
    praise="reshape and transpose agree where four numbers are equal; that test could not fail.",
    slips={
        "that is the result, three rows of two; K itself has two rows of three.": [
            [1.0, 2.0],
            [2.0, 2.0],
            [2.0, 3.0],
        ],
        "here the first row of the reshape, 1 and 2, is not the first row of the transpose: that "
        "is the first column of K.": [[1.0, 2.0, 2.0], [1.0, 2.0, 3.0]],
        "reshape gives [[1, 2], [2, 3], [3, 3]] here, and the transpose [[1, 3], [2, 3], [2, 3]]; "
        "compare the first rows, or the last.": [[1.0, 2.0, 2.0], [3.0, 3.0, 3.0]],
        "first and last rows agree; the middle ones are [0, 2] after reshape, [2, 0] transposed.": [
            [1.0, 2.0, 0.0],
            [2.0, 0.0, 3.0],
        ],
    },
)


def random_batch(*shapes, seed):
    generator = torch.Generator().manual_seed(seed)
    return tuple(torch.randn(shape, generator=generator) for shape in shapes)


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


def beyond(keys, sizes):
    """True at placeholders, (batch, 1, keys)."""
    return torch.arange(keys.shape[1]) >= sizes[:, None, None]


def lost(queries, keys, sizes):
    return (F.softmax(queries @ keys.mT, dim=-1) * beyond(keys, sizes)).sum(dim=-1)


lost_weight = Exercise(
    cases=lambda: [
        (*random_batch((3, 2, 2), (3, 4, 2), seed=5), torch.tensor([2, 4, 3])),
        (*random_batch((2, 3, 4), (2, 3, 4), seed=6), torch.tensor([1, 2])),
    ],
    expected=lost,
    praise="No error and no odd shape: only the sum tells how much is lost.",
    slips={
        "this is the weight that stays on the real keys; what is lost is the rest.": (
            lambda q, k, sizes: 1 - lost(q, k, sizes)
        ),
        "nothing is lost here, since you have masked; leave the mask out.": (
            lambda q, k, sizes: (masked_softmax(q @ k.mT, sizes) * beyond(k, sizes)).sum(dim=-1)
        ),
        "the softmax runs along the queries; a query's weights must sum to 1.": (
            lambda q, k, sizes: (F.softmax(q @ k.mT, dim=1) * beyond(k, sizes)).sum(dim=-1)
        ),
        "this is added up over the queries; one number for each query is asked for.": (
            lambda q, k, sizes: lost(q, k, sizes).sum(dim=-1)
        ),
        "these are the weights of the placeholders, one by one; add them up for each query.": (
            lambda q, k, sizes: F.softmax(q @ k.mT, dim=-1) * beyond(k, sizes)
        ),
        "the keys count from 0: with size 2, the slots 0 and 1 are real, and slot 2 is the first "
        "placeholder.": lambda q, k, sizes: lost(q, k, sizes + 1),
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
