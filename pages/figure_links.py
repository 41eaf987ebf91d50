"""Links from the text to a figure, also of another page, and to a state of it:
`[words](#figure-the-title?name=value)`, `[words](02_page.ipynb#figure-the-title)`."""

from docutils import nodes
from sphinx.addnodes import pending_xref


def link(app, doctree):
    """Let them lead where they say: the page's script knows figures and states, Sphinx does not."""
    for node in list(doctree.findall(pending_xref)):
        figure, page = node.get("reftargetid") or node["reftarget"], ""
        if node.get("reftargetid"):
            page = app.builder.get_relative_uri(node["refdoc"], node["reftarget"])
        if figure.startswith("figure-"):
            node.replace_self(nodes.reference("", "", *node.children, refuri=f"{page}#{figure}"))
