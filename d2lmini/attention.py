"""Attention pooling, and one small class for each way to score a query against a key."""

import math
from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .checks import (
    Lengths,
    Mask,
    check_dropout,
    check_inputs,
    check_parameters,
    check_scale,
    check_size,
    in_float32,
    is_exporting,
    is_known,
    is_traced,
    keep_weights,
)
from .masks import as_one_mask, clear_padding, masked_softmax, mean_of_seen
from .renamed import in_a_call

# How many numbers additive attention makes at a time: few fit the cache, many save calls.
CHUNK = 2**20


class Attention(nn.Module):
    """Attention pooling: average the values with weights that queries and keys decide.

    A subclass says how to `score`, or how to `weigh`; the rest is here. Call it as
    ``attention(queries, keys, values, valid_lens=None, mask=None)``.

    Parameters
    ----------
    dropout : float
        Probability with which a weight is dropped in training.

    Attributes
    ----------
    attention_weights : Tensor, (batch, ..., queries, keys), or None
        The weights of the last call, before dropout, detached from the graph: what is computed
        from them has no gradient. For a loss that holds the weights take those of
        ``return_weights=True``. None after a call inside a transform of torch.func or under
        torch.export, whose tensors must not get out.
    need_weights : bool
        False: the weights are dropped after a call. A class may then take a way that never holds
        them, as `DotProductAttention` does.

    Notes
    -----
    Chapter 6: f(q) = sum_i alpha(q, k_i) v_i with alpha = softmax of the scores. Padding is what
    no query of an example may see. A key that some query may see must be a number, since NaN
    times a weight of 0 is NaN in the gradients of the other queries.

    These work on every class: `torch.compile` (also in one graph), `torch.export`, `torch.func`
    (vmap, grad, jvp), autocast, `copy.deepcopy` and pickle. Keep parameters with
    ``torch.save(attention.state_dict(), file)``, which `torch.load` reads as it is; a module saved
    whole needs ``torch.load(file, weights_only=False)``. `torch.jit.script` is not supported:
    it can't read lengths in lists; `torch.export` does what it was for.
    """

    need_weights: bool = True
    attention_weights: Tensor | None
    __call__: Callable[..., Any]

    def __init__(self, dropout: float = 0.0) -> None:
        super().__init__()
        check_dropout(dropout, type(self))
        self.dropout = nn.Dropout(dropout)
        self.attention_weights = None

    def score(self, queries: Tensor, keys: Tensor) -> Tensor:
        """Return the scores, (batch, ..., queries, keys), before a bias and a mask."""
        raise NotImplementedError

    def weigh(self, scores: Tensor, valid_lens: Lengths | None, mask: Mask | None) -> Tensor:
        """Return the weights, (batch, ..., queries, keys): the masked softmax of the scores.

        A subclass may say otherwise, with what is in `scores`: ``sparsemax(scores, valid_lens,
        mask=mask)``. In a call `valid_lens` is None: `mask` is lengths and mask in one, with as
        many axes as the scores and length 1 where it holds for all; None if nothing is hidden.
        What it hides gets 0 in any case. A rule that chooses among keys looks at
        ``scores.masked_fill(~mask, -torch.inf)``.
        """
        return masked_softmax(scores, valid_lens, mask=mask)

    def expected_sizes(self, query_size: int, key_size: int) -> tuple[int, int]:
        """Return the sizes of a query and a key that `score` wants, given those that came."""
        return query_size, key_size

    def forward(
        self,
        queries: Tensor,
        keys: Tensor,
        values: Tensor,
        valid_lens: Lengths | None = None,
        *,
        mask: Mask | None = None,
        bias: Tensor | None = None,
        return_weights: bool = False,
    ) -> Any:
        """Pool the values.

        Parameters
        ----------
        queries : Tensor, (batch, ..., queries, query_size)
            Heads, or any other axes between, are those of keys and values.
        keys : Tensor, (batch, ..., keys, key_size)
        values : Tensor, (batch, ..., keys, value_size)
        valid_lens : array of whole numbers, (batch,) or (batch, queries), optional
            How many keys an example or a query may look at; see `masked_softmax`. What stands
            where no query may look, NaN included, changes neither outputs nor gradients.
        mask : array of booleans or of 0 and 1, optional
            True or 1: may look. (batch, keys), (queries, keys), (batch, queries, keys) or
            (batch, ..., queries, keys); see `masked_softmax`.
        bias : Tensor, optional
            Added to the scores before the softmax, such as `scores.alibi`: of any shape that
            broadcasts to theirs, (queries, keys), (heads, queries, keys), ... What hides a key
            goes to `mask`: large negative numbers here would give a query that sees no key equal
            weights, not 0.
        return_weights : bool
            Whether to return the weights as well.

        Returns
        -------
        Tensor, (batch, ..., queries, value_size)
            A query that may look at no key gets 0.
        Tensor, (batch, ..., queries, keys)
            With `return_weights`: the weights, before dropout, with their graph; None if
            `need_weights` is False.

        Raises
        ------
        ValueError, TypeError
            When shapes, types, lengths or a mask don't fit together.
        """
        check_inputs(self, queries, keys, values, bias)
        try:
            output, weights = self.pool(queries, keys, values, valid_lens, mask, bias)
        except RuntimeError:
            check_parameters(self, queries, keys, values)  # if these are to blame, it says so
            raise
        weights = weights if self.need_weights else None
        keep_weights(self, weights)
        return (output, weights) if return_weights else output

    def pool(
        self,
        queries: Tensor,
        keys: Tensor,
        values: Tensor,
        valid_lens: Lengths | None,
        mask: Mask | None,
        bias: Tensor | None = None,
    ) -> tuple[Tensor, Tensor | None]:
        """Return the values pooled and the weights."""
        mask = as_one_mask(queries, keys, valid_lens, mask)  # lengths and mask in one
        keys, values = clear_padding(keys, values, mask)
        scores = self.score(queries, keys)  # (batch, ..., queries, keys)
        scores = scores if bias is None else scores + bias
        weights = self.weigh(scores, None, mask)
        if mask is not None and not is_step_of(Attention, self, "weigh"):
            weights = weights.masked_fill(~mask, 0)  # whatever a subclass gives what is hidden
        weights = weights.to(values.dtype)  # scores of half types are float32
        return self.dropout(weights) @ values, weights


