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
        "500.4 lies nearer to 500 than to 501: round to the nearest, not up.": [
            505,
            502,
        ],
    },
)


def exponent(x):
    return math.floor(math.log2(abs(x)))


gap = Exercise(
    cases=lambda: [(3e6,), (1e9,), (-2e7,), (5e4,), (65536.0,)],
    expected=lambda x: 2.0 ** (exponent(x) - 23),
    tolerance=1e-9,
    praise="Above 16,777,216 a float32 can't even count in ones.",
    slips={
        "that is the gap above 1. It doubles with every power of two.": lambda x: 2.0**-23,
        "the gap is the same all the way from one power of two to the next; this grows in "
        "between.": lambda x: abs(x) * 2.0**-23,
        "that is half the gap, the largest error of rounding.": lambda x: 2.0 ** (exponent(x) - 24),
        "that is float64, with 52 places after the first. float32 has 23.": lambda x: (
            2.0 ** (exponent(x) - 52)
        ),
        "round the logarithm down, not up: 2^e must not be larger than |x|.": lambda x: (
            2.0 ** (math.ceil(math.log2(abs(x))) - 23)
        ),
        "the gap doubles at powers of two, so the logarithm must be a whole number.": lambda x: (
            2.0 ** (math.log2(abs(x)) - 24)
        ),
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


def add_in_pairs(x):
    while len(x) > 1:
        x = x[0::2] + x[1::2]
    return x[0]


def add_from_the_left(x):
    total = x[0]
    for term in x[1:]:
        total = total + term
    return total


def half(*numbers):
    return (torch.tensor(numbers, dtype=torch.float16),)


in_pairs = Exercise(
    cases=lambda: [half(1, 2, 3, 4), half(2048, 1, 1, 1), (torch.ones(4096).half(),)],
    expected=add_in_pairs,
    praise="4096 ones make 4096, after twelve roundings for each.",
    slips={
        "that is one after another: at 2048 the next 1 no longer fits into float16.": (
            add_from_the_left
        ),
        "this adds in a longer format and rounds once. Stay in the format of x: neighbours, then "
        "neighbours of these, and so on.": lambda x: x.double().sum().to(x.dtype),
        "one round of pairs is not enough: go on until a single number is left.": (
            lambda x: x[0::2] + x[1::2]
        ),
        "that is the mean. Nothing is divided here.": lambda x: add_in_pairs(x) / len(x),
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


def highest_weight(weight, eps):
    up = weight * math.exp(2 * eps)
    return up / (1 - weight + up)


highest = Exercise(
    cases=lambda: [(0.5, 0.1), (0.9, 0.3), (0.01, 0.5), (1.0, 0.2)],
    expected=highest_weight,
    praise="For a small weight the factor comes close to exp(2 eps), the bound of (15.4).",
    slips={
        "that is the bound of (15.4), which may exceed 1. What becomes of the sum below?": (
            lambda weight, eps: weight * math.exp(2 * eps)
        ),
        "the other scores may move as well, and they move down.": lambda weight, eps: (
            weight * math.exp(eps) / (1 - weight + weight * math.exp(eps))
        ),
        "that is how low it can fall.": lambda weight, eps: highest_weight(weight, -eps),
        "a small step along the slope is only nearly right.": lambda weight, eps: (
            weight * (1 + 2 * eps * (1 - weight))
        ),
        "its own score is in the sum below as well.": lambda weight, eps: (
            weight * math.exp(eps) / ((1 - weight) * math.exp(-eps) + weight)
        ),
        "the score moves, not the weight: exponentials move by factors.": lambda weight, eps: (
            weight + 2 * eps
        ),
    },
)
