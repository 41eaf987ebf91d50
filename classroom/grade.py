"""Grade notebooks that were handed in, whatever their code prints, patches, raises or looks up.

    python -m classroom.grade chapters/04_masked_softmax.ipynb HANDED_IN.ipynb ...
        [--csv FILE] [--points EXERCISE=POINTS ...] [--language zh]

`--csv FILE` also writes a table with a row for each notebook and exercise: the student, who is
named by the folder below nbgrader's `submitted` or else by the file, the chapter, the exercise, the
verdict, the points and what is said, in the language that `--language` names. A right answer has
one point, or as many as `--points` gives.

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
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import MagicMock

import nbformat
import torch

import d2lmini
from d2lmini.exercises.checking import Exercise, Verdict, outcomes

CELL, NOTEBOOK = 120, 900  # seconds that they may take
MEMORY, FILE = 16 * 2**30, 64 * 2**20  # bytes: of addresses, and of one file or of all replies
PROCESSES = 512  # and threads
NOBODY = 65534
PACKAGE = Path(d2lmini.__file__).parent
ROOT = Path(__file__).resolve().parents[1]
# Processes, network and mounts of its own. The script's first argument stays writable, those up to
# `--` become read-only; then the rights to undo this are dropped.
APART = [
    *("unshare", "--map-root-user", "--pid", "--fork", "--kill-child", "--mount-proc"),
    *("--mount", "--net", "--ipc", "sh", "-ec"),
    """folder=$1
    mount --bind "$1" "$1"
    shift
    while [ "$1" != -- ]; do
        mount --rbind "$1" "$1"
        mount -o remount,bind,ro,nosuid,nodev "$1"
        shift
    done
    cd "$folder"
    exec setpriv --bounding-set=-all --inh-caps=-all --no-new-privs "$@"
    """,
    "sh",
]
# The names that the lines of a cell define, or give a value, and what they import.
GIVEN = r"^ *(?:(?:def|class) +)?(\w+) *[(=]"
IMPORTED = r"^ *(?:from .+ )?import (.+)"
DTYPES = {str(dtype): dtype for dtype in vars(torch).values() if isinstance(dtype, torch.dtype)}


def packed(value):
    """A value as JSON holds it."""
    if isinstance(value, torch.Tensor):
        numbers = value.detach().tolist()
        return {"tensor": numbers, "shape": list(value.shape), "dtype": str(value.dtype)}
    if isinstance(value, list | tuple):
        return {type(value).__name__: [packed(item) for item in value]}
    if hasattr(value, "tolist"):  # NumPy's
        return packed(value.tolist())
    if value is ...:
        return None
    if value is None:  # of a function without `return`
        return {"nothing": True}
    if isinstance(value, int | float | str):
        return value
    raise TypeError(f"numbers are expected, not a {type(value).__name__}")


def unpacked(data):
    """The value that `packed` was given; raises for anything else."""
    match data:
        case {"tensor": numbers, "shape": shape, "dtype": dtype} if dtype in DTYPES:
            return torch.tensor(numbers, dtype=DTYPES[dtype]).reshape(shape)
        case {"list": list(items)}:
            return [unpacked(item) for item in items]
        case {"tuple": list(items)}:
            return tuple(unpacked(item) for item in items)
        case None:
            return ...
        case {"nothing": True}:
            return None
        case int() | float() | str():
            return data
    raise ValueError(f"not a value: {data!r}")


class Told:
    """Stands where a check would: sends what an answer gives, and knows no right ones."""

    def __init__(self, name, cases, pipe):
        self.name, self.cases, self.pipe, self.told = name, cases, pipe, False

    def __call__(self, answer):
        try:
            self.tell(outcomes=self.outcomes(answer))
        except BaseException as error:  # SystemExit, too
            self.tell(raised=f"{type(error).__name__}: {error}")

    def tell(self, **what):
        self.told = True
        print(json.dumps({"exercise": self.name, **what}), file=self.pipe, flush=True)

    verdict = __call__

    def outcomes(self, answer):
        if answer is None or answer is ...:
            return [[packed(...), packed(())]]
        if self.cases is None:
            return [[packed(answer), packed(())]]
        if not callable(answer):
            raise TypeError(f"a function is expected, not a {type(answer).__name__}")
        return [[*map(packed, outcome)] for outcome in outcomes(answer, unpacked(self.cases))]


def too_long(*alarm):
    raise TimeoutError("it took too long")


def run_notebook():
    """The second process: run the cells that come in, and send what their answers give."""
    from IPython.core.interactiveshell import InteractiveShell

    task = json.load(sys.stdin)
    limit(task["bounds"])
    pipe = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what the notebook prints goes nowhere
    checks = {name: Told(name, cases, pipe) for name, cases in task["cases"].items()}
    sys.modules[task["module"]] = SimpleNamespace(**checks)
    for figure in ("explore", "trace", "show_heatmaps"):  # which nobody looks at here
        setattr(d2lmini, figure, MagicMock())
    sys.path.insert(0, "")  # what a cell has written can be imported
    shell = InteractiveShell.instance()
    signal.signal(signal.SIGALRM, too_long)
    lost = {}  # names that a cell would have given that has failed: what was wrong there
    undone = set()  # checks of cells that are still as nbgrader hands them out
    for source in task["cells"]:
        signal.alarm(task["seconds"])
        result = shell.run_cell(source)
        error = result.error_before_exec or result.error_in_exec
        if error is None:
            continue
        why, names = described(error), set(re.findall(r"\.(\w+)", source)) & checks.keys()
        if isinstance(error, NotImplementedError):
            undone |= names
        else:
            if isinstance(error, NameError):
                named = [error.name, *re.findall(r"\w+", source)]
                why = next((lost[name] for name in named if name in lost), why)
            lost = dict.fromkeys(given(source), why) | lost  # the first cause counts
        for name in names - undone:
            if not checks[name].told:
                checks[name].tell(raised=why)


def given(source):
    """The names that a cell would have given."""
    yield from re.findall(GIVEN, source, re.MULTILINE)
    for names in re.findall(IMPORTED, source, re.MULTILINE):
        yield from (name.split()[-1] for name in re.split("[,()]", names) if name.strip())


def described(error):
    """An error in a sentence; one of syntax with the line that cannot be read."""
    if isinstance(error, SyntaxError) and error.text:
        told = f"{error.msg}, in line {error.lineno} of the cell: {error.text.strip()}"
        return f"{type(error).__name__}: {told}"
    return f"{type(error).__name__}: {error}"


def replies(task, package=PACKAGE):
    """What the second process told of each exercise: {name: reply}. An empty one replaces none."""
    start, user = held()
    bounds = {"AS": MEMORY, "FSIZE": FILE, "CPU": NOTEBOOK, "CORE": 0}
    if start or user:  # else those that you run already would count
        bounds["NPROC"] = PROCESSES
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as told:
        copied(package, folder)
        shutil.copy(__file__, folder)
        os.chmod(folder, 0o777)
        environment = {"PYTHONPATH": folder, "MPLBACKEND": "agg", "IPYTHONDIR": folder}
        with subprocess.Popen(
            [*start(folder, package), sys.executable, Path(folder, Path(__file__).name), "--run"],
            stdin=subprocess.PIPE,
            stdout=told,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env={**os.environ, **environment, "HOME": folder},
            start_new_session=True,
            **user,
        ) as process:
            with suppress(subprocess.TimeoutExpired, BrokenPipeError):
                process.communicate(json.dumps({**task, "bounds": bounds}).encode(), NOTEBOOK)
            with suppress(ProcessLookupError):  # all that it has started
                os.killpg(process.pid, signal.SIGKILL)
        told.seek(0)
        return last_given(told.read(FILE).splitlines())


def limit(bounds):
    """Bound this process and all that it starts."""
    for name, most in bounds.items():
        with suppress(ValueError, OSError):  # a system that is stricter, or has no such limit
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (most, most))


def apart(folder, package=PACKAGE):
    """What starts a command apart from all else, with one folder that it may write."""
    kept = (Path.home(), Path.cwd(), ROOT, package)
    return [*APART, folder, *map(str, kept), "--"]


@functools.cache
def held():
    """How a notebook is started: what stands before its command, and as whom. The strictest way
    in which Python runs here; `nobody` may be kept from it, and a container from namespaces."""
    nobody = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
    users = [nobody, {}] if os.geteuid() == 0 else [{}]
    for start, user in product([apart, lambda *places: []], users):
        with tempfile.TemporaryDirectory() as folder, suppress(OSError):
            os.chmod(folder, 0o777)
            command = [*start(folder), sys.executable, "-c", "import torch"]
            if subprocess.run(command, cwd=folder, capture_output=True, **user).returncode == 0:
                return start, user


def last_given(lines):
    """The last reply to each exercise that has an answer in it, else the last empty one."""
    found = {}
    for line in lines:
        with suppress(Exception):  # a forged line is no reply
            reply = json.loads(line)
            if reply["exercise"] not in found or not is_empty(reply):
                found[reply["exercise"]] = reply
    return found


def is_empty(reply):
    """Whether it tells of dots that nobody has replaced."""
    return "raised" not in reply and all(result is None for result, _ in reply["outcomes"])


def judged(exercise, reply):
    """The verdict on a reply, which may hold anything."""
    if reply is None:
        return Verdict(None, "No answer came.")
    try:
        if "raised" in reply:
            return Verdict(False, str(reply["raised"]))
        return exercise.judge([[*map(unpacked, outcome)] for outcome in reply["outcomes"]])
    except Exception as error:
        return Verdict(False, f"What came is no answer: {error}")


def module_of(chapter):
    """The module that holds the checks of a chapter."""
    return importlib.import_module(f"d2lmini.exercises.chapter_{Path(chapter).name[:2]}")


def exercises_of(chapter):
    """The exercises of a chapter: {name: Exercise}."""
    return {name: e for name, e in vars(module_of(chapter)).items() if isinstance(e, Exercise)}


def grade(chapter, page, package=PACKAGE):
    """The verdict on each exercise of a chapter in a notebook: {name: Verdict}."""
    exercises = exercises_of(chapter)
    solutions = {
        cell.source for book in editions(chapter) for cell in book.cells if is_solution(cell)
    }
    cells = [cell for cell in read(page).cells if cell.cell_type == "code" and "source" in cell]
    # A place that has dropped the tags has left the text.
    own = [cell for cell in cells if not is_solution(cell) and cell.source not in solutions]
    cases = {name: e.cases and packed(e.cases()) for name, e in exercises.items()}
    task = {
        "module": module_of(chapter).__name__,
        "cells": [cell.source for cell in own],
        "cases": cases,
        "seconds": CELL,
    }
    told = replies(task, package)
    return {name: judged(e, told.get(name)) for name, e in exercises.items()}


def copied(package, folder):
    """The package and the one that draws its figures, which stands beside it, in a folder."""
    for name in ("kernelfree", "d2lmini"):
        copy = shutil.copytree(package.parent / name, Path(folder, name))
    return copy


def read(path):
    """A notebook, also with a byte-order mark."""
    return nbformat.reads(Path(path).read_text(encoding="utf-8-sig"), as_version=4)


def editions(chapter):
    """A chapter in all languages that the book has it in."""
    # What judges has these; the process that runs answers does not.
    from tools.translation.catalogs import languages, path_of
    from tools.translation.render import render

    yield read(chapter)
    path = ROOT / "chapters" / Path(chapter).name
    if path.is_file():
        yield read(path)
    for language in languages():
        if path_of(language, path.stem).is_file():
            yield render(path, language)


def is_solution(cell):
    """Whether a cell is one of the book's solutions."""
    return "solution" in (cell.metadata.get("tags") or ())


