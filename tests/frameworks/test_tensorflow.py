"""What TensorFlow and Keras promise beyond the rest: graphs, models, policies, saved models."""

import cases
import numpy as np
import pytest
import reference
from cases import near

tf = pytest.importorskip("tensorflow")
keras = pytest.importorskip("keras")

from d2lmini import toy  # noqa: E402
from d2lmini.tensorflow import AdditiveAttention, DotProductAttention, masked_softmax  # noqa: E402

LENS = [[2, 6], [0, 3], [[4], [0]]]
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
@pytest.mark.parametrize("lens", LENS, ids=str)
@EACH
def test_a_function_of_the_graph_returns_the_same_and_keeps_nothing(kind, lens, jit):
    attention, inputs = build(kind), INPUTS[kind]
    expected = attention(*inputs, valid_lens=lens)
    expected_weights = attention.attention_weights

    @tf.function(jit_compile=jit)
    def pool(lens):
        return attention(*inputs, lens, return_attention_scores=True)

    output, weights = pool(tf.constant(lens))
    near(output, expected)
    near(weights, expected_weights)
    for b, row in enumerate(np.asarray(lens).reshape(2, -1)):
        assert (weights[b, 0, row[0] :].numpy() == 0).all()
    assert attention.attention_weights is None
    attention(*inputs)
    assert attention.attention_weights is not None


@EACH
def test_gradients_in_a_graph_survive_padding_that_is_not_a_number(kind):
    """And keys that a mask hides."""
    attention, (queries, keys, values) = build(kind), INPUTS[kind]
    lens, mask, seen, upstream = cases.hidden()
    keys, values = cases.poison(keys, values, seen, np.nan)
    parameters = list(toy.parameters().values()) if kind == "additive" else []
    *_, expected = reference.attend_and_back(
        queries, keys, values, parameters, lens, upstream, mask
    )
    inputs = [tf.constant(x) for x in (queries, keys, values)]

    @tf.function
    def gradients(lens, mask):
        with tf.GradientTape() as tape:
            tape.watch(inputs)
            output = attention(*inputs, lens, mask=mask)
        kernels = [getattr(attention, n).kernel.value for n in ("W_q", "W_k", "w_v") if parameters]
        return tape.gradient(output, [*inputs, *kernels], upstream)

    grads = [x.numpy() for x in gradients(tf.constant(lens), tf.constant(mask))]
    for grad, part in zip([*grads[:3], *[x.T for x in grads[3:]]], expected, strict=True):
        near(grad, part, 1e-5)


@pytest.mark.promise("traced lengths and masks, whose values nobody knows, give the same")
@pytest.mark.parametrize("dtype", ["bool", "int32", "uint8"])
def test_masks_in_a_graph(dtype):
    inputs = [cases.numbers(i, (2, 3, n, 4), np.float32) for i, n in enumerate((5, 6, 6))]
    attention, lens = DotProductAttention(), np.array([4, 0])

    @tf.function
    def pool(lens, mask):
        return attention(*inputs, lens, mask=mask, return_attention_scores=True)

    for shape in ((2, 6), (5, 6), (2, 5, 6), (2, 1, 5, 6), (2, 3, 5, 6)):
        mask = (cases.numbers(3, shape) > 0).astype(dtype)
        expected = attention(*inputs, lens, mask=mask, return_attention_scores=True)
        for kind in (tf.int64, tf.float32):
            traced = pool(tf.constant(lens, kind), tf.constant(mask))
            near(traced[0], expected[0])
            np.testing.assert_array_equal(traced[1] == 0, expected[1] == 0)


