"""A book whose words are all other ones works as the English one: nothing hangs on a word.

Built from a chapter, the first page and the review, in whose notebooks every English word that
readers see is replaced: in text, titles of cells, outputs and questions of figures.
"""

import copy
import datetime
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import lxml.html
import nbformat
import pytest
from playwright.sync_api import expect
from serving import serve

import chapters
from classroom import assignment
from pages import questions, single
from tools import metadata, minutes, pdf

pytestmark = pytest.mark.nightly
NAME = "01_queries_keys_values"
NAMES = ("index", NAME, "review")
KEY = "attention-book"
# What is no word: markup, formulas, code, addresses, and links to pages that are left out.
KEPT = re.compile(r"(\$\$?.*?\$\$?|`[^`]*`|<[^>]*>|\]\([^)]*\))", re.DOTALL)
WORD = re.compile(r"[A-Za-z][A-Za-z'\u2019-]*")


def words(text):
    """A text with a Chinese word in place of each English one."""
    text = re.sub(r"\]\((?!01_|#|https?:|review)[^)]*\)", "](#)", text)
    parts = KEPT.split(text)
    return "".join(part if n % 2 else WORD.sub("\u8bcd", part) for n, part in enumerate(parts))


def translated(notebook):
    """A notebook in other words."""
    made = copy.deepcopy(notebook)
    for cell in made.cells:
        if cell.cell_type == "markdown":
            cell.source = words(cell.source)
            continue
        line, end, code = cell.source.partition("\n")
        cell.source = (
            (line[:9] + words(line[9:]) if line.startswith("# @title ") else line) + end + code
        )
        for key, prompt in cell.metadata.get("mystnb", {}).items():
            cell.metadata.mystnb[key] = words(prompt)
        for output in cell.outputs:
            if html := output.get("data", {}).get("text/html"):
                output.data["text/html"] = re.sub(
                    '(?<=<script type="application/json">).*?(?=</script>)',
                    lambda state: questioned(state[0]),
                    html,
                    flags=re.DOTALL,
                )
    return made


def questioned(state):
    """The state of a figure, or what a check has left, with its sentences in other words."""
    data = json.loads(state)
    if predict := data.get("predict"):
        predict["question"] = "\u95ee\u9898"
        replies = [
            ["\u9009" * n, reply and "\u8bcd"] for n, (_, reply) in enumerate(predict["choices"], 1)
        ]
        predict["choices"] = replies
    if "praise" in data:
        data |= {"praise": "\u8bcd", "slips": [["\u8bcd", wrong] for _, wrong in data["slips"]]}
    return json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")


