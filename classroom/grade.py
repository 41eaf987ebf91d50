"""Grade notebooks that were handed in, whatever their code prints, patches, raises or looks up.

    python -m classroom.grade ASSIGNMENT.ipynb HANDED_IN.ipynb ...
        [--only EXERCISE ...] [--points EXERCISE=POINTS ...] [--csv FILE] [--language zh]

ASSIGNMENT is what `classroom/assignment.py` has written, in nbgrader's `source`, whose exercises
and points count; or a chapter, whose exercises have one point each. `--only` takes some of them,
`--points` gives some other points. `--csv FILE` also writes a table with a row for each notebook
and exercise: the student, who is named by the folder below nbgrader's `submitted` or else by the
file, the chapter, the exercise, the verdict, the points and what is said, in the language that
`--language` names.
Two processes. The first one judges and never runs an answer. It sends the exercises' arguments to
the second, which runs the notebook, and reads back as JSON what the answers gave: plain numbers, on
which the verdict is made. Where the notebook runs, the chapter's right answers are not loaded.

What is held: each notebook has a folder of its own, with its own copy of the package as it was at
the start; its time, its memory and the size of its files are bounded. On Linux, where `unshare`
may do so, it has processes and a network of its own: it sees no process but those it has started,
they end with it, it reaches no other machine, and your home, this repository and the folder that
you are in are read-only for it. Started by root, it runs as the user `nobody`, if that user can
run this Python.

What is not held: other files that you may write, and all that you may read. Where none of this can
be had, as on macOS, the notebook has your rights, and could change your files or end this program:
this is said, and a change of the package's own files ends the grading. So start this in a
container. Nothing can tell whether an answer that is right was found or copied.
"""

import argparse
import csv
import functools
import hashlib
import importlib
import json
import os
import re
import sys
import tempfile
from pathlib import Path

import nbformat

import d2lmini
from classroom import sandbox
from classroom.assignment import chosen, options_of_exercises, points_of
from classroom.files import printable, text
from classroom.sandbox import PACKAGE, ROOT
from d2lmini.exercises.checking import Exercise, Verdict
from d2lmini.exercises.step import Step
from tools.metadata import SOLUTION
from tools.translation.catalogs import languages, path_of
from tools.translation.render import render

CHECKS_OF = "d2lmini.exercises.chapter_{}"
CHECKS = re.compile(r"^from d2lmini\.exercises import chapter_(\d\d) as check$", re.MULTILINE)


def judged(exercise, reply):
    """The verdict on a reply, which may hold anything."""
    if reply is None:
        return Verdict(None, "No answer came.")
    try:
        if "raised" in reply:
            return Verdict(False, str(reply["raised"]))
        return exercise.judge([[*map(sandbox.unpacked, outcome)] for outcome in reply["outcomes"]])
    except Exception as error:
        return Verdict(False, f"What came is no answer: {error}")


@functools.cache
def asked(page):
    """What a chapter, or an assignment of it, asks: the chapter in the book, its exercises, and
    their points, {name: points}."""
    try:
        book = read(page)
        number = next(filter(None, (CHECKS.search(cell.source) for cell in book.cells)))[1]
        [chapter] = (ROOT / "chapters").glob(f"{number}_*.ipynb")
        module = importlib.import_module(CHECKS_OF.format(number))
        exercises = {name: e for name, e in vars(module).items() if isinstance(e, Exercise)}
        points = points_of(book) or dict.fromkeys(exercises, 1)
        return chapter, {name: exercises[name] for name in points}, points
    except Exception as error:
        told = f"{page} is no chapter with exercises, and no assignment of one: {error!r}"
        raise ValueError(told) from error


def grade(page, handed_in, package=PACKAGE, only=()):
    """The verdict on each exercise in a notebook that was handed in: {name: Verdict}."""
    chapter, exercises, points = asked(page)
    exercises = {name: exercises[name] for name in only or points}
    # A place that has dropped the tags has left the text.
    books = solutions(page, chapter)
    own = [source for source, tags in code_of(handed_in) if SOLUTION not in tags]
    task = {
        "module": CHECKS_OF.format(chapter.name[:2]),
        "cells": [source for source in own if source not in books],
        "seconds": sandbox.CELL,
        "cases": {name: e.cases and sandbox.packed(e.cases()) for name, e in exercises.items()},
        "libraries": {name: e.library for name, e in exercises.items()},
        "lent": {name: e.lent() for name, e in exercises.items() if isinstance(e, Step)},
    }
    told = sandbox.replies(task, package)
    return {name: judged(e, told.get(name)) for name, e in exercises.items()}


