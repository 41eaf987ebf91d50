"""Masked softmax and attention in TensorFlow, as layers of Keras 3 on its TensorFlow backend."""

import math

from ..lengths import broadcastable, broadcastable_mask
from ..renamed import check_dropout, renamed
from .shapes import check_inputs

try:
    import tensorflow as tf
    from keras import layers, ops
except ImportError as error:
    raise ImportError(
        'd2lmini.tensorflow needs TensorFlow and Keras: pip install "d2lmini[tensorflow]"'
    ) from error


@renamed(X="scores")
def masked_softmax(scores, valid_lens=None, *, mask=None):
    """Turn scores, (batch, ..., queries, keys), into weights; what is hidden gets exactly 0.

    `valid_lens`, (batch,) or (batch, queries), says how many keys a query may look at; `mask`,
    True or 1 where it may look, has any shape that broadcasts, such as (batch, keys). A row
    without keys is all 0. In a tf.function only shapes and types are checked.
    """
    hidden = hidden_places(ops.shape(scores), valid_lens, mask)
    weights = tf.nn.softmax(tf.where(hidden, tf.cast(-math.inf, scores.dtype), scores), axis=-1)
    return tf.where(hidden, tf.zeros_like(weights), weights)  # a row without keys is NaN before


def hidden_places(shape, valid_lens, mask):
    """Return a boolean tensor, True where a query may not look, that broadcasts with scores."""
    hidden = tf.zeros((1,) * len(shape), tf.bool)
    if valid_lens is not None:
        lens = tf.cast(broadcastable(valid_lens, shape, is_known(valid_lens)), tf.int64)
        hidden |= tf.range(tf.cast(shape[-1], tf.int64)) >= lens
    if mask is not None:
        hidden |= ~tf.cast(broadcastable_mask(mask, shape, is_known(mask)), tf.bool)
    return hidden


def clear_padding(queries, keys, values, valid_lens, mask):
    """Return keys and values with 0 where no query of their example may look."""
    hidden = hidden_places(shape_of_scores(queries, keys), valid_lens, mask)
    unseen = tf.reduce_all(hidden, axis=-2)[..., None]  # (batch, ..., keys, 1)
    return tuple(tf.where(unseen, tf.zeros_like(x), x) for x in (keys, values))


def shape_of_scores(queries, keys):
    """Return (batch, ..., queries, keys); sizes that are not known yet are tensors."""
    return *ops.shape(queries)[:-1], ops.shape(keys)[-2]


def is_known(array):
    """Whether Python may look at the values: not in a tf.function."""
    return not tf.is_tensor(array) or hasattr(array, "numpy")


def in_float32(*tensors):
    """Return tensors of half types in float32, and others as they are: scores are computed so."""
    return [tf.cast(x, tf.float32) if x.dtype.size < 4 else x for x in tensors]


class Attention(layers.Layer):
    """Average the values with weights that queries and keys decide; a subclass says how to score.

    Keras wants lists by name: ``attention(q, k, v, valid_lens=[2, 6])``. A mask that Keras has
    attached to the keys, as `Embedding(mask_zero=True)` does, is used, too. What stands where no
    query may look, NaN included, changes neither outputs nor gradients. There may be more axes,
    such as heads, behind the batch.

    `attention_weights` holds the weights of the last call, before dropout; after a call that was
    traced (tf.function, model.fit) it is None: a tensor of a graph must not get out. There
    ``return_attention_scores=True`` makes a call return (output, weights).
    """

    def __init__(self, dropout=0.0, **kwargs):
        check_dropout(dropout, type(self))
        super().__init__(autocast=False, **kwargs)  # lengths of float32 must not become float16
        self.make_maps()  # then dropout, which takes a seed: as in *Dive into Deep Learning*
        self.dropout = layers.Dropout(dropout, dtype=self.dtype_policy)
        self.attention_weights = None

    def make_maps(self):
        """Make the layers that `score` wants."""

    def score(self, queries, keys):
        """Return the scores, (batch, ..., queries, keys)."""
        raise NotImplementedError

    def expected_sizes(self, query_size, key_size):
        """Return the sizes of a query and a key that `score` wants, given those that came."""
        return query_size, key_size

    def call(
        self,
        queries,
        keys,
        values,
        valid_lens=None,
        mask=None,
        training=False,
        return_attention_scores=False,
        keys_mask=None,
    ):
        """Return the output, (batch, ..., queries, value_size); Keras gives `keys_mask` itself."""
        check_inputs(self, queries, keys, values)
        queries, keys, values = (ops.cast(x, self.compute_dtype) for x in (queries, keys, values))
        if keys_mask is not None:
            hidden = hidden_places(shape_of_scores(queries, keys), None, mask)
            mask = keys_mask[..., None, :] & ~hidden  # both must allow
        keys, values = clear_padding(queries, keys, values, valid_lens, mask)
        weights = masked_softmax(self.score(queries, keys), valid_lens, mask=mask)
        weights = tf.cast(weights, values.dtype)  # scores of half types are float32
        self.attention_weights = weights if tf.executing_eagerly() else None
        output = tf.matmul(self.dropout(weights, training=training), values)
        return (output, weights) if return_attention_scores else output

    def compute_mask(self, inputs, previous_mask):
        """A mask of keys says nothing of the output."""
        return None


class DotProductAttention(Attention):
    """Scaled dot-product attention: the score is q^T k / sqrt(d)."""

    def score(self, queries, keys):
        d = queries.shape[-1]
        queries, keys = in_float32(queries, keys)
        return tf.matmul(queries / math.sqrt(d), keys, transpose_b=True)

    def expected_sizes(self, query_size, key_size):
        return query_size, query_size


class AdditiveAttention(Attention):
    """Additive attention: the score is w_v^T tanh(W_q q + W_k k).

    The parameters are the kernels of W_k, W_q and w_v, each (inputs, outputs): the transpose of
    PyTorch's. `query_size` and `key_size` may be left out. The same seed starts the same training
    here and in *Dive into Deep Learning*.
    """

    def __init__(self, num_hiddens, dropout=0.0, query_size=None, key_size=None, **kwargs):
        self.num_hiddens = num_hiddens
        self.query_size, self.key_size = query_size, key_size
        super().__init__(dropout, **kwargs)

    def make_maps(self):
        for name, units in (("W_k", self.num_hiddens), ("W_q", self.num_hiddens), ("w_v", 1)):
            dense = layers.Dense(units, use_bias=False, name=name, dtype=self.dtype_policy)
            setattr(self, name, dense)

    def build(self, queries_shape, keys_shape):
        sizes = self.expected_sizes(queries_shape[-1], keys_shape[-1])
        self.query_size, self.key_size = sizes
        self.W_q.build((None, self.query_size))
        self.W_k.build((None, self.key_size))
        self.w_v.build((None, self.W_q.units))

    def score(self, queries, keys):
        queries, keys = in_float32(self.W_q(queries), self.W_k(keys))
        features = tf.tanh(queries[..., :, None, :] + keys[..., None, :, :])
        w_v = tf.cast(self.w_v.kernel, features.dtype)
        return tf.squeeze(tf.tensordot(features, w_v, 1), -1)  # (batch, ..., queries, keys)

    def expected_sizes(self, query_size, key_size):
        return self.query_size or query_size, self.key_size or key_size
