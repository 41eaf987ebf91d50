"""The exercises of chapter 10, heads and order."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from .checking import Exercise
from .step import NO_LENGTHS, Step
from .whole import attention

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


def split(x, heads):
    batch, words, size = x.shape
    x = x.reshape(batch, words, heads, size // heads).transpose(1, 2)
    return x.reshape(batch * heads, words, size // heads)


def join(x, heads):
    x = x.reshape(-1, heads, *x.shape[1:]).transpose(1, 2)
    return x.reshape(*x.shape[:2], -1)


class MultiHead(nn.Module):
    def __init__(self, size, heads):
        super().__init__()
        self.heads = heads
        maps = [nn.Linear(size, size, bias=False) for _ in range(4)]
        self.W_q, self.W_k, self.W_v, self.W_o = maps

    def forward(self, x, valid_lens=None):
        q, k, v = (split(W(x), self.heads) for W in (self.W_q, self.W_k, self.W_v))
        if valid_lens is not None:
            valid_lens = valid_lens.repeat_interleave(self.heads, dim=0)
        return self.W_o(join(attention(q, k, v, valid_lens), self.heads))


def layers():
    for seed, (batch, words, size, heads, lens) in enumerate(
        [
            (1, 4, 6, 2, None),
            (3, 3, 8, 4, torch.tensor([3, 1, 2])),
            (2, 3, 4, 2, torch.tensor([[1, 2, 3], [1, 2, 2]])),
            (2, 2, 3, 1, torch.tensor([0, 2])),
        ]
    ):
        generator = torch.Generator().manual_seed(seed)
        x = torch.randn(batch, words, size, generator=generator)
        yield (size, heads), torch.randn(4, size, size, generator=generator), x, lens


def by_heads(
    cut=split, paste=join, lens=lambda n, heads: n.repeat_interleave(heads, dim=0), out=True, **how
):
    """A slip: heads that are cut, put together or given their lengths in another way."""

    def slip(sizes, weights, x, valid_lens):
        heads = how.get("heads") or sizes[1]
        q, k, v = (cut(x @ W.T, heads) for W in weights[:3])
        found = None if valid_lens is None else lens(valid_lens, heads)
        joined = paste(attention(q * how.get("scale", lambda h: 1)(heads), k, v, found), heads)
        return joined @ weights[3].T if out else joined

    return slip


def cut_alone(x, heads):
    return x.reshape(len(x) * heads, x.shape[1], -1)


def dealt(x, heads):
    return x.unflatten(-1, (-1, heads)).permute(0, 3, 1, 2).flatten(0, 1)


step = Step(
    chapter=10,
    cases=lambda: list(layers()),
    expected=MultiHead,
    praise="Heads stand in the minibatch, and your attention has not noticed.",
    slips={
        "split cuts by reshape alone, which mixes the words: transpose between.": by_heads(
            cut=cut_alone
        ),
        "join puts together by reshape alone, which mixes the words: transpose back.": by_heads(
            paste=lambda x, heads: x.reshape(len(x) // heads, x.shape[1], -1)
        ),
        "split and join reshape alone, which mixes the words: transpose between.": by_heads(
            cut_alone, lambda x, heads: x.reshape(len(x) // heads, x.shape[1], -1)
        ),
        "a head's numbers stand next to each other; this deals them out one by one.": by_heads(
            cut=dealt
        ),
        "each length belongs to all heads of its example: repeat_interleave, not repeat.": by_heads(
            lens=lambda n, heads: n.repeat(heads, *[1] * (n.ndim - 1))
        ),
        "the lengths don't count: nothing is hidden.": by_heads(lens=lambda n, heads: None),
        "W_o is missing: the heads stand side by side, and nothing mixes them.": by_heads(
            out=False
        ),
        "this is one head for everything: split queries, keys and values first.": by_heads(heads=1),
        "a head divides by the root of its own size already; this divides twice.": (
            lambda sizes, weights, *rest: by_heads(scale=lambda heads: (sizes[0] // heads) ** -0.5)(
                sizes, weights, *rest
            )
        ),
        "the heads' outputs are averaged; they stand side by side.": by_heads(
            paste=lambda x, heads: x.unflatten(0, (-1, heads)).mean(dim=1).repeat(1, 1, heads)
        ),
    },
    within={
        "split": Exercise(
            cases=lambda: [
                (torch.arange(24.0).reshape(2, 3, 4), 2),
                (torch.arange(6.0).reshape(1, 1, 6), 3),
            ],
            expected=split,
            praise="Heads side by side in the minibatch.",
            slips={
                "all heads of the first example come first; here the first head of all does.": (
                    lambda x, heads: torch.cat(x.chunk(heads, dim=-1))
                ),
                "cut by reshape alone, the words are mixed: transpose between.": cut_alone,
                "a head's numbers stand next to each other; this deals them out one by one.": dealt,
                "the heads have an axis of their own; they belong into the minibatch.": (
                    lambda x, heads: x.unflatten(-1, (heads, -1)).transpose(1, 2)
                ),
            },
        )
    },
    failures={
        "the maps are called W_q, W_k, W_v and W_o.": "has no attribute 'W_|'ellipsis'",
        "a module is made first: super().__init__() before all else.": "before Module.__init__",
        "valid_lens may be None: then every key counts.": NO_LENGTHS,
        "there are batch times heads examples now, each with lengths: repeat_interleave, dim=0.": (
            "must match|broadcast"
        ),
        "split gives (batch * heads, words, size / heads), and join the way back.": (
            "invalid for input|cannot be multiplied|Expected size|size mismatch"
        ),
    },
)
