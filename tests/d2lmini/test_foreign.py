"""Other people's classes run with ours dropped in: what they compute, and with which gradients.

The classes are in the style of the later chapters of *Dive into Deep Learning*, in our own words:
heads folded into the batch, with lengths that are floats as BERT's are, or 1, 2, 3 ... as those of
a decoder; an encoder block; a translator's decoder. Each is built twice from one seed, around
attention as such code brings it along and around ours.
"""

import math

import pytest
import torch
import torch.nn.functional as F
from torch import nn

import d2lmini
from d2lmini import causal_mask


def close(came, expected, tolerance=1e-6):
    torch.testing.assert_close(came, expected, rtol=tolerance, atol=tolerance)


def their_softmax(scores, lens):
    """Padding gets a large negative score; each example has at least one key."""
    if lens is None:
        return F.softmax(scores, dim=-1)
    lens = lens.reshape(len(scores), -1, 1)
    places = torch.arange(scores.shape[-1], dtype=torch.float32)
    return F.softmax(scores.masked_fill(places >= lens, -1e6), dim=-1)


class TheirDot(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.dropout = nn.Dropout(dropout)

    def forward(self, queries, keys, values, valid_lens=None):
        scores = torch.bmm(queries, keys.transpose(1, 2)) / math.sqrt(queries.shape[-1])
        self.attention_weights = their_softmax(scores, valid_lens)
        return torch.bmm(self.dropout(self.attention_weights), values)


class TheirAdditive(nn.Module):
    def __init__(self, num_hiddens, dropout):
        super().__init__()
        self.W_k = nn.LazyLinear(num_hiddens, bias=False)
        self.W_q = nn.LazyLinear(num_hiddens, bias=False)
        self.w_v = nn.LazyLinear(1, bias=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, queries, keys, values, valid_lens):
        queries, keys = self.W_q(queries), self.W_k(keys)
        features = torch.tanh(queries.unsqueeze(2) + keys.unsqueeze(1))
        self.attention_weights = their_softmax(self.w_v(features).squeeze(-1), valid_lens)
        return torch.bmm(self.dropout(self.attention_weights), values)


class FoldedHeads(nn.Module):
    """Multi-head attention around any dot-product attention; lengths are repeated for heads."""

    def __init__(self, dot, num_hiddens, num_heads, dropout, bias=False):
        super().__init__()
        self.num_heads = num_heads
        self.attention = dot(dropout)
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.LazyLinear(num_hiddens, bias=bias) for _ in range(4))

    def fold(self, X):
        X = X.reshape(*X.shape[:2], self.num_heads, -1).permute(0, 2, 1, 3)
        return X.reshape(-1, *X.shape[2:])

    def forward(self, queries, keys, values, valid_lens, **more):
        if valid_lens is not None:
            valid_lens = torch.repeat_interleave(valid_lens, repeats=self.num_heads, dim=0)
        folded = map(self.fold, (self.W_q(queries), self.W_k(keys), self.W_v(values)))
        output = self.attention(*folded, valid_lens, **more)
        output = output.reshape(-1, self.num_heads, *output.shape[1:]).permute(0, 2, 1, 3)
        return self.W_o(output.reshape(*output.shape[:2], -1))


class AddNorm(nn.Module):
    def __init__(self, size, dropout):
        super().__init__()
        self.dropout, self.norm = nn.Dropout(dropout), nn.LayerNorm(size)

    def forward(self, X, Y):
        return self.norm(X + self.dropout(Y))


class EncoderBlock(nn.Module):
    def __init__(self, heads, size, dropout):
        super().__init__()
        self.attention, self.addnorm1 = heads, AddNorm(size, dropout)
        self.network = nn.Sequential(nn.Linear(size, 2 * size), nn.ReLU(), nn.Linear(2 * size, size))
        self.addnorm2 = AddNorm(size, dropout)

    def forward(self, X, valid_lens, **more):
        Y = self.addnorm1(X, self.attention(X, X, X, valid_lens, **more))
        return self.addnorm2(Y, self.network(Y))


class Translator(nn.Module):
    """A recurrent decoder that asks the encoder's outputs before each of its steps."""

    def __init__(self, additive, size):
        super().__init__()
        self.attention = additive(size, 0.0)
        self.rnn, self.out = nn.GRU(2 * size, size, batch_first=True), nn.LazyLinear(7)

    def forward(self, X, encoded, state, lens):
        outputs, self.seen = [], []
        for x in X.split(1, dim=1):
            query = state[-1].unsqueeze(1)
            context = self.attention(query, encoded, encoded, lens)
            output, state = self.rnn(torch.cat([context, x], dim=-1), state)
            outputs.append(output)
            self.seen.append(self.attention.attention_weights)
        return self.out(torch.cat(outputs, dim=1))


