"""Find a Chromium, or install one, and print its path.

    python -m tools.chromium [quick]

The first that works is used: a Chromium or Chrome on the PATH; the one Playwright downloads;
as root on Debian or Ubuntu, the package `chromium`. `quick` tests take the same without windows,
its headless shell, which needs two thirds of the time; it is installed where it is a package.
"""

import os
import shutil
import subprocess
import sys

from playwright.sync_api import sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
SHELLS = ("chromium-headless-shell", "chrome-headless-shell")

# Quiet and offline: the browser itself must not talk to anyone during tests.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def on_path(names=NAMES):
    """The path of a browser on the PATH, or None."""
    return next((path for path in map(shutil.which, names) if path), None)


def from_playwright():
    """The path of the browser that Playwright has installed, or None."""
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if os.path.exists(path) else None


def find():
    """The path of a browser that is here, or None."""
    return on_path() or from_playwright()


def launched(playwright, quick=False):
    """A browser that Playwright drives; if it is to be `quick`, one without windows if there is."""
    path = (quick and on_path(SHELLS)) or on_path()
    if path:
        return playwright.chromium.launch(executable_path=path, args=FLAGS)
    # Playwright's own, which has a shell, too; if there is none it says so.
    return playwright.chromium.launch(channel=None if quick else "chromium", args=FLAGS)


def say(what):
    print(what, file=sys.stderr, flush=True)


def attempt(*command):
    """Whether a command, shown first, succeeds in a quarter of an hour."""
    say("   " + " ".join(command))
    try:
        return subprocess.run(command, stdout=sys.stderr, timeout=900).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def has_apt():
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


def install():
    """Try the two ways to get a browser, after saying so."""
    say(
        "The tests and the PDF need a Chromium or Chrome, and there is none on the PATH. "
        "Playwright downloads one for this user, about 180 MB into its cache:"
    )
    if not attempt(sys.executable, "-m", "playwright", "install", "chromium") and has_apt():
        say("That did not work. Installing the package chromium on this system, as root:")
        attempt("apt-get", "update", "-qq")
        attempt("apt-get", "install", "-y", "-qq", "chromium")


def install_shell():
    """Try to get the headless shell of a Chromium on the PATH where that is one package."""
    lacks = on_path() and not on_path(SHELLS) and has_apt()
    show = ["apt-cache", "show", SHELLS[0]]
    if lacks and subprocess.run(show, capture_output=True).returncode == 0:
        say(f"Tests take two thirds of the time in {SHELLS[0]}. Installing it, as root:")
        attempt("apt-get", "install", "-y", "-qq", SHELLS[0])


if __name__ == "__main__":
    if not find():
        install()
    if not (path := find()):
        sys.exit("No browser: install Chromium (`apt install chromium`), or put it on the PATH.")
    if "quick" in sys.argv:
        install_shell()
    print(path)
