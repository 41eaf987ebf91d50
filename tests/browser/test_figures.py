"""Figures without a kernel, in a real browser: what they draw, say, and let a reader do."""

import base64
import hashlib
import io
import json
import math
import random
import re
import threading
from collections import Counter
from itertools import pairwise
from urllib.parse import quote

import ipywidgets as w
import labels
import numpy as np
import pytest
import torch
from accessible import fits, problems
from bundled import PANELS, bundled
from drawn import WRITTEN, cell, check_colors, rgb
from examples import DARK, QUESTION, figure, html_of, kernels, large, lengths, steps
from exhaustive import EXHAUSTIVE, sample
from expected import tables_of
from kinds import every_kind
from opened import compare, move
from PIL import Image
from playwright.sync_api import expect
from serving import Files, serve

from d2lmini import Bars, Curve, Heatmap, Plane, Plot, Points, Words, explore
from kernelfree import Number
from kernelfree.script import script


@pytest.mark.parametrize("function", [lengths, steps, kernels, large])
def test_a_random_walk_shows_what_torch_computes(show, function):
    made, choose = figure(function), random.Random(7)
    page = show(made)
    host = page.locator(".kernelfree-figure > div")
    host.get_by_role("button", name="Numbers").click()
    for _ in range(100 if EXHAUSTIVE else 12):
        values = move(host, made, choose)
        shown = json.loads(page.evaluate("JSON.stringify([tables(), colors()])"))  # Firefox is slow to hand lists over
        compare(made, tables_of(function(**values)), *shown)


def status(page):
    return page.locator(".kernelfree-figure p[aria-live]").last


def test_controls_and_cells_by_keyboard_and_pointer(show):
    made = figure(steps, labels={"length": "valid length"})
    page = show(made)
    slider = page.get_by_role("slider", name="valid length")
    for place in ("2", "3"):
        slider.press("ArrowRight")
        expect(slider).to_have_attribute("aria-valuetext", place)
    page.get_by_role("combobox", name="kind").select_option("distance")
    page.get_by_role("switch", name="mask").uncheck()
    expect(status(page)).to_contain_text(
        "valid length = 3. kind = distance. Largest: output, query"  # the switch has the focus
    )
    page.get_by_role("button", name="Reset").click()
    assert slider.input_value() == "0"
    assert page.get_by_role("combobox", name="kind").input_value() == "dot product"
    assert page.get_by_role("switch", name="mask").is_checked()
    # Cells are read out.
    page.evaluate("move(0, 2)")
    weights = steps(**{**made.value, "length": 3})["weights"].matrix
    canvas = page.get_by_role("application", name="weights")
    canvas.hover(position=cell(canvas, 1, 3))
    told = f"weights, query 4, key cat: {weights[3, 1]:.3f}; the row sums to 1.000."
    assert status(page).text_content() == told
    page.mouse.move(0, 0)
    expect(status(page)).to_contain_text("Largest")
    canvas.focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowUp", "ArrowUp", "ArrowUp"):
        page.keyboard.press(key)
    assert status(page).text_content().startswith("weights, query 1, key cat:")
    for _ in range(9):
        page.keyboard.press("ArrowRight")
    assert status(page).text_content().startswith("weights, query 1, key .: masked;")
    page.keyboard.press("Escape")
    assert status(page).text_content() == ""


def test_a_point_between_two_gaps_is_a_dot(show):
    nan = math.nan
    page = show(explore(lambda a: Curve([1, 2, 3, 4, 5], {"y": [0, nan, 5, nan, 9]}), a=[1]))
    alpha = page.locator("canvas").evaluate(
        """(canvas) => {
          const [left, top, wide, high] = canvas.dataset.cells.split(",").map(Number);
          const at = [left + 2.5 * wide - 2, top + 0.5 * high - 2, 5, 5];
          const { data } = canvas.getContext("2d").getImageData(...at);
          return data.filter((_, i) => i % 4 === 3).reduce((sum, alpha) => sum + alpha);
        }"""
    )
    assert alpha > 15 * 255  # a disc of five pixels


