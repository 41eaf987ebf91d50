"""Masked softmax and attention in MXNet 1.9.1, as Gluon blocks on its NumPy interface.

MXNet was retired in 2023. Importing this switches it to NumPy's arrays and shapes: npx.set_np().
"""

import math

from ..lengths import broadcastable

try:
    from mxnet import np, npx
    from mxnet.gluon import nn
except (ImportError, AttributeError) as error:  # AttributeError: NumPy 1.24 or later
    raise ImportError('d2lmini.mxnet needs MXNet: pip install "d2lmini[mxnet]"') from error

npx.set_np()


def masked_softmax(scores, valid_lens=None):
    """Turn scores, (batch, ..., queries, keys), into weights; padding gets exactly 0.

    `valid_lens`, (batch,) or (batch, queries), says how many keys a query may look at; a row of
    valid length 0 is all 0.
    """
    if valid_lens is None:
        return npx.softmax(scores, axis=-1)
    lens = np.broadcast_to(lengths(valid_lens, scores.shape)[..., 0], scores.shape[:-1])
    return npx.softmax(scores, axis=-1, length=lens, use_length=True)  # 0 beyond the length


def padding_mask(valid_lens, shape):
    """Return a boolean array, True at padding, that broadcasts with scores of this shape."""
    return np.arange(shape[-1], dtype="int64") >= lengths(valid_lens, shape)


def lengths(valid_lens, shape):
    """Return lengths as an array, (batch, ..., 1 or queries, 1)."""
    if isinstance(valid_lens, np.ndarray):
        valid_lens = valid_lens.asnumpy()
        if valid_lens.dtype == "float32" and all(x.is_integer() for x in valid_lens.flat):
            valid_lens = valid_lens.astype(int)  # MXNet's np.array([2, 6]) is of float32
    return np.array(broadcastable(valid_lens, shape), dtype="int64")


class Attention(nn.Block):
    """Average the values with weights that queries and keys decide; a subclass says how to score.

    Call `initialize` first. Weights are dropped under autograd.record() or train_mode() alone.
    What stands where no query may look, NaN included, changes neither outputs nor gradients.
    `attention_weights` holds the weights of the last call, before dropout, off the graph.
    """

    def __init__(self, dropout=0.0):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.attention_weights = None

    def score(self, queries, keys):
        """Return the scores, (batch, queries, keys)."""
        raise NotImplementedError

    def forward(self, queries, keys, values, valid_lens=None):
        """Return the output, (batch, queries, value_size)."""
        if valid_lens is not None:
            shape = (*queries.shape[:2], keys.shape[1])
            unseen = padding_mask(valid_lens, shape).all(axis=1)[..., None]  # (batch, keys, 1)
            # With a number in place of zeros_like, MXNet's where has the gradient 0.
            keys = np.where(unseen, np.zeros_like(keys), keys)
            values = np.where(unseen, np.zeros_like(values), values)
        weights = masked_softmax(self.score(queries, keys), valid_lens)
        self.attention_weights = weights.detach()
        return npx.batch_dot(self.dropout(weights), values)


class DotProductAttention(Attention):
    """Scaled dot-product attention: the score is q^T k / sqrt(d)."""

    def score(self, queries, keys):
        d = queries.shape[-1]
        return npx.batch_dot(queries / math.sqrt(d), keys, transpose_b=True)


class AdditiveAttention(Attention):
    """Additive attention: the score is w_v^T tanh(W_q q + W_k k).

    The parameters are the weights of W_q, W_k and w_v, each (outputs, inputs), as in PyTorch.
    """

    def __init__(self, num_hiddens, dropout=0.0):
        super().__init__(dropout)
        self.W_q = nn.Dense(num_hiddens, use_bias=False, flatten=False)
        self.W_k = nn.Dense(num_hiddens, use_bias=False, flatten=False)
        self.w_v = nn.Dense(1, use_bias=False, flatten=False)

    def score(self, queries, keys):
        queries, keys = self.W_q(queries), self.W_k(keys)
        features = np.expand_dims(queries, 2) + np.expand_dims(keys, 1)
        return self.w_v(np.tanh(features)).squeeze(-1)  # (batch, queries, keys)
