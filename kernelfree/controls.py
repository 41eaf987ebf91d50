"""The controls of a figure: what an author gives becomes the options that a page offers."""

import inspect
import math
import sys
from collections.abc import Iterator, Set
from dataclasses import dataclass
from itertools import pairwise
from numbers import Integral
from operator import is_
from typing import Any

import numpy as np

from .arrays import WHOLE, Numbers, is_tensor
from .language import deferred, say
from .states import MAX_STATES, plain
from .texts import check_text, is_numeric, shortened, shown

# Digits of a float that are kept: the rest is the rounding of linspace and arange.
DIGITS = 12
# A value may miss its option by this part of the smallest step between two options.
SLACK = 1e-6
NAMES = "give other values names, such as {'one': value, 'two': value}"


class Values(dict):
    """Control name -> its value. To read: only setting a figure's `value` moves its controls."""

    def _refuse(self, *given, **named):
        raise TypeError(
            "a figure's value can't be changed in place; set the part that changes, "
            "such as figure.value = {'length': 3}"
        )

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self):
        return Values, (dict(self),)


@dataclass
class Matrix:
    """Numbers that a reader types into a live figure: a table, or a row, of inputs.

    Parameters
    ----------
    numbers : array of shape (n,) or (n, m)
        The numbers to begin with, at most 400. The function gets a tensor of their type: float64
        for a list of floats, int64 for a list of whole numbers.
    low, high : number, optional
        What may be typed. Otherwise up to about twice the largest number, and from 0, or from as
        far below if one of the numbers is below 0.
    """

    numbers: Numbers
    low: float | None = None
    high: float | None = None


@dataclass
class Named:
    """Values of any kind, each with a name that readers see: a menu, or a slider over the names."""

    names: list[str]
    values: list[Any]
    slider: bool = False

    def name_of(self, given):
        """The name of a value; what is none of the values may be a name, and comes back."""
        for same in (is_, equals):
            for name, value in zip(self.names, self.values, strict=True):
                if same(value, given):
                    return name
        return given


def equals(one, other):
    """Whether values of any kind are equal; arrays of many numbers are equal to nothing."""
    try:
        return bool(one == other)
    except (TypeError, ValueError, RuntimeError):
        return False


def has_stops(control):
    return "options" in control


def is_free(given):
    """Whether a control has no stops in a live figure: a Matrix, or floats (low, high[, step])."""
    return isinstance(given, Matrix) or (
        is_span(given) and any(isinstance(end, float | np.floating) for end in given)
    )


def control(name, given, label, address=None):
    """What the page needs to know of one control; `address` names the options of a menu."""
    found = {"name": name, "label": label}
    if isinstance(given, bool):
        return {**found, "kind": deferred("switch"), "options": [False, True]}
    what = f"control {name!r}"
    check_text(f"{what}, its label", label)
    named = isinstance(given, Named)
    options = (
        spread(what, given) if is_span(given) else listed(what, given.names if named else given)
    )
    if all(isinstance(o, str) for o in options):
        found["kind"] = deferred("slider") if named and given.slider else deferred("menu")
        for option in options:
            check_text(what, option)
    elif all(is_number(o) for o in options):
        options = [float(o) if isinstance(o, np.floating) else o for o in options]
        check_whole(what, options)
        if not all(math.isfinite(o) for o in options):
            raise ValueError(f"{what}: every value must be finite, got {shortened(options)}")
        options = tidy_all(given, options)
        found["kind"] = deferred("slider")
        if any(isinstance(o, float) for o in options):
            found["slack"] = SLACK * step_of(options)
    else:
        switch = all(isinstance(o, bool | np.bool_) for o in options)
        advice = "for a switch write True or False alone" if switch else NAMES
        raise TypeError(
            f"{what}: values must be all numbers (int or float) or all strings, got "
            f"{shortened(options)}; {advice}"
        )
    if len(set(options)) < len(options):
        twice = next(o for i, o in enumerate(options) if o in options[:i])
        raise ValueError(f"{what} has the value {twice!r} twice; range(len(x)) counts them")
    if address is None:
        return {**found, "options": options}
    if found["kind"] != "menu" or len(set(map(str, address))) != len(options):
        raise ValueError(f"address: expected another word for each option of {name!r}, a menu")
    words = {} if list(address) == options else {"words": options}
    return {**found, "options": list(map(str, address)), **words}


def is_number(given):
    kinds = int, float, np.integer, np.floating
    return isinstance(given, kinds) and not isinstance(given, bool)


def check_whole(what, numbers):
    """Raise if a page, whose numbers are float64, would take a whole number for its neighbour."""
    if large := [n for n in numbers if isinstance(n, Integral) and abs(n) > WHOLE]:
        raise ValueError(f"{what}: whole numbers must be from -2**53 to 2**53, got {large[0]:,}")


def is_span(given):
    """Whether it is (low, high) or (low, high, step), as for ipywidgets' `interact`."""
    return isinstance(given, tuple) and len(given) in (2, 3) and all(map(is_number, given))


