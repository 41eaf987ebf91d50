"""The book's extension of Sphinx: what it changes in pages, and what it says if that is missing."""

import base64
import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from docutils import nodes
from docutils.utils import new_document
from lxml import html
from sphinx.addnodes import pending_xref
from sphinx.errors import ExtensionError

import chapters
import pages
from pages import body, figure_links, fonts, frameworks, single, site

ROOT = chapters.ROOT
TITLE = 'Scores: "a" < b & c'
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABAQAAAAA3bvkk"
STATE = '<script type="application/json">{{"a": "\\u003c"}}</script>'
FIGURE = f'<div class="kernelfree-figure" id="f">{{img}}{STATE}{{script}}</div>'
IMAGE = f'<img src="data:image/png;base64,{PIXEL}" alt="" width="1" height="200">'
WHOLE = {"img": IMAGE, "script": "<script>1</script>"}
PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(8) + b"\0\0\0\7\0\0\0\5"
NAMED = f"{hashlib.sha256(PICTURE).hexdigest()}.png"  # as MyST-NB does it


@pytest.fixture
def app(tmp_path):
    """As much of Sphinx as a page's body takes."""
    picture = {"image/png": base64.b64encode(PICTURE).decode(), "text/plain": "<Diagram: a dog>"}
    cells = [{"cell_type": "code", "source": "", "metadata": {}, "outputs": [{"data": picture}]}]
    (tmp_path / "page.ipynb").write_text(json.dumps({"cells": cells}))
    env = SimpleNamespace(
        doc2path=lambda page: tmp_path / "page.ipynb",
        book_equations={"4.2": ("chapters/04", TITLE), "5.1": ("chapters/05", "Five")},
        book_chapters={"4": ("chapters/04", TITLE), "5": ("chapters/05", "Five")},
    )
    relative = lambda here, there: there.rpartition("/")[2] + ".html"  # noqa: E731
    builder = SimpleNamespace(get_relative_uri=relative, images={"cell.png": NAMED})
    (tmp_path / "cell.png").write_bytes(PICTURE)
    mention = chapters.CONFIG["sphinx"]["config"]["mention_of_chapter"]
    config = SimpleNamespace(html_baseurl="https://book.org/", mention_of_chapter=mention)
    return SimpleNamespace(outdir=tmp_path, srcdir=tmp_path, env=env, builder=builder, config=config)


def finished(app, text, page="chapters/other", at_once=False):
    return html.fragment_fromstring(body.finish(app, page, text, at_once), create_parent="div")


def test_mentions_lead_there_and_titles_are_escaped(app):
    text = "<p>By (4.2) of Chapter 4, not <b>(9.9)</b>, chapter 77 <i>x</i> (5.1)</p>"
    tree = finished(app, text)
    links = [(a.get("href"), a.get("title"), a.text) for a in tree.iter("a")]
    assert links == [
        ("04.html#eq-4.2", f"Equation 4.2, {TITLE}", "4.2"),
        ("04.html", TITLE, "Chapter 4"),
        ("05.html#eq-5.1", "Equation 5.1, Five", "5.1"),
    ]
    assert tree.text_content() == "By (4.2) of Chapter 4, not (9.9), chapter 77 x (5.1)"
    for tag in ("a", "code", "pre", "h2", "button"):
        assert finished(app, f"<p><{tag}>Chapter 4</{tag}></p>").find(".//a[@title]") is None, tag


def test_chinese_has_its_room_and_norms_and_transposes_are_read_aloud(app):
    [mark] = finished(app, "<p>softmax, 注意力 here</p>").iter("span")
    assert (mark.text, mark.get("lang"), mark.get("style")) == ("注意力", "zh-Hans", "width: 3em")
    assert mark.tail == " here"
    read, drawn = (f"<span class='katex-{kind}'>{{}}</span>" for kind in ("mathml", "html"))
    text = "<mo>∥</mo><mi>q</mi><mo>∥</mo><mi>⊤</mi>"
    tree = finished(app, read.format(text) + drawn.format(text))
    assert [part.text_content() for part in tree.iter("span")] == ["‖q‖T", "∥q∥⊤"]


