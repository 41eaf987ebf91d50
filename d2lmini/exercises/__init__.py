"""Checks that tell a reader whether an answer is right and, if not, why."""

from collections.abc import Sequence
from typing import Any


class NotYet(AssertionError):
    """An answer that is not right yet. In a notebook it shows its sentence, not a traceback."""

    def _render_traceback_(self):
        return [f"Not yet: {self}"]


def check_shape(tensor: Any, shape: Sequence[int]) -> None:
    """Raise `NotYet`, with a sentence that says what differs, unless the tensor has this shape.

    Parameters
    ----------
    tensor : Tensor or array
    shape : tuple of int
    """
    if not hasattr(tensor, "shape"):
        raise NotYet(
            f"a tensor of shape {tuple(shape)} is expected, not a {type(tensor).__name__}."
        )
    got, expected = tuple(tensor.shape), tuple(shape)
    if got == expected:
        return
    if len(got) != len(expected):
        why = f"it has {count(len(got), 'axis', 'axes')} instead of {len(expected)}"
        if [n for n in got if n != 1] == [n for n in expected if n != 1]:
            why += "; only axes of length 1 differ, so squeeze or unsqueeze is missing"
    elif sorted(got) == sorted(expected):
        why = "the lengths are right but their order is not, so a transpose is missing or too much"
    else:
        axes = [i for i in range(len(got)) if got[i] != expected[i]]
        why = " and ".join(f"axis {i} has length {got[i]} instead of {expected[i]}" for i in axes)
    raise NotYet(f"the shape is {got}, but {expected} is expected: {why}.")


def count(number, one, many):
    """Return a number with its noun."""
    return f"{number} {one if number == 1 else many}"