# What a page hands down to all that stands in it, as some pages and readers' own sheets have it.
HANDED = """<style>html { direction: rtl } body { text-indent: 3em; letter-spacing: 5px;
word-spacing: 9px; text-transform: uppercase; text-align: right; font-weight: 700; cursor: help;
font-style: italic; line-height: 3; white-space: pre; word-break: break-all; hyphens: auto;
text-shadow: 1px 1px red; list-style: square }</style>"""


def test_what_a_page_hands_down_stops_at_a_figure(show):
    def panels(up):
        return {
            "map": Heatmap([[-3.0, up], [0.25, 1.0]], large=True),
            "line": Curve([-1, 0, 1], {"a": [up, -3, 2], "b": [1, 2, 3]}),
            "words": Words(["one", "two"], [0.25, 0.75], touch="up"),
        }

    made, seen = explore(panels, up=[1, 2], title="Handed down"), []
    for head in ("", HANDED):
        page = show(made, head=f"<style>body {{ width: 900px; margin: 0 }}</style>{head}")
        page.get_by_role("button", name="Numbers").click()
        page.mouse.move(0, 0)
        shot = page.locator(".kernelfree-figure > div").screenshot()
        seen.append(np.asarray(Image.open(io.BytesIO(shot)).convert("RGB"), int))
    assert np.abs(np.subtract(*seen)).max() < 40  # the edges of letters


# Whether a line's last sign stands left of its first.
BACKWARDS = """(all) => all.map(({ firstChild: text }) => {
  const range = document.createRange();
  const at = (from) => {
    range.setStart(text, from);
    range.setEnd(text, from + 1);
    return range.getBoundingClientRect().left;
  };
  return at(text.length - 1) < at(0);
})"""


def test_a_label_of_another_direction_begins_at_its_own_side(show):
    made = explore(lambda a: {"מפה (1)": [[a]]}, a=[1, 2], labels={"a": "אורך (1)"}, title="כותרת!")
    page = show(made)
    assert page.locator(".title, label, .name").evaluate_all(BACKWARDS) == [True] * 3


# Titles in any script, and the names of their figures in addresses.
TITLES = {"Steps & Sums": "steps-sums", **{t: t.lower() for t in ("注意力", "Внимание", "दूरी", "≤")}}


@pytest.mark.parametrize("title", sample(TITLES, "Steps & Sums", rest="beyond"))
def test_an_address_leads_to_a_state(show, title):
    there = f"figure-{TITLES[title]}"
    page = show(
        figure(steps, title=title),
        figure(lengths, title="¬"),
        body=f'<a href="#{there}?length=5&amp;kind=distance&amp;mask=false&amp;no=1">look</a>',
        address=f"#{there}?length=3&scale=2",
    )
    length, kind = page.get_by_role("slider", name="length"), page.get_by_role("combobox")
    expect(length).to_have_attribute("aria-valuetext", "3")
    expect(page.get_by_role("slider", name="scale")).to_have_attribute("aria-valuetext", "2")
    for _ in range(2):
        page.get_by_role("link", name="look").click()
        expect(length).to_have_attribute("aria-valuetext", "5")
        assert kind.input_value() == "distance"
        assert not page.get_by_role("switch").is_checked()
        page.get_by_role("button", name="Reset").first.click()
        expect(length).to_have_attribute("aria-valuetext", "1")
    page.evaluate("move(0, 3)")
    page.get_by_role("button", name="Link").first.click()
    assert page.url.endswith(f"#{quote(there)}?length=4&scale=0.25&kind=dot+product&mask=true")
    page.reload()
    expect(length).to_have_attribute("aria-valuetext", "4")
    expect(page.get_by_role("slider", name="len 1")).to_have_attribute("aria-valuetext", "1")


