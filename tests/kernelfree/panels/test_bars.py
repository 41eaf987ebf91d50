"""Bars."""

import numpy as np
from shown import panel, table

from kernelfree import Bars, explore


def test_bars_are_stacked_against_a_limit_with_units():
    def bill(texts):
        parts = {"parameters": [16.0], "cache": [4.0 * texts]}
        return Bars(parts, ["bytes"], "output", "", limit=80, unit="GB")

    made = explore(bill, texts=[1, 2, 8])
    look = panel(made)
    assert look["yaxis"] == (0, 80)
    assert [text for _, text in look["y"]][-1] == "80 GB"
    assert look["rowNames"] == ["parameters", "cache"]
    np.testing.assert_allclose(table(made, "cells", 2), [[16], [32]])
    np.testing.assert_array_equal(table(made, "by", 0), [[80, 80]])
    made = explore(lambda a: Bars([1.0, 2.0], limit=[80, 8][a]), a=[0, 1])
    assert panel(made)["yaxis"] == (0, 80)
    np.testing.assert_array_equal(table(made, "by", 1), [[8, 8]])
    made = explore(lambda a: Bars([-40.0, -3.0 * a], role="score", base=-50), a=[1, 2])
    assert panel(made)["yaxis"][0] == -50
    assert panel(made)["base"] == -50