@pytest.mark.parametrize("kind", ["figure", "trace"])
def test_a_figure_shares_its_script_and_keeps_its_picture(app, kind):
    text = FIGURE.format(**WHOLE).replace("kernelfree-figure", f"kernelfree-{kind}")
    [figure] = finished(app, text, at_once=kind == "figure").find_class(f"kernelfree-{kind}")
    still, state, *signal = figure
    assert (still.tag, state.tag) == ("figure", "script")
    picture = still.find("img").get("src")
    assert (app.outdir / picture.removeprefix("../")).read_bytes().startswith(b"\x89PNG")
    assert state.text == '{"a": "\\u003c"}'
    if kind == "figure":
        assert figure.get("style") == "--room: 300px"
        assert signal[0].get("src").endswith("_static/now.js")  # to draw at once
    assert len(signal) == (kind == "figure")


def test_without_its_script_a_figure_has_its_sentence_and_is_where_its_links_lead(app):
    text = FIGURE.format(**WHOLE).replace("<script", "<p>Sum: 1</p><script", 1)
    links = '<p><a href="#f?n=1%20x&amp;m=2">move</a> <a href="#other-f?n=1">other</a></p>'
    tree = finished(app, links + text + links)
    [figure] = tree.find_class("kernelfree-figure")
    assert [span.get("id") for span in figure.iter("span")] == ["f?n=1%20x&m=2"]
    told, says = (part.text for part in figure.findall("figure/p"))
    assert told == "The script of this figure has not run, so nothing here moves. This is its first picture."
    assert says == "Sum: 1"


def test_without_its_script_a_question_hides_a_picture_that_tells_the_answer(app):
    for hide, tags in {'{"0": []}': ["p", "p", "details"], "{}": ["p", "p", "img"]}.items():
        predict = f'"predict": {{"question": "Why? \\u003c", "hide": {hide}}}'
        text = FIGURE.format(**WHOLE).replace('"a": "\\u003c"', predict)
        [figure] = finished(app, text).find_class("still")
        assert [child.tag for child in figure] == tags
        assert figure[1].text == "Why? <"
        assert [child.tag for child in figure.iterfind("details/*")] == ["summary", "img"] * ("details" in tags)


def test_the_text_leads_to_a_state_of_a_figure_and_other_links_stay(app):
    def led(*links):
        page = new_document("page")
        for attributes in links:
            page += nodes.paragraph("", "", pending_xref("", nodes.inline("", "go"), **attributes))
        figure_links.link(app, page)
        (link,), (kept,) = page.findall(nodes.reference), page.findall(pending_xref)
        return link["refuri"], link.astext(), kept.attributes

    state = "figure-arrows?sweet=1"
    *link, kept = led({"reftarget": state}, {"reftarget": "derive"})
    assert (link, kept["reftarget"]) == ([f"#{state}", "go"], "derive")
    there = {"refdoc": "chapters/index", "reftarget": "chapters/01"}  # another page
    *link, kept = led({**there, "reftargetid": "figure-arrows"}, {**there, "reftargetid": None})
    assert (link, kept["reftargetid"]) == (["01.html#figure-arrows", "go"], None)


@pytest.mark.parametrize("missing", WHOLE)
def test_a_figure_of_another_make_stops_the_build(app, missing):
    with pytest.raises(ExtensionError, match="a figure without its picture, state or script"):
        finished(app, FIGURE.format(**{**WHOLE, missing: ""}))
    with pytest.raises(ExtensionError, match="a figure was expected"):  # on the first page
        finished(app, "<p>text</p>", at_once=True)


def test_two_figures_of_one_title_are_refused(app):
    figure = FIGURE.format(**WHOLE).replace('"a"', '"title": "Scores", "a"')
    finished(app, figure + figure.replace('id="f"', 'id="g"'))
    with pytest.raises(ExtensionError, match="chapters/other: two figures have the title 'Scores'"):
        finished(app, figure + figure)


