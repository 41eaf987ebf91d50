"""The page for those who come from elsewhere: what it says of Keras, JAX and Flax holds here."""

import functools
import re

import numpy as np
import pytest

torch = pytest.importorskip("torch")
keras = pytest.importorskip("keras")
jax = pytest.importorskip("jax")
flax = pytest.importorskip("flax")
from flax import linen  # noqa: E402

import chapters  # noqa: E402

PAGE = chapters.ROOT / "chapters" / "coming_from.ipynb"
TEXT = "\n\n".join(chapters.cells(PAGE, "markdown"))
PROGRAMS = re.findall(r"^```python\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)

Q, K, V = (np.random.default_rng(i).standard_normal((2, n, 8), "f") for i, n in enumerate((3, 4, 4)))
NOTHING = np.zeros((2, 4), bool)  # no key for anybody
MASK = np.array([[1, 1, 0, 0], [1, 0, 1, 1]]) > 0


@pytest.mark.parametrize("program", PROGRAMS, ids=["Keras", "JAX and Flax"])
def test_what_is_shown_of_another_framework_runs_and_agrees(program):
    assert program.count("same(") >= 5
    exec(compile(program, str(PAGE), "exec"), {})


def test_every_name_of_another_library_exists():
    homes = {"keras": keras, "jax": jax, "torch": torch, "nn": torch.nn}
    homes |= {"F": torch.nn.functional, "flax": flax}
    names = re.findall(r"`((?:keras|jax|flax|torch|nn|F)\.[\w.]+)", TEXT)
    assert len(names) > 15
    for name in names:
        home, *rest = name.split(".")
        functools.reduce(getattr, rest, homes[home])


def of_keras(layer):
    return lambda values, mask: layer()([Q, values, K], mask=[None, mask])


def of_jax(function):
    def pool(values, mask):
        inputs = [x[:, :, None] for x in (Q, K, values)]
        return function(*inputs, mask=mask[:, None, None])[:, :, 0]

    return pool


def heads_of_keras(values, mask, **options):
    """One head that maps nothing, so that the output is what is pooled."""
    layer = keras.layers.MultiHeadAttention(num_heads=1, key_dim=8, use_bias=False)
    layer.build(Q.shape, values.shape, K.shape)
    layer.set_weights([np.eye(8).reshape(weight.shape) for weight in layer.weights])
    return layer(Q, values, K, attention_mask=mask[:, None], **options)


def heads_of_pytorch(values, mask):
    module = torch.nn.MultiheadAttention(8, 2, batch_first=True)
    inputs = map(torch.tensor, (Q, K, values, ~mask))
    return module(*inputs)[0].detach()


def fused(values, mask):
    *inputs, mask = map(torch.tensor, (Q, K, values, mask[:, None]))
    return torch.nn.functional.scaled_dot_product_attention(*inputs, attn_mask=mask)


# What others make of Q, K and values, with a mask of (batch, keys): the part of the table's cell
# that tells it, the name in it, and what pools.
OTHERS = [
    ("same weight", "Flax", of_jax(linen.dot_product_attention)),
    ("same weight", "`jax.nn.dot_product_attention`", of_jax(jax.nn.dot_product_attention)),
    ("same weight", "Keras's `Attention`", of_keras(keras.layers.Attention)),
    ("same weight", "`AdditiveAttention`", of_keras(keras.layers.AdditiveAttention)),
    ("NaN:", "`nn.MultiheadAttention`", heads_of_pytorch),
    ("0:", "`F.scaled_dot_product_attention`", fused),
    ("same weight", "`MultiHeadAttention`", heads_of_keras),
]
OTHERS = pytest.mark.parametrize(("told", "name", "pool"), OTHERS, ids=[o[1] for o in OTHERS])


@OTHERS
def test_what_others_give_where_no_query_may_look(told, name, pool):
    (row,) = re.findall(r"^\| a query that may look at no key .*$", TEXT, re.MULTILINE)
    (part,) = (part for part in row.split("|")[3].split(";") if told in part)
    assert name in part
    mean = np.broadcast_to(V.mean(axis=1, keepdims=True), Q.shape)
    expected = {"same weight": mean, "NaN:": np.nan * Q, "0:": 0 * Q}[told]
    np.testing.assert_allclose(pool(V, NOTHING), expected, atol=1e-5)


def test_what_keras_gives_there_if_asked_for_scores():
    output, scores = heads_of_keras(V, NOTHING, return_attention_scores=True)
    assert "asked for its scores, too, 0" in TEXT
    assert not np.any(output)
    assert not np.any(scores)


@OTHERS
def test_others_let_padding_through_that_is_not_a_number(told, name, pool):
    dirty = np.where(MASK[:, :, None], V, np.nan).astype("float32")
    assert np.isfinite(np.asarray(pool(V, MASK))).all()
    assert np.isnan(np.asarray(pool(dirty, MASK))).any()
