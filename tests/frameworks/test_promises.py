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
from errors import refused
from exhaustive import examples
from hypothesis import given
from hypothesis import strategies as st
from wrong import LENGTHS, MASKS

from d2lmini import toy

DTYPES = pytest.mark.parametrize("dtype", cases.TOLERANCE)
HERE = adapters.installed()
FRAMEWORKS = pytest.mark.parametrize("name", HERE)
# (MXNet's blocks are not compiled, and NNX is JAX.)
TRACING = pytest.mark.parametrize("name", [n for n in ("PyTorch", "JAX", "TensorFlow") if n in HERE])
JUNK = st.sampled_from([np.nan, np.inf, -np.inf, 1e30])
# Lists, or arrays of a type: NumPy's or the framework's own.
TYPES = ["bool", "int32", "int64", "uint8", "float32"]
FORM = st.one_of(st.just((False, None)), st.tuples(st.booleans(), st.sampled_from(TYPES)))
S = np.zeros((2, 3, 4), np.float32)
Q, K, V = (cases.numbers(i, (2, n, 4), np.float32) for i, n in enumerate((3, 5, 5)))


@pytest.mark.promise("weights are the loop's, for lengths, masks or both")
@FRAMEWORKS
@DTYPES
@examples(20, 200)
@given(case=cases.score_cases(), junk=JUNK, form=FORM)
def test_weights_and_their_gradients_are_those_of_the_loop(name, dtype, case, junk, form):
    framework, (scores, lens, mask, seen) = adapters.load(name), case
    scores = scores.astype(dtype)
    upstream = cases.numbers(1, scores.shape, dtype)
    expected, expected_grad = reference.weights(scores, None, upstream, seen)
    scores[~seen] = junk
    before = scores.copy()
    lens, mask = formed(framework, lens, form), formed(framework, mask, form)
    weights, grad = framework.softmax(scores, lens, upstream, mask)
    cases.close(weights, expected, dtype)
    cases.close(grad, expected_grad, dtype)
    assert (weights[~seen] == 0).all()
    np.testing.assert_array_equal(scores, before)


@pytest.mark.promise("attention is the loop's, heads or not, whatever padding holds")
@FRAMEWORKS
@DTYPES
@examples(20, 200)
@given(case=cases.attention_cases(), junk=JUNK, form=FORM)
def test_attention_and_its_gradients_are_those_of_the_loop(name, dtype, case, junk, form):
    framework, (tensors, parameters, lens, mask, seen) = adapters.load(name), case
    tensors, parameters = ([x.astype(dtype) for x in part] for part in (tensors, parameters))
    upstream = cases.numbers(9, (*tensors[0].shape[:-1], tensors[2].shape[-1]), dtype)
    expected, expected_weights, expected_grads = reference.attend_and_back(*tensors, parameters, None, upstream, seen)
    tensors[1:] = cases.poison(*tensors[1:], seen, junk)
    before = [x.copy() for x in tensors]
    lens, mask = formed(framework, lens, form), formed(framework, mask, form)
    output, weights, grads = framework.attend(*tensors, parameters, lens, upstream, mask)
    cases.close(output, expected, dtype)
    cases.close(weights, expected_weights, dtype)
    for grad, expected_grad in zip(grads, expected_grads, strict=True):
        cases.close(grad, expected_grad, dtype)
    assert (weights[~seen] == 0).all()
    for x, copy in zip(tensors, before, strict=True):
        np.testing.assert_array_equal(x, copy)


def formed(framework, given, form):
    """Lengths or a mask, nested lists, in another form; masks that are not boolean are 0 and 1."""
    own, dtype = form
    if given is None or not dtype:
        return given
    array = np.array(given)
    if dtype.startswith("float") and array.dtype == bool:
        dtype = "int64"  # whole floats are lengths, but no masks
    if not (dtype == "bool" and array.dtype == int):
        array = array.astype(dtype)
    return framework.array(array) if own else array


