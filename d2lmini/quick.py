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

    @functools.wraps(plain)
    def quicker(*args, **kwargs):
        # Who reads the steps of a graph reads the plain definition, unless a kernel was asked for.
        if is_exporting() and getattr(args[0] if args else None, "need_weights", True):
            return plain(*args, **kwargs)
        try:
            return fast(plain, *args, **kwargs)
        except TypeError as error:
            if error.__traceback__ and error.__traceback__.tb_next:  # not of the call itself
                raise
        return plain(*args, **kwargs)  # whose error names the function that was called

    return quicker  # type: ignore[return-value]
