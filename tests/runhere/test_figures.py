"""Figures drawn in the page: with the book's own code they are the book's, but for the last digit that is stored."""

import json
from itertools import product

import numpy as np
import pytest
import torch
from in_page import in_page

import chapters
from kernelfree.states import Table
from kernelfree.tracing.constants import held_tensor
from kernelfree.tracing.labels import every_line
from kernelfree.tracing.steps import evaluate
from runhere import known

# {chapter: figures} whose numbers are too many for a page, or say who wins where two are equal to the last bit.
LONG = {3: ["figure-arrows", "figure-a-key-that-grows"], 8: ["figure-who-wins-where"]}


def figures(cells, key="panels"):
    """The cell that makes it, and the state, of each figure with stored states, or of each with lines."""
    for at, cell in enumerate(cells):
        for output in cell.get("outputs", ()):
            html = output.get("data", {}).get("text/html", "")
            for part in html.split('<script type="application/json">')[1:]:
                state = json.loads(part.partition("</script>")[0])
                if key in state and "live" not in state:
                    yield at, state


def drawn(number, tmp_path, wanted=None, key="panels"):
    """{id: (the book's state, the page's)}."""
    cells = chapters.read(chapters.numbered()[number - 1]).cells
    cells = [cell for cell in cells if cell.cell_type == "code"][1:]  # the first installs
    own = {state["id"]: (at, state) for at, state in figures(cells, key)}
    own = {one: own[one] for one in wanted or own if one not in LONG.get(number, ())}
    asked = [[cell.source for cell in cells], [(at, one) for one, (at, _) in own.items()]]
    found = in_page("figures_in_page.py", asked, tmp_path)
    return {one: (state, found[one]) for one, (_, state) in own.items()}


def test_a_figure_of_the_books_own_code_is_the_books(tmp_path):
    [(book, page)] = drawn(6, tmp_path, ["figure-temperature"]).values()
    assert page == book


def compare(page, book):
    """All but the numbers to the letter; those in every state, but for the last digit that is stored."""
    plain = [{**one, "tables": [{**table, "data": ""} for table in one["tables"]]} for one in (page, book)]
    assert plain[0] == plain[1]
    sizes = [len(control["options"]) for control in book["controls"]]
    readers = [Table(one, sizes).reader() for one in (page, book)]
    for number, places in product(range(len(book["tables"])), product(*map(range, sizes))):
        found, expected = (reader(number, places) for reader in readers)
        last = 10.0 ** -book["tables"][number]["decimals"]
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1.01 * last, err_msg=book["title"])


@pytest.mark.beyond
@pytest.mark.parametrize("number", [one for one in known.CHAPTERS if one <= 10])
def test_all_figures_of_a_chapter(number, tmp_path):
    for book, page in drawn(number, tmp_path).values():
        compare(page, book)


@pytest.mark.beyond
@pytest.mark.parametrize("number", [5, 6, 7])
def test_lines_that_are_watched_are_those_that_pytorch_writes_down(number, tmp_path):
    [(book, page)] = drawn(number, tmp_path, key="source").values()
    for name in ("title", "start", "colors"):
        assert page[name] == book[name]
    assert page["graph"]["inputs"] == book["graph"]["inputs"]
    values = evaluate(book["graph"], [torch.tensor(one, dtype=torch.float32) for one in book["start"].values()])
    both = [every_line(state["source"]) for state in (book, page)]
    made = [[one.pop("value") for line in lines for one in line.get("makes", ())] for lines in both]
    assert page["source"] == book["source"]
    for theirs, own in zip(*made, strict=True):
        torch.testing.assert_close(held_tensor(page["graph"]["constants"][own]), values[theirs])
