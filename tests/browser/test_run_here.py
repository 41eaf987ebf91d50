"""A chapter's cells in the reader's hand: edited and run in the page, by the page's own Python."""

import json
import re
from pathlib import Path

import pytest
import torch
from accessible import fits, problems
from drawn import PASTE
from playwright.sync_api import expect
from serving import HTML, WATCH, Files, Strict, serve
from torch.nn import functional as F

from classroom import grade

CHAPTER = "chapters/04_masked_softmax.html"
RUN = "Run it here"


class Allowed(Files):
    """A strict policy with the one word that Python needs."""

    policy = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'"


def cell(page, text):
    """The cell whose code in the book holds a text."""
    return page.locator(".cell", has=page.locator(".cell_input", has_text=text)).first


def opened(page, address, text, chapter=CHAPTER, run=RUN):
    """Press the button below a cell, and load Python where it is not kept; its panel."""
    page.goto(f"{address}/{chapter}")
    return open_here(page, text, run)


def open_here(page, text, run=RUN):
    box = cell(page, text)
    below = box.locator("xpath=self::*|following-sibling::*[1]")
    below.get_by_role("button", name=run).click()
    panel = box.locator(".here")
    expect(said(panel)).not_to_be_empty()
    for load in panel.get_by_role("button", name="Load Python").all():
        load.click()
    return panel


def write(panel, text):
    """As it is pasted: what Firefox types is indented once more."""
    box = panel.get_by_role("textbox")
    box.press("ControlOrMeta+a")
    box.evaluate(PASTE, text)
    box.press("Control+Enter")


def said(panel):
    return panel.locator(".state").first


def printed(panel):
    return panel.locator("pre").first


@pytest.fixture(scope="module")
def allowed():
    with serve(HTML, Allowed) as address:
        yield address


def test_a_cell_is_edited_run_stopped_and_put_back(own_page, allowed):
    page = own_page
    page.add_init_script(WATCH)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{allowed}/{CHAPTER}")
    page.wait_for_load_state("networkidle")
    assert not [url for url in asked if "/python/" in url or "editor.js" in url]
    code = "s = scores[1]"
    panel = open_here(page, code)
    expect(said(panel)).to_have_text("It ran.")
    shown = cell(page, code).locator(".cell_output pre").text_content()
    assert printed(panel).text_content().strip() == shown.strip()
    # What the reader has changed above counts below.
    above = open_here(page, "[2.0, 1.0, 0.5, 0.0]")
    write(above, "scores = torch.zeros(3, 4)")
    expect(said(above)).to_have_text("It ran.")
    panel.get_by_role("textbox").press("Control+Enter")
    expect(printed(panel)).to_contain_text("[0.2500, 0.2500, 0.2500, 0.2500]")
    expect(said(panel)).to_contain_text("it took 1 as you have written them")
    # Where one above fails, a button leads there.
    write(above, "scores = torch.zeros(3, 4) / None")
    panel.get_by_role("textbox").press("Control+Enter")
    expect(said(panel)).to_contain_text("A cell above ended with an error.")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(above).not_to_be_in_viewport()
    panel.get_by_role("button", name="Go to that cell").click()
    expect(above).to_be_in_viewport()
    write(above, "scores = torch.zeros(3, 4)")
    # An error as Python prints it, its line marked; a loop without end is stopped.
    write(panel, "x = 1\nx / 0")
    expect(panel.locator(".error")).to_contain_text("ZeroDivisionError: division by zero")
    expect(panel.locator(".cm-marked")).to_have_text("x / 0")
    write(panel, "print('here')\nwhile True: pass")
    expect(printed(panel)).to_have_text("here")
    panel.get_by_role("button", name="Stop").click()
    expect(said(panel)).to_have_text("Stopped. What you wrote is still here.")
    # What was typed for input() is given again.
    write(panel, "a = input('a? ')\nb = input('b? ')\na + b")
    for text in "12":
        panel.get_by_role("textbox", name="What input() reads").fill(text)
        page.keyboard.press("Enter")
    expect(printed(panel)).to_have_text("a? 1\nb? 2\n'12'")
    # It is still there after the page was left, and gone when the book's code is put back.
    page.reload()
    expect(page.get_by_role("button", name="Run it here, with your code")).to_have_count(2)
    panel = open_here(page, code)
    expect(panel.get_by_role("textbox", name="Code of the cell")).to_contain_text("b = input('b? ')")
    panel.get_by_role("button", name="Put the book’s code back").click()
    expect(panel.get_by_role("textbox")).to_contain_text(code)
    assert page.evaluate("refused") == problems(page, ".here") == []
    assert fits(page, 320)


