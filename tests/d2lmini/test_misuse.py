"""A table of wrong calls: each is refused in words that name what is wrong.

Those of every framework are in tests/frameworks/test_promises.py.
"""

import pytest
import torch
from errors import refused
from wrong import NAN

import d2lmini as d

Z = torch.zeros
S = Z(2, 3, 4)  # scores
Q, K, V = Z(2, 3, 5), Z(2, 4, 5), Z(2, 4, 6)


def softmax(scores=S, valid_lens=None):
    return lambda: d.masked_softmax(scores, valid_lens)


def dot(queries=Q, keys=K, values=V, valid_lens=None, **options):
    return lambda: d.DotProductAttention(**options)(queries, keys, values, valid_lens)


def additive(*options, queries=Q, keys=K, values=V):
    return lambda: d.AdditiveAttention(*options)(queries, keys, values)


def heads(*arguments, **named):
    return lambda: d.MultiHeadAttention(*arguments, **named)


def asked(**options):
    return lambda: d.DotProductAttention()(Q, K, V, **options)


one_head = d.MultiHeadAttention(5, 1)


def twice(queries, keys):
    attention = d.AdditiveAttention(8)
    attention(Q, K, V)  # the sizes are inferred
    attention(queries, keys, V)


def heatmaps(matrices, xlabel="Keys", **options):
    return lambda: d.show_heatmaps(matrices, xlabel, "Queries", **options)


def masked(mask, scores=S, valid_lens=None):
    return lambda: d.masked_softmax(scores, valid_lens, mask=mask)


def ones(*shape):
    return torch.ones(shape, dtype=torch.bool)


