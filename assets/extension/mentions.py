"""What the running text mentions: equations and chapters lead there, Chinese has its font."""

import re

from lxml.builder import E

# What is neither text to link in nor to be searched.
SKIP = {"a", "pre", "code", "script", "svg", "math", "h1", "h2", "h3", "button", "summary"}
MARKED = re.compile(
    r"(?<=\()(?P<equation>\d+\.\d+)(?=\))|\b[Cc]hapter (?P<chapter>\d+)\b"
    "|(?P<chinese>[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]+)"
)


def mark(app, pagename, tree):
    """Mark all that the text of a page mentions."""
    for node, part in list(texts(tree)):
        mark_in(app, pagename, node, part)


def texts(node):
    """The places of a tree's running text: (element, "text" or "tail")."""
    if node.tag in SKIP or "katex" in node.get("class", ""):
        return
    yield node, "text"
    for child in node:
        if isinstance(child.tag, str):
            yield from texts(child)
        yield child, "tail"


def mark_in(app, pagename, node, part):
    """Put elements around what a text mentions."""
    text, end, leads, elements = getattr(node, part) or "", 0, [], []
    for match in MARKED.finditer(text):
        element = marked(app, pagename, match)
        if element is not None:
            leads.append(text[end : match.start()])
            elements.append(element)
            end = match.end()
    if not elements:
        return
    setattr(node, part, leads[0])
    home, at = node, 0
    if part == "tail":
        home, at = node.getparent(), node.getparent().index(node) + 1
    for element, tail in zip(elements, [*leads[1:], text[end:]], strict=True):
        element.tail = tail
        home.insert(at, element)
        at += 1


def marked(app, pagename, match):
    """The element for a mention, or None: equations and chapters lead there, and say on hover where
    that is; Chinese has its room before its font is there, since each character is square."""
    said = match[0]
    if match["chinese"]:
        return E.span(said, lang="zh-Hans", style=f"width: {len(said)}em")
    equation = match["equation"]
    known = app.env.book_equations if equation else app.env.book_chapters
    page, title = known.get(equation or match["chapter"], (None, None))
    if page is None or (page == pagename and not equation):
        return None
    address = "" if page == pagename else app.builder.get_relative_uri(pagename, page)
    if not equation:
        return E.a(said, href=address, title=title)
    where = f"Equation {equation}" + (f", {title}" if address else "")
    return E.a(said, href=f"{address}#eq-{equation}", title=where)
