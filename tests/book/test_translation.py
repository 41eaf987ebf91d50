"""The editions in other languages are the English book but for their words."""

import ast
import json
import re
import subprocess
from collections import Counter

import nbformat
import pytest

import chapters
from tools.translation import catalogs, checks, notebook, outputs, publish
from tools.translation.render import render

EDITIONS = [
    pytest.param(language, page, id=f"{language}-{page.stem}")
    for language in catalogs.languages()
    for page in sorted((chapters.ROOT / "chapters").glob("*.ipynb"))
]
of_each_page = pytest.mark.parametrize(("language", "page"), EDITIONS)
# How many messages may be shown in English. It may only fall.
OUT_OF_DATE = 0
NUMBER = re.compile(r"\d+(?:\.\d+)?")
VERDICTS = re.compile(r'd2lmini-answer.*?<script type="application/json">(.*?)</script>', re.DOTALL)


@of_each_page
def test_a_catalog_has_the_messages_of_its_page(language, page):
    catalog = [m for m in catalogs.read(catalogs.path_of(language, page.stem)) if m.id]
    known = [(m.context, m.id) for m in catalog]
    assert known == notebook.messages(chapters.read(page)), "make words brings catalogs up to date"
    # Translations keep what is no word, but where somebody has looked: the flag `checked`.
    wrong = [
        f"{m.context}: {problem}\n  {m.string}"
        for m in catalog
        if m.string and not m.fuzzy and "checked" not in m.flags
        for problem in checks.problems(m.context, m.id, m.string)
    ]
    assert wrong == []


@pytest.mark.parametrize("language", catalogs.languages())
def test_few_messages_are_out_of_date(language):
    late = [
        m for path in catalogs.paths(language) for m in catalogs.out_of_date(catalogs.read(path))
    ]
    assert len(late) <= OUT_OF_DATE


@of_each_page
def test_the_code_is_the_same_but_for_strings(language, page):
    for one, other in zip(chapters.read(page).cells, render(page, language).cells, strict=True):
        whats = [(c.id, c.cell_type, c.metadata.get("tags", [])) for c in (one, other)]
        assert whats[0] == whats[1]
        if one.cell_type == "code" and "remove-cell" not in whats[0][2]:
            assert without_strings(one.source) == without_strings(other.source), one.id


def without_strings(source):
    """A syntax tree in which no string says anything, and no address is given."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
        elif isinstance(node, ast.Call):
            node.keywords = [one for one in node.keywords if one.arg != "address"]
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            fields = [part for part in node.values if isinstance(part, ast.FormattedValue)]
            node.values = sorted(fields, key=ast.dump)
    return ast.dump(tree)


@of_each_page
def test_what_was_printed_is_of_this_code_and_has_the_english_numbers(language, page):
    made = render(page, language)
    assert outputs.fresh(language, page.stem, made), f"make run CHAPTER={page} runs it again"
    for one, other in zip(chapters.read(page).cells, made.cells, strict=True):
        if one.cell_type == "code" and "NBVAL_IGNORE_OUTPUT" not in one.source:
            assert printed(one) == printed(other), one.id
            assert addresses(one) == addresses(other), one.id
    # A check's output holds what the page says of answers: it comes from the package's catalog.
    catalog = catalogs.read(catalogs.path_of(language, "package"))
    known = {text for m in catalog for text in (m.id, m.string)}
    for cell in made.cells:
        for html in shown(cell):
            for verdict in map(json.loads, VERDICTS.findall(html)):
                assert {verdict["praise"], *(why for why, _ in verdict["slips"])} <= known, cell.id


def shown(cell):
    """The HTML that a cell shows."""
    return [output.get("data", {}).get("text/html", "") for output in cell.get("outputs", ())]


def printed(cell):
    """The numbers that a cell prints."""
    texts = [output.get("text", "") for output in cell.outputs]
    return Counter(NUMBER.findall("".join(texts)))


def addresses(cell):
    """The addresses of the figures of a cell."""
    return re.findall(r'<div class="kernelfree-\w+" id="([^"]+)"', "".join(shown(cell)))


@pytest.mark.exhaustive
def test_notebooks_are_on_a_branch_of_their_language(tmp_path, monkeypatch):
    """What the links to Colab open; it grows when they change, so that copies can follow."""
    git = ["git", "-C", tmp_path]
    subprocess.run([*git, "init", "--quiet", "--bare"], check=True)
    language = catalogs.languages()[0]
    for render_as in (publish.render, publish.render, lambda page, _: nbformat.read(page, 4)):
        monkeypatch.setattr(publish, "render", render_as)
        publish.publish(language, str(tmp_path))
    log = subprocess.check_output([*git, "log", "--format=%s", language], text=True)
    assert log.count("\n") == 2
    page = sorted((chapters.ROOT / "chapters").glob("[0-9]*.ipynb"))[0]
    shown = subprocess.check_output([*git, "show", f"{language}~1:chapters/{page.name}"], text=True)
    assert f"/blob/{language}/chapters/{page.name}" in shown
    assert f'd2lmini.speak(\\"{language}\\")' in shown
