"""The processor that nobody has: what it moves, by how much, and which cells ask it not to."""

import rounding

import chapters


def test_few_cells_are_computed_as_they_are_and_each_says_why():
    sources = [cell for page in chapters.pages() for cell in chapters.cells(page, "code")]
    marks = [
        line for cell in sources for line in cell.splitlines() if rounding.EXACT.strip() in line
    ]
    assert 0 < len(marks) <= 8
    assert all(len(line.split(rounding.EXACT)[1].split()) >= 4 for line in marks)
