"""The exercises of chapter 5, batch matrix multiplication."""

import torch
import torch.nn.functional as F

from ..masks import masked_softmax
from . import chapter_04
from .chapter_04 import weigh
from .checking import Exercise
from .step import NO_LENGTHS, Step

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


def score(queries, keys):
    return queries @ keys.mT


def attention(queries, keys, values, valid_lens=None):
    return weigh(score(queries, keys), valid_lens) @ values


def three_stacks(
    sizes=((3, 2, 4, 5, 6), (2, 2, 4, 3, 2), (2, 3, 4, 2, 5), (1, 1, 3, 4, 1), (3, 2, 3, 5, 2)),
):
    """(queries, keys, values, lengths): the padding of the third holds large numbers."""
    draw = torch.Generator().manual_seed(56)
    lens = (
        torch.tensor([2, 3, 4]),
        torch.tensor([2, 3]),
        torch.tensor([[1, 2, 2], [3, 0, 4]]),
        torch.tensor([1]),
        None,
    )
    for (batch, n, m, d, size), valid_lens in zip(sizes, lens, strict=True):
        shapes = (batch, n, d), (batch, m, d), (batch, m, size)
        stacks = [torch.randn(*shape, generator=draw) for shape in shapes]
        if valid_lens is not None and valid_lens.ndim == 2:
            stacks[1][0, 2:] = 300.0
            stacks[0][0] = stacks[0][0].abs()
        yield (*stacks, valid_lens)


def pooled(weigh, divisor=lambda q, k, v: 1.0):
    """An attention that weighs in another way, or divides its scores by something else."""
    return lambda q, k, v, n: weigh(score(q, k) / divisor(q, k, v), n) @ v


step = Step(
    chapter=5,
    cases=lambda: list(three_stacks()),
    expected=attention,
    praise="Each example has met its own keys alone.",
    slips={
        **{why: pooled(slip) for why, slip in chapter_04.step.slips.items()},
        "you divide by the root of d. That is right in chapter 6; here the scores are the plain "
        "products.": pooled(weigh, lambda q, k, v: q.shape[-1] ** 0.5),
        "these are the weights; each output is an average of the values.": lambda q, k, v, n: weigh(
            score(q, k), n
        ),
        "keys.reshape keeps the order of the numbers; keys.transpose(1, 2) turns each matrix.": (
            lambda q, k, v, n: weigh(q @ k.reshape(len(k), k.shape[2], k.shape[1]), n) @ v
        ),
        "the softmax is missing: scores may be negative, and weights may not.": lambda q, k, v, n: (
            (score(q, k) * (weigh(score(q, k), n) > 0)) @ v
        ),
        "every example here has met the keys of the first one.": lambda q, k, v, n: (
            weigh(q @ k[:1].mT, n) @ v
        ),
    },
    failures={
        "valid_lens may be None: then every key counts.": NO_LENGTHS,
        "two of these shapes don't fit. Keys stand in rows: keys.transpose(1, 2) turns each matrix "
        "of the minibatch.": "cannot be multiplied|Expected size|size mismatch|must match.* 0$",
        "two shapes don't fit number by number. A mask is (batch, 1 or queries, keys); and @ "
        "multiplies matrices, not *.": "must match|broadcast",
    },
)
