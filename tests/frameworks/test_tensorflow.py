"""What TensorFlow and Keras promise beyond the rest: graphs, models, policies, saved models."""

import cases
import numpy as np
import pytest
import reference
from cases import near

tf = pytest.importorskip("tensorflow")
keras = pytest.importorskip("keras")

from d2lmini import toy  # noqa: E402
from d2lmini.tensorflow import AdditiveAttention, DotProductAttention  # noqa: E402

INPUTS = {"dot": toy.inputs(2), "additive": toy.inputs(20)}
EACH = pytest.mark.parametrize("kind", INPUTS)


def build(kind, **options):
    if kind == "dot":
        return DotProductAttention(**options)
    attention = AdditiveAttention(8, **options)
    attention(*INPUTS[kind])
    for name, w in toy.parameters().items():
        getattr(attention, name).kernel.assign(w.T)
    return attention


@pytest.mark.parametrize("jit", [False, True])
@EACH
def test_gradients_in_a_graph_survive_padding_that_is_not_a_number(kind, jit):
    """And keys that a mask hides; a graph keeps no weights."""
    attention, (queries, keys, values) = build(kind), INPUTS[kind]
    lens, mask, seen, upstream = cases.hidden()
    keys, values = cases.poison(keys, values, seen, np.nan)
    parameters = list(toy.parameters().values()) if kind == "additive" else []
    *_, expected = reference.attend_and_back(queries, keys, values, parameters, lens, upstream, mask)
    inputs = [tf.constant(x) for x in (queries, keys, values)]

    @tf.function(jit_compile=jit)
    def gradients(lens, mask):
        with tf.GradientTape() as tape:
            tape.watch(inputs)
            output = attention(*inputs, lens, mask=mask)
        kernels = [getattr(attention, n).kernel.value for n in ("W_q", "W_k", "w_v") if parameters]
        return tape.gradient(output, [*inputs, *kernels], upstream)

    grads = [x.numpy() for x in gradients(tf.constant(lens), tf.constant(mask))]
    for grad, part in zip([*grads[:3], *[x.T for x in grads[3:]]], expected, strict=True):
        near(grad, part, 1e-5)
    assert attention.attention_weights is None


def test_a_mask_that_keras_attached_is_used_with_what_is_given():
    ids = np.array([[1, 2, 0, 0], [3, 1, 2, 0], [1, 0, 0, 0], [1, 2, 3, 4]])
    words = keras.layers.Embedding(5, 2, mask_zero=True)(ids)
    attention = DotProductAttention()
    output, weights = attention(words, words, words, return_attention_scores=True)
    near(output, attention(words.numpy(), words.numpy(), words.numpy(), valid_lens=[2, 3, 1, 4]))
    assert (weights.numpy()[0, :, 2:] == 0).all()
    assert not hasattr(output, "_keras_mask")
    _, weights = attention(words, words, words, mask=np.tri(4, dtype=bool)[None], return_attention_scores=True)
    np.testing.assert_array_equal(weights.numpy() > 0, np.tri(4, dtype=bool)[None] & (ids > 0)[:, None])


def test_sizes_that_were_inferred_are_held_to_and_parameters_come_in_order():
    attention, (queries, keys, values) = AdditiveAttention(8), INPUTS["additive"]
    attention(queries, keys, values)
    assert [weight.path.split("/")[-2] for weight in attention.weights] == ["W_k", "W_q", "w_v"]
    with pytest.raises(ValueError, match="the sizes 20 and 2, got 2 and 2"):
        attention(queries[..., :2], keys, values)


def test_lengths_in_float32_stay_exact_in_half_precision():
    attention = DotProductAttention(dtype="mixed_float16")
    queries, keys = np.zeros((1, 1, 2), np.float32), np.zeros((1, 3000, 2), np.float32)
    lens = tf.constant([2049.0])  # float16 has 2048 and 2050
    _, weights = attention(queries, keys, keys, lens, return_attention_scores=True)
    assert (weights.numpy() > 0).sum() == 2049
    assert weights.dtype == "float16"


