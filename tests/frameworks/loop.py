"""What attention means, and its gradients, as loops in float64: NumPy holds the numbers, no more.

Also what the tests of all frameworks share: their settings, cases and comparisons.
"""

import math
import os

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

# With CI=true every run draws the same examples.
REPEATABLE = os.environ.get("CI", "").lower() in ("1", "true")

TOLERANCE = {"float32": 1e-5, "float64": 1e-10}

# The largest difference seen in this run: {(what, dtype): difference}.
LARGEST = {}


def examples(count):
    """Settings for a property that is tried on this many examples."""
    return settings(max_examples=count, deadline=None, derandomize=REPEATABLE)


def softmax(scores):
    """Softmax of a list of floats; of nothing, nothing."""
    top = max(scores, default=0.0)
    powers = [math.exp(score - top) for score in scores]
    return [power / sum(powers) for power in powers]


def length(lens, b, i, keys):
    """How many keys query i of example b may look at."""
    if lens is None:
        return keys
    return lens[b][i] if isinstance(lens[b], list) else lens[b]


def weights(scores, lens, upstream):
    """Masked softmax of (batch, ..., queries, keys); the gradient of sum(upstream * weights)."""
    scores = scores.astype(np.float64)
    result, grad = np.zeros(scores.shape), np.zeros(scores.shape)
    for index in np.ndindex(scores.shape[:-1]):
        n = length(lens, index[0], index[-1], scores.shape[-1])
        row = softmax(scores[index][:n].tolist())
        result[index][:n] = row
        grad[index][:n] = through_softmax(row, upstream[index][:n])
    return result, grad


def through_softmax(row, upstream):
    """The gradient of sum(upstream * row) with respect to the scores that made the row."""
    mean = math.fsum(a * u for a, u in zip(row, upstream, strict=True))
    return [a * (u - mean) for a, u in zip(row, upstream, strict=True)]


def attend(queries, keys, values, parameters, lens, upstream):
    """Return the output, the weights and the gradients of sum(upstream * output), in float64.

    Without parameters the score is q^T k / sqrt(d), else w_v^T tanh(W_q q + W_k k). Padding is
    never read. Gradients are in the order queries, keys, values, W_q, W_k, w_v.
    """
    leaves = [x.astype(np.float64) for x in (queries, keys, values, *parameters)]
    grads = [np.zeros(x.shape) for x in leaves]
    queries, keys, values, *parameters = leaves
    score, through_score = additive(*parameters) if parameters else dot_product()
    output = np.zeros((*queries.shape[:2], values.shape[2]))
    attention = np.zeros((*queries.shape[:2], keys.shape[1]))
    for b, i in np.ndindex(queries.shape[:2]):
        n = length(lens, b, i, keys.shape[1])
        row = softmax([score(queries[b, i], keys[b, j]) for j in range(n)])
        attention[b, i, :n] = row
        back = [math.fsum(upstream[b, i] * values[b, j]) for j in range(n)]
        for j, back_to_score in enumerate(through_softmax(row, back)):
            output[b, i] += row[j] * values[b, j]
            grads[2][b, j] += row[j] * upstream[b, i]
            to_query, to_key, *to_parameters = through_score(queries[b, i], keys[b, j])
            grads[0][b, i] += back_to_score * to_query
            grads[1][b, j] += back_to_score * to_key
            for grad, to_parameter in zip(grads[3:], to_parameters, strict=True):
                grad += back_to_score * to_parameter
    return output, attention, grads


def dot_product():
    """The score q^T k / sqrt(d), and its gradients."""

    def score(q, k):
        return math.fsum(q * k) / math.sqrt(len(q))

    def through_score(q, k):
        return k / math.sqrt(len(q)), q / math.sqrt(len(q))

    return score, through_score


def additive(W_q, W_k, w_v):
    """The score w_v^T tanh(W_q q + W_k k), and its gradients."""

    def hidden(q, k):
        return np.array(
            [math.tanh(math.fsum(a * q) + math.fsum(b * k)) for a, b in zip(W_q, W_k, strict=True)]
        )

    def score(q, k):
        return math.fsum(w_v[0] * hidden(q, k))

    def through_score(q, k):
        h = hidden(q, k)
        back = w_v[0] * (1 - h**2)
        return back @ W_q, back @ W_k, np.outer(back, q), np.outer(back, k), h[None]

    return score, through_score


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
