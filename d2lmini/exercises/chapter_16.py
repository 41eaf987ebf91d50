"""The exercises of chapter 16, scores that know where."""

import math

import torch
import torch.nn.functional as F

from .chapter_05 import three_stacks
from .checking import Exercise
from .step import Step
from .whole import attention


def on_a_clock(degrees, length=1.0):
    return length * math.cos(math.radians(degrees))


by_hand = Exercise(
    expected=on_a_clock(90 + 4 * 30, 2),
    praise="Between the arrows 90 + 4 * 30 = 210 degrees are left, and a cosine below 0.",
    tolerance=4e-3,
    slips={
        "the sign is wrong: the key stands after the query, so i - j is -4 and not 4.": (
            on_a_clock(90 - 4 * 30, 2)
        ),
        "that is the score before they turn.": 0.0,
        "only the query has turned; the key turns, too, by 210 degrees.": on_a_clock(90 - 90, 2),
        "only the key has turned; the query turns, too, by 90 degrees.": on_a_clock(90 + 210, 2),
        "that is the score at distance -3. Here it is -4.": -2.0,
        "the query has the length 2.": on_a_clock(210),
    },
)


def direction(degrees):
    return [on_a_clock(degrees), on_a_clock(degrees - 90)]


key_for_five = Exercise(
    expected=direction(200),
    praise="It leads by 200 degrees, and five places of 40 degrees make that up.",
    tolerance=4e-3,
    slips={
        "this key lags behind: it fits where the key stands five places behind the query.": (
            direction(-200)
        ),
        "this key fits at distance 0: it points where the query points.": direction(0),
        "this key fits at distance 1. It must lead by five times 40 degrees.": direction(40),
        "this key has the lowest score at distance 5: it points the other way.": direction(20),
        "200 are degrees here, not radians.": [math.cos(200), math.sin(200)],
    },
)


def turned(x, base=10_000.0):
    d = x.shape[-1]
    t = torch.arange(x.shape[-2])[:, None] * base ** (-torch.arange(0, d, 2) / d)
    a, b = x[..., 0::2], x[..., 1::2]
    both = [a * t.cos() - b * t.sin(), a * t.sin() + b * t.cos()]
    return torch.stack(both, dim=-1).flatten(-2)


def rotary_attention(queries, keys, values, valid_lens=None):
    return attention(turned(queries), turned(keys), values, valid_lens)


def turning(turn, of_keys=None, of_values=lambda x: x):
    """A slip: other turns."""
    return lambda q, k, v, n: attention(turn(q), (of_keys or turn)(k), of_values(v), n)


def in_halves(x):
    return turned(x.unflatten(-1, (2, -1)).mT.flatten(-2))


def at_speed(power):
    def turn(x):
        d = x.shape[-1]
        t = torch.arange(x.shape[-2])[:, None] * 10_000.0 ** (power * torch.arange(0, d, 2) / d)
        a, b = x[..., 0::2], x[..., 1::2]
        return torch.cat([a * t.cos() - b * t.sin(), a * t.sin() + b * t.cos()], dim=-1)

    return turn


step = Step(
    chapter=16,
    cases=lambda: list(
        three_stacks(
            ((3, 4, 4, 4, 6), (2, 3, 4, 6, 2), (2, 3, 4, 8, 5), (1, 1, 3, 4, 1), (3, 2, 3, 6, 2))
        )
    ),
    expected=rotary_attention,
    praise="Now your attention knows how far apart two words are.",
    slips={
        "the lengths don't count: nothing is hidden.": lambda q, k, v, n: rotary_attention(q, k, v),
        "nothing turns: queries and keys go in as they are.": attention,
        "only the queries turn; keys turn, too.": turning(turned, lambda x: x),
        "values turn, too; they bring what they are, wherever they stand.": turning(
            turned, of_values=lambda x: turned(F.pad(x, (0, x.shape[-1] % 2)))[..., : x.shape[-1]]
        ),
        "these pairs are halves, (m, m + d/2); here neighbours are a pair, (2m, 2m + 1).": turning(
            in_halves
        ),
        "it turns the other way: the first number gets minus the sine of the second.": turning(
            lambda x: turned(x.flip(-2)).flip(-2)
        ),
        "the speeds are base^(-2m/d); these are base^(-m/d).": turning(at_speed(-0.5)),
        "all pairs turn at the speed of the first.": turning(at_speed(0.0)),
        "the power has a minus: the later a pair, the slower it turns.": turning(at_speed(1.0)),
    },
    within={
        "turned": Exercise(
            cases=lambda: [(torch.ones(1, 3, 4),), (torch.ones(1, 2, 6), 100.0)],
            expected=turned,
            praise="Each pair turns by its place.",
            slips={
                "each number goes back to its place: stack(..., dim=-1).flatten(-2).": (
                    lambda x, base=10_000.0: torch.cat(
                        [turned(x, base)[..., 0::2], turned(x, base)[..., 1::2]], dim=-1
                    )
                ),
                "the pairs are still apart: flatten(-2) joins them.": (
                    lambda x, base=10_000.0: turned(x, base).unflatten(-1, (-1, 2))
                ),
                "places begin at 0: the first row stays as it is.": (
                    lambda x, base=10_000.0: turned(F.pad(x, (0, 0, 1, 0)), base)[:, 1:]
                ),
                "base does not count: another base gives the same turns.": (
                    lambda x, base=10_000.0: turned(x)
                ),
            },
        )
    },
    failures={
        "places stand in a column and speeds in a row: (words, 1) and (d / 2,).": (
            "must match|broadcast"
        ),
    },
)


