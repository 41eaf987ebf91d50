"""Multi-head attention: several small attentions side by side, and a map that mixes them."""

from collections.abc import Callable
from typing import Any

from torch import Tensor, nn

from .attention import Attention, DotProductAttention
from .checks import (
    Lengths,
    Mask,
    check_dropout,
    check_inputs,
    check_parameters,
    check_size,
    sizes,
)
from .masks import clear_padding, seen_places
from .renamed import in_a_call, of_heads


class MultiHeadAttention(nn.Module):
    """Several heads attend at once, each in its own few numbers; a last map mixes them.

    Parameters
    ----------
    num_hiddens : int
        The size of an output, and of what has no size of its own below.
    num_heads : int
        A divisor of `num_hiddens`, if there is no `head_size`.
    dropout : float
        Probability with which a weight is dropped in training.
    bias : bool
        Whether the four maps have a bias. (The bias of a call is added to the scores.)
    query_size, key_size, value_size : int, optional
        The sizes of a query, a key and a value; `num_hiddens` where not given.
    need_weights : bool
        False: keep no weights, to be faster; see `DotProductAttention`.
    num_kv_heads : int, optional
        A divisor of `num_heads`: so many heads have keys and values of their own, and each serves
        num_heads / num_kv_heads heads of queries ("grouped-query attention"). All, if not given.
    scale : float, optional
        See `DotProductAttention`.
    attention : Attention, optional
        How each head attends, such as ``AdditiveAttention(8)``; a `DotProductAttention` if not
        given. It is called once, with an axis for heads: (batch, heads, rows, size). It has a
        dropout, a scale and a `need_weights` of its own, which are then not said here.
    gate : Module, optional
        From the queries, (batch, queries, query_size), to what the heads' outputs are multiplied
        by before W_o: (batch, queries, num_heads x head_size), or (batch, queries, num_heads), a
        number for each head, such as
        ``nn.Sequential(nn.Linear(query_size, num_heads), nn.Sigmoid())``.
    head_size : int, optional
        How many numbers a head has to work with; num_hiddens / num_heads if not given.

    Attributes
    ----------
    W_q, W_k, W_v, W_o : nn.Linear
        The maps; their outputs, and the inputs of W_o, lie head by head, as in most published
        models. Parameters of a model are taken over by
        ``heads.W_q.load_state_dict(layer.q_proj.state_dict())``, or a layer as it is:
        ``heads.W_o = layer.o_proj``, which may have a bias where others have none.
    attention : Attention
        How each head attends.

    Raises
    ------
    ValueError, TypeError
        When a size is not an integer of at least 1, the heads can't share the numbers equally, or
        something is said here that `attention` has said.

    Notes
    -----
    Equation (10.1). Vaswani et al., Attention Is All You Need, 2017, section 3.2.2. Ainslie and
    others, GQA, 2023, section 2.2, for groups. Qiu and others, Gated Attention for Large Language
    Models, 2025, section 2.2, for gates.
    """

    __call__: Callable[..., Any]

    @of_heads
    def __init__(
        self,
        num_hiddens: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = False,
        query_size: int | None = None,
        key_size: int | None = None,
        value_size: int | None = None,
        need_weights: bool = True,
        num_kv_heads: int | None = None,
        scale: float | None = None,
        attention: Attention | None = None,
        gate: nn.Module | None = None,
        head_size: int | None = None,
    ) -> None:
        super().__init__()
        head_size = check_heads(num_hiddens, num_heads, head_size)
        if not isinstance(gate, nn.Module | None):
            raise TypeError(f"gate must be a module, got {type(gate).__name__}")
        self.num_kv_heads = check_groups(num_heads, num_kv_heads)
        q_hiddens, kv_hiddens = num_heads * head_size, self.num_kv_heads * head_size
        check_dropout(dropout, type(self))
        self.num_heads = num_heads
        if attention is None:
            attention = DotProductAttention(dropout, need_weights, scale)
        elif not (dropout == 0 and need_weights and scale is None):
            raise ValueError(
                "dropout, need_weights and scale must be said to the attention that is given, a "
                f"{type(attention).__name__}, got {dropout}, {need_weights} and {scale}"
            )
        self.attention = attention
        self.W_q = linear("query_size", query_size, num_hiddens, bias, q_hiddens)
        self.W_k = linear("key_size", key_size, num_hiddens, bias, kv_hiddens)
        self.W_v = linear("value_size", value_size, num_hiddens, bias, kv_hiddens)
        self.W_o = nn.Linear(q_hiddens, num_hiddens, bias=bias)
        self.gate = gate

    @in_a_call
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
        """Attend with every head.

        Parameters
        ----------
        queries : Tensor, (batch, queries, query_size)
        keys : Tensor, (batch, keys, key_size)
        values : Tensor, (batch, keys, value_size)
        valid_lens, mask, bias, return_weights : optional
            As in `Attention`, for all heads alike; a mask and a bias may have an axis for heads,
            too: (batch, heads, queries, keys), with length 1 where it holds for all.

        Returns
        -------
        Tensor, (batch, queries, num_hiddens)
            A query that may look at no key gets 0, or the bias of W_o.
        Tensor, (batch, heads, queries, keys)
            With `return_weights`: the weights, before dropout, with their graph; None if
            `need_weights` is False.

        Raises
        ------
        ValueError, TypeError
            When shapes, types, lengths or a mask don't fit together.
        """
        keys, values, mask = prepare(self, queries, keys, values, valid_lens, mask)
        q = split_heads(self.W_q(queries), self.num_heads)  # (batch, heads, queries, size)
        k, v = self.served(self.W_k(keys)), self.served(self.W_v(values))  # of each query's head
        pooled, weights = self.attention(q, k, v, mask=mask, bias=bias, return_weights=True)
        if self.gate is not None:
            pooled = pooled * gates(self, queries)
        output = self.W_o(join_heads(pooled))  # (batch, queries, num_hiddens)
        return (output, weights) if return_weights else output

    def served(self, X):
        """Cut keys or values into their heads, once for each head of queries that they serve."""
        group = self.num_heads // self.num_kv_heads
        X = split_heads(X, self.num_kv_heads)  # (batch, key heads, keys, size)
        return X if group == 1 else X.repeat_interleave(group, dim=1)  # (batch, heads, keys, size)

    def expected_sizes(self, query_size: int, key_size: int) -> tuple[int, int]:
        return self.W_q.in_features, self.W_k.in_features

    @property
    def attention_weights(self) -> Tensor | None:
        """The weights of the last call, (batch, heads, queries, keys), or None; see `Attention`."""
        return self.attention.attention_weights


