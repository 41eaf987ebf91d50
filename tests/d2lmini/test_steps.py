"""A subclass that says how to score or to weigh is asked, whatever is switched on."""

import copy
import inspect
import math
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch
from attentions import KINDS, close, make, numbers
from reference import softmax
from torch import nn
from torch.func import functional_call

import d2lmini
from d2lmini import AdditiveAttention, Attention, DotProductAttention, MultiHeadAttention, causal_mask, masked_softmax
from d2lmini.scores import sink_softmax

BATCH, HEADS, QUERIES, KEYS, SIZE = 2, 3, 4, 5, 2


class Cosine(DotProductAttention):
    def score(self, queries, keys):
        return nn.functional.normalize(queries, dim=-1) @ nn.functional.normalize(keys, dim=-1).mT

    @staticmethod
    def by_hand(q, k, head):
        return q @ k / math.sqrt((q @ q) * (k @ k))


class Walks(Attention):
    def score(self, queries, keys):
        return -(queries.unsqueeze(-2) - keys.unsqueeze(-3)).abs().sum(dim=-1)

    @staticmethod
    def by_hand(q, k, head):
        return -np.abs(q - k).sum()


class Product(DotProductAttention):
    """What those that weigh have in common."""

    @staticmethod
    def by_hand(q, k, head):
        return q @ k / math.sqrt(SIZE)


class Sigmoid(Product):
    def weigh(self, scores, valid_lens, mask):
        return torch.sigmoid(scores)  # what is hidden is the class's business

    @staticmethod
    def weigh_by_hand(row, head):
        return [1 / (1 + math.exp(-s)) for s in row]


class Sink(Product):
    def weigh(self, scores, valid_lens, mask):
        return sink_softmax(scores, valid_lens, mask=mask, sink=0.5)

    @staticmethod
    def weigh_by_hand(row, head):
        return softmax([*row, 0.5])[:-1]


class SinkOfEachHead(Product):
    def __init__(self, **options):
        super().__init__(**options)
        self.sinks = nn.Parameter(torch.arange(float(HEADS)))

    def weigh(self, scores, valid_lens, mask):
        return sink_softmax(scores, valid_lens, mask=mask, sink=self.sinks)

    @staticmethod
    def weigh_by_hand(row, head):
        return softmax([*row, float(head)])[:-1]


OWN = [Cosine, Walks, Sigmoid, Sink, SinkOfEachHead]
INPUTS = [numbers(BATCH, HEADS, n, SIZE, seed=i) for i, n in enumerate((QUERIES, KEYS, KEYS))]
MASK = numbers(BATCH, HEADS, QUERIES, KEYS, seed=7) > -0.5
BIAS = numbers(HEADS, QUERIES, KEYS, seed=8)
LENS = torch.tensor([0, 3])
ALL = {"valid_lens": LENS, "mask": MASK, "bias": BIAS}
OPTIONS = [{}, {"valid_lens": LENS}, {"bias": BIAS}, ALL]


def by_loop(kind, q, k, v, valid_lens=None, mask=MASK | True, bias=0 * BIAS):
    q, k, v, bias = (x.detach().double().numpy() for x in (q, k, v, bias))
    output, weights = np.zeros((*q.shape[:-1], v.shape[-1])), np.zeros((*q.shape[:-1], k.shape[-2]))
    weigh = getattr(kind, "weigh_by_hand", lambda row, head: softmax(row))
    for b, h, i in np.ndindex(q.shape[:-1]):
        most = KEYS if valid_lens is None else valid_lens[b]
        seen = [j for j in range(most) if mask[b, h, i, j]]
        row = [kind.by_hand(q[b, h, i], k[b, h, j], h) + bias[h, i, j] for j in seen]
        weights[b, h, i, seen] = weigh(row, h)
        output[b, h, i] = weights[b, h, i, seen] @ v[b, h, seen]
    return torch.from_numpy(output), torch.from_numpy(weights)


def littered(options):
    """Queries, and keys and values with NaN where no query looks."""
    if "valid_lens" not in options:
        return INPUTS
    beyond = torch.arange(KEYS) >= LENS[:, None]  # (batch, keys)
    return [INPUTS[0], *(x.masked_fill(beyond[:, None, :, None], torch.nan) for x in INPUTS[1:])]


