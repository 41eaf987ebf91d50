"""Code cells that stand beside each other where a page has room for them."""

from docutils import nodes

from .body import cells_of, expect
from .frameworks import is_code_cell

# The tag that a notebook gives to such cells; the style sheet has this name, too.
BESIDE = "beside"


def gather(app, doctree):
    """Put each run of such cells into one row."""
    cells = cells_of(app)
    wanted = sum(BESIDE in cell["metadata"].get("tags", ()) for cell in cells)
    found = [cell for cell in doctree.findall(is_code_cell) if f"tag_{BESIDE}" in cell["classes"]]
    expect(len(found) == wanted, app.env.docname, f"each of {wanted} cells tagged {BESIDE}")
    rows = []
    for cell in found:
        if not rows or cell.previous_sibling() is not rows[-1]:
            rows.append(nodes.container(classes=[BESIDE]))
            cell.parent.insert(cell.parent.index(cell), rows[-1])
        cell.parent.remove(cell)
        rows[-1] += cell
    for row in rows:
        expect(len(row) > 1, app.env.docname, f"a neighbour of a cell tagged {BESIDE}")
