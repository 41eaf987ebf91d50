"""Find a browser for tests and prints, or install one.

    python -m tools.chromium [quick]

A Chromium or Chrome on the PATH, or else Playwright's own. `quick` tests take one without windows,
its headless shell, which needs two thirds of the time: Playwright's own is one; beside a Chromium
on the PATH it is installed, as root, where it is a package.
"""

import os
import shutil
import subprocess
import sys
from contextlib import suppress

from playwright.sync_api import Error, sync_playwright

SHELLS = ("chromium-headless-shell", "chrome-headless-shell")
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

# Quiet and offline: the browser itself must not talk to anyone during tests.
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"]
FLAGS += ["--disable-background-networking", "--disable-component-update"]


def on_path(quick=False):
    """The path of a browser on the PATH, if it is to be `quick` one without windows; or None."""
    names = (*SHELLS, *NAMES) if quick else (*NAMES, *SHELLS)
    return next(filter(None, map(shutil.which, names)), None)


def launched(playwright, quick=False):
    """A browser that Playwright drives: one on the PATH, or its own."""
    return playwright.chromium.launch(executable_path=on_path(quick), args=FLAGS)


def works():
    with suppress(Error), sync_playwright() as playwright:
        launched(playwright).close()
        return True
    return False


def attempt(why, *commands):
    """Whether commands, shown first with the reason, succeed in a quarter of an hour each."""
    print(why, *map(" ".join, commands), sep="\n   ", file=sys.stderr, flush=True)
    try:
        return all(subprocess.run(c, stdout=2, timeout=900).returncode == 0 for c in commands)
    except subprocess.TimeoutExpired:
        return False


def main(quick):
    apt = os.geteuid() == 0 and shutil.which("apt-get")
    get = ["apt-get", "install", "-y", "-qq"]
    if not works():
        own = [sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"]
        told = "Tests and prints need a Chromium. Playwright downloads its own:"
        if not attempt(told, own) and apt:
            update = ["apt-get", "update", "-qq"]
            attempt("That did not work. As root, from this system:", update, [*get, "chromium"])
        if not works():
            sys.exit("No browser: install one (`apt install chromium`), or put it on the PATH.")
    if quick and apt and on_path() and not any(map(shutil.which, SHELLS)):
        told = "Tests take two thirds of the time without windows. As root:"
        if subprocess.run(["apt-cache", "show", SHELLS[0]], capture_output=True).returncode == 0:
            attempt(told, [*get, SHELLS[0]])


if __name__ == "__main__":
    main("quick" in sys.argv)
