"""What the book shows of a definition in another framework runs, and prints what is kept."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "assets" / "extension" / "frameworks.json"
EXAMPLES = json.loads(KEPT.read_text(encoding="utf-8"))
SHOWN = [
    pytest.param(framework, example, id=f"{name}-{framework}")
    for name, by_framework in EXAMPLES.items()
    for framework, example in by_framework.items()
]


@pytest.mark.parametrize(("framework", "example"), SHOWN)
def test_an_example_prints_what_is_shown_below_it(framework, example, capsys):
    pytest.importorskip(framework.lower())
    exec("\n".join(example["code"]), {})
    assert capsys.readouterr().out.splitlines() == example["output"]


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
