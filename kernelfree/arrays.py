"""Numbers of any library as NumPy's. PyTorch is met where somebody else has imported it."""

import contextlib
import sys

import numpy as np


def is_tensor(data):
    """Whether it is a tensor of PyTorch's."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(data, torch.Tensor)


def as_array(data):
    """An array from a tensor, an array, nested lists or anything that NumPy can read."""
    if is_tensor(data):
        data = data.detach().cpu()
        # NumPy has no bfloat16.
        data = (data.float() if str(data.dtype) == "torch.bfloat16" else data).numpy()
    return np.asarray(data)


def without_gradients():
    """A context in which PyTorch, if it is there, keeps no graph."""
    torch = sys.modules.get("torch")
    return contextlib.nullcontext() if torch is None else torch.no_grad()
