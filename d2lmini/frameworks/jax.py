"""Masked softmax and attention in JAX and Flax: pure functions, so the weights are returned."""

import math

from ..lengths import broadcastable

try:
    import jax
    import jax.numpy as jnp
    from flax import linen as nn
except ImportError as error:
    raise ImportError('d2lmini.jax needs JAX and Flax: pip install "d2lmini[jax]"') from error


def masked_softmax(scores, valid_lens=None):
    """Turn scores, (batch, ..., queries, keys), into weights; padding gets exactly 0.

    `valid_lens`, (batch,) or (batch, queries), says how many keys a query may look at; a row of
    valid length 0 is all 0. Under jit and vmap only the shape and type of lengths are checked.
    """
    if valid_lens is None:
        return nn.softmax(scores, axis=-1)
    hidden = padding_mask(valid_lens, scores.shape)  # (batch, ..., queries or 1, keys)
    return nn.softmax(scores, axis=-1, where=~hidden)  # 0 where hidden


def padding_mask(valid_lens, shape):
    """Return a boolean array, True at padding, that broadcasts with scores of this shape."""
    known = not isinstance(valid_lens, jax.core.Tracer)
    return jnp.arange(shape[-1]) >= broadcastable(valid_lens, shape, known)


class Attention(nn.Module):
    """Average the values with weights that queries and keys decide; a subclass says how to score.

    A subclass has the field `dropout`. Dropout needs ``deterministic=False`` and, in `apply`,
    ``rngs={"dropout": key}``. What stands where no query may look, NaN included, changes neither
    outputs nor gradients.

    >>> attention = AdditiveAttention(num_hiddens=8)
    >>> variables = attention.init(jax.random.key(0), queries, keys, values)
    >>> output, attention_weights = attention.apply(variables, queries, keys, values, [2, 6])
    """

    def score(self, queries, keys):
        """Return the scores, (batch, queries, keys)."""
        raise NotImplementedError

    @nn.compact
    def __call__(self, queries, keys, values, valid_lens=None, deterministic=True):
        """Return the output, (batch, queries, value_size), and the weights before dropout."""
        if valid_lens is not None:
            shape = (*queries.shape[:2], keys.shape[1])
            unseen = padding_mask(valid_lens, shape).all(axis=1)[..., None]  # (batch, keys, 1)
            keys, values = jnp.where(unseen, 0, keys), jnp.where(unseen, 0, values)
        attention_weights = masked_softmax(self.score(queries, keys), valid_lens)
        dropped = nn.Dropout(self.dropout)(attention_weights, deterministic=deterministic)
        return jnp.matmul(dropped, values), attention_weights


class DotProductAttention(Attention):
    """Scaled dot-product attention: the score is q^T k / sqrt(d)."""

    dropout: float = 0.0

    def score(self, queries, keys):
        d = queries.shape[-1]
        return jnp.matmul(queries / math.sqrt(d), keys.swapaxes(1, 2))  # (batch, queries, keys)


class AdditiveAttention(Attention):
    """Additive attention: the score is w_v^T tanh(W_q q + W_k k).

    The parameters are the kernels of W_q, W_k and w_v, each (inputs, outputs): the transpose of
    PyTorch's.
    """

    num_hiddens: int
    dropout: float = 0.0

    def setup(self):
        self.W_q = nn.Dense(self.num_hiddens, use_bias=False)
        self.W_k = nn.Dense(self.num_hiddens, use_bias=False)
        self.w_v = nn.Dense(1, use_bias=False)

    def score(self, queries, keys):
        queries, keys = self.W_q(queries), self.W_k(keys)
        features = queries[:, :, None] + keys[:, None]  # (batch, queries, keys, num_hiddens)
        return self.w_v(jnp.tanh(features)).squeeze(-1)  # (batch, queries, keys)
