"""Numbers of panels as PyTorch's tensors, so that they can be exported.

The method `tensors` of a panel or a mark says by these what its `tables` say by NumPy; `graphs.py`
compares the two whenever a figure is made.
"""

import numpy as np
import torch

from ..arrays import as_array
from ..dates import days


def numbers(data):
    """Numbers of any kind as a tensor in float64; tensors among them are kept as such."""
    if isinstance(data, torch.Tensor):
        return data.double()
    if isinstance(data, list | tuple) and any(has_tensor(part) for part in data):
        return torch.stack([numbers(part) for part in data])
    return torch.from_numpy(np.array(as_array(days(data, "x")), dtype=np.float64))


def has_tensor(data):
    """Whether there is a tensor somewhere in nested lists."""
    parts = data if isinstance(data, list | tuple) else ()
    return isinstance(data, torch.Tensor) or any(map(has_tensor, parts))


def mask(data):
    """A boolean matrix as a tensor."""
    return data if isinstance(data, torch.Tensor) else torch.from_numpy(np.array(data))


def pairs(data):
    """Points of a plane, (n, 2), from one or more."""
    found = numbers(data)
    return found[None] if found.dim() == 1 else found


def row(data, count):
    """One number for each of `count` things, (1, count)."""
    return numbers(data).expand(1, count)
