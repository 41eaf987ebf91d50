"""Scores as today's models make them: places in the score, bounds on it, weights of other kinds.

Each definition is the equation of chapters 16 and 17 in a few lines. What takes scores takes
``valid_lens`` and ``mask`` as `masked_softmax` does: a hidden key gets a weight of exactly 0, and
a row without any key to look at is all 0.
"""

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .checks import HALF, Lengths, Mask, check_count, check_scores, check_size, in_float32
from .masks import seen_places
from .rope import rotary, rotary_frequencies, rotary_scale

__all__ = [
    "RelativeBias",
    "alibi",
    "alibi_slopes",
    "distance_buckets",
    "entmax15",
    "masked_sigmoid",
    "offsets",
    "rotary",
    "rotary_frequencies",
    "rotary_scale",
    "sink_softmax",
    "soft_cap",
    "sparsemax",
]

# ---- where: places in queries and keys, or in the score -----------------------------------------


def offsets(queries: int, keys: int | None = None) -> Tensor:
    """How many places after a query each key stands: j - i.

    Parameters
    ----------
    queries, keys : int
        How many; as many keys as queries if not given. The queries are the last of the words, as
        for `causal_mask`.

    Returns
    -------
    Tensor of whole numbers, (queries, keys)
        0 is the query's own word, -1 the one before.

    Raises
    ------
    ValueError, TypeError
        When a number is no integer or negative.

    Notes
    -----
    Minus the i - j of equations (16.4) and (16.6). Shaw, Uszkoreit and Vaswani, Self-Attention
    with Relative Position Representations, 2018, section 3.2.
    """
    check_count("queries", queries)
    keys = queries if keys is None else keys
    check_count("keys", keys)
    return torch.arange(keys) - torch.arange(keys - queries, keys).unsqueeze(-1)


def alibi_slopes(num_heads: int) -> Tensor:
    """The slope of each head: 2^(-8 h / heads) for h = 1, 2, ...

    For a number of heads that is no power of two: the slopes of the next smaller power, then every
    second one of twice that power, as the authors' code has it.

    Parameters
    ----------
    num_heads : int

    Returns
    -------
    Tensor, (heads,)

    Raises
    ------
    ValueError, TypeError
        When `num_heads` is not an integer of at least 1.

    Notes
    -----
    Equation (16.6). Press, Smith and Lewis, Train Short, Test Long, 2021, section 3.
    """
    check_size("num_heads", num_heads)
    power = 2 ** int(math.log2(num_heads))
    slopes = 2.0 ** (-8 * torch.arange(1, power + 1) / power)
    more = 2.0 ** (-4 * torch.arange(1, 2 * power + 1, 2) / power)
    return torch.cat([slopes, more[: num_heads - power]])


def alibi(num_heads: int, queries: int, keys: int | None = None) -> Tensor:
    """A bias that falls with distance, each head by a slope of its own.

    Parameters
    ----------
    num_heads : int
    queries, keys : int
        As in `offsets`: the queries are the last of the words.

    Returns
    -------
    Tensor, (heads, queries, keys)
        Minus slope times distance: 0 for a query's own word. Give it to an attention as ``bias=``.

    Raises
    ------
    ValueError, TypeError
        When a number is no integer, or too small.

    Notes
    -----
    Equation (16.6). Press, Smith and Lewis, Train Short, Test Long, 2021, section 3.
    """
    return -alibi_slopes(num_heads)[:, None, None] * offsets(queries, keys).abs()


def distance_buckets(
    offsets: Tensor, num_buckets: int = 32, max_distance: int = 128, bidirectional: bool = True
) -> Tensor:
    """The number of the bucket of each offset.

    Small distances have a bucket each, larger ones share: buckets grow by a constant factor up to
    `max_distance`, and the last one holds all beyond.

    Parameters
    ----------
    offsets : Tensor of whole numbers
        How many places after the query a key stands; negative: before it.
    num_buckets : int
        Buckets in all.
    max_distance : int
        From this distance on, all are in the last bucket.
    bidirectional : bool
        Whether keys after the query have half of the buckets; else all are at distance 0.

    Returns
    -------
    Tensor of whole numbers, of the shape of `offsets`
        From 0 to `num_buckets` - 1.

    Raises
    ------
    ValueError, TypeError
        When a size is not a whole number, or there are fewer than 4 buckets (2 in one direction).

    Notes
    -----
    Equation (16.6). Raffel and others, Exploring the Limits of Transfer Learning, 2019,
    section 2.1.
    """
    check_count("num_buckets", num_buckets, least=4 if bidirectional else 2)
    sided = num_buckets // 2 if bidirectional else num_buckets
    exact = sided // 2
    check_count("max_distance", max_distance, least=exact + 1)
    offsets = offsets.long()
    distance = offsets.abs() if bidirectional else (-offsets).clamp(min=0)
    share = (distance.clamp(min=1).float() / exact).log() / math.log(max_distance / exact)
    far = (exact + (share * (sided - exact)).long()).clamp(max=sided - 1)
    bucket = torch.where(distance < exact, distance, far)
    return bucket + sided * (offsets > 0) if bidirectional else bucket


