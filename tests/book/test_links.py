"""Every link of the built book leads somewhere."""

import functools
import html.parser
from urllib.parse import unquote, urlsplit

import pytest

import chapters

HTML = chapters.ROOT / "_build" / "html"


class Links(html.parser.HTMLParser):
    """The addresses that a page names, and the places in it that can be named."""

    def __init__(self, text):
        super().__init__()
        self.addresses, self.places, self.ids = set(), set(), []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("href", "src") and tag != "base":
                self.addresses.add(value)
            elif name in ("id", "name") and value:
                self.places.add(value)
                self.ids += [value] * (name == "id")


@functools.cache
def links(path):
    return Links(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", sorted(HTML.rglob("*.html")), ids=lambda path: path.name)
def test_links_lead_somewhere(path):
    ids = links(path).ids
    assert sorted(ids) == sorted(set(ids)), "a place has one name, and a name one place"
    for link in links(path).addresses:
        parts = urlsplit(link)
        if parts.scheme:
            assert parts.scheme in ("https", "data"), link
            continue
        target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        assert target.is_file(), link
        place = parts.fragment.partition("?")[0]
        if place and target.suffix == ".html":
            assert place in links(target).places, link