# Out of the class, which chapter 6 has as it is.
Attention.forward = in_a_call(Attention.forward)
# What a figure's graph may not read, and why; kernelfree refuses it.
Attention.not_exported = {
    "attention_weights": (
        "attention_weights are not kept when a function is written down for the page; call the "
        "attention with return_weights=True"
    )
}


class DotProductAttention(Attention):
    """Scaled dot-product attention: the score is q^T k / sqrt(d), or q^T k times another scale.

    Parameters
    ----------
    dropout : float
        Probability with which a weight is dropped in training.
    need_weights : bool
        False: use PyTorch's fused kernel, which never holds the weights. It is faster and takes
        less memory; `attention_weights` stays None, and there are no second derivatives.
        The plain steps are taken all the same, and the weights dropped, where the kernel knows
        them not: in a subclass that says how to `score` or `weigh`, in a call with a bias, with
        another module as `dropout`, and under torch.export.
    scale : float, optional
        What q^T k is multiplied by; 1 / sqrt(d) if not given.

    Raises
    ------
    TypeError
        When `scale` is not a number.

    Notes
    -----
    Chapter 6. Vaswani et al., Attention Is All You Need, 2017, section 3.2.1.
    """

    def __init__(
        self, dropout: float = 0.0, need_weights: bool = True, scale: float | None = None
    ) -> None:
        super().__init__(dropout)
        self.need_weights = need_weights
        self.scale = check_scale(scale)

    def score(self, queries: Tensor, keys: Tensor) -> Tensor:
        d = queries.shape[-1]
        queries, keys = in_float32(queries, keys)
        scaled = queries / math.sqrt(d) if self.scale is None else queries * self.scale
        return scaled @ keys.transpose(-2, -1)  # (batch, ..., queries, keys)

    def pool(
        self,
        queries: Tensor,
        keys: Tensor,
        values: Tensor,
        valid_lens: Lengths | None,
        mask: Mask | None,
        bias: Tensor | None = None,
    ) -> tuple[Tensor, Tensor | None]:
        if self.need_weights or bias is not None or not can_fuse(self):
            return super().pool(queries, keys, values, valid_lens, mask, bias)
        mask = as_one_mask(queries, keys, valid_lens, mask)
        keys, values = clear_padding(keys, values, mask)
        return by_fused_kernel(self, queries, keys, values, mask), None

    def expected_sizes(self, query_size: int, key_size: int) -> tuple[int, int]:
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
    Align and Translate, 2015, appendix A.1.2. The parameters come in the order W_k, W_q, w_v, and
    all three wait for the first call if a size is not given, as in *Dive into Deep Learning*: the
    same seed starts the same training there and here, and an optimizer's state fits. Never more
    than about `CHUNK` of the batch x queries x keys x num_hiddens numbers are made at a time, or
    those of one query if they are more. A backward pass keeps them all. Where torch.export or
    torch.jit.trace writes the steps down, sizes may change, and all are made at once.
    """

    def __init__(
        self,
        num_hiddens: int,
        dropout: float = 0.0,
        query_size: int | None = None,
        key_size: int | None = None,
    ) -> None:
        super().__init__(dropout)
        check_size("num_hiddens", num_hiddens)
        known = query_size is not None and key_size is not None
        self.W_k = linear("key_size", key_size, num_hiddens)
        self.W_q = linear("query_size", query_size, num_hiddens)
        self.w_v = linear("num_hiddens", num_hiddens if known else None, 1)

    def score(self, queries: Tensor, keys: Tensor) -> Tensor:
        queries, keys = in_float32(self.W_q(queries), self.W_k(keys))
        scores = []
        for some in chunks(queries, keys):  # a few queries at a time
            sums = some.unsqueeze(-2) + keys.unsqueeze(-3)  # (batch, ..., some, keys, hiddens)
            scores.append(in_its_type(self.w_v, torch.tanh(sums)).squeeze(-1))
        return torch.cat(scores, dim=-2)  # (batch, ..., queries, keys)

    def expected_sizes(self, query_size: int, key_size: int) -> tuple[int, int]:
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

    def __init__(self, query_size: int, key_size: int, dropout: float = 0.0) -> None:
        super().__init__(dropout)
        check_size("query_size", query_size)
        check_size("key_size", key_size)
        # With this factor the scores of random queries and keys start with variance 1.
        self.M = nn.Parameter(torch.randn(query_size, key_size) / math.sqrt(query_size * key_size))

    def score(self, queries: Tensor, keys: Tensor) -> Tensor:
        queries, M, keys = in_float32(queries, self.M, keys)
        return queries @ M @ keys.transpose(-2, -1)  # (batch, ..., queries, keys)

    def expected_sizes(self, query_size: int, key_size: int) -> tuple[int, int]:
        return tuple(self.M.shape)


class DistanceAttention(Attention):
    """Distance attention: a Gaussian kernel, softmax of -||q - k||^2 / 2.

    Parameters
    ----------
    dropout : float
        Probability with which a weight is dropped in training.

    Notes
    -----
    Chapter 8. -||q - k||^2 / 2 is q^T k - ||k||^2 / 2 - ||q||^2 / 2, so no tensor of all
    differences is made. The last term is the same for all keys of a query and cancels in the
    softmax: `score` leaves it out, and is larger than -||q - k||^2 / 2 by that term. Far from 0
    large terms cancel, and digits with them. So `pool` measures queries and keys from the mean of
    the keys that are seen, which changes no distance: what is lost depends on how far the keys of
    an example lie apart, not on where they lie.
    Nadaraya, On Estimating Regression, 1964; Watson, Smooth Regression Analysis, 1964.
    """

    def pool(
        self,
        queries: Tensor,
        keys: Tensor,
        values: Tensor,
        valid_lens: Lengths | None,
        mask: Mask | None,
        bias: Tensor | None = None,
    ) -> tuple[Tensor, Tensor | None]:
        mask = as_one_mask(queries, keys, valid_lens, mask)
        centre = mean_of_seen(keys, mask)  # (batch, ..., 1, d)
        queries, keys = queries - centre, keys - centre
        return super().pool(queries, keys, values, None, mask, bias)

    def score(self, queries: Tensor, keys: Tensor) -> Tensor:
        queries, keys = in_float32(queries, keys)
        norms = keys.square().sum(dim=-1).unsqueeze(-2)  # (batch, ..., 1, keys)
        return queries @ keys.transpose(-2, -1) - norms / 2  # (batch, ..., queries, keys)

    def expected_sizes(self, query_size: int, key_size: int) -> tuple[int, int]:
        return query_size, query_size


def linear(name, in_size, out_size):
    """Return a linear map without bias; its input size is inferred at the first call if None."""
    if in_size is None:
        return nn.LazyLinear(out_size, bias=False)
    check_size(name, in_size)
    return nn.Linear(in_size, out_size, bias=False)


def in_its_type(linear, X):
    """Apply a linear map in the type of X, such as the float32 of scores, and not in its own."""
    if linear.weight.dtype == X.dtype:
        return linear(X)
    if isinstance(linear, nn.LazyLinear):
        linear(X[..., :0, :].to(linear.weight.dtype))  # its size is inferred
    return F.linear(X, linear.weight.to(X.dtype))


def chunks(queries, keys):
    """Cut queries so that those of a chunk meet about `CHUNK` numbers of keys, one at least."""
    if is_traced():
        return (queries,)
    return queries.split(max(1, CHUNK // max(1, keys.numel())), dim=-2)


def is_step_of(kind, attention, name):
    """Whether a step of an attention is that of this class, neither a subclass's nor its own."""
    return getattr(type(attention), name) is getattr(kind, name) and name not in vars(attention)


def can_fuse(attention):
    """Whether PyTorch's fused kernel does what the steps of a dot-product attention do."""
    return (
        is_step_of(DotProductAttention, attention, "score")
        and is_step_of(Attention, attention, "weigh")
        and type(attention.dropout) is nn.Dropout
        and not is_exporting()
    )


def by_fused_kernel(attention, queries, keys, values, mask):
    """Scaled dot-product attention by PyTorch's kernel, without weights; padding is clean."""
    if queries.dim() == 3:  # the fast kernels want an axis for heads
        tensors = (x if x is None else x.unsqueeze(1) for x in (queries, keys, values, mask))
        return by_fused_kernel(attention, *tensors).squeeze(1)
    dropout = attention.dropout.p if attention.dropout.training else 0.0
    more = {"dropout_p": dropout, "scale": attention.scale}
    if mask is None:
        return F.scaled_dot_product_attention(queries, keys, values, **more)
    # What a kernel makes of a row without keys differs: let it see them all, then drop the row.
    empty = ~mask.any(dim=-1, keepdim=True)
    output = F.scaled_dot_product_attention(queries, keys, values, attn_mask=mask | empty, **more)
    some = not is_known(empty) or empty.any().item()
    return output.masked_fill(empty, 0) if some else output
