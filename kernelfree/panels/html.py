"""HTML of an author's own, without what could run or reach another host."""

import re
from dataclasses import dataclass
from html.parser import HTMLParser

from ..language import deferred, say
from ..texts import check_text, cut
from ._content import Content, wrapped

# Characters of a panel's HTML.
MOST = 100_000
# Attributes that hold an address, and what such an address may begin with.
ADDRESSES = {"action", "background", "cite", "href", "longdesc", "poster", "src", "srcset"}
HERE = {"href": "#", "src": "data:image/"}
# Attributes that are kept, and the properties of nodes that are the same.
PROPERTIES = {
    **{name: name for name in ("alt", "dir", "href", "lang", "scope", "src", "start", "title")},
    **{"colspan": "colSpan", "height": "height", "rowspan": "rowSpan", "width": "width"},
}
# Elements without children, and those that stand on lines of their own.
EMPTY = {"area", "br", "col", "hr", "img", "wbr"}
BLOCKS = {"p", "div", "li", "tr", "br", "table", "h1", "h2", "h3", "h4", "pre"}


@dataclass
class Html(Content):
    """HTML, sanitised: scripts, handlers, styles, frames, drawings and other places are gone.

    Needs nh3 (`pip install nh3`). Links may lead to places of the same page, and pictures must be
    data URLs, which a strict policy refuses: an `Image` is shown under any.

    Parameters
    ----------
    html : str
        At most 100,000 characters. An object with `_repr_html_` is taken by what that returns.
    """

    html: str

    kind = deferred("html")

    def content(self, what):
        """The nodes that are safe to show: a page makes them one by one, and reads no HTML."""
        represented = getattr(self.html, "_repr_html_", None)
        html = represented() if callable(represented) else self.html
        if not isinstance(html, str):
            raise TypeError(f"{what}, html: expected a string, got {type(html).__name__}")
        check_text(f"{what}, html", html, MOST)
        root = Tree(sanitised(html)).root
        if not any(lines_of(root)) and not any(map(is_seen, nodes_in(root))):
            raise ValueError(
                f"{what}, html: nothing is left to show of {cut(html.strip(), 60)!r} without what "
                "runs, is drawn (SVG, MathML), or stands elsewhere; Image(picture) shows a picture "
                "of Pillow or a figure of matplotlib"
            )
        return root

    @staticmethod
    def lines(panel):
        """Its text, for the still picture."""
        return wrapped("\n".join(lines_of(panel["content"])))

    @staticmethod
    def describe(spec):
        """What it shows, in words."""
        return say("HTML: {text}", text=" ".join(lines_of(spec["content"]))[:100])


def sanitised(html):
    """The HTML without anything that runs, or that leads or asks elsewhere."""
    try:
        import nh3
    except ImportError as error:
        raise ImportError("Html needs nh3, which is missing: pip install nh3") from error
    return nh3.clean(html, attribute_filter=kept, url_schemes={"data"})


def kept(tag, attribute, value):
    """The value of an attribute, or None where it is an address of another place."""
    if attribute not in ADDRESSES:
        return value
    start = HERE.get(attribute)
    return value if start and value.strip().lower().startswith(start) else None


class Tree(HTMLParser):
    """Sanitised HTML as nodes: [tag, properties, *children], where a text is a string."""

    def __init__(self, html):
        super().__init__()
        self.open = [["div", {}]]
        self.feed(html)
        self.close()
        self.root = self.open[0]

    def handle_starttag(self, tag, attributes):
        found = {PROPERTIES[key]: value for key, value in attributes if key in PROPERTIES}
        # As a property it is whole pixels; a part of the room that there is, is a style.
        if tag == "img" and (wide := found.get("width", "1")).endswith("%"):
            found["style"] = f"width:{found.pop('width')}" if wide[:-1].isdecimal() else ""
        self.open[-1].append([tag, found])
        if tag not in EMPTY:
            self.open.append(self.open[-1][-1])

    def handle_endtag(self, tag):
        node = self.open.pop()
        # Such as the corner that pandas writes: a head without a text is a head of nothing.
        if tag == "th" and all(isinstance(part, str) and not part.strip() for part in node[2:]):
            node[0] = "td"
            node[1].pop("scope", None)

    def handle_data(self, data):
        self.open[-1].append(data)


def nodes_in(node):
    """A node and all that are in it, but for texts."""
    if not isinstance(node, str):
        yield node
        for child in node[2:]:
            yield from nodes_in(child)


def is_seen(node):
    """Whether a node without a text is seen."""
    return node[0] == "hr" or (node[0] == "img" and bool(node[1].get("src")))


def text_of(node):
    """The text of a node: each block on a line of its own, and of a picture what it shows."""
    if isinstance(node, str):
        return re.sub(r"\s+", " ", node)
    tag, properties, *children = node
    if tag == "img" and is_seen(node):  # which a still picture does not show
        return f" [{properties.get('alt') or say('image')}] "
    text = "".join(map(text_of, children))
    return f"\n{text}\n" if tag in BLOCKS else f"{text} " if tag in ("td", "th") else text


def lines_of(node):
    """The lines of a node's text that are not empty."""
    return [line.strip() for line in text_of(node).split("\n") if line.strip()]
