"""The chapters' cells in the page's Python: they run, and print what the book shows."""

import pytest
from in_page import in_page, shown

import chapters
from runhere.known import CANNOT

# What trains or times for more than some seconds: a page says so before it does.
SLOW = {"08": [58, 59]}
# Chapters whose cells are not held to the book yet: they train for long there.
NOT_YET = ("06", "09", "10")
QUICK = ("01",)


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=[] if page.name.startswith(QUICK) else pytest.mark.beyond)
        for page in chapters.numbered()[:10]
        if not page.name.startswith(NOT_YET)
    ],
    ids=lambda page: page.stem,
)
def test_cells_run_and_print_what_the_book_shows(page, tmp_path):
    number = page.name[:2]
    left = [*SLOW.get(number, []), *CANNOT.get(int(number), [])]
    cells = [
        (at, cell) for at, cell in enumerate(chapters.read(page).cells) if cell.cell_type == "code"
    ]
    cells = [(at, cell) for at, cell in cells[1:] if at not in left]  # the first installs
    done = in_page("cells_in_page.py", [[cell.source for _, cell in cells]], tmp_path)
    errors = {at: one["error"] for (at, _), one in zip(cells, done, strict=True) if one["error"]}
    assert errors == {}
    compared = 0
    for (at, cell), one in zip(cells, done, strict=True):
        expected = shown(cell)
        if expected is None or "NBVAL_IGNORE_OUTPUT" in cell.source:
            continue
        assert f"{one['out']}{one['value']}".strip("\n") == expected, f"cell {at}"
        compared += bool(expected)
    assert compared > 10
