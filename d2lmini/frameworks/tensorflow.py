"""Masked softmax and attention in TensorFlow, as layers of Keras 3 on its TensorFlow backend."""

import math

from ..lengths import broadcastable

try:
    import tensorflow as tf
    from keras import layers, ops
except ImportError as error:
    raise ImportError(
        'd2lmini.tensorflow needs TensorFlow and Keras: pip install "d2lmini[tensorflow]"'
    ) from error


def masked_softmax(scores, valid_lens=None):
    """Turn scores, (batch, ..., queries, keys), into weights; padding gets exactly 0.

    `valid_lens`, (batch,) or (batch, queries), says how many keys a query may look at; a row of
    valid length 0 is all 0. In a tf.function only the shape and type of lengths are checked.
    """
    if valid_lens is None:
        return tf.nn.softmax(scores, axis=-1)
    hidden = padding_mask(valid_lens, ops.shape(scores))  # (batch, ..., queries or 1, keys)
    weights = tf.nn.softmax(tf.where(hidden, tf.cast(-math.inf, scores.dtype), scores), axis=-1)
    return tf.where(hidden, tf.zeros_like(weights), weights)


def padding_mask(valid_lens, shape):
    """Return a boolean tensor, True at padding, that broadcasts with scores of this shape."""
    known = not tf.is_tensor(valid_lens) or hasattr(valid_lens, "numpy")
    lens = tf.cast(broadcastable(valid_lens, shape, known), tf.int64)
    return tf.range(tf.cast(shape[-1], tf.int64)) >= lens


class Attention(layers.Layer):
    """Average the values with weights that queries and keys decide; a subclass says how to score.

    Keras wants lengths that are a list by name: ``attention(q, k, v, valid_lens=[2, 6])``. What
    stands where no query may look, NaN included, changes neither outputs nor gradients.

    `attention_weights` holds the weights of the last call, before dropout; after a call that was
    traced (tf.function, model.fit) it is None: a tensor of a graph must not get out. There
    ``return_attention_scores=True`` makes a call return (output, weights).
    """

    def __init__(self, dropout=0.0, **kwargs):
        super().__init__(**kwargs)
        self.dropout = layers.Dropout(dropout, dtype=self.dtype_policy)
        self.attention_weights = None

    def score(self, queries, keys):
        """Return the scores, (batch, queries, keys)."""
        raise NotImplementedError

    def call(
        self,
        queries,
        keys,
        values,
        valid_lens=None,
        training=False,
        return_attention_scores=False,
    ):
        """Return the output, (batch, queries, value_size)."""
        if valid_lens is not None:
            shape = (*ops.shape(queries)[:2], ops.shape(keys)[1])
            unseen = tf.reduce_all(padding_mask(valid_lens, shape), axis=1)[..., None]
            keys = tf.where(unseen, tf.zeros_like(keys), keys)  # unseen: (batch, keys, 1)
            values = tf.where(unseen, tf.zeros_like(values), values)
        weights = masked_softmax(self.score(queries, keys), valid_lens)
        self.attention_weights = weights if tf.executing_eagerly() else None
        output = tf.matmul(self.dropout(weights, training=training), values)
        return (output, weights) if return_attention_scores else output


class DotProductAttention(Attention):
    """Scaled dot-product attention: the score is q^T k / sqrt(d)."""

    def score(self, queries, keys):
        d = queries.shape[-1]
        return tf.matmul(queries / math.sqrt(d), keys, transpose_b=True)  # (batch, queries, keys)


class AdditiveAttention(Attention):
    """Additive attention: the score is w_v^T tanh(W_q q + W_k k).

    The parameters are the kernels of W_q, W_k and w_v, each (inputs, outputs): the transpose of
    PyTorch's.
    """

    def __init__(self, num_hiddens, dropout=0.0, **kwargs):
        super().__init__(dropout, **kwargs)
        self.W_q = layers.Dense(num_hiddens, use_bias=False, dtype=self.dtype_policy)
        self.W_k = layers.Dense(num_hiddens, use_bias=False, dtype=self.dtype_policy)
        self.w_v = layers.Dense(1, use_bias=False, dtype=self.dtype_policy)

    def build(self, queries_shape, keys_shape):
        self.W_q.build(queries_shape)
        self.W_k.build(keys_shape)
        self.w_v.build((self.W_q.units,))

    def score(self, queries, keys):
        queries, keys = self.W_q(queries), self.W_k(keys)
        features = queries[:, :, None] + keys[:, None]  # (batch, queries, keys, num_hiddens)
        return tf.squeeze(self.w_v(tf.tanh(features)), -1)  # (batch, queries, keys)
