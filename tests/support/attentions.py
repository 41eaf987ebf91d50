"""Attentions of every kind, inputs for them, and what they give by loops in float64."""

import cases
import numpy as np
import reference
import torch
from hypothesis import strategies as st
from torch import nn
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten

from d2lmini import AdditiveAttention, BilinearAttention, DistanceAttention, DotProductAttention, MultiHeadAttention

KEPT = ["dot", "additive", "bilinear", "distance"]  # which keep their weights
KINDS = [*KEPT, "fused"]
WITH_HEADS = [*KINDS, "heads", "fused heads"]
LENGTHS = [None, [2, 4], [0, 3], [[1, 3, 2], [4, 0, 3]]]
TOLERANCE = {torch.float16: 2e-3, torch.bfloat16: 2e-2, torch.float32: 1e-6, torch.float64: 1e-12}


def close(actual, expected, dtype=torch.float32, about="", times=1):
    room = dict.fromkeys(("rtol", "atol"), times * TOLERANCE[dtype])
    torch.testing.assert_close(actual.double(), expected.double(), **room, msg=lambda told: f"{about}: {told}")


def numbers(*shape, seed=0, dtype=torch.float64):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=dtype)


# ---- attentions and their inputs -----------------------------------------------------------------


def make(kind, size, key_size, value_size, **options):
    torch.manual_seed(0)
    if kind == "additive":
        return AdditiveAttention(4, **options)
    if kind == "bilinear":
        return BilinearAttention(size, key_size, **options)
    if kind == "distance":
        return DistanceAttention(**options)
    options["need_weights"] = "fused" not in kind
    if "heads" in kind:
        sizes = {"query_size": size, "key_size": key_size, "value_size": value_size}
        return MultiHeadAttention(8, 4, bias=True, **sizes, **options)
    return DotProductAttention(**options)


SIZES = {"batch": 2, "lead": (), "queries": 3, "keys": 4, "size": 3, "value_size": 2}


def build(kind, dtype=torch.float64, grad=False, dropout=0.0, **sizes):
    """An attention of a kind, which has inferred its sizes, and queries, keys and values for it.

    Where a kind can have it so, a key is larger than a query. `lead` are axes after the batch.
    """
    batch, lead, queries, keys, size, value_size = (SIZES | sizes).values()
    key_size = size if kind in ("dot", "fused", "distance") else size + 1
    attention = make(kind, size, key_size, value_size, dropout=dropout).to(dtype)
    shapes = (queries, size), (keys, key_size), (keys, value_size)
    tensors = [numbers(batch, *lead, *shape, seed=i).to(dtype) for i, shape in enumerate(shapes)]
    attention(*tensors)
    return attention, [x.requires_grad_(grad) for x in tensors]


def as_function(attention, lens, mask=None):
    names = [name for name, _ in attention.named_parameters()]

    def pool(queries, keys, values, *parameters):
        parameters = dict(zip(names, parameters, strict=True))
        inputs = queries, keys, values, lens
        return torch.func.functional_call(attention, parameters, inputs, {"mask": mask})

    return pool


LAYOUTS = ("contiguous", "transposed", "strided", "offset", "expanded")


def lay_out(tensor, layout):
    """Return a tensor of the same shape whose memory is arranged in an odd way.

    An expanded one repeats its first example, so its values differ; the others keep theirs.
    """
    if layout == "transposed":
        return tensor.transpose(-1, -2).contiguous().transpose(-1, -2)
    if layout == "strided":
        return tensor.repeat_interleave(2, dim=-1)[..., ::2]
    if layout == "offset":
        return torch.cat([tensor[:1], tensor])[min(1, len(tensor)) :]
    if layout == "expanded" and len(tensor):
        return tensor[:1].expand_as(tensor)
    return tensor


def size(most, least=0):
    """Each size as often as any other: of integers hypothesis draws mostly the smallest."""
    return st.sampled_from(range(least, most + 1))


FORMS = ["list", "numpy", "strided", "bool", "uint8", "int64", "float32", "bfloat16"]


@st.composite
def looks(draw, shape):
    """(lens, mask, seen) of `cases.looks`, in any form; masks that are no booleans are 0 and 1."""
    *given, seen = draw(cases.looks(shape))
    return *(as_form(x, draw(st.sampled_from(FORMS))) for x in given), torch.from_numpy(seen)


def as_form(given, form):
    if given is None or (form == "list" and np.size(given)):  # of size 0, lists lose axes
        return given
    array = np.array(given)
    if form in ("list", "numpy"):
        return array
    tensor = torch.from_numpy(array)
    if form == "strided":
        return lay_out(tensor, form)
    if form in (["float32", "bfloat16"] if tensor.dtype == torch.bool else ["bool"]):
        return tensor
    return tensor.to(getattr(torch, form))


# ---- what they give ------------------------------------------------------------------------------


def loop(attention, queries, keys, values, lens=None, mask=None):
    if not isinstance(attention, MultiHeadAttention):
        scoring = reference.scoring(attention)
        return reference.attend(scoring, queries, keys, values, lens, mask)

    # Head by head: its rows of W_q, W_k and W_v, and a loop over pairs; then W_o.
    def mapped(layer, x, rows=slice(None)):
        y = x.double() @ layer.weight.detach().double()[rows].T
        return y if layer.bias is None else y + layer.bias.detach().double()[rows]

    size = attention.W_q.out_features // attention.num_heads
    pooled, weights = [], []
    for head in range(attention.num_heads):
        rows = slice(head * size, (head + 1) * size)
        layers = {attention.W_q: queries, attention.W_k: keys, attention.W_v: values}
        parts = [mapped(layer, x, rows) for layer, x in layers.items()]
        output, alpha = reference.attend(reference.dot_product, *parts, lens, mask)
        pooled.append(output)
        weights.append(alpha)
    return mapped(attention.W_o, torch.cat(pooled, dim=-1)), torch.stack(weights, dim=1)


def peer(attention):
    bias, sizes = attention.W_o.bias is not None, (attention.W_o.in_features, attention.num_heads)
    module = nn.MultiheadAttention(*sizes, bias=bias, batch_first=True).eval()
    three = [attention.W_q, attention.W_k, attention.W_v]
    state = {f"out_proj.{name}": x for name, x in attention.W_o.state_dict().items()}
    for name in ("weight", "bias") if bias else ("weight",):
        state[f"in_proj_{name}"] = torch.cat([getattr(layer, name) for layer in three])
    module.load_state_dict(state)
    return module


class Watch(TorchDispatchMode):
    """Note the names of all operations, and how many numbers their largest result has."""

    def __init__(self):
        super().__init__()
        self.names, self.largest = set(), 0

    def __torch_dispatch__(self, operation, types, args=(), kwargs=None):
        result = operation(*args, **kwargs or {})
        self.names.add(str(operation))
        sizes = [x.numel() for x in tree_flatten(result)[0] if isinstance(x, torch.Tensor)]
        self.largest = max(self.largest, *sizes, 0)
        return result
