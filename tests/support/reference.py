"""What attention means, and its gradients, as loops over Python floats: an oracle for every test.

Nothing of the package is used here, and no framework: NumPy holds the numbers, no more. Who gives
tensors of PyTorch gets tensors back, in float64.
"""

import math

import numpy as np


def array(x):
    return np.array(x.detach().double().cpu().numpy() if hasattr(x, "detach") else x, dtype=float)


def alike(x, *arrays):
    """Arrays as x came: as tensors if it is one."""
    return [x.detach().double().new_tensor(a) if hasattr(x, "detach") else a for a in arrays]


def plain(lens):
    return lens.tolist() if hasattr(lens, "tolist") else lens


def softmax(scores):
    top = max(scores, default=0.0)
    powers = [math.exp(score - top) for score in scores]
    return [power / sum(powers) for power in powers]


def through_softmax(row, upstream):
    """The gradient of sum(upstream * row) with respect to the scores that made the row."""
    mean = math.fsum(a * u for a, u in zip(row, upstream, strict=True))
    return [a * (u - mean) for a, u in zip(row, upstream, strict=True)]


def length(lens, b, i, keys):
    if lens is None:
        return keys
    return int(lens[b][i]) if isinstance(lens[b], list) else int(lens[b])


def spread(mask, axes, shape):
    """A mask whose axes are named, such as (0, -1) for (batch, keys), over all scores."""
    mask, full = np.asarray(mask), np.zeros(shape, dtype=bool)
    for place in np.ndindex(*shape):
        own = [place[a] if n > 1 else 0 for a, n in zip(axes, mask.shape, strict=True)]
        full[place] = mask[tuple(own)]
    return full


def seen(lens, mask, index, keys):
    """The keys that the query at this index may look at; a mask has the scores' shape."""
    n = length(lens, index[0], index[-1], keys)
    return [j for j in range(n) if mask is None or mask[index][j]]


def weights(scores, lens=None, upstream=None, mask=None):
    """Masked softmax of (batch, ..., queries, keys); with `upstream` also the gradient.

    That is the gradient of sum(upstream * weights).
    """
    given, scores, lens = scores, array(scores), plain(lens)
    result, grad = np.zeros(scores.shape), np.zeros(scores.shape)
    for index in np.ndindex(scores.shape[:-1]):
        places = seen(lens, mask, index, scores.shape[-1])
        row = softmax(scores[index][places].tolist())
        result[index][places] = row
        if upstream is not None:
            grad[index][places] = through_softmax(row, array(upstream)[index][places])
    result, grad = alike(given, result, grad)
    return result if upstream is None else (result, grad)


def attend(score, queries, keys, values, lens=None, mask=None):
    """Pool; return the output and the weights. Padding is never read."""
    given, lens = queries, plain(lens)
    queries, keys, values = map(array, (queries, keys, values))
    output = np.zeros((*queries.shape[:-1], values.shape[-1]))
    attention = np.zeros((*queries.shape[:-1], keys.shape[-2]))
    for index in np.ndindex(queries.shape[:-1]):
        *head, _ = index
        places = seen(lens, mask, index, keys.shape[-2])
        row = softmax([score(queries[index], keys[(*head, j)]) for j in places])
        for j, weight in zip(places, row, strict=True):
            attention[index][j] = weight
            output[index] += weight * values[(*head, j)]
    return alike(given, output, attention)


def attend_and_back(queries, keys, values, parameters, lens, upstream, mask=None):
    """Return the output, the weights and the gradients of sum(upstream * output).

    Without parameters the score is q^T k / sqrt(d), else w_v^T tanh(W_q q + W_k k). Gradients are
    in the order queries, keys, values, W_q, W_k, w_v.
    """
    leaves = [array(x) for x in (queries, keys, values, *parameters)]
    grads = [np.zeros(x.shape) for x in leaves]
    queries, keys, values, *parameters = leaves
    score = additive(*parameters) if parameters else dot_product
    through_score = through_additive(*parameters) if parameters else through_dot_product
    output, attention = attend(score, queries, keys, values, lens, mask)
    for index in np.ndindex(queries.shape[:-1]):
        *head, _ = index
        places = seen(plain(lens), mask, index, keys.shape[-2])
        row = attention[index][places].tolist()
        back = [math.fsum(upstream[index] * values[(*head, j)]) for j in places]
        steps = zip(places, row, through_softmax(row, back), strict=True)
        for j, weight, back_to_score in steps:
            grads[2][(*head, j)] += weight * upstream[index]
            to_query, to_key, *to_parameters = through_score(queries[index], keys[(*head, j)])
            grads[0][index] += back_to_score * to_query
            grads[1][(*head, j)] += back_to_score * to_key
            for grad, to_parameter in zip(grads[3:], to_parameters, strict=True):
                grad += back_to_score * to_parameter
    return output, attention, grads


def dot_product(query, key):
    return math.fsum(q * k for q, k in zip(query, key, strict=True)) / math.sqrt(len(query))


def through_dot_product(query, key):
    return key / math.sqrt(len(query)), query / math.sqrt(len(query))


def distance(query, key):
    return -math.fsum((q - k) ** 2 for q, k in zip(query, key, strict=True)) / 2


def bilinear(M):
    M = array(M).tolist()

    def score(query, key):
        return math.fsum(query[i] * M[i][j] * key[j] for i in range(len(query)) for j in range(len(key)))

    return score


def additive(W_q, W_k, w_v):
    """One hidden layer on the concatenation [q; k]: w_v^T tanh([W_q W_k] [q; k])."""
    W = np.concatenate([array(W_q), array(W_k)], axis=1).tolist()
    w_v = array(w_v).flatten().tolist()

    def score(query, key):
        pair = [*query, *key]
        hidden = [math.tanh(math.fsum(w * x for w, x in zip(row, pair, strict=True))) for row in W]
        return math.fsum(v * h for v, h in zip(w_v, hidden, strict=True))

    return score


def through_additive(W_q, W_k, w_v):
    def through_score(q, k):
        rows = zip(W_q, W_k, strict=True)
        h = np.array([math.tanh(math.fsum(a * q) + math.fsum(b * k)) for a, b in rows])
        back = w_v[0] * (1 - h**2)
        return back @ W_q, back @ W_k, np.outer(back, q), np.outer(back, k), h[None]

    return through_score


def scoring(attention):
    name = type(attention).__name__
    if name == "AdditiveAttention":
        return additive(attention.W_q.weight, attention.W_k.weight, attention.w_v.weight)
    if name == "BilinearAttention":
        return bilinear(attention.M)
    return {"DotProductAttention": dot_product, "DistanceAttention": distance}[name]