def spread(what, given):
    """The values of (low, high) or (low, high, step); the step is 1, or 0.1 between floats."""
    check_whole(what, given)
    whole = all(isinstance(end, Integral) for end in given)
    low, high, *steps = map(int if whole else float, given)
    step = steps[0] if steps else (1 if whole else 0.1)
    if not all(map(math.isfinite, (low, high, step))):
        raise ValueError(f"{what}: every number must be finite, got {given!r}")
    if low > high or step <= 0:
        raise ValueError(
            f"{what}: {given!r} means (low, high) or (low, high, step), so the first must not be "
            "above the second and the step must be above 0"
        )
    if steps and step > high - low:
        raise ValueError(
            f"{what}: {given!r} means (low, high, step), and the step leaves one value; for "
            f"three values write a list, {list(given)!r}"
        )
    # What floats lose must not cost the last value.
    count = math.floor((high - low) / step + SLACK) + 1
    check_count(what, count)
    return [low + i * step for i in range(count)]


def listed(what, given):
    """The values of a range, a list or an array as Python's own numbers or strings."""
    array = hasattr(given, "__array__") and not isinstance(given, np.generic)
    if not isinstance(given, (range, list, tuple)) and not array:
        advice = "; make a list of it" if isinstance(given, Iterator | Set) else ""
        raise TypeError(
            f"{what}: expected a range, a list or an array of numbers (slider), a list of strings "
            f"or a dict (menu) or True or False (switch), got {type(given).__name__}{advice}"
        )
    if (axes := getattr(given, "ndim", 1)) != 1:
        raise ValueError(
            f"{what}: expected one row of values, got {axes} axes, shape {tuple(given.shape)}"
        )
    if isinstance(given, range):
        # `max` would step through all of it, and `len` takes no number beyond 2**63.
        check_count(what, (given[-1] - given[0]) // given.step + 1 if given else 0)
    if not len(given):
        raise ValueError(f"{what} has no values: {given!r} is empty")
    check_count(what, len(given))
    return [plain(option) for option in given]


def check_count(what, count):
    if count > MAX_STATES:
        raise ValueError(
            f"{what} has {count:,} values, at most {MAX_STATES:,} combinations are possible; "
            f"thin {what.removeprefix('control ')}"
        )


def step_of(numbers):
    """The smallest step between two of them."""
    ordered = sorted(numbers)
    return min((b - a for a, b in pairwise(ordered)), default=abs(ordered[0]) or 1)


def tidy(numbers, digits):
    """Without the noise of floats: 0.30000000000000004 becomes 0.3, and -2e-16 between tenths 0."""
    span, step = max(numbers) - min(numbers), step_of(numbers)
    # Near zero, only the step of an even sequence tells noise from a small number.
    even = len(numbers) > 2 and span <= (1 + SLACK) * step * (len(numbers) - 1)
    least = step if even else 0
    return [
        round(n, digits - 1 - math.floor(math.log10(max(abs(n), least) or 1))) + 0.0
        if isinstance(n, float)
        else n
        for n in numbers
    ]


def tidy_all(given, numbers):
    """Options as they are shown; numbers of 32 bits or fewer have fewer digits than Python's."""
    few = min((precision(n) for n in given), default=DIGITS)
    short = tidy(numbers, few)
    return short if len(set(short)) == len(numbers) else tidy(numbers, DIGITS)


def precision(number):
    """How many digits of a number count."""
    kind = getattr(number, "dtype", None)
    if is_tensor(number):
        return finest(sys.modules["torch"].finfo(kind)) if kind.is_floating_point else DIGITS
    return finest(np.finfo(kind)) if kind is not None and kind.kind == "f" else DIGITS


def finest(info):
    return min(DIGITS, round(-math.log10(info.resolution)))


def place(control, given):
    """Where a value stands among a control's options, or None; without options it is the place."""
    if "options" not in control:
        return given
    options, given = control["options"], plain(given)
    if is_numeric(control):
        if not is_number(given):
            return None
        nearest = min(range(len(options)), key=lambda i: abs(options[i] - given))
        return nearest if abs(options[nearest] - given) <= control.get("slack", 0) else None
    if not isinstance(given, bool if control["kind"] == "switch" else str):
        return None
    # A word that is shown comes before another option that is written like it in addresses.
    found = [known.index(given) for known in (shown(control), options) if given in known]
    return found[0] if found else None


def described(control):
    """What a control is, in words."""
    kind = say(control["kind"])
    if not has_stops(control):
        shape = f", {' x '.join(map(str, control['shape']))}" if "shape" in control else ""
        low, high = (f"{control[end]:g}" for end in ("low", "high"))
        return f"{kind}{shape}, {say('{low} to {high}', low=low, high=high)}"
    options = shown(control)
    if control["kind"] == "slider":
        span = say("{low} to {high}", low=options[0], high=options[-1])
    else:
        span = say(", ").join(map(str, options))
    return say("{kind}, {count} values, {span}", kind=kind, count=len(options), span=span)


def options_near(control, given):
    """The options in words, and of a long slider the one that is nearest to a number."""
    options = shown(control)
    listed = shortened(options)
    if listed == repr(options) or not (is_numeric(control) and is_number(given)):
        return listed
    return f"{listed}; the nearest is {min(options, key=lambda o: abs(o - given))!r}"


def start(function, control, given):
    """The value that a control has at first."""
    if isinstance(given, bool):
        return given
    options, name = control["options"], control["name"]
    try:
        default = inspect.signature(function).parameters[name].default
    except (TypeError, ValueError, KeyError):
        default = inspect.Parameter.empty
    if default is inspect.Parameter.empty:
        return options[(len(options) - 1) // 2 if is_span(given) else 0]
    known = given.name_of(default) if isinstance(given, Named) else default
    if (at := place(control, known)) is None:
        raise ValueError(
            f"control {name!r}: the function's default {default!r} is not one of its values "
            f"{options_near(control, default)}"
        )
    return options[at]
