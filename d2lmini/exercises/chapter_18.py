"""The exercises of chapter 18, a field guide."""

import math
from functools import partial

import torch

from ..scores import rotary, rotary_frequencies, soft_cap
from .checking import Exercise

capped = Exercise(
    expected=50 * math.tanh(0.5),
    tolerance=2e-4,
    praise="A root of 256, which the configuration names, then a cap of 50.",
    slips={
        "that is the score before the cap: 50 tanh(s / 50) comes next.": 25.0,
        "you divided by the root of hidden_size; query_pre_attn_scalar stands there.": (
            50 * math.tanh(400 / math.sqrt(2304) / 50)
        ),
        "you divided by query_pre_attn_scalar itself; its root divides.": (
            50 * math.tanh(400 / 256 / 50)
        ),
        "final_logit_softcapping is for the words' logits at the end, not for scores.": (
            30 * math.tanh(25 / 30)
        ),
        "the cap comes after the factor.": 50 * math.tanh(8) / 16,
    },
)

quarter = Exercise(
    expected=[24, 12],
    praise="A quarter of 96 numbers turns, in 12 pairs; 72 numbers have no place.",
    slips={
        "a head has 6144 / 64 = 96 numbers; a quarter of them turns.": [96, 48],
        "two numbers make one pair.": [24, 24],
        "that is a quarter of all heads together; each head turns for itself.": [1536, 768],
        "those are the numbers that do not turn.": [72, 36],
    },
)

no_root = Exercise(
    expected=1 / (1 + math.exp(-4)),
    tolerance=6e-4,
    praise="T5 divides by nothing, and an equal bias changes no weight.",
    slips={
        "T5 does not divide by the root of d_kv.": 1 / (1 + math.exp(-0.5)),
        "the bias is added to both scores: it cancels.": 1 / (1 + math.exp(-5)),
        "that is the weight of the other key.": 1 / (1 + math.exp(4)),
        "a difference of 4 between scores does not make equal weights.": 0.5,
    },
)


def heads():
    generator = torch.Generator().manual_seed(184)
    return [tuple(3 * torch.randn(2, h, n, 32, generator=generator)) for h, n in ((1, 4), (3, 6))]


def bounded(q, k, normed=True, numbers=16, interleaved=False, factor=1, cap=20):
    if normed:
        q, k = (x / x.square().mean(dim=-1, keepdim=True).sqrt() for x in (q, k))
    frequencies = rotary_frequencies(numbers)
    q, k = (rotary(x, frequencies=frequencies, interleaved=interleaved) for x in (q, k))
    scores = factor * q @ k.mT
    return soft_cap(scores, cap) if cap else scores


read = Exercise(
    cases=heads,
    expected=bounded,
    tolerance=1e-4,
    praise="A norm of each head, half of it turned, 1 in place of 1/√32, and a cap.",
    slips={
        "`rms` comes first: norm each head.": partial(bounded, normed=False),
        "16 of 32 numbers turn: turn=0.5.": partial(bounded, numbers=32),
        "Llama's `rotate_half` joins halves, not neighbours.": partial(bounded, interleaved=True),
        "`self.scaling` is 1, not 1/√32.": partial(bounded, factor=32**-0.5),
        "the last line is a cap of 20.": partial(bounded, cap=None),
    },
)

seat = Exercise(
    expected=1 / 3,
    tolerance=6e-4,
    praise="Three equal scores, and the third brings no value.",
    slips={
        "divide the products by 8, and give the sink its share.": 0.5,
        "the 1.81 of yarn is already in the products.": 1 / (2 + math.exp(2 - 2 * 1.8131)),
        "head_dim is 64: do not divide 2880 by 64.": (1 / (2 + math.exp(2 - 16 / math.sqrt(45)))),
        "the sink is a score beside the others: its exponential is e^2, not 2.": (
            math.exp(2) / (2 * math.exp(2) + 2)
        ),
    },
)


def models():
    return [(36, 4), (8, 4), (6, 3), (5, 2)]


layers = Exercise(
    cases=models,
    expected=lambda n, every: ((torch.arange(n) + 1) % every != 0).float(),
    praise="The last layer of each group does not turn.",
    slips={
        "1 is for a layer that turns.": (
            lambda n, every: ((torch.arange(n) + 1) % every == 0).float()
        ),
        "the first layer turns: the last of each group does not.": (
            lambda n, every: (torch.arange(n) % every != 0).float()
        ),
        "that is one group; a model has num_layers layers.": (
            lambda n, every: ((torch.arange(every) + 1) % every != 0).float()
        ),
    },
)


def latents():
    generator = torch.Generator().manual_seed(18)
    sizes = ((2, 3, 4, 5, 6), (1, 2, 8, 3, 4))  # heads, queries, d, r, keys
    return [
        (
            torch.randn(h, n, d, generator=generator),
            torch.randn(h, d, r, generator=generator),
            torch.randn(m, r, generator=generator),
        )
        for h, n, d, r, m in sizes
    ]


absorbed = Exercise(
    cases=latents,
    expected=lambda q, W, c: q @ W @ c.mT / math.sqrt(q.shape[-1]),
    praise="Right scores. With `q @ W` first, no key was made.",
    slips={
        "the factor is missing: divide by the root of d, the size of a query.": (
            lambda q, W, c: q @ W @ c.mT
        ),
        "divide by the root of the query's size, not of the latent's.": (
            lambda q, W, c: q @ W @ c.mT / math.sqrt(c.shape[-1])
        ),
        "give back (heads, queries, keys), not (heads, keys, queries).": (
            lambda q, W, c: (q @ W @ c.mT).mT / math.sqrt(q.shape[-1])
        ),
    },
)
