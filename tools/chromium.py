"""Find a Chromium, or install one, and print its path.

The first that works is used: a Chromium or Chrome on the PATH; the one Playwright downloads;
as root on Debian or Ubuntu, the package `chromium`.
"""

import os
import shutil
import subprocess
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")

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


def on_path():
    """The path of a browser on the PATH, or None."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


def from_playwright():
    """The path of the browser that Playwright has installed, or None."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if os.path.exists(path) else None


def find():
    """The path of a browser that is already here, or None."""
    return on_path() or from_playwright()


def launched(playwright):
    """A browser that Playwright drives; the program ends if there is none."""
    path = find() or sys.exit("No Chromium is found; `make test` installs one.")
    return playwright.chromium.launch(executable_path=path, args=FLAGS)


def install():
    """Try the two ways to get a browser, after saying so; return its path, or None."""

    def attempt(*command):
        print("  ", *command, file=sys.stderr, flush=True)
        return subprocess.run(command, stdout=sys.stderr, timeout=900).returncode == 0

    def say(what):
        print(what, file=sys.stderr, flush=True)

    say(
        "The tests and the PDF need a Chromium or Chrome, and there is none on the PATH. "
        "Playwright downloads one for this user, about 180 MB into its cache:"
    )

    try:
        if attempt(sys.executable, "-m", "playwright", "install", "chromium"):
            return from_playwright()
    except subprocess.TimeoutExpired:
        say("that took too long")
    if os.geteuid() == 0 and shutil.which("apt-get"):
        say("That did not work. Installing the package chromium on this system, as root:")
        attempt("apt-get", "update", "-qq")
        attempt("apt-get", "install", "-y", "-qq", "chromium")
    return on_path()


if __name__ == "__main__":
    path = find() or install()
    if path is None:
        sys.exit(
            "No browser: the tests need Chromium. Install it (for example `apt install chromium`) "
            "or put a Chromium or Chrome on the PATH."
        )
    print(path)
