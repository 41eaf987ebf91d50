"""Axes and their ticks."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from shown import panel, table

from kernelfree import Curve, Plot, Points, axes, explore


def one(mark, **options):
    return explore(lambda a: Plot({"it": mark}, **options), a=[1, 2])


@given(st.floats(-1e12, 1e12), st.floats(-9, 3), st.booleans(), st.booleans())
@example(101_325.0, -12, False, False)
def test_an_axis_far_from_zero_tells_its_ticks_apart(low, exponent, tight, exact):
    high = low + 10**exponent * max(1.0, abs(low))
    found = axes.axis(low, high, tight, exact)
    span = found["high"] - found["low"]
    assert span > 0
    assert found["low"] - 1e-3 * span <= low <= high <= found["high"] + 1e-3 * span
    size = max(-low, high)
    constant = high - low <= (1e-12 if exact else 1e-6) * size
    assert span < (max(2, 1e-4 * size) if constant else 4 * (high - low))
    places, texts = zip(*found["ticks"], strict=True)
    assert len(set(texts)) == len(texts) >= 2
    assert found["low"] - 1e-3 * span <= places[0] < places[-1] <= found["high"] + 1e-3 * span
    steps = np.diff(places)
    np.testing.assert_allclose(steps, steps[0], rtol=0.01)
    assert f"{steps.mean():.1e}"[:3] in ("1.0", "2.0", "2.5", "5.0")
    for place, text in found["ticks"]:
        assert float(text.replace("\u2212", "-")) == place


def test_a_single_place_has_an_axis_around_it():
    for place in (0.0, 101_325.0, 1e300):
        assert panel(one(Points([place, place])))["y"]
    log = panel(one(Points([[100.0, 100.0]]), log="xy"))
    assert [text for _, text in log["x"]] == ["100", "1,000"]
    assert axes.axis(1, 1 + 1e-7, False)["high"] > 1.4
    day = axes.date_axis(10, 10)
    assert (day["low"], day["high"]) == (9, 11)


@pytest.mark.parametrize(("count", "every"), [(20, 1), (21, 2), (50, 5), (1500, 100), (2500, 2500)])
def test_cells_are_numbered_at_twenty_places_at_most(count, every):
    ticks = axes.counted([], count)
    numbers = sorted({1, *range(every, count + 1, every)})
    assert ticks == [[round((n - 0.5) / count, 4), str(n)] for n in numbers]
    assert [axes.singular(label) for label in ("Entries", "Keys", "")] == ["entry", "key", "place"]
    assert axes.named([], 3) == ["1", "2", "3"]
    assert axes.named(["a", "b", "a"], 3) == ["a (1)", "b", "a (3)"]


def test_a_log_axis_has_powers_of_ten():
    sizes = [10.0, 1000.0, 100000.0]

    def costs(a):
        lines = {"held": [0.02 * a, 3.0, 4e6], "limit": [80, 80, float("nan")]}
        return Curve(sizes, lines, {"here": (1000.0, 3.0)}, log="xy")

    made = explore(costs, a=[1, 2])
    look = panel(made)
    assert [text for _, text in look["x"]] == ["10", "100", "1,000", "10,000", "10\u2075"]
    assert look["xaxis"] == (1, 5)
    assert look["yaxis"] == (-2, 7)
    assert [text for _, text in look["y"]][:3] == ["0.01", "1", "100"]
    assert look["columnNames"] == ["10", "1000", "100000"]
    wide = [text for _, text in axes.log_axis(-4, 10, True)["ticks"]]
    assert wide == [axes.power(n) for n in range(-4, 11, 3)]
    assert wide[:3] == ["10\u207b\u2074", "0.1", "100"]
    for key, want in (("ly", np.log10([[0.04, 3, 4e6], [80, 80, np.nan]])), ("px", [[3]])):
        np.testing.assert_allclose(table(made, key, 1), want, atol=0.005)
    made = one(Points([[1.0, 2.0], [10.0, 3.0]]), log="x", xlim=(0.1, 10))
    assert (panel(made)["xaxis"], panel(made)["yaxis"][1]) == ((-1, 1), 3)
    np.testing.assert_allclose(table(made, "0x", 0), [[0, 1]])
    np.testing.assert_allclose(table(made, "0y", 0), [[2, 3]])
