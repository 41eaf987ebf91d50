"""Checks that tell a reader whether an answer is right and, if not, why."""

from collections.abc import Sequence
from typing import Any

from kernelfree.book import say


class NotYet(AssertionError):
    """An answer that is not right yet. In a notebook it shows its sentence, not a traceback."""

    def _render_traceback_(self):
        return [say("Not yet: {why}", why=self)]


def check_shape(tensor: Any, shape: Sequence[int]) -> None:
    """Raise `NotYet`, with a sentence that says what differs, unless the tensor has this shape.

    Parameters
    ----------
    tensor : Tensor or array
    shape : tuple of int
    """
    if not hasattr(tensor, "shape"):
        kinds = {"shape": tuple(shape), "kind": type(tensor).__name__}
        raise NotYet(say("a tensor of shape {shape} is expected, not a {kind}.", **kinds))
    got, expected = tuple(tensor.shape), tuple(shape)
    if got == expected:
        return
    why = difference(got, expected)
    shapes = {"got": got, "expected": expected}
    raise NotYet(say("the shape is {got}, but {expected} is expected: {why}.", **shapes, why=why))


def difference(got, expected):
    """How two shapes differ, in words."""
    if len(got) != len(expected):
        counts = {"count": len(got), "expected": len(expected)}
        why = say("it has {count} axes instead of {expected}", **counts)
        if len(got) == 1:
            why = say("it has 1 axis instead of {expected}", **counts)
        if [n for n in got if n != 1] == [n for n in expected if n != 1]:
            why += say("; only axes of length 1 differ, so squeeze or unsqueeze is missing")
        return why
    if sorted(got) == sorted(expected):
        return say(
            "the lengths are right but their order is not, so a transpose is missing or too much"
        )
    return say(" and ").join(
        say("axis {axis} has length {got} instead of {expected}", axis=i, got=n, expected=wanted)
        for i, (n, wanted) in enumerate(zip(got, expected, strict=True))
        if n != wanted
    )
