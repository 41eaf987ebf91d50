"""Build the book into _build/html with warnings as errors, and say how long it took."""

import hashlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "_build" / "html" / "index.html"
STAMP = ROOT / "_build" / "house"


def house():
    """A digest of all that every page depends on, apart from its own text."""
    digest = hashlib.sha256()
    files = [*ROOT.glob("tools/*.py"), *ROOT.glob("assets/**/*"), *ROOT.glob("d2lmini/**/*.*")]
    for file in sorted(file for file in files if file.is_file() and file.suffix != ".pyc"):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def main():
    start = time.perf_counter()
    jupyter_book = Path(sys.executable).parent / "jupyter-book"
    command = [jupyter_book, "build", ".", "--warningiserror", "--keep-going"]
    if not STAMP.exists() or STAMP.read_text() != house():
        command.append("--all")
    # The package's own folder: what builds the book is installed without the package.
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": path})
    if done.returncode != 0:
        # Forget this build, or the next one would skip the page that has the warning.
        shutil.rmtree(ROOT / "_build" / "html", ignore_errors=True)
        shutil.rmtree(ROOT / "_build" / ".doctrees", ignore_errors=True)
        sys.exit("build: the book has warnings or errors (see above); nothing is published")
    PAGE.touch()
    STAMP.write_text(house())
    print(f"Built in {time.perf_counter() - start:.1f} s")


if __name__ == "__main__":
    main()
