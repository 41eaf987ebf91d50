"""Other frameworks, published models, a hub: each in an environment of its own."""

import csv
import functools
import os
import re
import subprocess
import sys

import nbformat
import pytest

import chapters

ROOT = chapters.ROOT
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


MADE = """
from nbgrader.api import Gradebook
with Gradebook("sqlite:///gradebook.db") as book:
    book.add_assignment("week")
    for notebook, own in ("04", "by_hand causal"), ("06", "by_hand variance attention"):
        book.add_notebook(notebook, "week")
        for name in (*(f"check-{exercise}" for exercise in own.split()), "essay"):
            book.add_grade_cell(name, notebook, "week", max_score=1, cell_type="code")
"""
HELD = """
from nbgrader.api import Gradebook
with Gradebook("sqlite:///gradebook.db") as book:
    for notebook in book.find_assignment("week").notebooks:
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
    rows = "student,chapter,exercise,points,of\nann,,by_hand,2,3\nbob,,by_hand,0.5,3\n"
    good = f"{rows}ann,,variance,1,1\nann,,deadline,-0.6,0\n"
    (tmp_path / "either.csv").write_text(rows)
    (tmp_path / "bad.csv").write_text(f"{good}cem,,reading,1,1\n")
    (tmp_path / "good.csv").write_text(good)
    (tmp_path / "other.csv").write_text(rows.replace(",,", ",04_masked_softmax,"))
    points = ROOT / "classroom" / "hub" / "points.py"
    for table, book, why in (
        ("none.csv", "gradebook.db", "none.csv is no file"),
        ("either.csv", "gradebook.db", "the table may be of 04 or 06; name them as their chapters begin, as 06"),
        ("bad.csv", "gradebook.db", "week has no exercise reading"),
        ("good.csv", "gone.db", "gone.db is no file"),
    ):
        told = hub(points, table, "week", book).stderr
        assert told == f"points: nothing is written into {book}: {why}\n"
    other = "{'check-by_hand': 1.0, 'check-causal': 1.0, 'essay': 1.0}"
    before = "{'check-by_hand': 1.0, 'check-variance': 1.0, 'check-attention': 1.0, 'essay': 1.0}"
    assert hub("-c", HELD).stdout == f"{other}{before}{{}}\n"
    done = hub(points, "good.csv", "week", "gradebook.db")
    assert done.stderr == ""
    assert "4 points can be had\nweek also has attention: not in good.csv" in done.stdout
    after = "{'check-by_hand': 3.0, 'check-variance': 1.0, 'check-attention': 0.0, 'essay': 1.0}"
    assert hub("-c", HELD).stdout == f"{other}{after}{{'ann': 3.0, 'bob': 0.5}}\n"
    page = (tmp_path / "feedback" / "ann" / "week" / "06.html").read_text("utf-8")
    assert "<tr><td>in all<td>2.4 / 4<td></table>" in page
    assert hub(points, "other.csv", "week", "gradebook.db").stderr == ""
    assert "{'ann': 5.0, 'bob': 1.0}" in hub("-c", HELD).stdout


RIGHT = "def repaired(q, k, v):\n    return colleague(q / q.shape[-1] ** 0.5, k, v)\n"
SAVED = """\
# %% scaled_dot_product_attention/c9239ab2
dot_variance = 36
check.variance(dot_variance)
"""


@pytest.mark.nightly
def test_a_graded_assignment_goes_as_the_page_for_teachers_prints_it(tmp_path):
    """All its lines, where there is what a clone has: from the chapter to the marks of nbgrader."""
    text = "\n".join(chapters.cells(ROOT / "chapters" / "teaching.ipynb", "markdown"))
    text = text[text.index("## A graded assignment") :]
    begin, assign, grades = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    make, begin = begin.split("\n", 1)
    assert make == "make .venv/ready .venv-hub/ready"  # as this test has them
    for name in (".venv", ".venv-hub", "chapters", "classroom", "locale", "pages", "tools"):
        (tmp_path / name).symlink_to(ROOT / name)

    def sh(lines):
        own = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "JUPYTER"))}
        options = {"cwd": tmp_path, "env": own, "capture_output": True, "text": True}
        done = subprocess.run(["bash", "-c", begin + lines], **options)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    sh(assign)
    made = nbformat.read(tmp_path / "release" / "week6" / "06.ipynb", as_version=4)
    cells = {cell.metadata.nbgrader.grade_id: cell for cell in made.cells}
    assert cells["answer-attention"].source.startswith("def repaired(queries, keys, values): ...\n")
    assert not re.search("SOLUTION|YOUR CODE|colleague.queries /", str(made))
    for name, answer in {"variance": "9", "attention": "repaired", "reading": "[3, 5]"}.items():
        cells[f"answer-{name}"].source = f"{RIGHT}dot_variance = 9\ncheck.{name}({answer})"
    works = {
        "ann": ("06.ipynb", nbformat.writes(made), "20 09:00"),
        "bob": ("06.py", SAVED, "18 17:00"),  # at the last moment
        "cem": ("06.ipynb", "<html>", "25 09:00"),  # ends nothing
    }
    for student, (name, work, day) in works.items():
        folder = tmp_path / "submitted" / student / "week6"
        folder.mkdir(parents=True)
        (folder / name).write_text(work)
        (folder / "timestamp.txt").write_text(f"2027-01-{day}:00.000000 UTC")
    said = sh(grades)
    assert "submitted/ann/week6/06.ipynb: 2 of 3, 2.2 of 4 points" in said
    assert "late    handed in 2027-01-20 10:00 CET, says timestamp.txt; late, day 2; points off: 0.8" in said
    assert "gradebook.db: 3 students, 4 points can be had" in said
    with open(tmp_path / "grades.csv", newline="") as file:
        columns = "student_id", "raw_score", "late_submission_penalty", "score", "max_score"
        marks = [" ".join(row[name] for name in columns) for row in csv.DictReader(file)]
    assert sorted(marks) == ["ann 3.0 0.8 2.2 4.0", "bob 1.0 0.0 1.0 4.0", "cem 0.0 0.0 0.0 4.0"]
    feedback = (tmp_path / "feedback" / "ann" / "week6" / "06.html").read_text("utf-8")
    assert "that is the variance of one product" in feedback
    for student, sentence in {"bob": "Right.", "cem": "cannot be read as a notebook"}.items():
        assert sentence in (tmp_path / "feedback" / student / "week6" / "06.html").read_text("utf-8")


@pytest.mark.nightly
@pytest.mark.parametrize("way", [[], ["--lti"]], ids=["password", "lti"])
def test_a_class_of_two_on_a_hub(way, record_property):
    """It ends with an error unless both have the points that they have earned."""
    command = [sys.executable, "-m", "classroom.hub.trial", "2", "--within", "0", *way]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0, done.stdout[-8000:]
    assert "2 students" in done.stdout
    record_property("elsewhere", done.stdout.strip().splitlines()[-1])
