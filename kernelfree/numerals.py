"""How a number of a figure is stored, and how it is written: js/figure/numbers.js has the same."""

import math
from decimal import ROUND_HALF_UP, Decimal

import numpy as np

from .axes import minus

# A number that would have fewer digits than LEAST among the decimals of its table is stored and
# written by itself, with OWN digits.
LEAST, OWN = 2, 3
# A mean or a sum below this part of the largest number is what float32 leaves where all cancels.
NOISE = 1e-6
# Whole numbers that float64 tells apart, and the difference of two of them.
MOST = 2**53
# More decimals than that are left to numbers that have their own digits.
MOST_DECIMALS = 12
# The largest power of ten that float64 has.
EXACT = 22
# Whole numbers below have all their digits.
LONG = 1e15
_HEADS = 9 * 10 ** (OWN - 1)


def ends(table):
    """The least and the largest number of a table, and how far apart they are, if not 0.

    What is nearly nothing beside the numbers is their rounding, and finer than integers can tell.
    """
    low, high = (0.0, 0.0) if np.isnan(table).all() else (np.nanmin(table), np.nanmax(table))
    span, size = high - low, max(-low, high)
    return low, high, (span if span > 1e-9 * size else size) or 1.0


def decimals_of(table, fine):
    """Decimals for an error of at most `fine` of the table's range.

    Below 1e15 no digit before the point is lost.
    """
    low, high, span = ends(table)
    decimals = math.ceil(-math.log10(2 * fine) - math.log10(span) - 1e-6)
    return min(max(decimals, 0), MOST_DECIMALS) if max(-low, high) < LONG else decimals


def shift(numbers, decimals):
    """Numbers times a power of ten; the positive powers alone are exact."""
    return numbers * 10.0**decimals if decimals >= 0 else numbers / 10.0**-decimals


def power_of(number):
    """The power of ten of a number's first digit, once it is rounded."""
    return int(f"{number:.{OWN - 1}e}".partition("e")[2])


def pack(numbers, decimals):
    """Whole numbers for an array, and the one that stands for NaN.

    It is below all others; those below it are numbers that have their own digits.
    """
    masked = np.isnan(numbers)
    filled = np.where(masked, 0, numbers)
    whole = np.rint(shift(filled, decimals)).astype(np.int64)
    gap = int(whole.min()) - 1
    # Ten with these decimals has two digits, and what is rounded up to it.
    small = (filled != 0) & (np.abs(filled) < shift(1.1 * 10 ** (LEAST - 1), -decimals))
    for place in zip(*np.nonzero(small), strict=True):
        number = float(filled[place])
        below = LEAST - 2 - decimals - power_of(number)
        if below >= 0:
            head = int(f"{abs(number):.{OWN - 1}e}".partition("e")[0].replace(".", ""))
            whole[place] = gap - 1 - 2 * (_HEADS * below + head - _HEADS // 9) - (number < 0)
    whole[masked] = gap
    return whole, gap


def unpack(whole, gap, decimals):
    """The numbers that `pack` has made whole numbers of."""
    numbers = shift(whole.astype(np.float64), -decimals)
    if decimals < -EXACT:
        texts = [f"{number}e{-decimals}" for number in whole.flat]
        numbers = np.array(texts, np.float64).reshape(whole.shape)
    numbers[whole == gap] = np.nan
    for place in zip(*np.nonzero(whole < gap), strict=True):
        below, head = divmod((gap - 1 - int(whole[place])) // 2, _HEADS)
        power = LEAST - 1 - OWN - decimals - below
        sign = -1 if (gap - 1 - int(whole[place])) % 2 else 1
        numbers[place] = sign * float(f"{head + _HEADS // 9}e{power}")
    return numbers


def written(number, decimals, least=LEAST, own=OWN):
    """A number as a figure writes it."""
    number = float(number)
    digits = Decimal(repr(number)).adjusted() + 1 + decimals
    small = digits < least
    if not number or (decimals >= 0 and not small):
        return minus(rounded(number, max(decimals, 0)))
    digits = own if small else digits
    text, _, power = f"{number:.{digits - 1}e}".partition("e")
    tail = f"e{int(power):+d}"
    if -7 < int(power) < digits:
        text, tail = rounded(number, digits - 1 - int(power)), ""
    if decimals >= 0 and "." in text:
        text = text.rstrip("0").rstrip(".")
    return minus(text + tail)


def rounded(number, decimals):
    """A number with so many decimals, rounded as a page rounds it."""
    return f"{Decimal(number).quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP):f}"


def sums(numbers):
    """The sums of rows, masked cells left out; what only rounding has left of one is 0."""
    filled = np.where(np.isnan(numbers), 0, numbers)
    found = filled.sum(-1, keepdims=True)
    whole = (filled == np.rint(filled)).all(-1, keepdims=True)
    lost = np.abs(found) < NOISE * np.abs(filled).max(-1, keepdims=True, initial=0)
    return np.where(lost & ~whole, 0, found)
