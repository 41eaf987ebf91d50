"""What a chapter lacks is said in sentences, all of it at once."""

import copy
from contextlib import nullcontext

import nbformat
import pytest

import chapters
from tools import lacking, new, translate

PAGE = next(page for page in chapters.numbered() if page.name.startswith("03_"))
# What is done to a chapter's text, and what is said of it.
CHANGES = [
    ("# 3. Dot-product", "# 4. Dot-product", "its title, `# 3. ...`"),
    ("[Open in Colab]", "[Colab]", "has no [Open in Colab](https://colab"),
    (" minutes to read without folds", " minutes", "has the words '0 minutes to read"),
    ("?**\n", ".**\n", "No line is its question"),
    ("## Recap", "## In short", "no section `## Recap`"),
    ("# @title Figure: arrows", "# Arrows", "a prediction begins with `# @title Figure`"),
    ("## By hand", "## Then\n\n## By hand", "has no table and no result by hand"),
    ("## Derive", "word " * 2000, "words, at most 1900: fold more"),
    ('"question" data-id', '"question" id', "digits and `-`, not ''"),
    ("**2. ", "**3. ", "Question 2 of the quiz does not begin with `**2. `"),
    ('<details class="right">', "<details>", '0 `<details class="right">`, not 1'),
    ("No. ", "Nope. ", "this reply begins with `No.`"),
    ('class="prompt"', "", "Under *Review* are 0 prompts"),
    ("### Exercise 3.1: by hand (easy", "### Exercise 3.1: by hand (odd", "`(medium, 6 minutes)`"),
    ("### Exercise 3.2", "### Exercise 3.9", "Exercise 3.2 does not begin with"),
    ('<details class="hint">', "<details>", "Exercise 3.3 has no hint"),
    ("# @title Solution 3.4", "# @title Solved 3.4", "that does not begin with `# @title Solution"),
    (r"\tag{3.1}", r"\tag{3.7}", "have the numbers 3.7, "),
    ("Check (3.2)", "Check (3.8)", "No cell checks (3.2)"),
    ("assert ", "", "The check of (3.4) asserts nothing"),
    ("## Sources", "## Sources\n\narxiv.org/abs/0000.00000", "does not have arXiv 0000.00000"),
    ("## Traps", "**Verdict** yes", "does not say **Not varied:**"),
]


def test_all_that_a_chapter_lacks_is_said_at_once():
    book = copy.deepcopy(chapters.read(PAGE))
    for old, now, _ in CHANGES:
        for cell in book.cells:
            cell.source = cell.source.replace(old, now)
    first, *_, last = (cell for cell in book.cells if cell.cell_type == "code")
    first.execution_count, last.outputs = 7, [nbformat.v4.new_output("stream", name="stderr")]
    book.cells[0].metadata.notes = {"ask": "$x$", "minutes": 0}
    solved = [cell for cell in book.cells if "solution" in cell.metadata.get("tags", ())]
    solved[5].metadata.tags = []
    book.cells.insert(book.cells.index(solved[4]) + 1, nbformat.v4.new_markdown_cell("Open."))
    said = [*(said for *_, said in CHANGES), "`make run CHAPTER=chapters/03_", "prints a warning"]
    said += ["is plain text: '$x$'", "that its check does not call right, or that was not run"]
    said += ["Exercise 3.6 has no solution", "Exercise 3.5 shows below its box, unfolded: 'Open.'"]
    told = "\n".join(lacking.lacking(PAGE, book))
    assert [one for one in said if one not in told] == []


def test_a_chapter_that_nothing_names_is_told_by_whom():
    page, book = PAGE.with_name("77_none.ipynb"), chapters.read(PAGE)
    told = "\n".join([*lacking.named(page, book), *lacking.exercises(page, book)])
    places = ("_toc.yml", "chapters/index.ipynb", "chapters/teaching.ipynb", "chapter_77.py")
    assert [place for place in places if place not in told] == []


@pytest.mark.parametrize("name", ["", "99_no"])
def test_what_is_no_page_is_told(name):
    with pytest.raises(SystemExit, match=f"CHAPTER is a page of the book, .*, not '{name}'"):
        lacking.main(name)


@pytest.mark.parametrize("command", [lacking.main, translate.renew])
@pytest.mark.parametrize("text", ["", '{"cells": ['])
def test_what_is_no_notebook_is_told_in_a_sentence(tmp_path, monkeypatch, command, text):
    (tmp_path / "chapters").mkdir()
    (tmp_path / "chapters" / "97_idea.ipynb").write_text(text)
    monkeypatch.setattr(lacking, "ROOT", tmp_path)
    monkeypatch.setattr(translate, "CHAPTERS", tmp_path / "chapters")
    with pytest.raises(SystemExit, match=r"97_idea\.ipynb is no notebook: "):
        command("97_idea")


@pytest.mark.parametrize("lacks", [[], ["It has no end."]])
def test_what_lacks_and_what_is_still_the_examples_are_told_together(monkeypatch, capsys, lacks):
    monkeypatch.setattr(lacking, "lacking", lambda page: lacks)
    monkeypatch.setattr(new, "left", lambda page: ["its line there"])
    with pytest.raises(SystemExit) if lacks else nullcontext() as ended:
        lacking.main(PAGE.stem)
    told = str(ended.value) if lacks else capsys.readouterr().out
    assert ("not whole yet:\n- It has no end.\n" if lacks else "is whole.\n") in told
    assert "Still the example's:\n- its line there" in told