@pytest.fixture(scope="module")
def notebook():
    return translated(chapters.read(chapters.ROOT / "chapters" / f"{NAME}.ipynb"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory, notebook):
    """The small book, built."""
    root = tmp_path_factory.mktemp("book")
    for part in ("assets", "pages", "d2lmini", "kernelfree"):
        shutil.copytree(chapters.ROOT / part, root / part)
    config = (chapters.ROOT / "_config.yml").read_text("utf-8")
    config = re.sub(
        r"mention_of_chapter: .*", "mention_of_chapter: \u8bcd (?P<chapter>\\\\d+)", config
    )
    (root / "_config.yml").write_text(config, encoding="utf-8")
    files = "".join(f"  - file: chapters/{name}\n" for name in NAMES[1:])
    toc = f"format: jb-book\nroot: chapters/index\nchapters:\n{files}"
    (root / "_toc.yml").write_text(toc)
    (root / "chapters").mkdir()
    for name in NAMES:
        page = chapters.ROOT / "chapters" / f"{name}.ipynb"
        made = notebook if name == NAME else translated(chapters.read(page))
        nbformat.write(made, root / "chapters" / page.name)
    book = Path(sys.executable).with_name("jupyter-book")
    done = subprocess.run([book, "build", root], cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return root / "_build" / "html"


@pytest.fixture(scope="module")
def address(folder):
    with serve(folder) as start:
        yield f"{start}/chapters"


@pytest.fixture
def context(browser):
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield context
    context.close()


def kept(page):
    return json.loads(page.evaluate(f"localStorage.getItem('{KEY}')"))


def test_ids_are_those_of_the_english_book(folder):
    made = lxml.html.document_fromstring((folder / f"chapters/{NAME}.html").read_text("utf-8"))
    ids = [
        [box.get("data-answer") for box in tree.xpath("//*[@data-answer]")]
        for tree in (made, chapters.built(NAME))
    ]
    assert ids[0] == ids[1]
    assert len(ids[0]) > 10
    assert not re.search("Quiz|Hint|Yes|Exercise", made.find(".//article").text_content())
    [link] = made.xpath("//article//a[@href='review.html']")[:1]
    assert link is not None


def test_readers_answers_are_kept_and_come_back(page, address):
    now = datetime.datetime(2026, 1, 1, 12)
    page.clock.install(time=now)
    page.goto(f"{address}/{NAME}.html")
    # The quiz: one wrong, one right.
    wrong, right = page.locator(".question").nth(0), page.locator(".question").nth(1)
    wrong.locator("details:not(.right) summary").first.click()
    right.locator("details.right summary").click()
    expect(wrong).not_to_have_class(re.compile("right"))
    expect(right).to_have_class(re.compile("right"))
    # A prediction.
    page.evaluate("dispatchEvent(new Event('kernelfree-figure'))")
    figure = page.locator(".kernelfree-figure").first
    state = json.loads(figure.locator("script").first.text_content())
    buttons = figure.locator(".quiz button")
    assert buttons.first.text_content() == "\u9009"
    buttons.nth(state["predict"]["answer"]).click()
    expect(figure.locator(".covered")).to_have_count(0)
    # The box of an exercise; its hint and its solution open.
    box = page.locator("form.answer").first
    box.locator("input").fill("25")
    box.locator("button").click()
    expect(box).to_have_class(re.compile("right"))
    exercise = page.locator(".exercise").first
    for fold in (exercise.locator("details.hint"), exercise.locator(".tag_solution details")):
        inside = fold.locator("xpath=*[not(self::summary)]").first
        expect(inside).to_be_hidden()
        fold.locator("summary").click()
        expect(inside).to_be_visible()
    answers = kept(page)["answers"]
    assert [answer["right"] for answer in answers.values()] == [False, True, True, True]
    assert [type(answer["choice"]) for answer in answers.values()] == [int, int, int, str]
    # A prompt of the review, and what the first page counts.
    prompt = page.locator(".prompt").first
    prompt.locator("summary").click()
    prompt.locator(".recall button").first.click()
    page.clock.set_system_time(now + datetime.timedelta(days=6))
    page.goto(f"{address}/review.html")
    expect(page.locator(".prompt:visible")).to_have_count(1)
    page.goto(f"{address}/index.html")
    expect(page.locator(".progress").first).to_have_text(
        re.compile(r"3 of \d+ answered, 2 right · 1 to try again · 2 due")
    )


def test_the_print_and_the_teachers_tools_find_their_parts(folder, notebook):
    original = chapters.read(chapters.ROOT / "chapters" / f"{NAME}.ipynb")
    exercises = sum(metadata.EXERCISE in cell.metadata for cell in original.cells)
    for part in (metadata.QUIZ, metadata.EXERCISES):
        counts = [minutes.counted(minutes.before(made, part)) for made in (original, notebook)]
        assert counts[0]["lines"] == counts[1]["lines"]
        assert counts[0]["figures"] == counts[1]["figures"] > 0
    assert minutes.promise(notebook).split()[-4] == minutes.promise(original).split()[-4]
    points = [
        cell for cell in assignment.assignment(notebook).cells if cell.metadata.nbgrader.grade
    ]
    assert len(points) == exercises
    tree = lxml.html.document_fromstring((folder / single.NAME).read_text("utf-8"))
    article = tree.find(f".//article[@data-file='{NAME}']")
    back = pdf.to_the_back(article)
    sections = [len(part.findall("section")) for part in back.findall("section")]
    assert sections[1:] == [exercises, exercises]
    assert len(article.find_class("question")[0].findall("ol/li")) >= 3
    assert re.search(r": 1 [A-E], 2 [A-E]", back.text_content())
    assert questions.name_of(NAME) == "queries_keys_values"
