"""Each exercise's check accepts a right answer and tells each known wrong one what is wrong."""

import json
import re
from datetime import date, timedelta
from functools import partial
from random import Random

import pytest
import torch
from known_exercises import EXERCISES, with_shares

import chapters
from classroom import grade, sandbox
from d2lmini.exercises import NotYet, chapter_09, chapter_11
from d2lmini.exercises.checking import YOUR_TURN, Exercise, Trained, written
from d2lmini.exercises.stories import STORIES


def right_answer(exercise):
    if not isinstance(exercise, Trained):
        return exercise.expected
    return with_shares(exercise, [(exercise.enough + exercise.most) / 2] * len(exercise.parts))


def wrong_answers(exercise):
    for why, wrong in exercise.slips.items():
        yield why, with_shares(exercise, wrong) if isinstance(exercise, Trained) else wrong


def without_shares(exercise, told):
    """What is said of a wrong answer, without how much a trained model has right."""
    if isinstance(exercise, Trained):
        shares, told = re.fullmatch(r"right in \d+ texts that .+?: (.+?\d)\. (.+)", told).groups()
        assert [share.rpartition(" ")[0] for share in shares.split(", ")] == list(exercise.parts)
    return told


@pytest.mark.parametrize("exercise", EXERCISES)
def test_the_right_answer_is_praised(exercise, capsys):
    praised = True, f"Right. {exercise.praise}"
    assert exercise.verdict(right_answer(exercise)) == praised
    assert exercise.verdict(...) == exercise.verdict(None) == (None, YOUR_TURN)
    assert capsys.readouterr().out == ""
    assert exercise(right_answer(exercise)) is None  # or a notebook would show it
    assert capsys.readouterr().out == f"{praised[1]}\n"
    # An answer that is not written is no error.
    exercise(... if exercise.cases is None else lambda *arguments: ...)
    assert capsys.readouterr().out.partition("\n")[0] == YOUR_TURN  # a step shows its file, too


@pytest.mark.parametrize("exercise", EXERCISES)
def test_a_slip_is_named(exercise):
    for why, wrong in wrong_answers(exercise):
        right, told = exercise.verdict(wrong)
        assert (right, without_shares(exercise, told)) == (False, why)
    with pytest.raises(NotYet) as error:
        exercise(wrong)
    assert str(error.value) == told


@pytest.mark.parametrize("exercise", EXERCISES)
def test_what_an_answer_gives_reaches_the_grader_as_plain_data(exercise):
    cases = None if exercise.cases is None else sandbox.packed(exercise.cases())
    for answer, right in (right_answer(exercise), True), (next(wrong_answers(exercise))[1], False):
        told = sandbox.Told("any", cases, pipe=None).outcomes(answer)
        reply = json.loads(json.dumps({"exercise": "any", "outcomes": told}))
        assert grade.judged(exercise, reply).right is right


def test_what_is_no_known_slip_is_described():
    given = lambda: [(torch.tensor([1.0, 2.0]),)]  # noqa: E731
    double = Exercise(expected=lambda x: 2 * x, praise="Twice.", cases=given)
    for answer, part in (
        (lambda x: x + 1, r"\[2, 4\] is expected for \[1, 2\], not \[2, 3\]"),
        (lambda x: (2 * x)[:, None], r"instead of 1"),
        (lambda x: x * torch.nan, "NaN"),
        (lambda x: "two", "numbers are expected"),
        (lambda x: x.mul_(2), "changes its arguments"),
        (3.0, "a function is expected, not a float"),
    ):
        with pytest.raises(NotYet, match=part):
            double(answer)
    with pytest.raises(NotYet, match="not the function"):
        Exercise(expected=1.0, praise="One.")(lambda: 1.0)


# ---- exercises that train what a reader writes ---------------------------------------------------

SEEN = torch.ones(2, 4, 4).tril().bool()
QUERIES, KEYS, VALUES = torch.randn(3, 2, 4, 3, generator=torch.Generator().manual_seed(1))


def attend(queries, keys, values, seen=SEEN, axis=-1):
    weights = (queries @ keys.mT).masked_fill(~seen, -torch.inf).softmax(dim=axis)
    return weights @ values, weights


def no_mask(queries, keys, values):
    weights = (queries @ keys.mT).softmax(dim=-1)
    return weights @ values, weights


@pytest.mark.parametrize(
    ("answer", "part"),
    [
        (3, "a function is expected, not a int"),
        (lambda *given: attend(*given)[0], "outputs and weights are expected"),
        (lambda *given: attend(*given)[::-1], r"the shape is \(2, 4, 3\), but \(2, 4, 4\)"),
        (lambda *given: (attend(*given)[0].mT, attend(*given)[1]), "a transpose is missing"),
        (partial(attend, axis=1), "do not sum to 1"),
        (lambda *given: (VALUES, no_mask(*given)[1] * SEEN), "do not sum to 1"),
        (partial(attend, seen=SEEN.tril(-1)), "NaN: this query sees no key"),
        (lambda *given: (VALUES, torch.eye(4).expand(2, 4, 4)), "a key that may be seen has the"),
        (no_mask, "what is hidden has a weight above 0"),
        (lambda *given: (VALUES, attend(*given)[1]), "each output is the sum of weight times"),
    ],
)
def test_what_can_be_said_before_training_is_said(answer, part):
    with pytest.raises(NotYet, match=part):
        written(answer, QUERIES, KEYS, VALUES, seen=SEEN, hidden=~SEEN)


def test_only_an_attention_that_is_written_is_trained():
    given = QUERIES, KEYS, VALUES
    assert written(attend, *given, seen=SEEN, hidden=~SEEN) is True
    for unwritten in (lambda *given: None, lambda *given: ..., lambda *given: (..., ...)):
        assert written(unwritten, *given, seen=SEEN) is False


def test_lines_are_counted_and_what_has_been_read_is_found_out():
    with pytest.raises(NotYet, match="a line for each of the 100 texts is expected"):
        chapter_11.date_writer(lambda texts: texts[:-1])
    # What nobody can guess has been read.
    lucky = with_shares(chapter_09.next_letter, [1.0, 0.5])  # also at the end as right as asked
    with pytest.raises(NotYet, match="The future leaks: in the middle it reads"):
        chapter_09.next_letter(lucky)


def test_what_a_check_shows_a_model_is_in_no_training():
    numbers = Random(10).sample(range(73_049), 500 + 32_000)  # as chapter 11 draws its days
    days = {str(date(1900, 1, 1) + timedelta(n)) for n in numbers}
    assert len(days) == 32_500
    assert days.isdisjoint(chapter_11.DATES.values())
    story = " ".join(STORIES.split()).lower()
    assert not any(piece in story for piece in chapter_09.PIECES)


@pytest.mark.beyond  # it trains
def test_a_model_that_reads_the_future_is_found_out(capsys):
    [page] = [page for page in chapters.numbered() if page.name.startswith("09_")]
    wanted = ("import itertools", "# @title The model around your lines")
    namespace = {}
    for source in chapters.cells(page, "code"):
        if source.startswith(wanted):
            exec(source, namespace)
    guesses = namespace["guesses_with"](no_mask, steps=100)
    assert float(re.search(r"after 100 steps: loss (.+)", capsys.readouterr().out)[1]) < 1
    with pytest.raises(NotYet, match="The future leaks: in the middle it reads"):
        chapter_09.next_letter(guesses)
