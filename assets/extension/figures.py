"""Links from the text to a state of a figure: `[words](#figure-the-title?name=value)`."""

from docutils import nodes
from sphinx.addnodes import pending_xref


def link(app, doctree):
    """Let them lead where they say: the page's script knows figures and states, Sphinx does not."""
    for node in list(doctree.findall(pending_xref)):
        if node["reftarget"].startswith("figure-"):
            address = f"#{node['reftarget']}"
            node.replace_self(nodes.reference("", "", *node.children, refuri=address))
