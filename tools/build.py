"""Build the book into _build/html with warnings as errors, and say how long it took."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILT = ROOT / "_build"


def main():
    start = time.perf_counter()
    jupyter_book = Path(sys.executable).with_name("jupyter-book")
    command = [jupyter_book, "build", ".", "--warningiserror", "--keep-going"]
    # The package's own folder: what builds the book is installed without the package.
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    done = subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONPATH": path})
    if done.returncode != 0:
        # Forget this build, or the next one would skip the page that has the warning.
        for folder in ("html", ".doctrees"):
            shutil.rmtree(BUILT / folder, ignore_errors=True)
        sys.exit("build: the book has warnings or errors (see above); nothing is published")
    (BUILT / "html" / "index.html").touch()
    print(f"Built in {time.perf_counter() - start:.1f} s")


if __name__ == "__main__":
    main()