def test_floats_are_shown_and_addressed_as_they_look(show):
    made = explore(lambda a=0.3, b=0: [[a + b]], a=np.linspace(0, 1, 11), b=(0, 2), title="Tenths")
    look = '<a href="#figure-tenths?a=0.30000000000000004">look</a>'
    page = show(made, body=look, address="#figure-tenths?a=0.7")
    slider, other = (page.get_by_role("slider", name=name, exact=True) for name in "ab")
    expect(slider).to_have_attribute("aria-valuetext", "0.7")
    for place in range(11):
        page.evaluate(f"move(0, {place})")
        expect(slider).to_have_attribute("aria-valuetext", f"{place / 10:g}")
        expect(page.locator("b").first).to_have_text(f"{place / 10:g}")
    expect(status(page)).to_contain_text("a = 1. ")
    page.evaluate("move(0, 6)")
    page.get_by_role("button", name="Link").click()
    assert page.url.endswith("#figure-tenths?a=0.6&b=0")
    page.get_by_role("link", name="look").click()
    expect(slider).to_have_attribute("aria-valuetext", "0.3")
    given = {"0.20": "0.2", "4e-1": "0.4", "0.5000000001": "0.5", **dict.fromkeys(["0.55", "x", "", "2"], "0.5")}
    for n, (text, told) in enumerate(given.items()):
        page.evaluate(f"location.hash = 'figure-tenths?a={text}&b={n % 3}'")
        expect(other).to_have_attribute("aria-valuetext", f"{n % 3}")
        expect(slider).to_have_attribute("aria-valuetext", told)


# As in "Using Interact", the page of ipywidgets' documentation; a hyphen in a name is no minus.
PAIRS = [("co-sine", 10), ("x-y-z", 20)]
INTERACT = [
    *(10, True, (0, 4), (0, 8, 2), (0.0, 10.0), (0.0, 10.0, 0.01), ["apples", "oranges"]),
    *(PAIRS, dict(PAIRS), w.Dropdown(options=PAIRS, value=20), w.Dropdown(options=[10, 20])),
    w.IntSlider(10, min=-10, max=30, step=1),
    w.FloatSlider(2.5, max=5),
    w.FloatLogSlider(10.0, min=0, max=2),
    *(w.SelectionSlider(options=PAIRS, value=20), w.ToggleButtons(options=PAIRS)),
    *(w.BoundedIntText(3, max=9), w.Checkbox(False)),
]


def test_what_interact_takes_is_alive_without_a_kernel(show):
    returned = [[] for _ in INTERACT]

    def total(x, y, kept):
        kept.append(y * (len(x) if isinstance(x, str) else x))
        return Number(kept[-1])

    pairs = zip(INTERACT, returned, strict=True)
    made = [explore(total, x=given, y=w.fixed(20), kept=w.fixed(kept)) for given, kept in pairs]
    page = show(*made)
    first = [one._state["controls"][0]["options"].index(one._state["start"]["x"]) for one in made]
    last = [len(all_of) - 1 for all_of in returned]
    for places in (first, last, [0] * len(made)):
        if places != first:
            page.evaluate("(all) => all.forEach((place, n) => move(0, place, n))", places)
        texts = page.locator(".number").all_inner_texts()
        shown = [float(text.replace("\u2212", "-")) for text in texts]
        truth = [all_of[place] for all_of, place in zip(returned, places, strict=True)]
        assert shown == pytest.approx(truth, rel=1e-3)
    names = page.get_by_role("slider").and_(page.locator("[aria-valuetext=co-sine]"))
    expect(names).to_have_count(1)


def test_a_menu_in_another_language_has_the_addresses_of_the_english_one(show):
    made = explore(
        lambda rule: {"": Bars([1.0 + len(rule)]), "say": f"规则：{rule}"},
        rule=["普通", "差一步"],
        title="规则",
        address={"": "The rule", "rule": ["plain", "off by one"]},
    )
    page = show(made, body='<a href="#figure-the-rule?rule=off+by+one">look</a>')
    menu = page.get_by_role("combobox")
    assert menu.locator("option").all_text_contents() == ["普通", "差一步"]
    page.get_by_role("link", name="look").click()
    expect(menu).to_have_value("差一步")
    expect(page.locator(".foot p").first).to_have_text("规则：差一步")
    expect(status(page)).to_contain_text("rule = 差一步. ")
    menu.select_option("普通")
    assert page.evaluate("document.querySelector('.kernelfree-figure').value") == {"rule": "plain"}
    page.get_by_role("button", name="Link").click()
    assert page.url.endswith("#figure-the-rule?rule=plain")


