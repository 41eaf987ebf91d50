"""Functions as steps for a page: what is written down, and what is refused with a clear word."""

import json
import math

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from d2lmini import AdditiveAttention, DotProductAttention, masked_softmax
from kernelfree.tracing.constants import constant, held_tensor
from kernelfree.tracing.exporting import NotForThePageError
from kernelfree.tracing.graph import graph
from kernelfree.tracing.source import calls
from kernelfree.tracing.steps import evaluate

X = torch.arange(6.0).reshape(2, 3) / 7
OUTSIDE = nn.Linear(3, 2)
SHIFT = torch.tensor([1.0, math.inf])


def with_outside(x):
    with torch.no_grad():
        product = x @ x.T
    return {"a": OUTSIDE(x) + SHIFT, "b": [product, x]}


def branches(x):
    if x.sum() > 0:
        return x
    return -x


def writes(x):
    y = x.clone()
    y[0] = 3
    return y


def adds(x):
    y = x.clone()
    y += 1
    return y


REFUSED = {
    branches: r"looks at values to decide.*torch\.where.*of branches: if x\.sum\(\) > 0:",
    (lambda x: x * x.sum().item()): r"item makes values decide.*x \* x\.sum",
    writes: r"fill_ changes a tensor in place.*of writes: y\[0\] = 3",
    adds: r"add_ changes a tensor in place.*of adds: y \+= 1",
    (lambda x: x + torch.randn(2, 3)): "randn is random; draw the numbers before",
    (lambda x: x[x > 0.5]): "index makes values decide",
    (lambda x: torch.special.i0(x)): r"does not know the operation special_i0.*torch\.special\.i0",
    (lambda x: F.cross_entropy(x, x, label_smoothing=0.1)): "knows cross_entropy_loss only with 0 as",
    (lambda x: F.dropout(x)): r"dropout in training is random; call \.eval\(\)",
    (lambda x: (x.half() * 2).float()): r"must be float64, float32, int64 or bool.*float16",
    (lambda x: torch.einsum("...i->...", x)): r"einsum wants a letter for every axis",
}


@pytest.mark.parametrize(("function", "told"), REFUSED.items())
def test_what_a_page_cannot_do_is_said_with_its_line(function, told, capfd):
    with pytest.raises(NotForThePageError, match=told):
        graph(function, {"x": X})
    assert capfd.readouterr() == ("", ""), "PyTorch prints nothing besides"


def test_what_is_wrong_with_the_function_is_said_by_itself():
    with pytest.raises(RuntimeError, match="mat1 and mat2 shapes"):
        graph(OUTSIDE.forward, {"input": X.T})
    with pytest.raises(TypeError, match="input 'x' must be a tensor, got list"):
        graph(branches, {"x": [1.0]})
    with pytest.raises(TypeError, match="must return tensors"):
        graph(lambda x: (x + 1, None), {"x": X})


def test_modules_tensors_and_structures_from_outside_are_held():
    made = graph(with_outside, {"x": X})
    values = evaluate(made.page(), [X])
    assert json.loads(json.dumps(made.page(), allow_nan=False)) == made.page()
    tree = made.outputs
    truth = with_outside(X)
    with torch.no_grad():
        assert torch.equal(values[int(tree["a"][1:])], truth["a"])
    assert torch.equal(values[int(tree["b"][0][1:])], truth["b"][0])
    assert values[int(tree["b"][1][1:])] is X


def test_parameters_can_stay_outside():
    made = graph(OUTSIDE, {"input": X}, by_name=True)
    assert [one.get("name") for one in made.constants] == ["weight", "bias"]
    assert all("data" not in one for one in made.constants)
    # One tensor for two inputs stays two inputs.
    made = graph(torch.add, {"input": X, "other": X})
    assert made.steps == [["add", ["%0", "%1"], "float32"]]


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.int64, torch.bool])
@pytest.mark.parametrize("shape", [(), (3,), (2, 0), (40, 60)])
def test_constants_keep_every_bit(dtype, shape):
    x = (1e3 * torch.randn(shape, dtype=torch.float64)).to(dtype)
    back = held_tensor(json.loads(json.dumps(constant(x, None))))
    assert back.dtype == dtype
    assert torch.equal(back, x)
    special = torch.tensor([math.nan, math.inf, -0.0], dtype=torch.float32)
    assert str(held_tensor(constant(special, None)).tolist()) == "[nan, inf, -0.0]"


def test_the_steps_are_those_of_the_plain_definition():
    made = graph(masked_softmax, {"scores": X[None], "valid_lens": torch.tensor([2])})
    names = [name for name, *_ in made.steps]
    assert names[-4:] == ["where", "softmax", "bitwise_not", "masked_fill"]
    assert made.strict
    assert [stack[-1].function for stack in made.stacks[-3:]] == ["masked_softmax"] * 3


def test_lines_know_what_they_make():
    q, k = torch.randn(1, 2, 3), torch.randn(1, 4, 3)
    inputs = {"queries": q, "keys": k, "values": k.clone(), "valid_lens": torch.tensor([3])}
    made = graph(DotProductAttention(), inputs)
    values = evaluate(made.page(), list(inputs.values()))
    attention = DotProductAttention()
    output = attention(**inputs)
    top = calls(made)
    (pooled,) = [pairs for pairs in top.made.values() if len(pairs) == 2]
    assert [name for name, _ in pooled] == ["output", "weights"]
    shown = {name: values[int(value[1:])] for name, value in pooled}
    assert torch.allclose(shown["output"], output)
    assert torch.allclose(shown["weights"], attention.attention_weights)


HIDDEN = {"deep": {"deeper": [AdditiveAttention(4, query_size=3, key_size=3)]}}


def far_outside(queries):
    return HIDDEN["deep"]["deeper"][0](queries, queries, queries)


def test_where_pytorch_cannot_look_inside_it_is_said_and_the_numbers_are_right():
    x = torch.randn(1, 2, 3)
    with pytest.warns(UserWarning, match="lines inside called functions are not known"):
        made = graph(far_outside, {"queries": x})
    assert not made.strict
    values = evaluate(made.page(), [x])
    with torch.no_grad():
        assert torch.allclose(values[int(made.outputs[1:])], far_outside(x))
