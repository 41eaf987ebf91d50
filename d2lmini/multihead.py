"""Multi-head attention: several small attentions side by side, and a map that mixes them."""

from collections.abc import Callable

from torch import Tensor, nn

from .attention import DotProductAttention
from .checks import Lengths, check_inputs, check_size, check_valid_lens
from .masking import clear_padding


class MultiHeadAttention(nn.Module):
    """Several heads attend at once, each in its own few numbers; a last map mixes them.

    Parameters
    ----------
    num_hiddens : int
        The size of a query, a key, a value and an output.
    num_heads : int
        A divisor of `num_hiddens`; a head has num_hiddens / num_heads numbers to work with.
    dropout : float
        Probability with which a weight is dropped in training.
    bias : bool
        Whether the four maps W_q, W_k, W_v and W_o have a bias.

    Raises
    ------
    ValueError, TypeError
        When a size is not an integer of at least 1, or the heads can't share the numbers equally.

    Notes
    -----
    Equation (9.6). Vaswani et al., Attention Is All You Need, 2017, section 3.2.2.
    """

    __call__: Callable[..., Tensor]

    def __init__(
        self, num_hiddens: int, num_heads: int, dropout: float = 0.0, bias: bool = False
    ) -> None:
        super().__init__()
        check_heads(num_hiddens, num_heads)
        self.num_heads = num_heads
        self.W_q = nn.Linear(num_hiddens, num_hiddens, bias=bias)
        self.W_k = nn.Linear(num_hiddens, num_hiddens, bias=bias)
        self.W_v = nn.Linear(num_hiddens, num_hiddens, bias=bias)
        self.W_o = nn.Linear(num_hiddens, num_hiddens, bias=bias)
        self.attention = DotProductAttention(dropout)

    def forward(
        self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Lengths | None = None
    ) -> Tensor:
        """Attend with every head.

        Parameters
        ----------
        queries : Tensor, (batch, queries, num_hiddens)
        keys, values : Tensor, (batch, keys, num_hiddens)
        valid_lens : array of integers, (batch,) or (batch, queries), optional
            How many keys an example or a query may look at, with every head. What stands where
            no query may look, NaN included, changes neither outputs nor gradients.

        Returns
        -------
        Tensor, (batch, queries, num_hiddens)
            A query that may look at no key gets 0, or the bias of W_o.

        Raises
        ------
        ValueError, TypeError
            When shapes, types or lengths don't fit together.
        """
        keys, values, lens = prepare(self, queries, keys, values, valid_lens)
        q = split_heads(self.W_q(queries), self.num_heads)  # (batch x heads, queries, size)
        k = split_heads(self.W_k(keys), self.num_heads)  # (batch x heads, keys, size)
        v = split_heads(self.W_v(values), self.num_heads)  # (batch x heads, keys, size)
        pooled = self.attention(q, k, v, lens)  # (batch x heads, queries, size)
        return self.W_o(join_heads(pooled, self.num_heads))  # (batch, queries, num_hiddens)

    def expected_sizes(self, query_size: int, key_size: int) -> tuple[int, int]:
        return self.W_q.in_features, self.W_k.in_features

    @property
    def attention_weights(self) -> Tensor | None:
        """The weights of the last call, (batch, heads, queries, keys), or None; see `Attention`."""
        weights = self.attention.attention_weights
        if weights is None:
            return None
        return weights.unflatten(0, (len(weights) // self.num_heads, self.num_heads))


def split_heads(X, num_heads):
    """Cut the last axis into heads and fold them into the batch: (batch x heads, rows, size)."""
    X = X.unflatten(-1, (num_heads, -1))  # (batch, rows, heads, size)
    return X.transpose(1, 2).flatten(0, 1)  # (batch x heads, rows, size)


def join_heads(X, num_heads):
    """Undo `split_heads`: (batch, rows, heads x size)."""
    X = X.unflatten(0, (len(X) // num_heads, num_heads))  # (batch, heads, rows, size)
    return X.transpose(1, 2).flatten(2)  # (batch, rows, heads x size)


def prepare(attention, queries, keys, values, valid_lens):
    """Check what came; return keys and values with 0 at padding, and a length for each head."""
    check_inputs(attention, queries, keys, values)
    if values.shape[-1] != keys.shape[-1]:
        raise ValueError(
            f"values must have the size of the keys, {keys.shape[-1]}, got {values.shape[-1]}"
        )
    if valid_lens is None:
        return keys, values, None
    lens = check_valid_lens(valid_lens, (*queries.shape[:2], keys.shape[1]))
    # Before W_k and W_v: their gradients would have 0 times NaN in them, which is NaN.
    keys, values = clear_padding(queries, keys, values, lens)
    return keys, values, lens.repeat_interleave(attention.num_heads, dim=0)


def check_heads(num_hiddens, num_heads):
    """Raise unless the heads can share the hidden units equally."""
    check_size("num_hiddens", num_hiddens)
    check_size("num_heads", num_heads)
    if num_hiddens % num_heads:
        raise ValueError(f"num_heads must divide num_hiddens, {num_hiddens}, got {num_heads}")
