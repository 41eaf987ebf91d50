"""Make the book's own virtual environment and install the pinned packages into it.

    python3 tools/setup.py VENV

Uses the standard library alone, since it runs before anything is installed; and old syntax, so
that an old Python can say that it is too old.
"""

import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


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


def main(venv):
    if sys.version_info < (3, 10):
        stop(
            "Python 3.10 or later is needed, this is {}.{}; name another one, as in "
            "`make book PYTHON=python3.12`".format(*sys.version_info[:2])
        )
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
    run([*pip, "-r", "requirements.txt"], advice.format("requirements.txt"))
    run([*pip, "--no-deps", "--no-build-isolation", "-e", "."], advice.format("d2lmini"))
    (venv / "ready").touch()
    print("Ready after {:.0f} s".format(time.time() - start), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