def test_a_mask_that_keras_attached_is_used_with_what_is_given():
    ids = np.array([[1, 2, 0, 0], [3, 1, 2, 0], [1, 0, 0, 0], [1, 2, 3, 4]])
    words = keras.layers.Embedding(5, 2, mask_zero=True)(ids)
    attention = DotProductAttention()
    output, weights = attention(words, words, words, return_attention_scores=True)
    near(output, attention(words.numpy(), words.numpy(), words.numpy(), valid_lens=[2, 3, 1, 4]))
    assert (weights.numpy()[0, :, 2:] == 0).all()
    assert not hasattr(output, "_keras_mask")
    _, weights = attention(
        words, words, words, mask=np.tri(4, dtype=bool)[None], return_attention_scores=True
    )
    np.testing.assert_array_equal(
        weights.numpy() > 0, np.tri(4, dtype=bool)[None] & (ids > 0)[:, None]
    )


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


def test_what_is_known_in_a_graph_is_checked():
    scores = tf.zeros((2, 3, 4))
    softmax = tf.function(masked_softmax)
    with pytest.raises(ValueError, match=r"valid_lens .*\(2, 3\), got \(3,\)"):
        softmax(scores, tf.constant([1, 2, 3]))
    with pytest.raises(TypeError, match="got bool: a mask"):
        softmax(scores, tf.constant([True, False]))
    with pytest.raises(ValueError, match=r"mask must broadcast .*got \(2, 3\)"):
        softmax(scores, mask=tf.ones((2, 3), tf.bool))
    with pytest.raises(TypeError, match=r"mask must be boolean .*got float32"):
        softmax(scores, mask=tf.ones((2, 4)))
    with pytest.raises(ValueError, match="between 0 and the number of keys, 4, got 5"):
        tf.function(lambda scores: masked_softmax(scores, [1, 5]))(scores)


def test_lengths_by_position_by_name_and_as_a_list():
    attention, inputs = build("dot"), INPUTS["dot"]
    expected = attention(*inputs, valid_lens=[2, 6])
    for lens in (tf.constant([2, 6]), np.array([2, 6]), tf.constant([2, 6], tf.uint8)):
        near(attention(*inputs, lens), expected, 0)
        near(attention(*inputs, valid_lens=lens), expected, 0)
    with pytest.raises(ValueError, match="passed as a keyword argument"):
        attention(*inputs, [2, 6])  # Keras says so itself


def model_of(kind):
    """A model around an attention layer, that knows the sizes of queries, keys and values alone."""
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
    restored = keras.saving.load_model(
        tmp_path / "model.keras", custom_objects={"AdditiveAttention": AdditiveAttention}
    )
    near(restored.predict(inputs, verbose=0), after)


def test_training_reaches_dropout_through_a_layer_around_it():
    class Around(keras.layers.Layer):
        def __init__(self):
            super().__init__()
            self.attention = DotProductAttention(0.5)

        def call(self, queries, keys, values):
            return self.attention(queries, keys, values)

    queries, keys = np.zeros((1, 500, 2), np.float32), np.zeros((1, 4, 2), np.float32)
    values = np.eye(4, dtype=np.float32)[None]
    around = Around()
    assert (around(queries, keys, values, training=True).numpy() == 0).mean() > 0.4
    assert (around(queries, keys, values).numpy() != 0).all()


@pytest.mark.parametrize(
    ("policy", "tolerance"), [("float16", 2e-3), ("mixed_float16", 2e-3), ("bfloat16", 2e-2)]
)
@EACH
def test_half_precision(kind, policy, tolerance):
    expected = build(kind)(*INPUTS[kind], valid_lens=[2, 0])
    attention = build(kind, dtype=policy)
    output = attention(*INPUTS[kind], valid_lens=[2, 0])
    assert output.dtype == attention.compute_dtype
    near(tf.cast(output, tf.float32), expected, 8 * tolerance)
    assert (attention.attention_weights.numpy()[0, 0, 2:] == 0).all()
    assert (output.numpy()[1] == 0).all()


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
    values = tf.ones((2, 10, 4), dtype)
    assert attention(queries, keys, values).dtype == dtype
    assert attention.attention_weights.dtype == dtype


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
