"""The steps that a page can take: their names, and PyTorch's calls as such steps."""

import math
from typing import Any

import torch
from torch import Tensor

from .constants import held_tensor, kind
from .exporting import NotForThePageError, stacks, told
from .operations import OPERATIONS, UNCOMMON

KNOWN = frozenset(OPERATIONS.split() + UNCOMMON.split())
# Other names of the same.
SAME = {
    "__and__": "bitwise_and",
    "__or__": "bitwise_or",
    "__xor__": "bitwise_xor",
    "absolute": "abs",
    "adjoint": "mT",
    "clip": "clamp",
    "concat": "cat",
    "detach_": "detach",  # nothing is in place about it here
    "floordiv": "floor_divide",
    "greater": "gt",
    "less": "lt",
    "mod": "remainder",
    "multiply": "mul",
    "negative": "neg",
    "split_with_sizes": "split",
    "subtract": "sub",
    "swapaxes": "transpose",
    "t": "numpy_T",
    "true_divide": "div",
    "truediv": "div",
    "type_as": "to",
}
# What hands a tensor on as it is; it is no step of its own.
IDLE_STEPS = {"alias", "clone", "contiguous", "detach", "dropout", "lift_fresh_copy", "to"}
# Arguments, by their place, that must be what they are when nobody names them.
FIXED = {
    "binary_cross_entropy_with_logits": {2: None, 3: None},
    "cdist": {2: 2},
    "cross_entropy_loss": {2: None, 5: 0},
    "nll_loss_nd": {2: None},
    "pad": {2: "constant"},
    "scaled_dot_product_attention": {4: 0},
}
# Named arguments that the page knows, and those that make no difference to it.
OPTIONS = {"alpha", "approximate", "beta", "correction", "keepdim", "rounding_mode", "scale"}
IDLE = {"device", "dtype", "layout", "memory_format", "pin_memory"}
VALUES = {"item", "nonzero", "masked_select", "unique2", "index_put", "is_nonzero", "equal"}


def name_of(node):
    """An operation's name, without the library's in front and its variant behind."""
    if node.op != "call_function":
        return str(node.target)
    full = str(node.target)  # aten.softmax.int
    return full.split(".")[1] if full.startswith("aten.") else node.target.__name__


def in_place(node):
    """Whether a call changes one of its arguments."""
    name = name_of(node)
    usual = name.endswith("__") or name == "detach_"
    return node.op == "call_function" and name.endswith("_") and not usual


def alive(program):
    """The calls that an output needs, in their order; checks are not among them."""
    needed = {
        a for node in program.graph.nodes if node.op == "output" for a in node.all_input_nodes
    }
    for node in reversed(program.graph.nodes):
        if node in needed or node.op == "output" or in_place(node):
            needed |= {node, *node.all_input_nodes}
    return [node for node in program.graph.nodes if node in needed and node.op == "call_function"]


def step(node, ids):
    """A call as [operation, arguments, dtype, options]; raise if the page can't do it."""
    name = SAME.get(name_of(node), name_of(node))
    args = [encoded(a, ids) for a in node.args]
    named = {k: v for k, v in node.kwargs.items() if k not in IDLE and v not in (None, False)}
    if why := hindrance(node, name, named):
        used = where(node)
        raise NotForThePageError(f"{why}{used}")
    dtype = type_of(node.meta.get("val"), node)
    options = {k: encoded(v, ids) for k, v in named.items()}
    return [name, args, dtype, options] if options else [name, args, dtype]


def is_idle(node, made):
    """Whether a step gives back the tensor that it got."""
    name, _, dtype = made[:3]
    return name in IDLE_STEPS and dtype == type_of(node.args[0].meta["val"], node)


def hindrance(node, name, named):
    """Why the page can't take a step, or None."""
    if in_place(node):
        return f"{name} changes a tensor in place; the page wants a new one, as y = y + x makes"
    if name == "dropout":
        probability, training = node.args[1:3]
        return (
            "dropout in training is random; call .eval() first"
            if training and probability
            else None
        )
    if torch.Tag.nondeterministic_seeded in getattr(node.target, "tags", ()):
        return f"{name} is random; draw the numbers before and give them as an input"
    if name in VALUES or (name == "index" and any(is_mask(x) for x in node.args[1])):
        return f"{name} makes values decide about shapes or about Python's numbers"
    if name not in KNOWN | IDLE_STEPS:
        return f"the page does not know the operation {name}"
    if strange := set(named) - OPTIONS:
        return f"the page does not know {sorted(strange)[0]!r} of {name}"
    for at, usual in FIXED.get(name, {}).items():
        if len(node.args) > at and node.args[at] != usual:
            return f"the page knows {name} only with {usual!r} as argument {at + 1}"
    if name == "einsum" and "..." in node.args[0]:
        return "the page's einsum wants a letter for every axis"
    return None


def is_mask(index):
    return index is not None and index.meta["val"].dtype == torch.bool


def where(node):
    """Which line asks for a step, in brackets."""
    (stack,) = stacks([node])
    return told(stack[-1]) if stack else ""


def encoded(value, ids):
    """An argument as JSON."""
    if isinstance(value, torch.fx.Node):
        return f"%{ids[value]}"
    if isinstance(value, list | tuple):
        return [encoded(part, ids) for part in value]
    if isinstance(value, float) and not math.isfinite(value):
        return "=" + str(value).replace("inf", "Infinity").replace("nan", "NaN")
    return value if isinstance(value, bool | int | float | str | None) else None


def type_of(value, node):
    """The dtype of what a step makes; a list for a list; None for a number."""
    if isinstance(value, list | tuple):
        return [type_of(part, node) for part in value]
    if not isinstance(value, Tensor):
        return None
    return kind(value, f"the result of {name_of(node)}{where(node)}")


def evaluate(page, inputs):
    """All values of a graph, step by step, by PyTorch's own operations."""
    values: list[Any] = [held_tensor(one) for one in page["constants"]] + inputs

    def known(given):
        if isinstance(given, list):
            return [known(one) for one in given]
        if isinstance(given, str) and given[:1] in "%=":
            return values[int(given[1:])] if given[0] == "%" else float(given[1:])
        return given

    for name, args, dtype, *options in page["steps"]:
        args, options = known(args), {k: known(v) for o in options for k, v in o.items()}
        if name in ("view", "reshape"):  # copies between them are no steps
            values.append(args[0].reshape(args[1]))
        elif name == "to":
            values.append(args[0].to(getattr(torch, dtype)))
        elif name == "getitem":
            values.append(args[0][args[1]])
        elif name == "sym_size":
            values.append(args[0].shape[args[1]])
        else:
            made = getattr(torch.ops.aten, name)(*args, **options)
            # A creation has lost the type that it was asked for.
            values.append(made.to(getattr(torch, dtype)) if isinstance(dtype, str) else made)
    return values
