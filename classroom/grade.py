"""Grade notebooks that were handed in, whatever their code prints, patches, raises or looks up.

    python -m classroom.grade ASSIGNMENT.ipynb HANDED_IN.ipynb ... [-j NOTEBOOKS]
        [--only EXERCISE ...] [--points EXERCISE=POINTS ...] [--csv FILE] [--language zh]
        [--deadline TIME [--per-day POINTS] [--cut-off DAYS]]

ASSIGNMENT is what `classroom/assignment.py` has written, in nbgrader's `source`, whose exercises
and points count; or a chapter, whose exercises have one point each. `--only` takes some of them,
`--points` gives some other points. `--csv FILE` also writes a table with a row for each notebook
and exercise: the student, who is named by the folder below nbgrader's `submitted` or else by the
file, the chapter, the exercise, the verdict, the points and what is said, in the language that
`--language` names. Of two files of one student in a folder the one with more points counts. FILE
is written when all is graded.

A Python file that the book's page has saved (Save as a Python file) is graded as the chapter's
notebook with that code in its cells.

`--deadline "2027-01-18 18:00 Europe/Berlin"` says of each notebook whether it was late, and adds a
row, `deadline`, to the table. `--per-day 1` takes a point off for each day that has begun since,
`--per-day 10%` a tenth of what can be had; after `--cut-off 3` days there are no points. nbgrader's
`timestamp.txt` beside the notebook says when it was handed in, or else the time of the file.

As many notebooks run at once as `-j` says, or as there are processors, where each runs apart (see
below), and else one. Standard error has how far it is.

Two processes. The first one judges and never runs an answer. It sends the exercises' arguments to
the second, which runs the notebook, and reads back as JSON what the answers gave: plain numbers, on
which the verdict is made. Where the notebook runs, the chapter's right answers are not loaded.

What is held: each notebook has a folder of its own, with its own copy of the package as it was at
the start; its time, its memory and the size of its files are bounded. On Linux, where `unshare`
may do so, it has processes and a network of its own: it sees no process but those it has started,
they end with it, it reaches no other machine, and your home, this repository, the folder that
you are in and that of temporary files are read-only for it. Started by root, it runs as a user of
its own, who owns nothing, if that user can run this Python.

What is not held: other files that you may write, and all that you may read. Where none of this can
be had, as on macOS, the notebook has your rights, and could change your files or end this program:
this is said, and a change of the package's own files ends the grading. So start this in a
container. Nothing can tell whether an answer that is right was found or copied.
"""

import csv
import functools
import hashlib
import importlib
import io
import json
import math
import os
import re
import signal
import sys
import tempfile
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

try:
    import nbformat

    import d2lmini
    from classroom import late, sandbox
    from classroom.assignment import chosen, options_of_exercises, points_of
    from classroom.files import command, counted, expecting, printable, reason, text, whole
    from classroom.sandbox import PACKAGE, ROOT
    from d2lmini.exercises.checking import ELSE, YOUR_TURN, Exercise, Verdict
    from d2lmini.exercises.step import Step
    from kernelfree.book import replace
    from kernelfree.book import say as say_there
    from pages.editions import edition, say, speak
    from tools.metadata import SOLUTION
    from tools.translation.catalogs import languages, path_of
    from tools.translation.render import render
except ModuleNotFoundError as error:
    sys.exit(f"{__doc__}\ngrade: there is no {error.name} here: run it with .venv/bin/python")

CHECKS_OF = "d2lmini.exercises.chapter_{}"
CHECKS = re.compile(r"^from d2lmini\.exercises import chapter_(\d\d) as check$", re.MULTILINE)
PART = re.compile(r"^# %% ([\w.-]+)/([\w.-]+)[ \t]*\n", re.MULTILINE)  # of what the page saves


def judged(exercise, reply):
    """The verdict on a reply, which may hold anything."""
    if reply is None:
        return Verdict(None, say("No answer came."))
    try:
        if "raised" in reply:
            verdict = Verdict(False, str(reply["raised"]))
        else:
            outcomes = [[*map(sandbox.unpacked, outcome)] for outcome in reply["outcomes"]]
            verdict = exercise.judge(outcomes)
    except Exception as error:
        return Verdict(False, say("What came is no answer: {error}", error=error))
    return verdict._replace(why=instead().get(verdict.why, verdict.why))


def instead():
    """What is said in place of sentences that speak to one who runs the chapter's cells."""
    return {
        say_there(YOUR_TURN): say("No answer: nothing stands in place of the dots."),
        say_there(ELSE): say(
            "not yet right: read the question again, and work it out once more, step by step."
        ),
        f"TimeoutError: {sandbox.TOO_LONG}": say(
            "it did not end within {seconds} seconds: is there a loop that never ends?",
            seconds=sandbox.CELL,
        ),
    }


