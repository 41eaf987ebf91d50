"""Below a cell that defines what other frameworks have too: their code, one click away."""

import ast
import re
from pathlib import Path

from docutils import nodes

FRAMEWORKS = {"JAX": "jax.py", "TensorFlow": "tensorflow.py", "MXNet": "mxnet.py"}
PACKAGE = Path(__file__).parents[2] / "d2lmini" / "frameworks"
DEFINED = re.compile(r"^(?:class|def) (\w+)", re.MULTILINE)


def add(app, doctree):
    """Add them to a page, from the package's own files."""
    modules = {framework: definitions(PACKAGE / name) for framework, name in FRAMEWORKS.items()}
    for cell in list(doctree.findall(is_code_cell)):
        names = DEFINED.findall(next(cell.findall(nodes.literal_block)).astext())
        panels = []
        for framework, known in modules.items():
            if same := [known[name] for name in names if name in known]:
                panels += panel(framework, "\n\n\n".join(same))
        if panels:
            place = cell.parent.index(cell) + 1
            cell.parent[place:place] = [html('<div class="elsewhere">'), *panels, html("</div>")]


def is_code_cell(node):
    return isinstance(node, nodes.container) and node.get("nb_element") == "cell_code"


def definitions(path):
    """A module's classes and functions: {name: source without docstrings}."""
    source = path.read_text(encoding="utf-8")
    lines, found = source.splitlines(), {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            kept = sorted(set(span(node)) - set(docstrings(node)))
            text = "\n".join(lines[number - 1] for number in kept)
            found[node.name] = text.replace(":\n\n", ":\n")  # the space below a docstring
    return found


def span(node):
    """The numbers of a node's lines."""
    return range(node.lineno, node.end_lineno + 1)


def docstrings(node):
    """The numbers of the lines that document a definition and what is inside it."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.ClassDef | ast.FunctionDef) and ast.get_docstring(inner):
            yield from span(inner.body[0])


def panel(framework, code):
    """Code that opens under a framework's name; a page shows one framework at a time."""
    start = f'<details name="elsewhere"><summary>The same in {framework}</summary>'
    return [html(start), nodes.literal_block(code, code, language="python"), html("</details>")]


def html(text):
    return nodes.raw("", text, format="html")