def as_it_is(attention, *tensors, **options):
    leaves = [x.clone().requires_grad_() for x in tensors]
    output = attention(*leaves, **options)
    for slope in torch.autograd.grad(output.sum(), leaves):
        assert slope.isfinite().all()
    return output


def as_half(attention, *tensors, **options):
    tensors = [x.bfloat16() for x in tensors]
    if "bias" in options:
        options["bias"] = options["bias"].bfloat16()
    output = copy.deepcopy(attention).bfloat16()(*tensors, **options)
    assert output.dtype == torch.bfloat16
    return output


def exported(attention, *tensors, **options):
    return torch.export.export(attention, tensors, options).module()(*tensors, **options)


def functional(attention, *tensors, **options):
    twice = {name: 2 * x for name, x in attention.named_parameters()}
    other = copy.deepcopy(attention)
    other.load_state_dict(twice)
    output = functional_call(attention, twice, tensors, options)
    torch.testing.assert_close(output, other(*tensors, **options))
    return functional_call(attention, dict(attention.named_parameters()), tensors, options)


def mapped(attention, *tensors, **options):
    bias = torch.stack([options.pop("bias", 0 * BIAS)] * 2)
    call = partial(attention, *tensors, **options)
    return torch.func.vmap(lambda b: call(bias=b))(bias)[1]


WAYS = [as_it_is, as_half, functional, mapped, exported]


@pytest.mark.parametrize("need_weights", [True, False])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", OWN)
def test_it_is_asked(kind, way, need_weights):
    attention = kind().double()
    attention.need_weights = need_weights
    for options in OPTIONS if way is not exported else [ALL]:
        expected, weights = by_loop(kind, *INPUTS, **options)
        tensors, dtype = littered(options), torch.bfloat16 if way is as_half else torch.float64
        close(way(attention, *tensors, **options), expected, dtype, times=2)
        _, found = attention(*tensors, **options, return_weights=True)
        assert (found is None) is not need_weights
        if need_weights:
            close(found, weights, torch.float64)
            assert (found[weights == 0] == 0).all()


@pytest.mark.parametrize("kind", [Cosine, Sigmoid])
def test_it_is_asked_in_one_compiled_graph(kind):
    torch.compiler.reset()
    compiled = torch.compile(kind(need_weights=False), fullgraph=True, backend="aot_eager")
    close(compiled(*littered(ALL), **ALL), by_loop(kind, *INPUTS, **ALL)[0], torch.float64)


@pytest.mark.parametrize("need_weights", [True, False])
@pytest.mark.parametrize("kind", OWN)
def test_its_weights_are_dropped_out_in_training_alone(kind, need_weights):
    attention = kind(dropout=0.5).double()
    attention.need_weights = need_weights
    _, weights = by_loop(kind, *INPUTS, **ALL)
    torch.manual_seed(0)
    expected = nn.functional.dropout(weights, 0.5) @ INPUTS[2]
    torch.manual_seed(0)
    close(attention(*littered(ALL), **ALL), expected, torch.float64)
    close(attention.eval()(*littered(ALL), **ALL), weights @ INPUTS[2], torch.float64)


@pytest.mark.parametrize("need_weights", [True, False])
@pytest.mark.parametrize("kind", OWN)
def test_heads_attend_as_it_says(kind, need_weights):
    torch.manual_seed(0)
    own = kind().double()
    own.need_weights = need_weights
    heads = MultiHeadAttention(HEADS * SIZE, HEADS, attention=own).double()
    x, y = numbers(BATCH, QUERIES, HEADS * SIZE), numbers(BATCH, KEYS, HEADS * SIZE, seed=1)
    mapped = heads.W_q(x), heads.W_k(y), heads.W_v(y)
    cut = [z.unflatten(-1, (HEADS, SIZE)).transpose(1, 2) for z in mapped]
    pooled, weights = by_loop(kind, *cut, **ALL)
    y = y.masked_fill((torch.arange(KEYS) >= LENS[:, None]).unsqueeze(-1), torch.nan)
    output, found = heads(x, y, y, **ALL, return_weights=True)
    close(output, pooled.transpose(1, 2).flatten(2) @ heads.W_o.weight.T, torch.float64)
    assert (found is None) is not need_weights
    if need_weights:
        close(heads.attention_weights, weights, torch.float64)


