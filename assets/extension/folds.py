"""What a page folds, and what it does not say: lines of code that speak to Colab or to tests."""

import re

from docutils import nodes

from .body import cells_of, expect
from .frameworks import is_code_cell

# JupyterLab's own key, on a cell that is the heading of a folded section.
FOLDED = "jp-MarkdownHeadingCollapsed"

# `@title` titles a cell in Colab; the other line keeps nbval from comparing versions and times.
UNSAID = re.compile(r"^# NBVAL_\w+\n|(?<=^# )@title ", re.MULTILINE)


def find(app, doctree):
    """Mark the sections of a notebook whose heading is folded there."""
    cells = cells_of(app)
    wanted = {n for n, cell in enumerate(cells, 1) if cell["metadata"].get(FOLDED)}
    for section in doctree.findall(nodes.section):
        # MyST-NB counts lines so: the second of the third cell is 30002.
        cell = (section.line or 0) // 10_000
        if cell in wanted:
            wanted.discard(cell)
            section["classes"].append("fold")
    expect(not wanted, app.env.docname, f"a heading in each of the cells {sorted(wanted)}")


def tidy(app, doctree):
    """Take out of the code what is not said to readers."""
    for cell in doctree.findall(is_code_cell):
        for block in cell.findall(nodes.literal_block):
            text = UNSAID.sub("", block.astext())
            if text != block.astext():
                block.rawsource = text
                block.children = []
                block += nodes.Text(text)
