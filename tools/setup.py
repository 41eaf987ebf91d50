"""Make a virtual environment of the book's own and install the pinned packages into it.

    python3 -m tools.setup VENV [KIND]    run if none is named

`WHAT` has the kinds. `run` has what `book` has, and `frameworks` what `run` has; those in `ALONE`
stand alone; `FOLDERS` are for the Python that runs this; `scripts` is node_modules.
VENV/book and VENV/ready are written when it is done. Of two at once for one folder, one waits.

Uses the standard library alone, since it runs before anything is installed; and old syntax, so
that an old Python can say that it is too old.
"""

import os
import platform
import shutil
import subprocess
import sys
import time
from ctypes.util import find_library
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HERE = "{} on {}".format(platform.python_version(), platform.platform())
BOOK_ENDS = "# To run and test chapters:"  # in requirements.txt
WHAT = {
    "book": "what builds the book: a minute the first time",
    "run": "PyTorch, JupyterLab and what tests need: some minutes and 2 GB the first time",
    "frameworks": "PyTorch, JAX and TensorFlow: some minutes and 4 GB the first time",
    "mxnet": "MXNet: a minute and 0.6 GB the first time",
    "hub": "JupyterHub and nbgrader: half a minute and 0.4 GB the first time",
    "exports": "papermill, MkDocs, Furo and marimo: half a minute and 0.5 GB the first time",
    "models": "published models to compare with",
    "firefox": "a Playwright that can speak with the Firefox of this system",
    "mutants": "what changes code to try tests",
    "scripts": "what joins and checks scripts",
}
NPM = ("--silent", "--no-audit", "--no-fund")
ALONE, FOLDERS = ("mxnet", "exports", "hub"), ("models", "firefox", "mutants")


def run(command, failure):
    """Run a command; show what it says, less what needs no doing; stop if it fails."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    # It keeps the lock, should it outlive this process.
    process = subprocess.Popen(command, cwd=ROOT, close_fds=False, **pipes)
    for line in process.stdout:
        if not line.startswith(("Requirement already", "Ignoring ", "Looking in ", "WARNING: Loc")):
            print(line, end="", flush=True)
    if process.wait() != 0:
        sys.exit("setup: " + failure)


def prepare_mxnet():
    """Stop where MXNet cannot run; install the libraries that it takes from the system."""
    system = platform.system(), platform.machine()
    if sys.version_info >= (3, 12) or system != ("Linux", "x86_64"):
        told = "MXNet 1.9.1 needs Linux x86_64 and Python 3.10 or 3.11, this is {}; name another"
        sys.exit("setup: " + told.format(HERE) + ", as in `make test-frameworks PYTHON=python3.11`")
    libraries = {"libgomp1": "gomp", "libquadmath0": "quadmath"}
    missing = [package for package, name in libraries.items() if not find_library(name)]
    if missing and os.geteuid() == 0 and shutil.which("apt-get"):
        print("MXNet needs {}. As root, apt-get:".format(" and ".join(missing)), flush=True)
        for command in (["update"], ["install", "-y", *missing]):
            subprocess.call(["apt-get", "-qq", *command])
        missing = [package for package in missing if not find_library(libraries[package])]
    if missing:
        sys.exit("setup: MXNet needs more of the system: apt install " + " ".join(missing))


def alone(path, told):
    """The lock at a path, held until it is closed; says so and waits if another make has it."""
    import fcntl  # which Windows lacks

    lock = open(path, "w")  # noqa: SIM115
    os.set_inheritable(lock.fileno(), True)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        print(told, flush=True)
        fcntl.flock(lock, fcntl.LOCK_EX)
    return lock


def files(venv, kind):
    """The requirements files of a kind of environment, in their order."""
    own = "requirements/{}.txt".format({"run": "model"}.get(kind, kind))
    if kind in (*ALONE, *FOLDERS):
        return [own]
    if kind != "book":
        return ["requirements.txt", "requirements/torch.txt", own]
    text = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    part = venv.resolve() / "requirements-book.txt"
    part.write_text(text[: text.index(BOOK_ENDS)], encoding="utf-8")
    return [part]


def install(venv, kind):
    """Make the virtual environment unless it is there, and install what it holds."""
    if kind == "scripts":
        return run(["npm", "ci", *NPM], "npm could not install what package-lock.json names")
    python = sys.executable if kind in FOLDERS else venv / "bin" / "python"
    if not Path(python).exists():
        print("Making a virtual environment in {}".format(venv), flush=True)
        failure = "Python's venv module is missing (on Debian or Ubuntu: apt install python3-venv)"
        run([sys.executable, "-m", "venv", venv], "no virtual environment: " + failure)
    pip = [python, "-m", "pip", "--disable-pip-version-check", "install"]
    # Compiled when they are first imported: most modules never are.
    hashed = ["--no-deps", "--require-hashes", "--no-compile"]
    target = ["--upgrade", "--target", venv] if kind in FOLDERS else []
    for name in files(venv, kind):
        # On some systems torch itself asks for more.
        options = [] if name == "requirements/torch.txt" else [*hashed, *target]
        failure = "pip could not install {}: its last lines say why (is there a network?)"
        run([*pip, *options, "-r", name], failure.format(name))
    if kind in ("book", "hub", *FOLDERS):
        return
    ours = ["-e", "./kernelfree", *([] if kind == "exports" else ["-e", "."])]
    run([*pip, "--no-deps", "--no-build-isolation", *ours], "pip could not install what is here")
    if kind != "mxnet":  # else the first notebook would say that it lists the system's fonts
        run([python, "-c", "import matplotlib.font_manager"], "matplotlib cannot be imported")


def main(venv, kind="run"):
    if sys.platform == "win32":
        sys.exit("setup: the book needs Linux or macOS; on Windows use WSL, as README.md says")
    if sys.version_info < (3, 10):
        told = "Python 3.10 or later is needed, this is {}; name another"
        sys.exit("setup: " + told.format(HERE) + ", as in `make book PYTHON=python3.12`")
    if kind == "mxnet":
        prepare_mxnet()
    began = time.time()
    told = "Another make is at work on {}; this one waits for it".format(venv)
    with alone("{}.lock".format(venv), told):
        stamps = [venv / "book", venv / "ready"][: 1 if kind == "book" else 2]
        if stamps[-1].exists() and stamps[-1].stat().st_mtime > began:
            return  # the other make has done it
        print("Installing into {} {}".format(venv, WHAT[kind]), flush=True)
        install(venv, kind)
        for stamp in stamps:
            stamp.touch()


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
