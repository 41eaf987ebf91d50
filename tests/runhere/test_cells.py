"""The chapters' cells in the page's Python: they run, and print what the book shows."""

import pytest
from in_page import in_page, shown

import chapters
from runhere import known

# What trains or times for more than some seconds, and what follows: a page says so before it does.
SLOW = {
    "06": ["{learn(", "rate, other)", "step_size(rate)", "and {0.2 * math.sqrt(d)"],
    "08": ["perf_counter() + ", "learners = {", "name, task in results"],
    "09": ["guesses_with(look)"],
    "10": ["learn(", "output[0, 4, :6]"],
}
QUICK = ("01",)


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=[] if page.name.startswith(QUICK) else pytest.mark.beyond)
        for page in chapters.numbered()
        if int(page.name[:2]) in known.CHAPTERS
    ],
    ids=lambda page: page.stem,
)
def test_cells_run_and_print_what_the_book_shows(page, tmp_path):
    number = page.name[:2]
    left, cannot = SLOW.get(number, []), known.CANNOT.get(int(number), [])
    numbered = enumerate(chapters.read(page).cells)
    cells = [(at, cell) for at, cell in numbered if cell.cell_type == "code"][1:]  # that installs
    cells = [(at, cell) for at, cell in cells if at not in cannot and not any(word in cell.source for word in left)]
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
