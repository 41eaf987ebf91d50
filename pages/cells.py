"""What becomes of a notebook's cells: some fold, some stand side by side, exercises open in Colab,
and readers are spared the lines that speak to Colab or to tests."""

import re
from html import escape
from urllib.parse import urlsplit

from docutils import nodes

from .body import cells_of, expect
from .editions import say

# The tag of cells that stand beside each other; the style sheet has this name, too.
BESIDE = "beside"
# JupyterLab's own key, on a cell that is the heading of a folded section.
FOLDED = "jp-MarkdownHeadingCollapsed"
# Tags of cells that begin with the heading of a part of a chapter.
PARTS = ("quiz", "exercises", "review")
# `@title` titles a cell in Colab; the other line keeps nbval from comparing versions and times.
UNSAID = re.compile(r"^# NBVAL_\w+\n|(?<=^# )@title ", re.MULTILINE)


def code_cells(doctree):
    """The parts of a page that MyST-NB makes of cells of code."""
    parts = doctree.findall(nodes.container)
    return [part for part in parts if part.get("nb_element") == "cell_code"]


def raw(text):
    return nodes.raw("", text, format="html")


def classes_of(cell):
    """The classes of the section that a cell begins, from the cell's metadata."""
    data = cell["metadata"] if cell["cell_type"] == "markdown" else {}
    known = {"fold": FOLDED in data, "exercise": "exercise" in data}
    known["trap"] = FOLDED in data and "trap" in data.get("id", "").split("-")  # the id, not a word
    known |= {part: part in data.get("tags", ()) for part in PARTS}
    return [name for name, is_so in known.items() if is_so]


def mark(app, doctree):
    """Give the sections of a notebook the classes that its cells' metadata ask for."""
    page = app.env.docname
    found = enumerate(map(classes_of, cells_of(app.env, page)), 1)
    wanted = {number: classes for number, classes in found if classes}
    for section in doctree.findall(nodes.section):
        # MyST-NB counts lines so: the second of the third cell is 30002.
        section["classes"] += wanted.pop((section.line or 0) // 10_000, [])
    expect(not wanted, page, f"a heading in each of the cells {sorted(wanted)}")


def tidy(app, doctree):
    """Take out of the code what is not said to readers."""
    for cell in code_cells(doctree):
        for block in cell.findall(nodes.literal_block):
            text = UNSAID.sub("", block.astext())
            if text != block.astext():
                block.rawsource, block[:] = text, [nodes.Text(text)]


def gather(app, doctree):
    """Put each run of cells that say so into one row."""
    page = app.env.docname
    wanted = sum(BESIDE in cell["metadata"].get("tags", ()) for cell in cells_of(app.env, page))
    found = [cell for cell in code_cells(doctree) if f"tag_{BESIDE}" in cell["classes"]]
    expect(len(found) == wanted, page, f"each of {wanted} cells tagged {BESIDE}")
    rows = []
    for cell in found:
        if not rows or cell.previous_sibling() is not rows[-1]:
            rows.append(nodes.container(classes=[BESIDE]))
            cell.parent.insert(cell.parent.index(cell), rows[-1])
        cell.parent.remove(cell)
        rows[-1] += cell
    for row in rows:
        expect(len(row) > 1, page, f"a neighbour of a cell tagged {BESIDE}")


def link(app, doctree):
    """Below a cell that waits for an answer: a link that opens it in Colab."""
    options, page = app.config.html_theme_options, app.env.docname
    colab, branch = options["launch_buttons"]["colab_url"], options["repository_branch"]
    repository = urlsplit(options["repository_url"]).path
    address = escape(f"{colab}/github{repository}/blob/{branch}/{page}.ipynb")
    cells = cells_of(app.env, page)
    for node in code_cells(doctree):
        cell = cells[node["cell_index"]]
        code = "".join(cell["source"])
        # Dots stand where the answer goes. A solution may have dots of its own: x[..., None].
        if "..." in code and "\ncheck." in code and "tag_solution" not in node["classes"]:
            start = f'<p class="in-colab"><a href="{address}#scrollTo={cell["id"]}">'
            line = raw(f"{start}{say('Answer in Colab')}</a></p>")
            node.parent.insert(node.parent.index(node) + 1, line)
