"""kernelfree by itself: no PyTorch, no word of attention, neutral names, doors."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import chapters
import kernelfree as kf
import kernelfree.book

HOME = Path(kf.__file__).parent
ALONE = """
import kernelfree
from kernelfree import *

assert "trace" not in globals() and "Curve" in globals()
figure = lambda live: explore(lambda t: [[t]], live=live, t=(0.0, 1.0))
figure("if possible").save("figure.html")
for missing in (lambda: figure(True), lambda: kernelfree.trace):
    try:
        missing()
    except ImportError as error:
        print(error)
"""


def run_alone(code, folder):
    """Run code where importing PyTorch or the book's package fails; return the lines it prints."""
    code = f"import sys\nsys.modules['torch'] = sys.modules['d2lmini'] = None\n{code}"
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr + done.stdout[-8000:]
    return done.stdout.splitlines()


def test_figures_need_no_pytorch(tmp_path):
    saved, *missing = run_alone(ALONE, tmp_path)
    assert saved.startswith("figure.html: ")
    told = "need PyTorch, which is missing: pip install torch"
    assert missing == [f"live figures {told}", f"traces {told}"]


def test_the_manual_needs_no_pytorch_before_live_functions(tmp_path):
    _, *cells = chapters.read(chapters.ROOT / "chapters" / "making_figures.ipynb").cells
    live = next(n for n, cell in enumerate(cells) if cell.source.startswith("## A live function"))
    code = [cell.source for cell in cells[:live] if cell.cell_type == "code"]
    assert code[0].startswith("# @title Setup")
    assert len(code) > 12
    run_alone("\n\n".join(code[1:]), tmp_path)
    # What needs it later is the same package, too.
    assert not any("d2lmini" in cell.source for cell in cells[1:] if cell.cell_type == "code")


@pytest.mark.beyond
def test_its_tests_need_no_pytorch_but_for_live_functions_and_traces():
    own = ["-qx", "-pno:cacheprovider", "tests/kernelfree"]
    own += [f"--ignore=tests/kernelfree/{room}" for room in ("live", "tracing")]
    run_alone(f"import pytest\nsys.exit(pytest.main({own}))", chapters.ROOT)


def test_it_has_no_word_of_attention():
    # PyTorch's own names of its functions may have such a word.
    for path in HOME.rglob("*.py"):
        text = re.sub(r"scaled_dot_product_\w*attention\w*", "", path.read_text(encoding="utf-8"))
        found = re.findall(r"\b(attention|queries|d2lmini)\b", text, re.IGNORECASE)
        assert not found, (path, found)


def test_what_has_no_name_gets_a_neutral_one():
    made = kf.explore(lambda t: np.eye(2) * t, t=[1, 2])
    [panel] = made._state["panels"]
    assert (panel["xlabel"], panel["ylabel"], panel["role"]) == ("Columns", "Rows", "number")
    assert made._state["scales"]["number"]["label"] == "Number"
    assert "summed" not in panel


def test_what_others_take_of_it_comes_through_its_doors():
    rooms = ("d2lmini", "pages", "tools", "classroom", "benchmarks")
    taken = {
        (getattr(node, "module", None) or one.name, one.name)
        for room in rooms
        for path in (HOME.parent / room).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for one in node.names
    }
    inside = {pair for pair in taken if pair[0].startswith("kernelfree")}
    inside -= {("kernelfree", name) for name in ("kernelfree", "trace", *kf.__all__)}
    assert inside == {("kernelfree.book", name) for name in kf.book.__all__}