class RelativeBias(nn.Module):
    """A learned number for each head and each bucket of distances, to be added to scores.

    Parameters
    ----------
    num_heads : int
    num_buckets, max_distance, bidirectional : int, int, bool
        As in `distance_buckets`.

    Attributes
    ----------
    table : Parameter, (num_buckets, num_heads)
        0 before training.

    Raises
    ------
    ValueError, TypeError
        When a size is not a whole number, or too small.

    Notes
    -----
    Equation (16.6). Raffel and others, 2019, section 2.1; Shaw, Uszkoreit and Vaswani,
    Self-Attention with Relative Position Representations, 2018, has a learned vector for each
    distance.
    """

    def __init__(
        self,
        num_heads: int,
        num_buckets: int = 32,
        max_distance: int = 128,
        bidirectional: bool = True,
    ) -> None:
        super().__init__()
        check_size("num_heads", num_heads)
        distance_buckets(torch.zeros(1), num_buckets, max_distance, bidirectional)
        self.buckets = num_buckets, max_distance, bidirectional
        self.table = nn.Parameter(torch.zeros(num_buckets, num_heads))

    def forward(self, queries: int, keys: int | None = None) -> Tensor:
        """Return the bias of each head, query and key.

        Parameters
        ----------
        queries, keys : int
            As in `offsets`: the queries are the last of the words.

        Returns
        -------
        Tensor, (heads, queries, keys)
            Give it to an attention as ``bias=``.
        """
        bucket = distance_buckets(offsets(queries, keys), *self.buckets)  # (queries, keys)
        return self.table[bucket.to(self.table.device)].permute(2, 0, 1)


# ---- how large: bounds ---------------------------------------------------------------------------


def soft_cap(scores: Tensor, cap: float) -> Tensor:
    """Keep scores between -cap and cap: cap tanh(s / cap), which is almost s where s is small.

    Parameters
    ----------
    scores : Tensor of any shape
        Before a mask: a score of -inf would become -cap.
    cap : float
        Above 0.

    Returns
    -------
    Tensor, of the shape and type of `scores`

    Raises
    ------
    ValueError
        When `cap` is not above 0.

    Notes
    -----
    Its slope is equation (17.4). Gemma Team, Gemma 2, 2024, section 2.
    """
    if not cap > 0:
        raise ValueError(f"cap must be above 0, got {cap}")
    if scores.dtype in HALF:
        return soft_cap(scores.float(), cap).to(scores.dtype)
    return cap * torch.tanh(scores / cap)


# ---- how much: weights that need not be a softmax ------------------------------------------------


def sink_softmax(
    scores: Tensor,
    valid_lens: Lengths | None = None,
    *,
    mask: Mask | None = None,
    sink: Tensor | float = 0.0,
) -> Tensor:
    """Softmax with one more score, which takes weight and brings no value.

    Parameters
    ----------
    scores : Tensor, (batch, ..., queries, keys)
    valid_lens, mask : optional
        As in `masked_softmax`.
    sink : float or Tensor
        The score of the sink; 0 adds 1 to the sum below ("off by one"). One for each head:
        (heads,), with scores (batch, heads, queries, keys). One for each query: (batch, ...,
        queries, 1), with length 1 where it holds for all.

    Returns
    -------
    Tensor, (batch, ..., queries, keys)
        A row sums to less than 1: what is missing went to the sink.

    Raises
    ------
    ValueError, TypeError
        When shapes, types, lengths or a mask don't fit together.

    Notes
    -----
    Equation (17.6): exp(s_i) / (exp(sink) + sum_j exp(s_j)). Xiao and others, Efficient Streaming
    Language Models with Attention Sinks, 2023, section 3; OpenAI, gpt-oss, 2025, section 2.
    """
    hidden, wide = hide(scores, valid_lens, mask)
    sink = check_sink(sink, wide)  # (batch, ..., queries, 1)
    weights = F.softmax(torch.cat([wide, sink], dim=-1), dim=-1)[..., :-1]
    return weights.masked_fill(hidden, 0).to(scores.dtype)


def masked_sigmoid(
    scores: Tensor,
    valid_lens: Lengths | None = None,
    *,
    mask: Mask | None = None,
    bias: Tensor | float | None = None,
) -> Tensor:
    """A sigmoid of each score by itself: no key takes weight from another.

    Parameters
    ----------
    scores : Tensor, (batch, ..., queries, keys)
    valid_lens, mask : optional
        As in `masked_softmax`.
    bias : float or Tensor, optional
        Added to the scores. Not given: -log n for a row that sees n keys, so that scores of 0
        give weights of about 1 / n.

    Returns
    -------
    Tensor, (batch, ..., queries, keys)

    Raises
    ------
    ValueError, TypeError
        When shapes, types, lengths or a mask don't fit together.

    Notes
    -----
    Equation (17.7). Ramapuram and others, Theory, Analysis, and Best Practices for Sigmoid
    Self-Attention, 2024, section 2.
    """
    hidden, wide = hide(scores, valid_lens, mask)
    if bias is None:
        seen = (~hidden).expand(wide.shape).sum(dim=-1, keepdim=True)  # (batch, ..., queries, 1)
        bias = -seen.clamp(min=1).to(wide.dtype).log()
    return torch.sigmoid(wide + bias).masked_fill(hidden, 0).to(scores.dtype)


