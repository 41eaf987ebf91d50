"""HTML of an author's own, without what could run or reach another host."""

from dataclasses import dataclass
from html.parser import HTMLParser

from ..texts import check_text
from ._content import Content, wrapped

# Characters of a panel's HTML.
MOST = 100_000
# Attributes that hold an address, and what such an address may begin with.
ADDRESSES = {"action", "background", "cite", "href", "longdesc", "poster", "src", "srcset"}
HERE = {"href": "#", "src": "data:image/"}


@dataclass
class Html(Content):
    """HTML, sanitised: scripts, handlers, styles, frames and addresses of other places are gone.

    Needs nh3 (`pip install nh3`). Links may lead to places of the same page, and pictures must be
    data URLs.

    Parameters
    ----------
    html : str
        At most 100,000 characters. An object with `_repr_html_` is taken by what that returns.
    """

    html: str

    kind = "html"

    def content(self, what):
        """The HTML that is safe to show."""
        represented = getattr(self.html, "_repr_html_", None)
        html = represented() if callable(represented) else self.html
        if not isinstance(html, str):
            raise TypeError(f"{what}, html: expected a string, got {type(html).__name__}")
        check_text(f"{what}, html", html, MOST)
        return sanitised(html)

    @staticmethod
    def lines(panel):
        """Its text, for the still picture."""
        return wrapped(text_of(panel["content"]))

    @staticmethod
    def describe(spec):
        """What it shows, in words."""
        return f"HTML: {' '.join(text_of(spec['content']).split())[:100]}"


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


class TextOf(HTMLParser):
    """Gathers the text of HTML: each block on a line of its own."""

    BLOCKS = frozenset(
        [
            "p",
            "div",
            "li",
            "tr",
            "br",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "table",
            "ul",
            "ol",
            "pre",
            "blockquote",
        ]
    )

    def __init__(self):
        super().__init__()
        self.parts = []

    def handle_starttag(self, tag, attributes):
        self.parts.append("\n" if tag in self.BLOCKS else " " if tag in ("td", "th") else "")

    def handle_data(self, data):
        self.parts.append(" ".join(data.split()) + " ")


def text_of(html):
    """The text of HTML."""
    parser = TextOf()
    parser.feed(html)
    lines = "".join(parser.parts).split("\n")
    return "\n".join(line.strip() for line in lines if line.strip())
