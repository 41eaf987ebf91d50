"""Every framework keeps the same promises; values are compared with loops in float64."""

import importlib
import itertools
import subprocess
import sys

import adapters
import cases
import numpy as np
import pytest
import reference
from exhaustive import examples
from hypothesis import given
from hypothesis import strategies as st

from d2lmini import toy

DTYPES = pytest.mark.parametrize("dtype", cases.TOLERANCE)
HERE = adapters.installed()
FRAMEWORKS = pytest.mark.parametrize("name", HERE)
JUNK = st.sampled_from([np.nan, np.inf, -np.inf, 1e30])
S = np.zeros((2, 3, 4), np.float32)
Q, K, V = (cases.numbers(i, (2, n, 4), np.float32) for i, n in enumerate((3, 5, 5)))


@FRAMEWORKS
@DTYPES
@examples(20, 200)
@given(case=cases.score_cases(), junk=JUNK, form=st.sampled_from(["list", "array", "own"]))
def test_weights_and_their_gradients_are_those_of_the_loop(name, dtype, case, junk, form):
    """Whatever stands in hidden scores, and in whatever form lengths come."""
    framework, (scores, lens) = adapters.load(name), case
    scores = scores.astype(dtype)
    upstream = cases.numbers(1, scores.shape, dtype)
    expected, expected_grad = reference.weights(scores, lens, upstream)
    hidden = np.zeros(scores.shape, dtype=bool)
    for index in np.ndindex(scores.shape[:-1]):
        hidden[index][reference.length(lens, index[0], index[-1], scores.shape[-1]) :] = True
    scores[hidden] = junk
    before = scores.copy()
    if lens is not None and form != "list":
        lens = np.array(lens, dtype=np.int32)
        lens = framework.array(lens) if form == "own" else lens
    weights, grad = framework.softmax(scores, lens, upstream)
    cases.close(weights, expected, dtype, f"{name} from the loop")
    cases.close(grad, expected_grad, dtype, f"{name} from the loop")
    assert (weights[hidden] == 0).all()
    np.testing.assert_array_equal(scores, before)


@FRAMEWORKS
@DTYPES
@examples(20, 200)
@given(case=cases.attention_cases(), junk=JUNK)
def test_attention_and_its_gradients_are_those_of_the_loop(name, dtype, case, junk):
    """Whatever stands where no query may look: the loop never reads it."""
    framework, (tensors, parameters, lens) = adapters.load(name), case
    tensors, parameters = ([x.astype(dtype) for x in part] for part in (tensors, parameters))
    upstream = cases.numbers(9, (*tensors[0].shape[:2], tensors[2].shape[2]), dtype)
    expected, expected_weights, expected_grads = reference.attend_and_back(
        *tensors, parameters, lens, upstream
    )
    tensors[1:] = cases.poison(*tensors[1:], lens, junk)
    before = [x.copy() for x in tensors]
    output, weights, grads = framework.attend(*tensors, parameters, lens, upstream)
    cases.close(output, expected, dtype, f"{name} from the loop")
    cases.close(weights, expected_weights, dtype, f"{name} from the loop")
    for grad, expected_grad in zip(grads, expected_grads, strict=True):
        cases.close(grad, expected_grad, dtype, f"{name} from the loop")
    assert (weights[expected_weights == 0] == 0).all()
    for x, copy in zip(tensors, before, strict=True):
        np.testing.assert_array_equal(x, copy)


@pytest.mark.skipif(len(HERE) < 2, reason="one framework is in this environment")
@pytest.mark.parametrize("lens", [None, [0, 7, 16], "per query"], ids=str)
@pytest.mark.parametrize("additive", [False, True], ids=["dot", "additive"])
@DTYPES
def test_any_two_frameworks_agree(dtype, additive, lens):
    if lens == "per query":
        lens = np.arange(24).reshape(3, 8) % 17
    key_size = 12 if additive else 20
    shapes = [(3, 8, 20), (3, 16, key_size), (3, 16, 4)]
    queries, keys, values = (cases.numbers(i, s, dtype) for i, s in enumerate(shapes))
    shapes = [(32, 20), (32, key_size), (1, 32)] if additive else []
    parameters = [cases.numbers(9 + i, s, dtype) / 4 for i, s in enumerate(shapes)]
    upstream = cases.numbers(8, (3, 8, 4), dtype)
    results = {}
    for name in HERE:
        output, weights, grads = adapters.load(name).attend(
            queries, keys, values, parameters, lens, upstream
        )
        results[name] = [output, weights, *grads]
    for (one, results_1), (other, results_2) in itertools.combinations(results.items(), 2):
        for x, y in zip(results_1, results_2, strict=True):
            cases.close(x, y, dtype, f"{one} from {other}")


