"""Attention pooling, and one small class for each way to score a query against a key."""

import math

import torch
from torch import nn

from .masking import masked_softmax, padding_mask, zero_padding


class Attention(nn.Module):
    """Attention pooling: average the values with weights that queries and keys decide.

    A subclass says how to `score`; the rest is here. Call it as
    ``attention(queries, keys, values, valid_lens=None)``.

    Parameters
    ----------
    dropout : float
        Probability with which a weight is dropped in training.

    Attributes
    ----------
    attention_weights : Tensor, (batch, queries, keys), or None
        The weights of the last call, before dropout, detached from the graph.
    """

    def __init__(self, dropout=0.0):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.attention_weights = None

    def score(self, queries, keys):
        """Return the scores, (batch, queries, keys)."""
        raise NotImplementedError

    def forward(self, queries, keys, values, valid_lens=None):
        """Pool the values.

        Parameters
        ----------
        queries : Tensor, (batch, queries, query_size)
        keys : Tensor, (batch, keys, key_size)
        values : Tensor, (batch, keys, value_size)
        valid_lens : array of integers, (batch,) or (batch, queries), optional
            How many keys an example or a query may look at; see `masked_softmax`. What stands
            where no query may look, NaN included, changes neither outputs nor gradients.

        Returns
        -------
        Tensor, (batch, queries, value_size)
            A query that may look at no key gets 0.

        Raises
        ------
        ValueError, TypeError
            When shapes, types or lengths don't fit together.
        """
        check_inputs(self, queries, keys, values)
        if valid_lens is not None:
            shape = (*queries.shape[:2], keys.shape[1])
            keys, values = zero_padding(padding_mask(valid_lens, shape, keys.device), keys, values)
        return self.pool(queries, keys, values, valid_lens)

    def pool(self, queries, keys, values, valid_lens):
        """Average the values with the masked softmax of the scores; the padding is clean."""
        weights = masked_softmax(self.score(queries, keys), valid_lens)  # (batch, queries, keys)
        self.attention_weights = weights.detach()
        return torch.bmm(self.dropout(weights), values)  # (batch, queries, value_size)


class DotProductAttention(Attention):
    """Scaled dot-product attention: the score is q^T k / sqrt(d)."""

    def score(self, queries, keys):
        d = queries.shape[-1]
        return torch.bmm(queries / math.sqrt(d), keys.transpose(1, 2))  # (batch, queries, keys)


class AdditiveAttention(Attention):
    """Additive attention: the score is w_v^T tanh(W_q q + W_k k)."""

    def __init__(self, num_hiddens, dropout=0.0, query_size=None, key_size=None):
        super().__init__(dropout)
        self.W_q = linear(query_size, num_hiddens)
        self.W_k = linear(key_size, num_hiddens)
        self.w_v = linear(num_hiddens, 1)

    def score(self, queries, keys):
        def pairs(queries, keys):
            features = queries.unsqueeze(2) + keys.unsqueeze(1)  # (batch, queries, keys, hiddens)
            return self.w_v(features.tanh_()).squeeze(-1)  # (batch, queries, keys)

        return in_chunks(pairs, self.W_q(queries), self.W_k(keys))


class BilinearAttention(Attention):
    """Bilinear attention: the score is q^T M k, for queries and keys of different sizes."""

    def __init__(self, query_size, key_size, dropout=0.0):
        super().__init__(dropout)
        # Scores of random queries and keys start with variance 1.
        self.M = nn.Parameter(torch.randn(query_size, key_size) / math.sqrt(query_size * key_size))

    def score(self, queries, keys):
        return torch.bmm(queries @ self.M, keys.transpose(1, 2))  # (batch, queries, keys)


class DistanceAttention(Attention):
    """Distance attention: the score is -||q - k||^2 / 2, a Gaussian kernel after the softmax."""

    def score(self, queries, keys):
        dot = torch.bmm(queries, keys.transpose(1, 2))  # (batch, queries, keys)
        q_norm = queries.square().sum(-1).unsqueeze(2)  # (batch, queries, 1)
        k_norm = keys.square().sum(-1).unsqueeze(1)  # (batch, 1, keys)
        return dot - k_norm / 2 - q_norm / 2


def linear(in_size, out_size):
    """A linear map without a bias; its input size is inferred at the first call when None."""
    if in_size is None:
        return nn.LazyLinear(out_size, bias=False)
    return nn.Linear(in_size, out_size, bias=False)


def in_chunks(score, queries, keys, budget=2**20):
    """Score a few queries at a time, so that score() holds about `budget` numbers, not all."""
    per_query = keys.numel()  # batch x keys x hiddens
    chunks = queries.split(max(1, budget // max(1, per_query)), dim=1)
    return torch.cat([score(chunk, keys) for chunk in chunks], dim=1)


def check_inputs(attention, queries, keys, values):
    """Raise unless queries, keys and values fit together."""
    for name, tensor in (("queries", queries), ("keys", keys), ("values", values)):
        if not isinstance(tensor, torch.Tensor):
            raise TypeError(f"{name} must be a tensor, got {type(tensor).__name__}")
        if tensor.dim() != 3:
            raise ValueError(
                f"{name} must have the shape (batch, {name}, size), got {tuple(tensor.shape)}"
            )