@pytest.mark.promise("traced lengths and masks, whose values nobody knows, give the same")
@pytest.mark.parametrize("dtype", ["bool", "int32", "uint8"])
@TRACING
def test_masks_under_a_compiler(name, dtype):
    framework, softmax = adapters.load(name), traced(name)
    scores, lens = cases.numbers(0, (2, 3, 5, 6)), np.array([4, 0])
    for shape in ((2, 6), (5, 6), (2, 5, 6), (2, 1, 5, 6), (2, 3, 5, 6)):
        mask = cases.numbers(3, shape) > 0
        expected, _ = framework.softmax(scores, lens, scores, mask)
        assert (expected[0] > 0).any()
        for kind in ("int64", "float32"):
            given = framework.array(lens.astype(kind)), framework.array(mask.astype(dtype))
            weights = softmax(framework.array(scores), *given)
            cases.close(weights, expected, "float64")


@pytest.mark.parametrize(
    ("lens", "mask", "told"),
    [
        ([1, 2, 3], None, "ValueError|valid_lens|(2, 3)|got (3,)"),
        ([True, False], None, "TypeError|valid_lens|bool|a mask"),
        (None, np.ones((2, 3), bool), "ValueError|mask must broadcast|got (2, 3)"),
        (None, np.ones((2, 4), np.float32), "TypeError|mask must be boolean|float32"),
    ],
)
@TRACING
def test_what_is_known_while_a_framework_traces_is_checked(name, lens, mask, told):
    array = adapters.load(name).array
    given = [None if x is None else array(np.array(x)) for x in (lens, mask)]
    refused(lambda: traced(name)(array(S), *given), told)


def traced(name):
    framework = adapters.load(name)
    softmax = framework.module.masked_softmax
    return framework.traced(lambda scores, lens, mask: softmax(scores, lens, mask=mask))


@pytest.mark.parametrize("kind", ["dot_product", "additive"])
@FRAMEWORKS
def test_the_numbers_that_mxnet_computed_are_those_of_every_other(name, kind):
    framework, kept = adapters.load(name), toy.mxnet_outputs()[kind]
    inputs = toy.inputs(2 if kind == "dot_product" else 20)
    parameters = [] if kind == "dot_product" else list(toy.parameters().values())
    upstream = np.ones((2, 1, 4), np.float32)
    output, *_ = framework.attend(*inputs, parameters, [2, 6], upstream)
    cases.close(output, kept["output"], "float32")
    for n in (1, 2, 6, 10):
        _, weights, _ = framework.attend(*inputs, parameters, [n, n], upstream)
        kept_weights = kept["weights"][n - 1]
        cases.close(weights[:, 0], kept_weights, "float32")


# The lowest and the highest of each type, and what others fill hidden places with.
EXTREME = {"float16": [-6e4, 6e4], "float32": [-1e6, -1e7, -3e38, 3e38], "float64": [-1e300]}


@pytest.mark.promise("rows without keys are 0, with gradient 0; no score is too low")
@FRAMEWORKS
@pytest.mark.parametrize("look", ["lengths", "mask"])
@pytest.mark.parametrize("dtype", EXTREME)
def test_no_score_is_too_low_or_too_high(name, dtype, look):
    lens, mask = ([2, 0], None) if look == "lengths" else (None, [[1, 1, 0, 0], [0, 0, 0, 0]])
    for score, junk in itertools.product(EXTREME[dtype], [0.0, np.nan, np.inf]):
        scores = np.full((2, 1, 4), junk, dtype)
        scores[0, 0, :2] = score
        weights, grad = adapters.load(name).softmax(scores, lens, np.ones_like(scores), mask)
        assert weights.dtype == dtype
        told = f"score {score}, junk {junk}"
        np.testing.assert_array_equal(weights[:, 0], [[0.5, 0.5, 0, 0], [0, 0, 0, 0]], told)
        np.testing.assert_array_equal(grad, np.zeros_like(scores), told)


@FRAMEWORKS
@pytest.mark.parametrize("sizes", [(0, 3, 4), (2, 0, 4), (2, 3, 0)], ids=str)
def test_sizes_of_0(name, sizes):
    batch, queries, keys = sizes
    shapes = [(batch, queries, 2), (batch, keys, 2), (batch, keys, 5), (batch, queries, 5)]
    *inputs, upstream = [np.ones(shape, np.float32) for shape in shapes]
    lens = np.full(batch, min(2, keys))
    for given_lens in (lens, lens[:, None].repeat(queries, axis=1)):
        output, weights, _ = adapters.load(name).attend(*inputs, [], given_lens, upstream)
        assert weights.shape == sizes
        np.testing.assert_allclose(output, upstream if keys else 0 * upstream, rtol=1e-6)


