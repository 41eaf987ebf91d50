"""The exercises of chapter 14, what attention costs."""

import math

import torch

from .checking import Exercise

by_hand = Exercise(
    expected=11 / 6,
    praise="1, then 1/3 + 1, then 4/3 + 1/2: what e^s divided by e^(ln 6) sums to, 11/6.",
    slips={
        "the largest score was never taken off: this is 2 + 6 + 3.": 11.0,
        "the first 1 was counted against the score ln 2. When ln 6 comes, it shrinks to 2/6.": 2.5,
        "ln 3 is no new largest score: it adds 3/6, not 1, and nothing is rescaled.": 4 / 6 + 1,
        "the rescaling is upside down: what was there shrinks, by 2/6, and does not grow.": 4.5,
        "that is the weight of the largest number, 1 / sum; the sum is asked for.": 6 / 11,
    },
)

score_bytes = Exercise(
    cases=lambda: [(4, 32, 8192, 2), (1, 1, 1000, 4), (3, 5, 7, 2), (64, 1, 100, 4)],
    expected=lambda batch, heads, n, size: batch * heads * n**2 * size,
    praise="4 texts, 32 heads, 8,192 words: 17 GB in half precision, for one layer.",
    slips={
        "each head has scores of its own.": lambda batch, heads, n, size: batch * n**2 * size,
        "each example has scores of its own.": lambda batch, heads, n, size: heads * n**2 * size,
        "each word scores all n words, so n stands there twice.": lambda batch, heads, n, size: (
            batch * heads * n * size
        ),
        "these are numbers; each of them takes several bytes.": lambda batch, heads, n, size: (
            batch * heads * n**2
        ),
        "examples never meet: the batch is a factor, it is not squared.": (
            lambda batch, heads, n, size: (batch * n) ** 2 * heads * size
        ),
        "these are bits, 8 for each byte.": lambda batch, heads, n, size: (
            8 * batch * heads * n**2 * size
        ),
    },
)


def line(x, y):
    """The slope of the straight line that fits best."""
    x, y = torch.as_tensor(x).double(), torch.as_tensor(y).double()
    x, y = x - x.mean(), y - y.mean()
    return (x * y).sum() / (x * x).sum()


def some_costs():
    sizes = torch.tensor([128.0, 256.0, 1024.0, 2048.0])
    bumps = torch.tensor([1.02, 0.97, 1.05, 0.99])
    return [(sizes, 3e-9 * sizes**2), (sizes, 5e-6 * sizes * bumps)]


exponent = Exercise(
    cases=some_costs,
    expected=lambda sizes, costs: line(sizes.log(), costs.log()),
    praise="The factor in front, and with it the machine, is gone; the exponent is left.",
    slips={
        "take the logarithm of both first: this is the slope of the plain numbers.": line,
        "take the logarithm of the sizes too.": lambda sizes, costs: line(sizes, costs.log()),
        "that is the other way round: the costs belong on the vertical axis.": (
            lambda sizes, costs: line(costs.log(), sizes.log())
        ),
        "a line through the origin is no fit: take the means of both logarithms off first.": (
            lambda sizes, costs: (sizes.log() * costs.log()).sum() / sizes.log().square().sum()
        ),
        "the quotient of two logarithms still holds the factor in front; a slope is a quotient "
        "of differences.": lambda sizes, costs: (costs.log() / sizes.log()).mean(),
    },
)

seconds_per_word = Exercise(
    cases=lambda: [
        (100_000, 32, 8, 128, 4, 2.0e12),
        (4096, 12, 12, 64, 2, 1.0e10),
        (10, 2, 3, 5, 2, 100.0),
    ],
    expected=lambda m, layers, heads, d, size, bandwidth: (
        2 * layers * heads * m * d * size / bandwidth
    ),
    praise="Every key and every value of every layer and head has to come by, for one word.",
    slips={
        "the values have to come by too.": lambda m, layers, heads, d, size, bandwidth: (
            layers * heads * m * d * size / bandwidth
        ),
        "every layer has keys and values of its own.": (
            lambda m, layers, heads, d, size, bandwidth: 2 * heads * m * d * size / bandwidth
        ),
        "every head has keys and values of its own.": (
            lambda m, layers, heads, d, size, bandwidth: 2 * layers * m * d * size / bandwidth
        ),
        "a number takes several bytes.": lambda m, layers, heads, d, size, bandwidth: (
            2 * layers * heads * m * d / bandwidth
        ),
        "only one query asks, so m is not squared.": (
            lambda m, layers, heads, d, size, bandwidth: (
                2 * layers * heads * m**2 * d * size / bandwidth
            )
        ),
        "that is upside down: words per second.": (
            lambda m, layers, heads, d, size, bandwidth: (
                bandwidth / (2 * layers * heads * m * d * size)
            )
        ),
    },
    tolerance=1e-7,
)


