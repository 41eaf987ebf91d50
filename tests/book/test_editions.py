"""The book in another language is the English one but for words: same places, same links."""

from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
from docutils import nodes
from lxml import html

import chapters
from pages import editions, headings

HTML = chapters.HTML
PAGES = [path.stem for path in chapters.pages()]
FOLDERS = [one.folder for one in editions.editions()[1:]]
# What must not differ: places, and what is kept under a name.
IDS = (
    "//@id //@data-answer //@data-page //article/@data-numbered //*[@class='progress']/@data-exercises //@data-edition"
)


def tree(folder, file):
    return html.document_fromstring((HTML / folder / file).read_text(encoding="utf-8"))


@pytest.mark.parametrize("folder", FOLDERS)
def test_places_have_the_names_that_they_have_in_english(folder):
    for page in PAGES:
        english, other = (tree(one, f"chapters/{page}.html") for one in ("", folder))
        assert other.get("lang") == editions.edition(folder).tag
        for ids in IDS.split():
            assert other.xpath(ids) == english.xpath(ids), page
        assert english.xpath("//@id")


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_figure_has_its_page_under_the_same_name(folder):
    names = [{str(p.relative_to(HTML / one)) for p in (HTML / one / "figure").rglob("*.html")} for one in ("", folder)]
    assert names[0] == names[1]
    assert len(names[0]) > 50


@pytest.mark.parametrize("folder", ["", *FOLDERS])
def test_the_switch_and_all_files_are_where_links_lead(folder):
    names = (
        "index 404 search chapters/review chapters/11_learning_to_align figure/masked_softmax/three-padded-sentences"
    )
    for page in (f"{name}.html" for name in names.split()):
        path = HTML / folder / page
        switches = tree(folder, page).xpath("//a[contains(@class, 'edition')]")
        leads = {(path.parent / urlsplit(link.get("href")).path).resolve() for link in switches}
        # The first page has two addresses.
        leads = {str(path.relative_to(HTML)).replace("chapters/index", "index") for path in leads}
        assert leads == {str(Path(one, page)) for one in {"", *FOLDERS} - {folder}}, page
        assert all(link.get("hreflang") == link.get("lang") for link in switches)


@pytest.mark.parametrize("page", ["index.html", *(f"chapters/{page}.html" for page in PAGES[:3])])
def test_all_editions_tell_search_engines_of_each_other(page):
    home = editions.editions()
    told = []
    for one in home:
        head = tree(one.folder, page).find("head")
        links = head.xpath("link[@rel='alternate']")
        told.append([(link.get("hreflang"), link.get("href")) for link in links])
        [own] = head.xpath("link[@rel='canonical']/@href")
        assert own in {address for _, address in told[-1]}
    assert all(one == told[0] for one in told)
    codes, addresses = zip(*told[0], strict=True)
    assert codes == (*(one.tag.partition("-")[0] for one in home), "x-default")
    assert addresses[-1] == addresses[0]
    sitemap = (HTML / "sitemap.xml").read_text("utf-8")
    assert all(f"<loc>{address}</loc>" in sitemap for address in addresses)


@pytest.mark.parametrize("folder", FOLDERS)
def test_what_all_editions_share_stands_once(folder):
    static = HTML / folder / "_static"
    assert (HTML / "_static" / "model").is_dir() >= (static / "model").exists()
    font = "fonts/source-serif-4-latin-400-normal.woff2"
    for name in ("model", "katex", "finger", "head.js", font):
        assert not (static / name).exists(), name
        assert name == "model" or (HTML / "_static" / name).exists(), name
    own = [p for p in static.rglob("*") if p.is_file() and p.suffix != ".woff2"]
    assert sum(p.stat().st_size for p in own) < 1_500_000


@pytest.mark.parametrize("folder", ["", *FOLDERS])
def test_shared_fonts_have_every_sign_of_all_editions(folder):
    from fontTools.ttLib import TTFont

    shown = tree(folder, "chapters/04_masked_softmax.html")
    formulas = {sign for one in shown.find_class("katex-html") for sign in one.text_content()}
    for formula in shown.find_class("katex"):
        formula.drop_tree()
    for signs, place in (({*shown.text_content()}, "fonts/source-serif*"), (formulas, "katex/fonts/*")):
        for font in (HTML / "_static").glob(f"{place}.woff2"):
            own = chapters.ROOT / "assets" / font.relative_to(HTML / "_static")
            whole, cut = ({*map(chr, TTFont(one).getBestCmap())} for one in (own, font))
            assert signs & whole <= cut, font


def test_without_a_translation_it_is_said_in_english(monkeypatch):
    monkeypatch.setattr(editions, "_spoken", editions.edition("zh"))
    assert editions.say("Search") == "\u641c\u7d22"
    assert editions.say("No such sentence, {name}", name="you") == "No such sentence, you"


def test_a_page_with_another_number_of_headings_is_named(monkeypatch):
    monkeypatch.setattr(headings, "ids", lambda page: ["one", "two"])
    document = nodes.document(None, None)
    document += nodes.section(ids=["\u4e00"], names=["\u4e00"])
    step = headings.Headings.__new__(headings.Headings)
    step.document = document
    document.settings = SimpleNamespace(env=SimpleNamespace(docname="chapters/04"))
    with pytest.raises(Exception, match="chapters/04: 1 headings, where English has 2"):
        step.apply()
