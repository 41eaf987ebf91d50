"""Print the arguments of pytest by which `make test` runs what a change touches.

    python -m tests.touched [all]

The change is all that differs from the place where this branch has left `main`, committed or not.
All tests run where CI is set, on `main` without a change, and for a file of which no row speaks.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BOOK, BROWSER, SCRIPTS = "tests/book", "tests/browser", "tests/book/test_scripts.py"
CHINESE = f"{BOOK} tests/browser/test_chinese.py tests/d2lmini/test_language.py"
PACKAGE = f"{BOOK} tests/d2lmini tests/kernelfree/tracing tests/runhere chapters"
HERE, COMMANDS = f"{BOOK} tests/tools", f"{BOOK} tests/classroom tests/tools"


def files(folder, names):
    return " ".join(f"{folder}/test_{name}.py" for name in names.split())


# What reads scripts as texts; with it what draws figures, and what uses pages of the book.
TEXTS = files(BOOK, "editions extension hosting scripts search spoken translation types")
TEXTS += f" {BOOK}/test_chapters.py::test_stored_figures_have_the_scripts_of_today"
TEXTS += " tests/kernelfree/test_script.py"
FIGURES = f"{TEXTS} {BROWSER}/test_pages.py::test_one_visit "
OF_FIGURES = "alone answers book content engine exports figure_links figures first_sight live model"
FIGURES += files(BROWSER, f"{OF_FIGURES} names numbers plane policy safety telling traces words")
PAGES = f"{TEXTS} {files(BROWSER, 'alone answers chinese figure_links first_sight hosted')} "
PAGES += files(BROWSER, "languages line missing pages policy present run_here switch")
# Each test of the browser that goes through all chapters, in the one that has changed.
VISITS = """
pages.py::test_one_visit
pages.py::test_the_address_of_a_heading_or_figure_shows_it
figure_links.py::test_a_link_leads_to_its_state_and_the_text_quotes_that_states_numbers
book.py::test_without_javascript_the_first_picture_of_every_figure_is_seen
"""
VISITS = "".join(rf" {BROWSER}/test_{test}[\1]" for test in VISITS.split())
ROOMS = "book|browser|classroom|d2lmini|kernelfree|runhere|tools"
# What a change of these files runs; the first row that fits a file counts. The last column has what
# runs whole, with what make test leaves to make test-all.
TABLE = [
    (r"chapters/(15_\w+)\.ipynb", BOOK, VISITS),
    (r"chapters/(\w+)\.ipynb", BOOK, rf"chapters/\1.ipynb{VISITS}"),
    (r"locale/.+", CHINESE, ""),
    (r"d2lmini/exercises/chapter_(\d+)\.py", CHINESE, r"chapters/\1_*.ipynb"),
    (r"d2lmini/.+\.py", PACKAGE, ""),
    (r"runhere/.+", BOOK, f"{SCRIPTS} tests/runhere {BROWSER}/test_run_here.py"),
    (r"kernelfree/static/.+|pages/static/.+", TEXTS, SCRIPTS),
    (r"pages/js/here/.+", TEXTS, f"{SCRIPTS} {BROWSER}/test_run_here.py"),
    (r"pages/js/(finger|line|present)/.+", TEXTS, rf"{SCRIPTS} {BROWSER}/test_\1.py"),
    (r"pages/js/.+", PAGES, SCRIPTS),
    (r"kernelfree/js/engine/.+", f"{FIGURES} tests/runhere", SCRIPTS),
    (r"kernelfree/js/(live|model|trace)/.+", FIGURES, rf"{SCRIPTS} {BROWSER}/test_\1*.py"),
    (r"kernelfree/js/.+", FIGURES, SCRIPTS),
    (r"assets/.+\.css", BROWSER, SCRIPTS),
    (r"(assets|pages)/.+", f"{BOOK} {BROWSER}", ""),
    (r"tools/translation/.+", CHINESE, ""),
    (r"(?:tools|classroom|tests(?=/(?:mutants|touched)))/(\w+)\.py", COMMANDS, r"tests/*/test_\1.py"),
    (rf"(tests/(?:{ROOMS})/(?:\w+/)?test_\w+\.py)", "tests/tools", r"\1"),
    (r"tests/(elsewhere|frameworks|models)/.+|(benchmarks|classroom/hub)/.+", HERE, ""),
    (r".+\.md|LICENSE|CITATION\.cff|\.github/.+", BOOK, ""),
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


def arguments(names):
    """The arguments of pytest, and in words why these."""
    everything, runs, whole = ["chapters", "tests"], set(), set()
    if not names:
        return everything, "no change since main is known: all tests"
    for name in names:
        rows = ((re.fullmatch(pattern, name), *places) for pattern, *places in TABLE)
        found, few, all_of = next((row for row in rows if row[0]), (None, "", ""))
        if not found or not (ROOT / name).exists():
            return everything, f"{name} may touch anything: all tests"
        runs |= set(few.split())
        for place in found.expand(all_of).split():
            found_here = ROOT.glob(place) if "*" in place else [ROOT / place]
            whole |= {str(path.relative_to(ROOT)) for path in found_here}
    runs, whole, inside = sorted(runs), sorted(whole), tuple(f"{place}/" for place in runs)
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
