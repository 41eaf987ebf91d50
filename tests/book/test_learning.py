"""What pages ask has ids that outlive editions; it is gathered, and answers are summed up."""

import json
import re
import shutil
from unittest.mock import Mock

import answers
import pytest
from extension import questions, review
from lxml import html
from metadata import SOLUTION, tags_of
from sphinx.errors import ExtensionError

import chapters

BUILT = chapters.ROOT / "_build" / "html"
QUIZ = """<div><section class="quiz"><h2>{0}</h2><p>{0}</p><div class="question" data-id="a1">
<p><strong>1. {0}</strong></p><details class="right"><summary>2</summary><p>{0}</p></details>
<details><summary>3</summary><p>{0}</p></details></div><p>{0}</p></section>
<section class="review"><h2>{0}</h2>
<details class="prompt" data-id="b2"><summary>{0}</summary><p>{0}</p></details></section>
<section class="exercises"><h2>{0}</h2><p>{0}</p>
<section class="exercise"><h3>{0}</h3></section></section>
</div>"""


def built(name):
    return html.document_fromstring((BUILT / f"chapters/{name}.html").read_text("utf-8"))


def asked(page, text):
    tree = html.fragment_fromstring(QUIZ.format(text))
    questions.mark(page, tree, [{"id": "c3"}])
    return tree, [box.get("data-answer") for box in tree.xpath("//*[@data-answer]")]


def test_an_id_outlives_new_numbers_and_other_words():
    tree, ids = asked("chapters/09_heads", "How many?")
    assert ids == ["heads/a1", "heads/b2", "heads/c3"]
    assert asked("chapters/10_heads", "\u6709\u591a\u5c11?")[1] == ids
    [line] = tree.find_class("how-to-answer")
    assert line.getprevious().tag == "h2"


def test_what_has_no_id_stops_the_build():
    for name in ("question", "prompt"):
        tree = html.fragment_fromstring(f'<div><div class="{name}"><p>Why?</p></div></div>')
        with pytest.raises(ExtensionError, match=f"chapters/one: a {name} without a data-id"):
            questions.mark("chapters/one", tree, [])


@pytest.mark.parametrize("page", chapters.numbered(), ids=lambda page: page.stem)
def test_each_quiz_has_right_answers_and_each_id_is_its_own(page):
    tree = built(page.stem)
    ids = [box.get("data-answer") for box in tree.xpath("//*[@data-answer]")]
    assert len(ids) == len(set(ids))
    assert len(tree.find_class("question")) >= 3
    for box in tree.find_class("question"):
        assert [part.tag for part in box] == ["p", *["details"] * (len(box) - 1)]
        assert len(box.find_class("right")) == 1
    assert 3 <= len(tree.find_class("prompt")) <= 6


@pytest.mark.parametrize("page", chapters.numbered(), ids=lambda page: page.stem)
def test_one_line_says_how_exercises_are_answered(page):
    """The page's script puts its own words there: the notebook's speak of cells."""
    [line] = built(page.stem).find_class("how-to-answer")
    assert "run the cell" in line.text_content()
    assert line.getprevious().text_content().startswith("Exercises")


def test_the_review_has_every_prompt_and_so_has_the_deck():
    review = built("review")
    gathered = [box.get("data-answer") for box in review.find_class("prompt")]
    asked = []
    for page in chapters.numbered():
        tree = built(page.stem)
        asked += [box.get("data-answer") for box in tree.find_class("prompt")]
    assert gathered == asked
    lines = (BUILT / "attention-prompts.txt").read_text("utf-8").splitlines()
    head = [line for line in lines if line.startswith("#")]
    assert head[0] == "#separator:tab"
    notes = [line.split("\t") for line in lines[len(head) :]]
    assert [note[0] for note in notes] == asked
    assert all(len(note) == 4 and note[1] and note[2].startswith("<p>") for note in notes)
    assert not any("katex" in line for line in lines)


