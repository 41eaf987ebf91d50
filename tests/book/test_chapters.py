"""The chapters keep the book's rules: they run anywhere, prove what they say, and don't drift."""

import ast
import functools
import itertools
import re
from collections import Counter

import pytest

import chapters
import d2lmini.attention
import d2lmini.masks
import d2lmini.multihead
from d2lmini.roles import ROLES
from kernelfree import texts
from kernelfree.script import kind_of, script
from tools import metadata, minutes

PAGES = [pytest.param(page, id=page.stem) for page in chapters.pages()]
NUMBERED = [pytest.param(page, id=page.stem) for page in chapters.numbered()]

MACHINE = re.compile(r"\de[+-]\d|(?<![\w.])[-\u2212]0(\.0+)?(?![\w.]*\d)")

SLUG = chapters.REPOSITORY.removeprefix("https://github.com/")


def test_notebooks_stay_small():
    sizes = [page.stat().st_size for page in chapters.pages()]
    assert sum(sizes) / len(sizes) <= 280_000
    assert max(sizes) < 1_500_000


@pytest.mark.parametrize("page", PAGES)
def test_a_notebook_is_executed_and_minimal(page):
    notebook = chapters.read(page)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    assert list(metadata.foreign(notebook)) == []
    for output in (output for cell in code for output in cell.outputs):
        assert output.output_type != "error", output
        assert output.get("name") != "stderr", output.text
        assert not re.search(r" at 0x[0-9a-f]{6,}", str(output)), "an address of memory"
    # Strict comparison does not see the script.
    kinds = [(html, kind_of(state)) for html, state in chapters.stored_figures(page)]
    kinds += [(html, "trace") for html, _ in chapters.stored_figures(page, "kernelfree-trace")]
    for html, kind in kinds:
        assert f"<script>{script(f'{kind}.packed.js')}</script>" in html, "run `make scripts`"


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


@pytest.mark.parametrize("page", NUMBERED)
def test_the_parts_of_a_chapter(page):
    markdown, code = (chapters.cells(page, kind) for kind in ("markdown", "code"))
    text = "\n\n".join(markdown)
    assert text.startswith(f"# {int(page.name[:2])}. ")
    colab = f"https://colab.research.google.com/github/{SLUG}/blob/{chapters.BRANCH}"
    assert f"[Open in Colab]({colab}/chapters/{page.name})" in markdown[0]
    assert re.search(r"^\*\*[^*]+\?\*\*$", text, re.MULTILINE), "it opens with a question, in bold"
    headings = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert {"Recap", "Quiz", "Exercises", "Sources"} <= set(headings)
    assert any("explore(" in source for source in code)
    covered = [source for source in code if "Prediction(" in source]
    assert covered, "a figure asks for a prediction"
    for source in covered:
        assert source.startswith("# @title Figure"), "it holds the answer:\n" + source


@pytest.mark.parametrize("page", NUMBERED)
def test_every_exercise_has_a_hint_a_check_and_an_executed_solution(page):
    number = int(page.name[:2])
    notebook = chapters.read(page)
    at = [i for i, cell in enumerate(notebook.cells) if metadata.EXERCISE in cell.metadata]
    assert len(at) >= 4
    for k, (start, end) in enumerate(zip(at, [*at[1:], len(notebook.cells)], strict=True), 1):
        part = notebook.cells[start:end]
        assert f"### Exercise {number}.{k}: " in part[0].source
        assert part[0].source.count('<details class="hint"><summary>Hint</summary>') == 1
        code = [cell for cell in part if cell.cell_type == "code"]
        checks = [re.findall(r"^check\.(\w+)\(", cell.source, re.MULTILINE) for cell in code]
        assert "Your turn" in str(code[0].outputs)
        solution = next(cell for cell in code if metadata.SOLUTION in metadata.tags_of(cell))
        assert solution.source.startswith(f"# @title Solution {number}.{k}")
        assert "Right. " in str(solution.outputs)
        assert checks[0] == checks[code.index(solution)] != []
        # What stands below a box, in the open, would answer it before the reader has.
        for cell in part[part.index(solution) + 1 :]:
            if re.match("##|The next exercise", cell.source):
                break
            assert cell.source.startswith("<details>"), cell.source


@pytest.mark.parametrize("page", NUMBERED)
def test_every_quiz_question_has_answers_that_say_why(page):
    [quiz] = [c for c in chapters.read(page).cells if metadata.QUIZ in metadata.tags_of(c)]
    parts = minutes.elements(quiz.source)
    questions = parts.find_class("question")
    assert 3 <= len(questions) <= 5
    assert parts.findall("p/strong") == parts.findall("details") == [], "outside a question"
    for n, question in enumerate(questions, 1):
        asked, *choices = question
        assert asked.findtext("strong").startswith(f"{n}. ")
        assert len(choices) >= 3
        for choice in choices:
            assert choice.tag == "details"
            word = "Yes." if choice.get("class") == "right" else "No."
            assert choice.findtext("p").startswith(word), choice.text_content()
        assert len(question.xpath("details[@class='right']")) == 1


