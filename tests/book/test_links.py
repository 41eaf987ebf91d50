"""Every link of the built book leads somewhere, and what a link elsewhere shows of a page is text."""

import functools
from collections import Counter
from urllib.parse import unquote, urlsplit

import lxml.html

import chapters
from pages import single

HTML = chapters.ROOT / "_build" / "html"
# Where scripts find their files; the one file's do without.
LINKS = "//*[not(self::base)]/@href | //@src"
FILES = "//@data-parts | //@data-weights | //@data-script | //@data-line"


@functools.cache
def read(path):
    """The addresses that a page names, its ids, and the places in it that can be named."""
    tree = lxml.html.document_fromstring(path.read_text("utf-8"))
    ids, links = tree.xpath("//@id"), LINKS if path.name == single.NAME else f"{LINKS} | {FILES}"
    told = tree.xpath("//meta[@name='description']/@content")
    return {*tree.xpath(links)}, ids, {*ids, *tree.xpath("//@name")}, told


def leads_somewhere(path, link):
    parts = urlsplit(link)
    if parts.scheme:
        return parts.scheme in ("https", "data")
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    place = parts.fragment.partition("?")[0]
    return target.is_file() and (not place or target.suffix != ".html" or place in read(target)[2])


def test_links_lead_somewhere():
    paths = sorted(HTML.rglob("*.html"))
    assert len(paths) > 100
    for path in paths:
        links, ids, _, told = read(path)
        page = path.relative_to(HTML)
        assert {id: n for id, n in Counter(ids).items() if n > 1} == {}, f"{page}: one name twice"
        assert [link for link in links if not leads_somewhere(path, link)] == [], page
        assert not any("<" in text or len(text) > 160 for text in told), page
