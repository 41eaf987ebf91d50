"""The Chinese edition works as the English one: what readers and teachers do hangs on no word."""

import datetime
import json
import re

import lxml.html
import pytest
from opened import kept
from playwright.sync_api import expect
from serving import HTML

import chapters
from classroom import assignment
from pages import printed, questions, single
from tools import metadata, minutes
from tools.translation.render import render

pytestmark = pytest.mark.nightly
NAME = "01_queries_keys_values"
SOURCE = chapters.ROOT / "chapters" / f"{NAME}.ipynb"


def test_readers_answers_are_kept_and_come_back(own_page, served):
    page, now = own_page, datetime.datetime(2026, 1, 1, 12)
    page.clock.install(time=now)
    page.goto(f"{served}/zh/chapters/{NAME}.html")
    # The quiz, a prediction, the box of an exercise, whose hint and solution open, a prompt.
    page.locator(".question").nth(0).locator("details:not(.right) summary").first.click()
    page.locator(".question").nth(1).locator("details.right summary").click()
    page.evaluate("dispatchEvent(new Event('kernelfree-figure'))")
    figure = page.locator(".kernelfree-figure").first
    state = json.loads(figure.locator("script").first.text_content())
    figure.locator(".quiz button").nth(state["predict"]["answer"]).click()
    expect(figure.locator(".covered")).to_have_count(0)
    box, exercise = page.locator("form.answer").first, page.locator(".exercise").first
    box.locator("input").fill("25")
    box.locator("button").click()
    for fold in (exercise.locator("details.hint"), exercise.locator(".tag_solution details")):
        inside = fold.locator("xpath=*[not(self::summary)]").first
        expect(inside).to_be_hidden()
        fold.locator("summary").click()
        expect(inside).to_be_visible()
    prompt = page.locator(".prompt").first
    prompt.locator("summary").click()
    prompt.locator(".recall button").first.click()
    answers = kept(page)["answers"].values()
    assert [answer["right"] for answer in answers] == [False, True, True, True]
    assert [type(answer["choice"]) for answer in answers] == [int, int, int, str]
    page.clock.set_system_time(now + datetime.timedelta(days=6))
    page.goto(f"{served}/zh/chapters/review.html")
    expect(page.locator(".prompt:visible")).to_have_count(1)
    page.goto(f"{served}/zh/chapters/index.html")
    expect(page.locator(".progress").first).to_have_text(re.compile(r"3/\d+\D+2 \D+1 \D+2 "))


def test_the_print_and_the_teachers_tools_find_their_parts():
    original, notebook = chapters.read(SOURCE), render(SOURCE, "zh")
    exercises = sum(metadata.EXERCISE in cell.metadata for cell in original.cells)
    for part in (metadata.QUIZ, metadata.EXERCISES):
        counts = [minutes.counted(minutes.before(made, part)) for made in (original, notebook)]
        assert counts[0]["lines"] == counts[1]["lines"]
        assert counts[0]["figures"] == counts[1]["figures"] > 0
    points = [cell for cell in assignment.assignment(notebook).cells if cell.metadata.nbgrader.grade]
    assert len(points) == exercises
    tree = lxml.html.document_fromstring((HTML / "zh" / single.NAME).read_text("utf-8"))
    article = tree.find(f".//article[@data-file='{NAME}']")
    back = printed.to_the_back(article)
    # Beside solutions stand the words that wait for an answer, under headings without a number.
    headings = [[one.text_content() for one in part.iter("h3")] for part in back.findall("section")]
    numbered = [sum(bool(re.search(r"\d\.\d+$", words)) for words in part) for part in headings]
    assert numbered[1:] == [exercises, exercises]
    assert len(article.find_class("question")[0].findall("ol/li")) >= 3
    assert re.search(r"1 [A-E]\W+2 [A-E]", back.text_content())
    assert questions.name_of(NAME) == "queries_keys_values"
