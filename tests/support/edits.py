"""Random edits of a chapter's cells, such as readers make, and what comes of each."""

import ast
import json
import random
import re

OTHERS = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.MatMult: ast.Mult,
    ast.Pow: ast.Mult, ast.Mod: ast.FloorDiv, ast.FloorDiv: ast.Div, ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitXor, ast.Lt: ast.LtE, ast.LtE: ast.Gt, ast.Gt: ast.GtE, ast.GtE: ast.Lt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
}  # fmt: skip
WHOLE = ("while ", "learn", "train", "optim", "perf_counter", "explore")


def places(tree):
    """What can be edited: a node, and its operator, its constant or one of its lines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and type(node.op) in OTHERS:
            yield node, "op"
        elif isinstance(node, ast.Compare) and type(node.ops[0]) in OTHERS:
            yield node, "ops"
        elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
            yield node, "value"
        elif isinstance(body := getattr(node, "body", None), list) and len(body) > 1:
            yield from ((node, i) for i in range(len(body)))


def edited(source, chance):
    """The source with one edit."""
    tree = ast.parse(source)
    node, what = chance.choice(list(places(tree)))
    if what == "op":
        node.op = OTHERS[type(node.op)]()
    elif what == "ops":
        node.ops[0] = OTHERS[type(node.ops[0])]()
    elif what == "value":
        node.value = chance.choice([node.value + 1, node.value - 1, -node.value, 0, node.value / 2])
    else:
        del node.body[what]
    return ast.unparse(tree)


def edits(cells, each, seed):
    """[[cell, its edits], ...]; what may run for long, or draws a figure, is left as it is."""
    found = []
    for cell in cells:
        chance, whole = random.Random(f"{seed}{cell}"), any(word in cell for word in WHOLE)
        some = [] if whole or not list(places(ast.parse(cell))) else range(each)
        found.append([cell, [edited(cell, chance) for _ in some]])
    return found


def outcome(cells, source, space):
    """["ok", what is printed and made] or [the error's type, its first line]."""
    import torch

    torch.manual_seed(0)
    known = dict(space)
    done = cells.run(source, space)
    if done["error"]:
        kind, _, told = done["error"].splitlines()[-1].partition(": ")
        return [kind.rpartition(".")[2], told if "AssertionError" not in kind else ""]
    made = [one for name, one in space.items() if known.get(name) is not one]
    tensors = [repr(one) for one in made if isinstance(one, (torch.Tensor, float, int))]
    value = "" if done["value"].startswith("<") else done["value"]  # a figure
    out, *_ = re.split(r"^.*my_attention\.py", done["out"], maxsplit=1, flags=re.MULTILINE)
    return ["ok", "\n".join([out, value, *tensors])]  # what a page has kept, tests keep nowhere


def outcomes(cells, given):
    """For each cell, what comes of it and of its edits, each beside the names from above."""
    space, found = {"__name__": "__main__"}, []
    for cell, others in given:
        tried = [outcome(cells, other, dict(space)) for other in others]
        found.append([outcome(cells, cell, space), *tried])
    return found


def main(given):
    from page import book, cells

    book.begin()
    return json.dumps(outcomes(cells, json.loads(given)))
