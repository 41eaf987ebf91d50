"""Below the cell of an exercise: a link that opens it in Colab."""

import json
from html import escape
from pathlib import Path

from .frameworks import html, is_code_cell


def link(app, doctree):
    """Find the cells that wait for an answer, and link each."""
    path = Path(app.env.doc2path(app.env.docname))
    if path.suffix != ".ipynb":
        return
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    options = app.config.html_theme_options
    start = options["launch_buttons"]["colab_url"], options["repository_url"].partition("//")[2]
    for node in list(doctree.findall(is_code_cell)):
        cell = cells[node["cell_index"]]
        if is_open("".join(cell["source"])):
            address = notebook(*start, options["repository_branch"], app.env.docname)
            link = f'<p class="in-colab"><a href="{escape(address)}#scrollTo={cell["id"]}">'
            node.parent.insert(node.parent.index(node) + 1, html(f"{link}Answer in Colab</a></p>"))


def is_open(code):
    """Whether this is a cell of an exercise, with dots in the place of the answer."""
    return "..." in code and "\ncheck." in code


def notebook(colab, repository, branch, page):
    owner = repository.partition("/")[2]
    return f"{colab}/github/{owner}/blob/{branch}/{page}.ipynb"
