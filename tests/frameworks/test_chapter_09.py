"""The JAX program that chapter 9 shows prints what the chapter shows below it."""

import json
import re
from pathlib import Path

import pytest

pytest.importorskip("jax")

PAGE = Path(__file__).resolve().parents[2] / "chapters" / "09_self_attention.ipynb"
CELLS = json.loads(PAGE.read_text(encoding="utf-8"))["cells"]
TEXT = "\n\n".join("".join(cell["source"]) for cell in CELLS if cell["cell_type"] == "markdown")


def block(kind):
    """The only block of this kind in the chapter's text."""
    (found,) = re.findall(rf"^```{kind}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    return found


def numbers(text):
    return [float(number) for number in re.findall(r"-?\d+\.\d+", text)]


def test_the_program_prints_what_stands_below_it(capsys):
    exec(compile(block("python"), str(PAGE), "exec"), {})
    printed = capsys.readouterr().out
    # Signs and digits of the last place may differ between processors.
    assert re.sub(r"-?\d\.\d+", "x", printed) == re.sub(r"-?\d\.\d+", "x", block("text"))
    assert numbers(printed) == pytest.approx(numbers(block("text")), abs=1.01e-4)


def test_it_prints_the_numbers_that_pytorch_prints_in_the_chapter():
    (shown,) = (
        "".join(output["text"])
        for cell in CELLS
        if "".join(cell["source"]).startswith("random = np.random")
        for output in cell["outputs"]
    )
    assert len(numbers(shown)) == 56
    assert numbers(block("text")) == pytest.approx(numbers(shown), abs=1.01e-4)