@pytest.mark.parametrize("kind", ["dot_product", "additive"])
@FRAMEWORKS
def test_the_numbers_that_mxnet_computed_are_those_of_every_other(name, kind):
    framework, kept = adapters.load(name), toy.mxnet_outputs()[kind]
    inputs = toy.inputs(2 if kind == "dot_product" else 20)
    parameters = [] if kind == "dot_product" else list(toy.parameters().values())
    upstream = np.ones((2, 1, 4), np.float32)
    output, *_ = framework.attend(*inputs, parameters, [2, 6], upstream)
    cases.close(output, kept["output"], "float32", f"{name} from MXNet's kept numbers")
    for n in (1, 2, 6, 10):
        _, weights, _ = framework.attend(*inputs, parameters, [n, n], upstream)
        kept_weights = kept["weights"][n - 1]
        cases.close(weights[:, 0], kept_weights, "float32", f"{name} from MXNet's kept numbers")


@pytest.mark.parametrize("additive", [False, True], ids=["dot", "additive"])
def test_the_gradients_of_the_loop_are_those_of_finite_differences(additive):
    shapes = [(2, 2, 2), (2, 4, 2), (2, 4, 3)] + ([(5, 2), (5, 2), (1, 5)] if additive else [])
    leaves = [cases.numbers(i, shape) for i, shape in enumerate(shapes)]
    upstream, lens, step = cases.numbers(9, (2, 2, 3)), [[4, 0], [1, 3]], 1e-6

    def pool():
        return reference.attend_and_back(*leaves[:3], leaves[3:], lens, upstream)

    for x, grad in zip(leaves, pool()[2], strict=True):
        for index in np.ndindex(x.shape):
            losses, kept = [], x[index]
            for moved in (kept + step, kept - step):
                x[index] = moved
                losses.append((pool()[0] * upstream).sum())
            x[index] = kept
            assert grad[index] == pytest.approx((losses[0] - losses[1]) / (2 * step), abs=1e-7)


@FRAMEWORKS
@pytest.mark.parametrize("junk", [0.0, np.nan, np.inf])
@pytest.mark.parametrize(
    ("dtype", "score"),
    [
        ("float16", -6e4),
        ("float16", 6e4),
        ("float32", -1e6),
        ("float32", -1e7),
        ("float32", -3e38),
        ("float32", 3e38),
        ("float64", -1e300),
    ],
)
def test_no_score_is_too_low_or_too_high(name, dtype, score, junk):
    scores = np.full((2, 1, 4), score, dtype)
    scores[0, 0, 2:] = junk
    weights, grad = adapters.load(name).softmax(scores, [2, 0], np.ones_like(scores))
    assert weights.dtype == dtype
    np.testing.assert_array_equal(weights[:, 0], [[0.5, 0.5, 0, 0], [0, 0, 0, 0]])
    np.testing.assert_array_equal(grad, np.zeros_like(scores))


@FRAMEWORKS
def test_dropout_drops_and_scales_in_training_alone(name):
    framework = adapters.load(name)
    queries, keys = np.zeros((1, 2000, 2), np.float32), np.zeros((1, 4, 2), np.float32)
    values = np.eye(4, dtype=np.float32)[None]  # so the output is the weights themselves
    output, weights = framework.train(0.2, queries, keys, values)
    np.testing.assert_allclose(weights, 0.25, rtol=1e-6, err_msg="kept before dropout")
    assert (output == 0).mean() == pytest.approx(0.2, abs=0.03)
    np.testing.assert_allclose(output[output != 0], 0.25 / 0.8, rtol=1e-6)
    output = framework.evaluate(0.2, queries, keys, values)
    np.testing.assert_allclose(output, 0.25, rtol=1e-6)