def test_where_webassembly_is_forbidden_the_page_says_so(own_page):
    with serve(HTML, Strict) as address:
        panel = opened(own_page, address, "s = scores[1]")
        expect(said(panel)).to_contain_text("forbids WebAssembly")


def test_from_a_disk_the_page_says_so(page):
    page.goto(f"{HTML.as_uri()}/{CHAPTER}")
    expect(said(open_here(page, "s = scores[1]"))).to_contain_text("opened from a disk")


# Change what is kept of each cell.
EDIT = """change => {
  const all = JSON.parse(localStorage["attention-book-code"]);
  for (const [id, kept] of Object.entries(all)) eval(change);
  localStorage["attention-book-code"] = JSON.stringify(all);
}"""
HAND_OUT = "check.hand_out(hand_out)"
ANSWER = """def hand_out(weights, length):
    out = torch.zeros_like(weights)
    out[:length] = weights[:length] / weights[:length].sum()
    return out

check.hand_out(hand_out)"""


@pytest.mark.beyond
def test_an_exercise_is_answered_and_code_goes_with_its_reader(own_page, served):
    page = own_page
    panel = opened(page, served, HAND_OUT)
    expect(printed(panel)).to_contain_text("Your turn")
    answer = "JSON.parse(localStorage['attention-book'] ?? '{}').answers?.['masked_softmax/4419f6']"
    assert page.evaluate(answer) is None
    write(panel, f"def hand_out(weights, length):\n    return weights\n\n{HAND_OUT}")
    expect(panel.locator(".error")).to_contain_text("Not yet")
    expect(said(panel)).to_have_text("Not yet.")
    expect(panel.locator(".cm-marked")).to_have_count(0)
    assert page.evaluate(f"{answer}.right") is False
    write(panel, ANSWER)
    expect(printed(panel)).to_contain_text("Right.")
    assert page.evaluate(f"{answer}.right") is True
    # What another tab has written meanwhile is set aside.
    page.evaluate(EDIT, "kept.code = 'from another tab'")
    panel.get_by_role("textbox").press("End")
    page.keyboard.insert_text("#")
    panel.get_by_role("button", name="Bring back what stood here before").click()
    expect(panel.get_by_role("textbox")).to_have_text("from another tab")


@pytest.mark.beyond
def test_code_of_a_file_does_not_run_by_itself(own_page, served):
    page = own_page
    opened(page, served, "s = scores[1]").get_by_role("textbox").press("ControlOrMeta+a")
    page.keyboard.insert_text("print('mine')")
    page.goto(f"{served}/chapters/review.html")
    text = downloaded(page, "Export my code").read_text("utf-8")
    assert text.startswith("# %% masked_softmax/")
    give(page, "code.py", text.replace("mine", "theirs"))
    expect(page.get_by_text("The code of 1 cells was read.")).to_be_visible()
    panel = opened(page, served, "s = scores[1]")
    expect(said(panel)).to_contain_text("This code came from a file")
    expect(panel.get_by_role("textbox")).to_have_text("print('theirs')")
    expect(printed(panel)).to_have_count(0)
    panel.get_by_role("button", name="Bring back what stood here before").click()
    expect(panel.get_by_role("textbox")).to_have_text("print('mine')")


def downloaded(place, name):
    with getattr(place, "page", place).expect_download() as download:
        place.get_by_role("button", name=name).click()
    return download.value.path()


def give(place, name, text):
    file = {"name": name, "mimeType": "", "buffer": text.encode()}
    place.locator("[type=file]").set_input_files(file)


