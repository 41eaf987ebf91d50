"""The chapters keep the book's rules: they run anywhere, prove what they say, and don't drift."""

import ast
import functools
import itertools
import re

import pytest
from rounding import EXACT

import chapters
import d2lmini.attention
import d2lmini.masks
import d2lmini.multihead
from d2lmini.roles import ROLES
from kernelfree import texts
from kernelfree.script import kind_of, scripts
from tools import lacking, metadata, minutes

PAGES = [pytest.param(page, id=page.stem) for page in chapters.pages()]
NUMBERED = [pytest.param(page, id=page.stem) for page in chapters.numbered()]

MACHINE = re.compile(r"\de[+-]\d|(?<![\w.])[-\u2212]0(\.0+)?(?![\w.]*\d)")

SLUG = chapters.REPOSITORY.removeprefix("https://github.com/")


def test_notebooks_stay_small():
    sizes = [page.stat().st_size for page in chapters.pages()]
    assert sum(sizes) / len(sizes) <= 280_000
    assert max(sizes) < 1_500_000


@pytest.mark.parametrize("page", PAGES)
def test_a_page_lacks_nothing(page):
    assert lacking.lacking(page, chapters.read(page)) == []


@pytest.mark.parametrize("page", PAGES)
def test_stored_figures_have_the_scripts_of_today(page):
    # Strict comparison does not see the script.
    kinds = [(html, kind_of(state)) for html, state in chapters.stored_figures(page)]
    kinds += [(html, "trace") for html, _ in chapters.stored_figures(page, "kernelfree-trace")]
    for html, kind in kinds:
        assert f"<script>{scripts(kind, '.packed.js')}</script>" in html, "run `make scripts`"


@pytest.mark.parametrize("page", PAGES)
def test_links_between_pages_lead_to_pages_of_one_folder(page):
    # So that they lead to the same page among a reader's copies.
    markdown, code = (chapters.cells(page, kind) for kind in ("markdown", "code"))
    for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", "\n".join(markdown)):
        assert "/" not in target, target
        assert (page.parent / target).is_file(), target
    # No other address of the repository.
    for found in re.findall(r"github\.com/([\w.-]+/[\w.-]+)", "\n".join([*markdown, *code])):
        assert found.removesuffix(".git") == SLUG or not found.startswith(SLUG.split("/")[0]), found
    if code:  # one cell, the same everywhere
        assert code[0] == chapters.cells(chapters.numbered()[0], "code")[0]


def test_every_citation_of_an_equation_has_its_tag():
    tags, cited = set(), {}
    written = {int(page.name[:2]) for page in chapters.numbered()}
    for page in chapters.pages():
        for source in chapters.cells(page, "markdown"):
            tags |= set(lacking.TAG.findall(source))
            for citation in chapters.CITATION.findall(source):
                if int(citation.split(".")[0]) in written:
                    cited.setdefault(citation, page.name)
    assert {tag: page for tag, page in cited.items() if tag not in tags} == {}


class Bare(ast.NodeTransformer):
    """Code without what the package alone adds: types, and what stands before a definition."""

    def visit_FunctionDef(self, node):
        node.returns = None
        node.decorator_list = []
        return self.generic_visit(node)

    def visit_arg(self, node):
        node.annotation = None
        return node

    def visit_AnnAssign(self, node):
        return node.value and ast.Assign([node.target], node.value)