# What is wrong with lengths for S: (lengths, error, what its message says).
WRONG = {
    "one number": (3, ValueError, "valid_lens|(2,)|(2, 3)|()"),
    "too few": ([3], ValueError, "valid_lens|(2,)|(2, 3)|(1,)"),
    "too many": ([1, 2, 3], ValueError, "valid_lens|(2,)|(2, 3)|(3,)"),
    "none": ([], ValueError, "valid_lens|(2,)|(2, 3)|(0,)"),
    "swapped": ([[1, 2], [1, 2], [1, 2]], ValueError, "valid_lens|(2, 3)|(3, 2)"),
    "per key": (np.ones((2, 3, 4), int), ValueError, "valid_lens|(2, 3)|(2, 3, 4)"),
    "float": ([2.0, 3.0], TypeError, "valid_lens|integers|float"),
    "2.5": ([2.5, 3], TypeError, "valid_lens|integers|float"),
    "NaN": ([np.nan, 2], TypeError, "valid_lens|integers|float"),
    "complex": ([1j, 2], TypeError, "valid_lens|integers|complex"),
    "boolean": ([True, False], TypeError, "valid_lens|integers|bool|mask"),
    "a mask": (np.ones((2, 3)) > 0, TypeError, "valid_lens|integers|bool|mask"),
    "negative": ([-1, 2], ValueError, "valid_lens|0|4|-1"),
    "beyond": ([2, 5], ValueError, "valid_lens|0|4|5"),
    "beyond, per query": ([[1, 2, 3], [4, 5, 4]], ValueError, "valid_lens|0|4|5"),
    "ragged": ([[1, 2, 3], [4]], TypeError, "valid_lens|integers|[[1, 2, 3], [4]]"),
    "strings": (["2", "3"], TypeError, "valid_lens|integers|['2', '3']"),
    "None inside": ([None, 2], TypeError, "valid_lens|integers|[None, 2]"),
    "a dict": ({"a": 1}, TypeError, "valid_lens|integers|{'a': 1}"),
}


@pytest.mark.filterwarnings("ignore:Creating an ndarray from ragged")  # before NumPy 1.24
@pytest.mark.parametrize(("lens", "error", "words"), WRONG.values(), ids=WRONG)
@FRAMEWORKS
def test_wrong_lengths_are_refused_in_words_that_help(name, lens, error, words):
    framework = adapters.load(name)
    with pytest.raises(error) as caught:
        framework.module.masked_softmax(framework.array(S), lens)
    message = str(caught.value)
    for word in words.split("|"):
        assert word in message


@FRAMEWORKS
def test_attention_refuses_wrong_lengths_too(name):
    framework = adapters.load(name)
    for lens, words in (([2, 6], "valid_lens|0|5|6"), ([2], "valid_lens|(2,)|(2, 3)|(1,)")):
        with pytest.raises(ValueError, match="valid_lens") as caught:
            framework.attend(Q, K, V, [], lens, np.ones((2, 3, 4), np.float32))
        for word in words.split("|"):
            assert word in str(caught.value)


@FRAMEWORKS
def test_scores_without_a_batch_are_refused(name):
    framework = adapters.load(name)
    with pytest.raises(
        ValueError, match=r"scores .*\(batch, \.\.\., queries, keys\), got \(3, 4\)"
    ):
        framework.module.masked_softmax(framework.array(S[0]), [1, 2, 3])


@pytest.mark.parametrize(
    ("module", "missing", "message"),
    [
        ("jax", "jax", 'd2lmini.jax needs JAX and Flax: pip install "d2lmini[jax]"'),
        ("jax", "flax", 'd2lmini.jax needs JAX and Flax: pip install "d2lmini[jax]"'),
        (
            "tensorflow",
            "tensorflow",
            'd2lmini.tensorflow needs TensorFlow and Keras: pip install "d2lmini[tensorflow]"',
        ),
        ("mxnet", "mxnet", 'd2lmini.mxnet needs MXNet: pip install "d2lmini[mxnet]"'),
    ],
)
def test_a_missing_framework_is_named(module, missing, message, monkeypatch):
    for name in (f"d2lmini.{module}", f"d2lmini.frameworks.{module}"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ImportError) as caught:
        importlib.import_module(f"d2lmini.{module}")
    assert str(caught.value) == message


@pytest.mark.parametrize("module", ["d2lmini", "d2lmini.lengths", "d2lmini.frameworks.toy"])
def test_no_framework_is_imported_unasked(module):
    assert imported_by(module) == set()


@pytest.mark.parametrize("name", [name for name in ("JAX", "MXNet") if name in HERE])
def test_another_framework_needs_no_pytorch(name):
    assert "torch" not in imported_by(f"d2lmini.{name.lower()}")  # (Keras imports what it finds.)


def imported_by(module):
    """Which frameworks are there after a module was imported in a new process."""
    ask = f"import sys, {module}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    return {"torch", "jax", "flax", "tensorflow", "keras", "mxnet"} & set(done.stdout.split())
