"""Take the points of classroom/grade.py over into nbgrader's gradebook: all of a table or nothing.

    python classroom/hub/points.py POINTS.csv ASSIGNMENT gradebook.db

Run it with nbgrader's Python. ASSIGNMENT is the name that nbgrader has for it, as week4; its
notebook is named as it was in `source`. Of several notebooks, the one counts that has most of the
table's exercises, or is named as the table's chapter begins; the others stay. What nbgrader itself
has graded is replaced. What can be had is what the table says, too: an exercise that it does not
have gives no points. What lateness costs there becomes nbgrader's penalty. A student of whom
nbgrader has graded no notebook, such as one with a Python file, gets a page with the table's
sentences, where nbgrader has its feedback.
"""

import csv
import math
import re
import shutil
import sys
import warnings
from html import escape
from pathlib import Path

try:
    from nbgrader.api import Gradebook, InvalidEntry, MissingEntry
    from sqlalchemy.exc import SAWarning, SQLAlchemyError
except ModuleNotFoundError as error:
    sys.exit(f"{__doc__}\npoints: there is no {error.name} here: run it with nbgrader's Python")

BROKEN = OSError, ValueError, KeyError, TypeError, csv.Error  # what a table may be


def read(table):
    """The points of a table, {student: {exercise: points}}, the most that there are, what lateness
    costs, {student: points}, the table's rows of each student, and its chapter."""
    if not Path(table).is_file():
        raise ValueError(f"{table} is no file")
    with open(table, encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    given, most, costs, rows_of, chapter = {}, {}, {}, {}, ""
    for row in rows:
        student = re.sub(r"^'(?=[=+\-@])", "", row["student"])  # as no spreadsheet needs it here
        own = rows_of.setdefault(student, {})
        if own.setdefault(row["exercise"], row) is not row:
            raise ValueError(f"{student} has two rows for {row['exercise']}")
        if row["exercise"] == "deadline":
            costs[student] = -float(row["points"])
        else:
            given.setdefault(student, {})[row["exercise"]] = float(row["points"])
            most[row["exercise"]] = float(row["of"])
        if not math.isfinite(float(row["points"]) + float(row["of"])):
            raise ValueError(f"{student} has {row['points']} of {row['of']} points")
        chapter = row.get("chapter") or ""
    return given, most, costs, rows_of, chapter


def notebook_of(most, chapter, notebooks):
    """The notebook of an assignment that a table is of, and its cells with points, by exercise."""

    def fits(found):
        return len(most.keys() & found[1].keys()), chapter.startswith(found[0].name)

    cells = ([c for c in one.grade_cells if c.name.startswith("check-")] for one in notebooks)
    found = [(one, {c.name[6:]: c for c in own}) for one, own in zip(notebooks, cells, strict=True)]
    best, *others = sorted(found, key=fits, reverse=True)
    if others and fits(best) == fits(others[0]):
        names = f"{best[0].name} or {others[0][0].name}"
        raise ValueError(f"the table may be of {names}; name them as their chapters begin, as 06")
    return best


def take_over(given, most, costs, chapter, name, book):
    """Write all into a gradebook; return its notebook, and the exercises that the table does not
    have."""
    notebook, cells = notebook_of(most, chapter, book.find_assignment(name).notebooks)
    if unknown := most.keys() - cells.keys():
        raise MissingEntry(f"{name} has no exercise {', '.join(sorted(unknown))}")
    for student in given:
        book.update_or_create_student(student)
        both = book.update_or_create_submission(name, student).notebooks
        (submitted,) = (one for one in both if one.name == notebook.name)
        submitted.late_submission_penalty = costs.get(student, submitted.late_submission_penalty)
    for exercise, cell in cells.items():
        cell.max_score = most.get(exercise, 0)
        for grade in cell.grades:
            points = given.get(grade.student.id, {}).get(exercise)
            if points is not None or exercise not in most:
                grade.manual_score, grade.needs_manual_grade = points or 0, False
    return notebook.name, sorted(cells.keys() - most.keys())


PAGE = """<!doctype html><meta charset="utf-8"><title>{title}</title>
<style>td {{ padding: .3rem 1rem .3rem 0; vertical-align: top }}</style>
<h1>{title}</h1><table>{rows}</table>"""


def feedback(folder, student, name, notebook, rows):
    """Write what the table says of a student's work, and the sum, unless nbgrader does; and beside
    it, as nbgrader, the files by which a hub hands it back."""
    own = Path(student, name)
    if (folder / "autograded" / own / f"{notebook}.ipynb").is_file():
        return
    target = folder / "feedback" / own
    target.mkdir(parents=True, exist_ok=True)
    told = [[r["exercise"], f"{r['points']} / {r['of']}", r.get("sentence") or ""] for r in rows]
    got, most = (sum(float(row[what]) for row in rows) for what in ("points", "of"))
    told.append(["in all", f"{got:g} / {most:g}", ""])
    rows = "".join("<tr>" + "".join(f"<td>{escape(text)}" for text in row) for row in told)
    page = PAGE.format(title=escape(f"{student}: {name}"), rows=rows)
    (target / f"{notebook}.html").write_text(page, encoding="utf-8")
    for file in ("timestamp.txt", "submission_secret.txt"):
        if (folder / "submitted" / own / file).is_file():
            shutil.copyfile(folder / "submitted" / own / file, target / file)


def main(table, name, database):
    try:
        given, most, costs, rows_of, chapter = read(table)
        if not Path(database).is_file():
            raise MissingEntry(f"{database} is no file")
        with Gradebook(f"sqlite:///{database}") as book:
            # nbgrader commits each of its steps: here they wait for the last one.
            commit, book.db.commit = book.db.commit, book.db.flush
            warnings.simplefilter("ignore", SAWarning)  # of its own way to add a submission
            notebook, left = take_over(given, most, costs, chapter, name, book)
            commit()
    except (*BROKEN, MissingEntry, InvalidEntry, SQLAlchemyError) as error:
        sys.exit(f"points: nothing is written into {database}: {error}")
    students, points = len(given), sum(most.values())
    students = f"{students} student{'s' if students != 1 else ''}"
    print(f"{database}: {students}, {points:g} point{'s' if points != 1 else ''} can be had")
    if left:
        print(f"{name} also has {', '.join(left)}: not in {table}, so no points can be had for it")
    try:
        for student, rows in rows_of.items():
            feedback(Path(database).resolve().parent, student, name, notebook, rows.values())
    except OSError as error:
        sys.exit(f"points: the points are there; a page for a student is not written: {error}")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
