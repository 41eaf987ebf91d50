"""Which definitions have a fast way: `fast.py` says so, and without it none has."""

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import torch

FAST: dict[str, Callable[..., Any]] = {}
from .fast import FAST  # noqa: E402, F811  (without this line and its file all is plain)

# Whether torch.export writes the steps down; PyTorch cannot tell before 2.7, and bool() is False.
is_exporting = getattr(torch.compiler, "is_exporting", bool)

Plain = TypeVar("Plain", bound=Callable[..., Any])


def quick(plain: Plain) -> Plain:
    """Return the fast way of a plain definition, which gives the same; if none, the plain one."""
    fast = FAST.get(plain.__qualname__)
    if fast is None:
        return plain
    fast.__qualname__ = plain.__qualname__  # Python's own errors speak of what was called

    @functools.wraps(plain)
    def quicker(*args, **kwargs):
        if is_exporting():  # who reads the steps of a graph reads the plain definition
            return plain(*args, **kwargs)
        return fast(*args, **kwargs)

    return quicker  # type: ignore[return-value]
