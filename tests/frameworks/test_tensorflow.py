"""What TensorFlow and Keras promise beyond the rest: graphs, models, policies, saved models."""

import cases
import numpy as np
import pytest
import reference

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


def near(came, expected, tolerance=1e-6):
    np.testing.assert_allclose(came, expected, rtol=tolerance, atol=tolerance)


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
    attention, (queries, keys, values) = build(kind), INPUTS[kind]
    lens, upstream = [2, 0], cases.numbers(0, (2, 1, 4), np.float32)
    keys, values = cases.poison(keys, values, lens, np.nan)
    parameters = list(toy.parameters().values()) if kind == "additive" else []
    *_, expected = reference.attend_and_back(queries, keys, values, parameters, lens, upstream)
    inputs = [tf.constant(x) for x in (queries, keys, values)]

    @tf.function
    def gradients(lens):
        with tf.GradientTape() as tape:
            tape.watch(inputs)
            output = attention(*inputs, lens)
        kernels = [getattr(attention, n).kernel.value for n in ("W_q", "W_k", "w_v") if parameters]
        return tape.gradient(output, [*inputs, *kernels], upstream)

    grads = [x.numpy() for x in gradients(tf.constant(lens))]
    for grad, part in zip([*grads[:3], *[x.T for x in grads[3:]]], expected, strict=True):
        near(grad, part, 1e-5)


def test_what_is_known_in_a_graph_is_checked():
    scores = tf.zeros((2, 3, 4))
    softmax = tf.function(masked_softmax)
    with pytest.raises(ValueError, match=r"valid_lens .*\(2, 3\), got \(3,\)"):
        softmax(scores, tf.constant([1, 2, 3]))
    with pytest.raises(TypeError, match="valid_lens must be integers, got float32"):
        softmax(scores, tf.constant([1.0, 2.0]))
    with pytest.raises(TypeError, match="got bool: of a mask"):
        softmax(scores, tf.constant([True, False]))
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


@pytest.mark.parametrize("sizes", [(0, 3, 4), (2, 0, 4), (2, 3, 0)], ids=str)
def test_sizes_of_0(sizes):
    batch, queries, keys = sizes
    shapes = [(batch, queries, 2), (batch, keys, 2), (batch, keys, 5)]
    inputs = [tf.ones(shape) for shape in shapes]
    lens = [min(2, keys)] * batch
    for given in (lens, np.tile(np.array(lens, int)[:, None], (1, queries))):
        attention = DotProductAttention()
        output = attention(*inputs, valid_lens=np.array(given, int))
        assert output.shape == (batch, queries, 5)
        assert attention.attention_weights.shape == sizes
        near(output, 1.0 if keys else 0.0)
