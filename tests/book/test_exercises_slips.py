"""Each exercise's check accepts a right answer and tells each known wrong one what is wrong."""

import importlib
import json
import pkgutil

import grade
import pytest
import torch

from d2lmini import exercises
from d2lmini.exercises import NotYet
from d2lmini.exercises.checking import YOUR_TURN, Exercise

CHAPTERS = [
    importlib.import_module(f"d2lmini.exercises.{module.name}")
    for module in pkgutil.iter_modules(exercises.__path__)
    if module.name.startswith("chapter_")
]
EXERCISES = [
    pytest.param(value, id=f"{chapter.__name__[-2:]}-{name}")
    for chapter in CHAPTERS
    for name, value in vars(chapter).items()
    if isinstance(value, Exercise)
]
SLIPS = [
    pytest.param(exercise, why, wrong, id=f"{param.id}-{number}")
    for param in EXERCISES
    for exercise in param.values
    for number, (why, wrong) in enumerate(exercise.slips.items(), 1)
]


@pytest.mark.parametrize("exercise", EXERCISES)
def test_the_right_answer_is_praised(exercise, capsys):
    exercise(exercise.expected)
    assert capsys.readouterr().out == f"Right. {exercise.praise}\n"


@pytest.mark.parametrize("exercise", EXERCISES)
def test_at_least_three_wrong_answers_are_known(exercise):
    assert len(exercise.slips) >= 3


@pytest.mark.parametrize(("exercise", "why", "wrong"), SLIPS)
def test_a_slip_is_named(exercise, why, wrong):
    with pytest.raises(NotYet) as error:
        exercise(wrong)
    assert str(error.value) == why


@pytest.mark.parametrize("exercise", EXERCISES)
def test_an_unwritten_answer_is_no_error(exercise, capsys):
    exercise(... if exercise.cases is None else lambda *arguments: ...)
    assert capsys.readouterr().out == f"{YOUR_TURN}\n"


@pytest.mark.parametrize("exercise", EXERCISES)
def test_a_verdict_is_given_without_a_word(exercise, capsys):
    assert exercise.verdict(exercise.expected) == (True, f"Right. {exercise.praise}")
    why, wrong = next(iter(exercise.slips.items()))
    assert exercise.verdict(wrong) == (False, why)
    assert exercise.verdict(...) == exercise.verdict(None) == (None, YOUR_TURN)
    assert capsys.readouterr().out == ""
    assert exercise(exercise.expected) is None  # or a notebook would show it


@pytest.mark.parametrize("exercise", EXERCISES)
def test_what_an_answer_gives_reaches_the_grader_as_plain_data(exercise):
    cases = None if exercise.cases is None else grade.packed(exercise.cases())
    for answer, right in (exercise.expected, True), (next(iter(exercise.slips.values())), False):
        told = grade.Told("any", cases, pipe=None).outcomes(answer)
        reply = json.loads(json.dumps({"exercise": "any", "outcomes": told}))
        assert grade.judged(exercise, reply).right is right


double = Exercise(
    expected=lambda x: 2 * x,
    praise="Twice.",
    cases=lambda: [(torch.tensor([1.0, 2.0]),)],
)


@pytest.mark.parametrize(
    ("answer", "part"),
    [
        (lambda x: x + 1, r"\[2, 4\] is expected for \[1, 2\], not \[2, 3\]"),
        (lambda x: (2 * x)[None], r"instead of 1"),
        (lambda x: x * torch.nan, "NaN"),
        (lambda x: "two", "numbers are expected"),
        (lambda x: x.mul_(2), "changes its arguments"),
        (3.0, "a function is expected, not a float"),
    ],
)
def test_an_unknown_wrong_answer_is_described(answer, part):
    with pytest.raises(NotYet, match=part):
        double(answer)


def test_a_value_is_not_a_function():
    with pytest.raises(NotYet, match="not the function"):
        Exercise(expected=1.0, praise="One.")(lambda: 1.0)


def test_words_are_compared_without_case():
    Exercise(expected="keys", praise="Yes.")(" Keys ")
