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


def fitting(parameters, layers, kv_heads, d, size, card, texts):
    return (card - parameters * size) // (2 * layers * kv_heads * d * size * texts)


tokens_that_fit = Exercise(
    cases=lambda: [
        (8_000_000_000, 32, 8, 128, 2, 80_000_000_000, 1),
        (1_000_000, 12, 12, 64, 4, 50_000_000, 3),
        (100, 2, 3, 5, 2, 1000, 2),
    ],
    expected=fitting,
    praise="Four times fewer KV heads, four times as many tokens: the parameters never change.",
    slips={
        "the parameters are on the card, too, and leave less room.": (
            lambda parameters, layers, kv_heads, d, size, card, texts: (
                card // (2 * layers * kv_heads * d * size * texts)
            )
        ),
        "a parameter takes `size` bytes.": (
            lambda parameters, layers, kv_heads, d, size, card, texts: (
                (card - parameters) // (2 * layers * kv_heads * d * size * texts)
            )
        ),
        "a token keeps a key and a value.": (
            lambda parameters, layers, kv_heads, d, size, card, texts: (
                (card - parameters * size) // (layers * kv_heads * d * size * texts)
            )
        ),
        "every layer has keys and values of its own.": (
            lambda parameters, layers, kv_heads, d, size, card, texts: (
                (card - parameters * size) // (2 * kv_heads * d * size * texts)
            )
        ),
        "every text has a cache of its own.": (
            lambda parameters, layers, kv_heads, d, size, card, texts: (
                (card - parameters * size) // (2 * layers * kv_heads * d * size)
            )
        ),
        "tokens are whole: the last one must fit altogether.": (
            lambda parameters, layers, kv_heads, d, size, card, texts: (
                (card - parameters * size) / (2 * layers * kv_heads * d * size * texts)
            )
        ),
    },
    tolerance=1e-9,
)


def fetched(m, parameters, layers, heads, d, size):
    """Bytes that come from memory for one token."""
    return parameters * size + 2 * layers * heads * m * d * size


times_sooner = Exercise(
    cases=lambda: [
        (100_000, 8e9, 32, 32, 8, 128, 2),
        (10, 500, 2, 4, 1, 5, 2),
        (3, 100, 1, 6, 2, 10, 4),
    ],
    expected=lambda m, parameters, layers, heads, kv_heads, d, size: (
        fetched(m, parameters, layers, heads, d, size)
        / fetched(m, parameters, layers, kv_heads, d, size)
    ),
    praise="The caches are four times smaller; the parameters come from memory as before.",
    slips={
        "the parameters come from the memory for each token, too.": (
            lambda m, parameters, layers, heads, kv_heads, d, size: heads / kv_heads
        ),
        "that is upside down: the first version takes longer.": (
            lambda m, parameters, layers, heads, kv_heads, d, size: (
                fetched(m, parameters, layers, kv_heads, d, size)
                / fetched(m, parameters, layers, heads, d, size)
            )
        ),
        "a token has a key and a value in each head.": (
            lambda m, parameters, layers, heads, kv_heads, d, size: (
                (parameters + layers * heads * m * d) / (parameters + layers * kv_heads * m * d)
            )
        ),
        "the parameters are numbers of `size` bytes, as keys and values are.": (
            lambda m, parameters, layers, heads, kv_heads, d, size: (
                (parameters + 2 * layers * heads * m * d * size)
                / (parameters + 2 * layers * kv_heads * m * d * size)
            )
        ),
        "every layer has keys and values of its own.": (
            lambda m, parameters, layers, heads, kv_heads, d, size: (
                (parameters + 2 * heads * m * d) / (parameters + 2 * kv_heads * m * d)
            )
        ),
    },
)


def texts_until(m, kv_heads, attention=1, caches=1, whole=True, flip=False):
    """How many texts keep an H100 busy that writes with 8 billion parameters, and slips."""
    arithmetic = (2 * 8e9 + attention * 4 * 32 * 32 * m * 128) / 989e12
    cache = caches * 2 * 32 * kv_heads * m * 128 * 2 / 3.35e12
    if arithmetic <= cache and not flip:
        return 0
    needed = 8e9 * 2 / 3.35e12 / (arithmetic - cache)
    return math.ceil(needed) if whole else needed


texts_needed = Exercise(
    cases=lambda: [(0, 32), (100, 32), (300, 8), (400, 8), (1000, 8), (3000, 1), (5000, 1)],
    expected=texts_until,
    praise="In longer texts each one brings more seconds of memory than of arithmetic, and no "
    "number of texts is enough.",
    slips={
        "each text brings a cache of its own, which has to be fetched.": (
            lambda m, kv_heads: texts_until(m, kv_heads, caches=0)
        ),
        "the arithmetic of attention is missing, 4 L H m d for each text.": (
            lambda m, kv_heads: texts_until(m, kv_heads, attention=0)
        ),
        "if each text adds more seconds of memory than of arithmetic, the lines never meet: "
        "say 0, not a negative number.": (lambda m, kv_heads: texts_until(m, kv_heads, flip=True)),
        "texts are whole: take the next whole number.": (
            lambda m, kv_heads: texts_until(m, kv_heads, whole=False)
        ),
        "a token has a key and a value, so the cache is twice as large.": (
            lambda m, kv_heads: texts_until(m, kv_heads, caches=0.5)
        ),
    },
    tolerance=1e-7,
)