def test_pictures_of_outputs_know_their_size_and_have_words(app):
    address = f'<img src="../_images/{NAMED}" alt="../_images/{NAMED}">'
    [picture] = finished(app, address).iter("img")
    assert [picture.get(k) for k in ("width", "height", "loading")] == ["7", "5", "lazy"]
    assert picture.get("alt") == "Diagram: a dog"
    notebook = app.srcdir / "page.ipynb"
    notebook.write_text(notebook.read_text().replace("<Diagram: a dog>", ""))
    with pytest.raises(ExtensionError, match="a text/plain beside the picture"):
        finished(app, address)
    with pytest.raises(ExtensionError, match=r"other\.png"):
        finished(app, '<img src="../_images/other.png" alt="">')


# As KaTeX has a formula and its number.
NUMBERED = """<div class="math notranslate"><span class="katex-mathml"><math><semantics>
<mtable width="100%"><mtr><mtd width="50%"></mtd>
<mtd><mi>x</mi><mtable><mtr><mtd>y</mtd></mtr></mtable></mtd>
<mtd width="50%"></mtd><mtd><mtext>(4.2)</mtext></mtd></mtr></mtable>
<annotation>x \\tag{4.2}</annotation></semantics></math></span></div>"""


def test_an_equation_has_an_address_and_is_read_without_its_table_or_the_build_stops(app):
    [math] = finished(app, NUMBERED, page="chapters/04").find_class("math")
    assert math.get("id") == "eq-4.2"
    assert math[-1].get("href") == "#eq-4.2"
    parts = [(part.tag, part.text_content()) for part in next(math.iter("math"))]
    assert parts == [("mi", "x"), ("mtable", "y"), ("mtext", "(4.2)")]
    with pytest.raises(ExtensionError, match=r"equation 4\.2: KaTeX's table"):
        finished(app, NUMBERED.replace("100%", ""), page="chapters/04")
    with pytest.raises(ExtensionError, match=r"4\.2"):
        finished(app, NUMBERED.replace('"math ', '"formula '), page="chapters/04")


FOLDED = """<section class="fold" id="why"><span id="old"></span>
<h3>Why (4.2)?<a class="headerlink" href="#why">#</a></h3><p>So.</p><section><h4>A</h4></section>
</section>"""


def test_a_folded_section_is_one_line_that_opens_at_its_address(app):
    [section] = finished(app, FOLDED).find_class("fold")
    assert section.get("id") == "why"
    assert [child.tag for child in section] == ["span", "details"]
    summary, *rest = section.find("details")
    assert [child.tag for child in summary] == ["h3"]
    # Nothing in the line can be pressed but the line.
    assert summary.find(".//a") is None
    assert summary.text_content() == "Why (4.2)?"
    assert [child.tag for child in rest] == ["p", "section"]
    with pytest.raises(ExtensionError, match="the heading of a fold"):
        finished(app, FOLDED.replace("h3", "p"))


def with_notebook(path, parts):
    """A Sphinx that reads this page, a notebook of sources with metadata."""
    cells = [{"cell_type": "markdown", "source": s, "metadata": extra} for s, extra in parts]
    path.write_text(json.dumps({"cells": cells}), encoding="utf-8")
    return SimpleNamespace(env=SimpleNamespace(docname="page", doc2path=lambda name: path))


CLASSES = {
    "fold": {pages.cells.FOLDED: True},
    "quiz": {"tags": ["quiz"]},
    "exercises": {"tags": ["mine", "exercises"]},
    "review": {"tags": ["review"]},
    "exercise": {"exercise": {"id": "a", "minutes": 3}},
}


@pytest.mark.parametrize("kind", CLASSES)
def test_a_marked_heading_is_found_in_its_cell_or_the_build_stops(kind, tmp_path):
    parts = [("# Title", {}), ("### \u4e3a\u4ec0\u4e48", CLASSES[kind]), ("So.", {})]
    app = with_notebook(tmp_path / "page.ipynb", parts)

    def marked(*lines):
        document = new_document("")
        for line in lines:
            document += nodes.section()
            document[-1].line = line
        pages.cells.mark(app, document)
        return [section["classes"] for section in document]

    assert marked(10_000, 20_000) == [[], [kind]]
    with pytest.raises(ExtensionError, match=r"a heading in each of the cells \[2\]"):
        marked(10_000, 10_002)


