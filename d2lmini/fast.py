"""The same numbers in less time and memory; nothing is defined here, and nothing depends on it.

`FAST` says which plain definitions have a fast way, with the same arguments; `quick.py` puts it in
front of them. Each is held to its plain definition by tests/package/test_fast.py, values and
gradients. Without this file and the line of `quick.py` that imports it the package does the same.
"""

import math

import torch
import torch.nn.functional as F

from .checks import check_scores, in_float32, is_known
from .masks import hidden_places, middle

# From this many scores on a softmax is faster in another way than the plain one.
PAYS = 2**14
# From this many scores on an example is worth a turn of its own in a Python loop.
LARGE = 2**16
# From this many scores on a look at the weights costs less than zeros written over them.
MANY = 2**13
# How many numbers additive attention makes at a time: few fit the cache, many save calls.
CHUNK = 2**20


def softmax(scores, valid_lens=None, *, mask=None):
    """The masked softmax; examples with many scores are cut to the keys that are seen."""
    if valid_lens is None and mask is None:
        return softmax_where(scores, None)
    shape = scores.shape
    hidden = hidden_places(shape, scores.device, valid_lens, mask)
    if hidden.shape[-2] > 1 or not is_large(shape, hidden, scores):
        return softmax_where(scores, hidden)
    parts = []
    for x, (n, rest) in zip(scores.split(1), cuts(hidden, shape), strict=True):
        parts.append(F.pad(softmax_where(x[..., :n], rest), (0, shape[-1] - n)))
    return torch.cat(parts)


def pool(attention, queries, keys, values, valid_lens, mask, bias=None):
    """Pool; examples with many scores are cut to the keys that some query may look at."""
    hidden = places(queries, keys, valid_lens, mask)
    return attended(attention, queries, keys, values, hidden)


def distance_pool(attention, queries, keys, values, valid_lens, mask, bias=None):
    """Pool by distances from a point among the keys."""
    hidden = places(queries, keys, valid_lens, mask)
    if hidden is None:
        centre = in_float32(keys.detach())[0].mean(dim=-2, keepdim=True) if keys.numel() else 0
    else:
        centre = middle(keys, hidden)
    return attended(attention, queries - centre, keys - centre, values, hidden)


def places(queries, keys, valid_lens, mask):
    """The hidden places of the scores, or None where nothing is hidden."""
    if valid_lens is None and mask is None:
        return None
    shape = (*queries.shape[:-1], keys.shape[-2])
    return hidden_places(shape, keys.device, valid_lens, mask)


def attended(attention, queries, keys, values, hidden):
    """Pool in the way that is best for these sizes."""
    attend = at_once if attention.need_weights else fused
    if hidden is None:
        return attend(attention, queries, keys, values, None)
    shape = (*queries.shape[:-1], keys.shape[-2])
    if is_large(shape, hidden, queries, keys, values):
        return by_example(attend, attention, queries, keys, values, hidden)
    return cleanly(attend, attention, queries, keys, values, hidden)


def product(a, b):
    """a @ b, which looks for more than a minibatch of matrices needs."""
    return torch.bmm(a, b) if a.dim() == 3 else a @ b


def dot_score(attention, queries, keys):
    """The scaled dot product."""
    queries, keys = in_float32(queries, keys)
    d, scale = queries.shape[-1], attention.scale
    scaled = queries / math.sqrt(d) if scale is None else queries * scale
    return product(scaled, keys.transpose(-2, -1))


