"""Exercises' own checks say there what they say beside PyTorch, to the letter."""

import pytest
from in_page import in_page
from verdicts import verdicts

from runhere.known import CHAPTERS

QUICK = (4,)
# A last digit of a wrong answer's numbers.
APART = {10: [("multi_head", "the first")]}


@pytest.mark.parametrize("chapter", [pytest.param(n, marks=[] if n in QUICK else pytest.mark.beyond) for n in CHAPTERS])
def test_verdicts_are_the_same_to_the_letter(chapter, tmp_path):
    (ours,) = in_page("verdicts.py", [chapter], tmp_path)
    for theirs, mine in zip(verdicts(chapter), ours, strict=True):
        if tuple(mine[:2]) not in APART.get(chapter, []):
            assert mine == theirs
    assert len({mine[2] for mine in ours}) == 3
