"""The exercises of chapter 10, heads and order."""

import math

import torch
import torch.nn.functional as F

from .checking import Exercise

VALUES = torch.tensor([[2.0, 4.0], [4.0, 1.0], [1.0, 2.0]], dtype=torch.float64)  # dog, saw, cat
SCORES = torch.tensor(
    [[2.0, 0.0], [0.0, 0.0], [1.0, 0.0]], dtype=torch.float64
)  # of saw: a column for each head
MIXED = [[1.0, 1.0], [0.0, 1.0]]  # W_o


def of_saw(W_o=MIXED, sharpness=1.0, seen=2, late=False):
    weights = F.softmax(sharpness * SCORES[: 3 if late else seen], dim=0)[:seen]  # (seen, heads)
    return (VALUES.new_tensor(W_o) @ (weights * VALUES[:seen]).sum(dim=0)).tolist()


by_hand = Exercise(
    expected=of_saw(),
    praise="Head 1 leans towards dog; head 2 shares out evenly between the two that saw may see.",
    tolerance=4e-3,
    slips={
        "that is what the heads bring; W_o comes after it.": of_saw([[1.0, 0.0], [0.0, 1.0]]),
        "W_o is transposed: its first row is (1, 1).": of_saw([[1.0, 0.0], [1.0, 1.0]]),
        "that is without the mask: cat comes after saw.": of_saw(seen=3),
        "the mask is too late: what cat had is lost.": of_saw(late=True),
        "here the scores are divided by the root of 2, as in chapter 9. A head of one number "
        "divides by the root of 1.": of_saw(sharpness=1 / math.sqrt(2)),
    },
)

triangle = Exercise(
    expected=[6.0, 8.0],
    praise="One head stays in the triangle; two reach (4, 4), and that lies outside of it.",
    slips={
        "with two heads, the first number may come from saw and the second from dog.": [6.0, 6.0],
        "one head has one row of weights: it can't take 4 from saw and 4 from dog in full.": (
            [8.0, 8.0]
        ),
        "two heads do not add up here: each brings one of the two numbers.": [6.0, 12.0],
        "these are sums under equal weights; the weights may be any.": [14 / 3, 14 / 3],
        "saw has the sum 5; another word has more.": [5.0, 8.0],
    },
)


def silenced(W_o, num_heads, head, rows=False, others=False):
    size = W_o.shape[1] // num_heads
    own = torch.arange(W_o.shape[1]) // size == head - 1  # (D,), the numbers of this head
    zero = ~own if others else own
    return W_o.masked_fill(zero[:, None] if rows else zero, 0)


def dealt(W_o, num_heads, head):
    own = torch.arange(W_o.shape[1]) % num_heads == head - 1
    return W_o.masked_fill(own, 0)


def square(size):
    return torch.randn(size, size, generator=torch.Generator().manual_seed(size))


without = Exercise(
    cases=lambda: [(square(6), 3, 2), (square(8), 2, 1), (square(4), 4, 4)],
    expected=silenced,
    praise="The block of columns that meets what this head brings. Chapter 13 does it to a model.",
    slips={
        "these are rows. What the heads bring meets the columns of W_o.": (
            lambda W_o, num_heads, head: silenced(W_o, num_heads, head, rows=True)
        ),
        "the heads count from 1, so the first one has the columns 0 to d_k - 1.": (
            lambda W_o, num_heads, head: silenced(W_o, num_heads, head + 1)
        ),
        "now only this head is heard; it should be the silent one.": (
            lambda W_o, num_heads, head: silenced(W_o, num_heads, head, others=True)
        ),
        "the columns of a head stand next to each other; these are dealt out like cards.": dealt,
        "a head has D / h columns, here only one is 0.": lambda W_o, num_heads, head: (
            W_o.index_fill(1, torch.tensor([(head - 1) * (len(W_o) // num_heads)]), 0)
        ),
    },
)

parameters = Exercise(
    cases=lambda: [(12, 6, 2), (8, 8, 1), (6, 3, 3)],
    expected=lambda D, num_heads, groups: 2 * D * D + 2 * groups * (D // num_heads) * D,
    praise="W_q and W_o stay; keys and values shrink.",
    slips={
        "that is the layer without sharing.": lambda D, num_heads, groups: 4 * D * D,
        "keys and values both shrink: the groups count twice.": lambda D, num_heads, groups: (
            2 * D * D + groups * (D // num_heads) * D
        ),
        "W_o is missing.": lambda D, num_heads, groups: D * D + 2 * groups * (D // num_heads) * D,
        "a map leads from D numbers to D / num_heads, not to D.": lambda D, num_heads, groups: (
            2 * D * D + 2 * groups * D * D
        ),
        "the queries are not shared: each head has its own.": lambda D, num_heads, groups: (
            D * D + 3 * groups * (D // num_heads) * D
        ),
    },
)

brings = Exercise(
    cases=lambda: [(1,), (2,), (3,), (8,)],
    expected=lambda i: 1.0 if i == 1 else 1 / (i + 2),
    praise="1, 1/4, 1/5, ...: still a different number at each place.",
    slips={
        "the first word sees itself alone, so its weight is 1, whatever its score is.": (
            lambda i: 1 / (i + 2)
        ),
        "that is (10.4), with equal scores.": lambda i: 1 / i,
        "that is the weight of the word itself; the value is 1 at the first word only.": (
            lambda i: 3 / (i + 2)
        ),
        "word i sees i words in all: i - 1 with 1, and itself with 3.": (
            lambda i: 1.0 if i == 1 else 1 / (i + 3)
        ),
        "the exponential of ln 3 is 3, not ln 3.": lambda i: (
            1.0 if i == 1 else 1 / (i - 1 + math.log(3))
        ),
    },
)


def split(X, num_heads):
    return X.unflatten(-1, (num_heads, -1)).transpose(1, 2)


def causal_heads(X, W_q, W_k, W_v, W_o, num_heads, scale=None, causal=True, cut=split):
    q, k, v = (cut(X @ W.T, num_heads) for W in (W_q, W_k, W_v))  # (B, h, S, d_k)
    scores = q @ k.mT / (scale or math.sqrt(q.shape[-1]))  # (B, h, S, S)
    if causal:
        future = torch.ones(scores.shape[-2:]).triu(1).bool()
        scores = scores.masked_fill(future, -torch.inf)
    pooled = F.softmax(scores, dim=-1) @ v  # (B, h, S, d_k)
    return pooled.transpose(1, 2).flatten(2) @ W_o.T  # (B, S, D)


def model(batch, words, size, num_heads):
    generator = torch.Generator().manual_seed(batch + words + size)
    X = torch.randn(batch, words, size, generator=generator)
    maps = torch.randn(4, size, size, generator=torch.Generator().manual_seed(size))
    return (X, *maps / math.sqrt(size), num_heads)


multi_head = Exercise(
    cases=lambda: [model(2, 3, 8, 4), model(1, 5, 6, 2), model(2, 4, 3, 1)],
    expected=causal_heads,
    praise="Attentions side by side, added up: no axis of heads was needed.",
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
        "the blocks of W_o are blocks of columns; these are rows.": (
            lambda X, q, k, v, o, h: causal_heads(X, q, k, v, o.T, h)
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
