"""What attention means, written as loops over Python floats: nothing of the package is used here.

Also what the tests share: how hypothesis is set, and odd ways to lay a tensor out in memory.
"""

import math
import os

import torch
from hypothesis import settings

# With CI=true every run draws the same examples.
REPEATABLE = os.environ.get("CI", "").lower() in ("1", "true")


def examples(count):
    """Settings for a property that is tried on this many examples."""
    return settings(max_examples=count, deadline=None, derandomize=REPEATABLE)


def softmax(scores):
    """Softmax of a list of floats; of nothing, nothing."""
    top = max(scores, default=0.0)
    powers = [math.exp(score - top) for score in scores]
    return [power / sum(powers) for power in powers]


def length(lens, b, i, keys):
    """How many keys query i of example b may look at."""
    if lens is None:
        return keys
    return int(lens[b][i]) if hasattr(lens[b], "__len__") else int(lens[b])


def weights(scores, lens=None):
    """Masked softmax of (batch, ..., queries, keys), in float64."""
    scores = scores.detach().double()
    result = torch.zeros(scores.shape, dtype=torch.float64)
    lens = None if lens is None else torch.as_tensor(lens).tolist()
    *before, keys = scores.shape
    for index in torch.cartesian_prod(*map(torch.arange, before)).tolist() if len(before) else []:
        n = length(lens, index[0], index[-1], keys)
        row = softmax(scores[tuple(index)][:n].tolist())
        result[tuple(index)][:n] = torch.tensor(row, dtype=torch.float64)
    return result


def dot_product(query, key):
    """q^T k / sqrt(d)"""
    return math.fsum(q * k for q, k in zip(query, key, strict=True)) / math.sqrt(len(query))


def distance(query, key):
    """-||q - k||^2 / 2"""
    return -math.fsum((q - k) ** 2 for q, k in zip(query, key, strict=True)) / 2


def bilinear(M):
    """q^T M k"""
    M = M.detach().double().tolist()

    def score(query, key):
        return math.fsum(
            query[i] * M[i][j] * key[j] for i in range(len(query)) for j in range(len(key))
        )

    return score


def additive(W_q, W_k, w_v):
    """One hidden layer on the concatenation [q; k]: w_v^T tanh([W_q W_k] [q; k])."""
    W = torch.cat([W_q, W_k], dim=1).detach().double().tolist()
    w_v = w_v.detach().double().flatten().tolist()

    def score(query, key):
        pair = [*query, *key]
        hidden = [math.tanh(math.fsum(w * x for w, x in zip(row, pair, strict=True))) for row in W]
        return math.fsum(v * h for v, h in zip(w_v, hidden, strict=True))

    return score


def scoring(attention):
    """The score, as a loop, of one of the package's attention modules."""
    name = type(attention).__name__
    if name == "AdditiveAttention":
        return additive(attention.W_q.weight, attention.W_k.weight, attention.w_v.weight)
    if name == "BilinearAttention":
        return bilinear(attention.M)
    return {"DotProductAttention": dot_product, "DistanceAttention": distance}[name]


def attend(score, queries, keys, values, lens=None):
    """Pool in float64; return the output and the weights. Padding is never read."""
    lens = None if lens is None else torch.as_tensor(lens).tolist()
    queries, keys, values = (x.detach().double() for x in (queries, keys, values))
    batch, n_queries, n_keys = len(queries), queries.shape[1], keys.shape[1]
    output = torch.zeros(batch, n_queries, values.shape[2], dtype=torch.float64)
    attention = torch.zeros(batch, n_queries, n_keys, dtype=torch.float64)
    for b in range(batch):
        for i in range(n_queries):
            n = length(lens, b, i, n_keys)
            row = softmax([score(queries[b, i].tolist(), keys[b, j].tolist()) for j in range(n)])
            for j, weight in enumerate(row):
                attention[b, i, j] = weight
                output[b, i] += weight * values[b, j]
    return output, attention


LAYOUTS = ("contiguous", "transposed", "strided", "offset", "expanded")


def lay_out(tensor, layout):
    """Return a tensor of the same shape whose memory is arranged in an odd way.

    An expanded one repeats its first example, so its values differ; the others keep theirs.
    """
    if layout == "transposed":
        return tensor.transpose(-1, -2).contiguous().transpose(-1, -2)
    if layout == "strided":
        return torch.stack([tensor, tensor + 1], dim=-1)[..., 0]
    if layout == "offset":
        return torch.cat([tensor[:1], tensor])[min(1, len(tensor)) :]
    if layout == "expanded" and len(tensor):
        return tensor[:1].expand_as(tensor)
    return tensor
