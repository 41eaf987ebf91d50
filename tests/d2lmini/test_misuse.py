"""A table of wrong calls: each is refused in words that name what is wrong.

Those of every framework are in tests/frameworks/test_promises.py.
"""

import pytest
import torch
from errors import refused
from wrong import NAN

from d2lmini import (
    AdditiveAttention,
    BilinearAttention,
    DistanceAttention,
    DotProductAttention,
    MultiHeadAttention,
    causal_mask,
    masked_softmax,
    show_heatmaps,
)

S = torch.zeros(2, 3, 4)  # scores
Q, K, V = torch.zeros(2, 3, 5), torch.zeros(2, 4, 5), torch.zeros(2, 4, 6)


def softmax(scores=S, valid_lens=None):
    return lambda: masked_softmax(scores, valid_lens)


def dot(queries=Q, keys=K, values=V, valid_lens=None, **options):
    return lambda: DotProductAttention(**options)(queries, keys, values, valid_lens)


def additive(*options, queries=Q, keys=K, values=V):
    return lambda: AdditiveAttention(*options)(queries, keys, values)


def heads(*arguments, **named):
    return lambda: MultiHeadAttention(*arguments, **named)


def twice(queries, keys):
    attention = AdditiveAttention(8)
    attention(Q, K, V)  # the sizes are inferred
    attention(queries, keys, V)


def heatmaps(matrices, xlabel="Keys", **options):
    return lambda: show_heatmaps(matrices, xlabel, "Queries", **options)


def masked(mask, scores=S, valid_lens=None):
    return lambda: masked_softmax(scores, valid_lens, mask=mask)


def ones(*shape):
    return torch.ones(shape, dtype=torch.bool)