FILES = [
    ("a.ipynb", '{"cells": [', "a.ipynb: this is broken JSON"),
    ("a.json", "[1]", "this is no notebook"),
    ("a.ipynb", '{"cells": [{"cell_type": "code", "source": 1}]}', "of no chapter"),
    ("a.py", "x = 3", "no part of it begins with"),
    ("a.py", "#" * 20_000_001, "a.py: this has 21 MB"),
    ("a.py", "# %% masked_softmax/none\nx = 3", "1 of its cells fit no cell that is run here"),
]


@pytest.mark.beyond
def test_a_chapters_notebook_takes_code_along_and_brings_it_back(own_page, served, tmp_path):
    page, name = own_page, "04_masked_softmax.ipynb"
    panel = opened(page, served, HAND_OUT)
    write(panel, ANSWER)
    expect(said(panel)).to_contain_text("Right.")
    panel.get_by_text("Your code of this chapter as a file").click()
    saved = downloaded(panel, "Save as a notebook").read_text("utf-8")
    made, book = (json.loads(text)["cells"] for text in (saved, Path("chapters", name).read_text("utf-8")))
    [(own, old)] = [pair for pair in zip(made, book, strict=True) if pair[0] != pair[1]]
    written = {"source": ANSWER.splitlines(True), "outputs": [], "execution_count": None}
    assert own == {**old, **written}
    handed_in = tmp_path / name
    handed_in.write_text(saved, "utf-8")
    assert grade.grade(Path("chapters", name), handed_in, only=["hand_out"])["hand_out"].right
    # What was changed elsewhere, in another edition, comes back; the rest of it is the book's.
    other = json.loads((HTML / "zh/_sources/chapters" / name).read_text("utf-8"))
    next(cell for cell in other["cells"] if cell["id"] == own["id"])["source"] = ["print('theirs')"]
    give(panel, name, json.dumps(other))
    expect(panel.locator(".file .state")).to_contain_text("The code of 1 cells was read. None of it runs")
    expect(said(panel)).to_contain_text("This code came from a file")
    expect(panel.get_by_role("textbox")).to_have_text("print('theirs')")
    expect(printed(panel)).to_have_count(0)
    panel.get_by_role("button", name="Bring back what stood here before").click()
    expect(panel.get_by_role("textbox")).to_contain_text("out[:length] = ")
    other = (HTML / "_sources/chapters/05_batch_matrix_multiplication.ipynb").read_text("utf-8")
    for name, text, why in [*FILES, ("a.ipynb", other, "another chapter, batch_matrix_multiplication")]:
        give(panel, name, text)
        expect(panel.locator(".file .state")).to_contain_text(why)
    expect(panel.get_by_role("textbox")).to_contain_text("out[:length] = ")


# Go to the step of a cell's code, and say what stands there.
STEP = """async node => {
  const on = () => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
  for (let n = 0; n < 200 && !node.checkVisibility(); n++) on();
  return node.innerText;
}"""


@pytest.mark.beyond
def test_answers_in_boxes_go_into_both_files(own_page, served, tmp_path):
    page, name = own_page, "06_scaled_dot_product_attention"
    panel = opened(page, served, "Q = torch.tensor([[1.0", f"chapters/{name}.html")
    given = {"reading": "3, 5", "by_hand": "75%; 1/4", "variance": "35", "questions": "900"}
    for exercise, answer in given.items():
        box = cell(page, f"check.{exercise}(").locator("xpath=preceding-sibling::form[1]")
        box.get_by_role("textbox").fill(answer)
        page.keyboard.press("Enter")
    panel.get_by_text("Your code of this chapter as a file").click()
    for button, end in ("Save as a notebook", "ipynb"), ("Save as a Python file", "py"):
        handed_in = tmp_path / f"{name}.{end}"
        handed_in.write_bytes(downloaded(panel, button).read_bytes())
        verdicts = grade.grade(Path("chapters", f"{name}.ipynb"), handed_in, only=[*given, "step_size"])
        assert [verdict.right for verdict in verdicts.values()] == [True, True, False, True, None]
        give(panel, handed_in.name, handed_in.read_text("utf-8"))
        expect(panel.locator(".file .state")).to_contain_text(f"{handed_in.name} has no code that differs")