def test_readers_are_not_told_what_is_said_to_colab_and_nbval():
    code = "# @title Check (4.2): so\n# NBVAL_IGNORE_OUTPUT\nprint('# @title x')  # @title stays\n"
    block = nodes.literal_block(code, code)
    cell = nodes.container("", block, nb_element="cell_code")
    document = new_document("")
    document += cell
    pages.cells.tidy(None, document)
    assert block.astext() == "# Check (4.2): so\nprint('# @title x')  # @title stays\n"
    assert block.rawsource == block.astext()  # else Sphinx takes it for marked up, and plain


def test_cells_that_say_so_stand_beside_each_other_or_the_build_stops(tmp_path):
    def rows(tags, classes):
        app = with_notebook(tmp_path / "page.ipynb", [("", {"tags": [tag] if tag else []}) for tag in tags])
        document = new_document("")
        for n, kind in enumerate(classes):
            code = nodes.literal_block("", str(n))
            document += nodes.container("", code, nb_element="cell_code", classes=["cell", kind])
        pages.cells.gather(app, document)
        blocks = [block.astext() for block in document.findall(nodes.literal_block)]
        assert blocks == [str(n) for n in range(len(classes))]  # nothing lost, all in order
        return [len(part) if part["classes"] == ["beside"] else 0 for part in document]

    tag = pages.cells.BESIDE
    tags = [tag, tag, tag, "hide-cell", "", tag, tag]
    assert rows(tags, [f"tag_{tag}" for tag in tags]) == [3, 0, 0, 2]
    with pytest.raises(ExtensionError, match="each of 2 cells tagged beside"):
        rows([tag, tag], ["other", "other"])
    with pytest.raises(ExtensionError, match="a neighbour of a cell tagged beside"):
        rows([tag, ""], [f"tag_{tag}", ""])


def test_a_line_of_code_holds_the_spaces_that_it_begins_with(app):
    code = "<span>for</span> i:\n    <span>f</span>(i)\n\n        <span>g</span>  <b>x</b>\n"
    code += f"            <span>h</span> = {'x + ' * 9}x\n        <span>a b</span>"
    tree = finished(app, f'<div class="cell_input"><pre>{code}</pre></div>')
    starts = [start.text_content() for start in tree.find_class("start")]
    assert starts == ["    f", "        g", "            h", "        "]
    # A long one that begins far in goes on farther in.
    assert [line.text_content()[12:15] for line in tree.find_class("in-12")] == ["h ="]
    copied = f"for i:\n    f(i)\n\n        g  x\n            h = {'x + ' * 9}x\n        a b"
    assert tree.text_content() == copied


PIECES = """<span class="katex-display"><span class="katex"><span class="katex-html">{}<span
 class="tag"></span></span></span></span>"""
PIECE = '<span class="base"><span class="strut"></span><i>{}</i>{}</span>'
SIGN = '<span class="mspace"></span><span class="{}">{}</span><span class="mspace"></span>'


def test_a_formula_goes_on_below_with_its_sign(app):
    parts = [("a", SIGN.format("mrel", "=")), ("b", SIGN.format("mbin", "+")), ("c", "")]
    tree = finished(app, PIECES.format("".join(PIECE.format(*part) for part in parts)))
    pieces = tree.find_class("base")
    assert [piece.text_content() for piece in pieces] == ["a", "=b", "+c"]
    assert [piece[0].get("class") for piece in pieces] == ["strut"] * 3
    # The space before a sign stays, so that it is lost where the line ends.
    assert [child.get("class") for child in pieces[0]] == ["strut", None, "mspace"]
    alone = finished(app, PIECES.format(PIECE.format("a", SIGN.format("mrel", "="))))
    assert alone.find_class("base")[0].text_content() == "a="