@pytest.mark.promise("dropout in training alone; kept weights are those before it")
@FRAMEWORKS
def test_dropout_drops_and_scales_in_training_alone(name):
    framework = adapters.load(name)
    queries, keys = np.zeros((1, 2000, 2), np.float32), np.zeros((1, 4, 2), np.float32)
    values = np.eye(4, dtype=np.float32)[None]  # so the output is the weights themselves
    output, weights = framework.run(queries, keys, values, dropout=0.2, training=True)
    np.testing.assert_allclose(weights, 0.25, rtol=1e-6, err_msg="kept before dropout")
    assert (output == 0).mean() == pytest.approx(0.2, abs=0.03)
    np.testing.assert_allclose(output[output != 0], 0.25 / 0.8, rtol=1e-6)
    output, _ = framework.run(queries, keys, values, dropout=0.2)
    np.testing.assert_allclose(output, 0.25, rtol=1e-6)


WRONG = [("valid_lens", *case) for case in LENGTHS.values()]
WRONG += [("mask", *case) for case in MASKS.values()]


@pytest.mark.promise("wrong lengths and masks are refused in words that help")
@pytest.mark.filterwarnings("ignore:Creating an ndarray from ragged")  # before NumPy 1.24
@pytest.mark.parametrize(("what", "given", "told"), WRONG, ids=[*LENGTHS, *MASKS])
@FRAMEWORKS
def test_wrong_lengths_and_masks_are_refused_in_words_that_help(name, what, given, told):
    framework = adapters.load(name)
    softmax, scores = framework.module.masked_softmax, framework.array(S)
    refused(lambda: softmax(scores, **{what: given}), f"{told}|{what}")


@pytest.mark.promise("a tokenizer's mask never passes for lengths")
@pytest.mark.parametrize("own", [False, True], ids=["list", "own array"])
@FRAMEWORKS
def test_a_mask_does_not_pass_for_lengths(name, own):
    framework, scores = adapters.load(name), S[:, :, :3]
    mask = np.array([[1, 1, 0], [1, 0, 0]], np.int32)
    given = framework.array(mask) if own else mask.tolist()
    softmax = framework.module.masked_softmax
    refused(lambda: softmax(framework.array(scores), given), "ValueError|valid_lens|0 and 1|mask=")
    weights, _ = framework.softmax(scores, None, scores, given)
    np.testing.assert_allclose(weights[:, 2], [[0.5, 0.5, 0], [1, 0, 0]])


@pytest.mark.promise("a mask that may be read in two ways is refused")
@FRAMEWORKS
def test_a_mask_that_may_be_read_in_two_ways_is_refused(name):
    framework, scores = adapters.load(name), np.zeros((2, 2, 3), np.float32)
    mask = np.array([[1, 0, 0], [1, 1, 0]])
    softmax = framework.module.masked_softmax
    told = "ValueError|mask[:, None]|mask[None]"
    refused(lambda: softmax(framework.array(scores), mask=mask), told)
    by_example, _ = framework.softmax(scores, None, scores, mask[:, None])
    by_query, _ = framework.softmax(scores, None, scores, mask[None])
    np.testing.assert_array_equal(by_example, by_query.swapaxes(0, 1))


@pytest.mark.parametrize(
    ("lens", "mask", "told"),
    [
        ([2, 6], None, "valid_lens|0|5|6"),
        ([2], None, "valid_lens|(2,)|(2, 3)|(1,)"),
        (None, [[1, 2, 0, 0, 0]], "mask|0 and 1|2"),
        (None, [[True] * 4], "mask|(2, 3, 5)|(1, 4)"),
    ],
)
@FRAMEWORKS
def test_attention_refuses_wrong_lengths_and_masks_too(name, lens, mask, told):
    framework, upstream = adapters.load(name), np.ones((2, 3, 4), np.float32)
    refused(lambda: framework.attend(Q, K, V, [], lens, upstream, mask), f"ValueError|{told}")


