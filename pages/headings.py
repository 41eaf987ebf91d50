"""In another edition, the headings of a page have the ids that they have in English.

So a link to a section leads to the same section in all editions.
"""

import json

from docutils import nodes
from markdown_it import MarkdownIt
from myst_parser.config.main import MdParserConfig
from myst_parser.mdit_to_docutils.base import DocutilsRenderer, make_document
from myst_parser.parsers.mdit import create_md_parser
from sphinx.errors import ExtensionError
from sphinx.transforms import SphinxTransform

from .editions import ROOT


class Headings(SphinxTransform):
    """Give the sections of a page the ids of the English one, in order."""

    default_priority = 300  # before anything reads the ids

    def apply(self):
        page = self.env.docname
        own, wanted = list(self.document.findall(nodes.section)), ids(page)
        if len(own) != len(wanted):
            raise ExtensionError(f"{page}: {len(own)} headings, where English has {len(wanted)}")
        for section in own:
            for old in section["ids"]:
                self.document.ids.pop(old, None)
        for section, new in zip(own, wanted, strict=True):
            for name in section["names"]:
                self.document.nameids[name] = new
            section["ids"] = [new]
            self.document.ids[new] = section


def english_cells(page):
    """The cells of an English page."""
    return json.loads((ROOT / f"{page}.ipynb").read_text(encoding="utf-8"))["cells"]


def ids(page):
    """The ids of the headings of an English page, as docutils makes them."""
    cells = english_cells(page)
    said = ("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    text = "\n\n".join(heading for one in said for heading in headings(one))
    config = MdParserConfig(enable_extensions={"dollarmath", "amsmath"})
    parser = create_md_parser(config, DocutilsRenderer)
    parser.options["document"] = document = make_document()
    document.settings.auto_id_prefix = "id"  # as Sphinx has it, where two headings are the same
    parser.render(text)
    return [section["ids"][0] for section in document.findall(nodes.section)]


def headings(text):
    """The lines of a text that are headings."""
    lines = text.splitlines()
    for token in MarkdownIt().parse(text):
        if token.type == "heading_open" and token.level == 0:
            yield "\n".join(lines[slice(*token.map)])