@pytest.mark.parametrize(("corner", "role"), [("", "rowheader"), ("word", None)])
def test_below_an_empty_corner_first_cells_head_their_rows(app, corner, role):
    head = f"<thead><tr><th class='head'><p>{corner}</p></th><th>sweet</th></tr></thead>"
    firsts = "lemon", "<p></p>", "<span class='katex'>QK</span>"
    rows = "".join(f"<tr><td>{first}</td><td>1</td></tr>" for first in firsts)
    tree = finished(app, f"<table>{head}<tbody>{rows}</tbody></table>")
    assert [cell.tag for cell in tree.find(".//tr")] == ["th" if corner else "td", "th"]
    found = [[cell.get("role") for cell in row] for row in tree.findall(".//tbody/tr")]
    assert found == [[role, None], [None, None], [None, None]]


def one_file(folder, text, places):
    (folder / "a.html").write_text(f"<html><body><article>{text}</article></body></html>")
    return single.article(folder / "a.html", {"a.html": "p1", **places})


def test_in_the_one_file_a_chapters_panels_close_each_other_alone(tmp_path):
    text = '<details name="elsewhere" id="a"></details><a href="b.html#c">b</a>'
    made = html.fragment_fromstring(one_file(tmp_path, text, {"b.html": "p2"}))
    details = made.find("details")
    assert details.get("open") is None
    assert (details.get("name"), details.get("id")) == ("p1-elsewhere", "p1-a")
    assert made.find("a").get("href") == "#p2-c"
    with pytest.raises(ExtensionError, match=r"b\.html"):
        one_file(tmp_path, text, {})
    text = '<section class="fold"><details><p>So.</p><details></details></details></section>'
    made = html.fragment_fromstring(one_file(tmp_path, text, {}))  # what is folded is open
    assert [details.get("open") for details in made.iter("details")] == ["", None]


def test_a_change_of_what_all_pages_depend_on_is_noticed(tmp_path):
    seen = set()
    others = ("chapters/04.ipynb", "d2lmini/masks.py", "kernelfree/js/say.js")
    for name in ("pages/theme/page.html", "kernelfree/palette.py", *others):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("new")
        seen.add(pages.sources_digest(tmp_path))
    assert len(seen) == 2  # the others are not among them


def test_what_a_build_imports_and_reads_builds_the_book_again():
    """By make; page by page by Sphinx, where it is not of what is packed alone."""
    told = subprocess.check_output(["make", "-pn", "relink"], cwd=ROOT, text=True)
    made = re.search("^SOURCES := (.*)$", told, re.MULTILINE)[1].split()
    code = "import sys, tools.build, pages; from tools.translation import edition; "
    code += "print(*(getattr(one, '__file__', '') for one in sys.modules.values()))"
    code = subprocess.check_output([sys.executable, "-c", code], cwd=ROOT, text=True)
    packages = tuple(str(ROOT / name) for name in ("d2lmini", "kernelfree"))
    known = {*map(str, pages.sources(ROOT))}
    assert {file for file in code.split() if file.startswith(packages)} <= known
    assert known <= {str(ROOT / name) for name in made}
    assert {"d2lmini/masks.py", "runhere/torch/core.py", "runhere/static/worker.js"} <= {*made}
    assert "d2lmini/masks.py" not in {str(Path(file).relative_to(ROOT)) for file in known}


def test_of_the_style_sheet_of_formulas_pages_get_the_rules_that_they_need():
    style = "@font-face{a:b}.katex .a,.katex .b{c:d}.b{e:f}@media print{.a{g:h}}"
    needed = "@font-face{a:b}.katex .a{c:d}@media print{.a{g:h}}"
    assert fonts.needed(style, {"katex", "a"}) == needed


PDF = Path(single.NAME).with_suffix(".pdf").name
BUILT = chapters.HTML