breaks = Exercise(
    cases=lambda: [
        ([False, True, False, False], 2),
        ([False, False, True, True, False, False], 2),
        ([False, False, True, True], 2),
        ([True, True, False, False, False, False], 2),
        ([True, False, True, True, True, True], 2),
        ([True, True, False, True, False], 3),
        ([True, False, False, False], 1),
        ([False, True, True], 1),
        ([True, True], 4),
    ],
    expected=lambda hidden, block: all(hidden[:block]),
    praise="Only the first block: later the largest score so far is a number, and stays.",
    slips={
        "a later block may be hidden altogether: its exponentials are 0, and the maximum stays.": (
            lambda hidden, block: any(
                all(hidden[j : j + block]) for j in range(0, len(hidden), block)
            )
        ),
        "a single hidden key does no harm where its block has others.": (
            lambda hidden, block: any(hidden)
        ),
        "one hidden key at the start does no harm if its block has others.": (
            lambda hidden, block: hidden[0]
        ),
        "it breaks before all keys are hidden: NaN stays, whatever is added to it.": (
            lambda hidden, block: all(hidden)
        ),
        "it is the first block that is read before there is a maximum, not the last.": (
            lambda hidden, block: all(hidden[-block:])
        ),
    },
)


def attend(queries, keys, values, diagonal=1, fill=-math.inf):
    """Causal attention of a text with itself."""
    scores = queries @ keys.T
    hidden = torch.ones_like(scores).triu(diagonal) > 0
    return scores.masked_fill(hidden, fill).softmax(dim=-1) @ values


def in_blocks(queries, keys, values, block, rescale=True, outputs=True, tiles=None):
    """The same block by block, with slips to choose from."""
    scores = queries @ keys.T
    scores = scores.masked_fill(torch.ones_like(scores).triu(1) > 0, -math.inf)
    top = torch.full((len(queries), 1), -math.inf)
    total, out = torch.zeros_like(top), torch.zeros(len(queries), values.shape[1])
    for j in range(0, len(keys) if tiles is None else tiles(len(keys), block), block):
        new = torch.maximum(top, scores[:, j : j + block].amax(dim=1, keepdim=True))
        shrink = torch.exp(top - new) if rescale else torch.ones_like(new)
        weights = torch.exp(scores[:, j : j + block] - new)
        total = total * shrink + weights.sum(dim=1, keepdim=True)
        out = out * (shrink if outputs else 1) + weights @ values[j : j + block]
        top = new
    return out / total


def diagonal_only(queries, keys, values, block):
    """Each block of queries meets its own block of keys alone."""
    parts = (x.split(block) for x in (queries, keys, values))
    return torch.cat([attend(*part) for part in zip(*parts, strict=True)])


def streams():
    generator = torch.Generator().manual_seed(14)

    def one(n, d, v, block, loud):
        q, k, values = (torch.randn(n, size, generator=generator) for size in (d, d, v))
        return loud * q, k, values, block

    last = one(5, 2, 2, 2, 1.0)  # whose last value is for the last query alone
    last[2][-1] = math.inf
    return [one(8, 4, 2, 2, 1.0), one(7, 3, 3, 3, 1.0), one(9, 16, 1, 4, 25.0), last]


def seen_alone(queries, keys, values, block):
    """Causal attention in which nothing hidden is made."""
    rows = ((q @ keys[: i + 1].T, values[: i + 1]) for i, q in enumerate(queries))
    return torch.stack([scores.softmax(dim=0) @ seen for scores, seen in rows])


streaming = Exercise(
    cases=streams,
    expected=seen_alone,
    praise="Seven tokens in blocks of three, scores of a hundred and more: causal attention.",
    slips={
        "without the mask, a query sees the tokens after it.": lambda q, k, v, block: (
            (q @ k.T).softmax(dim=-1) @ v
        ),
        "a query sees its own token, too; the first one would see nothing.": (
            lambda q, k, v, block: attend(q, k, v, diagonal=0)
        ),
        "a hidden score is minus infinity; a score of 0 is a score like any other.": (
            lambda q, k, v, block: attend(q, k, v, fill=0.0)
        ),
        "each block of queries meets all blocks of keys to its left, too.": diagonal_only,
        "what was summed up before must be rescaled when the maximum grows.": (
            lambda q, k, v, block: in_blocks(q, k, v, block, rescale=False, outputs=False)
        ),
        "the sum is rescaled, the unfinished output is not.": lambda q, k, v, block: in_blocks(
            q, k, v, block, outputs=False
        ),
        "a tile that is hidden altogether was made: the last value is infinite here, and a weight "
        "of 0 times infinity is NaN.": lambda q, k, v, block: attend(q, k, v),
        "no maximum is taken off: exp of a few hundred is infinite.": lambda q, k, v, block: (
            (q @ k.T).exp().tril() @ v / (q @ k.T).exp().tril().sum(dim=1, keepdim=True)
        ),
    },
)
