"""Which definitions have a fast way, and from what size on: `fast.py` says so.

A plain definition is what runs, up to that size and wherever a graph is written down. Without
`fast.py` and the line that imports it, it always is.
"""

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from .checks import is_exporting

# Name of a plain definition -> its fast way, and whether that pays for such arguments.
FAST: dict[str, tuple[Callable[..., Any], Callable[..., bool]]] = {}
from .fast import FAST  # noqa: E402, F811  (without this line and its file all is plain)

Plain = TypeVar("Plain", bound=Callable[..., Any])


def quick(plain: Plain) -> Plain:
    """Let a plain definition hand large inputs to its fast way, if it has one."""
    fast, pays = FAST.get(plain.__qualname__, (None, None))
    if fast is None:
        return plain
    fast.__qualname__ = plain.__qualname__  # Python's own errors speak of what was called

    @functools.wraps(plain)
    def quicker(*args, **kwargs):
        if is_exporting() or not pays(*args, **kwargs):
            return plain(*args, **kwargs)
        return fast(*args, **kwargs)

    return quicker  # type: ignore[return-value]
