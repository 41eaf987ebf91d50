"""What the book shows of a definition in another framework runs, and prints what is kept."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "pages" / "frameworks.json"
EXAMPLES = json.loads(KEPT.read_text(encoding="utf-8"))
SHOWN = [
    pytest.param(framework, example, id=f"{name}-{framework}")
    for name, by_framework in EXAMPLES.items()
    for framework, example in by_framework.items()
]
PAGE = json.loads((ROOT / "chapters" / "05_batch_matrix_multiplication.ipynb").read_text("utf-8"))
FOLD = re.compile(r'data-framework="(\w+)".*?^```python\n(.*?)\n```$.*?^```text\n(.*?)\n```$', re.DOTALL | re.MULTILINE)
TEXT = "\n\n".join("".join(c["source"]) for c in PAGE["cells"] if c["cell_type"] == "markdown")
SHOWN += [
    pytest.param(name, {"code": [code], "output": output.splitlines()}, id=f"bmm-{name}")
    for name, code, output in FOLD.findall(TEXT)
]


@pytest.mark.parametrize(("framework", "example"), SHOWN)
def test_an_example_prints_what_is_shown_below_it(framework, example, capsys):
    pytest.importorskip(framework.lower())
    with np.printoptions(precision=8, floatmode="maxprec"):  # chapters that ran here change them
        exec("\n".join(example["code"]), {})
    assert capsys.readouterr().out.splitlines() == example["output"]


def test_chapter_5_shows_its_product_in_each_framework():
    assert [name for name, *_ in FOLD.findall(TEXT)] == ["JAX", "TensorFlow", "MXNet"]


def test_what_chapters_4_to_7_define_has_an_example_in_each_framework():
    defined = re.compile(r"^(?:class|def) (\w+)", re.MULTILINE)
    port = (ROOT / "d2lmini" / "frameworks" / "jax.py").read_text(encoding="utf-8")
    cells = [
        "".join(cell["source"])
        for page in (ROOT / "chapters").glob("0[4-7]_*.ipynb")
        for cell in json.loads(page.read_text(encoding="utf-8"))["cells"]
        if cell["cell_type"] == "code"
    ]
    shared = {name for code in cells for name in defined.findall(code)} & {*defined.findall(port)}
    assert {*EXAMPLES} == shared - {"Attention"}  # which only its subclasses can run
    assert all({*by} == {"JAX", "TensorFlow", "MXNet"} for by in EXAMPLES.values())
