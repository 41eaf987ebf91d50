"""Axes and ticks of a figure: computed once, for the page and for the still picture."""

import math
import re
from collections import Counter

from . import dates
from .language import say
from .scales import digits_between, settle, short
from .texts import cut

RAISED = str.maketrans(
    "-0123456789", "\u207b\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"
)

# How near, in parts of their size, numbers are that float32 has torn apart; and float64.
SAME, EXACT = 1e-6, 1e-12


def power(exponent):
    """A power of ten in words: 0.01, 10,000, and 10 with a raised number where that is long."""
    return f"{10**exponent:,}" if -4 < exponent < 5 else f"10{str(exponent).translate(RAISED)}"


def log_axis(low, high, tight):
    """The same where low and high are powers of ten: ticks stand at whole ones."""
    low, high = (float(f"{end:.6g}") for end in (low, high))
    if not tight or low == high or math.floor(high) < math.ceil(low):
        low, high = float(math.floor(low)), float(max(math.ceil(high), math.floor(low) + 1))
    inside = range(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1)
    every = -(-len(inside) // 7)
    return {"low": low, "high": high, "ticks": [[n, power(n)] for n in inside[::every]]}


def axis(low, high, tight, exact=False):
    """Limits and ticks of an axis that covers low to high: `tight` keeps the limits at the data.

    Unless they are `exact`, ends that are almost one are one, which rounding has torn apart.
    """
    low, high = settle([low, high], high - low)
    size = max(-low, high)
    if high - low <= (EXACT if exact else SAME) * size:
        room = max(0.5, 1e-5 * size)
        low, high = low - room, high + room
    digits = digits_between(low, high)
    low, high = short(low, digits), short(high, digits)
    ticks = round_ticks(low, high)
    if not tight:
        low, high = ticks[0], ticks[-1]
    room = 1e-9 * (high - low)
    inside = [short(t, digits) for t in ticks if low - room <= t <= high + room]
    return {
        "low": short(low, digits),
        "high": short(high, digits),
        "ticks": [[tick, minus(f"{tick:.{digits}g}")] for tick in inside],
    }


def round_ticks(low, high):
    """Ticks a round step apart that cover low to high, at most six of them within: matplotlib's."""
    span, middle = high - low, abs(high + low) / 2
    # Far from 0, ticks are counted from a round number near by: near it floats are finer.
    offset = 0.0
    if middle >= 100 * span:
        offset = math.copysign(10 ** (math.log10(middle) // 1), high + low)
    low, high = low - offset, high - offset
    unit = 10 ** (math.log10(span / 5) // 1)
    steps = [unit * step for step in (0.1, 0.2, 0.25, 0.5, 1, 2, 2.5, 5, 10, 20)]
    first = next(at for at, step in enumerate(steps) if step >= (high - low) / 5)
    for step in reversed(steps[: first + 1]):
        near = max(1e-10, 10 ** (math.log10(abs(offset) / step) - 12)) if offset else 1e-10
        start = low // step * step
        (begin, rest), (end, more) = divmod(low - start, step), divmod(high - start, step)
        begin += abs(rest / step - 1) < min(near, 0.4999)
        end += not abs(more / step) < min(near, 0.4999)
        ticks = [n * step + start for n in range(int(begin), int(end) + 1)]
        if sum(low <= tick <= high for tick in ticks) >= 2:
            break
    return [tick + offset for tick in ticks]


def date_axis(low, high):
    """The same where low and high are days since 1970, and the date of all its times, if one is."""
    if low == high:
        low, high = low - 1.0, high + 1.0
    ticks, date = dates.ticks(low, high)
    return {"low": float(low), "high": float(high), "ticks": ticks, "date": date}


def counted(words, count):
    """Ticks of `count` places: where each stands from 0 to 1, and its label."""
    every = next(n for n in (1, 2, 5, 10, 20, 50, 100, count) if words or count / n <= 20)
    texts = words or [str(i + 1) if i == 0 or (i + 1) % every == 0 else "" for i in range(count)]
    short = [cut(text, 16) for text in texts]
    return [[round((i + 0.5) / count, 4), text] for i, text in enumerate(short) if text]


def named(words, count):
    """What to call each of `count` places: its word, with its number where a word comes twice."""
    words = words or [str(i + 1) for i in range(count)]
    twice = {word for word, times in Counter(words).items() if times > 1}
    return [f"{word} ({i + 1})" if word in twice else word for i, word in enumerate(words)]


def minus(text):
    """A number with a real minus sign."""
    return text.replace("-", "\u2212")


def along(ticks, low, high):
    """Ticks of an axis of numbers: where each stands from 0 to 1, and its label."""
    return [[round((at - low) / (high - low), 4), text] for at, text in ticks]


def singular(label):
    """'Entries' -> 'entry'."""
    return re.sub(r"s$", "", re.sub(r"ies$", "y", label.lower())) or say("place")
