"""What JAX promises beyond the rest: jit, vmap and grad, in any order; nothing is kept."""

import cases
import numpy as np
import pytest
import reference
from cases import near

jax = pytest.importorskip("jax")
pytest.importorskip("flax")
import jax.numpy as jnp  # noqa: E402

from d2lmini import toy  # noqa: E402
from d2lmini.jax import AdditiveAttention, DotProductAttention, masked_softmax  # noqa: E402

LENS = [[2, 6], [0, 3], [[4], [0]]]
VARIABLES = {"params": {name: {"kernel": w.T} for name, w in toy.parameters().items()}}
CASES = {
    "dot": (DotProductAttention(0.5), {}, toy.inputs(2)),
    "additive": (AdditiveAttention(8, 0.5), VARIABLES, toy.inputs(20)),
}
EACH = pytest.mark.parametrize("kind", CASES)


@pytest.mark.parametrize("lens", LENS, ids=str)
@EACH
def test_jit_with_lengths_inside_and_outside(kind, lens):
    attention, variables, inputs = CASES[kind]
    expected = attention.apply(variables, *inputs, lens)
    traced = jax.jit(attention.apply)(variables, *inputs, jnp.array(lens))
    fixed = jax.jit(lambda *inputs: attention.apply(variables, *inputs, lens))(*inputs)
    for result in (traced, fixed):
        near(result[0], expected[0])
        near(result[1], expected[1])
    for b, row in enumerate(np.asarray(lens).reshape(2, -1)):
        assert (traced[1][b, 0, row[0] :] == 0).all()


@EACH
def test_vmap_over_the_examples_and_their_lengths(kind):
    attention, variables, inputs = CASES[kind]

    def one(*example):
        return attention.apply(variables, *[x[None] for x in example])

    lens = jnp.array([2, 0])
    expected = attention.apply(variables, *inputs, lens)
    for vmapped in (jax.vmap(one), jax.jit(jax.vmap(one))):
        for came, part in zip(vmapped(*inputs, lens), expected, strict=True):
            near(came[:, 0], part)


@pytest.mark.promise("traced lengths and masks, whose values nobody knows, give the same")
@pytest.mark.parametrize("dtype", ["bool", "int32", "uint8"])
def test_jit_and_vmap_with_masks_inside(dtype):
    inputs = [cases.numbers(i, (2, 3, n, 4), np.float32) for i, n in enumerate((5, 6, 6))]
    attention = DotProductAttention()
    for shape in ((2, 6), (5, 6), (2, 5, 6), (2, 1, 5, 6), (2, 3, 5, 6)):
        mask = (cases.numbers(3, shape) > 0).astype(dtype)
        lens = np.array([4, 0])
        expected = attention.apply({}, *inputs, lens, mask=mask)
        traced = jax.jit(attention.apply)({}, *inputs, jnp.array(lens), mask=jnp.array(mask))
        floats = jax.jit(attention.apply)({}, *inputs, jnp.array(lens, "float16"), mask=mask)
        for result in (traced, floats):
            near(result[0], expected[0])
            np.testing.assert_array_equal(result[1] == 0, expected[1] == 0)
    scores = jnp.asarray(inputs[0][0])  # (3, 5, 4): 3 examples
    masks = jnp.array(cases.numbers(4, (3, 4)) > 0)
    rows = jax.vmap(lambda scores, mask: masked_softmax(scores, mask=mask))(scores, masks)
    near(rows, masked_softmax(scores, mask=masks))


@pytest.mark.promise("dropout in training alone; kept weights are those before it")
def test_training_is_another_word_for_not_deterministic():
    attention, _, inputs = CASES["dot"]
    key, another = ({"dropout": jax.random.key(seed)} for seed in (0, 1))
    dropped, weights = attention.apply({}, *inputs, training=True, rngs=key)
    expected, _ = attention.apply({}, *inputs, deterministic=False, rngs=key)
    other, _ = attention.apply({}, *inputs, deterministic=False, rngs=another)
    kept, _ = attention.apply({}, *inputs, training=False)
    np.testing.assert_array_equal(dropped, expected)
    assert (dropped != other).any()
    assert (dropped != kept).any()
    near(jnp.matmul(weights, inputs[2]), kept)


def test_vmap_over_lengths_alone():
    scores = jnp.asarray(cases.numbers(0, (2, 3, 5), np.float32))
    all_lens = jnp.array([[0, 5], [1, 2], [4, 3]])
    weights = jax.vmap(masked_softmax, in_axes=(None, 0))(scores, all_lens)
    for came, lens in zip(weights, all_lens.tolist(), strict=True):
        near(came, reference.weights(np.asarray(scores), lens, scores)[0])


@pytest.mark.parametrize("way", ["grad", "jit of grad", "grad of vmap", "jit of grad of vmap"])
@EACH
def test_grad_survives_padding_that_is_not_a_number(kind, way):
    """Nor do keys matter that a mask hides."""
    attention, variables, (queries, keys, values) = CASES[kind]
    lens, mask, seen, upstream = cases.hidden()
    keys, values = cases.poison(keys, values, seen, np.nan)
    parameters = list(toy.parameters().values()) if variables else []
    *_, expected = reference.attend_and_back(
        queries, keys, values, parameters, lens, upstream, mask
    )

    def pool(variables, *inputs):
        return attention.apply(variables, *inputs[:-1], mask=inputs[-1])[0]

    def pool_one(variables, *example):
        return pool(variables, *[x[None] for x in example])[0]

    pool_all = jax.vmap(pool_one, (None, 0, 0, 0, 0, 0)) if "vmap" in way else pool
    grad = jax.grad(lambda *given: (pool_all(*given) * upstream).sum(), (0, 1, 2, 3))
    grad = jax.jit(grad) if "jit" in way else grad
    given = jnp.array(lens), jnp.array(mask)
    to_variables, *grads = grad(variables, queries, keys, values, *given)
    if variables:
        grads += [to_variables["params"][name]["kernel"].T for name in ("W_q", "W_k", "w_v")]
    for came, part in zip(grads, expected, strict=True):
        near(came, part, 1e-5)


