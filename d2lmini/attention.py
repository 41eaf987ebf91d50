"""Attention pooling, and one small class for each way to score a query against a key."""

import math

import torch
import torch.nn.functional as F
from torch import nn

from .checks import check_dropout, check_inputs, check_size, is_transformed
from .masking import masked_softmax, padding_mask, valid_parts

# How many numbers additive attention makes at a time: few fit the cache, many save calls.
CHUNK = 2**20


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
        The weights of the last call, before dropout, detached from the graph. None after a call
        inside a transform of torch.func, whose tensors must not get out.

    Notes
    -----
    Chapter 6: f(q) = sum_i alpha(q, k_i) v_i with alpha = softmax of the scores. Padding is what
    no query of an example may see. A key that some query may see must be a number, since NaN
    times a weight of 0 is NaN in the gradients of the other queries.
    """

    def __init__(self, dropout=0.0):
        super().__init__()
        check_dropout(dropout)
        self.dropout = nn.Dropout(dropout)
        self.attention_weights = None

    def score(self, queries, keys):
        """Return the scores, (batch, queries, keys)."""
        raise NotImplementedError

    def expected_sizes(self, query_size, key_size):
        """Return the sizes of a query and a key that `score` wants, given those that came."""
        return query_size, key_size

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
        parts = valid_parts(queries, keys, values, valid_lens)
        pooled = [self.pool(*part) for part in parts]
        self.attention_weights = join_weights([weights for _, weights in pooled], keys.shape[1])
        return join([output for output, _ in pooled])

    def pool(self, queries, keys, values, valid_lens):
        """Return the values pooled and the weights; the padding that comes here is clean."""
        weights = masked_softmax(self.score(queries, keys), valid_lens)  # (batch, queries, keys)
        return torch.bmm(self.dropout(weights), values), weights


class DotProductAttention(Attention):
    """Scaled dot-product attention: the score is q^T k / sqrt(d).

    Parameters
    ----------
    dropout : float
        Probability with which a weight is dropped in training.
    need_weights : bool
        False: use PyTorch's fused kernel, which never holds the weights. It is faster and takes
        less memory; `attention_weights` stays None, and there are no second derivatives.

    Notes
    -----
    Chapter 6. Vaswani et al., Attention Is All You Need, 2017, section 3.2.1.
    """

    def __init__(self, dropout=0.0, need_weights=True):
        super().__init__(dropout)
        self.need_weights = need_weights

    def score(self, queries, keys):
        d = queries.shape[-1]
        return torch.bmm(queries / math.sqrt(d), keys.transpose(1, 2))  # (batch, queries, keys)

    def pool(self, queries, keys, values, valid_lens):
        if self.need_weights:
            return super().pool(queries, keys, values, valid_lens)
        p = self.dropout.p if self.training else 0.0
        return fused_attention(queries, keys, values, valid_lens, p), None

    def expected_sizes(self, query_size, key_size):
        return query_size, query_size


class AdditiveAttention(Attention):
    """Additive attention: the score is w_v^T tanh(W_q q + W_k k).

    Parameters
    ----------
    num_hiddens : int
        The size of the space in which queries and keys are added.
    dropout : float
        Probability with which a weight is dropped in training.
    query_size, key_size : int, optional
        Inferred at the first call when not given.

    Raises
    ------
    ValueError, TypeError
        When a size is not an integer of at least 1.

    Notes
    -----
    Equation (7.3). Bahdanau, Cho and Bengio, Neural Machine Translation by Jointly Learning to
    Align and Translate, 2015, appendix A.1.2. Never more than about `CHUNK` of the
    batch x queries x keys x num_hiddens numbers are made at a time, or those of one query if
    they are more. A backward pass keeps them all.
    """

    def __init__(self, num_hiddens, dropout=0.0, query_size=None, key_size=None):
        super().__init__(dropout)
        self.W_q = linear("query_size", query_size, "num_hiddens", num_hiddens)
        self.W_k = linear("key_size", key_size, "num_hiddens", num_hiddens)
        self.w_v = nn.Linear(num_hiddens, 1, bias=False)

    def score(self, queries, keys):
        def score_all_pairs(queries, keys):
            features = queries.unsqueeze(2) + keys.unsqueeze(1)  # (batch, queries, keys, hiddens)
            return self.w_v(features.tanh_()).squeeze(-1)  # (batch, queries, keys)

        return in_chunks(score_all_pairs, self.W_q(queries), self.W_k(keys))

    def expected_sizes(self, query_size, key_size):
        return self.W_q.in_features or query_size, self.W_k.in_features or key_size


class BilinearAttention(Attention):
    """Bilinear attention: the score is q^T M k. Queries and keys may differ in size.

    Parameters
    ----------
    query_size, key_size : int
    dropout : float
        Probability with which a weight is dropped in training.

    Raises
    ------
    ValueError, TypeError
        When a size is not an integer of at least 1.

    Notes
    -----
    Chapter 8. Luong, Pham and Manning, Effective Approaches to Attention-based Neural Machine
    Translation, 2015, section 3.1, there called general.
    """

    def __init__(self, query_size, key_size, dropout=0.0):
        super().__init__(dropout)
        check_size("query_size", query_size)
        check_size("key_size", key_size)
        # With this factor the scores of random queries and keys start with variance 1.
        self.M = nn.Parameter(torch.randn(query_size, key_size) / math.sqrt(query_size * key_size))

    def score(self, queries, keys):
        return torch.bmm(queries @ self.M, keys.transpose(1, 2))  # (batch, queries, keys)

    def expected_sizes(self, query_size, key_size):
        return tuple(self.M.shape)


class DistanceAttention(Attention):
    """Distance attention: the score is -||q - k||^2 / 2, a Gaussian kernel after the softmax.

    Parameters
    ----------
    dropout : float
        Probability with which a weight is dropped in training.

    Notes
    -----
    Chapter 8. It is q^T k - ||q||^2 / 2 - ||k||^2 / 2, so no tensor of all differences is made.
    Nadaraya, On Estimating Regression, 1964; Watson, Smooth Regression Analysis, 1964.
    """

    def score(self, queries, keys):
        dots = torch.bmm(queries, keys.transpose(1, 2))  # (batch, queries, keys)
        q_norms = queries.square().sum(dim=-1).unsqueeze(2)  # (batch, queries, 1)
        k_norms = keys.square().sum(dim=-1).unsqueeze(1)  # (batch, 1, keys)
        return dots - q_norms / 2 - k_norms / 2

    def expected_sizes(self, query_size, key_size):
        return query_size, query_size


def in_chunks(score, queries, keys):
    """Score a few queries at a time, so that about CHUNK numbers are held at once, not all."""
    per_query = keys.numel()  # batch x keys x hiddens
    chunks = queries.split(max(1, CHUNK // max(1, per_query)), dim=1)
    return torch.cat([score(chunk, keys) for chunk in chunks], dim=1)


def fused_attention(queries, keys, values, valid_lens, dropout):
    """Scaled dot-product attention without weights to look at; its padding must be clean."""
    # The fast kernels want an axis for heads.
    q, k, v = queries.unsqueeze(1), keys.unsqueeze(1), values.unsqueeze(1)
    if valid_lens is None:
        return F.scaled_dot_product_attention(q, k, v, dropout_p=dropout).squeeze(1)
    hidden = padding_mask(valid_lens, (*q.shape[:3], k.shape[2]), q.device)
    # What a kernel makes of a row without keys differs: let it see them all, then drop the row.
    empty = hidden[..., :1].all(dim=-1, keepdim=True)
    output = F.scaled_dot_product_attention(q, k, v, attn_mask=empty | ~hidden, dropout_p=dropout)
    return output.masked_fill(empty, 0).squeeze(1)


def join(parts):
    """Put the parts of a batch together again."""
    return parts[0] if len(parts) == 1 else torch.cat(parts)


def join_weights(parts, keys):
    """Put weights together, detached, with 0 for the keys that were cut off; None if not known."""
    if parts[0] is None or is_transformed():  # weights must not outlive a transform of torch.func
        return None
    if len(parts) == 1 and parts[0].shape[-1] == keys:
        return parts[0].detach()
    joined = parts[0].new_zeros(len(parts), parts[0].shape[1], keys)
    for example, part in enumerate(parts):
        joined[example, :, : part.shape[-1]] = part[0].detach()
    return joined


def linear(in_name, in_size, out_name, out_size):
    """Return a linear map without bias; its input size is inferred at the first call if None."""
    check_size(out_name, out_size)
    if in_size is None:
        return nn.LazyLinear(out_size, bias=False)
    check_size(in_name, in_size)
    return nn.Linear(in_size, out_size, bias=False)
