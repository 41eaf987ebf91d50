"""The editions in other languages are the English book but for their words."""

import ast
import functools
import json
import re
import subprocess
from collections import Counter

import nbformat
import pytest
from markdown_it import MarkdownIt

import chapters
from pages import editions
from tools import translate
from tools.translation import catalogs, code, fonts, markdown, outputs, package, publish
from tools.translation.render import render

EDITIONS = [
    pytest.param(language, page, id=f"{language}-{page.stem}")
    for language in catalogs.languages()
    for page in sorted((chapters.ROOT / "chapters").glob("*.ipynb"))
]
of_each_page = pytest.mark.parametrize(("language", "page"), EDITIONS)
NUMBER = re.compile(r"\d+(?:\.\d+)?")
VERDICTS = re.compile(r'd2lmini-answer.*?<script type="application/json">(.*?)</script>', re.DOTALL)
# What a translation must have in common with its English message, and how it is set.
HAN = r"[\u4e00-\u9fff]"
SET = {
    "a formula": re.compile(r"\$+[^$]+\$+"),
    "code": re.compile(r"`[^`]+`"),
    "a link": re.compile(r"\]\(([^)]*)\)"),
    "a tag": re.compile(r"<[^>]*>"),
}
WORDS_IN_FORMULA = re.compile(r"\\text(?:bf|it)?\{[^{}]*\}")
COUNTED = re.compile(r"\d+(?:[.,]\d+)*")
# Signs of the other width, and Latin letters or digits without a space.
WRONG_WIDTH = re.compile(rf"{HAN}[,;:!?](?!\w)|{HAN}\.(?:\s|$)|\({HAN}|{HAN}\)|[，。；：！？]{HAN}? [\u4e00-\u9fff]")
CROWDED = re.compile(rf"{HAN}[A-Za-z0-9]|[A-Za-z0-9%]{HAN}")
MARKDOWN = MarkdownIt("commonmark").enable("table")
EMPHASIS = ("strong_open", "em_open", "link_open")


def problems(context, message, said):
    if said == message:
        return
    if context == "code":
        yield from of_fields(message, said)
    elif "comment" not in context and "title" not in context:
        for what, pattern in SET.items():
            before, after = (Counter(pattern.findall(WORDS_IN_FORMULA.sub("", t))) for t in (message, said))
            if before != after:
                yield f"{what}: {list((before - after) or (after - before))}"
        before, after = (Counter(marks(text)) for text in (message, said))
        if before != after and not context.endswith("row"):
            yield f"emphasis: {dict(before)}, then {dict(after)}"
        if context.endswith("row") and message.count("|") != said.count("|"):
            yield "cells of a row"
    before, after = (Counter(COUNTED.findall(bare(text))) for text in (message, said))
    if before != after:
        yield f"numbers: {list((before - after) or (after - before))}"
    for pattern, what in ((WRONG_WIDTH, "width of signs"), (CROWDED, "no space between scripts")):
        if found := pattern.search(bare(said)):
            yield f"{what}: {said[max(0, found.start() - 5) : found.end() + 5]!r}"


def of_fields(message, said):
    try:
        before = fields(message)
    except (SyntaxError, ValueError):
        return
    try:
        after = fields(said)
    except (SyntaxError, ValueError):
        after = ["no f-string"]
    if before != after:
        yield f"fields: {before}, then {after}"


def fields(message):
    """The fields of a message, without the words in them, in the order of their texts."""
    found = ast.parse(code.as_fields(message), mode="eval").body
    for one in ast.walk(found):
        if isinstance(one, ast.FormattedValue):
            for text in filter(code.is_text, ast.walk(one.value)):
                text.value = ""
    return sorted(code.field(part) for part in found.values if not code.is_text(part))


def marks(text):
    text = re.sub("《[^》]+》", "*x*", re.sub(r"\$[^$]+\$", "x", text))  # a book's title in Chinese
    inline = MARKDOWN.parseInline(text)[0].children
    return [token.type for token in inline if token.type in EMPHASIS]


def bare(text):
    """A text without its formulas, code, links, tags and fields."""
    for pattern in (*SET.values(), re.compile(r"\{[^{}]*\}")):
        text = pattern.sub("\ufffc", text)
    return text


@pytest.mark.parametrize("language", catalogs.languages())
def test_translations_keep_what_is_no_word(language):
    """But where somebody has looked: the flag `checked`."""
    wrong = [
        f"{path.name}, {m.context}: {problem}\n  {m.string}"
        for path in (catalogs.LOCALE / language).glob("*.po")
        if path.stem not in translate.OTHERS
        for m in catalogs.read(path)
        if m.id and m.string and not m.fuzzy and "checked" not in m.flags
        for problem in problems(m.context, m.id, m.string)
    ]
    assert wrong == []


