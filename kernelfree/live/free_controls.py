"""Controls without stops: ranges of numbers, and tables of numbers that a reader types."""

import inspect
import math

import torch

from ..controls import Matrix, is_number
from ..language import deferred
from ..scales import round_up
from ..tracing.inputs import as_input, as_tensor, listed

# A hand moves a range in at least so many places, and an arrow key in about so many.
PLACES, PRESSES = 200, 40


def control(name, given, label):
    """What the page needs to know of a control without stops."""
    found = {"name": name, "label": label}
    what = f"control {name!r}"
    return {**found, **(table(what, given) if isinstance(given, Matrix) else span(what, given))}


def span(what, given):
    low, high, *steps = map(float, given)
    if not all(map(math.isfinite, (low, high, *steps))):
        raise ValueError(f"{what}: every number must be finite, got {given!r}")
    if low >= high or any(step <= 0 or step > high - low for step in steps):
        raise ValueError(
            f"{what}: {given!r} means (low, high) or (low, high, step), so the first must be below "
            "the second and the step must be above 0 and fit between them"
        )
    step = steps[0] if steps else 10.0 ** round(math.log10((high - low) / PRESSES))
    fine = max(0, -math.floor(math.log10((high - low) / PLACES)))
    # A step, and what it starts from, are written without a rest.
    least = next(n for n in range(17) if all(round(x, n) == x for x in (low, step)) or n == 16)
    return {
        "kind": deferred("range"),
        "low": low,
        "high": high,
        "step": step,
        "decimals": max(fine, least),
    }


def table(what, given):
    x = as_tensor(what, given.numbers)
    if x.dim() not in (1, 2) or not x.numel():
        raise ValueError(
            f"{what}: expected a row or a table of numbers, got shape {tuple(x.shape)}"
        )
    numbers = x.double()
    if not numbers.isfinite().all():
        raise ValueError(f"{what}: every number must be finite, got {listed(x)!r}")
    top = round_up(2 * numbers.abs().max().item())
    high = top if given.high is None else given.high
    low = (-top if (numbers < 0).any() else 0.0) if given.low is None else given.low
    if x.dtype == torch.bool:
        low, high = 0, 1
    if not (is_number(low) and is_number(high) and -math.inf < low < high < math.inf):
        raise ValueError(f"{what}: low must be below high, got {low!r} and {high!r}")
    dtype = str(x.dtype).removeprefix("torch.")
    found = {"kind": deferred("matrix"), "shape": list(x.shape), "dtype": dtype}
    found |= {"low": float(low), "high": float(high)}
    inside(what, found, x)
    return found


def value_of(control, given):
    """The value of a control without stops that is meant, or an error that names the control."""
    what = f"control {control['name']!r}"
    if control["kind"] == "matrix":
        x = as_input(what, given, control)
        inside(what, control, x)
        return listed(x)
    low, high = control["low"], control["high"]
    given = given.item() if getattr(given, "ndim", None) == 0 else given
    if not is_number(given) or not low <= given <= high:
        raise ValueError(f"{what} goes from {low:g} to {high:g}, got {given!r}")
    return float(given)


def inside(what, control, x):
    """Raise unless all numbers of a table are between its limits."""
    low, high = control["low"], control["high"]
    if not ((x >= low) & (x <= high)).all():
        raise ValueError(f"{what}: every number must be from {low:g} to {high:g}, got {listed(x)}")


def start(function, control, given):
    """The value that a control has at first: the function's default, or the middle of a range."""
    if isinstance(given, Matrix):
        return listed(as_tensor("", given.numbers))
    try:
        default = inspect.signature(function).parameters[control["name"]].default
    except (TypeError, ValueError, KeyError):
        default = inspect.Parameter.empty
    if default is inspect.Parameter.empty:
        return round((control["low"] + control["high"]) / 2, control["decimals"])
    return value_of(control, default)


def tensor_of(control, value):
    """What the function gets."""
    if control["kind"] == "matrix":
        return as_input("", value, control)
    return torch.tensor(value, dtype=torch.float64)
