"""Figures drawn in the page: with the book's own code they are the book's, but for the last digit that is stored."""

import json
from itertools import product

import numpy as np
import pytest
from in_page import in_page

import chapters
from kernelfree.states import Table
from runhere import known

# {chapter: figures} whose numbers are too many for a page, or say who wins where two are equal to the last bit.
LONG = {3: ["figure-arrows", "figure-a-key-that-grows"], 8: ["figure-who-wins-where"]}


def figures(cells):
    """The cell that makes it, and the state, of each figure with stored states."""
    for at, cell in enumerate(cells):
        for output in cell.get("outputs", ()):
            html = output.get("data", {}).get("text/html", "")
            for part in html.split('<script type="application/json">')[1:]:
                state = json.loads(part.partition("</script>")[0])
                if "panels" in state and "live" not in state:
                    yield at, state


def drawn(number, tmp_path, wanted=None):
    """{id: (the book's state, the page's)}."""
    cells = chapters.read(chapters.numbered()[number - 1]).cells
    cells = [cell for cell in cells if cell.cell_type == "code"][1:]  # the first installs
    own = {state["id"]: (at, state) for at, state in figures(cells)}
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