@pytest.mark.parametrize("kept", [r"\{\w*\}", "<[^>]+>"])
@pytest.mark.parametrize("language", catalogs.languages())
def test_what_packages_scripts_and_pages_say_keeps_its_fields_and_tags(language, kept):
    for name in translate.OTHERS:
        for m in catalogs.read(catalogs.path_of(language, name)):
            english, other = (sorted(re.findall(kept, text)) for text in (m.id, m.string))
            assert english == other or not m.id or not m.string, m.id


def test_what_is_late_is_told(record_property):
    for language, messages in translate.late().items():
        if messages:
            record_property("late", translate.told(language, messages))


def test_a_changed_comma_makes_one_message_late_and_nothing_else(tmp_path, monkeypatch, capsys):
    page = chapters.ROOT / "chapters" / "04_masked_softmax.ipynb"
    monkeypatch.setattr(translate, "OTHERS", {})
    late = len(translate.late([page.stem])["zh"])  # of the page as it is
    english = nbformat.read(page, 4)
    cell = next(c for c in english.cells if c.cell_type == "markdown" and ", " in c.source[200:])
    at = cell.source.index(", ", 200)
    cell.source = cell.source[:at] + cell.source[at + 1 :]
    nbformat.write(english, tmp_path / page.name)
    monkeypatch.setattr(translate, "CHAPTERS", tmp_path)
    with pytest.raises(SystemExit, match=f"{late + 1} messages of zh are late, and more than {late}"):
        translate.report(late)
    assert f"zh: late messages, shown in English: {late + 1} (04" in capsys.readouterr().out
    translate.report(late + 1)
    # Its line is in English and says so; all others are as they were.
    made, whole = (render(path, "zh") for path in (tmp_path / page.name, page))
    lines = [[line for c in one.cells for line in c.source.splitlines()] for one in (made, whole)]
    [(shown, translated)] = [pair for pair in zip(*lines, strict=True) if pair[0] != pair[1]]
    assert re.search(r'<span lang="en" class="untranslated">\w[^<]+</span>', shown)
    assert "untranslated" not in translated
    assert outputs.fresh("zh", page.stem, made)


def test_a_language_begins_in_english_and_holds_nothing_up(tmp_path, monkeypatch, capsys):
    page = chapters.ROOT / "chapters" / "own_sentence.ipynb"
    for module in (catalogs, outputs, editions, fonts):
        monkeypatch.setattr(module, "LOCALE", tmp_path)
    monkeypatch.setattr(translate, "OTHERS", {})
    monkeypatch.setattr(translate, "pages", lambda names: [page])
    monkeypatch.setattr(package, "compile_catalogs", lambda: None)
    translate.begin("pt-BR")
    assert editions.edition("pt-BR")[1:] == ("pt-BR", "português (Brasil)")
    made = render(page, "pt-BR")
    assert outputs.fresh("pt-BR", page.stem, made)
    assert str(made).count('class="untranslated"') > 10
    told = capsys.readouterr().out
    assert re.search(r"^- \d\d messages, in locale/pt-BR/own_sentence.po$", told, re.MULTILINE)
    assert "- its terms in chapters/glossary.ipynb, which says nothing of Portuguese" in told
    assert "- scripts that speak it: `make scripts`" in told
    assert "face" not in told
    translate.report(names=[page.stem])
    assert capsys.readouterr().out == ""
    translate.report(0)
    (tmp_path / "pt-BR" / translate.BEGUN).unlink()
    with pytest.raises(SystemExit, match="messages of pt-BR are late"):
        translate.report(0)


def test_letters_that_no_face_has_and_text_from_the_right_are_lacking():
    assert not any("face" in what or "right to left" in what for what in translate.lacks("pl", []))
    assert sum("face" in what for what in translate.lacks("ja", [])) == 2
    assert sum("right to left" in what for what in translate.lacks("he", [])) == 1


@pytest.mark.parametrize("names", [(), ("xxq",), ("fr", "de"), ("zh",), ("en",)])
def test_what_is_no_further_language_is_told(names):
    with pytest.raises(SystemExit, match=f"begin takes .*{' '.join(names)}|{''.join(names)}.*begin takes"):
        translate.begin(*names)


