"""Turn a chapter into an assignment: the source notebook of nbgrader, graded by the book's checks.

    python -m classroom.assignment chapters/04_masked_softmax.ipynb source/week4/04.ipynb
        [--only EXERCISE ...] [--points EXERCISE=POINTS ...]

An answer's cell has the chapter's starting lines and, as nbgrader's solution region, the folded
solution; a locked test cell, of one point or as many as `--points` gives, runs the exercise's
check. Everything else is read-only. With `--only` there are no other exercises. A test cell runs
beside the answer, which could change it: these points are for feedback, those of classroom/grade.py
count, which reads from what is written here which exercises there are, and their points.
"""

import copy
import re
import sys
from pathlib import Path

import nbformat

from classroom.files import command, counted, expecting, reason, text
from tools.metadata import EXERCISE, EXERCISES, NOTES, SOLUTION, tags_of

GRADED = '''\
def graded(check, answer):
    """Pass when a check accepts an answer; raise for a wrong or a missing one."""
    verdict = check.verdict(answer)
    assert verdict.right, verdict.why'''

CHECK = re.compile(r"^check\.(\w+)\((.*)\)$", re.MULTILINE)


def marked(cell, name, *, solution=False, points=None):
    """Give a cell nbgrader's metadata."""
    cell.metadata["nbgrader"] = {
        "grade": points is not None,
        "grade_id": name,
        "locked": not solution,
        "schema_version": 3,
        "solution": solution,
        "task": False,
        **({} if points is None else {"points": points}),
    }
    return cell


def points_of(notebook):
    """The points of the exercises in an assignment: {name: points}; of a chapter none."""
    marks = (cell.metadata.get("nbgrader", {}) for cell in notebook.cells)
    return {
        mark["grade_id"].removeprefix("check-"): mark["points"]
        for mark in marks
        if mark.get("grade") and mark["grade_id"].startswith("check-")
    }


def chosen(points, only=(), others=()):
    """The points of those exercises that count: `only` names some, `others` are other points."""
    others = dict(others)
    for argument, names in (("--only", only), ("--points", others)):
        if unknown := {*names} - points.keys():
            told = f"{argument}: there is no exercise {', '.join(sorted(unknown))}"
            how = "name them without `check.`, with spaces between"
            raise ValueError(f"{told}; there are {', '.join(points)}; {how}")
        points = {name: points[name] for name in points if name in only or not only}
    return points | others


def of_exercise(given):
    """One of --points: (exercise, points)."""
    name, _, number = given.partition("=")
    points = float(number) if "." in number else int(number)
    if not 0 <= points < 1e6:
        raise ValueError(points)
    return name, points


def options_of_exercises(parser):
    """Which exercises count, and for how many points."""
    parser.add_argument("--only", nargs="+", default=[])
    some = expecting("EXERCISE=POINTS, 0 or more, as variance=3", of_exercise)
    parser.add_argument("--points", nargs="+", type=some, default=[])


def exercises_of(notebook):
    """The cells of a chapter, each with the name of the exercise to which it belongs, or None.

    A fold below a solution belongs to that exercise; other cells there introduce the next one.
    """
    solutions = (cell.source for cell in notebook.cells if SOLUTION in tags_of(cell))
    names = (CHECK.findall(source)[-1][0] for source in solutions)
    done = name = None
    for cell in notebook.cells:
        if EXERCISE in cell.metadata:
            done = name
        yield (done if cell.source.startswith("<details>") else name), cell
        if EXERCISES in tags_of(cell) or SOLUTION in tags_of(cell):
            name = next(names, None)


def assignment(notebook, only=(), others=()):
    """The assignment of a chapter, as a new notebook."""
    code = nbformat.v4.new_code_cell
    named = [*exercises_of(notebook)]
    points = chosen(dict.fromkeys((name for name, _ in named if name), 1), only, others)
    cells, start = [], ""
    for number, (name, cell) in enumerate(copy.deepcopy(named)):
        if name and name not in points:
            continue
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
        cell.metadata.pop(NOTES, None)  # for teachers
        if EXERCISES in tags_of(cell):
            cells.append(marked(code(GRADED), "graded"))
        if SOLUTION in tags_of(cell):
            check, answer = CHECK.findall(cell.source)[-1]
            body = CHECK.sub("", cell.source.partition("\n")[2]).strip("\n")
            source = f"### BEGIN SOLUTION\n{body}\n### END SOLUTION\ncheck.{check}({answer})"
            test = f"graded(check.{check}, {answer})"
            cells.append(marked(code(start + source), f"answer-{check}", solution=True))
            cells.append(marked(code(test), f"check-{check}", points=points[name]))
        elif name and cell.cell_type == "code" and CHECK.search(cell.source):
            start = CHECK.sub("", cell.source).strip("\n") + "\n\n"  # up to the check's call
        else:
            cells.append(marked(cell, f"cell-{number}"))
    return nbformat.v4.new_notebook(cells=cells, metadata=notebook.metadata)


def main(source, target, only=(), others=()):
    try:
        made = assignment(nbformat.reads(text(source), as_version=4), only, others)
        points, written = points_of(made), nbformat.writes(made)
        if not points:
            raise ValueError("it has no exercise with a solution")
        Path(target).parent.mkdir(parents=True, exist_ok=True)
        with open(target, "x", encoding="utf-8") as file:
            file.write(f"{written}\n")
    except FileExistsError:
        sys.exit(f"assignment: {target} is there already and stays; remove it or name another")
    except Exception as error:  # a notebook may hold anything
        sys.exit(f"assignment: nothing is made of {source}: {reason(error)}")
    print(f"{target}: {counted(len(points), 'exercise')}, {counted(sum(points.values()), 'point')}")


if __name__ == "__main__":
    parser = command(__doc__)
    parser.add_argument("source")
    parser.add_argument("target")
    options_of_exercises(parser)
    options = parser.parse_args()
    main(options.source, options.target, options.only, options.points)
