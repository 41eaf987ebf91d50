"""What pages ask has ids that outlive editions; it is gathered."""

import shutil
from unittest.mock import Mock

import pytest
from lxml import html
from sphinx.errors import ExtensionError

import chapters
from pages import questions, review
from tools.metadata import SOLUTION, tags_of

QUIZ = """<div><section class="quiz"><h2>{0}</h2><p>{0}</p><div class="question" data-id="a1">
<p><strong>1. {0}</strong></p><details class="right"><summary>2</summary><p>{0}</p></details>
<details><summary>3</summary><p>{0}</p></details></div><p>{0}</p></section>
<section class="review"><h2>{0}</h2>
<details class="prompt" data-id="b2"><summary>{0}</summary><p>{0}</p></details></section>
<section class="exercises"><h2>{0}</h2><p>{0}</p>
<section class="exercise"><h3>{0}</h3></section></section>
</div>"""


def asked(page, text):
    tree = html.fragment_fromstring(QUIZ.format(text))
    questions.mark(page, tree, [{"id": "c3"}])
    return tree, [box.get("data-answer") for box in tree.xpath("//*[@data-answer]")]


def test_an_id_outlives_new_numbers_and_other_words_and_without_one_the_build_stops():
    tree, ids = asked("chapters/09_heads", "How many?")
    assert ids == ["heads/a1", "heads/b2", "heads/c3"]
    assert asked("chapters/10_heads", "\u6709\u591a\u5c11?")[1] == ids
    [line] = tree.find_class("how-to-answer")
    assert line.getprevious().tag == "h2"
    for name in ("question", "prompt"):
        tree = html.fragment_fromstring(f'<div><div class="{name}"><p>Why?</p></div></div>')
        with pytest.raises(ExtensionError, match=f"chapters/one: a {name} without a data-id"):
            questions.mark("chapters/one", tree, [])


@pytest.mark.parametrize("page", chapters.numbered(), ids=lambda page: page.stem)
def test_a_chapter_says_how_to_answer(page):
    tree = chapters.built(page.stem)
    # The page's script puts its own words there: the notebook's speak of cells.
    [line] = tree.find_class("how-to-answer")
    assert "run the cell" in line.text_content()
    assert line.getprevious().text_content().startswith("Exercises")


def test_what_comes_again_has_no_number_also_where_its_question_is_not_translated():
    late = '<span lang="en"><strong>3. Why?</strong></span>'
    box = html.fragment_fromstring(f'<div class="question" data-answer="a/b"><p>{late}</p></div>')
    assert review.once_more(box, "chapters/01_one").findtext("p//strong") == "Why?"


def test_the_review_has_every_prompt_and_so_has_the_deck():
    review = chapters.built("review")
    gathered = [box.get("data-answer") for box in review.find_class("prompt")]
    prompts = [chapters.built(page.stem).find_class("prompt") for page in chapters.numbered()]
    asked = [box.get("data-answer") for boxes in prompts for box in boxes]
    assert gathered == asked
    lines = (chapters.HTML / "attention-prompts.txt").read_text("utf-8").splitlines()
    head = [line for line in lines if line.startswith("#")]
    assert head[0] == "#separator:tab"
    notes = [line.split("\t") for line in lines[len(head) :]]
    assert [note[0] for note in notes] == asked
    assert all(len(note) == 4 and note[1] and note[2].startswith("<p>") for note in notes)
    assert not any("katex" in line for line in lines)


def test_gathering_them_again_changes_nothing(tmp_path):
    few = [f"chapters/{page.stem}" for page in chapters.numbered()[:3]]
    names = [review.PAGE, "chapters/index", *few]
    shutil.copytree(chapters.HTML / "chapters", tmp_path / "chapters")
    app = Mock(outdir=tmp_path)
    app.config.language = "en"
    app.builder.name, app.builder.config.root_doc = "html", "chapters/index"
    app.env.found_docs = names
    app.env.doc2path = lambda name: chapters.ROOT / f"{name}.ipynb"
    app.env.book_chapters = {i: (name, name) for i, name in enumerate(names[2:])}
    seen = []
    for _ in range(2):
        review.finish(app)
        seen.append([(tmp_path / f"{name}.html").read_text("utf-8") for name in names[:2]])
    assert seen[0] == seen[1]


@pytest.mark.parametrize("page", chapters.numbered(), ids=lambda page: page.stem)
def test_each_exercise_opens_in_colab_at_its_cell(page):
    notebook = chapters.read(page)
    cells = {cell.id: cell.source for cell in notebook.cells}
    solutions = {cell.id for cell in notebook.cells if SOLUTION in tags_of(cell)}
    exercises = chapters.built(page.stem).find_class("exercise")
    assert exercises
    for exercise in exercises:
        name = exercise.find("h3").text
        links = [link.get("href") for box in exercise.find_class("in-colab") for link in box]
        assert links, name
        for link in links:
            address, _, cell = link.partition("#scrollTo=")
            assert address.endswith(f"/blob/main/chapters/{page.name}")
            assert "..." in cells[cell], name
            assert cell not in solutions, name