def sparsemax(
    scores: Tensor, valid_lens: Lengths | None = None, *, mask: Mask | None = None
) -> Tensor:
    """The weights that are nearest to the scores: low scores get exactly 0.

    Parameters
    ----------
    scores : Tensor, (batch, ..., queries, keys)
    valid_lens, mask : optional
        As in `masked_softmax`.

    Returns
    -------
    Tensor, (batch, ..., queries, keys)
        Each row sums to 1, except that a row without any key to look at is all 0.

    Raises
    ------
    ValueError, TypeError
        When shapes, types, lengths or a mask don't fit together.

    Notes
    -----
    Equation (17.8): max(s_i - tau, 0), with the tau for which a row sums to 1. Martins and
    Astudillo, From Softmax to Sparsemax, 2016, algorithm 1.
    """
    hidden, z, ordered, n = ranked(scores, valid_lens, mask)
    if not z.numel():
        return scores
    excess = ordered.cumsum(dim=-1) - 1  # of the n best
    count = (n * ordered > excess).sum(dim=-1, keepdim=True)  # how many have weight
    tau = excess.gather(-1, count - 1) / count
    return (z - tau).clamp(min=0).masked_fill(hidden, 0).to(scores.dtype)


def entmax15(
    scores: Tensor, valid_lens: Lengths | None = None, *, mask: Mask | None = None
) -> Tensor:
    """Between softmax and sparsemax: smooth, and exactly 0 for low scores.

    Parameters
    ----------
    scores : Tensor, (batch, ..., queries, keys)
    valid_lens, mask : optional
        As in `masked_softmax`.

    Returns
    -------
    Tensor, (batch, ..., queries, keys)
        Each row sums to 1, except that a row without any key to look at is all 0.

    Raises
    ------
    ValueError, TypeError
        When shapes, types, lengths or a mask don't fit together.

    Notes
    -----
    Equation (17.9): max(s_i / 2 - tau, 0)^2, with the tau for which a row sums to 1. Peters,
    Niculae and Martins, Sparse Sequence-to-Sequence Models, 2019, section 3.
    """
    hidden, z, ordered, n = ranked(scores, valid_lens, mask, by=2)
    if not z.numel():
        return scores
    mean = ordered.cumsum(dim=-1) / n
    spread = ordered.square().cumsum(dim=-1) - n * mean.square()  # of the n best
    under = (1 - spread) / n  # the square of mean - tau
    root = torch.where(under > 0, torch.where(under > 0, under, 1).sqrt(), 0)
    tau = mean - root
    count = (tau <= ordered).sum(dim=-1, keepdim=True)
    roots = (z - tau.gather(-1, count - 1)).clamp(min=0)
    return roots.square().masked_fill(hidden, 0).to(scores.dtype)


# ---- what came -----------------------------------------------------------------------------------


def hide(scores, valid_lens, mask):
    """Return where scores are hidden, and the scores, -inf there, in float32 at least."""
    check_scores(scores)
    hidden = ~seen_places(scores.shape, scores.device, valid_lens, mask)
    (scores,) = in_float32(scores)
    return hidden, torch.where(hidden, -torch.inf, scores)


def check_sink(sink, scores):
    """Return a sink for each row of scores, (batch, ..., queries, 1); raise unless it fits."""
    sink = torch.as_tensor(sink, dtype=scores.dtype, device=scores.device)
    rows = (*scores.shape[:-1], 1)
    by_head = sink.dim() == 1 and scores.dim() > 3 and len(sink) == scores.shape[1]
    by_row = sink.dim() == len(rows) and all(n in (1, rows[i]) for i, n in enumerate(sink.shape))
    if sink.dim() and not (by_head or by_row):
        raise ValueError(
            "sink must be a number, or have the shape (heads,) or (batch, heads, queries, 1) of "
            f"scores (batch, heads, queries, keys), got {tuple(sink.shape)} for "
            f"{tuple(scores.shape)}"
        )
    return (sink.view(-1, *[1] * (len(rows) - 2)) if by_head else sink).expand(rows)


def ranked(scores, valid_lens, mask, by=1):
    """Return where scores are hidden, how far they lie below the best, this in order, and ranks.

    They are in float32 at least, and far enough below where they are hidden.
    """
    hidden, scores = hide(scores, valid_lens, mask)
    best = F.pad(scores.detach(), (0, 1), value=-torch.inf).amax(dim=-1, keepdim=True)
    # Whatever lies 2 below the best has no weight, and no such row is all NaN.
    below = torch.where(hidden, -2.0, (scores - best) / by)
    ranks = torch.arange(1, below.shape[-1] + 1, device=below.device)
    return hidden, below, below.sort(dim=-1, descending=True).values, ranks
