"""Below a cell that defines what other frameworks have too: their code and what it prints, one
click away. Each name in frameworks.json has a call, and what that printed; a test runs it."""

import ast
import json
import re
from functools import cache
from pathlib import Path

from docutils import nodes

from .cells import code_cells, raw
from .editions import say

FRAMEWORKS = {"JAX": "jax.py", "TensorFlow": "tensorflow.py", "MXNet": "mxnet.py"}
PACKAGE = Path(__file__).parents[1] / "d2lmini" / "frameworks"
EXAMPLES = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
PARTS = [("code", "python"), ("output", "text")]
DEFINED = re.compile(r"^(?:class|def) (\w+)", re.MULTILINE)


def add(app, doctree):
    """Add them to a page, from the package's own files."""
    modules = {framework: definitions(PACKAGE / name) for framework, name in FRAMEWORKS.items()}
    for number, cell in enumerate(code_cells(doctree)):
        names = DEFINED.findall(next(cell.findall(nodes.literal_block)).astext())
        panels = []
        for framework, known in modules.items():
            if same := [name for name in names if name in known]:
                shown = [EXAMPLES[name][framework] for name in same if name in EXAMPLES]
                code = "\n\n\n".join(known[name] for name in same)
                panels += panel(framework, f"elsewhere-{number}", code, shown)
        if panels:
            place = cell.parent.index(cell) + 1
            cell.parent[place:place] = [raw('<div class="elsewhere">'), *panels, raw("</div>")]


@cache
def definitions(path):
    """A module's classes and functions: {name: source without docstrings}."""
    source, found = path.read_text(encoding="utf-8"), {}
    lines = source.splitlines()
    for node in filter(is_definition, ast.parse(source).body):
        code = "\n".join(lines[node.lineno - 1 : node.end_lineno])
        for inner in filter(is_definition, ast.walk(node)):
            if ast.get_docstring(inner):
                rest = "" if inner.body[1:] else "..."
                code = code.replace(ast.get_source_segment(source, inner.body[0]), rest)
        found[node.name] = re.sub(r":\n\s*\n", ":\n", code)  # where a docstring was
    return found


def is_definition(node):
    return isinstance(node, ast.ClassDef | ast.FunctionDef)


def panel(framework, group, code, examples):
    """Code that opens under a framework's name, and examples of it with what they print; a group
    shows one framework at a time."""
    start = f'<details name="{group}" data-framework="{framework}">'
    line = f"<summary>{say('The same in {framework}', framework=framework)}</summary>"
    blocks = [(code, "python")]
    for example in examples:
        blocks += [("\n".join(example[part]), language) for part, language in PARTS]
    return [
        raw(start + line),
        *(nodes.literal_block(text, text, language=language) for text, language in blocks),
        raw("</details>"),
    ]
