"""Short programs, each a line, that PyTorch and the page's stand-in for it must answer alike."""

import ast
import itertools
import re
from pathlib import Path

NUMBER = re.compile(r"-?(?:\d+\.?\d*(?:e[+-]?\d+)?|inf|nan)")
# The name of a step in a gradient's history, and where an object lies.
NAMES = re.compile(r"(?:grad_fn=)?<\w+>| at 0x\w+|\s+")
X = "x = torch.arange(12.).reshape(3, 4); "
OPERATORS = ["+", "-", "*", "/", "**", "%", "//", "==", "<", ">=", "&", "|", "^"]


def parts():
    """The parts that programs are made of, by kind; a kind's name stands behind a "#"."""
    text = (Path(__file__).parents[1] / "data" / "one_liners.txt").read_text(encoding="utf-8")
    kinds = [block.partition("\n") for block in text.split("# ")[1:]]
    return {kind: lines.removesuffix("\n\n").removesuffix("\n").split("\n") for kind, _, lines in kinds}


def programs():
    """All of them."""
    given = parts()
    for i in given["indices"]:
        yield f"{X}x[{i}]"
        yield f"{X}x[{i}] = -1; x"
        yield f"{X}x.requires_grad_(); (x[{i}] * 2).square().sum().backward(); x.grad"
        yield f"{X}y = x[{i}]; y += 10; x"
        yield f"x = torch.arange(24).reshape(2, 3, 4); x[{i.replace('x', 'x[0]')}]"
    for op, a, b in itertools.product(OPERATORS, given["numbers"], given["numbers"]):
        if "torch" in a + b:
            yield f"{a} {op} {b}"
    for f in given["functions"]:
        yield f"torch.manual_seed(3); x = 4 * torch.rand(3, 4); {f}"
        yield f"torch.manual_seed(3); x = (4 * torch.rand(3, 4)).requires_grad_(); {f}"
        weigh = "(y * torch.arange(y.numel()).reshape(y.shape)).sum().backward(); x.grad"
        yield f"torch.manual_seed(3); x = (4 * torch.rand(3, 4)).requires_grad_(); y = {f}; {weigh}"
        yield f"x = torch.arange(12).reshape(3, 4); {f}"
        yield f"x = torch.tensor([[0., -0., 1., nan], [-inf, 2., inf, 3.], [1., 1., 1., 1.]]); {f}"
        yield f"x = torch.arange(12).reshape(3, 4) > 5; {f}"
        yield f"x = torch.arange(12., dtype=torch.float64).reshape(4, 3).T; {f}"
    for v in given["views"]:
        yield f"{X}y = {v}; y.mul_(2); x"
        yield f"{X}y = {v}; x[1] = 100; y"
        yield f"{X}y = {v}; y.shape, y.is_contiguous()"
        yield f"{X}x.requires_grad_(); y = {v} * 2; y.square().sum().backward(); x.grad"
    for one, end in itertools.product(given["lists"], given["ends"]):
        yield f"x = torch.tensor({one}){end}; x"
    for one in given["writes"]:
        yield f"{X}y = x + 1; {one}; x"
        yield f"x = torch.arange(12).reshape(3, 4); y = x + 1; {one}; x"
    for one in given["grads"]:
        yield f"w = torch.arange(12.).reshape(3, 4).requires_grad_(); {one}"
    yield from given["makers"]
    for one in given["chance"]:
        yield f"torch.manual_seed(5); {one}"
    for one in given["layers"]:
        yield f"torch.manual_seed(5); {X}{one}"
    for one in ("torch.arange(2000.)", "torch.ones(40, 40)", "torch.rand(2, 2, 2, 2)"):
        yield f"torch.manual_seed(0); {one}"
    yield "torch.arange(3000).reshape(10, 10, 30)"


def answer(source):
    """["ok", what is printed] or [the error's type, its first line]."""
    import torch
    import torch.nn.functional as F

    torch.set_printoptions(profile="default", sci_mode=None)
    torch.set_default_dtype(torch.float32)
    space = {"torch": torch, "F": F, "nn": torch.nn, "inf": torch.inf, "nan": torch.nan}
    try:
        tree = ast.parse(source)
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, "program", "exec"), space)
        if last is None:
            return ["ok", ""]
        value = eval(compile(ast.Expression(last.value), "program", "eval"), space)
        return ["ok", repr(value)]
    except Exception as error:
        return [type(error).__name__, (str(error).splitlines() or [""])[0]]


def near(a, b):
    return a == b or 0 < abs(float(a) - float(b)) <= 2e-4 * max(1, abs(float(a)))


def silent(theirs, ours):
    """Whether an answer differs by more than its last digit, or is one where PyTorch refuses."""
    if ours[0] != "ok":
        return False
    texts = [NAMES.sub(" ", text) for _, text in (theirs, ours)]
    numbers = [NUMBER.findall(text) for text in texts]
    alike = len({NUMBER.sub("#", text).replace(" ", "") for text in texts}) == 1
    return theirs[0] != "ok" or not (alike and all(map(near, *numbers)))


def main(given):
    import json

    return json.dumps([answer(one) for one in json.loads(given)])
