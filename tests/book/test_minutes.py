"""How long a chapter takes: the rule, on a small chapter counted by hand, and where it stands."""

import nbformat
import pytest

from tools import metadata, minutes

TRUE = "5 minutes to read without folds, 20 for the exercises"
FIRST = """# 1. A title

[Open in Colab](https://e.org/chapters/01_one.ipynb) · 1 minutes to read without folds, 2 for the
exercises · see [Two](02_two.ipynb)"""
QUIZ = """## Test

**Which?** $a = b$

<details><summary>the first one</summary>

No. Hidden $x$ words.

</details>

$$ x = 1 $$

| a | b |
|---|---|
| c | `d e` |"""
TASKS = "## Tasks\n\nNot counted."


def chapter():
    text, code = nbformat.v4.new_markdown_cell, nbformat.v4.new_code_cell
    fold = text("### Folded away", metadata={metadata.FOLDED: True})
    figure = code("# @title Figure: one\nexplore()")
    figure.outputs = [nbformat.v4.new_output("display_data", {"text/html": "kernelfree-figure"})]
    return nbformat.v4.new_notebook(
        cells=[
            text(FIRST),
            code("import torch\n\ntorch.ones(2)  # three lines, one of them empty"),
            figure,
            fold,
            text("Nobody counts this,\n\n$$ x = 1 $$\n\nor this."),
            code("nor = this"),
            text("#### Deeper\n\nnor this"),
            text(QUIZ, metadata={"tags": [metadata.QUIZ]}),
            text(TASKS, metadata={"tags": [metadata.EXERCISES]}),
            text("### One", metadata={metadata.EXERCISE: {"id": "one", "minutes": 3}}),
            code("nor = this"),
            text("### Two", metadata={metadata.EXERCISE: {"id": "two", "minutes": 14}}),
        ]
    )


def test_what_is_seen_before_a_heading_is_counted():
    # The title has 3 words, the line below it 17, the line of the fold 2.
    count = minutes.counted(minutes.before(chapter(), metadata.QUIZ))
    none = {"formulas": 0, "symbols": 0}
    assert count == {"words": 22, **none, "lines": 2, "figures": 1}
    # The quiz: its heading, "Which?" and a formula, the line of an answer, a formula by itself, the
    # cells of a table.
    count = minutes.counted(minutes.before(chapter(), metadata.EXERCISES))
    formulas = {"formulas": 1, "symbols": 1}
    assert count == {"words": 22 + 1 + 2 + 3 + 1 + 5, **formulas, "lines": 2, "figures": 1}


def test_a_promise_is_the_rule_and_not_too_short():
    # 34 words, 2 formulas, 2 lines, 1 figure: 11 + 70 + 20 + 150 seconds, and 17 minutes are named.
    assert minutes.promise(chapter()) == TRUE
    assert [minutes.rounded(m) for m in (0.1, 5, 5.01, 14.9)] == [5, 5, 10, 15]


@pytest.mark.parametrize(
    ("source", "kept"),
    [
        ("### Why `.T`, then?", "why-t-then"),
        ("## Quiz", None),  # a part of every chapter
        ("### Why?\n\nText beside it stays seen where JupyterLab folds.", None),
        ("Text", None),
    ],
)
def test_a_heading_alone_can_be_folded(source, kept):
    cell = nbformat.v4.new_markdown_cell(source, metadata={metadata.FOLDED: True})
    wanted = {metadata.FOLDED: True, "id": kept} if kept else {}
    assert metadata.of_a_cell(cell) == wanted
    cell.metadata[metadata.FOLDED] = False
    assert metadata.of_a_cell(cell) == {}
