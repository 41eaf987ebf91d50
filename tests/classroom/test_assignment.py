"""A chapter becomes an assignment of nbgrader, and what the page for teachers tells is there."""

import copy
import json
import math
import re

import pytest

import chapters
from classroom import assignment
from d2lmini.exercises import chapter_06 as check

CHAPTERS = [
    pytest.param(page, id=page.stem)
    for page in chapters.numbered()
    if any("# @title Solution" in source for source in chapters.cells(page, "code"))
]
PAGE = next(page for page in chapters.numbered() if page.name.startswith("06_"))


def test_what_the_page_tells_to_run_is_there():
    text = "\n".join(chapters.cells(chapters.ROOT / "chapters" / "teaching.ipynb", "markdown"))
    assert f"```\n{assignment.GRADED}\n```" in text
    lines = re.sub(r"\\\n", "", text)
    run = re.findall(r"(?:-m classroom\.([\w.]+)|classroom/([\w/]+)\.py)([^\n`]*)", lines)
    run = [(module.replace(".", "/") or file, options) for module, file, options in run]
    assert {name for name, _ in run} >= {"answers", "grade", "hub/points", "hub/trial"}
    for name, options in run:
        file = chapters.ROOT / "classroom" / f"{name}.py"
        known = set(re.findall(r'"(--[\w-]+)"', file.read_text(encoding="utf-8")))
        assert set(re.findall(r"--[\w-]+", options)) <= known, name
    assert re.findall(r"^hub: ", (chapters.ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    # A container for a notebook has bounds.
    containers = re.findall(r"^ *docker run(.*)", lines, re.MULTILINE)
    assert containers
    for options in containers:
        bounds = {"--network none", "--memory 4g", "--pids-limit 512"}
        assert bounds <= set(re.findall(r"--[\w-]+ \w+", options))


def test_only_a_right_answer_passes():
    names = {}
    exec(assignment.GRADED, names)
    graded = names["graded"]
    assert graded(check.by_hand, [3 / 4, 1 / 4]) is None
    with pytest.raises(AssertionError, match="these are the scores"):
        graded(check.by_hand, [math.log(3), 0.0])
    for missing in (None, ...):
        with pytest.raises(AssertionError, match="Your turn"):
            graded(check.by_hand, missing)
    with pytest.raises(AssertionError, match="forget `return`"):
        graded(check.attention, lambda *arguments: print("Right. "))


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
        start, _, rest = solution.source.partition("### BEGIN SOLUTION\n")
        assert "..." in start, "the reader replaces the dots"
        assert "check." in rest.partition("### END SOLUTION\n")[2]
        checks = [re.findall(r"check\.(\w+)", cell.source)[-1] for cell in (solution, test)]
        assert checks[0] == checks[1]
        assert test.source.startswith("graded(check.")
    assert "@title Solution" not in str(made)
    assert not any(cell.get("outputs") for cell in made.cells)
    assert all(mark["locked"] != mark["solution"] for mark in marks)


def test_some_exercises_with_points_and_their_starting_lines(tmp_path, capsys):
    made = assignment.assignment(chapters.read(PAGE), ["attention", "variance"], {"variance": 3})
    assert assignment.points_of(made) == {"variance": 3, "attention": 1}
    sources = {cell.metadata["nbgrader"]["grade_id"]: cell.source for cell in made.cells}
    start = "def repaired(queries, keys, values): ...\n\n### BEGIN SOLUTION\n"
    assert sources["answer-attention"].startswith(start)
    headings = re.findall(r"^### Exercise (6\.\d)", "\n".join(sources.values()), re.MULTILINE)
    assert headings == ["6.2", "6.3"]
    assert "when you have" not in "\n".join(sources.values())
    assignment.main(PAGE, tmp_path / "one.ipynb", ["variance"])
    assert capsys.readouterr().out.endswith("one.ipynb: 1 exercise, 1 point\n")
    some = ["variance"], {"attention": 2}
    for told in ((["atention"], {}), ([], {"atention": 2}), some):
        with pytest.raises(SystemExit, match=r"no exercise at+ention; there are (by_hand, )?variance"):
            assignment.main(PAGE, tmp_path / "new.ipynb", *told)


def test_an_assignment_replaces_nothing(tmp_path):
    there, bad = tmp_path / "there.ipynb", tmp_path / "bad.ipynb"
    there.write_text("a teacher's own")
    bad.write_text('{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}')
    with pytest.raises(SystemExit, match=r"there\.ipynb is there already and stays"):
        assignment.main(PAGE, there)
    assert there.read_text() == "a teacher's own"
    for source, why in (bad, "it has no exercise"), (tmp_path / "gone.ipynb", "there is no such file"):
        with pytest.raises(SystemExit, match=f"nothing is made of .*{source.name}: {why}"):
            assignment.main(source, tmp_path / "new.ipynb")
    odd = copy.deepcopy(chapters.read(PAGE))
    odd.cells[2].id = None
    bad.write_text(json.dumps(odd))
    with pytest.raises(SystemExit, match="is not of type 'string'"):
        assignment.main(bad, tmp_path / "new.ipynb")
    assert not (tmp_path / "new.ipynb").exists()