@functools.cache
def asked(page):
    """What a chapter, or an assignment of it, asks: the chapter in the book, its exercises, and
    their points, {name: points}."""
    try:
        book = read(page)
        numbers = CHECKS.findall("\n".join(cell.source for cell in book.cells))
        if not numbers:
            raise ValueError("it imports no chapter's checks")
        number = numbers[0]
        [chapter] = (ROOT / "chapters").glob(f"{number}_*.ipynb")
        module = importlib.import_module(CHECKS_OF.format(number))
        exercises = {name: e for name, e in vars(module).items() if isinstance(e, Exercise)}
        points = points_of(book) or dict.fromkeys(exercises, 1)
        return chapter, {name: exercises[name] for name in points}, points
    except Exception as error:
        told = f"{page} is no chapter with exercises, and no assignment of one: {reason(error)}"
        raise ValueError(told) from error


def grade(page, handed_in, package=PACKAGE, only=()):
    """The verdict on each exercise in a notebook that was handed in: {name: Verdict}."""
    chapter, exercises, points = asked(page)
    exercises = {name: exercises[name] for name in only or points}
    # A place that has dropped the tags has left the text.
    books = solutions(page, chapter)
    is_file = Path(handed_in).suffix == ".py"
    cells = code_of_file(handed_in, chapter) if is_file else code_of(handed_in)
    own = [source for source, tags in cells if SOLUTION not in tags]
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
    return nbformat.reads(text(path), as_version=4)


def code_of(page):
    """The source and the tags of each cell of code in a notebook that was handed in; whatever else
    its file holds costs no answer."""
    try:
        book = json.loads(text(page))
    except json.JSONDecodeError as error:
        why = say(
            "it ends too early or is damaged (line {line}, column {column}); save it again and "
            "hand it in",
            line=error.lineno,
            column=error.colno,
        )
        raise ValueError(why) from error
    match book:
        case {"worksheets": _}:  # an old one
            book = nbformat.reads(json.dumps(book), as_version=4)
        case {"cells": list()}:
            pass
        case _:
            raise ValueError(say("it has no cells"))
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


def code_of_file(page, chapter):
    """The same of a chapter, with what the book's page has saved as a Python file in its cells."""
    name = chapter.stem.partition("_")[2]
    parts = PART.split(text(page).replace("\r\n", "\n"))[1:]
    found = [*zip(parts[::3], parts[1::3], parts[2::3], strict=True)]
    if not found:
        told = say('no part of it begins with "# %% chapter/cell": the page saves it so')
        raise ValueError(told)
    own = {cell: source.rstrip("\n") for of, cell, source in found if of == name}
    if not own:
        others = ", ".join(dict.fromkeys(of for of, *_ in found))
        raise ValueError(say("its code is of {others}, not of {name}", others=others, name=name))
    for cell in read(chapter).cells:
        if cell.cell_type == "code":
            yield own.pop(cell.id, cell.source), cell.metadata.get("tags", [])
    for source in own.values():  # of cells that this edition has not
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


def main(page, *handed_in, table=None, points=None, jobs=1, rule=None):
    """Print the verdicts on each notebook, and at the end write them into a table, an open file;
    one that can't be read ends nothing, and of two files of a student the better one counts.
    `points`: {exercise: points} of those that count, else all do. `jobs`: how many run at once.
    `rule`: what lateness costs."""
    chapter, _, own = asked(page)
    solutions(page, chapter)  # read once, before there are threads
    points = points or own
    found = defaultdict(list)  # of each student: each file, with its rows
    if not sandbox.is_apart():
        print("Nothing here keeps a notebook from your files; use a container.", file=sys.stderr)
    before = digest(PACKAGE)
    pool = ThreadPoolExecutor(jobs)
    with tempfile.TemporaryDirectory() as folder:
        # Who runs later notebooks must not see what an earlier one did to the package.
        package = sandbox.copied(PACKAGE, folder)
        told = progress(len(handed_in))
        try:
            waiting = [pool.submit(grade, page, one, package, points) for one in handed_in]
            for future in waiting:
                future.add_done_callback(told)
            for one, future in zip(handed_in, waiting, strict=True):
                rows = report(one, future, points, rule)
                found[student_of(one), Path(one).parent].append((printable(str(one)), rows))
                if digest(PACKAGE) != before:
                    sys.exit(f"{one} has changed the files of {PACKAGE}: restore them, then go on")
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in [*sandbox.RUNNING]:  # after an error
                sandbox.end(process)
            pool.shutdown()
    if len(handed_in) > 1 and (others := without(handed_in)):
        print(f"grade: no file is here of {', '.join(others)}", file=sys.stderr)
    lines = [COLUMNS]
    for (student, _), files in found.items():
        name, rows = max(files, key=lambda file: worth(file[1]))
        if files[1:]:
            names = " and ".join(name for name, _ in files)
            print(f"grade: {names} are of one student; {name} counts", file=sys.stderr)
        lines += [[student, chapter.stem, *row] for row in rows]
    if table:
        csv.writer(table).writerows(lines)


def worth(rows):
    """The points of a file, and those without what lateness costs, which may have taken all."""
    points = [points for _, _, points, *_ in rows]
    return sum(points), sum(one for one in points if one > 0)


