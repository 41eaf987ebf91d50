"""Masks in transforms, of heads, beside those of PyTorch, and where nobody knows their values."""

import pytest
import reference
import torch
import torch.nn.functional as F
from attentions import KINDS, WITH_HEADS, Watch, build, close, loop, numbers
from exhaustive import sample

from d2lmini import DotProductAttention, MultiHeadAttention, causal_mask, masked_softmax, window_mask
from d2lmini.masks import as_one_mask, clear_padding, mean_of_seen, seen_places


def test_each_head_may_have_a_mask_of_its_own():
    attention, x = MultiHeadAttention(6, 2).double(), numbers(2, 3, 6)
    mask = torch.cat([causal_mask(3), torch.eye(3).bool()[None]]).expand(2, 2, 3, 3)
    _, weights = attention(x, x, x, mask=mask, return_weights=True)
    assert ((weights > 0) == mask).all()
    close(weights[:, 1], torch.eye(3).expand(2, 3, 3), torch.float64)


MASKS = [(2, 4), (2, 1, 4), (2, 3, 4), (3, 4)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", sample(MASKS, (2, 3, 4)), ids=str)
def test_masks_compile_into_one_graph_and_vmap(kind, shape):
    attention, (q, k, v) = build(kind)
    mask = numbers(*shape, seed=3) < 0.5
    axes = {(2, 4): (0, 2), (3, 4): (1, 2)}.get(shape, (0, 1, 2))
    meant = reference.spread(mask, axes, (2, 3, 4))
    expected, _ = loop(attention, q, k, v, [3, 4], meant)
    torch.compiler.reset()
    compiled = torch.compile(attention, fullgraph=True, backend="aot_eager")
    for given_mask in (mask, mask.int()):
        output = compiled(q, k, v, torch.tensor([3, 4]), mask=given_mask)
        close(output, expected, torch.float64)
    many = torch.stack([mask, torch.ones_like(mask)])
    outputs = torch.func.vmap(lambda m: attention(q, k, v, mask=m))(many)
    close(outputs[0], attention(q, k, v, mask=mask), torch.float64)
    close(outputs[1], attention(q, k, v), torch.float64)


def test_a_cached_query_sees_all_its_keys():
    """PyTorch's is_causal starts at the first key; causal_mask ends at the last."""
    attention, x = DotProductAttention(), numbers(2, 6, 4)
    whole = attention(x, x, x, mask=causal_mask(6))
    close(whole, F.scaled_dot_product_attention(x, x, x, is_causal=True), torch.float64)
    for start in range(6):
        tail = attention(x[:, start:], x, x, mask=causal_mask(6 - start, 6))
        close(tail, whole[:, start:], torch.float64)
    last = F.scaled_dot_product_attention(x[:, 5:], x, x, is_causal=True)
    assert (last - whole[:, 5:]).abs().max() > 0.1
    # It is made where it is wanted, and for no words.
    assert causal_mask(2, 3, device="meta").is_meta
    assert window_mask(2, 3, window=2, device="meta").is_meta
    assert causal_mask(0).shape == (1, 0, 0)
    assert causal_mask(0, 2).shape == (1, 0, 2)


@pytest.mark.parametrize("kind", WITH_HEADS)
def test_on_a_device_nothing_waits_for_values(kind):
    """A tensor on meta has no values at all: who asked for one would get an error."""
    attention, tensors = build(kind)
    attention.to("meta")
    lens, mask = torch.tensor([2.0, 3.0]), torch.ones(2, 4).long()
    for place in ("cpu", "meta"):
        for grad in (True, False):
            with torch.set_grad_enabled(grad), Watch() as seen:
                leaves = [x.to("meta").requires_grad_(grad) for x in tensors]
                attention(*leaves, lens.to(place), mask=mask.to(place))
                assert masked_softmax(leaves[0], lens.to(place)).is_meta
            if place == "meta":
                assert not any("_local_scalar_dense" in name for name in seen.names)
    with Watch() as seen:  # the check does find it where there are values
        attention, tensors = build("dot")
        attention(*tensors, mask=torch.ones(2, 4).long())
    assert any("_local_scalar_dense" in name for name in seen.names)


def test_seen_places_are_said_once_for_all():
    mask = [[1, 1, 0, 1], [0, 1, 1, 1]]
    seen = seen_places((2, 3, 4), torch.device("cpu"), [1, 4], mask)
    assert seen.int().tolist() == [[[1, 0, 0, 0]], [[0, 1, 1, 1]]]
    assert str(seen_places((2, 3, 4), torch.device("cpu"))) == "tensor([[[True]]])"
    assert seen_places((2, 3, 4), torch.device("meta")).is_meta
    x = torch.zeros(2, 3, 4, device="meta")
    mask = as_one_mask(x, x, [1, 2], None)
    found = *clear_padding(x, x, mask), mean_of_seen(x, mask)
    assert all(y.is_meta for y in found)


LOOKS = ["lengths", "lengths of queries and a mask"]


@pytest.mark.parametrize("strict", sample([True, False], False))
@pytest.mark.parametrize("look", sample(LOOKS, LOOKS[1]))
@pytest.mark.parametrize("kind", WITH_HEADS)
def test_export_takes_batches_and_lengths_of_any_size(kind, look, strict):
    """Nothing of the example's sizes may stay in the program but those of the vectors."""

    def drawn(batch, queries, keys):
        _, tensors = build(kind, batch=batch, queries=queries, keys=keys)
        tensors = dict(zip(("queries", "keys", "values"), tensors, strict=True))
        lens = torch.arange(batch * queries).reshape(batch, queries) % keys + 1
        if look == "lengths":
            return {**tensors, "valid_lens": lens[:, 0]}
        return {**tensors, "valid_lens": lens, "mask": numbers(batch, 1, keys) > -1}

    attention, example = build(kind)[0], drawn(2, 3, 5)
    axes = {"queries": ("batch", "queries", None), **dict.fromkeys(("keys", "values"), ("batch", "keys", None))}
    axes |= {"valid_lens": ("batch", "queries"), "mask": ("batch", None, "keys")}
    dims = {name: torch.export.Dim(name, min=1) for name in ("batch", "queries", "keys")}
    dynamic = {name: [dims.get(axis) for axis in axes[name][: x.dim()]] for name, x in example.items()}
    for shapes, sizes in ((None, [(2, 3, 5)]), (dynamic, [(7, 4, 9), (1, 8, 2)])):
        program = torch.export.export(attention, (), example, dynamic_shapes=shapes, strict=strict)
        for others in sizes:
            other = {name: x.flip(0) for name, x in drawn(*others).items()}
            close(program.module()(**other), attention(**other), torch.float64)


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("window", [1, 3, 9])
def test_a_window_holds_the_near_words_and_joins_what_else_hides(window, causal):
    lens, padded = torch.tensor([7, 4]), torch.tensor([[0, 0, 1, 1, 1, 1, 1], [1] * 7]).bool()
    mask = window_mask(5, 7, window=window, causal=causal)
    weights = masked_softmax(torch.zeros(2, 5, 7), lens, mask=mask & padded[:, None])
    for b in range(2):
        for i in range(5):
            far = [j - (i + 2) for j in range(7)]
            near = [-window < n < (1 if causal else window) for n in far]
            wanted = [near[j] and j < lens[b] and bool(padded[b, j]) for j in range(7)]
            assert (weights[b, i] > 0).tolist() == wanted
    assert torch.equal(window_mask(4, window=4), causal_mask(4))
