"""Heatmaps."""

import numpy as np
import pytest

from kernelfree import Heatmap, explore


def test_absent_cells_are_neither_masked_nor_zero():
    none = np.array([[False, True], [True, False]])
    matrix = np.array([[1.0, np.nan], [np.nan, -np.inf]])
    made = explore(lambda t: Heatmap(matrix, absent=none), t=[1])
    assert made._state["panels"][0]["masked"]  # the last cell
    only = explore(lambda t: Heatmap(np.nan_to_num(matrix, neginf=0), absent=none), t=[1])
    assert not only._state["panels"][0]["masked"]
    with pytest.raises(ValueError, match="absent: expected a boolean matrix of shape"):
        explore(lambda t: Heatmap(matrix, absent=none[:1]), t=[1])