# Any call, and what is said.
WRONG = [
    (softmax([[[1.0]]]), "TypeError|scores|tensor|list"),
    (softmax(S.long()), "TypeError|scores|floating|torch.int64"),
    (softmax(S.cfloat()), "TypeError|scores|floating|torch.complex64"),
    (softmax(S[0], [2, 3]), "ValueError|valid_lens|(3,)|(2,)"),
    (heatmaps(torch.ones(1, 1, 2, 2) * 1j), "TypeError|matrices|real|torch.complex64|.abs()"),
    (softmax(Z(1, 2, 0), [1]), "ValueError|valid_lens|0|0|1"),
    # A tokenizer's masks that came as lengths.
    (softmax(Z(2, 8, 3, 4), torch.ones(2, 8).long()), "ValueError|valid_lens|(2, 3)|(2, 8)"),
    (dot(K, valid_lens=torch.tensor([[1.0, 1, 0, 0]] * 2)), "ValueError|valid_lens|0 and 1|mask="),
    (lambda: one_head(K, K, K, [[1, 1, 0, 0]] * 2), "ValueError|valid_lens|0 and 1|mask="),
    (masked(Z(0, 4), Z(0, 3, 4)), "TypeError|mask|boolean|torch.float32"),
    (masked(ones(2, 2, 3, 4), Z(2, 5, 3, 4)), "ValueError|mask|(2, 5, 3, 4)|(2, 2, 3, 4)"),
    (masked(ones(5, 3, 4), Z(2, 5, 3, 4)), "ValueError|mask|(batch, queries, keys)|(5, 3, 4)"),
    (masked(None, S, ones(2, 4)), "TypeError|valid_lens|mask="),
    (masked(ones(2, 4), S, [2, 5]), "ValueError|valid_lens|4|5"),
    (lambda: d.masked_softmax(S, None, S), "TypeError|masked_softmax() takes from 1 to 2 positional"),
    (lambda: d.masked_softmax(S, valid_len=[2, 3]), "TypeError|unexpected keyword|'valid_len'"),
    (lambda: d.DotProductAttention().score(Q), "TypeError|score() missing|'keys'"),
    (lambda: d.causal_mask(-1), "ValueError|queries|at least 0|-1"),
    (lambda: d.causal_mask(2.5), "TypeError|queries|integer|2.5"),
    (lambda: d.causal_mask(True), "TypeError|queries|integer|True"),
    (lambda: d.causal_mask(2, 4.0), "TypeError|keys|integer|4.0"),
    (lambda: d.causal_mask(4, 2), "ValueError|keys|queries|4|2"),
    (lambda: d.window_mask(3, window=0), "ValueError|window must be at least 1, got 0"),
    (lambda: one_head(Q[None], K[None], K[None]), "ValueError|queries|heads|(1, 2, 3, 5)"),
    (heads(6, 4), "ValueError|num_heads|num_hiddens|6|4"),
    (heads(6, 0), "ValueError|num_heads|at least 1|0"),
    (heads(6, 2, num_kv_heads=0), "ValueError|num_kv_heads|at least 1|0"),
    # In the words of PyTorch's module and of Keras.
    (heads(embed_dim=6, num_heads=2), "TypeError|has no argument embed_dim; say num_hiddens"),
    (heads(6, 2, use_bias=True), "TypeError|use_bias|say bias"),
    (asked(key_padding_mask=0), "TypeError|mask=~key_padding_mask[:, None]|here True may look"),
    (asked(attn_mask=0), "TypeError|mask=~attn_mask[None]|mask=attn_mask[None] == 0"),
    (lambda: one_head(K, K, K, is_causal=True), "TypeError|is_causal|mask=causal_mask(queries)"),
    (asked(need_weights=True), "TypeError|need_weights|return_weights=True"),
    (heads(6, 2.0), "TypeError|num_heads|integer|2.0"),
    (heads("6", 2), "TypeError|num_hiddens|integer|'6'"),
    (heads(6, 2, 1.5), "ValueError|dropout|1.5|MultiHeadAttention(num_hiddens, num_heads, dropout"),
    (lambda: one_head(K[..., :4], K, K), "ValueError|of MultiHeadAttention|5 and 5, got 4 and 5"),
    (lambda: one_head(K, K[..., :4], K), "ValueError|of MultiHeadAttention|5 and 5, got 5 and 4"),
    (lambda: d.MultiHeadAttention(5, 1).half()(K, K, K), "TypeError|dtype|parameters torch.float16"),
    (lambda: one_head(K, K, K[..., :3]), "ValueError|values|5|3"),
    (heads(6, 2, query_size=0), "ValueError|query_size|at least 1|0"),
    (heads(6, 2, key_size=0), "ValueError|key_size|at least 1|0"),
    (heads(6, 2, value_size=0), "ValueError|value_size|at least 1|0"),
    (dot(valid_lens=[2, 5]), "ValueError|valid_lens|0|4|5"),
    (dot(valid_lens=[-1, 2], need_weights=False), "ValueError|valid_lens|0|4|-1"),
    (dot(keys="keys"), "TypeError|keys|tensor|str"),
    (dot(values=V.numpy()), "TypeError|values|tensor|ndarray"),
    (dot(Q.long()), "TypeError|queries|floating|torch.int64"),
    (dot(values=V[0, 0]), "ValueError|values|(batch, ..., values, size)|(6,)"),
    (lambda: d.DistanceAttention()(Q, Z(2, 4, 7), V), "ValueError|queries|keys|5 and 5, got 5 and 7"),
    (lambda: d.BilinearAttention(5, 6)(Q, K, V), "ValueError|queries|keys|5 and 6, got 5 and 5"),
    (lambda: twice(Z(2, 3, 4), K), "ValueError|queries|keys|sizes|5 and 5, got 4 and 5"),
    (dot(Q.double()), "TypeError|queries torch.float64|keys torch.float32"),
    (dot(values=V.half()), "TypeError|keys torch.float32|values torch.float16"),
    (lambda: d.BilinearAttention(5, 5).half()(Q, K, V), "TypeError|dtype|parameters torch.float16"),
    (dot(Q.to("meta")), "TypeError|device|queries meta, keys cpu, values cpu"),
    (dot(values=V.to("meta")), "TypeError|device|keys cpu|values meta"),
    (lambda: d.DotProductAttention(1.5), "ValueError|dropout|0|1|1.5"),
    (lambda: d.DistanceAttention(NAN), "ValueError|dropout|0|1|nan"),
    (lambda: d.AdditiveAttention(8, "0.1"), "TypeError|dropout|number|'0.1'"),
    (lambda: d.DotProductAttention(True), "TypeError|dropout|number|True"),
    (lambda: d.AdditiveAttention(0), "ValueError|num_hiddens|at least 1|0"),
    (lambda: d.AdditiveAttention(8.0), "TypeError|num_hiddens|integer|8.0"),
    (lambda: d.BilinearAttention(-2, 3), "ValueError|query_size|at least 1|-2"),
    (additive(8, 0.0, 3.0), "TypeError|query_size|integer|3.0"),
    (lambda: d.BilinearAttention(3, 0), "ValueError|key_size|at least 1|0"),
    (lambda: d.AdditiveAttention(8, 0.0, 3, "5"), "TypeError|key_size|integer|'5'"),
    (heatmaps(S[0]), "ValueError|matrices|(rows, columns, queries, keys)|(3, 4)"),
    (heatmaps(Z(0, 1, 2, 2)), "ValueError|matrices|(0, 1, 2, 2)"),
    (heatmaps("Reds"), "TypeError|matrices|array|'Reds'"),
    (heatmaps(torch.full((1, 1, 2, 2), NAN)), "ValueError|matrices|NaN|4|of|4"),
    (heatmaps(S[None] + torch.inf), "ValueError|matrices|inf|24|of|24"),
    (heatmaps(Z(1, 1, 1, 1).double() + 1.7e308), "ValueError|matrices|1e+300|1.7e+308"),
    (heatmaps(S[None, :1], "K\ud800"), "ValueError|xlabel|half of a character"),
    (heatmaps(S[None, :1], titles=["a" * 100_000]), "ValueError|titles|200|100,000"),
    (heatmaps(S[None], titles=["one"]), "ValueError|titles|2|1"),
]


@pytest.mark.parametrize(("call", "told"), WRONG)
def test_a_wrong_call_is_refused_in_words_that_help(call, told):
    refused(call, told)