@pytest.mark.parametrize("page", NUMBERED)
def test_what_is_asked_has_an_id_of_its_own(page):
    ids = Counter()
    for cell in chapters.read(page).cells:
        if cell.cell_type == "markdown":
            asked = minutes.elements(cell.source).xpath("//*[@class='question' or @class='prompt']")
            ids.update(one.attrib["data-id"] for one in asked)
        ids.update([cell.metadata[metadata.EXERCISE]["id"]] if "exercise" in cell.metadata else [])
    assert set(ids.values()) == {1}, ids
    assert all(re.fullmatch("[0-9a-z-]+", id) for id in ids)


@pytest.mark.parametrize("page", NUMBERED)
def test_speakers_notes_have_minutes_and_plain_text(page):
    for cell in chapters.read(page).cells:
        note = cell.metadata.get(metadata.NOTES, {"ask": ""})
        assert {"ask"} <= set(note) <= {"minutes", "ask", "say"}, note
        assert type(note.get("minutes", 1)) is int
        assert note.get("minutes", 1) > 0
        for text in (note["ask"], note.get("say", "")):
            assert not re.search(r"[<>$`*\\]|\]\(", text), f"markup in {text!r}"


# What a heading or a title says to readers, and what the metadata of its cell says to the book.
TAGS = {
    "## Quiz": metadata.QUIZ,
    "## Exercises": metadata.EXERCISES,
    "## Review": metadata.REVIEW,
    "# @title Setup": metadata.REMOVED,
    "# @title Figure": metadata.FIGURE,
    "# @title Solution": metadata.SOLUTION,
}


@pytest.mark.parametrize("page", PAGES)
def test_the_metadata_of_a_cell_says_what_its_first_line_says(page):
    for cell in chapters.read(page).cells:
        line = cell.source.partition("\n")[0]
        asked = {tag for start, tag in TAGS.items() if re.match(rf"{start}\b", line)}
        assert set(metadata.tags_of(cell)) & set(TAGS.values()) == asked, line
        named = re.fullmatch(
            r"### Exercise \d+\.\d+: .+ \((?:easy|medium|hard), (\d+) minutes\)", line
        )
        told = cell.metadata.get(metadata.EXERCISE, {})
        assert told.get("minutes") == (int(named[1]) if named else None), line
        if cell.cell_type == "markdown":
            heading = r"^## (?:Quiz|Exercises|Review)$|^### Exercise .+"
            later = set(re.findall(heading, cell.source, re.MULTILINE))
            assert later <= {line}, "such a heading begins a cell"


@pytest.mark.parametrize("page", NUMBERED)
def test_every_equation_has_a_number_in_order_and_a_check(page):
    tags, checked = [], set()
    for cell in chapters.read(page).cells:
        if cell.cell_type == "markdown":
            tags += chapters.TAG.findall(cell.source)
        else:
            for tag in chapters.CHECK.findall(cell.source):
                assert tag in tags, f"({tag}) is checked before it is stated"
                assert re.search(r"^\s*assert ", cell.source, re.MULTILINE), tag
                checked.add(tag)
    assert tags == [f"{int(page.name[:2])}.{k}" for k in range(1, len(tags) + 1)]
    assert checked == set(tags)


def test_every_citation_of_an_equation_has_its_tag():
    tags, cited = set(), {}
    written = {int(page.name[:2]) for page in chapters.numbered()}
    for page in chapters.pages():
        for source in chapters.cells(page, "markdown"):
            tags |= set(chapters.TAG.findall(source))
            for citation in chapters.CITATION.findall(source):
                if int(citation.split(".")[0]) in written:
                    cited.setdefault(citation, page.name)
    assert {tag: page for tag, page in cited.items() if tag not in tags} == {}


@pytest.mark.parametrize("page", NUMBERED)
def test_a_verdict_says_what_was_varied_and_what_was_not(page):
    for source in chapters.cells(page, "markdown"):
        if re.search(r"\*\*Verdict|\| verdict \|", source):
            assert "**Varied:**" in source, source
            assert "**Not varied:**" in source, source


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
    """The functions and classes of a piece of code: name -> tree without docstrings."""
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


# ---- what a reader sees without opening anything -----------------------------------------------

# Before the quiz, a chapter shows no more than this.
MOST = {"words": 1900, "lines": 150}


@pytest.mark.parametrize("page", NUMBERED)
def test_a_chapter_can_be_read_to_its_end(page):
    count = minutes.counted(minutes.before(chapters.read(page), metadata.QUIZ))
    assert all(count[what] <= MOST[what] for what in MOST), f"{count}; at most {MOST}; fold more"


@pytest.mark.parametrize("page", PAGES)
def test_promised_minutes_are_computed(page):
    promised = minutes.promises(page.parent)
    for source in chapters.cells(page, "markdown"):
        assert minutes.kept(source, promised) == source, "run `make run`"
    said = minutes.PROMISE.findall("\n".join(chapters.cells(page, "markdown")))
    if page.stem in promised:
        assert said == [promised[page.stem]]
    # Others change these numbers without running what shows them.
    if page.stem in ("index", "teaching"):
        assert said == list(promised.values())


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
    """The texts in a part of a figure."""
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
    """Such as 1e+02 or -0.00."""
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