@pytest.mark.parametrize(
    ("comment", "said"),
    [
        ("# (batch, queries, keys)", []),
        ("# (queries, keys, numbers of a row), (1,)", []),
        ("# (whoever reads this may ask why)", ["(whoever reads this may ask why)"]),
    ],
)
def test_a_remark_in_brackets_is_no_shape(comment, said):
    assert [piece.message for piece in code.pieces(f"x = 1  {comment}")] == said


def test_minutes_stand_wherever_a_translation_has_their_signs():
    [piece] = markdown.pieces("26 minutes to read without folds, 12 for the exercises")
    assert piece.message == "# minutes to read without folds, # for the exercises"
    assert piece.write("# 分钟，习题# 分钟") == "26 分钟，习题12 分钟"


def test_pages_that_are_named_run_whatever_is_kept_and_one_that_fails_ends_none(monkeypatch):
    def run(page):
        ran.append(page.stem)
        if page.stem == "glossary":
            raise RuntimeError("a cell fails")

    ran, kept = [], []
    monkeypatch.setattr(translate, "rendered", lambda language, page: page)
    monkeypatch.setattr(translate.runner, "run", run)
    monkeypatch.setattr(outputs, "keep", lambda language, page, *notebooks: kept.append(page))
    with pytest.raises(SystemExit) as ended:
        translate.run("glossary", "notation")
    count = len(catalogs.languages())
    assert (ran, kept) == (["glossary", "notation"] * count, ["notation"] * count)
    assert ended.value.code


def test_a_page_that_is_brought_up_to_date_tells_what_is_late_of_it_alone(monkeypatch, capsys):
    monkeypatch.setattr(translate, "OTHERS", {"page": [None]})  # scripts have tools of their own
    monkeypatch.setattr(catalogs, "write", lambda path, catalog: None)
    monkeypatch.setattr(package, "compile_catalogs", lambda: None)
    translate.update("glossary")
    assert "zh: " in capsys.readouterr().out


@functools.cache
def rendered(language, page):
    return render(page, language)


@of_each_page
def test_the_code_is_the_same_but_for_strings(language, page):
    for one, other in zip(chapters.read(page).cells, rendered(language, page).cells, strict=True):
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
    made = rendered(language, page)
    for one, other in zip(chapters.read(page).cells, made.cells, strict=True):
        if one.cell_type == "code" and "NBVAL_IGNORE_OUTPUT" not in one.source:
            assert printed(one) == printed(other), one.id
            assert addresses(one) == addresses(other), one.id
    for cell in made.cells:
        for html in shown(cell):
            for verdict in map(json.loads, VERDICTS.findall(html)):
                assert {verdict["praise"], *(why for why, _ in verdict["slips"])} <= known(language), cell.id


@functools.cache
def known(language):
    """What a check's output may say of answers: it comes from the package's catalog."""
    catalog = catalogs.read(catalogs.path_of(language, "package"))
    return {m.string for m in catalog} | {*package.messages()}


def shown(cell):
    return [output.get("data", {}).get("text/html", "") for output in cell.get("outputs", ())]


def printed(cell):
    texts = [output.get("text", "") for output in cell.outputs]
    return Counter(NUMBER.findall("".join(texts)))


def addresses(cell):
    return re.findall(r'<div class="kernelfree-\w+" id="([^"]+)"', "".join(shown(cell)))


@pytest.mark.nightly
def test_notebooks_are_on_a_branch_of_their_language(tmp_path, monkeypatch):
    """What the links to Colab open; it grows when they change, so that copies can follow."""
    git = ["git", "-C", tmp_path]
    subprocess.run([*git, "init", "--quiet", "--bare"], check=True)
    language = catalogs.languages()[0]
    for render_as in (publish.render, publish.render, lambda page, _: nbformat.read(page, 4)):
        monkeypatch.setattr(publish, "render", render_as)
        publish.publish(str(tmp_path))
    log = subprocess.check_output([*git, "log", "--format=%s", language], text=True)
    assert log.count("\n") == 2
    page = sorted((chapters.ROOT / "chapters").glob("[0-9]*.ipynb"))[0]
    shown = subprocess.check_output([*git, "show", f"{language}~1:chapters/{page.name}"], text=True)
    assert f"/blob/{language}/chapters/{page.name}" in shown
    assert f'd2lmini.speak(\\"{language}\\")' in shown


def test_printed_words_are_padded_to_their_width():
    printed, straight = "距离     0.5\nab     0.1", "距离   0.5\nab     0.1"
    assert outputs.in_columns(printed, 'print(f"{name:6} {x:.1f}")') == straight
    assert outputs.in_columns(printed, 'print("距离     0.5")').startswith("距离     ")
