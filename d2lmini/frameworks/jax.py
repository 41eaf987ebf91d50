"""Masked softmax and attention in JAX and Flax: pure functions, so the weights are returned."""

import math

from ..lengths import broadcastable, broadcastable_mask
from ..renamed import check_dropout, renamed
from .shapes import check_inputs

try:
    import jax
    import jax.numpy as jnp
    from flax import linen as nn
except ImportError as error:
    raise ImportError('d2lmini.jax needs JAX and Flax: pip install "d2lmini[jax]"') from error


@renamed(X="scores")
def masked_softmax(scores, valid_lens=None, *, mask=None):
    """Turn scores, (batch, ..., queries, keys), into weights; what is hidden gets exactly 0.

    `valid_lens`, (batch,) or (batch, queries), says how many keys a query may look at; `mask`,
    True or 1 where it may look, has any shape that broadcasts, such as (batch, keys). A row
    without keys is all 0. Under jit and vmap only shapes and types are checked.
    """
    hidden = hidden_places(scores.shape, valid_lens, mask)
    return nn.softmax(scores, axis=-1, where=~hidden)  # 0 where hidden


def hidden_places(shape, valid_lens, mask):
    """Return a boolean array, True where a query may not look, that broadcasts with scores."""
    hidden = jnp.zeros((1,) * len(shape), bool)
    if valid_lens is not None:
        lens = jnp.asarray(broadcastable(valid_lens, shape, is_known(valid_lens)))
        hidden |= jnp.arange(shape[-1]) >= lens.astype(int)
    if mask is not None:
        hidden |= jnp.asarray(broadcastable_mask(mask, shape, is_known(mask))) == 0
    return hidden


def clear_padding(queries, keys, values, valid_lens, mask):
    """Return keys and values with 0 where no query of their example may look."""
    hidden = hidden_places((*queries.shape[:-1], keys.shape[-2]), valid_lens, mask)
    unseen = hidden.all(axis=-2)[..., None]  # (batch, ..., keys, 1)
    return jnp.where(unseen, 0, keys), jnp.where(unseen, 0, values)


def is_known(array):
    """Whether Python may look at the values: not while JAX traces."""
    return not isinstance(array, jax.core.Tracer)


def in_float32(*arrays):
    """Return arrays of half types in float32, and others as they are: scores are computed so."""
    return [x.astype(jnp.promote_types(x.dtype, jnp.float32)) for x in arrays]


class Attention(nn.Module):
    """Average the values with weights that queries and keys decide; a subclass says how to score.

    A subclass has the field `dropout`. Dropout needs ``deterministic=False``, or
    ``training=True``, and in `apply` ``rngs={"dropout": key}``. What stands where no query may
    look, NaN included, changes neither outputs nor gradients. There may be more axes, such as
    heads, behind the batch.

    In Flax NNX, whose modules hold their variables, Flax's bridge makes an `nnx.Module` of it:
    ``nnx.bridge.ToNNX(AdditiveAttention(8), rngs=nnx.Rngs(0)).lazy_init(queries, keys, values)``.

    >>> attention = AdditiveAttention(num_hiddens=8)
    >>> variables = attention.init(jax.random.key(0), queries, keys, values)
    >>> output, attention_weights = attention.apply(variables, queries, keys, values, [2, 6])
    """

    def __post_init__(self):
        check_dropout(self.dropout, type(self))
        super().__post_init__()

    def score(self, queries, keys):
        """Return the scores, (batch, ..., queries, keys)."""
        raise NotImplementedError

    def expected_sizes(self, query_size, key_size):
        """Return the sizes of a query and a key that `score` wants, given those that came."""
        return query_size, key_size

    @nn.compact
    def __call__(
        self,
        queries,
        keys,
        values,
        valid_lens=None,
        *,
        mask=None,
        deterministic=True,
        training=False,
    ):
        """Return the output, (batch, ..., queries, value_size), and the weights before dropout."""
        check_inputs(self, queries, keys, values)
        keys, values = clear_padding(queries, keys, values, valid_lens, mask)
        weights = masked_softmax(self.score(queries, keys), valid_lens, mask=mask)
        weights = weights.astype(values.dtype)  # scores of half types are float32
        dropout = nn.Dropout(self.dropout, deterministic=deterministic and not training)
        return jnp.matmul(dropout(weights), values), weights


class DotProductAttention(Attention):
    """Scaled dot-product attention: the score is q^T k / sqrt(d)."""

    dropout: float = 0.0

    def score(self, queries, keys):
        d = queries.shape[-1]
        queries, keys = in_float32(queries, keys)
        return jnp.matmul(queries / math.sqrt(d), keys.swapaxes(-1, -2))

    def expected_sizes(self, query_size, key_size):
        return query_size, query_size


class AdditiveAttention(Attention):
    """Additive attention: the score is w_v^T tanh(W_q q + W_k k).

    The parameters are the kernels of W_k, W_q and w_v, each (inputs, outputs): the transpose of
    PyTorch's. `query_size` and `key_size` may be left out.
    """

    num_hiddens: int
    dropout: float = 0.0
    query_size: int | None = None
    key_size: int | None = None

    def setup(self):
        self.W_k = nn.Dense(self.num_hiddens, use_bias=False)
        self.W_q = nn.Dense(self.num_hiddens, use_bias=False)
        self.w_v = nn.Dense(1, use_bias=False)

    def score(self, queries, keys):
        queries, keys = in_float32(self.W_q(queries), self.W_k(keys))
        features = queries[..., :, None, :] + keys[..., None, :, :]
        return self.w_v(jnp.tanh(features)).squeeze(-1)  # (batch, ..., queries, keys)

    def expected_sizes(self, query_size, key_size):
        return self.query_size or query_size, self.key_size or key_size