def digest(package):
    """A digest of the code of both packages."""
    folders = (package, package.parent / "kernelfree")
    files = sorted(file for folder in folders for file in folder.rglob("*.py"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


WORDS = {True: "right", False: "wrong", None: "missing"}
COLUMNS = ("student", "chapter", "exercise", "verdict", "points", "of", "sentence")


def main(chapter, *pages, table=None, points=None):
    """Print the verdicts on each notebook, and write them into a table, an open file; one that
    can't be read ends nothing. `points`: {exercise: points}, where it is not one."""
    rows = table and csv.writer(table)
    if rows:
        rows.writerow(COLUMNS)
    with tempfile.TemporaryDirectory() as folder:
        # Who runs later notebooks must not see what an earlier one did to the package.
        package = copied(PACKAGE, folder)
        before = digest(PACKAGE)
        if not held()[0]("") and not held()[1]:
            print(
                "Nothing here keeps a notebook from your files; use a container.", file=sys.stderr
            )
        for page in pages:
            try:
                verdicts = grade(chapter, page, package)
            except Exception as error:
                why = f"cannot be read as a notebook: {one_line(repr(error))}"
                print(f"{page}: {why}")
                told = {name: ("unread", why) for name in exercises_of(chapter)}
            else:
                right = sum(verdict.right is True for verdict in verdicts.values())
                print(f"{page}: {right} of {len(verdicts)}")
                told = {name: (WORDS[v.right], one_line(v.why)) for name, v in verdicts.items()}
                for name, (word, why) in told.items():
                    print(f"  {word:8}{name}: {why}")
            for name, (word, why) in told.items() if rows else ():
                most = (points or {}).get(name, 1)
                given = most if word == WORDS[True] else 0
                row = [student_of(page), Path(chapter).stem, name, word, given, most]
                rows.writerow([*row, no_formula(why)])
            if digest(PACKAGE) != before:
                sys.exit(f"{page} has changed the files of {PACKAGE}: restore them, then go on")


def student_of(page):
    """Who has handed in a notebook: nbgrader's folders say so, else the file's name does."""
    path = Path(page)
    folders = path.parts[:-1]
    below = folders[folders.index("submitted") + 1 :] if "submitted" in folders else ()
    return no_formula(below[0] if below else path.stem)


def no_formula(text):
    """A text that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text


def one_line(text):
    """A text as one short line, whatever an answer has put into it."""
    return "".join(c if c.isprintable() else " " for c in text)[:300]


def of_exercise(text):
    """One of --points: (exercise, points)."""
    name, _, number = text.partition("=")
    return name, float(number) if "." in number else int(number)


def read_arguments():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("chapter")
    parser.add_argument("pages", nargs="+")
    parser.add_argument("--csv", type=Path)
    parser.add_argument("--points", nargs="+", type=of_exercise, default=[])
    parser.add_argument("--language")
    options = parser.parse_args()
    try:
        d2lmini.speak(options.language)
    except ValueError as error:
        parser.exit(2, f"grade: {error}\n")
    points = dict(options.points)
    try:
        known = exercises_of(options.chapter).keys()
    except ModuleNotFoundError:
        parser.exit(2, f"grade: {options.chapter} is no chapter with exercises\n")
    if unknown := points.keys() - known:
        parser.exit(2, f"grade: {options.chapter} has no exercise {', '.join(sorted(unknown))}\n")
    return options, points


if __name__ == "__main__":
    if sys.argv[1:] == ["--run"]:
        run_notebook()
    else:
        options, points = read_arguments()
        with open(options.csv or os.devnull, "w", encoding="utf-8", newline="") as file:
            main(options.chapter, *options.pages, table=file, points=points)