@pytest.mark.beyond
def test_nothing_that_was_written_is_lost(own_page, served):
    page, code = own_page, "s = scores[1]"
    panel = opened(page, served, code)
    write(panel, "mine = 1")
    expect(said(panel)).to_have_text("It ran.")
    # The Chinese cell is another in words alone; one of a new edition is told, and shown.
    panel = opened(page, served, code, f"zh/{CHAPTER}", "在这里运行")
    expect(panel.get_by_role("textbox")).to_have_text("mine = 1")
    expect(panel.locator("details")).to_have_count(1)
    page.evaluate(EDIT, "kept.of = 'before'")
    panel = opened(page, served, code)
    expect(panel).to_contain_text("The book’s cell has changed since you wrote this.")
    expect(panel.locator("details pre")).to_contain_text(code)
    # What is written in another tab comes, and does not run.
    other = page.context.new_page()
    write(opened(other, served, code), "mine = 2")
    expect(panel.get_by_role("textbox")).to_have_text("mine = 2")
    expect(said(panel)).to_have_text("")
    box = cell(page, code).locator(".cell_input")
    # A lesson shows the book, and says so where there is an editor, which is there again after it.
    page.evaluate("location.hash = 'present'")
    expect(page.locator("html")).to_have_class("presenting")
    assert re.search(f"(?s){re.escape(code)}.*there again after it", box.evaluate(STEP))
    expect(panel).to_be_hidden()
    page.keyboard.press("Escape")
    expect(panel.get_by_role("textbox")).to_have_text("mine = 2")
    expect(box).to_be_hidden()
    # Erased there, it lasts where it is open.
    other.goto(f"{served}/chapters/review.html")
    other.once("dialog", lambda dialog: dialog.accept())
    other.get_by_role("button", name="Erase all").click()
    expect(other.get_by_text("All is erased.")).to_be_visible()
    page.reload()
    expect(page.get_by_role("button", name="Run it here, with your code")).to_have_count(0)


SOFTMAX = """def softmax(scores):
    e = (scores - scores.amax(-1, True)).exp()
    return e / e.sum(-1, True)
def attention(scores, values): return softmax(scores) @ values
check.step(attention)"""
WEIGH = """softmax = check.step.take("softmax")
def weigh(scores, valid_lens=None):
    if valid_lens is None: return softmax(scores)
    lens = valid_lens if valid_lens.ndim == 2 else valid_lens[:, None]
    hidden = torch.arange(scores.shape[-1]) >= lens[..., None]
    return softmax(scores.masked_fill(hidden, -torch.inf)).masked_fill(hidden, 0.0)
check.step(weigh)"""


@pytest.mark.beyond
def test_ones_own_attention_goes_from_chapter_to_chapter(own_page, served):
    page = own_page
    stub = "def softmax(scores): ..."
    panel = opened(page, served, stub, "chapters/01_queries_keys_values.html")
    write(panel, SOFTMAX)
    expect(printed(panel)).to_contain_text("my_attention.py now has your attention, softmax.")
    text = downloaded(panel, "Save my_attention.py").read_text("utf-8")
    assert "# %% 1\ndef softmax(scores):\n    e = " in text
    panel = opened(page, served, "def weigh(scores", "zh/chapters/04_masked_softmax.html", "在这里运行")
    expect(printed(panel)).to_contain_text("softmax：你的，来自第 1 章")
    page.evaluate(EDIT, "if (/^mine/.test(id)) kept.file = true")
    panel = opened(page, served, "def weigh(scores")
    shown = panel.get_by_role("group", name="What your code prints")
    expect(shown).to_contain_text("softmax: the book's")
    panel.get_by_text("my_attention.py came from a file").click()
    panel.get_by_role("button", name="take it").click()
    panel.get_by_role("button", name="Run", exact=True).click()
    expect(shown).to_contain_text("softmax: yours")
    write(panel, WEIGH)
    expect(shown).to_contain_text("my_attention.py now has your attention, softmax, weigh.")


SQUARED = """def soft_lookup(queries, keys, values, sharpness=1.0):
    scores = -(queries[:, None] - keys).square()  # (queries, keys)
    weights = F.softmax(sharpness * scores, dim=-1)  # (queries, keys)
    return weights @ values, weights"""


