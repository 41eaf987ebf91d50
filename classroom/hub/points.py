"""Take the points of classroom/grade.py over into nbgrader's gradebook.

    python classroom/hub/points.py POINTS.csv ASSIGNMENT gradebook.db

Run it with nbgrader's Python. ASSIGNMENT is the name that nbgrader has for it, as week4; its
notebook is named as it was in `source`. What nbgrader itself has graded is replaced.
"""

import csv
import sys

from nbgrader.api import Gradebook, MissingEntry


def main(table, name, database):
    with open(table, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    with Gradebook(f"sqlite:///{database}") as book:
        (notebook,) = book.find_assignment(name).notebooks
        for student in {row["student"] for row in rows}:
            book.update_or_create_student(student)
            book.update_or_create_submission(name, student)
        for row in rows:
            where = (f"check-{row['exercise']}", notebook.name, name, row["student"])
            try:
                grade = book.find_grade(*where)
            except MissingEntry:
                sys.exit(f"points: {name} has no exercise {row['exercise']}")
            grade.manual_score, grade.needs_manual_grade = float(row["points"]), False
        book.db.commit()
    print(f"{len(rows)} points are in {database}")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