# What is wrong with queries, keys and values: (their shapes, what the message says).
WRONG_INPUTS = {
    "no batch": ([(3, 4), (5, 4), (5, 4)], "queries|(batch, "),
    "heads in the queries alone": ([(2, 2, 3, 4), (2, 5, 4), (2, 5, 4)], "queries|keys"),
    "other heads": ([(2, 2, 3, 4), (2, 3, 5, 4), (2, 3, 5, 4)], "queries|keys"),
    "another batch": ([(2, 3, 4), (3, 5, 4), (3, 5, 4)], "keys|batch|2|3"),
    "another batch of values": ([(2, 3, 4), (2, 5, 4), (3, 5, 4)], "keys|batch|2|3"),
    "a value too few": ([(2, 3, 4), (2, 5, 4), (2, 4, 4)], "keys|pairs|5|4"),
    "keys of another size": ([(2, 3, 4), (2, 5, 3), (2, 5, 4)], "keys|sizes|4|3"),
}


@pytest.mark.promise("queries, keys and values that don't fit are refused by name")
@pytest.mark.parametrize(("shapes", "words"), WRONG_INPUTS.values(), ids=WRONG_INPUTS)
@FRAMEWORKS
def test_inputs_that_do_not_fit_are_refused(name, shapes, words):
    inputs = [np.zeros(shape, np.float32) for shape in shapes]
    refused(lambda: adapters.load(name).run(*inputs), f"ValueError|{words}")


@pytest.mark.promise("sizes given as in the first edition are taken and held to, or told in order")
@FRAMEWORKS
def test_sizes_may_be_given_by_name_and_are_held_to(name):
    framework = adapters.load(name)
    sizes = {"kind": "AdditiveAttention", "key_size": 4, "query_size": 3, "num_hiddens": 8}
    output, _ = framework.run(Q[..., :3], K, V, **sizes, dropout=0.1)
    assert output.shape == (2, 3, 4)
    told = "ValueError|keys of AdditiveAttention|the sizes 3 and 4, got 4 and 3"
    refused(lambda: framework.run(Q, K[..., :3], V, **sizes), told)
    told = "the order is AdditiveAttention(num_hiddens, dropout, query_size, key_size)"
    told = f"ValueError|dropout must lie between 0 and 1, got 20|{told}"
    refused(lambda: framework.module.AdditiveAttention(2, 20, 8, 0.1), told)


@pytest.mark.promise("an old name is refused with the new one")
@FRAMEWORKS
def test_an_old_name_is_refused_with_the_new_one_and_scores_without_queries(name):
    framework = adapters.load(name)
    softmax, scores = framework.module.masked_softmax, framework.array(S)
    refused(lambda: softmax(X=scores), "TypeError|masked_softmax has no argument X; say scores")
    told = "ValueError|scores|(batch, ..., queries, keys), got (4,)"
    refused(lambda: softmax(framework.array(S[0, 0]), [1]), told)


NEEDS = {"jax": "JAX and Flax", "tensorflow": "TensorFlow and Keras", "mxnet": "MXNet"}


@pytest.mark.parametrize("missing", [*NEEDS, "flax"])
def test_a_missing_framework_is_named(missing, monkeypatch):
    module = missing.replace("flax", "jax")
    for name in (f"d2lmini.{module}", f"d2lmini.frameworks.{module}"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ImportError) as caught:
        importlib.import_module(f"d2lmini.{module}")
    assert str(caught.value) == f'd2lmini.{module} needs {NEEDS[module]}: pip install "d2lmini[{module}]"'


@pytest.mark.parametrize("module", ["d2lmini", "d2lmini.lengths", "d2lmini.frameworks.toy"])
def test_no_framework_is_imported_unasked(module):
    assert imported_by(module) == set()


@pytest.mark.parametrize("name", [name for name in ("JAX", "MXNet") if name in HERE])
def test_another_framework_needs_no_pytorch(name):
    assert "torch" not in imported_by(f"d2lmini.{name.lower()}")  # (Keras imports what it finds.)


def imported_by(module):
    ask = f"import sys, {module}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    return {"torch", "jax", "flax", "tensorflow", "keras", "mxnet"} & set(done.stdout.split())
