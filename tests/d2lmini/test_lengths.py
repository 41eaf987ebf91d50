"""What lengths and masks may be like, in every framework: shapes against NumPy's broadcasting."""

import re

import cases
import numpy as np
import pytest
from errors import refused
from exhaustive import examples
from hypothesis import given
from hypothesis import strategies as st
from reference import spread

from d2lmini.lengths import broadcastable, broadcastable_mask, check_mask

SHAPES = [(3, 4), (2, 3, 4), (2, 5, 3, 4), (2, 1, 3, 4), (2, 5, 6, 3, 4), (1, 1, 4)]


@examples(200)
@given(st.data(), st.sampled_from(SHAPES), st.sampled_from(["bool", "int64", "uint8", "list"]))
def test_a_mask_of_any_shape_is_spread_as_its_axes_say(data, shape, form):
    mask, axes = data.draw(cases.masks(shape))
    given_mask = mask.astype(int).tolist() if form == "list" else mask.astype(form)
    full = np.broadcast_to(broadcastable_mask(given_mask, shape), shape)
    assert full.dtype == bool
    np.testing.assert_array_equal(full, spread(mask, axes, shape))


HEADS = "(heads, queries, keys)"
TWO_WAYS = [(3, 3, 4), (3, 3, 3), (3, 2, 3, 4), (3, 3, 3, 4), (4, 4, 3, 5), (3, 2, 3, 3, 4)]


@pytest.mark.parametrize("rank", [2, 3])
@pytest.mark.parametrize("shape", TWO_WAYS)
def test_a_mask_that_may_be_read_in_two_ways_is_refused_and_what_it_says_works(shape, rank):
    mask = np.arange(np.prod(shape[-rank:])).reshape(shape[-rank:]) % 3 == 0
    axes = (0, *range(1 - rank, 0)), tuple(range(-rank, 0))
    if rank == len(shape) or shape[0] != shape[-rank]:
        return  # there is one way
    with pytest.raises(ValueError, match="may be") as error:
        broadcastable_mask(mask, shape)
    told = r"may be (.*) or (.*) for .*: say (.*) if it is \1, (.*) if it is \2$"
    *names, one, other = re.search(told, str(error.value)).groups()
    assert names == (["(batch, keys)", "(queries, keys)"] if rank == 2 else ["(batch, queries, keys)", HEADS])
    for said, meant in zip((one, other), axes, strict=True):
        full = np.broadcast_to(broadcastable_mask(eval(said), shape), shape)
        np.testing.assert_array_equal(full, spread(mask, meant, shape))


@pytest.mark.parametrize("shape", [(2, 5, 3, 4), (2, 6, 5, 3, 4)])
def test_a_mask_that_can_only_be_of_heads_is_told_what_to_say(shape):
    mask = np.arange(60).reshape(5, 3, 4) % 3 == 0
    with pytest.raises(ValueError, match=re.escape(HEADS)) as error:
        broadcastable_mask(mask, shape)
    [said] = re.findall(r"; say (.*) if it is", str(error.value))
    full = np.broadcast_to(broadcastable_mask(eval(said), shape), shape)
    np.testing.assert_array_equal(full, np.broadcast_to(mask, shape))
    with pytest.raises(ValueError, match=r"got \(7, 3, 4\)$"):
        broadcastable_mask(np.ones((7, 3, 4), bool), shape)


@pytest.mark.parametrize(
    ("mask_shape", "shape", "axes"),
    [
        ((None, 4), (None, 3, 4), (0, 2)),  # an unknown batch is the batch
        ((3, 4), (None, 3, 4), (1, 2)),
        ((None, None), (None, 3, None), (0, 2)),
        ((None, 3, 4), (None, 5, 3, 4), (0, 2, 3)),
        ((None, 3, 4), (2, 5, 3, 4), (0, 2, 3)),
        ((None, 3, 4), (None, 5, None, 4), (0, 2, 3)),
        ((1, None), (None, None, None), (0, 2)),  # holds for all, whichever is meant
        ((1, 5, 3, 4), (2, 5, 3, 4), (0, 1, 2, 3)),
    ],
)
def test_sizes_that_are_not_known_yet(mask_shape, shape, axes):
    index = check_mask("bool", mask_shape, shape)
    assert [i for i, part in enumerate(index) if part is not None] == list(axes)
    assert len(index) == len(shape)


