"""Masked softmax and attention in MXNet 1.9.1, as Gluon blocks on its NumPy interface.

MXNet was retired in 2023. Importing this switches it to NumPy's arrays and shapes: npx.set_np().
"""

import math

import numpy

from ..lengths import broadcastable, broadcastable_mask
from ..renamed import check_dropout, renamed
from .shapes import check_inputs

try:
    from mxnet import np, npx
    from mxnet.gluon import nn
except (ImportError, AttributeError) as error:  # AttributeError: NumPy 1.24 or later
    raise ImportError('d2lmini.mxnet needs MXNet: pip install "d2lmini[mxnet]"') from error

npx.set_np()


@renamed(X="scores")
def masked_softmax(scores, valid_lens=None, *, mask=None):
    """Turn scores, (batch, ..., queries, keys), into weights; what is hidden gets exactly 0.

    `valid_lens`, (batch,) or (batch, queries), says how many keys a query may look at; `mask`,
    True or 1 where it may look, has any shape that broadcasts, such as (batch, keys). A row
    without keys is all 0.
    """
    hidden = hidden_places(scores.shape, valid_lens, mask)
    weights = npx.softmax(clear(scores, hidden, -math.inf), axis=-1)
    return clear(weights, hidden)  # a row without keys is NaN before


def clear(x, hidden, number=0.0):
    """Return x with a number where it is hidden."""
    if not x.size:  # MXNet's where can't take that
        return x
    return np.where(hidden, np.full_like(x, number), x)  # with the number itself: gradient 0


def hidden_places(shape, valid_lens, mask):
    """Return a boolean array, True where a query may not look, that broadcasts with scores."""
    hidden = numpy.zeros((1,) * len(shape), bool)
    if valid_lens is not None:
        hidden = hidden | (numpy.arange(shape[-1]) >= broadcastable(as_numpy(valid_lens), shape))
    if mask is not None:
        hidden = hidden | ~broadcastable_mask(as_numpy(mask), shape)
    return np.array(hidden, dtype=bool)


def clear_padding(queries, keys, values, valid_lens, mask):
    """Return keys and values with 0 where no query of their example may look."""
    hidden = hidden_places((*queries.shape[:-1], keys.shape[-2]), valid_lens, mask)
    unseen = hidden.all(axis=-2)[..., None]  # (batch, ..., keys, 1)
    return clear(keys, unseen), clear(values, unseen)


def as_numpy(given):
    """Return MXNet's arrays as NumPy's, whole numbers as integers: np.array([1, 0]) is float32."""
    if not isinstance(given, np.ndarray):
        return given
    array = given.asnumpy()
    whole = array.dtype == "float32" and all(x.is_integer() for x in array.flat)
    return array.astype(int) if whole else array


class Attention(nn.Block):
    """Average the values with weights that queries and keys decide; a subclass says how to score.

    Call `initialize` first. Weights are dropped under autograd.record() or train_mode() alone.
    What stands where no query may look, NaN included, changes neither outputs nor gradients.
    `attention_weights` holds the weights of the last call, before dropout, off the graph. There
    may be more axes, such as heads, behind the batch.
    """

    def __init__(self, dropout=0.0):
        super().__init__()
        check_dropout(dropout, type(self))
        self.dropout = nn.Dropout(dropout)
        self.attention_weights = None

    def score(self, queries, keys):
        """Return the scores, (batch, ..., queries, keys)."""
        raise NotImplementedError

    def expected_sizes(self, query_size, key_size):
        """Return the sizes of a query and a key that `score` wants, given those that came."""
        return query_size, key_size

    def __call__(self, queries, keys, values, valid_lens=None, *, mask=None):
        """Return the output, (batch, ..., queries, value_size)."""
        return super().__call__(queries, keys, values, valid_lens, mask)  # Gluon knows no names

    def forward(self, queries, keys, values, valid_lens, mask):
        check_inputs(self, queries, keys, values)
        keys, values = clear_padding(queries, keys, values, valid_lens, mask)
        weights = masked_softmax(self.score(queries, keys), valid_lens, mask=mask)
        self.attention_weights = weights.detach()
        return np.matmul(self.dropout(weights), values)


class DotProductAttention(Attention):
    """Scaled dot-product attention: the score is q^T k / sqrt(d)."""

    def score(self, queries, keys):
        d = queries.shape[-1]
        return np.matmul(queries / math.sqrt(d), keys.swapaxes(-1, -2))

    def expected_sizes(self, query_size, key_size):
        return query_size, query_size


class AdditiveAttention(Attention):
    """Additive attention: the score is w_v^T tanh(W_q q + W_k k).

    The parameters are the weights of W_k, W_q and w_v, each (outputs, inputs), as in PyTorch.
    `query_size` and `key_size` may be left out.
    """

    def __init__(self, num_hiddens, dropout=0.0, query_size=None, key_size=None):
        super().__init__(dropout)
        self.query_size, self.key_size = query_size, key_size
        self.W_k = nn.Dense(num_hiddens, use_bias=False, flatten=False)
        self.W_q = nn.Dense(num_hiddens, use_bias=False, flatten=False)
        self.w_v = nn.Dense(1, use_bias=False, flatten=False)

    def score(self, queries, keys):
        queries, keys = self.W_q(queries), self.W_k(keys)
        features = np.expand_dims(queries, -2) + np.expand_dims(keys, -3)
        return self.w_v(np.tanh(features)).squeeze(-1)  # (batch, ..., queries, keys)

    def expected_sizes(self, query_size, key_size):
        return self.query_size or query_size, self.key_size or key_size
