"""Make a virtual environment of the book's own and install the pinned packages into it.

    python3 tools/setup.py VENV [REQUIREMENTS]          requirements.txt if none is named

Uses the standard library alone, since it runs before anything is installed; and old syntax, so
that an old Python can say that it is too old.
"""

import ctypes
import os
import platform
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BOOK, MODEL = "requirements.txt", "requirements-model.txt"
HASHES = "tools/hashes/"


def stop(message):
    sys.exit("setup: " + message)


def run(command, failure):
    """Run a command; show what it says, less what needs no doing; stop if it fails."""
    process = subprocess.Popen(
        [str(part) for part in command],
        cwd=str(ROOT),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        universal_newlines=True,
    )
    for line in process.stdout:
        if not line.startswith(("Requirement already", "Ignoring ", "Looking in ", "WARNING: Loc")):
            print(line, end="", flush=True)
    if process.wait() != 0:
        stop(failure)


def prepare_mxnet():
    """Stop where MXNet cannot run; install the libraries that it takes from the system."""
    system = "{} {}".format(platform.system(), platform.machine())
    if sys.version_info >= (3, 12) or system != "Linux x86_64":
        stop(
            "MXNet 1.9.1 needs Linux x86_64 and Python 3.10 or 3.11, this is {} and {}.{}; name "
            "another one, as in `make test-frameworks PYTHON=python3.11`".format(
                system, *sys.version_info[:2]
            )
        )
    libraries = {"libgomp1": "libgomp.so.1", "libquadmath0": "libquadmath.so.0"}
    missing = [package for package, file in libraries.items() if not loads(file)]
    if missing and os.geteuid() == 0 and shutil.which("apt-get"):
        subprocess.call(["apt-get", "update", "-qq"])
        subprocess.call(["apt-get", "install", "-y", "-qq", *missing])
        missing = [package for package in missing if not loads(libraries[package])]
    if missing:
        stop("MXNet needs libraries of the system: apt install " + " ".join(missing))


def loads(library):
    """Whether a shared library is on this system."""
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def main(venv, requirements=BOOK):
    if sys.version_info < (3, 10):
        stop(
            "Python 3.10 or later is needed, this is {}.{}; name another one, as in "
            "`make book PYTHON=python3.12`".format(*sys.version_info[:2])
        )
    if "mxnet" in requirements:
        prepare_mxnet()
    start = time.time()
    python = venv / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not python.exists():
        print("Making a virtual environment in {}".format(venv), flush=True)
        run(
            [sys.executable, "-m", "venv", venv],
            "no virtual environment: Python's venv module is missing "
            "(on Debian or Ubuntu: apt install python3-venv)",
        )
    pip = [python, "-m", "pip", "--disable-pip-version-check", "install"]
    print("Installing the pinned packages: a few minutes the first time", flush=True)
    advice = "pip could not install {}: its last lines say why (is there a network?)"
    hashed = [*pip, "--no-deps", "--require-hashes", "-r"]
    run([*hashed, HASHES + requirements], advice.format(requirements))
    # What is left is torch, and on some systems what torch itself asks for.
    run([*pip, "-r", requirements], advice.format(requirements))
    if requirements == BOOK:
        run([*hashed, HASHES + MODEL], advice.format(MODEL))
    run([*pip, "--no-deps", "--no-build-isolation", "-e", "."], advice.format("d2lmini"))
    (venv / "ready").touch()
    print("Ready after {:.0f} s".format(time.time() - start), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
