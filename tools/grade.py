"""Grade notebooks that were handed in, whatever their code prints, patches, raises or looks up.

    python tools/grade.py chapters/04_masked_softmax.ipynb HANDED_IN.ipynb ...

Two processes. The first one judges and never runs an answer. It sends the exercises' arguments to
the second, which runs the notebook, and reads back as JSON what the answers gave: plain numbers, on
which the verdict is made. Where the notebook runs, the chapter's right answers are not loaded.

The second process runs somebody's code with your rights, so start this in a container. Nothing
can tell whether an answer that is right was found or copied.
"""

import importlib
import json
import os
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import nbformat
import torch

import d2lmini
from d2lmini.exercises.checking import Exercise, Verdict, outcomes

CELL, NOTEBOOK = 120, 900  # seconds that they may take
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
    if value is None or value is ...:
        return None
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
        case None | int() | float() | str():
            return data
    raise ValueError(f"not a value: {data!r}")


class Told:
    """Stands where a check would: sends what an answer gives, and knows no right ones."""

    def __init__(self, name, cases, pipe):
        self.name, self.cases, self.pipe = name, cases, pipe

    def __call__(self, answer):
        told = {"exercise": self.name}
        try:
            told["outcomes"] = self.outcomes(answer)
        except BaseException as error:  # SystemExit, too
            told["raised"] = f"{type(error).__name__}: {error}"
        print(json.dumps(told), file=self.pipe, flush=True)

    verdict = __call__

    def outcomes(self, answer):
        if self.cases is None or answer is None or answer is ...:
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
    pipe = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what the notebook prints goes nowhere
    checks = {name: Told(name, cases, pipe) for name, cases in task["cases"].items()}
    sys.modules[task["module"]] = SimpleNamespace(**checks)
    for figure in ("explore", "trace", "show_heatmaps"):  # which nobody looks at here
        setattr(d2lmini, figure, lambda *arguments, **options: None)
    shell = InteractiveShell.instance()
    signal.signal(signal.SIGALRM, too_long)
    for source in task["cells"]:
        signal.alarm(task["seconds"])
        shell.run_cell(source)


def replies(task):
    """What the second process told of each exercise, last: {name: reply}."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            told = subprocess.run(
                [sys.executable, __file__, "--run"],
                input=json.dumps(task).encode(),
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd=folder,
                env={**os.environ, "MPLBACKEND": "agg", "IPYTHONDIR": folder},
                timeout=NOTEBOOK,
            ).stdout
        except subprocess.TimeoutExpired as error:
            told = error.stdout or b""
    found = {}
    for line in told.splitlines():
        with suppress(Exception):  # a forged line is no reply
            reply = json.loads(line)
            found[reply["exercise"]] = reply
    return found


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


def grade(chapter, page):
    """The verdict on each exercise of a chapter in a notebook: {name: Verdict}."""
    module = importlib.import_module(f"d2lmini.exercises.chapter_{Path(chapter).name[:2]}")
    exercises = {name: e for name, e in vars(module).items() if isinstance(e, Exercise)}
    cells = [cell for cell in nbformat.read(page, as_version=4).cells if cell.cell_type == "code"]
    sources = [c.source for c in cells if not c.source.startswith("# @title Solution")]
    cases = {name: e.cases and packed(e.cases()) for name, e in exercises.items()}
    task = {"module": module.__name__, "cells": sources, "cases": cases, "seconds": CELL}
    told = replies(task)
    return {name: judged(e, told.get(name)) for name, e in exercises.items()}


def main(chapter, *pages):
    for page in pages:
        verdicts = grade(chapter, page)
        right = sum(verdict.right is True for verdict in verdicts.values())
        print(f"{page}: {right} of {len(verdicts)}")
        for name, verdict in verdicts.items():
            word = {True: "right", False: "wrong", None: "missing"}[verdict.right]
            # One line, whatever an answer has put into it.
            why = "".join(c if c.isprintable() else " " for c in verdict.why)[:300]
            print(f"  {word:8}{name}: {why}")


if __name__ == "__main__":
    if sys.argv[1:] == ["--run"]:
        run_notebook()
    elif len(sys.argv) < 3:
        sys.exit(__doc__)
    else:
        main(*sys.argv[1:])
