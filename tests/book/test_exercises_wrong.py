"""Wrong answers of every kind get no praise and no crash; unusual right ones are not refused."""

from fractions import Fraction

import numpy as np
import pytest
import torch
from known_exercises import EXERCISES

from d2lmini.exercises import chapter_01, chapter_06, chapter_08, chapter_14, chapter_18
from d2lmini.exercises.checking import FORGOTTEN, Trained, as_function, as_tensor, call, clone

UNTRAINED = [one for one in EXERCISES if not isinstance(one.values[0], Trained)]
FUNCTIONS = [one for one in UNTRAINED if one.values[0].cases]
VALUES = [one for one in UNTRAINED if not one.values[0].cases]


class OwnError(Exception):
    """What an answer's own code raises."""


def after(change):
    return lambda right: lambda *arguments: change(as_tensor(right(*clone(arguments))))


def transposed(result):
    return result.movedim(-1, 0) if result.ndim > 1 else result.flip(0) if result.ndim else -result


def in_place(right):
    def answer(*arguments):
        result = right(*clone(arguments))
        for one in arguments:
            if isinstance(one, torch.Tensor):
                one.fill_(not one.any())
            elif isinstance(one, list):
                one.clear()
        return result

    return answer


def raising(*arguments):
    raise ZeroDivisionError


# What is wrong -> such a function, made of the right one.
WRONG = {
    "None": lambda right: None,
    "a wrong type": after(lambda result: {"a": "b"}),
    "a wrong shape": after(lambda result: torch.zeros(2, 7, 1, 5)),
    "NaN": after(lambda result: result * torch.nan),
    "a constant": after(lambda result: torch.full_like(result, 0.375)),
    "the input": lambda right: lambda *arguments: arguments[0],
    "swapped arguments": lambda right: lambda *arguments: right(*arguments[1:], arguments[0]),
    "off by one": after(lambda result: result + 1),
    "transposed": after(transposed),
    "in place": in_place,
    "no `return`": after(lambda result: None),
    "raising": lambda right: raising,
    "half of it": after(lambda result: result / 2),
}
# The same of answers that are right, and look unusual.
RIGHT = {
    "another dtype": after(lambda result: result.float()),
    "NumPy's": after(lambda result: result.numpy()),
    "a list": after(lambda result: result.tolist()),
    "a tuple of tensors": after(lambda result: tuple(result) if result.ndim else result),
    "an axis of length 1": after(lambda result: result[None]),
    "with a gradient": after(lambda result: result.requires_grad_()),
}


def is_right(exercise, answer):
    """Whether an answer that is praised gives the right numbers, and leaves its arguments alone."""
    for given, fresh in zip(exercise.cases(), exercise.cases(), strict=True):
        got, expected = as_tensor(answer(*given)), as_tensor(call(exercise.expected, fresh))
        if not torch.allclose(got.squeeze(), expected.squeeze(), rtol=1e-5, equal_nan=True):
            return False
        if not all(np.array_equal(one, other) for one, other in zip(given, fresh, strict=True)):
            return False
    return True


@pytest.mark.parametrize("kind", WRONG)
@pytest.mark.parametrize("exercise", FUNCTIONS)
def test_a_wrong_function_is_told_what_is_wrong(exercise, kind):
    made = WRONG[kind](as_function(exercise.expected))

    def answer(*arguments):
        try:
            return made(*arguments)
        except Exception as error:
            raise OwnError from error

    try:
        right, why = exercise.verdict(made and answer)
    except OwnError:  # a reader sees it, and where it was raised
        return
    assert why
    assert right is {"None": None}.get(kind, False) or is_right(exercise, made)
    if kind == "no `return`":
        assert why == FORGOTTEN


@pytest.mark.parametrize("kind", RIGHT)
@pytest.mark.parametrize("exercise", FUNCTIONS)
def test_an_unusual_right_function_is_praised(exercise, kind):
    assert exercise.verdict(RIGHT[kind](as_function(exercise.expected))).right is True


@pytest.mark.parametrize("exercise", VALUES)
def test_values_of_every_kind_are_read(exercise):
    expected = exercise.expected
    no_answers = [{"a": 1}, object(), [], [[1], [2, 3]], [None], 10**400, np.nan, 7j, "x y", b"x"]
    for wrong in [*no_answers, np.array(["x"]), torch.zeros(2, 7, 1), torch.tensor(1 + 2j)]:
        right, why = exercise.verdict(wrong)
        assert right is False
        assert why
    if isinstance(expected, str):
        return
    right = as_tensor(expected)
    fractions = np.vectorize(Fraction, otypes=[object])(right.numpy())
    for one in (right, right.numpy(), right[None], right.requires_grad_(), fractions.tolist()):
        assert exercise.verdict(one).right is True
    for wrong in (right + 1, right * (1 + 1j), right / 2, right.expand(2, *right.shape)):
        assert exercise.verdict(wrong).right is False


# Answers that were judged wrongly once.
@pytest.mark.parametrize(
    ("exercise", "answer", "right"),
    [
        (chapter_14.by_hand, 1.83, True),
        (chapter_14.by_hand, 1.7, False),
        (chapter_06.reading, {3, 5}, True),
        (chapter_06.by_hand, {3 / 4, 1 / 4}, False),
        (chapter_18.capped, 23.0, False),
        (chapter_18.capped, 23.11, True),
        (chapter_01.seats, "b", True),
        (chapter_08.below_the_limit, ["c", "e"], True),
    ],
)
def test_what_was_judged_wrongly_once(exercise, answer, right):
    assert exercise.verdict(answer).right is right