WAITS = "(node) => Boolean(node.closest('[inert]'))"


def test_a_figure_waits_until_its_question_is_answered(show):
    page = show(figure(lengths, predict=QUESTION))
    slider = page.locator(".kernelfree-figure input").first
    assert slider.evaluate(WAITS)
    page.get_by_role("button", name="It changes nothing.").click()
    expect(page.locator(".quiz p")).to_have_text(
        "Not quite. Keys that were hidden get a weight above zero. The answer: It spreads the weight over more keys."
    )
    assert not slider.evaluate(WAITS)
    page.get_by_role("button", name="It spreads").click()
    expect(page.locator(".quiz p")).to_contain_text(re.compile("^Right. The softmax"))
    page.reload()
    assert slider.evaluate(WAITS)
    page.get_by_role("button", name="Skip").click()
    assert not slider.evaluate(WAITS)


def test_what_is_printed_is_the_question_until_it_is_answered(show):
    page = show(figure(lengths, predict=QUESTION))
    pictures = """async () => {
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      return [...root().querySelectorAll("canvas")].map((canvas) => canvas.toDataURL());
    }"""
    page.emulate_media(media="print")
    asked = page.evaluate(pictures)
    for text in (QUESTION.question, *QUESTION.choices):
        expect(page.get_by_text(text)).to_be_visible()
    expect(page.get_by_text("Skip")).to_be_hidden()
    page.emulate_media(media="screen")
    page.get_by_role("button", name="It spreads").click()
    page.emulate_media(media="print")
    assert page.evaluate(pictures) != asked
    expect(page.locator(".quiz, :text('Reset')").locator("visible=true")).to_have_count(0)


MAP = Plane({"you": Points((0, 0), ["you"])}, "km east", "km north", xlim=(-2, 2), ylim=(-2, 2))


def four(panel):
    return explore(lambda a: dict.fromkeys(("one", "two", "three", "four"), panel), a=[1, 2], title="Four")


@pytest.mark.beyond
def test_four_pictures_and_their_controls_are_seen_at_once(show):
    panels = [MAP, *(Heatmap(torch.ones(n, n), xlabel="Keys", ylabel="Queries") for n in (8, 16))]
    bars = {name: Bars([1, 2], ["甜", "酸"]) for name in ("one", "two", "three")}
    fruits = explore(lambda a: {"map": MAP, **bars}, a=[1, 2], title="Fruits")
    page = show(*map(four, panels), fruits)
    figures = page.locator(".kernelfree-figure").all()
    for width in (860, 390):
        page.set_viewport_size({"width": width, "height": 700})
        page.wait_for_timeout(100)
        for each in figures[:3]:
            first, *_, last = (canvas.bounding_box() for canvas in each.locator("canvas").all())
            slider = each.get_by_role("slider").bounding_box()
            assert last["y"] + last["height"] - slider["y"] < 700 - 100
            assert last["x"] > first["x"], "two by two, or in a row"
            assert min(first["width"], first["height"]) > 120
    # A single plane stays wide enough to move its arrows, where all four would fit into a row.
    page.set_viewport_size({"width": 840, "height": 700})
    page.wait_for_timeout(100)
    assert figures[3].locator("canvas").first.bounding_box()["width"] > 240


def test_a_link_shows_the_controls_of_a_figure_that_is_higher_than_the_window(show):
    link = "<a style='position: fixed; bottom: 0' href='#figure-four?a=2'>two</a>"
    page = show(four(MAP), body=f"{link}<p style='height: 2000px'></p>")
    page.set_viewport_size({"width": 860, "height": 400})
    slider, two = page.get_by_role("slider"), page.get_by_role("link", name="two")
    for a, go in {"2": two.click, "1": lambda: page.evaluate("location.hash = 'figure-four?a=1'")}.items():
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        expect(slider).not_to_be_in_viewport()
        go()
        expect(slider).to_be_in_viewport()
        expect(slider).to_have_attribute("aria-valuetext", a)


