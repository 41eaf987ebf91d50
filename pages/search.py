"""The text of the book, cut into its sections: all that the page of the search needs.

Sphinx's own index knows which page holds a word, not where it stands nor how often.
"""

import json
import re
from pathlib import Path

from lxml import html

from . import single

INDEX = "searchindex.js"
# What is no sentence of the text: what scripts say, signs of formulas, prompts that come twice.
OMITTED = ("headerlink", "katex-html", "in-colab", "collapsed", "expanded", "all-prompts")
NAMES = re.compile(r"[A-Za-z]+_\w+|[A-Z]\w*[a-z][A-Z]\w*|\b[A-Za-z]{3,}(?=\()")
OTHER = "//script|//style|//noscript|//annotation|//svg|//img|//figure[@class='still']/p[1]"


def replace(app):
    """Take Sphinx's own search out."""
    app.builder.search = False


def finish(app):
    """Write the sections of all built pages, in the order of the book."""
    pages = [sections(Path(app.outdir, f"{page}.html"), page) for page in single.pages(app)]
    text = json.dumps(pages, ensure_ascii=False, separators=(",", ":"))
    Path(app.outdir, INDEX).write_text(f"bookText({text})\n", encoding="utf-8")


def sections(path, page):
    """A page's address and its sections: place, heading, text, and the names in its code."""
    article = html.document_fromstring(path.read_text(encoding="utf-8")).find(".//article")
    for node in [*article.xpath(OTHER), *(n for kind in OMITTED for n in article.find_class(kind))]:
        node.drop_tree()
    found = []
    for section in reversed(article.findall(".//section")):  # what is inside another comes first
        heading = next(section.iter("h1", "h2", "h3", "h4", "summary"))
        heading.drop_tree()
        code = " ".join(text_of(one) for one in section.iter("pre"))
        for one in section.findall(".//pre"):
            one.drop_tree()
        text = text_of(section)
        names = sorted(set(NAMES.findall(code)) - set(re.findall(r"\w+", text)))
        found.append([section.get("id"), text_of(heading), text, " ".join(names)])
        section.drop_tree()
    return [f"{page}.html", *reversed(found)]


def text_of(node):
    return " ".join("".join(node.itertext()).split())