@pytest.mark.skipif(not BUILT.exists(), reason="make book first")
def test_the_built_book_has_nothing_that_no_page_asks_for():
    static = BUILT / "_static"
    assert (static / "site.css").is_file()
    assert [path.name for pattern in site.UNUSED for path in static.glob(pattern)] == []
    first = html.document_fromstring((BUILT / "index.html").read_text(encoding="utf-8"))
    canonical = first.find("head/link[@rel='canonical']").get("href")
    home = chapters.CONFIG["html"]["baseurl"]
    assert canonical == home
    assert first.xpath("//p[@class='whole']/a/@href") == [single.NAME, f"{home}{PDF}"]
    missing = html.document_fromstring((BUILT / "404.html").read_text(encoding="utf-8"))
    assert missing.find("head/base").get("href") == urlsplit(home).path
    whole = (BUILT / single.NAME).read_text(encoding="utf-8")
    for page in (first, html.document_fromstring(whole)):
        assert page.find("head/link[@rel='icon']") is not None  # else browsers ask for favicon.ico
        assert page.find("head/meta[@http-equiv]") is None


@pytest.mark.parametrize("name", frameworks.FRAMEWORKS.values())
def test_definitions_without_their_docstrings_are_python(name):
    for code in frameworks.definitions(frameworks.PACKAGE / name).values():
        compile(code, name, "exec")


def test_folds_of_frameworks_that_follow_each_other_are_a_row():
    fold = '<details data-framework="{}"><summary>The same in {}</summary></details>'
    jax, flow = fold.format("JAX", "JAX"), fold.format("TensorFlow", "TensorFlow")
    below = f'<div class="elsewhere">{jax.replace("<details", "<details name=x")}</div>'
    tree = html.fragment_fromstring(f"<div>{below}<p>a</p>{jax}{flow}<p>b</p>{flow}<p>c</p></div>")
    body.elsewhere(tree)
    rows = tree.find_class("elsewhere")
    said = [[fold.get("data-framework") for fold in row] for row in rows]
    assert said == [["JAX"], ["JAX", "TensorFlow"], ["TensorFlow"]]
    names = [{fold.get("name") for fold in row} for row in rows]
    assert all(len(one) == 1 for one in names)
    assert len(set.union(*names)) == 3
    assert [one.tag for one in tree] == ["div", "p", "div", "p", "div", "p"]


def test_what_heads_a_table_and_what_a_link_leads_to_is_said():
    heads = "<h2>Why <em>two</em> keys?<a class='headerlink' href='#a'>#</a></h2><h3>No link</h3>"
    heads += "<div class='math'>x \\tag{4.2}<a class='headerlink' href='#b'>#</a></div>"
    rows = "<table><thead><tr><th>a</th></tr></thead><tbody><tr><th>b</th><td>c</td></tr></tbody></table>"
    tree = html.fragment_fromstring(f"<div>{heads}{rows}</div>")
    body.scopes(tree)
    body.links(tree)
    assert [cell.get("scope") for cell in tree.iter("th")] == ["col", "row"]
    names = [link.get("aria-label") for link in tree.find_class("headerlink")]
    assert names == ["Link to Why two keys?", "Link to equation 4.2"]
    # A link is drawn beside a heading, and is no part of what is read as it.
    drawn, other, *_ = tree
    assert [drawn.get("role"), other.get("role")] == ["none", None]
    said, link = drawn
    assert (said.get("role"), said.get("aria-level")) == ("heading", "2")
    assert html.tostring(said, encoding="unicode").endswith(">Why <em>two</em> keys?</span>")
    assert link.tag == "a"


def test_the_place_of_the_dates_model_says_what_is_loaded_and_how_heavy_it_is(app):
    place = finished(app, '<div class="finger"><p>Elsewhere.</p></div>').find_class("finger")[0]
    assert place.get("data-weights").startswith("../_static/finger/weights.js?v=")
    assert place.get("data-kilobytes") == "178"
    page = html.tostring(place, encoding="unicode")
    assert single.scripts_of(page) == ["finger.js"]
    # The one file has no weights beside it.
    assert single.scripts_of(one_file(app.outdir, page, {})) == []
