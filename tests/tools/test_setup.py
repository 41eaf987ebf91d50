"""Two commands at once in a fresh clone: one makes the environment, the other waits for it."""

import subprocess
import sys
import time

import chapters

# Installs nothing: writes down when it begins and ends, and works until the file `go` is there.
AT_WORK = """
import pathlib, sys, time
from tools import setup

def install(venv, kind):
    with open("log", "a") as log:
        print("begins", file=log, flush=True)
        while not pathlib.Path("go").exists():
            time.sleep(0.02)
        venv.mkdir()
        print("ends", file=log, flush=True)

setup.install = install
setup.main(pathlib.Path("venv"), "book")
print("goes on")
"""


def test_of_two_at_once_one_waits_and_uses_what_the_other_made(tmp_path):
    command = [sys.executable, "-c", AT_WORK]
    options = {"env": {"PYTHONPATH": str(chapters.ROOT)}, "text": True, "cwd": tmp_path}
    first, second = (subprocess.Popen(command, stdout=subprocess.PIPE, **options) for _ in range(2))
    try:
        said = {one: one.stdout.readline() for one in (first, second)}
        assert sorted(line.partition(" ")[0] for line in said.values()) == ["Another", "Installing"]
        time.sleep(0.3)
        assert (tmp_path / "log").read_text() == "begins\n"
        (tmp_path / "go").touch()
        assert [one.communicate(timeout=30)[0] for one in (first, second)] == ["goes on\n"] * 2
    finally:
        for one in (first, second):
            one.kill()
    assert (tmp_path / "log").read_text() == "begins\nends\n"
    # Whoever comes later finds no lock; what is asked for then is made again.
    (tmp_path / "venv").rename(tmp_path / "old")
    done = subprocess.run(command, capture_output=True, **options)
    assert done.stdout.startswith("Installing")
    assert done.stdout.endswith("goes on\n")
