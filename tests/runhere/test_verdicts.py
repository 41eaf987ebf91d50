"""Exercises' own checks say there what they say beside PyTorch, to the letter."""

import pytest
from in_page import in_page
from verdicts import verdicts

from runhere.known import CHAPTERS

QUICK = (4,)


@pytest.mark.parametrize("chapter", [pytest.param(n, marks=[] if n in QUICK else pytest.mark.beyond) for n in CHAPTERS])
def test_verdicts_are_the_same_to_the_letter(chapter, tmp_path):
    (ours,) = in_page("verdicts.py", [chapter], tmp_path)
    assert verdicts(chapter) == ours
    assert len({mine[2] for mine in ours}) == 3