def test_buttons_begin_where_lines_do_and_a_ring_leaves_the_name_of_its_slider_free(show):
    page = show(explore(lambda a=0: Number(a), a=range(3), title="Long " * 9, play="a"))
    page.set_viewport_size({"width": 360, "height": 800})
    title, slider = page.locator(".title"), page.get_by_role("slider")
    buttons = [page.get_by_role("button", name=name) for name in ("Numbers", "Play")]
    left, ruler, numbers, play = (one.bounding_box() for one in (title, slider, *buttons))
    assert numbers["x"] + 6 == left["x"]  # its letters stand 6 pixels within it
    assert play["x"] - ruler["x"] - ruler["width"] > 6
    slider.press("ArrowRight")
    expect(slider).to_have_css("outline-offset", "-2px")


def test_dark_pages_are_followed_and_paper_is_light(show):
    made = figure(lengths)
    page = show(made, head=DARK)
    scale = made._state["scales"]["weight"]

    def largest_is(color):
        page.wait_for_timeout(100)
        drawn = page.evaluate("colors()[0][0]")
        assert np.allclose(drawn[0][:3], rgb(color), atol=2)
        assert drawn[9] == [0, 0, 0, 0]  # a weight of 0

    largest_is(scale["light"][-1])
    page.evaluate("document.documentElement.className = 'dark'")
    largest_is(scale["dark"][-1])
    page.emulate_media(media="print")
    largest_is(scale["light"][-1])
    assert not page.get_by_role("button", name="Reset").is_visible()
    page.emulate_media(media="screen", forced_colors="active", color_scheme="dark")
    largest_is(scale["dark"][-1])


# What is drawn anywhere in the first column's two cells, and in the masked one beside them.
ANYTHING = """(canvas) => {
  const [left, top, wide, high] = canvas.dataset.cells.split(",").map(Number);
  const any = (x, y) => canvas.getContext("2d")
    .getImageData(left + x * wide + 2, top + y * high + 2, wide - 4, high - 4).data.some(Boolean);
  return [any(0, 0), any(0, 1), any(2, 0)];
}"""


@pytest.mark.parametrize("size", [12, 3])
def test_nothing_small_masked_and_absent_look_different(show, size):
    """In cells that are large enough for numbers, and in others."""
    matrix = torch.ones(2, size)
    matrix[:, :3] = torch.tensor([0, 0.007, -torch.inf])
    absent = torch.arange(2 * size).reshape(2, size) == size
    page = show(explore(lambda t: Heatmap(matrix, absent=absent, xlabel="Columns"), t=[1]))
    zero, (*small, opaque) = page.evaluate("colors()[0][0].slice(0, 2)")
    assert (zero, opaque) == ([0, 0, 0, 0], 255)
    assert max(small) - min(small) > 20
    assert page.locator("canvas").first.evaluate(ANYTHING) == [True, False, True]  # a dot or 0; nothing; hatching
    page.get_by_role("button", name="Numbers").click()
    first, second = page.evaluate("tables()[0]")
    assert (float(first[0]), first[2], second[0], second[2]) == (0, "masked", "", "masked")
    assert float(second[-1]) > 0  # the sum of what is there


@pytest.mark.parametrize("size", [12, 3])
def test_nothing_has_its_colour_in_a_map_of_an_author(show, size):
    cells = np.zeros((2, size))
    cells[0, :3] = 0, 4, -torch.inf
    page = show(made := explore(lambda t: Heatmap(cells, cmap="viridis"), t=[1]))
    zero, largest, masked = page.evaluate("colors()[0][0].slice(0, 3)")
    [scale] = made._state["scales"].values()
    assert np.allclose([zero[:3], largest[:3]], [rgb(scale["light"][end]) for end in (0, -1)], atol=2)
    assert masked == [0, 0, 0, 0]
    still = np.asarray(Image.open(io.BytesIO(made._picture()[0])).convert("RGBA"))
    assert (np.abs(still - [*zero[:3], 255]).max(-1) < 12).sum() > 400  # of many cells


@pytest.mark.parametrize("dark", sample([False, True], True))
def test_axe_finds_nothing(show, dark):
    page = show(head=DARK, body=every_kind())
    page.evaluate("dark => document.documentElement.classList.toggle('dark', dark)", dark)
    assert problems(page) == []
    page.get_by_role("button", name="Skip").click()
    for button in page.get_by_role("button", name="Numbers").all():
        button.click()
    assert problems(page) == []


