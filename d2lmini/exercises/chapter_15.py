"""The exercises of chapter 15, four frameworks; one needs JAX, where it is answered."""

import math

import torch

from . import chapter_06, whole
from .chapter_05 import three_stacks
from .checking import Exercise
from .step import NO_LENGTHS, Step

two_sums = Exercise(
    expected=[500, 502],
    praise="From the left each small price is lost alone; together they are 2.",
    slips={
        "after each step the sum has only three digits: 500.4 becomes 500, five times.": (
            [502, 502]
        ),
        "the second waiter adds the small prices first, and 0.4 + 0.4 fits into three digits.": (
            [500, 500]
        ),
        "the right sums in the wrong order: the first waiter begins with 500.": [
            502,
            500,
        ],
        "500.4 lies nearer to 500 than to 501: round to the nearest, not up.": [505, 502],
    },
)


reports = Exercise(
    expected="wtomo",
    example="abcde",
    praise="A decimal, a place and a pattern are enough to name a suspect.",
    slips={
        "report 3: a processor has no TF32. How far apart are float32 numbers near 5000?": "wttmo",
        "report 2: with scores near 2, another order changes the seventh decimal, not the "
        "fourth.": "woomo",
        "report 5: both multiply in full float32 now, and the seventh decimal is what that "
        "leaves.": "wtomt",
        "report 1: a mask changes rows with padding. Here everything differs, from the first "
        "decimal.": "mtomo",
        "report 4: a matrix that was not transposed spares no row, and no ratio.": "wtowo",
        "report 4: no rounding makes all weights of a row smaller by one factor.": "wtooo",
        "report 4: TF32 needs a graphics card, and spares no row.": "wtoto",
    },
)

NEW_WORDS = ("dim=-1", "transpose(1, 2)", "turned round", "lengths don't count")


def of_chapter_6(part):
    """The slip of chapter 6 whose sentence has this part."""
    (slip,) = (slip for why, slip in chapter_06.step.slips.items() if part in why)
    return slip


step = Step(
    chapter=15,
    library="jax.numpy",
    cases=lambda: list(three_stacks()),
    expected=whole.attention,
    praise="Other names, the same attention.",
    slips={
        **{
            why: slip
            for why, slip in chapter_06.step.slips.items()
            if not any(word in why for word in NEW_WORDS)
        },
        "the mask is turned round: it hides what is real and shows the padding. In where=, True is "
        "look here.": of_chapter_6("turned round"),
        "the lengths don't count. Did you keep what .at[...].set(...) or jnp.where gives? An array "
        "of JAX never changes.": of_chapter_6("lengths don't count"),
        "the softmax does not run along the keys, the last axis, axis=-1.": (
            of_chapter_6("does not run along the keys")
        ),
        "the softmax runs along the minibatch; the keys are the last axis, axis=-1.": (
            of_chapter_6("runs along the minibatch")
        ),
        "keys.reshape keeps the order of the numbers; keys.mT turns each matrix.": (
            of_chapter_6("keys.reshape")
        ),
    },
    failures={
        "the function gets JAX's arrays, which PyTorch does not take: jnp and jax.nn have what is "
        "needed.": "must be Tensor|expected Tensor|'Tensor'",
        "that is PyTorch's word. JAX says axis for dim, jnp.where for masked_fill, x[:, None] for "
        "unsqueeze, .mT for transpose(1, 2).": (
            "'dim'|Array(Impl)?' object has no attribute|[Tt]racer.* has no attribute|permutation"
            r"|transpose\(\) takes"
        ),
        "an array of JAX never changes: jnp.where(...) makes a new one, and so does "
        "x.at[...].set(...).": "immutable|read-only",
        "valid_lens may be None: then every key counts.": f"{NO_LENGTHS}|NoneType'> at|None is not",
        "a mask is (batch, 1 or queries, keys), of True and False; .at[...] takes one with the "
        "shape of the scores.": "for broadcasting|boolean",
        "two of these shapes don't fit. Keys stand in rows: keys.mT turns each matrix of the "
        "minibatch.": "contracting dimensions|for matmul",
    },
)


def to_kernels(in_proj_weight, num_heads):
    maps = in_proj_weight.unflatten(0, (3, -1))  # (3, D, D), outputs first
    return maps.mT.unflatten(-1, (num_heads, -1))  # (3, D, heads, D / heads)


def stacked(size):
    random = torch.Generator().manual_seed(size)
    return torch.randn(3 * size, size, generator=random)


