"""Cells that a reader has edited: the page answers as PyTorch does, or refuses by name."""

import edits
import pytest
from in_page import in_page
from one_liners import silent

import chapters
from runhere.page import cells as runner

EACH = {2: 3, 3: 3, 4: 3, 5: 3}


@pytest.mark.beyond
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("chapter", EACH)
def test_edited_cells_are_answered_as_pytorch_does_or_refused_by_name(chapter, tmp_path):
    written = chapters.read(chapters.numbered()[chapter - 1]).cells
    cells = [cell.source for cell in written if cell.cell_type == "code"][1:]  # the first installs
    given = edits.edits(cells, EACH[chapter], seed=50)
    ours = in_page("edits.py", given, tmp_path)
    compared = 0
    for (_, tried), theirs, mine in zip(given, edits.outcomes(runner, given), ours, strict=True):
        for source, one, other in zip(tried, theirs[1:], mine[1:], strict=True):
            assert not silent(one, other), source
            if one[0] == "ok" != other[0]:
                assert "it runs in the notebook" in other[1], source
            compared += 1
    assert compared > 50
