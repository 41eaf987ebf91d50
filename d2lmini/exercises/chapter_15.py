"""The exercises of chapter 15, four frameworks; they need none but PyTorch."""

import math

import torch

from .checking import Exercise

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

times = Exercise(
    expected=2,
    praise="One trace for each shape. Other numbers of the same shape play the recording.",
    slips={
        "print is Python. It runs while the function is traced, not at each call.": 5,
        "another shape needs another trace: (2, 12) is not (2, 10).": 1,
        "a trace is kept: when (2, 10) comes back, nothing is traced.": 3,
        "other numbers in an array of the same shape and type are no reason to trace again.": 4,
        "the first call traces, and print runs then.": 0,
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