once_around = Exercise(
    cases=lambda: [(8, 100.0), (128, 10_000.0), (64, 500_000.0)],
    expected=lambda d, base: 2 * math.pi * base ** ((d - 2) / d),
    praise="For d = 128, base 10,000 has come around after 54,410 places; base 200,000 has not "
    "after a million.",
    slips={
        "the last pair is m = d/2 - 1, so the power is (d - 2) / d, not 1.": lambda d, base: (
            2 * math.pi * base
        ),
        "that is one radian; a whole turn has 2 pi of them.": lambda d, base: base ** ((d - 2) / d),
        "that is the fastest hand.": lambda d, base: 2 * math.pi,
        "that is the speed; the number of places is a whole turn divided by it.": (
            lambda d, base: base ** (-(d - 2) / d)
        ),
        "degrees and radians are mixed: a whole turn is 2 pi here.": lambda d, base: (
            360 * base ** ((d - 2) / d)
        ),
    },
)


def halves(W, num_heads):
    return W.unflatten(0, (num_heads, -1, 2)).transpose(1, 2).flatten(0, 2)


def learned(num_heads, size, inputs):
    generator = torch.Generator().manual_seed(size)
    return torch.randn(num_heads * size, inputs, generator=generator), num_heads


for_halves = Exercise(
    cases=lambda: [learned(1, 6, 3), learned(3, 8, 24), learned(2, 4, 4)],
    expected=halves,
    praise="The even rows of each head first. Queries and keys change alike, so no score moves.",
    slips={
        "the heads are mixed: reorder the rows of each head by itself.": lambda W, heads: halves(
            W, 1
        ),
        "this leads from halves to neighbours; the way back was asked.": lambda W, heads: (
            W.unflatten(0, (heads, 2, -1)).transpose(1, 2).flatten(0, 2)
        ),
        "the odd rows come first here: each pair is turned around.": lambda W, heads: halves(
            W.unflatten(0, (-1, 2)).flip(1).flatten(0, 1), heads
        ),
        "nothing has moved.": lambda W, heads: W,
    },
)

endless = Exercise(
    expected=1 - math.exp(-0.5),
    praise="In an endless text ALiBi keeps 0.393 at the word itself; in a short one, more.",
    tolerance=6e-4,
    slips={
        "that is the factor from one place to the next.": math.exp(-0.5),
        "the sum of the others is not 1: add up all the exponentials.": 0.5,
        "that is the sum of the exponentials; the weight is 1 over it.": 1 / (1 - math.exp(-0.5)),
        "a sum without an end can be finite: the terms shrink by the same factor.": 0.0,
        "that has words on both sides; the text ends with this word.": math.tanh(0.25),
        "the powers of 1/2 are no exponentials of it.": 1 - 1 / math.sqrt(2),
    },
)


def values_turned(x, places, speeds):
    a, b = x.chunk(2, dim=-1)
    t = places[:, None] * speeds
    return torch.cat([a * t.cos() - b * t.sin(), a * t.sin() + b * t.cos()], dim=-1)


def brought_back(weights, values, places, speeds, back=-1):
    return values_turned(weights @ values_turned(values, places, speeds), back * places, speeds)


def three_parts(rows, d):
    generator = torch.Generator().manual_seed(rows)
    scores = torch.randn(rows, rows, generator=generator).double()
    values = torch.randn(rows, d, generator=generator).double()
    speeds = 100.0 ** (-torch.arange(0, d, 2, dtype=torch.float64) / d)
    return torch.softmax(scores, dim=-1), values, torch.arange(rows) + rows, speeds


turned_values = Exercise(
    cases=lambda: [three_parts(3, 4), three_parts(5, 2)],
    expected=brought_back,
    praise="A value at distance n has turned back by n places, wherever the text begins.",
    slips={
        "the values are turned, and the output depends on where the text begins. Turn it back.": (
            lambda w, v, p, s: w @ values_turned(v, p, s)
        ),
        "the output is turned on; turn it back, by minus its place.": lambda w, v, p, s: (
            brought_back(w, v, p, s, back=1)
        ),
        "the values do not turn here.": lambda w, v, p, s: w @ v,
        "the output is turned back, but the values have not turned.": lambda w, v, p, s: (
            values_turned(w @ v, -p, s)
        ),
    },
)

another_base = Exercise(
    expected="C",
    praise="The median rises, though the starts differ. The solution also tries base 1,000,000.",
    slips={
        "measure it: fewer hands are slow (10 of 16, not 13), and the median does not fall.": "A",
        "the median moves by more than 0.02: measure it on all five starts.": "B",
        "all five are right in the short texts; print those, too.": "D",
    },
)
