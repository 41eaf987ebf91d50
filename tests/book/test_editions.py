"""The book in another language is the English one but for words: same places, same links."""

import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from docutils import nodes
from extension import language, search, shortened
from lxml import html
from translation import edition, site

import chapters

HTML = chapters.ROOT / "_build" / "html"
PAGES = [path.stem for path in chapters.pages()]
FOLDERS = [one.folder for one in language.editions()[1:]]
# What must not differ: places, and what is kept under a name.
IDS = (
    "//@id",
    "//@data-answer",
    "//@data-page",
    "//article/@data-numbered",
    "//*[@class='progress']/@data-asks",
    "//@data-edition",
)


def tree(folder, file):
    return html.document_fromstring((HTML / folder / file).read_text(encoding="utf-8"))


@pytest.mark.parametrize("folder", FOLDERS)
@pytest.mark.parametrize("page", PAGES)
def test_places_have_the_names_that_they_have_in_english(folder, page):
    english, other = (tree(one, f"chapters/{page}.html") for one in ("", folder))
    assert other.get("lang") == language.edition(folder).tag
    for ids in IDS:
        assert other.xpath(ids) == english.xpath(ids)
    assert english.xpath("//@id")


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_figure_has_its_page_under_the_same_name(folder):
    names = [
        {str(p.relative_to(HTML / one)) for p in (HTML / one / "figure").rglob("*.html")}
        for one in ("", folder)
    ]
    assert names[0] == names[1]
    assert len(names[0]) > 50


def internal(path, found):
    """The links of a page that lead to a file, without those to a PDF, which is printed later."""
    for link in found.xpath(
        "//a/@href | //link/@href | //script/@src | //img/@src | //@data-parts"
        " | //@data-weights | //@data-script | //@data-line"
    ):
        name = re.split("[?#]", link)[0]
        if name and not re.match(r"\w+:", name):
            yield link, (path.parent / name).resolve()


@pytest.mark.parametrize("folder", FOLDERS)
@pytest.mark.parametrize(
    "page",
    [
        "index.html",
        "404.html",
        "search.html",
        "chapters/review.html",
        "chapters/11_learning_to_align.html",
        "chapters/own_sentence.html",
        "figure/masked_softmax/three-padded-sentences.html",
    ],
)
def test_the_switch_and_all_files_are_where_links_lead(folder, page):
    for one in ("", folder):
        path, found = HTML / one / page, tree(one, page)
        links = dict(internal(path, found))
        assert [link for link, file in links.items() if not file.is_file()] == []
        switches = found.xpath("//a[contains(@class, 'edition')]")
        leads = [links[link.get("href")].relative_to(HTML) for link in switches]
        there = {Path(other, page) for other in ("", *FOLDERS)} - {Path(one, page)}
        # The first page has two addresses.
        assert {Path(str(p).replace("chapters/index", "index")) for p in leads} == there
        assert all(link.get("hreflang") == link.get("lang") for link in switches)


@pytest.mark.parametrize("page", ["index.html", *(f"chapters/{page}.html" for page in PAGES[:3])])
def test_all_editions_tell_search_engines_of_each_other(page):
    home = language.editions()
    told = []
    for one in home:
        links = tree(one.folder, page).xpath("//head/link[@rel='alternate']")
        told.append([(link.get("hreflang"), link.get("href")) for link in links])
        [own] = tree(one.folder, page).xpath("//head/link[@rel='canonical']/@href")
        assert own in {address for _, address in told[-1]}
    assert all(one == told[0] for one in told)
    codes = [code for code, _ in told[0]]
    assert codes == [*(one.tag.partition("-")[0] for one in home), "x-default"]
    assert told[0][-1][1] == told[0][0][1]
    sitemap = (HTML / "sitemap.xml").read_text("utf-8")
    assert all(f"<loc>{address}</loc>" in sitemap for _, address in told[0])


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


@pytest.mark.parametrize("folder", FOLDERS)
def test_shared_fonts_have_every_sign_of_all_editions(folder):
    from fontTools.ttLib import TTFont

    shown = tree(folder, "chapters/04_masked_softmax.html")
    for formula in shown.find_class("katex"):
        formula.drop_tree()
    text = set(shown.text_content())
    for font in (HTML / "_static" / "fonts").glob("source-serif*.woff2"):
        whole = TTFont(chapters.ROOT / "assets" / "fonts" / font.name).getBestCmap()
        assert {ord(sign) for sign in text} & set(whole) <= set(TTFont(font).getBestCmap())


