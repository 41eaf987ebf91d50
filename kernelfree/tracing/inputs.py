"""The numbers of a trace's inputs: as tensors, and as nested lists."""

import math
import re

import numpy as np
import torch

from .constants import TYPES
from .exporting import first_line, silence

# How many numbers a reader may be given to change.
MAX_CELLS = 400
# Whole numbers up to this one are apart in float64.
WHOLE = 2**53
# How far from those that are given whole numbers are tried.
FAR = 100


def as_tensor(what, given):
    """Numbers for the page as a tensor of a type that it knows; `what` names them in errors."""
    if isinstance(given, torch.Tensor):
        x = given.detach()
    else:
        try:
            x = torch.from_numpy(np.array(given))
        except (TypeError, ValueError) as error:
            raise TypeError(f"{what} must be an array of numbers, got {given!r}") from error
    if x.dtype not in TYPES:
        raise TypeError(f"{what} must be float64, float32, int64 or bool, got {x.dtype}")
    if x.dtype == torch.int64:
        check_whole(what, x)
    if x.numel() > MAX_CELLS:
        raise ValueError(f"{what} has {x.numel():,} numbers, at most {MAX_CELLS} can be shown")
    return x


def check_whole(what, x):
    """Raise if a page, whose numbers are float64, would take a whole number for its neighbour."""
    if ((x > WHOLE) | (x < -WHOLE)).any():
        raise ValueError(f"{what}: whole numbers must be from -2**53 to 2**53, got {x.tolist()}")


def as_input(what, given, one):
    """The tensor of an input's numbers; raise unless shape and type are those it has."""
    dtype = next(kind for kind, called in TYPES.items() if called == one["dtype"])
    if isinstance(given, torch.Tensor):
        x = given.detach()
    else:
        flat = [float(n) for n in np.array(given, dtype=object).ravel()]
        x = torch.tensor(flat, dtype=torch.float64).reshape(np.shape(given))
    if list(x.shape) != one["shape"]:
        raise ValueError(f"{what} must have the shape {tuple(one['shape'])}, got {tuple(x.shape)}")
    if not dtype.is_floating_point and not torch.equal(x.double(), x.to(dtype).double()):
        raise ValueError(f"{what} must hold {one['dtype']} values, got {given!r}")
    for number in x.flatten().tolist():
        if "below" in one and number < one["low"]:
            raise ValueError(f"{what}: {one['below'].replace('{}', f'{number:g}')}")
        if "above" in one and number > one["high"]:
            raise ValueError(f"{what}: {one['above'].replace('{}', f'{number:g}')}")
    return x.to(dtype)


def limits(function, inputs, name):
    """Between which limits an input's whole numbers lie, and what the function says of others.

    {"low": 0, "below": "a length is at least 0, got {}", ...}: beyond them it refuses a number in
    every place, as it refuses a length above the number of keys.
    """
    x, found = inputs[name], {}
    if x.dtype != torch.int64 or not x.numel():
        return found

    def refusal(number):
        for place in range(x.numel()):
            tried = x.flatten().index_fill(0, torch.tensor(place), number).reshape(x.shape)
            try:
                with silence():
                    function(**{**inputs, name: tried})
            except Exception as error:  # the function's own, whatever it is
                why = first_line(error).rstrip(".")
            else:
                return None
        return re.sub(rf"{number}$", "{}", why)

    for last, side, first, step in (("low", "below", x.min(), -1), ("high", "above", x.max(), 1)):
        for number in range(first.item(), first.item() + step * FAR, step):
            if why := refusal(number + step):
                found |= {last: number, side: why}
                break
    return found


def listed(x):
    """A tensor as nested lists; JSON has no word for what is not finite."""
    if x.dim():
        return [listed(part) for part in x]
    number = x.item()
    return number if math.isfinite(number) else str(number)