def merged(a, b):
    top = max(a[0], b[0])
    left, right = math.exp(a[0] - top), math.exp(b[0] - top)
    return top, a[1] * left + b[1] * right, a[2] * left + b[2] * right


def upside_down(a, b):
    top = max(a[0], b[0])
    left, right = math.exp(top - a[0]), math.exp(top - b[0])
    return top, a[1] * left + b[1] * right, a[2] * left + b[2] * right


def first_only(a, b):
    """Only the block read before is rescaled."""
    top = max(a[0], b[0])
    left = math.exp(a[0] - top)
    return top, a[1] * left + b[1], a[2] * left + b[2]


merge = Exercise(
    cases=lambda: [
        ((1.0, 2.0, 6.0), (3.0, 1.25, 5.0)),
        ((2.0, 3.0, 4.0), (1.0, 1.5, -2.0)),
        ((-300.0, 2.0, 1.0), (-301.0, 4.0, 8.0)),
    ],
    expected=merged,
    praise="Two summaries of three numbers become one, and no score is read again.",
    slips={
        "the two blocks measure from different maxima. Rescale both to the common one.": (
            lambda a, b: (max(a[0], b[0]), a[1] + b[1], a[2] + b[2])
        ),
        "maxima don't add up: the larger one is the maximum of both.": lambda a, b: (
            a[0] + b[0],
            *merged(a, b)[1:],
        ),
        "the exponent has the wrong sign: the factors must be at most 1.": upside_down,
        "only the first block is rescaled. The second may have the smaller maximum.": first_only,
        "the unfinished output must be rescaled as well as the sum.": lambda a, b: (
            *merged(a, b)[:2],
            a[2] + b[2],
        ),
        "averages of two blocks forget that one block may weigh more.": lambda a, b: (
            max(a[0], b[0]),
            (a[1] + b[1]) / 2,
            (a[2] + b[2]) / 2,
        ),
    },
)


def attend(queries, keys, values):
    return (queries @ keys.T).softmax(dim=-1) @ values


def in_blocks(queries, keys, values, block, rescale=True, outputs=True, stop=None):
    """Attention block by block, with slips to choose from."""
    top = torch.full((len(queries), 1), -math.inf)
    total, out = torch.zeros_like(top), torch.zeros(len(queries), values.shape[1])
    for j in range(0, len(keys) if stop is None else stop(len(keys), block), block):
        scores = queries @ keys[j : j + block].T
        new = torch.maximum(top, scores.amax(dim=1, keepdim=True))
        shrink = torch.exp(top - new) if rescale else torch.ones_like(new)
        weights = torch.exp(scores - new)
        total = total * shrink + weights.sum(dim=1, keepdim=True)
        out = out * (shrink if outputs else 1) + weights @ values[j : j + block]
        top = new
    return out / total


def averaged(queries, keys, values, block):
    parts = zip(keys.split(block), values.split(block), strict=True)
    return torch.stack([attend(queries, k, v) for k, v in parts]).mean(dim=0)


def streams():
    generator = torch.Generator().manual_seed(12)

    def one(n, m, d, v, block, loud):
        shapes = [(n, d), (m, d), (m, v)]
        q, k, values = (torch.randn(shape, generator=generator) for shape in shapes)
        return loud * q, k, values, block

    return [one(3, 8, 4, 2, 2, 1.0), one(2, 7, 3, 3, 3, 1.0), one(2, 9, 16, 1, 4, 25.0)]


streaming = Exercise(
    cases=streams,
    expected=lambda queries, keys, values, block: attend(queries, keys, values),
    praise="Seven keys in blocks of three, scores of a hundred and more: the plain attention.",
    slips={
        "the weights of a block sum to 1 within the block. Blocks can't be averaged.": averaged,
        "what was summed up before must be rescaled when the maximum grows.": (
            lambda q, k, v, block: in_blocks(q, k, v, block, rescale=False, outputs=False)
        ),
        "the sum is rescaled, the unfinished output is not.": lambda q, k, v, block: in_blocks(
            q, k, v, block, outputs=False
        ),
        "the last block is lost when the keys don't divide evenly.": (
            lambda q, k, v, block: in_blocks(
                q, k, v, block, stop=lambda m, block: m // block * block
            )
        ),
        "no maximum is taken off: exp of a few hundred is infinite.": lambda q, k, v, block: (
            (q @ k.T).exp() @ v / (q @ k.T).exp().sum(dim=1, keepdim=True)
        ),
        "the division by the sum is still missing.": lambda q, k, v, block: (
            (q @ k.T - (q @ k.T).amax(dim=1, keepdim=True)).exp() @ v
        ),
    },
)
