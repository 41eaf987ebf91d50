"""What ipywidgets' `interact` takes for an argument, as `explore` takes it.

Its widgets are known by the names of their classes, so nothing is imported for them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import wraps
from numbers import Integral
from typing import Any

from .controls import SLACK, Named, is_number, spread

SPANS = ("IntSlider", "BoundedIntText", "FloatSlider", "BoundedFloatText")
MENUS = ("Dropdown", "Select", "RadioButtons", "ToggleButtons")
SWITCHES = ("Checkbox", "ToggleButton")
KNOWN = {"fixed", "FloatLogSlider", "SelectionSlider", *SPANS, *MENUS, *SWITCHES}

LIST = "give the values to choose among, such as {name}=['one', 'two']"
BOUNDS = "give its bounds, such as {name}=(0, 10)"
ENDS = "give two controls, one for each end"
SWITCH_EACH = "give a switch for each choice, such as {name}=True"
DATES = "give names and dates, such as {name}={{'May Day': datetime.date(2026, 5, 1)}}"
# The way out for a widget whose values nobody knows before a reader gives them.
WAYS_OUT = {
    "IntText": BOUNDS,
    "FloatText": BOUNDS,
    "Play": "write {name}=({one.min}, {one.max}, {one.step}), play={name!r}",
    "IntRangeSlider": ENDS,
    "FloatRangeSlider": ENDS,
    "SelectionRangeSlider": ENDS,
    "SelectMultiple": SWITCH_EACH,
    "DatePicker": DATES,
    "TimePicker": DATES,
    "DatetimePicker": DATES,
    "NaiveDatetimePicker": DATES,
    "Widget": LIST,
}


@dataclass
class Given:
    """A control as its author gives it: its values, and what a widget says besides."""

    values: Any
    start: Any = None  # None is the function's default, or the first
    label: str = ""
    fixed: bool = False


def taken(function, controls):
    """What is given for each control that moves, and the function as a page calls it, by names."""
    given = {name: given_of(name, one) for name, one in controls.items()}
    fixed = {name: given.pop(name).values for name, one in [*given.items()] if one.fixed}
    named = named_among(given)
    if not (fixed or named):
        return given, function

    @wraps(function)
    def called(**shown):
        for name, each in named.items():
            shown[name] = each.values[each.names.index(shown[name])]
        return function(**shown, **fixed)

    return given, called


def named_among(given):
    return {name: one.values for name, one in given.items() if isinstance(one.values, Named)}


def given_of(name, one):
    """What is given for a control, in `explore`'s own terms."""
    known = [
        kind.__name__ for kind in type(one).__mro__ if kind.__module__.startswith("ipywidgets")
    ]
    kind = next((each for each in known if each in KNOWN or each in WAYS_OUT), None)
    if kind in WAYS_OUT:
        raise TypeError(
            f"control {name!r}: expected a control whose values are known before, such as an "
            f"IntSlider, a Dropdown or a Checkbox, got {type(one).__name__}; "
            f"{WAYS_OUT[kind].format(name=name, one=one)}"
        )
    if kind == "fixed":
        return Given(one.value, fixed=True)
    if kind:
        return Given(*values_of(name, kind, one), label=one.description)
    if is_number(one):
        return Given(*around(one))
    if isinstance(one, str):
        raise TypeError(
            f"control {name!r}: a text box can't live without a kernel, got {one!r}; give the "
            f"texts to choose among, such as {name}=[{one!r}, 'another']"
        )
    named = isinstance(one, Mapping) or (
        isinstance(one, list | tuple)
        and one
        and all(isinstance(each, list | tuple) and len(each) == 2 for each in one)
        and all(isinstance(each[0], str) for each in one)
    )
    return Given(Named(*named_values(one)) if named else one)


def values_of(name, kind, widget):
    """The values of one of ipywidgets' controls, and where it starts."""
    if kind in SWITCHES:
        return widget.value, None
    if kind in SPANS or kind == "FloatLogSlider":
        steps = () if widget.step is None else (widget.step,)
        span = widget.min, widget.max, *steps
        if kind == "FloatLogSlider":
            span = [widget.base**power for power in spread(f"control {name!r}", span)]
        return span, widget.value
    names, values = named_values(widget.options)
    at, slider = widget.index or 0, kind == "SelectionSlider"
    alike = is_number if slider else lambda value: isinstance(value, str)
    if all(map(alike, values)) and names == [str(value) for value in values]:
        return values, values[at] if values else None
    return Named(names, values, slider), names[at]


def named_values(options):
    """The names and values of a dict, of pairs or of values, as ipywidgets reads them."""
    options = list(options.items() if isinstance(options, Mapping) else options)
    if not all(isinstance(one, list | tuple) and len(one) == 2 for one in options):
        options = [(one, one) for one in options]
    return [str(name) for name, _ in options], [value for _, value in options]


def around(number):
    """The slider that `interact` makes of a number, and where it starts.

    Steps of 0.1 that would miss the number are a tenth of it instead.
    """
    whole = isinstance(number, Integral)
    number = int(number) if whole else float(number)
    ends = sorted([-number, 3 * number]) if number else [0 * number, number + 1]
    met = whole or abs((20 * number + 0.5) % 1 - 0.5) < SLACK
    return (*ends, *(() if met else (abs(number) / 10,))), number