def test_an_attention_that_is_given_says_its_own_dropout_and_scale():
    for option in {"dropout": 0.1}, {"need_weights": False}, {"scale": 2.0}:
        with pytest.raises(ValueError, match="said to the attention that is given, a Cosine"):
            MultiHeadAttention(6, 3, **option, attention=Cosine())


def test_a_step_or_a_dropout_of_one_attention_alone_is_asked_too():
    for name, own in (("score", Cosine), ("weigh", Sigmoid)):
        attention = DotProductAttention(need_weights=False)
        setattr(attention, name, getattr(own(), name))
        close(attention(*INPUTS), by_loop(own, *INPUTS)[0], torch.float64)
    attention = DotProductAttention(need_weights=False)
    attention.dropout = nn.Identity()
    attention.dropout.register_forward_hook(lambda module, given, output: 0 * output)
    assert not attention(*INPUTS).any()


def test_an_idle_dropout_is_called_so_that_its_hooks_see_the_weights():
    seen, attention = [], AdditiveAttention(4).double().eval()
    attention.dropout.register_forward_hook(lambda module, given, output: seen.append(output))
    attention(*INPUTS, LENS)
    close(seen[0], attention.attention_weights, torch.float64)


# ---- what runs ---------------------------------------------------------------------------------


def passed(attention, *call):
    """The package's functions that a call goes through, by their code."""
    codes = []

    def note(frame, event, given):
        if event == "call" and Path(frame.f_code.co_filename).parent == Path(d2lmini.__file__).parent:
            codes.append(frame.f_code)

    sys.setprofile(note)
    try:
        attention(*call)
    finally:
        sys.setprofile(None)
    return codes


def test_what_is_shown_is_what_runs():
    codes = passed(DotProductAttention(), *INPUTS, LENS)
    shown = [Attention.forward, Attention.pool, Attention.weigh, DotProductAttention.score, masked_softmax]
    assert {inspect.unwrap(step).__code__ for step in shown} <= set(codes)
    assert len(codes) <= 36
    # Who calls a step alone may give it lengths.
    assert Attention().weigh(torch.zeros(1, 1, 4), [2], None).tolist() == [[[0.5, 0.5, 0, 0]]]
    assert Attention().attention_weights is None
    large = [torch.zeros(2, n, 4) for n in (512, 600, 600)]
    small = [x[:, :3] for x in large]
    assert passed(DotProductAttention(), *large, LENS) == passed(DotProductAttention(), *small, LENS)


@pytest.mark.filterwarnings("ignore:.*torch.jit.trace. is deprecated:DeprecationWarning")
@pytest.mark.filterwarnings("ignore:Converting a tensor to a Python float")  # d, of the root
@pytest.mark.parametrize("kind", [*KINDS, "heads"])
def test_a_trace_is_right_for_other_lengths_and_sizes(kind):
    attention = make(kind, 4, 4, 4)

    def attend(q, k, lens):
        return attention(q, k, k, lens), attention(q, q, q, mask=causal_mask(q.shape[1]))

    def drawn(batch, queries, keys):
        return torch.randn(batch, queries, 4), torch.randn(batch, keys, 4)

    example = *drawn(2, 3, 5), torch.tensor([2, 5])
    attend(*example)  # sizes are inferred
    attention.requires_grad_(False)
    steps = torch.jit.trace(attend, example, check_trace=False)
    for sizes in ((2, 3, 5), (3, 7, 4), (2, 300, 320)):
        q, k = drawn(*sizes)
        lens = torch.tensor([0, *[sizes[2] - 1] * (sizes[0] - 1)])
        for found, wanted in zip(steps(q, k, lens), attend(q, k, lens), strict=True):
            torch.testing.assert_close(found, wanted)
    with pytest.raises(ValueError, match="may be"):  # shapes are checked there, too
        torch.jit.trace(lambda x: attention(x, x, x, mask=x[:, :, 0] > 0), (torch.randn(3, 3, 4),))