def read(path):
    """A notebook, also with a byte-order mark."""
    return nbformat.reads(Path(path).read_text(encoding="utf-8-sig"), as_version=4)


def code_of(page):
    """The source and the tags of each cell of code in a notebook that was handed in; whatever else
    its file holds costs no answer."""
    book = json.loads(text(page))
    if "worksheets" in book:  # an old one
        book = nbformat.reads(json.dumps(book), as_version=4)
    if not isinstance(book["cells"], list):
        raise ValueError("its cells are no list")
    for cell in book["cells"]:
        match cell:
            case {"cell_type": "code", "source": str() | list() as source}:
                parts = [source] if isinstance(source, str) else source
                source = "".join(part for part in parts if isinstance(part, str))
                match cell:
                    case {"metadata": {"tags": list(tags)}}:
                        yield source, tags
                    case _:
                        yield source, []


def is_solution(cell):
    """Whether a cell is one of the book's solutions."""
    return SOLUTION in (cell.metadata.get("tags") or ())


@functools.cache
def solutions(page, chapter):
    """The sources of a chapter's solutions: in the page, and in all languages of the book."""
    others = (one for one in languages() if path_of(one, chapter.stem).is_file())
    editions = [read(page), read(chapter), *(render(chapter, language) for language in others)]
    return {cell.source for book in editions for cell in book.cells if is_solution(cell)}


def digest(package):
    """A digest of the code of both packages."""
    folders = (package, package.parent / "kernelfree")
    files = sorted(file for folder in folders for file in folder.rglob("*.py"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


WORDS = {True: "right", False: "wrong", None: "missing"}
COLUMNS = ("student", "chapter", "exercise", "verdict", "points", "of", "sentence")


def main(page, *handed_in, table=None, points=None):
    """Print the verdicts on each notebook, and write them into a table, an open file; one that
    can't be read ends nothing. `points`: {exercise: points} of those that count, else all do."""
    chapter, _, own = asked(page)
    points = points or own
    rows = table and csv.writer(table)
    if rows:
        rows.writerow(COLUMNS)
    with tempfile.TemporaryDirectory() as folder:
        # Who runs later notebooks must not see what an earlier one did to the package.
        package = sandbox.copied(PACKAGE, folder)
        before = digest(PACKAGE)
        if not sandbox.is_apart():
            print(
                "Nothing here keeps a notebook from your files; use a container.", file=sys.stderr
            )
        for one in handed_in:
            file = printable(str(one))
            try:
                verdicts = grade(page, one, package, points)
            except Exception as error:
                why = f"cannot be read as a notebook: {one_line(repr(error))}"
                print(f"{file}: {why}")
                told = dict.fromkeys(points, ("unread", why))
            else:
                told = {name: (WORDS[v.right], one_line(v.why)) for name, v in verdicts.items()}
                given = [points[name] for name, (word, _) in told.items() if word == WORDS[True]]
                got = f"{len(given)} of {len(told)}"
                if {*points.values()} != {1}:
                    got += f", {sum(given):g} of {sum(points.values()):g} points"
                print(f"{file}: {got}")
                for name, (word, why) in told.items():
                    print(f"  {word:8}{name}: {why}")
            for name, (word, why) in told.items() if rows else ():
                given = points[name] if word == WORDS[True] else 0
                row = [student_of(one), chapter.stem, name, word, given, points[name]]
                rows.writerow([*row, no_formula(why)])
            if digest(PACKAGE) != before:
                sys.exit(f"{one} has changed the files of {PACKAGE}: restore them, then go on")


def student_of(page):
    """Who has handed in a notebook: nbgrader's folders say so, else the file's name does."""
    path = Path(page)
    folders = path.parts[:-1]
    below = folders[folders.index("submitted") + 1 :] if "submitted" in folders else ()
    return no_formula(printable(below[0] if below else path.stem))


def no_formula(text):
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text


def one_line(text):
    """A text as one short line, whatever an answer has put into it."""
    return printable(text)[:300]


def read_arguments(arguments=None):
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("assignment")
    parser.add_argument("handed_in", nargs="+")
    parser.add_argument("--csv", type=Path)
    parser.add_argument("--language")
    options_of_exercises(parser)
    options = parser.parse_args(arguments)
    try:
        d2lmini.speak(options.language)
        *_, points = asked(options.assignment)
        points = chosen(points, options.only, options.points)
        if options.csv:
            options.csv.touch()
        return options, points
    except (OSError, ValueError) as error:
        parser.exit(2, f"grade: {error}\n")


if __name__ == "__main__":
    options, points = read_arguments()
    with open(options.csv or os.devnull, "w", encoding="utf-8", newline="") as file:
        main(options.assignment, *options.handed_in, table=file, points=points)