def test_a_figure_is_drawn_with_the_readers_function(own_page, allowed):
    page = own_page
    page.add_init_script(WATCH)
    panel = opened(page, allowed, "def soft_lookup(", "chapters/01_queries_keys_values.html")
    expect(said(panel)).to_have_text("It ran.")
    expect(page.locator(".mine")).to_have_count(0)
    write(panel, SQUARED)
    figure = page.locator("[id='figure-from-the-dictionary-to-the-mean']")
    line = figure.locator("xpath=following-sibling::*[1]")
    page.evaluate("location.hash = 'figure-from-the-dictionary-to-the-mean'")  # out of its fold
    figure.get_by_role("button", name="Skip").click()
    line.get_by_role("button", name="Draw it with mine").click()
    expect(said(line)).to_have_text("Drawn with your code.")
    expect(figure).to_have_class("kernelfree-figure theirs")
    figure.get_by_role("slider").fill("1")  # a sharpness of 0.25
    figure.get_by_role("button", name="Numbers").click()
    ten = torch.arange(1.0, 11.0)
    weights = F.softmax(-0.25 * (ten[:, None] - ten).square(), dim=-1)
    shown = figure.locator("tbody tr").first.locator("td").all_text_contents()[:10]
    assert list(map(float, shown)) == [round(one, 2) for one in weights[0].tolist()]
    assert problems(page, ".mine") == page.evaluate("refused") == []
    line.get_by_role("button", name="Back to the book’s figure").click()
    expect(figure).not_to_have_class("kernelfree-figure theirs")
    # What takes long says how much of it is there; where it cannot be drawn, it says so.
    write(panel, SQUARED.replace("    weights", "    import time; time.sleep(0.4)\n    weights"))
    line.get_by_role("button", name="Draw it with mine").click()
    expect(line.locator("[data-done]")).to_have_attribute("data-done", re.compile(r"^\d/8$"))
    expect(said(line)).to_have_text("Drawn with your code.")
    write(panel, SQUARED.replace("return weights @ values, weights", "return weights"))
    line.get_by_role("button", name="Draw it with mine").click()
    expect(said(line)).to_contain_text("It cannot be drawn with your code: explore: ten_look_ups(")


POWERS = """from d2lmini.masks import seen_places
def masked_softmax(scores, valid_lens=None):
    powers = torch.exp2(scores)
    kept = torch.where(seen_places(scores.shape, scores.device, valid_lens), powers, 0.0)
    return kept / kept.sum(-1, keepdim=True)"""


@pytest.mark.beyond
def test_line_by_line_runs_what_the_reader_wrote(own_page, allowed):
    page = own_page
    page.add_init_script(WATCH)
    panel = opened(page, allowed, "def masked_softmax(")
    write(panel, POWERS)
    figure = page.locator("[id='figure-masked-softmax-line-by-line']")
    line = figure.locator("xpath=following-sibling::*[1]")
    line.get_by_role("button", name="Draw it with mine").click()
    expect(said(line)).to_have_text("Drawn with your code.")
    expect(figure.locator(".row code", has_text="powers = ")).to_be_visible()
    last = figure.locator(".row").last.locator("td")
    expect(last).to_have_text(
        ["0.48", "0.24", "0.17", "0.12", "0.29", "0.14", "0.57", "0.00", "0.33", "0.67", "0.00", "0.00"]
    )
    # What is typed goes through it, and the focus stays; lengths are refused as it refuses them.
    length = figure.get_by_role("textbox", name="valid_lens, 1")
    length.fill("1")
    expect(last.nth(1)).to_have_text("0.00")
    expect(length).to_be_focused()
    for typed in ("5", "-1"):
        length.fill(typed)
        told = f"between 0 and the number of keys, 4, got {typed}. The last good numbers stay."
        expect(figure.locator("[aria-live]").last).to_contain_text(told)
    assert page.evaluate("refused") == problems(page, ".mine") == []
    # What cannot be drawn says so, and the last that could stays.
    write(panel, "def masked_softmax(scores, valid_lens=None): return 3")
    line.get_by_role("button", name="Draw it with mine").click()
    expect(said(line)).to_have_text("No line of what you wrote makes a tensor here.")
    line.get_by_role("button", name="Back to the book’s figure").click()
    expect(figure).not_to_have_class(re.compile("theirs"))