def split_heads(X, num_heads):
    """Cut the last axis into heads, which get an axis of their own: (batch, heads, rows, size)."""
    X = X.unflatten(-1, (num_heads, -1))  # (batch, rows, heads, size)
    return X.transpose(1, 2)  # (batch, heads, rows, size)


def join_heads(X):
    """Undo `split_heads`: (batch, rows, heads x size)."""
    return X.transpose(1, 2).flatten(2)


def gates(attention, queries):
    """Return what a gate makes of the queries, (batch, heads, queries, size or 1)."""
    made, heads = attention.gate(queries), attention.num_heads
    sizes = attention.W_o.in_features, heads
    if made.shape[:-1] != queries.shape[:-1] or made.shape[-1] not in sizes:
        raise ValueError(
            f"gate must make {sizes[0]} or {heads} numbers of each query, got the shape "
            f"{tuple(made.shape)} for queries {tuple(queries.shape)}"
        )
    return split_heads(made, heads)


def prepare(attention, queries, keys, values, valid_lens, mask):
    """Check what came; return keys and values with 0 at padding, and lengths and mask in one."""
    check_inputs(attention, queries, keys, values)
    check_parameters(attention, queries, keys, values)
    if queries.dim() != 3:
        raise ValueError(
            "queries must have the shape (batch, queries, query_size), since the heads are made "
            f"here, got {tuple(queries.shape)}"
        )
    (v_shape,) = sizes(values.shape)
    if v_shape[-1] != attention.W_v.in_features:
        raise ValueError(
            f"values must have the size {attention.W_v.in_features}, got {v_shape[-1]}"
        )
    if valid_lens is None and mask is None:
        return keys, values, None
    shape = queries.shape[0], attention.num_heads, queries.shape[1], keys.shape[1]
    mask = seen_places(shape, keys.device, valid_lens, mask)  # (batch, 1 or heads, ...)
    # Before W_k and W_v: their gradients would have 0 times NaN in them, which is NaN.
    return *clear_padding(keys, values, mask.any(dim=1)), mask


def linear(name, in_size, num_hiddens, bias, out_size):
    """Return a linear map from a size, `num_hiddens` if None, to a size."""
    if in_size is not None:
        check_size(name, in_size)
    return nn.Linear(in_size or num_hiddens, out_size, bias=bias)


def check_groups(num_heads, num_kv_heads):
    """Return how many heads have keys of their own; raise unless they can serve all equally."""
    if num_kv_heads is None:
        return num_heads
    check_size("num_kv_heads", num_kv_heads)
    if num_heads % num_kv_heads:
        raise ValueError(f"num_kv_heads must divide num_heads, {num_heads}, got {num_kv_heads}")
    return num_kv_heads


def check_heads(num_hiddens, num_heads, head_size):
    """Return how many numbers a head has; raise unless the heads can share the hidden units."""
    check_size("num_hiddens", num_hiddens)
    check_size("num_heads", num_heads)
    if head_size is not None:
        check_size("head_size", head_size)
        return head_size
    if num_hiddens % num_heads:
        raise ValueError(f"num_heads must divide num_hiddens, {num_hiddens}, got {num_heads}")
    return num_hiddens // num_heads
