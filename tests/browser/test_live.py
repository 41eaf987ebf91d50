"""Live figures in a real browser: the page's numbers against PyTorch's, hands, typing, errors."""

import ast
import random
import re

import by_hand
import living
import pytest
import torch
from accessible import problems
from bundled import exposed
from drawn import PASTE, WIDGET
from exhaustive import EXHAUSTIVE
from hostile import PAYLOADS
from living import START, attend, attending, look, looking
from playwright.sync_api import expect

import chapters
from d2lmini import Matrix, Prediction, explore
from kernelfree import texts
from kernelfree.script import script

README = (chapters.ROOT / "kernelfree/README.md").read_text(encoding="utf-8")


def test_numbers_are_written_as_python_writes_them(page):
    rng = random.Random(5)
    numbers = [0.0, 0.5, 1.5, 2.5, 0.125, 0.375, -0.5, 1e-5, 0.00012, 1e6, 123456.5, 1e15, 0.15]
    numbers += map(float, ("inf", "-inf", "nan"))
    numbers += [rng.uniform(-1, 1) * 10 ** rng.uniform(-6, 7) for _ in range(500)]
    numbers += [rng.randrange(-4000, 4000) / 2 ** rng.randrange(8) for _ in range(500)]
    ways = [".0f", ".1f", ".2f", "f", ".0%", ".1%", ".2g", ".3g", "g"]
    page.goto("about:blank")
    page.add_script_tag(content=exposed("live/formats.js", "inWay"))
    written = page.evaluate("([a, b]) => a.map((x) => b.map((way) => inWay(x, way)))", [numbers, ways])
    for number, told in zip(numbers, written, strict=True):
        assert told == [format(number, way) for way in ways], number


@pytest.mark.parametrize(("make", "use"), [(by_hand.figure, by_hand.use), (looking, living.use)], ids=["stops", "live"])
def test_in_a_file_of_its_own(page, tmp_path, make, use):
    path, made = tmp_path / "figure.html", make()
    made.save(path)
    page.context.set_offline(True)
    grounds = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.goto(path.as_uri())
        use(page, made)
        assert problems(page) == []
        grounds.append(page.locator("canvas").first.evaluate("node => node.toDataURL()"))
    assert grounds[0] != grounds[1]


@pytest.mark.beyond
def test_a_link_and_an_answer_move_it_smoothly(show):
    link = "<p><a href='#figure-look?x=-1.234&y=9&mask=true'>go</a></p>"
    ask = Prediction("?", {"a": "b", "c": "d"}, "a", at={"x": 0.5}, then={"x": -1.5})
    page = show(looking(predict=ask), body=link)
    page.get_by_role("button", name="a", exact=True).click()
    says = page.locator(".foot p").first
    expect(says).to_have_text(look(-1.5, 0.6)["says"])
    page.get_by_role("link", name="go").click()
    expect(says).to_have_text(look(-1.23, 2.0, True)["says"])


def decay():
    """The figure of the package's own page."""
    code = re.search(r"## Numbers that readers type\n\n```python\n(.*?)```", README, re.DOTALL)[1]
    *others, last = ast.parse(code).body
    exec(ast.unparse(others), names := {})
    return eval(ast.unparse(last), names)


def test_a_number_is_typed_beside_its_slider_and_what_is_wrong_is_said_there(show):
    page = show(decay())
    value = "() => document.querySelector('.kernelfree-figure').value.rate"
    box, slider = page.get_by_role("textbox", name="rate"), page.get_by_role("slider", name="rate")
    expect(box).to_have_value("0.50")
    box.fill("1.2345")
    assert page.evaluate(value) == 1.2345
    expect(slider).to_have_value("1.2345")
    expect(box).to_have_value("1.2345")  # a reader is typing
    for text, told in ("3", "not from 0 to 2"), ("half", "no number"), ("", "no number"):
        box.fill(text)
        expect(box).to_have_attribute("aria-invalid", "true")
        expect(page.locator(".slider [aria-live]")).to_have_text(
            f"\u201c{text}\u201d is {told}. The last good numbers stay."
        )
        assert page.evaluate(value) == 1.2345
    assert problems(page, ".kernelfree-figure") == []
    slider.press("ArrowRight")
    expect(page.locator(".slider [aria-live]")).to_have_text("")
    expect(box).to_have_attribute("aria-invalid", "false")
    expect(box).to_have_value("1.33")
    box.focus()
    expect(box).to_have_value(str(page.evaluate(value)))
    page.get_by_role("button", name="Reset").click()
    expect(box).to_have_value("0.50")


