"""kernelfree by itself: no PyTorch, no word of attention, neutral names."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

import kernelfree

HOME = Path(kernelfree.__file__).parent

# What an author without PyTorch does.
ALONE = """
import sys
sys.modules["torch"] = None  # importing it fails
import numpy as np
import kernelfree

x = np.linspace(0, 6, 50)
def waves(frequency=1.0, turned=False):
    return np.sin(frequency * x)[None] * np.cos(x)[:, None] * (-1) ** turned

figure = kernelfree.explore(waves, frequency=[0.5, 1.0, 2.0], turned=False)
figure.value = {"frequency": 2.0}
bundle = figure._repr_mimebundle_()
bundle = bundle[0] if isinstance(bundle, tuple) else bundle
assert bundle["text/html"].count("<script") == 2 and bundle["image/png"]
figure.save("waves.html")
for missing in (lambda: kernelfree.explore(waves, live=True, frequency=(0.0, 1.0)),
                lambda: kernelfree.trace):
    try:
        missing()
    except ImportError as error:
        print(error)
"""


def test_figures_need_no_pytorch(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", ALONE], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    saved, *missing = done.stdout.splitlines()
    assert saved.startswith("waves.html: ")
    assert missing == [
        "live figures need PyTorch, which is missing: pip install torch",
        "traces need PyTorch, which is missing: pip install torch",
    ]


def test_it_imports_nothing_of_the_book():
    for path in HOME.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [node.module] if isinstance(node, ast.ImportFrom) else []
            names += [one.name for one in node.names] if isinstance(node, ast.Import) else []
            assert not any(str(name).startswith("d2lmini") for name in names), path


def test_it_has_no_word_of_attention():
    # PyTorch's own names of its functions may have such a word.
    for path in HOME.rglob("*.py"):
        text = re.sub(r"scaled_dot_product_\w*attention\w*", "", path.read_text(encoding="utf-8"))
        found = re.findall(r"\b(attention|queries|d2lmini)\b", text, re.IGNORECASE)
        assert not found, (path, found)


def test_what_has_no_name_gets_a_neutral_one():
    made = kernelfree.explore(lambda t: np.eye(2) * t, t=[1, 2])
    [panel] = made._state["panels"]
    assert (panel["xlabel"], panel["ylabel"], panel["role"]) == ("Columns", "Rows", "number")
    assert made._state["scales"]["number"]["label"] == "Number"
    assert "summed" not in panel


@pytest.mark.parametrize(("kind", "given"), [("Heatmap", [[1]]), ("Bars", [1]), ("Words", ["a"])])
def test_the_book_gives_its_own_names(kind, given):
    import d2lmini

    ours, neutral = (getattr(home, kind)(given) for home in (d2lmini, kernelfree))
    assert (ours.role, ours.xlabel) == ("weight", "Keys")
    assert neutral.role == "number"
    assert neutral.xlabel != "Keys"


class Series:
    """As one of pandas is to NumPy."""

    shape = (3,)

    def __init__(self, index):
        self.index = index

    def __array__(self, dtype=None, copy=None):
        return np.array([3.0, 1.0, 2.0])


def test_a_row_of_numbers_is_a_line_over_its_index():
    for given, places in (
        ([3.0, 1.0, 2.0], ["1", "2", "3"]),
        (Series([2020, 2021, 2023]), ["2020", "2021", "2023"]),
        (Series(["b", "a", "c"]), ["1", "2", "3"]),
    ):
        made = kernelfree.explore(lambda t, given=given: given, t=[1])
        [panel] = made._state["panels"]
        assert (panel["kind"], panel["columnNames"]) == ("curve", places)


def test_explore_is_a_decorator_too():
    @kernelfree.explore(frequency=[1.0, 2.0], title="Waves")
    def wave(frequency):
        return np.sin(frequency * np.arange(5.0))

    assert wave.value == {"frequency": 1.0}
    assert wave._state["title"] == "Waves"


def test_a_figure_of_matplotlib_is_answered_with_the_way():
    with pytest.raises(TypeError, match=r"got a figure of matplotlib; return the numbers .*Curve"):
        kernelfree.explore(lambda t: Figure(), t=[1])
