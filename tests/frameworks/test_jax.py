"""What JAX promises beyond the rest: jit, vmap and grad, in any order; half types."""

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

VARIABLES = {"params": {name: {"kernel": w.T} for name, w in toy.parameters().items()}}
CASES = {"dot": (DotProductAttention(0.5), {}, toy.inputs(2))}
CASES["additive"] = AdditiveAttention(8, 0.5), VARIABLES, toy.inputs(20)
EACH = pytest.mark.parametrize("kind", CASES)


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
    *_, expected = reference.attend_and_back(queries, keys, values, parameters, lens, upstream, mask)

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


def test_a_module_is_a_value():
    assert AdditiveAttention(8, 0.1) == AdditiveAttention(num_hiddens=8, dropout=0.1)
    shapes = jax.tree.map(jnp.shape, AdditiveAttention(8).init(jax.random.key(0), *toy.inputs(20))["params"])
    assert shapes == {name: {"kernel": w.T.shape} for name, w in toy.parameters().items()}


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
    values = cases.numbers(0, (2, 10, 4)).astype(dtype)
    output, weights = attention.apply(halves, queries, keys, values, [2, 6])
    assert output.dtype == weights.dtype == dtype
    near(weights.astype(float), reference.weights(expected, [2, 6]), 1e-2)
    near(output.astype(float), weights.astype(float) @ values.astype(float), 2e-2)
