"""What the tests of all frameworks share: tolerances, cases and comparisons."""

import numpy as np
import reference
from hypothesis import strategies as st

TOLERANCE = {"float32": 1e-5, "float64": 1e-10}

# ---- cases -------------------------------------------------------------------------------------


def numbers(seed, shape, dtype="float64"):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


@st.composite
def looks(draw, shape):
    """(lens, mask, seen): what may be given with scores of a shape, and where queries look then.

    Both are None or nested lists; a mask of no number is an array, since lists lose its axes.
    """
    lens = draw(st.one_of(st.none(), lengths(shape)))
    mask, axes = draw(st.one_of(st.just((None, ())), masks(shape)))
    seen = np.ones(shape, bool) if mask is None else reference.spread(mask, axes, shape)
    for place in np.ndindex(shape):
        seen[place] &= place[-1] < length(lens, place, shape)
    left = len(shape) - len(axes)
    if left and len(axes) > 1 and len(mask) != 1 and shape[0] == shape[-len(axes)]:
        # Else nobody knows which is meant.
        mask = mask.reshape(len(mask), *[1] * left, *mask.shape[1:]) if axes[0] == 0 else mask[None]
    return lens, mask.tolist() if mask is not None and mask.size else mask, seen


def lengths(shape):
    """Strategy for lengths, (batch,) or (batch, queries); of scores (queries, keys), (queries,)."""
    batch, queries, keys = shape[0], shape[-2], shape[-1]
    one = st.integers(0, keys)
    each = st.lists(one, min_size=batch, max_size=batch)
    row = st.lists(one, min_size=queries, max_size=queries)
    rows = st.lists(row, min_size=batch, max_size=batch)
    if queries == keys > 1:  # such lengths would be taken for a mask, and are refused
        each = each.filter(lambda lens: len(shape) > 2 or max(lens) > 1)
        rows = rows.filter(lambda lens: max(map(max, lens), default=2) > 1)
    return st.one_of(each, rows) if len(shape) > 2 else each


def length(lens, place, shape):
    """How many keys the query at a place of the scores may look at, in the words of lengths."""
    if lens is None:
        return shape[-1]
    return lens[place[0]] if np.ndim(lens) == 1 else lens[place[0]][place[-2]]


@st.composite
def masks(draw, shape):
    """(mask, axes): a mask, and which axes of the scores it has."""
    queries, keys = len(shape) - 2, len(shape) - 1
    kinds = {(keys,), (queries, keys), tuple(range(len(shape)))}
    kinds |= {(0, keys), (0, queries, keys)} if queries else set()
    axes = draw(st.sampled_from(sorted(kinds)))
    size = [shape[axis] if draw(st.booleans()) else 1 for axis in axes]
    share = draw(st.sampled_from([0.2, 0.5, 0.8]))
    return np.random.default_rng(draw(st.integers(0, 99))).random(size) < share, axes


@st.composite
def score_cases(draw):
    """(scores, lens, mask, seen): with up to two axes between batch and queries, or no batch."""
    queries, keys = draw(st.integers(1, 3)), draw(st.integers(1, 5))
    before = draw(st.sampled_from([(), (1,), (2,), (3,), (3, 2), (2, 1, 2)]))
    scores = 3 * numbers(draw(st.integers(0, 99)), (*before, queries, keys))
    return scores, *draw(looks(scores.shape))


@st.composite
def attention_cases(draw):
    """([queries, keys, values], parameters, lens, mask, seen): with parameters, it is additive."""
    queries, keys = draw(st.integers(1, 3)), draw(st.integers(1, 5))
    before = draw(st.sampled_from([(1,), (2,), (3,), (3, 2), (2, 1, 2)]))
    size, key_size, value_size, hiddens = (draw(st.integers(1, n)) for n in (3, 3, 3, 4))
    additive = draw(st.booleans())
    seed = draw(st.integers(0, 99))
    key_size = key_size if additive else size
    shapes = [(*before, queries, size), (*before, keys, key_size), (*before, keys, value_size)]
    shapes += [(hiddens, size), (hiddens, key_size), (1, hiddens)] if additive else []
    made = [numbers([seed, i], shape) for i, shape in enumerate(shapes)]
    return made[:3], made[3:], *draw(looks((*before, queries, keys)))


def poison(keys, values, seen, junk):
    """Copies of keys and values with junk, both signs, where no query may look."""
    keys, values = keys.copy(), values.copy()
    unseen = ~seen.any(axis=-2)  # (batch, ..., keys)
    keys[unseen, ::2], keys[unseen, 1::2] = junk, -junk
    values[unseen] = junk
    return keys, values


def hidden():
    """For the toy's inputs: lengths, a mask, what both let a query see, and a gradient to start."""
    lens, mask = [6, 0], np.arange(20).reshape(2, 1, 10) % 3 > 0
    seen = mask & (np.arange(10) < np.reshape(lens, (2, 1, 1)))
    return lens, mask, seen, numbers(0, (2, 1, 4), np.float32)


def scores(score, queries, keys):
    queries, keys = (np.asarray(x).astype("float64") for x in (queries, keys))
    pairs = zip(queries, keys, strict=True)
    return np.array([[[score(q, k) for k in rows] for q in asked] for asked, rows in pairs])


# ---- comparisons -------------------------------------------------------------------------------


def close(came, expected, dtype):
    came = np.asarray(came)
    assert came.dtype == dtype
    np.testing.assert_allclose(came, expected, rtol=TOLERANCE[dtype], atol=TOLERANCE[dtype])


def near(came, expected, tolerance=1e-6):
    np.testing.assert_allclose(came, expected, rtol=tolerance, atol=tolerance)