def without(handed_in):
    """The students who have a folder in nbgrader's `submitted`, and none of these files in it."""
    own = {Path(one).absolute().parent.parent for one in handed_in}
    places = {folder.parent for folder in own if folder.parent.name == "submitted"}
    there = {folder for place in places for folder in place.glob("*/")}
    return sorted(printable(folder.name) for folder in there - own)


def progress(count):
    """What says, after each of some notebooks, how many are done and how long the others take."""
    start, done = time.monotonic(), []

    def tell(future):
        if future.cancelled() or count < 2:
            return
        done.append(future)
        left = (time.monotonic() - start) / len(done) * (count - len(done))
        minutes, seconds = divmod(round(left), 60)
        line = f"grade: {len(done)} of {count} notebooks, about {minutes}:{seconds:02} left\n"
        print(line, end="", file=sys.stderr, flush=True)

    return tell


def report(one, future, points, rule):
    """Print the verdicts on a notebook; its rows of a table, from the exercise on."""
    file, what = printable(str(one)), ""
    try:
        verdicts = future.result()
    except Exception as error:
        why = one_line(reason(error))
        what = say("this file cannot be read as a notebook: {why}", why=why)
        told = dict.fromkeys(points, ("unread", what))
    else:
        told = {name: (WORDS[v.right], one_line(v.why)) for name, v in verdicts.items()}
    given = {name: points[name] if word == WORDS[True] else 0 for name, (word, _) in told.items()}
    got, most = sum(given.values()), sum(points.values())
    rows = [[name, word, given[name], points[name], why] for name, (word, why) in told.items()]
    lines = [] if what else [f"  {word:8}{name}: {why}" for name, (word, why) in told.items()]
    if rule:
        try:
            word, cost, why = rule.of(one, got, most)
        except OSError as error:  # there is no such file
            word, cost, why = "unread", 0, one_line(repr(error))
        got -= cost
        rows.append(["deadline", word, -cost, 0, why])
        lines.append(f"  {word:8}{why}")
    count = sum(word == WORDS[True] for word, _ in told.values())
    if not what:
        what = f"{count} of {len(told)}"
        if rule or {*points.values()} != {1}:
            what += f", {got:g} of {counted(most, 'point')}"
    print("\n".join([f"{file}: {what}", *lines]), flush=True)
    return [[*row, no_formula(why)] for *row, why in rows]


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


def processors():
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()


def writable(path):
    """Raise unless a file can be replaced there; one that is there stays as it is."""
    try:
        old = path.read_bytes() if path.exists() else None
        replace(path, old or b"")
        if old is None:
            path.unlink()
    except OSError as error:
        told = f"--csv {path} cannot be written: {error.strerror}"
        raise ValueError(f"{told}; expected: a file in a folder that is there") from error


def read_arguments(arguments=None):
    parser = command(__doc__)
    parser.add_argument("assignment")
    parser.add_argument("handed_in", nargs="+")
    parser.add_argument("--csv", type=Path)
    parser.add_argument("--language")
    parser.add_argument("-j", type=whole("notebooks at once", 1), dest="jobs")
    parser.add_argument("--deadline", type=expecting(late.MOMENT, late.moment))
    parser.add_argument("--per-day", type=expecting(late.COST, late.per_day), default={})
    parser.add_argument("--cut-off", type=whole("days", 0), default=math.inf)
    options_of_exercises(parser)
    options = parser.parse_args(arguments)
    try:
        if not options.deadline and (options.per_day or options.cut_off < math.inf):
            raise ValueError("--per-day and --cut-off need a --deadline")
        d2lmini.speak(options.language)
        speak(edition(options.language if options.language in languages() else ""))
        *_, points = asked(options.assignment)
        points = chosen(points, options.only, options.points)
        if options.csv:
            writable(options.csv)
        if missing := [one for one in options.handed_in if not os.path.lexists(one)]:
            raise ValueError(f"no file matches {', '.join(missing)}")
        for one in map(Path, options.handed_in):
            if one.is_dir() and one.suffix not in (".ipynb", ".py"):  # as no student hands it in
                raise ValueError(f"{one} is a folder; expected: files, as submitted/*/week6/06.*")
        return options, points
    except (OSError, ValueError) as error:
        parser.exit(2, f"grade: {error}\n")


def run():
    options, points = read_arguments()
    jobs = options.jobs or (processors() if sandbox.is_apart() else 1)
    rule = options.deadline and late.Rule(options.deadline, **options.per_day, days=options.cut_off)
    table, pages = io.StringIO(newline=""), (options.assignment, *options.handed_in)
    main(*pages, table=table, points=points, jobs=jobs, rule=rule)
    if options.csv:
        replace(options.csv, table.getvalue().encode())


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # and clean up
    try:
        run()
    except KeyboardInterrupt:
        sys.exit("grade: stopped; no table is written, and one that was there stays")
    except OSError as error:
        sys.exit(f"grade: {error}")
