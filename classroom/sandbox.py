"""Run a notebook that was handed in, apart from all else, and read what its answers give.

This file alone goes along to where the notebook runs: it knows no right answers.
"""

import functools
import itertools
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

import torch

import d2lmini
from d2lmini.exercises.checking import outcomes

CELL, NOTEBOOK = 120, 900  # seconds that they may take
TOO_LONG = "it took too long"
MEMORY, FILE = 16 * 2**30, 64 * 2**20  # bytes: of addresses, and of one file or of all replies
PROCESSES = 512  # and threads
USERS = itertools.cycle(range(65_000, 65_500))  # who own nothing: one for each notebook
RUNNING = set()  # the processes that run notebooks
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
    if getattr(torch, getattr(value, "__name__", ""), None) is value:
        return {"torch": value.__name__}
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
        case {"torch": "cdist"}:  # what a case hands to an answer
            return torch.cdist
        case int() | float() | str():
            return data
    raise ValueError(f"not a value: {data!r}")


class Told:
    """Stands where a check would: sends what an answer gives, and knows no right ones."""

    def __init__(self, name, cases, pipe, lent="", library=""):
        self.name, self.cases, self.pipe, self.lent, self.told = name, cases, pipe, lent, False
        self.library = library

    def take(self, *names):
        """What a step takes from earlier chapters: here, the book's."""
        space = {}
        exec(self.lent, space)
        return space[names[0]] if len(names) == 1 else [space[name] for name in names]

    def __call__(self, answer):
        try:
            self.tell(outcomes=self.outcomes(answer))
        except BaseException as error:  # SystemExit, too
            self.tell(raised=described(error))

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
        found = outcomes(answer, unpacked(self.cases), self.library)
        return [[*map(packed, outcome)] for outcome in found]


def too_long(*alarm):
    raise TimeoutError(TOO_LONG)


def run_notebook():
    """The second process: run the cells that come in, and send what their answers give."""
    from IPython.core.interactiveshell import InteractiveShell

    task = json.load(sys.stdin)
    limit(task["bounds"])
    pipe = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what the notebook prints goes nowhere
    checks = {
        name: Told(name, cases, pipe, task["lent"].get(name, ""), task["libraries"][name])
        for name, cases in task["cases"].items()
    }
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
    name = type(error).__name__
    try:
        if isinstance(error, SyntaxError) and error.text:
            return f"{name}: {error.msg}, in line {error.lineno} of the cell: {error.text.strip()}"
        return f"{name}: {error}"
    except BaseException:  # of what it says of itself
        return name


def replies(task, package=PACKAGE):
    """What the second process told of each exercise: {name: reply}. An empty one replaces none."""
    start, user = held()
    user = user and user_of(next(USERS))
    bounds = {"AS": MEMORY, "FSIZE": FILE, "CPU": NOTEBOOK, "CORE": 0}
    if start or user:  # else those that you run already would count
        bounds["NPROC"] = PROCESSES
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryFile() as told:
        copied(package, folder)
        shutil.copy(__file__, folder)
        if user:
            os.chown(folder, user["user"], user["group"])
        own = dict.fromkeys(("PYTHONPATH", "IPYTHONDIR", "HOME", "TMPDIR"), folder)
        # With one thread a verdict is the same however many run side by side.
        own |= {"MPLBACKEND": "agg", "LOGNAME": "student", "OMP_NUM_THREADS": "1"}
        with subprocess.Popen(
            [*start(folder, package), sys.executable, Path(folder, Path(__file__).name)],
            stdin=subprocess.PIPE,
            stdout=told,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env={**os.environ, **own},
            start_new_session=True,
            **user,
        ) as process:
            RUNNING.add(process)
            try:
                with suppress(subprocess.TimeoutExpired, BrokenPipeError):
                    process.communicate(json.dumps({**task, "bounds": bounds}).encode(), NOTEBOOK)
            finally:
                end(process)
        told.seek(0)
        return last_given(told.read(FILE).splitlines())


def end(process):
    """End a notebook's process, and all that it has started."""
    RUNNING.discard(process)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)


def user_of(number):
    """Who runs a command, as subprocess takes it."""
    return {"user": number, "group": number, "extra_groups": []}


def limit(bounds):
    """Bound this process and all that it starts."""
    for name, most in bounds.items():
        with suppress(ValueError, OSError):  # a system that is stricter, or has no such limit
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (most, most))


def apart(folder, package=PACKAGE):
    """What starts a command apart from all else, with one folder that it may write; those of
    other notebooks, which stand beside it, are read-only."""
    kept = (Path.home(), Path.cwd(), ROOT, package, Path(folder).parent)
    return [*APART, folder, *map(str, kept), "--"]


@functools.cache
def held():
    """How a notebook is started: what stands before its command, and as whom. The strictest way
    in which Python runs here; another user may be kept from it, and a container from namespaces."""
    users = [user_of(next(USERS)), {}] if os.geteuid() == 0 else [{}]
    for start, user in product([apart, lambda *places: []], users):
        with tempfile.TemporaryDirectory() as folder, suppress(OSError):
            os.chmod(folder, 0o777)
            command = [*start(folder), sys.executable, "-c", "import torch"]
            if subprocess.run(command, cwd=folder, capture_output=True, **user).returncode == 0:
                return start, user


def is_apart():
    """Whether anything keeps a notebook from your files."""
    start, user = held()
    return bool(start("") or user)


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


def copied(package, folder):
    """The package and the one that draws its figures, which stands beside it, in a folder."""
    for name in ("kernelfree", "d2lmini"):
        copy = shutil.copytree(package.parent / name, Path(folder, name))
    return copy


if __name__ == "__main__":
    run_notebook()
