"""The exercises of chapter 9, attention in the Transformer."""

import math

import torch
import torch.nn.functional as F

from .checking import Exercise

by_hand = Exercise(
    expected=[1 / 4, 3 / 4, 0.0, 0.0],
    praise="The second word sees the first and itself, and 2 and 6 share the whole.",
    tolerance=1e-3,
    slips={
        "this row has only the padding mask. The causal mask hides the third word, too.": (
            [2 / 9, 6 / 9, 1 / 9, 0.0]
        ),
        "no mask is in this row.": [2 / 12, 6 / 12, 1 / 12, 3 / 12],
        "the mask is too late: after the softmax, what is left sums to 2/3.": (
            [2 / 12, 6 / 12, 0.0, 0.0]
        ),
        "a word may look at itself: j = i is allowed.": [1.0, 0.0, 0.0, 0.0],
        "the mask is the wrong way round: this word looks at all that it must not see.": (
            [0.0, 0.0, 1 / 4, 3 / 4]
        ),
    },
)


def cells_of_both(words, length):
    return sum(min(i, length) for i in range(1, words + 1))


cells = Exercise(
    cases=lambda: [(6, 4), (10, 3), (4, 4)],
    expected=cells_of_both,
    praise="A triangle over the real words, and a rectangle below it.",
    slips={
        "that is the causal mask alone; beyond the length no key counts.": (
            lambda words, length: words * (words + 1) // 2
        ),
        "that is the padding mask alone; word i sees no more than i keys.": (
            lambda words, length: words * length
        ),
        "the rows of the padding are missing. A mask hides keys; every query keeps its row.": (
            lambda words, length: length * (length + 1) // 2
        ),
        "the diagonal is missing: a word may look at itself.": (
            lambda words, length: sum(min(i, length) for i in range(words))
        ),
        "that counts what is hidden.": (
            lambda words, length: words**2 - cells_of_both(words, length)
        ),
    },
)


def both_masks(valid_lens, words):
    real = (torch.arange(words) < valid_lens[:, None])[:, None, None]  # (B, 1, 1, S)
    return real & torch.ones(words, words).tril().bool()  # (B, 1, S, S)


def real_words(valid_lens, words):
    return (torch.arange(words) < valid_lens[:, None])[:, None, None]


masks = Exercise(
    cases=lambda: [(torch.tensor([2, 3]), 4), (torch.tensor([5, 1, 3]), 5)],
    expected=both_masks,
    praise="The axis of length 1 lets every head share it.",
    slips={
        "True and False are swapped: True means that the query may look.": (
            lambda lens, words: ~both_masks(lens, words)
        ),
        "the diagonal is missing: a word may look at itself.": lambda lens, words: (
            real_words(lens, words) & torch.ones(words, words).tril(-1).bool()
        ),
        "a key must pass both masks, so it is `&`, not `|`.": lambda lens, words: (
            real_words(lens, words) | torch.ones(words, words).tril().bool()
        ),
        "this hides the queries of the padding. Its keys are what nobody may see: they are the "
        "last axis.": lambda lens, words: (
            real_words(lens, words).mT & torch.ones(words, words).tril().bool()
        ),
        "the triangle is upside down: this shows the future and hides the past.": (
            lambda lens, words: real_words(lens, words) & torch.ones(words, words).triu().bool()
        ),
        "the causal mask is missing.": lambda lens, words: real_words(lens, words).expand(
            len(lens), 1, words, words
        ),
    },
)


def lengths_of(mask):
    counts = mask.sum(dim=-1)  # (queries,)
    rebuilt = torch.arange(mask.shape[-1]) < counts[:, None]  # (queries, keys)
    return torch.where((rebuilt == mask).all(dim=-1), counts, -1)


def rows(*rows):
    return (torch.tensor(rows, dtype=torch.bool),)


def last_seen(mask):
    return (mask * torch.arange(1, mask.shape[-1] + 1)).amax(dim=-1)


def no_empty_row(mask):
    return torch.where(mask.any(dim=-1), lengths_of(mask), -1)


def first_hidden(mask):
    return mask.long().cumprod(dim=-1).sum(dim=-1)


as_lengths = Exercise(
    cases=lambda: [
        rows([1, 1, 0, 0], [0, 1, 1, 0], [1, 0, 1, 1], [0, 0, 0, 0]),
        rows([1, 0, 0], [1, 1, 0], [1, 1, 1]),
        rows([0, 1], [1, 1], [0, 0]),
    ],
    expected=lengths_of,
    praise="Padding on the right and causal masks are lengths; holes and windows are not.",
    slips={
        "counting is not enough: a row with a hole, or one that begins hidden, must give -1.": (
            lambda mask: mask.sum(dim=-1)
        ),
        "that is the place of the last key that is seen. What of the hidden ones before it?": (
            last_seen
        ),
        "that counts the keys before the first hidden one. If others are seen after it, the "
        "answer is -1.": first_hidden,
        "a row that sees nothing has a length: 0.": no_empty_row,
        "the lengths belong to queries, which are the rows; these are columns.": (
            lambda mask: lengths_of(mask.T)
        ),
    },
)


