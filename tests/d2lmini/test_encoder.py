"""The sentence encoder with numbers of any kind: where it computes, and what padding is to it."""

from types import SimpleNamespace

import torch

from d2lmini.encoder import Encoder, embed, pool


def test_the_mean_over_real_tokens_is_made_where_they_are():
    Z, lens = torch.arange(24.0).reshape(2, 3, 4) % 7, torch.tensor([2, 3])
    for place in ("meta", "cpu"):
        assert pool(Z.to("meta"), lens.to(place)).device.type == "meta"
    expected = torch.stack([Z[0, :2].mean(dim=0), Z[1].mean(dim=0)])
    torch.testing.assert_close(pool(Z, lens), expected / expected.norm(dim=-1, keepdim=True))


def test_sentences_are_embedded_where_the_model_is():
    words = SimpleNamespace(encode=lambda s: SimpleNamespace(ids=[len(w) for w in s.split()]))
    model, places, sentences = Encoder(12, 1), [], ["one", "two of them"]
    model.tokens.register_forward_pre_hook(lambda _, ids: places.append(ids[0].device.type))
    assert embed(model, words, sentences).shape == (2, 12)
    assert embed(model.to("meta"), words, sentences).device.type == "meta"
    assert places == ["cpu", "meta"]