def both(build, call):
    """Build and call it around theirs and around ours from one seed; compare all that comes out."""
    ours = d2lmini.DotProductAttention, d2lmini.AdditiveAttention
    outputs, grads = [], []
    for kit in ((TheirDot, TheirAdditive), ours):
        torch.manual_seed(0)
        model = build(*kit)
        torch.manual_seed(1)
        outputs.append(call(model))  # lazy layers start here
        outputs[-1].square().sum().backward()
        grads.append({name: p.grad for name, p in model.named_parameters()})
    close(*outputs)
    assert list(grads[0]) == list(grads[1])  # an optimizer's state depends on the order
    for name, grad in grads[0].items():
        close(grads[1][name], grad, 1e-5)
    return model


LENS = {
    "none": None,
    "of examples": torch.tensor([3, 2]),
    "floats": torch.tensor([3.0, 2.0]),
    "of queries": torch.tensor([[1, 2, 4], [2, 3, 1]]),
    "of a decoder": torch.arange(1, 4).repeat(2, 1),
}


@pytest.mark.parametrize("lens", LENS.values(), ids=LENS)
def test_heads_folded_into_the_batch(lens):
    q, k, v = torch.randn(2, 3, 8), torch.randn(2, 4, 5), torch.randn(2, 4, 6)
    model = both(lambda dot, _: FoldedHeads(dot, 8, 2, 0.0), lambda m: m(q, k, v, lens))
    assert model.attention.attention_weights.shape == (4, 3, 4)


def test_a_translator_with_a_start_of_its_own():
    """Code that sets each nn.Linear by hand leaves lazy layers alone, of theirs and of ours."""
    X, encoded, state = torch.randn(2, 3, 6), torch.randn(2, 5, 6), torch.randn(1, 2, 6)

    def by_hand(module):
        if type(module) is nn.Linear:
            nn.init.constant_(module.weight, 0.1)

    lens = torch.tensor([3, 5])
    model = both(lambda _, additive: Translator(additive, 6).apply(by_hand), lambda m: m(X, encoded, state, lens))
    assert not (model.attention.w_v.weight == 0.1).any()
    assert torch.cat(model.seen, dim=1).shape == (2, 3, 5)


# With masks, which their classes have not: what goes through a module reaches ours.


@pytest.mark.parametrize("heads", [d2lmini.MultiHeadAttention, None], ids=["ours", "folded"])
def test_an_encoder_block_with_a_tokenizers_mask(heads):
    torch.manual_seed(0)
    X, mask = torch.randn(2, 4, 8), torch.tensor([[1, 1, 1, 0], [1, 1, 0, 0]])
    heads = heads(8, 2) if heads else FoldedHeads(d2lmini.DotProductAttention, 8, 2, 0.0)
    block = EncoderBlock(heads, 8, 0.0)
    if isinstance(heads, FoldedHeads):
        mask = mask.repeat_interleave(2, dim=0)[:, None]  # (batch x heads, 1, keys)
    output = block(X, None, mask=mask)
    close(output, block(X, torch.tensor([3, 2])))
    for b, n in enumerate([3, 2]):
        close(output[b : b + 1, :n], block(X[b : b + 1, :n], None))


def test_a_block_is_pytorchs_layer_with_a_causal_mask():
    torch.manual_seed(0)
    theirs = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True)
    ours = EncoderBlock(d2lmini.MultiHeadAttention(8, 2, bias=True), 8, 0.0)
    names = {"attention.W_o": theirs.self_attn.out_proj, "network.0": theirs.linear1, "network.2": theirs.linear2}
    names |= {"addnorm1.norm": theirs.norm1, "addnorm2.norm": theirs.norm2}
    state = {}
    for name, layer in names.items():
        state |= {f"{name}.{kind}": x for kind, x in layer.state_dict().items()}
    for kind in ("weight", "bias"):
        three = getattr(theirs.self_attn, f"in_proj_{kind}").detach().chunk(3)
        state |= {f"attention.W_{x}.{kind}": part for x, part in zip("qkv", three, strict=True)}
    ours.load_state_dict(state)
    X, padding = torch.randn(2, 5, 8), torch.tensor([[0, 0, 0, 1, 1], [0, 0, 0, 0, 0]]).bool()
    (causal,) = causal_mask(5)
    expected = theirs(X, src_mask=~causal, src_key_padding_mask=padding)
    close(ours(X, None, mask=(causal & ~padding[:, None])[:, None]), expected, 1e-5)
