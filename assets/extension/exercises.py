"""Below the cell of an exercise: a link that opens it in Colab."""

from html import escape
from urllib.parse import urlsplit

from .body import cells_of
from .frameworks import html, is_code_cell


def link(app, doctree):
    """Find the cells that wait for an answer, and link each."""
    cells = cells_of(app)
    address = notebook(app.config.html_theme_options, app.env.docname)
    for node in list(doctree.findall(is_code_cell)):
        cell = cells[node["cell_index"]]
        if is_open("".join(cell["source"])):
            start = f'<p class="in-colab"><a href="{escape(address)}#scrollTo={cell["id"]}">'
            node.parent.insert(node.parent.index(node) + 1, html(f"{start}Answer in Colab</a></p>"))


def is_open(code):
    """Whether this is a cell of an exercise, with dots in the place of the answer.

    A solution may have dots of its own: x[..., None].
    """
    return "..." in code and "\ncheck." in code and not code.startswith("# @title Solution")


def notebook(options, page):
    """A page's address in Colab, from the options of _config.yml."""
    colab, branch = options["launch_buttons"]["colab_url"], options["repository_branch"]
    repository = urlsplit(options["repository_url"]).path
    return f"{colab}/github{repository}/blob/{branch}/{page}.ipynb"
