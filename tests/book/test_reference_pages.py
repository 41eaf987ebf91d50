"""The pages behind the chapters: complete, in order, and each thing said once."""

import re
from collections import Counter

import nbformat
import pytest

import chapters
import d2lmini
import kernelfree
from d2lmini import scores

PAGES = {page.stem: page for page in chapters.pages()}


def text(name):
    return "\n\n".join(chapters.cells(PAGES[name], "markdown"))


TERM = re.compile(r"^- \*\*(.+?)\*\* · ([^.]+)\. .*\(chapters? (\d+)", re.MULTILINE)


def test_each_term_of_the_glossary_is_there_once_with_its_chinese_and_a_chapter():
    terms = TERM.findall(text("glossary"))
    assert len(terms) == len(re.findall(r"^- ", text("glossary"), re.MULTILINE))
    names = [term.lower() for term, _, _ in terms]
    assert len(names) == len(set(names))
    foreign = [term for term, chinese, _ in terms if not re.search("[\u4e00-\u9fff]", chinese)]
    assert foreign == []


def test_the_package_has_a_place_for_every_public_name():
    names = {*d2lmini.__all__, *scores.__all__, *kernelfree.__all__, "Figure"}
    headings = re.findall(r"^### (.+)$", text("api"), re.MULTILINE)
    assert names <= set(headings)
    linked = set(re.findall(r'<a href="#[\w-]+"><code>(\w+)</code></a>', text("api")))
    assert linked == names


def found(name):
    homes = d2lmini, scores, kernelfree
    return next(getattr(home, name) for home in homes if hasattr(home, name))


def test_a_docstring_loses_nothing_on_its_way_to_the_page():
    for cell in nbformat.read(PAGES["api"], as_version=4).cells:
        call = re.fullmatch(r'show\("(\w+)"(?:, "\w+")*\)', cell.source)
        if call and call[1] != "Figure":
            shown = cell.outputs[0].data["text/markdown"].replace("```python", "")
            meant = found(call[1]).__doc__
            lost = Counter(re.findall(r"\w+", meant)) - Counter(re.findall(r"\w+", shown))
            assert lost == Counter(), call[1]


@pytest.mark.parametrize("name", scores.__all__)
def test_a_score_says_its_shapes_what_it_raises_and_its_source(name):
    doc = found(name).__doc__
    parts = re.findall(r"^ *(\w+)\n +-{4,}$", doc, re.MULTILINE)
    returned = "Attributes" if name[0].isupper() else "Returns"
    assert {"Parameters", returned, "Raises", "Notes"} <= set(parts)
    notes = doc.split("Notes\n")[1]
    assert re.search(r"equations? \(1[67]\.\d+\)", notes, re.IGNORECASE)
    assert re.search(r"\b20\d\d,\s+(section|algorithm) \d", notes)
    assert "Tensor" in doc.split(f"{returned}\n")[1] or "Parameter," in doc