def test_cells_are_typed_and_pasted_and_what_is_wrong_stays_in_its_cell(show):
    page = show(attending())
    picture = "() => root().querySelector('canvas').toDataURL()"
    before = page.evaluate(picture)
    first = page.get_by_role("textbox", name="queries, row 1, column 1")
    first.fill("2.5")
    after = page.evaluate(picture)
    assert after != before
    for text in ("seven", "7", "nan", ""):
        told = "not from -3 to 3" if text in ("7", "nan") else "no number"
        first.fill(text)
        expect(first).to_have_attribute("aria-invalid", "true")
        expect(page.locator(".matrix [aria-live]")).to_contain_text(f"“{text}” is {told}.")
        assert page.evaluate(picture) == after
    page.get_by_role("textbox", name="queries, row 2, column 1").fill("1")
    expect(first).to_have_value("")
    first.evaluate(PASTE, "0.5\t1\t9\n-1.25\t2\n3\t3")
    page.get_by_role("slider").focus()
    cells = page.locator(".matrix input").evaluate_all("all => all.map((one) => one.value)")
    assert cells == ["0.50", "1.00", "\u22121.25", "2.00"]
    page.get_by_role("button", name="Random").click()
    assert page.evaluate(picture) != after
    page.get_by_role("button", name="Reset").click()
    assert page.evaluate(picture) == before
    # Cell after cell, the table shows the numbers of its state.
    page.get_by_role("button", name="Numbers").click()
    rng, queries = random.Random(2), torch.tensor(START, dtype=torch.float64)
    for _ in range(200 if EXHAUSTIVE else 30):
        i, n = rng.randrange(4), round(rng.uniform(-3, 3), 2)
        queries.view(-1)[i] = n
        page.locator(".matrix input").nth(i).fill(str(n))
        shown = [[float(text) for text in row[:-1]] for row in page.evaluate("tables().at(-1)")]
        assert torch.allclose(torch.tensor(shown), attend(queries)["weights"].matrix, atol=6e-4)


@pytest.mark.beyond
def test_labels_are_text(show, monkeypatch):
    monkeypatch.setattr(texts, "MAX_SIGNS", 10_000)  # safety does not rest on it
    # In one order a payload may hide those behind it; then in the other it does not.
    labels = {"queries": " ".join(PAYLOADS), "width": " ".join(PAYLOADS[::-1])}
    queries = Matrix([[1.0, 0.0]])
    page = show(explore(attend, queries=queries, width=(1.0, 2.0), live=True, labels=labels))
    first = page.get_by_role("textbox").first
    for text in PAYLOADS:
        first.fill(text)
        expect(page.locator(".matrix [aria-live]")).to_contain_text(text)
    assert first.get_attribute("aria-label").startswith(labels["queries"])
    assert page.locator(".slider label").text_content() == labels["width"]
    assert page.evaluate("root().querySelectorAll('img, svg, script, iframe, a').length") == 0
    assert page.evaluate("window.hit") is None


def test_with_a_kernel_it_goes_both_ways(page):
    figure = attending()
    page.goto("about:blank")
    page.evaluate(WIDGET, [script("live.mjs"), figure._state, figure.value])
    told = page.evaluate(
        """() => {
          const [field, slider] = [".matrix input", "[type=range]"].map((css) =>
            shown.querySelector(css));
          for (const [node, number] of [[slider, 1.2345], [field, 2.5]]) {
            node.value = number;
            node.dispatchEvent(new Event("input"));
          }
          const { width, queries } = model.get("value");
          const typed = [width, queries[0][0], saved];
          // From Python, a value that no hand reaches.
          model.set("value", { width: 2.123456, queries: [[0, 1], [2, 3]] });
          const text = shown.querySelector(".slider [inputmode]").value;
          return [typed, [Number(slider.value), field.value, text], leave()];
        }"""
    )
    assert told == [[1.23, 2.5, 2], [2.123456, "0", "2.12"], [0, 0]]
