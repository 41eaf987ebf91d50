"""Chapter 15's step: the reader's own attention in JAX, as people write it."""

import pytest

pytest.importorskip("jax")

import math

import jax
import jax.numpy as jnp
import numpy as np
import torch
import torch.nn.functional as F

from classroom import sandbox
from d2lmini.exercises import NotYet
from d2lmini.exercises.chapter_15 import step

WHOLE = """\
def in_jax(queries, keys, values, valid_lens=None):
    d = queries.shape[-1]
    scores = queries @ keys.mT / math.sqrt(d)
    if valid_lens is not None:
        lens = valid_lens if valid_lens.ndim == 2 else valid_lens[:, None]
        hidden = jnp.arange(keys.shape[1]) >= lens[..., None]
        scores = jnp.where(hidden, -jnp.inf, scores)
    weights = jax.nn.softmax(scores, axis=-1)
    if valid_lens is not None:
        weights = jnp.where(hidden, 0, weights)
    return weights @ values
"""
ROOT, HIDES, AFTER = " / math.sqrt(d)", "jnp.where(hidden, -jnp.inf, scores)", "jnp.where(hidden, 0, weights)"
SOFTMAX, LENS, NO_AFTER = "jax.nn.softmax(scores, axis=-1)", "valid_lens if valid_lens.ndim", (AFTER, "weights")
WHERE = (HIDES, "scores", *NO_AFTER, SOFTMAX, "jax.nn.softmax(scores, axis=-1, where={})")
SEEN = "None if valid_lens is None else ~hidden"
HIDDEN = "None if valid_lens is None else hidden"
AT = "scores.at[jnp.broadcast_to(hidden, scores.shape)].set(-jnp.inf)"
# What stands in the place of what, and what the check says.
WRONG = [
    (ROOT, "", "not divided"),
    (ROOT, " / d", "the root of d is meant"),
    (ROOT, " / math.sqrt(keys.shape[1])", "the number of keys"),
    (ROOT, " / math.sqrt(values.shape[-1])", "the values' size"),
    ("keys.mT", "keys", "turns each matrix"),
    ("keys.mT", "keys.T", "turns each matrix"),
    ("keys.mT", "keys.transpose(1, 2)", "PyTorch's word"),
    ("keys.mT", "keys.reshape(len(keys), d, -1)", "reshape keeps the order"),
    ("axis=-1", "axis=0", "along the minibatch"),
    ("axis=-1", "axis=1", "does not run along the keys"),
    ("axis=-1", "dim=-1", "PyTorch's word"),
    (HIDES, "scores", "a row sums to less than 1"),
    (">=", "<", "turned round"),
    (">=", ">", "the first place has the number 0"),
    (*WHERE[:-1], WHERE[-1].format(HIDDEN), "turned round"),
    (HIDES, "jnp.where(hidden, -1e6, scores)", *NO_AFTER, "gets equal weights"),
    (HIDES, "jnp.where(hidden, 0, scores)", *NO_AFTER, "hidden scores are 0"),
    (*NO_AFTER, "a row without keys is NaN"),
    (HIDES, "scores.masked_fill(hidden, -math.inf)", "PyTorch's word"),
    (f"scores = {HIDES}", "scores[hidden] = -jnp.inf", "never changes"),
    (f"scores = {HIDES}", "scores = np.asarray(scores)\n        scores[...] = 0", "never changes"),
    (f"scores = {HIDES}", AT, *NO_AFTER, "Did you keep what"),
    (HIDES, "scores.at[hidden].set(-jnp.inf)", "takes one with the shape of the scores"),
    ("lens[..., None]", "lens", "a mask is"),
    (LENS, "valid_lens[:, :1] if valid_lens.ndim", "the first counts for all"),
    ("if valid_lens is not None", "if True", "every key counts"),
    ("jnp.arange", "torch.arange", "PyTorch does not take"),
    (SOFTMAX, "F.softmax(scores, dim=-1)", "PyTorch"),
    ("weights @ values", "torch.tensor(np.asarray(weights @ values))", "not a torch.Tensor"),
    ("weights @ values", "np.asarray(weights @ values)", "not a numpy.ndarray"),
    ("return weights @ values", "weights @ values", "did you forget `return`"),
    ("weights @ values", "weights", "these are the weights"),
]
MAPPED = """\
def of_one(query, keys, values, length):
    scores = keys @ query / len(query) ** 0.5
    return jax.nn.softmax(scores, where=jnp.arange(len(keys)) < length) @ values


def in_jax(queries, keys, values, valid_lens=None):
    lens = jnp.array(keys.shape[1]) if valid_lens is None else valid_lens
    lens = lens[:, None] if lens.ndim == 1 else lens
    lens = jnp.broadcast_to(lens, queries.shape[:2])
    of_example = jax.vmap(of_one, (0, None, None, 0))
    return jax.vmap(of_example)(queries, keys, values, lens)
"""
RIGHT = [
    WHOLE,
    WHOLE.replace("queries @ keys.mT", "queries @ jnp.swapaxes(keys, 1, 2)"),
    WHOLE.replace("queries @ keys.mT", 'jnp.einsum("bqd,bkd->bqk", queries, keys)'),
    WHOLE.replace(HIDES, AT),
    WHOLE.replace(AFTER, "jnp.nan_to_num(weights)"),
    WHOLE.replace(HIDES, "scores").replace(AFTER, "weights").replace(SOFTMAX, WHERE[-1].format(SEEN)),
    f"@jax.jit\n{WHOLE}",
    MAPPED,
]


def written(source):
    space = {"math": math, "jax": jax, "jnp": jnp, "np": np, "torch": torch, "F": F}
    exec(source, space)
    return space["in_jax"]


@pytest.mark.parametrize("row", WRONG, ids=lambda row: row[1][:40])
def test_a_wrong_version_is_refused_by_the_name_of_its_mistake(row):
    *changes, why = row
    source = WHOLE
    for old, new in zip(changes[::2], changes[1::2], strict=True):
        assert old in source
        source = source.replace(old, new)
    with pytest.raises(NotYet, match=why):
        step(written(source))


@pytest.mark.parametrize("source", RIGHT)
def test_a_right_version_is_taken_in_any_style(source, capsys):
    step(written(source))
    assert capsys.readouterr().out == f"Right. {step.praise}\n"


def test_what_it_gives_reaches_the_grader(capsys):
    cases = sandbox.packed(step.cases())
    told = sandbox.Told("step", cases, None, library=step.library).outcomes(written(WHOLE))
    assert step.judge([[*map(sandbox.unpacked, outcome)] for outcome in told]).right is True


@pytest.mark.parametrize(("why", "slip"), step.slips.items())
def test_each_slip_is_named(why, slip):
    """In float32, as a reader's JAX computes."""
    found = [[slip(*case), case] for case in step.cases()]
    assert step.judge(found) == (False, why)
