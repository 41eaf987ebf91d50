"""Tensors that a function holds, as JSON and back."""

import base64
import json
import re

import torch
from torch import Tensor

from .exporting import NotForThePageError

# Up to so many numbers may stand as JSON.
FEW = 1000
TYPES = {torch.float64: "float64", torch.float32: "float32", torch.int64: "int64"}
TYPES[torch.bool] = "bool"


def kind(x, what):
    """The name of a tensor's type; raise if the page does not know it."""
    if not isinstance(x, Tensor):
        raise TypeError(f"{what} must be a tensor, got {type(x).__name__}")
    if x.dtype not in TYPES:
        raise NotForThePageError(
            f"{what} must be float64, float32, int64 or bool for the page, got {x.dtype}"
        )
    return TYPES[x.dtype]


def owner(program, name):
    """What the author calls a parameter: without the wrapper's own name in front."""
    full = program.graph_signature.inputs_to_parameters[name]
    return re.sub(r"^(function|outside_\d+)\.", "", full)


def constant(found, name):
    """A tensor for the page: its numbers, or the base64 of their bytes where that is shorter."""
    x = found.detach().cpu()
    look = {"shape": list(x.shape), "dtype": kind(x, "a constant")}
    if name:
        return {**look, "name": name}
    flat = x.flatten()
    if len(flat) <= FEW and not (flat.is_floating_point() and not flat.isfinite().all()):
        listed = flat.int().tolist() if x.dtype == torch.bool else flat.tolist()
        listed = [int(n) if n == int(n) and str(n) != "-0.0" else n for n in listed]
        if not listed or len(json.dumps(listed)) < 12 * len(listed):
            return {**look, "data": listed}
    # The page has no integers of 64 bits.
    numbers = (flat.double() if x.dtype == torch.int64 else flat).contiguous().numpy()
    packed = base64.b64encode(numbers.tobytes()).decode()
    return {**look, "data": packed}


def held_tensor(one):
    """The tensor that `constant` has written down."""
    dtype = next(kind for kind, name in TYPES.items() if name == one["dtype"])
    if not isinstance(one["data"], str):
        return torch.tensor(one["data"], dtype=dtype).reshape(one["shape"])
    stored = torch.float64 if dtype == torch.int64 else dtype
    numbers = torch.frombuffer(bytearray(base64.b64decode(one["data"])), dtype=stored)
    return numbers.reshape(one["shape"]).to(dtype)
