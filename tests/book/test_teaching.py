"""What the page for teachers promises: a chapter becomes an assignment that grades right."""

import re

import assignment
import pytest

import chapters
from d2lmini.exercises import NotYet
from d2lmini.exercises import chapter_06 as check

CHAPTERS = [
    pytest.param(page, id=page.stem)
    for page in chapters.numbered()
    if any("# @title Solution" in source for source in chapters.cells(page, "code"))
]


def graded():
    namespace = {}
    exec(assignment.GRADED, namespace)
    return namespace["graded"]


def test_the_page_shows_the_lines_that_grade():
    page = chapters.ROOT / "chapters" / "teaching.ipynb"
    assert f"```\n{assignment.GRADED}\n```" in "\n".join(chapters.cells(page, "markdown"))


def test_only_a_right_answer_passes():
    assert graded()(check.by_hand, [3 / 4, 1 / 4]) is None
    with pytest.raises(NotYet):
        graded()(check.by_hand, [1 / 4, 3 / 4])
    for missing in (None, ...):
        with pytest.raises(AssertionError, match="not answered yet"):
            graded()(check.by_hand, missing)


@pytest.mark.parametrize("page", CHAPTERS)
def test_a_chapter_becomes_an_assignment(page):
    made = assignment.assignment(chapters.read(page))
    marks = [cell.metadata["nbgrader"] for cell in made.cells]
    names = [mark["grade_id"] for mark in marks]
    assert len(set(names)) == len(names)
    solutions = [cell for cell in made.cells if cell.metadata["nbgrader"]["solution"]]
    points = [cell for cell in made.cells if cell.metadata["nbgrader"]["grade"]]
    text = "\n".join(chapters.cells(page, "markdown"))
    assert len(solutions) == len(points) == len(re.findall(r"^### Exercise ", text, re.MULTILINE))
    for solution, test in zip(solutions, points, strict=True):
        assert "### BEGIN SOLUTION\n" in solution.source
        checks = [re.findall(r"check\.(\w+)", cell.source)[-1] for cell in (solution, test)]
        assert checks[0] == checks[1]
        assert test.source.startswith("graded(check.")
    assert "@title Solution" not in str(made)
    assert not any(cell.get("outputs") for cell in made.cells)
    assert all(mark["locked"] != mark["solution"] for mark in marks)