def additive_score(attention, queries, keys):
    """The additive score of a few queries at a time, so that about `CHUNK` numbers are held."""
    queries, keys = in_float32(attention.W_q(queries), attention.W_k(keys))
    rows = max(1, CHUNK // max(1, keys.numel()))  # a query meets batch x keys x hiddens numbers
    if queries.shape[-2] <= rows:
        return score_pairs(attention, queries, keys)
    chunks = queries.split(rows, dim=-2)
    return torch.cat([score_pairs(attention, chunk, keys) for chunk in chunks], dim=-2)


def score_pairs(attention, queries, keys):
    """The additive score of mapped queries and keys, with every sum bent in its place."""
    sums = queries.unsqueeze(-2) + keys.unsqueeze(-3)  # (batch, ..., queries, keys, hiddens)
    return attention.w_v(sums.tanh_()).squeeze(-1)


def distance_score(attention, queries, keys):
    """The score of a distance, with the norms taken away while products are summed."""
    queries, keys = in_float32(queries, keys)
    norms = keys.square().sum(dim=-1).unsqueeze(-2)  # (batch, ..., 1, keys)
    if queries.dim() != 3:
        return queries @ keys.transpose(-2, -1) - norms / 2
    return torch.baddbmm(norms, queries, keys.transpose(1, 2), beta=-0.5)


def many_scores(scores=None, *rest, **given):
    """Whether there are so many; what is no tensor is refused by the plain definition."""
    return isinstance(scores, torch.Tensor) and scores.numel() >= PAYS


def always(*given, **named):
    return True


def without_bias(attention, queries, keys, values, valid_lens, mask, bias=None):
    """A pool's fast way does once what its plain definition does twice: it pays at any size.

    With a bias, which it does not know, the plain definition runs.
    """
    return bias is None


FAST = {
    "masked_softmax": (softmax, many_scores),
    "Attention.pool": (pool, without_bias),
    "DistanceAttention.pool": (distance_pool, without_bias),
    "DotProductAttention.score": (dot_score, always),
    "AdditiveAttention.score": (additive_score, always),
    "DistanceAttention.score": (distance_score, always),
}


def is_large(shape, *tensors):
    """Whether to take examples one by one: each has many scores, and all values are known."""
    return (
        len(shape) > 2
        and math.prod(shape) >= LARGE * max(1, shape[0])
        and all(is_known(x) for x in tensors)
    )


def cuts(hidden, shape):
    """For each example: how many keys reach to the last that is seen, and what is hidden there.

    That is None if nothing is.
    """
    hidden = hidden.expand(shape[0], *hidden.shape[1:-1], shape[-1])
    rows = hidden.flatten(1, -2)  # (batch, rows, keys)
    places = torch.arange(1, shape[-1] + 1)
    reach = (~rows.all(dim=1) * places).amax(dim=-1)  # (batch,)
    clear = (~rows).sum(dim=(1, 2)) == reach * rows.shape[1]
    for i, (n, nothing) in enumerate(zip(reach.tolist(), clear.tolist(), strict=True)):
        yield n, None if nothing else hidden[i : i + 1, ..., :n]


def softmax_where(scores, hidden, hopeful=False):
    """Softmax with 0 where hidden, which it sees to by itself except in rows of NaN.

    If it is `hopeful`, the caller looks for NaN.
    """
    check_scores(scores)
    if hidden is None:
        return torch.softmax(scores, dim=-1)
    weights = torch.softmax(torch.where(hidden, -torch.inf, scores), dim=-1)
    # A row without any key is NaN, all of it, and so are then its first weight and the sum.
    if hopeful or (
        weights.numel() >= MANY
        and is_known(weights)
        and not math.isnan(weights[..., :1].sum().item())
    ):
        return weights
    return weights.masked_fill(hidden, 0)


def cleanly(attend, attention, queries, keys, values, hidden):
    """Attend, with 0 where no query may look unless what stands there is harmless."""
    if attend is at_once and not torch.is_grad_enabled():
        output, weights = at_once(attention, queries, keys, values, hidden, hopeful=True)
        if is_known(output) and output.numel() and not math.isnan(norm(output)):
            return output, weights  # no weight and no value was NaN
    if not (is_tame(keys) and is_tame(values)):
        unseen = hidden.all(dim=-2).unsqueeze(-1)  # (batch, ..., keys, 1)
        keys, values = keys.masked_fill(unseen, 0), values.masked_fill(unseen, 0)
    return attend(attention, queries, keys, values, hidden)


def at_once(attention, queries, keys, values, hidden, hopeful=False):
    """Return the values pooled and the weights; padding is clean."""
    # The scores have no name here, so that they are gone before the values are pooled.
    weights = softmax_where(attention.score(queries, keys), hidden, hopeful)
    if weights.dtype != values.dtype:
        weights = weights.to(values.dtype)
    dropout = attention.dropout
    idle = isinstance(dropout, torch.nn.Dropout) and not (dropout.p and dropout.training)
    return product(weights if idle else dropout(weights), values), weights


def fused(attention, queries, keys, values, hidden):
    """Scaled dot-product attention by PyTorch's kernel, without weights; padding is clean."""
    if queries.dim() == 3:  # the fast kernels want an axis for heads
        tensors = (x if x is None else x.unsqueeze(1) for x in (queries, keys, values, hidden))
        output, _ = fused(attention, *tensors)
        return output.squeeze(1), None
    dropout = attention.dropout.p if attention.training else 0.0
    more = {"dropout_p": dropout, "scale": attention.scale}
    if hidden is None:
        return F.scaled_dot_product_attention(queries, keys, values, **more), None
    # What a kernel makes of a row without keys differs: let it see them all, then drop the row.
    empty = hidden.all(dim=-1, keepdim=True)
    output = F.scaled_dot_product_attention(
        queries, keys, values, attn_mask=empty | ~hidden, **more
    )
    return output.masked_fill(empty, 0), None


def by_example(attend, attention, queries, keys, values, hidden):
    """Pool each example by itself, cut to the keys that are seen."""
    shape = (*queries.shape[:-1], keys.shape[-2])
    examples = zip(
        queries.split(1), keys.split(1), values.split(1), cuts(hidden, shape), strict=True
    )
    outputs, weights = [], None
    for i, (q, k, v, (n, rest)) in enumerate(examples):
        k, v = k[..., :n, :], v[..., :n, :]
        if rest is None:
            output, part = attend(attention, q, k, v, None)
        else:
            output, part = cleanly(attend, attention, q, k, v, rest)
        outputs.append(output)
        if part is not None:
            weights = part.new_zeros(shape) if weights is None else weights
            weights[i, ..., :n] = part[0]
    return torch.cat(outputs), weights


def is_tame(tensor):
    """Whether it is known to hold no NaN and nothing whose square is infinite.

    A weight of 0 stops such numbers by itself, in the output and in every gradient.
    """
    return is_known(tensor) and norm(tensor) < torch.finfo(tensor.dtype).max ** 0.5


def norm(tensor):
    """The root of the sum of all squares: no entry is larger, and it is NaN if one is."""
    return torch.linalg.vector_norm(tensor.detach()).item()