def test_gathering_them_again_changes_nothing(tmp_path):
    names = [review.PAGE, "chapters/index", *(f"chapters/{p.stem}" for p in chapters.numbered())]
    shutil.copytree(BUILT / "chapters", tmp_path / "chapters")
    app = Mock(outdir=tmp_path)
    app.builder.name, app.builder.config.root_doc = "html", "chapters/index"
    app.env.found_docs = names
    app.env.book_chapters = {i: (name, name) for i, name in enumerate(names[2:])}
    seen = []
    for _ in range(2):
        review.finish(app)
        seen.append([(tmp_path / f"{name}.html").read_text("utf-8") for name in names[:2]])
    assert seen[0] == seen[1]


def test_a_class_is_summed_up_without_names(tmp_path, capsys):
    pages = tmp_path / "pages"
    pages.mkdir()
    boxes = "".join(f'<div data-answer="one/{n}"><p>{n}. Which {n}?</p></div>' for n in (1, 2))
    (pages / "01_one.html").write_text(f"<body>{boxes}</body>")
    for name, rights in {"ann": (True, False), "bob": (True, True), "cem": (False, False)}.items():
        chosen = {True: "yes", False: f"a slip\n  {name > 'b'}"}
        given = {
            f"one/{n}": {"right": right, "choice": chosen[right]}
            for n, right in enumerate(rights, 1)
        }
        given["one/9"] = {"right": True}
        (tmp_path / f"{name}.json").write_text(json.dumps({"answers": given}))
    answers.main(tmp_path, pages)
    said = capsys.readouterr().out
    assert re.findall(r"^ +(\d)  +(\d)  01: (.*)$", said, re.MULTILINE) == [
        ("1", "3", "2. Which 2?"),
        ("2", "3", "1. Which 1?"),
    ]
    assert re.findall(r"^ +(\d): (.*)$", said, re.MULTILINE) == [
        ("1", "a slip False"),
        ("1", "a slip True"),
        ("1", "a slip True"),
    ]
    assert "1 answers are to questions that this edition no longer asks" in said
    assert "ann" not in said
    # What is no export ends nothing.
    (tmp_path / "bad.json").write_text('{"answers": 3}')
    (tmp_path / "deep.json").write_text("[" * 100_000)
    (tmp_path / "folder.json").mkdir()
    answers.main(tmp_path, pages)
    again = capsys.readouterr()
    assert again.out == said
    named = re.findall(r"(\w+)\.json is no file that the page of the review", again.err)
    assert named == ["bad", "deep", "folder"]
    with pytest.raises(SystemExit, match=r"no \.json file in"):
        answers.main(pages, pages)
    with pytest.raises(SystemExit, match=r"no built book in .*make book"):
        answers.main(tmp_path, tmp_path / "nowhere")


def test_a_question_with_a_formula_reads_as_it_was_written(tmp_path):
    drawn = '<span class="katex-html" aria-hidden="true"><span>d\u200b</span></span>'
    for_the_ear = "<math><semantics><msqrt><mi>d</mi></msqrt><annotation>\\sqrt d</annotation>"
    sets = f'<span class="katex">{for_the_ear}</semantics></math>{drawn}</span>'
    said = f"<p>Why divide by {sets}, and not <b>d</b>?<a>#</a></p>"
    (tmp_path / "06.html").write_text(f'<div data-answer="a">{said}</div>', encoding="utf-8")
    assert answers.questions(tmp_path) == {"a": "06: Why divide by \\sqrt d, and not d?"}


@pytest.mark.parametrize("page", chapters.numbered(), ids=lambda page: page.stem)
def test_each_exercise_opens_in_colab_at_its_cell(page):
    tree = built(page.stem)
    notebook = chapters.read(page)
    cells = {cell.id: cell.source for cell in notebook.cells}
    solutions = {cell.id for cell in notebook.cells if SOLUTION in tags_of(cell)}
    exercises = tree.find_class("exercise")
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
