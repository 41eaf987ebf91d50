"""What the tests of all frameworks share: tolerances, cases and comparisons."""

import numpy as np
from hypothesis import strategies as st

TOLERANCE = {"float32": 1e-5, "float64": 1e-10}

# The largest difference seen in this run: {(what, dtype): difference}.
LARGEST = {}

# ---- cases -------------------------------------------------------------------------------------


def numbers(seed, shape, dtype="float64"):
    return np.random.default_rng(seed).standard_normal(shape).astype(dtype)


def lengths(batch, queries, keys):
    """Strategy for lengths: None, (batch,) or (batch, queries), as lists."""
    one = st.integers(0, keys)
    row = st.lists(one, min_size=queries, max_size=queries)
    return st.one_of(
        st.none(),
        st.lists(one, min_size=batch, max_size=batch),
        st.lists(row, min_size=batch, max_size=batch),
    )


@st.composite
def score_cases(draw):
    """(scores, lens): scores with up to two axes between batch and queries."""
    batch, queries, keys = (draw(st.integers(1, n)) for n in (3, 3, 5))
    between = draw(st.sampled_from([(), (2,), (1, 2)]))
    scores = 3 * numbers(draw(st.integers(0, 99)), (batch, *between, queries, keys))
    return scores, draw(lengths(batch, queries, keys))


@st.composite
def attention_cases(draw):
    """([queries, keys, values], parameters, lens): with parameters, additive attention."""
    batch, queries, keys = (draw(st.integers(1, n)) for n in (3, 3, 5))
    size, key_size, value_size, hiddens = (draw(st.integers(1, n)) for n in (3, 3, 3, 4))
    additive = draw(st.booleans())
    seed = draw(st.integers(0, 99))
    key_size = key_size if additive else size
    shapes = [(batch, queries, size), (batch, keys, key_size), (batch, keys, value_size)]
    shapes += [(hiddens, size), (hiddens, key_size), (1, hiddens)] if additive else []
    made = [numbers([seed, i], shape) for i, shape in enumerate(shapes)]
    return made[:3], made[3:], draw(lengths(batch, queries, keys))


def poison(keys, values, lens, junk):
    """Copies of keys and values with junk, both signs, where no query may look."""
    keys, values = keys.copy(), values.copy()
    for b, lens_b in enumerate(lens or []):
        reach = max(lens_b) if isinstance(lens_b, list) else lens_b
        keys[b, reach:, ::2], keys[b, reach:, 1::2] = junk, -junk
        values[b, reach:] = junk
    return keys, values


# ---- comparisons -------------------------------------------------------------------------------


def close(came, expected, dtype, what):
    """Assert that arrays agree to the tolerance of a type, and note how far they are apart."""
    came = np.asarray(came)
    assert came.dtype == dtype
    np.testing.assert_allclose(came, expected, rtol=TOLERANCE[dtype], atol=TOLERANCE[dtype])
    note(came, expected, dtype, what)


def note(came, expected, dtype, what):
    difference = np.abs(came - expected) / np.maximum(1, np.abs(expected))
    LARGEST[what, dtype] = max(LARGEST.get((what, dtype), 0.0), float(difference.max(initial=0)))