# Where a finger or a mouse aims, and what is too small for it.
TARGETS = ":is(button, input:not([type=radio]), label:has([type=radio]), select, canvas):visible"
SMALL = """(all) => all.map((node) => [node.outerHTML, node.getBoundingClientRect()])
  .filter(([, box]) => box.width < 24 || box.height < 24)"""
NARROW = """[...document.querySelectorAll(".kernelfree-figure")].every((_, n) =>
  [...root(n).querySelectorAll("canvas")].every((canvas) => canvas.width <= 340))"""


def test_it_fits_its_page_with_targets_of_24_pixels(show):
    page = show(body=every_kind() + html_of(figure(large)))
    four = page.locator(".kernelfree-figure").nth(1).locator("canvas")
    for width, lines in {320: [1] * 4, 360: [1] * 4, 640: [2, 2], 1280: [4]}.items():
        assert fits(page, width)
        page.wait_for_timeout(200)
        assert page.locator(f".kernelfree-figure {TARGETS}").evaluate_all(SMALL) == []
        tops = Counter(round(canvas.bounding_box()["y"]) for canvas in four.all())
        assert [*tops.values()] == lines
    # Where the page gives it less room and the window stays, it is drawn anew.
    assert not page.evaluate(NARROW)
    page.evaluate("document.querySelector('main').style.width = '340px'")
    page.wait_for_function(NARROW)


def test_labels_stand_on_their_canvas_and_apart(page, show):
    page.add_init_script(WRITTEN)
    page.set_viewport_size({"width": 320, "height": 800})
    panels = labels.PANELS
    show(*(explore(lambda t, p=p: {"one": p, "two": p}, t=[1]) for p in panels.values()))
    kinds = np.repeat(list(panels), 2)
    for width in (320, 900):
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_timeout(200)
        shown = {}
        for kind, (wide, high, texts) in zip(kinds, page.evaluate("rewritten()"), strict=True):
            for text, (left, right, top, bottom), _ in texts:
                assert min(left, top, wide - right, high - bottom) >= -0.5, (kind, text)
            for how, axis, room in (("center top", 0, 3), ("right middle", 2, 0)):
                ends = sorted({tuple(box[axis : axis + 2]) for _, box, its in texts if its == how})
                for (_, end), (start, _) in pairwise(ends):
                    assert end + room < start, (kind, ends)
            shown[kind] = [text for text, *_ in texts]
        # None of this is won by writing nothing.
        assert {"20000", "40000", "100000"} & set(shown["large"])
        assert {"1", "10,000"} <= set(shown["log"])
        assert len([text for text in shown["dates"] if text.startswith("2024-")]) >= 2
        assert len([text for text in shown["short"] if text.startswith("w")]) >= (width == 900) * 3


def test_what_is_drawn_is_read_out(show):
    days = np.array(["2023-12-31", "2024-02-29", "2024-03-01"], "datetime64[D]")
    hours = np.datetime64("2024-02-28T18:00") + 12 * np.arange(5) * np.timedelta64(1, "h")
    panels = {
        "curve": Curve(hours[::2], {"y": [1, 2, 3]}, xlabel="Hour"),
        "plot": Plot({"a": Points([(hour, 2.5 * n) for n, hour in enumerate(hours)])}),
        "days": Plot({"a": Points([(day, n) for n, day in enumerate(days)])}),
    }
    page = show(figure(kernels), explore(lambda t: panels, t=[1]))
    for panel, moves, told in (
        ("kernel", 2, r"Distance −2\.9: kernel 2\.4\d+e−15, flat 0\.500\d*\."),
        ("weights", 1, r"weights, key 1: 0\.\d+; the row sums to 1\.0+\..*"),
        ("curve", 2, "Hour 2024-02-29T18:00:00: .*"),
        ("plot", 2, r"plot, a: x 2024-02-29T06:00:00, y 2\.50.*"),
        ("days", 2, r"days, a: x 2024-02-29, y 1\.00.*"),
    ):
        picture = page.get_by_role("application", name=panel)
        picture.focus()
        for _ in range(moves):
            page.keyboard.press("ArrowRight")
        said = page.locator(".kernelfree-figure").filter(has=picture).locator("p[aria-live]")
        expect(said).to_have_text(re.compile(f"^{told}$"))
    page.get_by_role("button", name="Numbers").last.click()
    heads = page.get_by_role("table", name="curve").get_by_role("columnheader")
    expect(heads).to_have_text([f"2024-0{day}T18:00:00" for day in ("2-28", "2-29", "3-01")])