@pytest.mark.parametrize(
    ("lens", "shape", "expected"),
    [
        ([2, 3], (2, 3, 4), (2, 1, 1)),
        ([2.0, 3.0], (2, 5, 3, 4), (2, 1, 1, 1)),
        ([[1, 2, 3], [0, 4, 4]], (2, 5, 3, 4), (2, 1, 3, 1)),
        ([1, 2, 3], (3, 4), (3, 1)),
        ([1, 0, 1], (3, 3, 3), (3, 1, 1)),  # lengths of examples are no mask
        ([[1], [0]], (2, 1, 1), (2, 1, 1)),  # nor is one key
        ([[1, 0], [0, 1]], (2, 2, 3), (2, 2, 1)),  # nor are other numbers of queries and keys
    ],
)
def test_lengths_get_the_axes_of_the_scores(lens, shape, expected):
    found = broadcastable(lens, shape)
    assert found.shape == expected
    assert found.dtype == np.int64
    np.testing.assert_array_equal(found.ravel(), np.ravel(lens))


def of_shapes(mask_shape, shape):
    return check_mask("bool", mask_shape, shape)


S = (2, 3, 3)
REFUSED = [
    (of_shapes, (5, 3, 4), (2, 5, 3, 4), "ValueError|got (5, 3, 4); say mask[None] if it is (heads,"),
    (of_shapes, (None, None), (None,) * 3, "ValueError|say mask[:, None]"),
    (broadcastable, [[0.0, 0, 0], [1, 0, 0]], S, "ValueError|0 and 1|mask="),
    (broadcastable, [[1, 0], [1, 1]], (2, 2, 2), "ValueError|0 and 1|mask="),
    (broadcastable, [[0, 1, 1]] * 2, (2, 1, 3, 3), "ValueError|0 and 1|mask="),
    (broadcastable, [2.5, 1.0], S, "ValueError|valid_lens must be whole numbers, got 2.5"),
    (broadcastable, [[1], [2, 3]], S, "TypeError|valid_lens must be None or an array|[[1], [2, 3]]"),
    (broadcastable, ["2", "3"], S, "TypeError|valid_lens must be None or an array|['2', '3']"),
    (broadcastable_mask, [[1], [0, 1]], S, "TypeError|mask must be None or an array|[[1], [0, 1]]"),
    (broadcastable_mask, [None], S, "TypeError|mask must be None or an array|[None]"),
    (broadcastable, [[1, 2], [3, 1]], S, "ValueError|got (2, 2); a mask goes to mask="),
    (broadcastable, [[1, 2, 0], [3, 1, np.True_]], S, "TypeError|booleans"),
    (broadcastable_mask, [[2]], (1, 1, 1), "ValueError|0 and 1"),
    (broadcastable, [1, 2, 3], (3,), "ValueError|scores must have the shape|(3,)"),
    (broadcastable_mask, [True] * 3, (3,), "ValueError|scores must have the shape|(3,)"),
]


@pytest.mark.parametrize(("check", "given", "shape", "told"), REFUSED)
def test_what_is_refused_and_in_which_words(check, given, shape, told):
    refused(lambda: check(given, shape), told)


class Traced(np.ndarray):
    """An array of a framework's own."""


def test_while_a_framework_traces_the_array_stays_its_own():
    lens, mask = np.array([2.0, 9.5]), np.array([[7, 0, 0], [0, 0, 1]])
    calls = (broadcastable, lens, (2, 1, 1)), (broadcastable_mask, mask, (2, 1, 3))
    for check, array, shape in calls:
        found = check(array.view(Traced), S, known=False)
        assert (type(found), found.dtype, found.shape) == (Traced, array.dtype, shape)
    # Masks of no number.
    assert broadcastable_mask(np.zeros((0, 4), int), (0, 3, 4)).shape == (0, 1, 4)
    assert broadcastable_mask([], (2, 3, 0)).shape == (1, 1, 0)