def test_what_is_known_under_jit_is_checked():
    scores = jnp.zeros((2, 3, 4))
    with pytest.raises(ValueError, match=r"valid_lens .*\(2, 3\), got \(3,\)"):
        jax.jit(masked_softmax)(scores, jnp.array([1, 2, 3]))
    with pytest.raises(TypeError, match="valid_lens must be integers that count keys, got bool"):
        jax.jit(masked_softmax)(scores, jnp.array([True, False]))
    with pytest.raises(ValueError, match=r"mask must broadcast .*got \(2, 3\)"):
        jax.jit(lambda mask: masked_softmax(scores, mask=mask))(jnp.ones((2, 3), bool))
    with pytest.raises(TypeError, match=r"mask must be boolean .*got float"):
        jax.jit(lambda mask: masked_softmax(scores, mask=mask))(jnp.ones((2, 4)))
    with pytest.raises(ValueError, match="between 0 and the number of keys, 4, got 5"):
        jax.jit(lambda scores: masked_softmax(scores, [1, 5]))(scores)


def test_a_module_is_a_value():
    assert AdditiveAttention(8, 0.1) == AdditiveAttention(num_hiddens=8, dropout=0.1)
    shapes = jax.tree.map(
        jnp.shape, AdditiveAttention(8).init(jax.random.key(0), *toy.inputs(20))["params"]
    )
    assert shapes == {name: {"kernel": w.T.shape} for name, w in toy.parameters().items()}


def test_in_flax_nnx_it_is_trained_as_a_part_of_a_model():
    """Flax's bridge holds the variables; the model learns which of two keys to look at."""
    from flax import nnx

    queries, keys, values = jnp.ones((4, 1, 2)), jnp.tile(jnp.eye(2), (4, 1, 1)), jnp.eye(2)[None]
    values = jnp.tile(values, (4, 1, 1))
    lens, wanted = jnp.array([2, 2, 2, 1]), jnp.array([[0.0, 1.0]])

    class Model(nnx.Module):
        def __init__(self, rngs):
            module = AdditiveAttention(8, dropout=0.1)
            self.attention = nnx.bridge.ToNNX(module, rngs=rngs).lazy_init(queries, keys, values)

        def __call__(self, *inputs, **options):
            return self.attention(*inputs, **options)

    def loss(model):
        output, _ = model(queries, keys, values, lens)
        return jnp.square(output[:3] - wanted).mean()

    @nnx.jit
    def step(model):
        grads = nnx.grad(loss)(model)
        nnx.update(model, jax.tree.map(lambda w, g: w - g, nnx.state(model, nnx.Param), grads))

    model = Model(nnx.Rngs(0))
    shapes = {name: getattr(model.attention, name)["kernel"].shape for name in ("W_q", "W_k")}
    assert shapes == {"W_q": (2, 8), "W_k": (2, 8)}
    before = loss(model)
    for _ in range(100):
        step(model)
    assert loss(model) < before / 10
    _, weights = model(queries, keys, values, lens)
    np.testing.assert_array_equal(weights[3, 0], [1, 0])
    first, second = (model(queries, keys, values, lens, training=True)[0] for _ in range(2))
    assert (first != second).any()


@pytest.mark.parametrize(("dtype", "tolerance"), [("float16", 2e-3), ("bfloat16", 2e-2)])
@EACH
def test_half_precision(kind, dtype, tolerance):
    attention, variables, inputs = CASES[kind]
    halves = jax.tree.map(lambda x: jnp.asarray(x, dtype), (variables, *inputs))
    output, weights = attention.apply(*halves, [2, 6])
    assert output.dtype == weights.dtype == dtype
    expected, expected_weights = attention.apply(variables, *inputs, [2, 6])
    near(weights.astype(float), expected_weights, 4 * tolerance)
    near(output.astype(float), expected, 8 * tolerance)
    assert (weights[0, 0, 2:] == 0).all()


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@EACH
def test_scores_of_half_types_are_not_rounded_to_them(kind, dtype):
    attention, variables, (queries, keys, _) = CASES[kind]
    halves = jax.tree.map(lambda x: jnp.asarray(8 * x, dtype), variables)
    queries, keys = (jnp.asarray(30 * x, dtype) for x in (queries, keys))
    scores = attention.apply(halves, queries, keys, method="score")
    score, *compared = reference.dot_product, queries, keys
    if kind == "additive":  # its maps give half types
        maps = {name: halves["params"][name]["kernel"] for name in ("W_q", "W_k", "w_v")}
        score = reference.additive(np.eye(8), np.eye(8), np.asarray(maps["w_v"], float).T)
        compared = queries @ maps["W_q"], keys @ maps["W_k"]
    expected = cases.scores(score, *compared)
    np.testing.assert_allclose(scores, expected, rtol=1e-5, atol=1e-5 * np.abs(expected).max())
    output, weights = attention.apply(halves, queries, keys, jnp.ones((2, 10, 4), dtype))
    assert output.dtype == weights.dtype == dtype
