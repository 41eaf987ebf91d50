"""The JAX program that chapter 9 shows prints what the chapter shows below it."""

import re

import pytest

pytest.importorskip("jax")

import chapters

PAGE = chapters.ROOT / "chapters" / "09_self_attention.ipynb"
TEXT = "\n\n".join(chapters.cells(PAGE, "markdown"))


def block(kind):
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
    cells = chapters.read(PAGE).cells
    (cell,) = (cell for cell in cells if cell.source.startswith("random = np.random"))
    shown = cell.outputs[0].text
    assert len(numbers(shown)) == 32
    assert numbers(block("text")) == pytest.approx(numbers(shown), abs=1.01e-4)