def test_a_browser_that_cannot_unpack_the_script_shows_the_picture(own_page, written):
    own_page.add_init_script("delete window.DecompressionStream")
    with own_page.expect_event("pageerror"):
        own_page.goto(written(figure(lengths), pictures=True))
    expect(own_page.locator(".kernelfree-figure img")).to_be_visible()


def test_a_strict_policy_that_allows_the_script_by_its_hash(show):
    source = script("static.packed.js").encode()
    digest = base64.b64encode(hashlib.sha256(source).digest()).decode()
    policy = f"default-src 'none'; img-src data:; script-src 'sha256-{digest}' 'strict-dynamic'"
    made = figure(lengths)
    page = show(made, head=f'<meta http-equiv="Content-Security-Policy" content="{policy}">')
    page.evaluate("move(0, 4)")
    scale = made._state["scales"]["weight"]
    check_colors(scale, lengths(5, 1).numpy(), page.evaluate("colors()[0]"))
    expect(page.locator(".bar")).to_have_css("background-image", re.compile("gradient"))
    expect(page.locator(".title")).to_have_css("font-weight", "600")


RENDER = f'{PANELS} import widget from "./figure/widget.js"; window.mount = widget.render;'
CYCLE = """async ([times, cleaned]) => {
  const state = document.querySelector("script[type='application/json']").textContent;
  const none = () => {};
  for (let i = 0; i < times; i++) {
    const el = document.body.appendChild(document.createElement("div"));
    const _state = JSON.parse(state);
    const values = { _state, value: _state.start };
    const close = mount({ model: { get: (k) => values[k], set: none, on: none, off: none }, el });
    if (i % 20 === 0) await new Promise(requestAnimationFrame);
    if (cleaned) close();
    el.remove();
  }
  await new Promise((done) => setTimeout(done, 400));
}"""


@pytest.mark.beyond
def test_memory_after_200_figures_is_back_where_it_was(show):
    """Closed by the clean-up that render returns, or dropped by the page."""
    page = show(figure(lengths))
    page.add_script_tag(content=bundled(RENDER))
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")

    def held(times, cleaned):
        page.evaluate(CYCLE, [times, cleaned])
        for _ in range(2):
            session.send("HeapProfiler.collectGarbage")
        metrics = {m["name"]: m["value"] for m in session.send("Performance.getMetrics")["metrics"]}
        return [metrics[key] for key in ("Nodes", "JSHeapUsedSize", "JSEventListeners")]

    for cleaned in (True, False):
        before, after = held(20, cleaned), held(200, cleaned)
        nodes, heap, listeners = (now - was for now, was in zip(after, before, strict=True))
        assert nodes <= 60
        assert heap < 500_000
        assert listeners <= 20 or not cleaned


@pytest.mark.beyond
def test_a_figure_whose_numbers_have_come_by_half_waits_for_the_rest(page, written, tmp_path):
    """Its neighbour's script runs meanwhile."""
    written(figure(steps), figure(lengths))
    text = (tmp_path / "page.html").read_bytes()
    half = text.rindex(b"<script type") + 200
    rest = threading.Event()

    class Halves(Files):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(text[:half])
            rest.wait(10)
            self.wfile.write(text[half:])

    with serve(tmp_path, Halves) as address:
        page.goto(address, wait_until="commit")
        page.wait_for_function("document.querySelectorAll('.kernelfree-figure').length === 2")
        page.wait_for_timeout(500)  # the first one's script is unpacked
        rest.set()
        expect(page.locator(".kernelfree-figure[data-alive]")).to_have_count(2)
