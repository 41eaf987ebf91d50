"""Print the arguments of pytest by which `make test` runs what a change touches.

    python -m tools.touched [all]

The change is all that differs from the place where this branch has left `main`, committed or not.
All tests run where CI is set, on `main` without a change, and for a file of which no row speaks.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VISITS = (
    r"tests/browser/test_pages.py::test_one_visit[\1]",
    r"tests/browser/test_pages.py::test_the_address_of_a_heading_or_figure_shows_it[\1]",
    r"tests/browser/test_figure_links.py::"
    r"test_a_link_leads_to_its_state_and_the_text_quotes_that_states_numbers[\1]",
    r"tests/browser/test_book.py::"
    r"test_without_javascript_the_first_picture_of_every_figure_is_seen[\1]",
)
CHINESE = "tests/browser/test_chinese.py tests/d2lmini/test_language.py"
SCRIPTS = "tests/book/test_scripts.py"
# What a change of these files runs; the first row that fits a file counts. The last column has what
# runs whole, with what make test leaves to make test-all.
TABLE = [
    (r"chapters/(15_\w+)\.ipynb", "tests/book", " ".join(VISITS)),
    (r"chapters/(\w+)\.ipynb", "tests/book", r"chapters/\1.ipynb " + " ".join(VISITS)),
    (r"locale/.+", f"tests/book {CHINESE}", ""),
    (r"d2lmini/exercises/chapter_(\d+)\.py", f"tests/book {CHINESE}", r"chapters/\1_*.ipynb"),
    (
        r"d2lmini/.+\.py",
        "tests/book tests/d2lmini tests/kernelfree/tracing tests/runhere chapters",
        "",
    ),
    (
        r"(runhere|pages/js/here)/.+",
        "tests/book",
        f"{SCRIPTS} tests/runhere tests/browser/test_run_here.py",
    ),
    (r"kernelfree/js/engine/.+", "tests/browser tests/runhere", SCRIPTS),
    (r"kernelfree/static/.+|pages/static/.+", "tests/book", SCRIPTS),
    (
        r"kernelfree/js/(live|model|trace)/.+",
        "tests/browser",
        SCRIPTS + r" tests/browser/test_\1*.py",
    ),
    (r"pages/js/(finger|line|present)/.+", "tests/book", SCRIPTS + r" tests/browser/test_\1.py"),
    (r"kernelfree/js/.+|pages/js/.+|assets/.+\.css", "tests/browser", SCRIPTS),
    (r"(assets|pages)/.+", "tests/book tests/browser", ""),
    (r"tools/translation/.+", f"tests/book {CHINESE}", ""),
    (
        r"(?:tools|classroom)/(\w+)\.py",
        "tests/book tests/classroom tests/tools",
        r"tests/*/test_\1.py",
    ),
    (
        r"(tests/(book|browser|classroom|d2lmini|kernelfree|runhere|tools)/(\w+/)?test_\w+\.py)",
        "tests/tools",
        r"\1",
    ),
    (
        r"tests/(elsewhere|frameworks|models)/.+|benchmarks/.+|classroom/hub/.+",
        "tests/book tests/tools",
        "",
    ),
    (r".+\.md|LICENSE|CITATION\.cff|\.github/.+", "tests/book", ""),
]
SCRIPT = re.compile(r"<script>.*?</script>")


def git(*command):
    done = subprocess.run(["git", *command], cwd=ROOT, capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else ""


def changed():
    """The files that differ from where this branch has left main; None where that is not known."""
    start = git("merge-base", "HEAD", "main").strip()
    if not start:
        return None
    names = git("diff", "--name-only", start) + git("ls-files", "--others", "--exclude-standard")
    return [name for name in sorted({*names.splitlines()}) if not only_scripts(start, name)]


def only_scripts(start, name):
    """Whether of a notebook nothing differs but scripts of figures, which `make scripts` renews."""
    if not name.endswith(".ipynb") or not (ROOT / name).exists():
        return False
    before, now = git("show", f"{start}:{name}"), (ROOT / name).read_text(encoding="utf-8")
    return before != "" and SCRIPT.sub("", before) == SCRIPT.sub("", now)


def touched(names):
    """What these files touch: (places whose tests of `make test` run, places that run whole)."""
    runs, whole = set(), set()
    for name in names:
        rows = ((re.fullmatch(pattern, name), *places) for pattern, *places in TABLE)
        found, few, all_of = next((row for row in rows if row[0]), (None, "", ""))
        if not found or not (ROOT / name).exists():
            raise LookupError(name)
        runs |= set(few.split())
        for place in found.expand(all_of).split():
            found_here = ROOT.glob(place) if "*" in place else [ROOT / place]
            whole |= {str(path.relative_to(ROOT)) for path in found_here}
    return sorted(runs), sorted(whole)


def arguments(names):
    """The arguments of pytest, and in words why these."""
    everything = ["chapters", "tests"]
    if not names:
        return everything, "no change since main is known: all tests"
    try:
        runs, whole = touched(names)
    except LookupError as error:
        return everything, f"{error} may touch anything: all tests"
    inside = tuple(f"{place}/" for place in runs)
    places = runs + [place for place in whole if not place.startswith(inside)]
    told = f"changed since main: {', '.join(names)}\nmake test runs {' '.join(places)}"
    return [*(f"--whole={place}" for place in whole), *places], f"{told} (all with CI=1)"


def main(*asked):
    names = None if asked or os.environ.get("CI") else changed()
    given, why = arguments(names)
    print(why, file=sys.stderr)
    print(*given)


if __name__ == "__main__":
    main(*sys.argv[1:])