def test_what_the_site_says_is_in_every_catalog_with_its_fields():
    for folder in FOLDERS:
        known = {m.id: m.string for m in language.catalog(folder) if m.id and not m.fuzzy}
        for _, text, where in site.messages():
            assert known.get(text), f"{folder}: {text!r} of {where} is not translated"
            fields = [sorted(re.findall(r"\{\w+\}", one)) for one in (text, known[text])]
            assert fields[0] == fields[1], text
            marks = [sorted(re.findall(r"<[^>]+>", one)) for one in (text, known[text])]
            assert marks[0] == marks[1], text


def test_without_a_translation_it_is_said_in_english(monkeypatch):
    monkeypatch.setattr(language, "_spoken", language.edition("zh"))
    assert language.say("Search") == "\u641c\u7d22"
    assert language.say("No such sentence, {name}", name="you") == "No such sentence, you"


def test_sources_that_did_not_change_are_not_written_again(tmp_path, monkeypatch):
    for name in ("_config.yml", "_toc.yml"):
        (tmp_path / name).write_text((chapters.ROOT / name).read_text("utf-8"), encoding="utf-8")
    (tmp_path / "chapters").mkdir()
    for name in ("one", "two"):
        (tmp_path / "chapters" / f"{name}.ipynb").write_text(name)
    monkeypatch.setattr(edition, "render", lambda path, folder: path.read_text())
    monkeypatch.setattr(edition.nbformat, "writes", lambda text: f"{text} in Chinese")
    made = tmp_path / "made"
    edition.write(tmp_path, "zh", made, tmp_path)
    times = {path: path.stat().st_mtime_ns for path in made.rglob("*.*")}
    (tmp_path / "chapters" / "two.ipynb").write_text("2")
    (made / "chapters" / "old.ipynb").touch()
    edition.write(tmp_path, "zh", made, tmp_path)
    now = {path: path.stat().st_mtime_ns for path in made.rglob("*.*")}
    changed = [path.name for path, time in now.items() if time != times.get(path)]
    assert changed == ["two.ipynb"]
    assert not (made / "chapters" / "old.ipynb").exists()
    assert "language: zh_CN" in (made / "_config.yml").read_text("utf-8")


def test_chinese_is_kept_as_signs_and_pairs_and_english_as_words():
    split = search.Pairs({}).split
    assert split("\u7528 softmax \u7b97\u6743\u91cd") == [
        "\u7528",
        "softmax",
        "\u7b97",
        "\u6743",
        "\u91cd",
        "\u7b97\u6743",
        "\u6743\u91cd",
    ]


def test_a_description_without_blanks_is_cut_between_signs():
    assert shortened("some words " * 50, 160).endswith("some\u2026")
    assert shortened("\u8bcd" * 300, 160) == "\u8bcd" * 80 + "\u2026"
    assert shortened("\u8bcd" * 30, 160) == "\u8bcd" * 30


def test_a_page_with_another_number_of_headings_is_named(monkeypatch):
    from extension import headings

    monkeypatch.setattr(headings, "ids", lambda page: ["one", "two"])
    document = nodes.document(None, None)
    document += nodes.section(ids=["\u4e00"], names=["\u4e00"])
    step = headings.Headings.__new__(headings.Headings)
    step.document = document
    document.settings = SimpleNamespace(env=SimpleNamespace(docname="chapters/04"))
    with pytest.raises(Exception, match="chapters/04: 1 headings, where English has 2"):
        step.apply()


def test_the_ids_of_headings_are_those_of_the_built_page():
    from extension import headings

    for page in PAGES:
        sections = tree("", f"chapters/{page}.html").xpath("//article//section[@id]/@id")
        assert headings.ids(f"chapters/{page}") == sections, page


def test_english_is_indexed_by_its_words_as_before():
    index = (HTML / "searchindex.js").read_text("utf-8")
    terms = json.loads(index.removeprefix("Search.setIndex(")[:-1])["terms"]
    assert {"softmax", "mask", "bfloat16"} <= set(terms)
    assert "\u6ce8\u610f" not in terms