def definitions(source):
    trees = {}
    for node in ast.parse(source).body:
        if not isinstance(node, ast.FunctionDef | ast.ClassDef):
            continue
        for inner in ast.walk(node):
            if isinstance(inner, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(inner):
                inner.body = inner.body[1:] or [ast.Pass()]
        trees[node.name] = ast.dump(Bare().visit(node))
    return trees


PACKAGE = {}
for module in (d2lmini.masks, d2lmini.attention, d2lmini.multihead):
    with open(module.__file__, encoding="utf-8") as file:
        PACKAGE |= definitions(file.read())


# What a chapter defines of it.
DEFINED = {
    "04": {"masked_softmax"},
    "06": {"Attention", "DotProductAttention"},
    "07": {"AdditiveAttention"},
    "08": {"BilinearAttention", "DistanceAttention"},
    "10": {"split_heads", "join_heads"},
}


@pytest.mark.parametrize("page", PAGES)
def test_a_definition_of_the_package_is_the_same_in_the_chapter(page):
    defined = set()
    for source in chapters.cells(page, "code"):
        for name, tree in definitions(source).items():
            defined.add(name)
            if name in PACKAGE:
                assert tree == PACKAGE[name], f"{name} differs from d2lmini's"
    assert DEFINED.get(page.name[:2], set()) <= defined


@pytest.mark.parametrize("page", PAGES)
def test_colours_of_symbols_are_those_of_their_roles(page):
    known = {light for light, _ in ROLES.values()}
    for source in chapters.cells(page, "markdown"):
        assert set(re.findall(r"\\color\{(#\w+)\}", source)) <= known
        # Two braces around what is coloured: then every renderer colours the same symbols.
        assert not re.search(r"(?<!\{)\\color\{#\w+\}|\\color\{#\w+\}(?!\{)", source), source


@pytest.mark.parametrize("page", PAGES)
def test_only_times_and_versions_are_not_compared(page):
    for source in chapters.cells(page, "code"):
        if "NBVAL_" in source:
            # On a line of its own: the book leaves that line out.
            assert re.search(r"^(# @title .*\n)?# NBVAL_IGNORE_OUTPUT\n", source)
            assert re.search(r"perf_counter|timeit|__version__", source), source


@pytest.mark.parametrize("page", PAGES)
def test_a_fold_is_a_heading_alone_and_ends_where_a_cell_begins(page):
    # JupyterLab and Colab fold whole cells: up to one that has a heading as high, wherever in it.
    level = None
    for cell in (cell for cell in chapters.read(page).cells if cell.cell_type == "markdown"):
        tags = (element.tag for element in minutes.elements(cell.source))
        headings = [int(tag[1]) for tag in tags if re.match("h[1-6]", tag)]
        if level and headings and min(headings) <= level:
            assert re.match("#{1,6} ", cell.source), f"text above the heading in:\n{cell.source}"
            level = None
        if metadata.FOLDED in cell.metadata:
            level = headings[0]


def every_text(stored):
    if isinstance(stored, str):
        yield stored
    elif isinstance(stored, list | dict):
        for part in stored.values() if isinstance(stored, dict) else stored:
            yield from every_text(part)


def every_sentence(state):
    """What stands under a figure, in each of its states; a live one computes it."""
    sizes = [len(control.get("options", [0])) for control in state["controls"]]
    if state.get("says") and "live" not in state:
        for places in itertools.product(*map(range, sizes)):
            yield texts.sentence(state["says"], sizes, places)


@pytest.mark.parametrize("page", PAGES)
def test_no_number_of_a_figure_is_written_for_machines(page, monkeypatch):
    monkeypatch.setattr(texts, "decode", functools.cache(texts.decode))
    for _, state in chapters.stored_figures(page):
        labels = every_text([state[key] for key in ("title", "controls", "panels", "scales")])
        for text in {*labels, *every_sentence(state)}:
            assert not MACHINE.search(text), text


def named(state):
    """The values of controls that a figure's question names: 'stall 2', 'the mask is off'."""
    question, found = state["predict"]["question"].lower(), {}
    for control in state["controls"]:
        names = "|".join(re.escape(control[key].lower()) for key in ("name", "label"))
        for option in control.get("options", ()):
            said = {True: "on", False: "off"}[option] if isinstance(option, bool) else option
            said = re.escape(f"{said:g}" if isinstance(said, int | float) else said.lower())
            if re.search(rf"\b({names})( is| =)? {said}(?![.,]?\d|\w)", question):
                found[control["name"]] = option
    return found


@pytest.mark.parametrize("page", NUMBERED)
def test_a_covered_figure_opens_in_the_state_that_it_asks_about(page):
    for _, state in chapters.stored_figures(page):
        if state.get("predict"):
            assert state["start"] | named(state) == state["start"], state["predict"]["question"]


def test_few_cells_are_computed_as_they_are_and_each_says_why():
    sources = [cell for page in chapters.pages() for cell in chapters.cells(page, "code")]
    marks = [line for cell in sources for line in cell.splitlines() if EXACT.strip() in line]
    assert 0 < len(marks) <= 8
    assert all(len(line.split(EXACT)[1].split()) >= 4 for line in marks)
