"""A chapter on paper: two to four pages with gaps for a class, and filled for its teacher."""

import functools
import re
import subprocess
import sys
from unittest.mock import MagicMock

import pytest
import segno

import chapters
from classroom import handout
from pages.printed import SHEET

pytestmark = pytest.mark.beyond

CHAPTERS = [path.stem for path in chapters.numbered()]


@functools.cache
def both(name):
    page = handout.read(name)
    return handout.handout(page, name, answers=False), handout.handout(page, name, answers=True)


def gaps(tree):
    return [gap.text_content().strip() for gap in tree.xpath("//*[starts-with(@class, 'gap')]")]


@pytest.mark.parametrize("name", CHAPTERS)
def test_gaps_right_choices_and_solutions_are_the_teachers_alone(name):
    students, teacher = both(name)
    assert set(gaps(students)) == {""}
    assert len(gaps(students)) == len(gaps(teacher)) > 4
    assert all(gaps(teacher))
    assert teacher.xpath("//section[h2][.//*[@class='gap']]"), "a number by hand"
    page = handout.read(name)
    asked = [one for one in map(handout.predict, page.find_class("kernelfree-figure")) if one]
    assert asked
    for tree, ticks in ((students, 0), (teacher, 1)):
        for one, section in zip(asked, tree.find_class("asked"), strict=True):
            choices = [choice for choice, reply in one["choices"] if reply]
            boxes = section.find_class("box")
            assert len(boxes) == len(choices)
            assert [box.text for box in boxes].count("\u2713") == ticks
            right = one["choices"][one["answer"]][1]
            assert [reason.text for reason in section.find_class("reason")] == [right] * ticks
    exercises = page.find_class("exercise")
    named = students.xpath("string(//article/p[last()])").count(": ") - 1
    assert len(teacher.find_class("exercise")) == len(exercises) > 4
    assert len(students.find_class("lines")) == len(exercises) - max(named, 0)
    assert not students.xpath("//details | //*[contains(@class, 'cell')] | //*[@class='solution']")
    assert all(section.xpath(".//pre") for section in teacher.find_class("solution"))
    # No gap is answered elsewhere; but that a choice names a number does not say that it is right.
    results = {number for gap in gaps(teacher) for number in handout.decimals(gap.split("=")[-1])}
    around = "ancestor::script or ancestor::pre or ancestor::*[@class='choices']"
    given = " ".join(students.xpath(f"//article//text()[not({around})]"))
    assert results.isdisjoint(handout.decimals(given))


def test_it_says_where_the_page_is_and_results_are_gaps():
    students, teacher = both("04_masked_softmax")
    address = "https://d2lmini.github.io/attention/chapters/04_masked_softmax.html"
    assert students.find_class("address")[0].text == address
    drawn = students.find(".//svg/path").get("d")
    assert f'd="{drawn}"' in segno.make(address, micro=False).svg_inline(scale=3)
    text = students.text_content()
    for given in ("2.718", "20.086"):
        assert given in text
    for result in ("0.644", "0.665", "2.81"):
        assert result in gaps(teacher)
        assert result not in text


def test_what_an_exercise_speaks_of_is_there_and_what_it_would_tell_is_not():
    students, teacher = both("06_scaled_dot_product_attention")
    [used] = students.xpath("//*[@class='exercise'][contains(., '6.3')]//pre")
    assert used.text.startswith("def colleague(queries, keys, values):\n    return ")
    assert teacher.text_content().count("def colleague(") == 1
    assert "On the page, too: Exercise 6.4: reading" in students.text_content()


def test_chosen_exercises_stand_alone_with_their_starting_lines_and_all_that_they_call():
    name, only = "06_scaled_dot_product_attention", ["attention", "step"]
    students = handout.handout(handout.read(name), name, answers=False, only=only)
    teacher = handout.handout(handout.read(name), name, answers=True, only=only)
    for tree in (students, teacher):
        assert [one.text_content()[:12] for one in tree.iter("h3")] == ["Exercise 6.3", "Exercise 6.5"]
        assert not gaps(tree)
        assert not tree.find_class("asked")
    called, attends = ([pre.text for pre in one.iter("pre")] for one in students.find_class("exercise"))
    assert [text.split("(")[0] for text in called] == ["def colleague", "def repaired"]
    assert called[1] == "def repaired(queries, keys, values): ..."
    # What the step takes from earlier chapters and what that calls, but nothing of the answer.
    assert [text.split("(")[0] for text in attends[:2]] == ["def weigh", "def softmax"]
    assert attends[2].split("\n\n")[1:] == [
        "def score(queries, keys): ...",
        "def attention(queries, keys, values, valid_lens=None): ...",
    ]
    assert "math.sqrt" in teacher.text_content()
    assert "math.sqrt" not in students.text_content()


def test_chinese_letters_are_the_books_whatever_fonts_there_are():
    name = "06_scaled_dot_product_attention"
    command = [sys.executable, handout.__file__, f"chapters/{name}.ipynb", "zh", "--only", "step"]
    subprocess.run(command, check=True)
    fonts = {*re.findall(rb"/FontName */\w+\+([\w-]+)", (handout.TARGET / "zh" / f"{name}-step.pdf").read_bytes())}
    known = rb"SourceSerif4|KaTeX|NotoSansSC|DejaVu|Liberation"  # the last two of Latin labels, and of code
    assert not {font for font in fonts if not re.match(known, font)}
    assert any(font.startswith(b"NotoSansSC") for font in fonts)


@pytest.mark.nightly
@pytest.mark.parametrize("name", CHAPTERS)
def test_two_to_four_pages_are_printed_with_text_to_select(name):
    # In a process of its own: this one has a browser open.
    subprocess.run([sys.executable, handout.__file__, f"chapters/{name}.ipynb"], check=True)
    for file, most in ((f"{name}.pdf", 4), (f"{name}-answers.pdf", 8)):
        data = (handout.TARGET / file).read_bytes()
        assert 2 <= len(SHEET.findall(data)) <= most
        assert b"/StructTreeRoot" in data
        assert b"SourceSerif4-Regular" in data
        assert b"/ToUnicode" in data


def test_an_error_says_what_is_wrong(monkeypatch):
    for module, browser in ((handout, "sync_playwright"), (handout.chromium, "launched")):
        monkeypatch.setattr(module, browser, MagicMock())
    for name, only, why in (
        ("99_nothing", [], "99_nothing.ipynb is no notebook in chapters/"),
        ("glossary", [], "asks nothing"),
        ("06_scaled_dot_product_attention", ["best"], "--only: there is no exercise best; there are by_hand, var"),
    ):
        with pytest.raises(SystemExit, match=why):
            handout.main(f"chapters/{name}.ipynb", only=only)