# Any call: what is wrong with it, and what is said.
TABLE = {
    "scores: a list": (softmax([[[1.0]]]), "TypeError|scores|tensor|list"),
    "scores: integers": (softmax(S.long()), "TypeError|scores|floating|torch.int64"),
    "scores: complex": (softmax(S.cfloat()), "TypeError|scores|floating|torch.complex64"),
    "lengths: too few, no batch": (softmax(S[0], [2, 3]), "ValueError|valid_lens|(3,)|(2,)"),
    "matrices: complex": (
        heatmaps(torch.ones(1, 1, 2, 2) * 1j),
        "TypeError|matrices|real|torch.complex64|.abs()",
    ),
    "lengths: a tokenizer's mask": (
        softmax(torch.zeros(2, 3, 3), torch.tensor([[1, 1, 0], [1, 1, 1]])),
        "ValueError|valid_lens|0 and 1|mask=",
    ),
    "lengths: beyond, no keys": (softmax(torch.zeros(1, 2, 0), [1]), "ValueError|valid_lens|0|0|1"),
    "lengths: per head": (
        softmax(torch.zeros(2, 8, 3, 4), torch.ones(2, 8).long()),
        "ValueError|valid_lens|(2, 3)|(2, 8)",
    ),
    "lengths: a tokenizer's mask, in float": (
        dot(Q[:, :1].expand(2, 4, 5), valid_lens=torch.tensor([[1.0, 1, 0, 0]] * 2)),
        "ValueError|valid_lens|0 and 1|mask=",
    ),
    "lengths: a tokenizer's mask, heads": (
        lambda: MultiHeadAttention(5, 1)(K, K, K, torch.tensor([[1, 1, 0, 0]] * 2)),
        "ValueError|valid_lens|0 and 1|mask=",
    ),
    "mask: of no floats": (
        masked(torch.zeros(0, 4), torch.zeros(0, 3, 4)),
        "TypeError|mask|boolean|torch.float32",
    ),
    "mask: of other heads": (
        masked(ones(2, 2, 3, 4), torch.zeros(2, 5, 3, 4)),
        "ValueError|mask|(2, 5, 3, 4)|(2, 2, 3, 4)",
    ),
    "mask: heads for a batch": (
        masked(ones(5, 3, 4), torch.zeros(2, 5, 3, 4)),
        "ValueError|mask|(batch, queries, keys)|(5, 3, 4)",
    ),
    "mask: to be read in two ways": (
        masked(ones(3, 4), torch.zeros(3, 3, 4)),
        "ValueError|mask|(3, 4)|(batch, keys)|mask[:, None]|(queries, keys)|mask[None]",
    ),
    "mask: in the place of lengths": (masked(None, S, ones(2, 4)), "TypeError|valid_lens|mask="),
    "mask: right, lengths wrong": (masked(ones(2, 4), S, [2, 5]), "ValueError|valid_lens|4|5"),
    "masked_softmax: a mask by place": (
        lambda: masked_softmax(S, None, ones(2, 3, 4)),
        "TypeError|masked_softmax() takes from 1 to 2 positional arguments",
    ),
    "masked_softmax: an unknown name": (
        lambda: masked_softmax(S, valid_len=[2, 3]),
        "TypeError|masked_softmax() got an unexpected keyword argument|'valid_len'",
    ),
    "score: no keys": (
        lambda: DotProductAttention().score(Q),
        "TypeError|DotProductAttention.score() missing|'keys'",
    ),
    "causal_mask: negative": (lambda: causal_mask(-1), "ValueError|queries|at least 0|-1"),
    "causal_mask: 2.5": (lambda: causal_mask(2.5), "TypeError|queries|integer|2.5"),
    "causal_mask: True": (lambda: causal_mask(True), "TypeError|queries|integer|True"),
    "causal_mask: keys of 4.0": (lambda: causal_mask(2, 4.0), "TypeError|keys|integer|4.0"),
    "causal_mask: too few keys": (lambda: causal_mask(4, 2), "ValueError|keys|queries|4|2"),
    "heads: of keys and queries differ": (
        dot(torch.zeros(2, 4, 3, 5), torch.zeros(2, 2, 4, 5), torch.zeros(2, 2, 4, 6)),
        "ValueError|heads|(2, 4, 3, 5)|(2, 2, 4, 5)",
    ),
    "heads: for one that makes its own": (
        lambda: MultiHeadAttention(5, 1)(Q[None], K[None], K[None]),
        "ValueError|queries|heads|(1, 2, 3, 5)",
    ),
    "heads: that cannot share": (heads(6, 4), "ValueError|num_heads|num_hiddens|6|4"),
    "heads: none": (heads(6, 0), "ValueError|num_heads|at least 1|0"),
    "heads: no keys": (
        lambda: MultiHeadAttention(6, 2, num_kv_heads=0),
        "ValueError|num_kv_heads|at least 1|0",
    ),
    "heads: 2.0": (heads(6, 2.0), "TypeError|num_heads|integer|2.0"),
    "heads: of a string": (heads("6", 2), "TypeError|num_hiddens|integer|'6'"),
    "heads: dropout": (
        heads(6, 2, 1.5),
        "ValueError|dropout|0|1|1.5|MultiHeadAttention(num_hiddens, num_heads, dropout, bias",
    ),
    "heads: size of a query": (
        lambda: MultiHeadAttention(5, 1)(K[..., :4], K, K),
        "ValueError|queries and keys of MultiHeadAttention|sizes|5 and 5, got 4 and 5",
    ),
    "heads: size of a key": (
        lambda: MultiHeadAttention(5, 1)(K, K[..., :4], K),
        "ValueError|queries and keys of MultiHeadAttention|sizes|5 and 5, got 5 and 4",
    ),
    "heads: half parameters": (
        lambda: MultiHeadAttention(5, 1).half()(K, K, K),
        "TypeError|dtype|queries torch.float32|parameters torch.float16",
    ),
    "heads: sizes": (
        lambda: MultiHeadAttention(6, 2, key_size=4, value_size=3)(
            torch.zeros(2, 3, 6), torch.zeros(2, 4, 4), torch.zeros(2, 4, 6)
        ),
        "ValueError|values|3|6",
    ),
    "heads: a query of size 0": (heads(6, 2, query_size=0), "ValueError|query_size|at least 1|0"),
    "heads: a key of size 0": (heads(6, 2, key_size=0), "ValueError|key_size|at least 1|0"),
    "heads: a value of size 0": (heads(6, 2, value_size=0), "ValueError|value_size|at least 1|0"),
    "attention: length beyond": (dot(valid_lens=[2, 5]), "ValueError|valid_lens|0|4|5"),
    "fused: negative length": (
        dot(valid_lens=[-1, 2], need_weights=False),
        "ValueError|valid_lens|0|4|-1",
    ),
    "keys: a string": (dot(keys="keys"), "TypeError|keys|tensor|str"),
    "values: a NumPy array": (dot(values=V.numpy()), "TypeError|values|tensor|ndarray"),
    "queries: integers": (dot(Q.long()), "TypeError|queries|floating|torch.int64"),
    "queries: no batch": (dot(Q[0]), "ValueError|queries|(batch, ..., queries, size)|(3, 5)"),
    "keys: with heads": (
        dot(keys=K[:, None]),
        "ValueError|queries|keys|values|heads|(2, 3, 5)|(2, 1, 4, 5)|(2, 4, 6)",
    ),
    "values: one row": (dot(values=V[0, 0]), "ValueError|values|(batch, ..., values, size)|(6,)"),
    "batch: of queries": (dot(Q[:1]), "ValueError|queries|keys|values|batch|(1, 3, 5)|(2, 4, 5)"),
    "batch: of values": (dot(values=V[:1]), "ValueError|values|batch|(2, 4, 5)|(1, 4, 6)"),
    "pairs: a value too few": (
        dot(values=V[:, :3]),
        "ValueError|keys|values|pairs|4|keys|3|values",
    ),
    "sizes: dot product": (
        dot(keys=torch.zeros(2, 4, 7)),
        "ValueError|queries|keys|sizes|5 and 5, got 5 and 7",
    ),
    "sizes: distance": (
        lambda: DistanceAttention()(Q, torch.zeros(2, 4, 7), V),
        "ValueError|queries|keys|sizes|5 and 5, got 5 and 7",
    ),
    "sizes: bilinear": (
        lambda: BilinearAttention(5, 6)(Q, K, V),
        "ValueError|queries|keys|sizes|5 and 6, got 5 and 5",
    ),
    "sizes: additive, inferred": (
        lambda: twice(torch.zeros(2, 3, 4), K),
        "ValueError|queries|keys|sizes|5 and 5, got 4 and 5",
    ),
    "types: one differs": (dot(Q.double()), "TypeError|queries torch.float64|keys torch.float32"),
    "types: of values": (dot(values=V.half()), "TypeError|keys torch.float32|values torch.float16"),
    "types: half parameters": (
        lambda: BilinearAttention(5, 5).half()(Q, K, V),
        "TypeError|dtype|queries torch.float32|parameters torch.float16",
    ),
    "devices differ": (dot(Q.to("meta")), "TypeError|device|queries meta, keys cpu, values cpu"),
    "devices: of values": (dot(values=V.to("meta")), "TypeError|device|keys cpu|values meta"),
    "dropout: above 1": (lambda: DotProductAttention(1.5), "ValueError|dropout|0|1|1.5"),
    "dropout: NaN": (lambda: DistanceAttention(NAN), "ValueError|dropout|0|1|nan"),
    "dropout: a string": (lambda: AdditiveAttention(8, "0.1"), "TypeError|dropout|number|'0.1'"),
    "dropout: boolean": (lambda: DotProductAttention(True), "TypeError|dropout|number|True"),
    "num_hiddens: 0": (lambda: AdditiveAttention(0), "ValueError|num_hiddens|at least 1|0"),
    "num_hiddens: 8.0": (lambda: AdditiveAttention(8.0), "TypeError|num_hiddens|integer|8.0"),
    "query_size: negative": (
        lambda: BilinearAttention(-2, 3),
        "ValueError|query_size|at least 1|-2",
    ),
    "query_size: 3.0": (additive(8, 0.0, 3.0), "TypeError|query_size|integer|3.0"),
    "key_size: 0": (lambda: BilinearAttention(3, 0), "ValueError|key_size|at least 1|0"),
    "key_size: a string": (
        lambda: AdditiveAttention(8, 0.0, 3, "5"),
        "TypeError|key_size|integer|'5'",
    ),
    "matrices: one matrix": (
        heatmaps(S[0]),
        "ValueError|matrices|(rows, columns, queries, keys)|(3, 4)",
    ),
    "matrices: none": (heatmaps(torch.zeros(0, 1, 2, 2)), "ValueError|matrices|(0, 1, 2, 2)"),
    "matrices: a string": (heatmaps("Reds"), "TypeError|matrices|array|'Reds'"),
    "matrices: NaN": (heatmaps(torch.full((1, 1, 2, 2), NAN)), "ValueError|matrices|NaN|4|of|4"),
    "matrices: infinite": (heatmaps(S[None] + torch.inf), "ValueError|matrices|inf|24|of|24"),
    "matrices: too large for a scale": (
        heatmaps(torch.tensor([[[[1.7e308, -1.7e308]]]], dtype=torch.float64)),
        "ValueError|matrices|1e+300|1.7e+308",
    ),
    "xlabel: half a character": (
        heatmaps(S[None, :1], "K\ud800"),
        "ValueError|xlabel|half of a character",
    ),
    "titles: too long": (
        heatmaps(S[None, :1], titles=["a" * 100_000]),
        "ValueError|titles|200|100,000",
    ),
    "titles: too few": (heatmaps(S[None], titles=["one"]), "ValueError|titles|2|1"),
}


@pytest.mark.parametrize(("call", "told"), TABLE.values(), ids=TABLE.keys())
def test_a_wrong_call_is_refused_in_words_that_help(call, told):
    refused(call, told)