def split(X, num_heads):
    return X.unflatten(-1, (num_heads, -1)).transpose(1, 2)


def sentences(*shape):
    return torch.randn(shape, generator=torch.Generator().manual_seed(sum(shape)))


heads = Exercise(
    cases=lambda: [(sentences(2, 3, 8), 4), (sentences(1, 5, 6), 2), (sentences(3, 2, 2), 1)],
    expected=split,
    praise="Each head has a slice of every word, and all words of it.",
    slips={
        "`reshape` alone cuts the numbers at other places: a head gets several slices of one word "
        "instead of one slice of each.": lambda X, h: X.reshape(len(X), h, X.shape[1], -1),
        "the words and the heads still have to change places.": lambda X, h: X.unflatten(
            -1, (h, -1)
        ),
        "the numbers of a head stand next to each other: the first D/h belong to the first head. "
        "This deals them out one by one, like cards.": (
            lambda X, h: X.unflatten(-1, (-1, h)).permute(0, 3, 1, 2)
        ),
        "the batch is the first axis and the heads are the second.": lambda X, h: split(
            X, h
        ).transpose(0, 1),
        "the last two axes are swapped: words first, then the numbers of a head.": lambda X, h: (
            split(X, h).mT
        ),
    },
)

reach = Exercise(
    cases=lambda: [(2, 4), (12, 5), (1, 4), (3, 1)],
    expected=lambda layers, width: layers * (width - 1) + 1,
    praise="Each layer carries news width - 1 words further than the one before.",
    slips={
        "one layer sees that far. In the next one, the words that it sees have seen others.": (
            lambda layers, width: width
        ),
        "the windows overlap: the word itself is counted once in each layer.": (
            lambda layers, width: layers * width
        ),
        "the windows lie side by side, so their reach adds up; it does not multiply.": (
            lambda layers, width: width**layers
        ),
        "the word itself belongs to what it can know of.": lambda layers, width: (
            layers * (width - 1)
        ),
        "this window looks back only. Nothing comes from the right.": lambda layers, width: (
            2 * layers * (width - 1) + 1
        ),
    },
)


def causal_heads(X, W_q, W_k, W_v, W_o, num_heads, scale=None, causal=True, cut=split):
    q, k, v = (cut(X @ W.T, num_heads) for W in (W_q, W_k, W_v))  # (B, h, S, d_k)
    scores = q @ k.mT / (scale or math.sqrt(q.shape[-1]))  # (B, h, S, S)
    if causal:
        future = torch.ones(scores.shape[-2:]).triu(1).bool()
        scores = scores.masked_fill(future, -torch.inf)
    pooled = F.softmax(scores, dim=-1) @ v  # (B, h, S, d_k)
    return pooled.transpose(1, 2).flatten(2) @ W_o.T  # (B, S, D)


def model(batch, words, size, num_heads):
    X = sentences(batch, words, size)
    maps = torch.randn(4, size, size, generator=torch.Generator().manual_seed(size))
    return (X, *maps / math.sqrt(size), num_heads)


multi_head = Exercise(
    cases=lambda: [model(2, 3, 8, 4), model(1, 5, 6, 2), model(2, 4, 3, 1)],
    expected=causal_heads,
    praise="That is the layer that language models are made of.",
    slips={
        "the scale is that of a head: divide by the root of D / h, not of D.": (
            lambda X, q, k, v, o, h: causal_heads(X, q, k, v, o, h, math.sqrt(X.shape[-1]))
        ),
        "the scores are not divided by the root of a head's size.": (
            lambda X, q, k, v, o, h: causal_heads(X, q, k, v, o, h, 1.0)
        ),
        "W_o is missing: the heads stand side by side, and nothing mixes them.": (
            lambda X, q, k, v, o, h: causal_heads(X, q, k, v, torch.eye(X.shape[-1]), h)
        ),
        "the causal mask is missing: every word reads the future.": (
            lambda X, q, k, v, o, h: causal_heads(X, q, k, v, o, h, causal=False)
        ),
        "(9.1) has columns. For words in rows it is X @ W.T.": (
            lambda X, q, k, v, o, h: causal_heads(X, q.T, k.T, v.T, o.T, h)
        ),
        "the heads are cut by `reshape` alone, which mixes the words.": (
            lambda X, q, k, v, o, h: causal_heads(
                X, q, k, v, o, h, cut=lambda Y, h: Y.reshape(len(Y), h, Y.shape[1], -1)
            )
        ),
        "this is one head for everything: cut queries, keys and values into heads first.": (
            lambda X, q, k, v, o, h: causal_heads(X, q, k, v, o, 1)
        ),
    },
)
