"""Other frameworks, other browsers, published models, a hub: each in an environment of its own."""

import functools
import os
import shutil
import subprocess
import sys

import pytest

import chapters

ROOT = chapters.ROOT
# What a reader's hand does to figures and to code. (The engine's arithmetic is tested once.)
FIGURES = ["book", "figures", "plane", "words", "telling", "live", "traces", "answers", "run_here"]
# What JAX compiles is kept: compiling takes longer than all that it is compiled for.
COMPILED = {
    "JAX_COMPILATION_CACHE_DIR": str(ROOT / "_build" / "jax"),
    "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
    "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
}


@pytest.mark.beyond
def test_jax_and_tensorflow(tested_in):
    tested_in(".venv-frameworks", "tests/frameworks", **COMPILED)


@pytest.mark.beyond
def test_the_chapter_of_jax_and_tensorflow(tested_in):
    browser = ["tests/browser/test_book.py", "-k", "frameworks or 15_"]
    tested_in(".venv-frameworks", *chapters.STRICT, chapters.LIVE, *browser, **COMPILED)


@pytest.mark.nightly
@pytest.mark.skipif(not (ROOT / ".venv-mxnet").exists(), reason="MXNet 1.9.1 runs on few systems")
def test_mxnet(tested_in):
    tested_in(".venv-mxnet", "tests/frameworks")


# The first figure of the package's own page, and a table of pandas.
ALONE = """
import re, sys, pathlib, pandas, kernelfree
text = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
exec(re.search(r"```python\\n(.*?)```", text, re.DOTALL)[1])
frame = pandas.DataFrame([[1.0, 2.0]], index=["row"], columns=["a", "b"])
made = kernelfree.explore(lambda t: frame * t, t=[1, 2])
assert made._state["panels"][0]["columnNames"] == ["a", "b"]
made.save("page.html")
assert "torch" not in sys.modules
try:
    import torch
except ImportError:
    print("no PyTorch here")
"""


@pytest.mark.nightly
def test_figures_in_an_environment_without_pytorch(tmp_path):
    """An author's own line, from this tree."""
    run = functools.partial(subprocess.run, check=True, capture_output=True, text=True)
    run([sys.executable, "-m", "venv", tmp_path / "venv"])
    python = tmp_path / "venv" / "bin" / "python"
    run([python, "-m", "pip", "install", "--quiet", ROOT / "kernelfree", "pandas"])
    own = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    done = run([python, "-c", ALONE, ROOT / "kernelfree" / "README.md"], cwd=tmp_path, env=own)
    assert done.stdout.splitlines()[-1] == "no PyTorch here"


@pytest.mark.nightly
def test_tables_of_other_libraries():
    python, script = ROOT / ".venv-exports" / "bin" / "python", ROOT / "tests/elsewhere/frames.py"
    own = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([python, "-W", "error", script], check=True, env=own)


@pytest.mark.beyond
@pytest.mark.skipif(not (ROOT / ".venv" / "models").exists(), reason="make test-all installs them")
def test_published_models(tested_in):
    """Scores, held to the models' own code: the guide's to six, or at night to all, and 21 more."""
    tested_in(".venv", "tests/models", PYTHONPATH=str(ROOT / ".venv" / "models"))


@pytest.mark.nightly
@pytest.mark.skipif(not shutil.which("firefox"), reason="no Firefox is installed")
def test_firefox(tested_in):
    """Every figure there; the newer Playwright of the pins cannot speak with it."""
    tested_in(
        ".venv",
        *[f"tests/browser/test_{name}.py" for name in FIGURES],
        "-k",
        "not axe and not pdf",
        BOOK_BROWSER="firefox",
        PYTHONPATH=str(ROOT / ".venv" / "firefox"),
    )


MADE = """
from nbgrader.api import Gradebook
with Gradebook("sqlite:///gradebook.db") as book:
    book.add_assignment("week")
    book.add_notebook("06", "week")
    for name in ("check-by_hand", "check-variance", "essay"):
        book.add_grade_cell(name, "06", "week", max_score=1, cell_type="code")
"""
HELD = """
from nbgrader.api import Gradebook
with Gradebook("sqlite:///gradebook.db") as book:
    [notebook] = book.find_assignment("week").notebooks
    print({c.name: c.max_score for c in notebook.grade_cells}, end="")
    print({s.student.id: s.score for s in book.assignment_submissions("week")})
"""


@pytest.mark.nightly
def test_a_gradebook_takes_all_of_a_table_or_nothing(tmp_path):
    def hub(*command):
        place = ROOT / ".venv-hub" / "bin"
        options = {"env": {"PATH": str(place)}, "cwd": tmp_path, "capture_output": True}
        return subprocess.run([place / "python", *command], text=True, **options)

    hub("-c", MADE)
    rows = "student,exercise,points,of\nann,by_hand,2,3\nbob,by_hand,0.5,3\n"
    (tmp_path / "bad.csv").write_text(f"{rows}cem,reading,1,1\n")
    (tmp_path / "good.csv").write_text(rows)
    points = ROOT / "classroom" / "hub" / "points.py"
    for table, book, why in (
        ("bad.csv", "gradebook.db", "week has no exercise reading"),
        ("good.csv", "gone.db", "gone.db is no file"),
    ):
        told = hub(points, table, "week", book).stderr
        assert told == f"points: nothing is written into {book}: {why}\n"
    before = "{'check-by_hand': 1.0, 'check-variance': 1.0, 'essay': 1.0}{}\n"
    assert hub("-c", HELD).stdout == before
    done = hub(points, "good.csv", "week", "gradebook.db")
    assert done.stderr == ""
    assert "3 points can be had\nweek also has variance: not in good.csv" in done.stdout
    after = "{'check-by_hand': 3.0, 'check-variance': 0.0, 'essay': 1.0}{'ann': 2.0, 'bob': 0.5}\n"
    assert hub("-c", HELD).stdout == after


@pytest.mark.nightly
@pytest.mark.parametrize("way", [[], ["--lti"]], ids=["password", "lti"])
def test_a_class_of_two_on_a_hub(way, record_property):
    """It ends with an error unless both have the points that they have earned."""
    command = [sys.executable, "-m", "classroom.hub.trial", "2", "--within", "0", *way]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout[-8000:]
    assert "2 students" in done.stdout
    record_property("elsewhere", done.stdout.strip().splitlines()[-1])
