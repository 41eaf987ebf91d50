"""Turn a chapter into an assignment: the source notebook of nbgrader, graded by the book's checks.

    python -m classroom.assignment chapters/04_masked_softmax.ipynb source/week4/04.ipynb

The folded solutions become nbgrader's solution regions, and each exercise gets a locked test cell
of one point that runs its check. Everything else is read-only. A test cell runs beside the answer,
which could change it: these points are for feedback, those of classroom/grade.py count.
"""

import copy
import re
import sys
from pathlib import Path

import nbformat

from tools.metadata import EXERCISE, NOTES, SOLUTION, tags_of
from tools.run import read

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


def assignment(notebook):
    """The assignment of a chapter, as a new notebook."""
    code = nbformat.v4.new_code_cell
    cells, among_exercises = [], False
    for number, cell in enumerate(copy.deepcopy(notebook.cells)):
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
        cell.metadata.pop(NOTES, None)  # for teachers
        if EXERCISE in cell.metadata and not among_exercises:
            cells.append(marked(code(GRADED), "graded"))
            among_exercises = True
        if SOLUTION in tags_of(cell):
            check, answer = CHECK.findall(cell.source)[-1]
            body = CHECK.sub("", cell.source.partition("\n")[2]).strip("\n")
            source = f"### BEGIN SOLUTION\n{body}\n### END SOLUTION\ncheck.{check}({answer})"
            test = f"graded(check.{check}, {answer})"
            cells.append(marked(code(source), f"answer-{check}", solution=True))
            cells.append(marked(code(test), f"check-{check}", points=1))
        elif cell.cell_type == "markdown" or not (among_exercises and CHECK.search(cell.source)):
            cells.append(marked(cell, f"cell-{number}"))  # not the reader's own call of a check
    return nbformat.v4.new_notebook(cells=cells, metadata=notebook.metadata)


def main(source, target):
    try:
        made = assignment(read(Path(source).read_bytes(), source))
        Path(target).parent.mkdir(parents=True, exist_ok=True)
        with open(target, "x", encoding="utf-8") as file:
            nbformat.write(made, file)
    except FileExistsError:
        sys.exit(f"assignment: {target} is there already and stays; remove it or name another")
    except (OSError, RuntimeError) as error:
        sys.exit(f"assignment: {error}")
    points = sum(cell.metadata["nbgrader"]["grade"] for cell in made.cells)
    print(f"{target}: {points} exercises of one point")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
