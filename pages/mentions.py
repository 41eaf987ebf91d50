"""What the running text mentions: equations and chapters lead there, Chinese has its font.

How a chapter is mentioned is a matter of the edition's language: `mention_of_chapter` in
_config.yml is a regular expression for it.
"""

import re
from functools import cache

from lxml.builder import E

from .editions import say, spoken

# What is neither text to link in nor to be searched.
SKIP = ("a", "pre", "code", "script", "svg", "math", "h1", "h2", "h3", "button", "summary")
INSIDE = " or ".join(f"self::{tag}" for tag in SKIP)
TEXTS = f".//text()[not(ancestor::*[{INSIDE} or contains(@class, 'katex')])]"
EQUATION = r"(?<=\()(?P<equation>\d+\.\d+)(?=\))"
CHINESE = "(?P<chinese>[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]+)"


@cache
def mentions(chapter, foreign):
    """A pattern of all that is marked, from that of how a chapter is mentioned; `foreign`: Chinese
    stands in another language."""
    return re.compile(f"{EQUATION}|{chapter}|{CHINESE if foreign else '(?P<chinese>(?!))'}")


def mark(app, pagename, tree):
    """Put elements around all that the text of a page mentions."""
    foreign = not spoken().tag.startswith("zh")
    pattern = mentions(app.config.mention_of_chapter, foreign)
    for text in tree.xpath(TEXTS):
        around(text, pattern, lambda match: marked(app, pagename, match))


def around(text, pattern, element_for):
    """Put elements around what a pattern finds in a text, from its end: what stands behind an
    element is the element's tail."""
    node, part, left = text.getparent(), "tail" if text.is_tail else "text", str(text)
    for match in reversed(list(pattern.finditer(left))):
        element = element_for(match)
        if element is None:
            continue
        element.tail, left = left[match.end() :], left[: match.start()]
        setattr(node, part, left)
        if text.is_tail:
            node.getparent().insert(node.getparent().index(node) + 1, element)
        else:
            node.insert(0, element)


def marked(app, pagename, match):
    """The element for a mention, or None: equations and chapters lead there, and say on hover where
    that is; Chinese has its room before its font is there, since each character is square."""
    said, equation = match[0], match["equation"]
    if match["chinese"]:
        return E.span(said, lang="zh-Hans", style=f"width: {len(said)}em")
    known = app.env.book_equations if equation else app.env.book_chapters
    page, title = known.get(equation or match["chapter"], (None, None))
    if page is None or (page == pagename and not equation):
        return None
    address = "" if page == pagename else app.builder.get_relative_uri(pagename, page)
    if not equation:
        return E.a(said, href=address, title=title)
    where = say("Equation {number}", number=equation)
    if address:
        where = say("Equation {number}, {title}", number=equation, title=title)
    return E.a(said, href=f"{address}#eq-{equation}", title=where)