kernels = Exercise(
    cases=lambda: [(stacked(6), 3), (stacked(8), 2), (stacked(4), 4)],
    expected=to_kernels,
    praise="Inputs first, then the heads, then the numbers of a head.",
    slips={
        "the maps are not transposed. PyTorch keeps (outputs, inputs), Keras (inputs, outputs).": (
            lambda W, h: W.unflatten(0, (3, -1)).unflatten(-1, (h, -1))
        ),
        "the heads come before the numbers of a head.": lambda W, h: to_kernels(W, h).mT,
        "cut the outputs into heads, not the inputs: this has the heads in front.": (
            lambda W, h: to_kernels(W, h).transpose(1, 2)
        ),
        "the numbers of a head lie next to each other. This deals the outputs out like cards.": (
            lambda W, h: W.unflatten(0, (3, -1)).mT.unflatten(-1, (-1, h)).mT
        ),
        "the three maps lie below each other, in the first axis. This mixes their rows.": (
            lambda W, h: W.unflatten(0, (-1, 3)).permute(1, 2, 0).unflatten(-1, (h, -1))
        ),
    },
)


def score_error(queries, keys):
    rounded = queries.bfloat16().double() @ keys.bfloat16().double().T
    return (rounded - queries @ keys.T).abs().max() / math.sqrt(queries.shape[-1])


def random_rows(n, m, d):
    random = torch.Generator().manual_seed(d)
    return (
        torch.randn(n, d, dtype=torch.float64, generator=random),
        torch.randn(m, d, dtype=torch.float64, generator=random),
    )


def scaled_difference(queries, keys, rounded):
    return (rounded - queries @ keys.T) / math.sqrt(queries.shape[-1])


worst_error = Exercise(
    cases=lambda: [random_rows(3, 5, 16), random_rows(20, 10, 64), random_rows(4, 4, 256)],
    expected=score_error,
    praise="About 0.01 for every d: the division by the root of d takes the growth away.",
    slips={
        "the scores are not divided by the root of d.": lambda q, k: (
            score_error(q, k) * math.sqrt(q.shape[-1])
        ),
        "divide by the root of d, not by d.": lambda q, k: (
            score_error(q, k) / math.sqrt(q.shape[-1])
        ),
        "this rounds the finished scores. It is the factors that lose their digits.": lambda q, k: (
            scaled_difference(q, k, (q @ k.T).bfloat16().double()).abs().max()
        ),
        "both factors are rounded, the keys as well.": lambda q, k: (
            scaled_difference(q, k, q.bfloat16().double() @ k.T).abs().max()
        ),
        "that is the mean error. The worst one is asked for.": lambda q, k: (
            scaled_difference(q, k, q.bfloat16().double() @ k.bfloat16().double().T).abs().mean()
        ),
        "that is how far one score is off, not the worst of all.": lambda q, k: scaled_difference(
            q, k, q.bfloat16().double() @ k.bfloat16().double().T
        )[0, 0].abs(),
        "an error may be too low as well: take absolute values first.": lambda q, k: (
            scaled_difference(q, k, q.bfloat16().double() @ k.bfloat16().double().T).max()
        ),
    },
)


def gradient_of_entropy(weights):
    safe = torch.where(weights > 0, weights, 1)
    return torch.where(weights > 0, -safe.log() - 1, 0)


entropy_gradient = Exercise(
    cases=lambda: [
        (torch.tensor([0.5, 0.5, 0.0]),),
        (torch.tensor([[0.25, 0.25, 0.5, 0.0], [1.0, 0.0, 0.0, 0.0]]),),
    ],
    expected=gradient_of_entropy,
    praise="The logarithm never meets a 0, so there is nothing to become NaN.",
    slips={
        "NaN at the hidden keys: 0 times an infinite slope. Put a harmless number in front of "
        "the logarithm, too.": lambda w: torch.where(w > 0, -w.log() - 1, torch.nan),
        "infinite at the hidden keys. Their gradient must be 0.": lambda w: -w.log() - 1,
        "the sign is wrong: the entropy is minus the sum.": lambda w: -gradient_of_entropy(w),
        "by the product rule there is a second part: w times 1 / w is 1.": lambda w: torch.where(
            w > 0, -torch.where(w > 0, w, 1).log(), 0
        ),
        "a hidden key still has a gradient here, -1: `where` is needed outside as well.": (
            lambda w: -torch.where(w > 0, w, 1).log() - 1
        ),
        "a small number added to the weight makes a large gradient where it should be 0.": (
            lambda w: -(w + 1e-9).log() - w / (w + 1e-9)
        ),
    },
)
