"""Speaker's notes: from the metadata of cells into a file that a lesson loads when it is asked for.

So the words of a page, its search and its minutes stay as they are.
"""

import json
from pathlib import Path

from docutils import nodes

from . import model
from .body import cells_of, expect
from .cells import code_cells
from .questions import name_of


def notes_of(env, page):
    """The notes of a page: {number of the cell: note}."""
    cells = enumerate(cells_of(env, page))
    return {n: cell["metadata"]["notes"] for n, cell in cells if "notes" in cell["metadata"]}


def mark(app, doctree):
    """Give the first block of each cell that has a note a class with the cell's number."""
    page = app.env.docname
    wanted = notes_of(app.env, page)
    blocks = {node["cell_index"]: node for node in code_cells(doctree)} if wanted else {}
    for node in doctree.findall(nodes.Element) if wanted else ():
        # MyST-NB counts lines so: the second of the third cell is 30002.
        if isinstance(node, nodes.section | nodes.paragraph | nodes.bullet_list | nodes.table):
            blocks.setdefault((node.line or 0) // 10_000 - 1, node)
    for number in wanted:
        block = expect(blocks.get(number), page, f"a block for the note of cell {number}")
        block["classes"].append(f"note-{number}")


def file_of(name):
    """The file of a page's notes, among the static files."""
    return f"notes-{name}.js"


def write(app, pagename):
    """Write a page's notes, if there are any; return the address of their file."""
    found = notes_of(app.env, pagename) if pagename in app.env.found_docs else {}
    if not found:
        return None
    name = name_of(pagename)
    path = Path(app.outdir, "_static", file_of(name))
    text = json.dumps(found, ensure_ascii=False)
    path.write_text(f"(globalThis.lessonNotes ??= {{}}).{name} = {text};\n", encoding="utf-8")
    return f"_static/{path.name}?v={model.stamp(path)}"
