"""Build the book into _build/html with warnings as errors, and say how long it took."""

import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "_build" / "html" / "index.html"


def main():
    start = time.perf_counter()
    jupyter_book = Path(sys.executable).parent / "jupyter-book"
    done = subprocess.run(
        [jupyter_book, "build", ".", "--warningiserror", "--keep-going"],
        cwd=ROOT,
    )
    if done.returncode != 0:
        # Forget this build, or the next one would skip the page that has the warning.
        shutil.rmtree(ROOT / "_build" / "html", ignore_errors=True)
        shutil.rmtree(ROOT / "_build" / ".doctrees", ignore_errors=True)
        sys.exit("build: the book has warnings or errors (see above); nothing is published")
    PAGE.touch()
    print(f"Built in {time.perf_counter() - start:.1f} s")


if __name__ == "__main__":
    main()