def model_of(kind):
    symbols = [keras.Input((None, x.shape[2])) for x in INPUTS[kind]]
    symbols.append(keras.Input((), dtype="int32"))
    attention = build(kind, dropout=0.5)
    return attention, keras.Model(symbols, attention(*symbols))


@EACH
def test_a_model_of_unknown_sizes(kind):
    attention, model = model_of(kind)
    assert model.output_shape == (None, None, 4)
    lens = np.array([2, 6])
    expected = attention(*INPUTS[kind], lens)
    near(model.predict([*INPUTS[kind], lens], verbose=0), expected)
    near(model([*INPUTS[kind], lens]), expected)
    assert (model([*INPUTS[kind], lens], training=True) != expected).numpy().any()


@pytest.mark.filterwarnings("ignore:__array__ implementation")  # in Keras
def test_a_model_is_trained_and_saved(tmp_path):
    _, model = model_of("additive")
    inputs = [*INPUTS["additive"], np.array([2, 6])]
    before = model.predict(inputs, verbose=0)
    model.compile("sgd", "mse")
    model.fit(inputs, np.zeros((2, 1, 4)), verbose=0)
    after = model.predict(inputs, verbose=0)
    assert np.abs(after - before).max() > 1e-6, "training moves the parameters"
    model.save(tmp_path / "model.keras")
    known = {"AdditiveAttention": AdditiveAttention}
    restored = keras.saving.load_model(tmp_path / "model.keras", custom_objects=known)
    near(restored.predict(inputs, verbose=0), after)


@pytest.mark.parametrize("policy", ["float16", "bfloat16", "mixed_bfloat16"])
@EACH
def test_scores_of_half_types_are_not_rounded_to_them(kind, policy):
    attention, (queries, keys, _) = build(kind, dtype=policy), INPUTS[kind]
    if kind == "additive":
        attention.w_v.kernel.assign(8 * attention.w_v.kernel)
    dtype = tf.as_dtype(attention.compute_dtype)
    queries, keys = (tf.cast(30 * x, dtype) for x in (queries, keys))
    scores = attention.score(queries, keys)
    score, *compared = reference.dot_product, queries, keys
    if kind == "additive":  # its maps give half types
        one = np.eye(8)
        score = reference.additive(one, one, attention.w_v.kernel.numpy().T)
        compared = attention.W_q(queries), attention.W_k(keys)
    expected = cases.scores(score, *compared)
    np.testing.assert_allclose(scores, expected, rtol=1e-5, atol=1e-5 * np.abs(expected).max())
    values = tf.constant(cases.numbers(0, (2, 10, 4)), dtype)
    lens = {"valid_lens": [2, 0], "return_attention_scores": True}
    output, weights = attention(queries, keys, values, **lens)
    assert output.dtype == weights.dtype == dtype
    weights, output, values = (tf.cast(x, tf.float64) for x in (weights, output, values))
    near(weights, reference.weights(expected, [2, 0]), 1e-2)
    near(output, weights @ values, 2e-2)


def test_a_seed_starts_what_it_starts_in_the_book_that_came_first():
    """Its layers: W_k, W_q and w_v, then dropout, each of which takes a seed; and a second time."""
    inputs, found = INPUTS["additive"], []
    keras.utils.set_random_seed(1)
    for attention in [AdditiveAttention(8, 0.5), AdditiveAttention(8, 0.5)]:
        attention(*inputs)
        found += [attention.W_k, attention.W_q, attention.w_v]
    keras.utils.set_random_seed(1)
    theirs = []
    for _ in range(2):
        theirs += [keras.layers.Dense(units, use_bias=False) for units in (8, 8, 1)]
        keras.layers.Dropout(0.5)
    for ours, layer in zip(found, theirs, strict=True):
        layer.build((None, ours.kernel.shape[0]))
        np.testing.assert_array_equal(ours.kernel, layer.kernel)
