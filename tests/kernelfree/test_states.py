"""States: what is stored of a function, how small, and what is too much."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings
from shown import panel

import kernelfree as kf
from kernelfree import Heatmap, explore, states


@settings(deadline=None)
@given(seed=st.integers(0, 2**31), shape=st.tuples(st.integers(1, 4), st.integers(1, 4)))
def test_integers_come_back_from_their_shortest_text(seed, shape):
    rng = np.random.default_rng(seed)
    first, second = np.arange(shape[0])[:, None, None], np.arange(shape[1])[:, None]
    slopes = rng.integers(-40, 40, 3)
    smooth = slopes[0] * first + slopes[1] * second + slopes[2] * np.arange(5)
    for numbers in (smooth, rng.integers(-999, 999, smooth.shape), smooth * (second > 1)):
        used, found = states.unsqueeze(states.squeeze(numbers), shape, 5)
        np.testing.assert_array_equal(np.broadcast_to(found, numbers.shape), numbers)
        assert used == sum(2**axis for axis in (0, 1) if np.diff(numbers, axis=axis).any())


def test_minus_infinity_and_a_mask_are_masked():
    def scores(length):
        matrix = np.array([[1.0, 2.0, 3.0]])
        hide = np.arange(3)[None] >= length
        infinite = Heatmap(np.where(hide, -np.inf, matrix), "score")
        return {"infinite": infinite, "marked": Heatmap(matrix, "score", masked=hide)}

    made = explore(scores, length=[1, 2])
    for at in (0, 1):
        assert panel(made, at)["masked"]
        (number,) = made._state["panels"][at]["tables"].values()
        rows = made._numbers.reader()(number, [0])
        np.testing.assert_array_equal(rows, [[1, np.nan, np.nan]])
    assert len(made._state["tables"]) == 1  # equal tables are stored once


@pytest.mark.parametrize("large", [1.0, 2.0**53, 1e15, -1e300])
def test_rounding_beside_large_numbers_is_not_drawn(large):
    matrix = np.array([[large, np.nextafter(large, 0), large] * 50])
    figure = explore(lambda a: matrix * a, a=[1])
    (table,) = figure._state["tables"]
    assert table["decimals"] <= 3
    assert len(table["data"]) < 1500
    balanced = explore(lambda a: [[large, -large + large * 1e-8]], a=[1])
    assert repr(balanced).count("mean 0\n") == 1


def test_too_much_to_store_says_what_to_thin():
    with pytest.raises(ValueError, match="at most 20,000,000 are possible; thin 'a'"):
        explore(lambda a: np.ones((200, 200)), a=range(1000))
    noise = np.random.default_rng(1).random((96, 64, 64))
    with pytest.raises(ValueError, match=r"characters to its page.*thin 'a'"):
        explore(lambda a: noise[a], a=range(96))


@pytest.mark.parametrize(("side", "states"), [(2000, 5), (100, 2000)])
def test_too_many_numbers_are_said_before_all_are_computed(side, states):
    noise, calls = np.random.default_rng(0), []

    def matrix(t):
        calls.append(t)
        return noise.random((side, side))

    with pytest.raises(ValueError, match="combinations alone take more than the 1,000,000 char"):
        kf.explore(matrix, t=range(states))
    assert len(calls) * side**2 <= 4_000_000


def test_too_many_pictures_are_said_before_all_are_drawn():
    noise, calls = np.random.default_rng(0), []

    def picture(t):
        calls.append(t)
        return kf.Image(noise.random((300, 300)))

    with pytest.raises(ValueError, match=r"of 2,000 combinations already add .* thin 't'.*smaller"):
        kf.explore(picture, t=range(2000))
    assert len(calls) < 20
