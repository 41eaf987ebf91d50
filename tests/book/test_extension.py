"""The book's extension of Sphinx: what it changes in pages, and what it says if that is missing."""

from types import SimpleNamespace

import pytest
from extension import body, fonts, single, site
from lxml import html
from sphinx.errors import ExtensionError

import chapters

TITLE = 'Scores: "a" < b & c'
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABAQAAAAA3bvkk"
FIGURE = (
    '<div class="d2lmini-figure" id="f">{img}'
    '<script type="application/json">{{"a": "\\u003c"}}</script>{script}</div>'
)
WHOLE = {"img": f'<img src="data:image/png;base64,{PIXEL}" alt="">', "script": "<script>1</script>"}


@pytest.fixture
def app(tmp_path):
    """As much of Sphinx as a page's body takes."""
    env = SimpleNamespace(
        book_equations={"4.2": ("chapters/04", TITLE), "5.1": ("chapters/05", "Five")},
        book_chapters={"4": ("chapters/04", TITLE), "5": ("chapters/05", "Five")},
    )
    relative = lambda here, there: there.rpartition("/")[2] + ".html"  # noqa: E731
    builder = SimpleNamespace(get_relative_uri=relative, images={"cell.png": "cell.png"})
    (tmp_path / "cell.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(8) + b"\0\0\0\7\0\0\0\5")
    return SimpleNamespace(outdir=tmp_path, srcdir=tmp_path, env=env, builder=builder)


def finished(app, text, page="chapters/other", at_once=False):
    return html.fragment_fromstring(body.finish(app, page, text, at_once), create_parent="div")


def test_mentions_lead_there_and_titles_are_escaped(app):
    tree = finished(
        app, "<p>By (4.2) of Chapter 4, not <b>(9.9)</b>, chapter 77 <i>x</i> (5.1)</p>"
    )
    links = [(a.get("href"), a.get("title"), a.text) for a in tree.iter("a")]
    assert links == [
        ("04.html#eq-4.2", f"Equation 4.2, {TITLE}", "4.2"),
        ("04.html", TITLE, "Chapter 4"),
        ("05.html#eq-5.1", "Equation 5.1, Five", "5.1"),
    ]
    assert tree.text_content() == "By (4.2) of Chapter 4, not (9.9), chapter 77 x (5.1)"


@pytest.mark.parametrize("tag", ["a", "code", "pre", "h2", "button"])
def test_no_link_where_text_is_none(app, tag):
    assert finished(app, f"<p><{tag}>Chapter 4</{tag}></p>").find(".//a[@title]") is None


def test_chinese_has_its_room(app):
    [mark] = finished(app, "<p>softmax, 注意力 here</p>").iter("span")
    assert (mark.text, mark.get("lang"), mark.get("style")) == ("注意力", "zh-Hans", "width: 3em")
    assert mark.tail == " here"


def test_a_figure_shares_its_script_and_keeps_its_picture(app):
    tree = finished(app, FIGURE.format(**WHOLE), at_once=True)
    [figure] = tree.find_class("d2lmini-figure")
    assert [child.tag for child in figure] == ["noscript", "script", "script"]
    picture = figure.find("noscript/img").get("src")
    assert (app.outdir / picture.removeprefix("../")).read_bytes().startswith(b"\x89PNG")
    assert figure[1].text == '{"a": "\\u003c"}'
    assert "d2lmini-figure" in figure[2].text  # the signal to draw at once


@pytest.mark.parametrize("missing", WHOLE)
def test_a_figure_of_another_make_stops_the_build(app, missing):
    with pytest.raises(ExtensionError, match="a figure without its picture, state or script"):
        finished(app, FIGURE.format(**{**WHOLE, missing: ""}))


def test_the_first_page_without_a_figure_stops_the_build(app):
    with pytest.raises(ExtensionError, match="a figure was expected"):
        finished(app, "<p>text</p>", at_once=True)


def test_pictures_of_outputs_know_their_size(app):
    [picture] = finished(app, '<img src="../_images/cell.png" alt="">').iter("img")
    assert [picture.get(k) for k in ("width", "height", "loading")] == ["7", "5", "lazy"]
    with pytest.raises(ExtensionError, match=r"other\.png"):
        finished(app, '<img src="../_images/other.png" alt="">')


def test_an_equation_has_an_address_or_the_build_stops(app):
    block = '<div class="math notranslate"><annotation>x \\tag{4.2}</annotation></div>'
    [math] = finished(app, block, page="chapters/04").find_class("math")
    assert math.get("id") == "eq-4.2"
    assert math[-1].get("href") == "#eq-4.2"
    with pytest.raises(ExtensionError, match=r"4\.2"):
        finished(app, block.replace("math", "formula"), page="chapters/04")


def test_the_corner_of_a_table_heads_nothing(app):
    tree = finished(app, "<table><tr><th class='head'><p></p></th><th>a</th></tr></table>")
    assert [cell.tag for cell in tree.iter("td", "th")] == ["td", "th"]


def test_the_first_page_is_shown_at_the_books_own_address():
    page = (
        '<html data-content_root="../"><body data-for-code="../_static/a.js?v=1 ../_static/b.js ">'
        '<img src="../_static/x.svg"><a href="04.html#code">4</a><a href="#here">here</a>'
        '<a href="https://e.org/a">out</a><form action="../search.html"></form></body></html>'
    )
    tree = html.document_fromstring(site.moved_up(page, "chapters/index"))
    assert tree.get("data-content_root") == "./"
    assert tree.find("body").get("data-for-code") == "_static/a.js?v=1 _static/b.js"
    links = [link for *_, link, _ in tree.iterlinks()]
    assert links == [
        *("_static/x.svg", "chapters/04.html#code", "#here", "https://e.org/a", "search.html")
    ]


def test_in_the_one_file_a_chapters_panels_close_each_other_alone(tmp_path):
    text = '<article><details name="elsewhere" id="a"></details><a href="b.html#c">b</a></article>'
    (tmp_path / "a.html").write_text(f"<html><body>{text}</body></html>")
    made = html.fragment_fromstring(
        single.article(tmp_path / "a.html", {"a.html": "p1", "b.html": "p2"})
    )
    details = made.find("details")
    assert (details.get("name"), details.get("id")) == ("p1-elsewhere", "p1-a")
    assert made.find("a").get("href") == "#p2-c"
    with pytest.raises(ExtensionError, match=r"b\.html"):
        single.article(tmp_path / "a.html", {"a.html": "p1"})


def test_characters_of_formulas_and_of_text(tmp_path):
    page = tmp_path / "page.html"
    page.write_text('<p>é<span class="katex-html"><span>β</span></span>ü</p>', encoding="utf-8")
    text, formulas = fonts.characters(tmp_path)
    assert {"é", "ü"} <= text
    assert "β" not in text
    assert formulas == {"β"}
    page.write_text("<p>no formula</p>")
    with pytest.raises(ExtensionError, match="a formula"):
        fonts.characters(tmp_path)


BUILT = chapters.ROOT / "_build" / "html"


@pytest.mark.skipif(not BUILT.exists(), reason="make book first")
def test_the_built_book_has_nothing_that_no_page_asks_for():
    static = BUILT / "_static"
    assert (static / "site.css").is_file()
    assert [path.name for pattern in site.UNUSED for path in static.glob(pattern)] == []
    first = html.document_fromstring((BUILT / "index.html").read_text(encoding="utf-8"))
    canonical = first.find("head/link[@rel='canonical']").get("href")
    assert canonical == chapters.CONFIG["html"]["baseurl"]
    whole = (BUILT / single.NAME).read_text(encoding="utf-8")
    for page in (first, html.document_fromstring(whole)):
        assert page.find("head/link[@rel='icon']") is not None  # else browsers ask for favicon.ico
        assert page.find("head/meta[@http-equiv]") is None
