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
from drawn import HELPERS, WRITTEN, cell, check_colors, check_table, rgb
from examples import (
    CONTROLS,
    DARK,
    QUESTION,
    TOKENS,
    figure,
    html_of,
    kernels,
    large,
    lengths,
    steps,
)
from exhaustive import EXHAUSTIVE, sample
from expected import tables_of
from kinds import every_kind, heads, of_words
from PIL import Image
from playwright.sync_api import expect
from serving import Files, serve

from d2lmini import Bars, Curve, Heatmap, Plane, Plot, Points, Words, explore
from kernelfree import Number
from kernelfree.script import script

# ---- the numbers -------------------------------------------------------------------------------


@pytest.mark.parametrize("function", [lengths, steps, kernels, large])
def test_a_random_walk_shows_what_torch_computes(show, function):
    made = figure(function)
    controls = {
        name: [False, True] if options is True else list(options)
        for name, options in CONTROLS[function].items()
    }
    options = list(controls.values())
    # The tables of `large`, which has four states, take a while.
    count = 12 if function is large else 1000 if EXHAUSTIVE else 50
    rng = random.Random(7)
    walk = [(c, rng.randrange(len(options[c]))) for c in rng.choices(range(len(options)), k=count)]
    page = show(made)
    # What is shown after every move; a state that comes again must look the same again.
    seen, changed = page.evaluate(
        """([walk, state]) => {
          const seen = {};
          const changed = [];
          root().querySelector(".tools button").click();
          walk.forEach(([control, option], i) => {
            move(control, option);
            state[control] = option;
            const shown = JSON.stringify([tables(), colors()]);
            seen[state] ??= shown;
            if (seen[state] !== shown) changed.push(i);
          });
          return [seen, changed];
        }""",
        [walk, [these.index(made.value[name]) for name, these in controls.items()]],
    )
    assert changed == []
    assert len(seen) >= min(5, math.prod(map(len, options)))
    for key, shown in seen.items():
        places = map(int, key.split(","))
        values = [these[place] for these, place in zip(options, places, strict=True)]
        panels = zip(
            made._state["panels"], tables_of(function(*values)), *json.loads(shown), strict=True
        )
        for look, matrix, table, drawn in panels:
            check_table(made, look, matrix, table)
            if look["kind"] == "heatmap":
                check_colors(made._state["scales"][look["role"]], matrix, drawn)


# ---- reading and moving ------------------------------------------------------------------------


def status(page):
    return page.locator(".kernelfree-figure p[aria-live]").last


def test_controls_and_cells_by_keyboard_and_pointer(show):
    made = figure(steps, labels={"length": "valid length"})
    page = show(made)
    slider = page.get_by_role("slider", name="valid length")
    slider.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert slider.get_attribute("aria-valuetext") == "3"
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
    # A table of the numbers is one key away.
    table = page.get_by_role("table", name="weights", exact=True)
    assert table.count() == 0
    page.keyboard.press("t")
    assert table.get_by_role("columnheader").all_text_contents()[:7] == [*TOKENS, "sum"]
    assert table.get_by_role("cell", name="1.000").count() == 5
    page.keyboard.press("t")
    assert table.count() == 0


def test_curves_and_bars_are_read_out(show):
    page = show(figure(kernels))
    for panel, moves, told in (
        ("kernel", 2, r"Distance −2\.9: kernel 2\.4\d+e−15, flat 0\.500\d*\."),
        ("weights", 1, r"weights, key 1: 0\.\d+; all sum to 1\.0+\..*"),
    ):
        page.get_by_role("application", name=panel).focus()
        for _ in range(moves):
            page.keyboard.press("ArrowRight")
        assert re.fullmatch(told, status(page).text_content())


def test_play_steps_to_the_end_and_stops(own_page, written):
    own_page.goto(written(figure(lengths, play="len_1")))
    own_page.clock.install()
    slider = own_page.get_by_role("slider", name="len 1")
    for button, milliseconds, place in (
        ("Play", 1300, "2"),
        ("Pause", 5000, "2"),
        ("Play", 60_000, "9"),
        ("Play", 0, "0"),
    ):
        own_page.get_by_role("button", name=button).click()
        own_page.clock.run_for(milliseconds)
        assert slider.input_value() == place


def test_a_point_between_two_gaps_is_a_dot(show):
    nan = math.nan
    page = show(explore(lambda a: Curve([1, 2, 3, 4, 5], {"y": [0, nan, 5, nan, 9]}), a=[1]))
    alpha = page.locator("canvas").evaluate(
        """(canvas) => {
          const [left, top, wide, high] = canvas.dataset.cells.split(",").map(Number);
          const scale = canvas.width / canvas.clientWidth;
          const place = [left + 2.5 * wide, top + (1 - 5 / 10) * high];
          const at = place.map((length) => length * scale - 2);
          const { data } = canvas.getContext("2d").getImageData(...at, 5, 5);
          return data.filter((_, i) => i % 4 === 3).reduce((sum, alpha) => sum + alpha);
        }"""
    )
    assert alpha > 2 * 255  # a disc of two pixels


def test_a_hyphen_of_a_name_is_no_minus_sign(show):
    names = w.SelectionSlider(options=[("co-sine", 1), ("x-y-z", 2)])
    page = show(explore(lambda x: Number(x), x=names))
    for place, name in enumerate(["co-sine", "x-y-z"]):
        page.evaluate(f"move(0, {place})")
        expect(page.get_by_role("slider")).to_have_attribute("aria-valuetext", name)


# What a page hands down to all that stands in it, as some pages and readers' own sheets have it.
HANDED = """<style>html { direction: rtl } body { text-indent: 3em; letter-spacing: 5px;
word-spacing: 9px; text-transform: uppercase; text-align: right; font-weight: 700; cursor: help;
font-style: italic; line-height: 3; white-space: pre; word-break: break-all; hyphens: auto;
text-shadow: 1px 1px red; list-style: square }</style>"""


def test_what_a_page_hands_down_stops_at_a_figure(show):
    made = explore(
        lambda up: {
            "map": Heatmap([[-3.0, up], [0.25, 1.0]], large=True),
            "line": Curve([-1, 0, 1], {"a": [up, -3, 2], "b": [1, 2, 3]}),
            "words": Words(["one", "two"], [0.25, 0.75], touch="up"),
        },
        up=[1, 2],
        title="Handed down",
    )
    seen = []
    for head in ("", HANDED):
        page = show(made, head=f"<style>body {{ width: 900px; margin: 0 }}</style>{head}")
        page.get_by_role("button", name="Numbers").click()
        page.mouse.move(0, 0)
        shot = page.locator(".kernelfree-figure > div").screenshot()
        seen.append(np.asarray(Image.open(io.BytesIO(shot)).convert("RGB"), int))
    assert np.abs(np.subtract(*seen)).max() < 40  # the edges of letters


def test_a_label_of_another_direction_begins_at_its_own_side(show):
    made = explore(lambda a: {"מפה (1)": [[a]]}, a=[1, 2], labels={"a": "אורך (1)"}, title="כותרת!")
    page = show(made)
    # A sign at the end of such a line stands at its left.
    assert (
        page.locator(".title, label, .name").evaluate_all(
            """(all) => all.map((node) => {
          const { firstChild: text } = node;
          const at = (from) => {
            const range = document.createRange();
            range.setStart(text, from);
            range.setEnd(text, from + 1);
            return range.getBoundingClientRect().left;
          };
          return at(text.length - 1) < at(0);
        })"""
        )
        == [True] * 3
    )


def test_an_address_leads_to_a_state(show):
    there = "figure-steps-sums"
    page = show(
        figure(steps, title="Steps & Sums"),
        body=f'<a href="#{there}?length=5&amp;kind=distance&amp;mask=false&amp;no=1">look</a>',
        address=f"#{there}?length=3&scale=2",
    )
    length, kind = page.get_by_role("slider", name="length"), page.get_by_role("combobox")
    assert length.get_attribute("aria-valuetext") == "3"
    assert page.get_by_role("slider", name="scale").get_attribute("aria-valuetext") == "2"
    for _ in range(2):
        page.get_by_role("link", name="look").click()
        expect(length).to_have_attribute("aria-valuetext", "5")
        assert kind.input_value() == "distance"
        assert not page.get_by_role("switch").is_checked()
        page.get_by_role("button", name="Reset").click()
        assert length.get_attribute("aria-valuetext") == "1"
    page.evaluate("move(0, 3)")
    page.get_by_role("button", name="Link").click()
    assert page.url.endswith(f"#{there}?length=4&scale=0.25&kind=dot+product&mask=true")
    page.reload()
    assert length.get_attribute("aria-valuetext") == "4"


def test_floats_are_shown_and_addressed_as_they_look(show):
    made = explore(lambda a=0.3, b=0: [[a + b]], a=np.linspace(0, 1, 11), b=(0, 2), title="Tenths")
    page = show(
        made,
        body='<a href="#figure-tenths?a=0.30000000000000004">look</a>',
        address="#figure-tenths?a=0.7",
    )
    slider = page.get_by_role("slider", name="a", exact=True)
    assert slider.get_attribute("aria-valuetext") == "0.7"
    for place in range(11):
        page.evaluate(f"move(0, {place})")
        assert slider.get_attribute("aria-valuetext") == f"{place / 10:g}"
        assert page.locator("b").first.inner_text() == f"{place / 10:g}"
    expect(status(page)).to_contain_text("a = 1. ")
    page.evaluate("move(0, 6)")
    page.get_by_role("button", name="Link").click()
    assert page.url.endswith("#figure-tenths?a=0.6&b=0")
    page.get_by_role("link", name="look").click()
    expect(slider).to_have_attribute("aria-valuetext", "0.3")
    for text, told in [("0.20", "0.2"), ("4e-1", "0.4"), ("0.5000000001", "0.5")]:
        page.evaluate(f"location.hash = 'figure-tenths?a={text}'")
        expect(slider).to_have_attribute("aria-valuetext", told)
    for i, text in enumerate(["0.55", "x", "", "2"]):
        page.evaluate(f"location.hash = 'figure-tenths?a={text}&b={1 + i % 2}'")
        other = page.get_by_role("slider", name="b")
        expect(other).to_have_attribute("aria-valuetext", f"{1 + i % 2}")
        assert slider.get_attribute("aria-valuetext") == "0.5"


# As in "Using Interact", the page of ipywidgets' documentation.
PAIRS = [("one", 10), ("two", 20)]
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
    made, returned = [], []

    def total(x, y, kept):
        kept.append(y * (len(x) if isinstance(x, str) else x))
        return Number(kept[-1])

    for given in INTERACT:
        returned.append([])
        made.append(explore(total, x=given, y=w.fixed(20), kept=w.fixed(returned[-1])))
    page = show(*made)

    def shown():
        texts = page.locator(".number").all_inner_texts()
        return [float(text.replace("\u2212", "-")) for text in texts]

    first = [one._state["controls"][0]["options"].index(one._state["start"]["x"]) for one in made]
    last = [len(all_of) - 1 for all_of in returned]
    for places in (first, last, [0] * len(made)):
        if places != first:
            page.evaluate("(all) => all.forEach((place, n) => move(0, place, n))", places)
        truth = [all_of[place] for all_of, place in zip(returned, places, strict=True)]
        assert shown() == pytest.approx(truth, rel=1e-3)


def test_a_menu_in_another_language_has_the_addresses_of_the_english_one(show):
    made = explore(
        lambda rule: {"": Bars([1.0 + len(rule)]), "say": f"规则：{rule}"},
        rule=["普通", "差一步"],
        title="规则",
        address={"": "The rule", "rule": ["plain", "off by one"]},
    )
    page = show(made, body='<a href="#figure-the-rule?rule=off+by+one">look</a>')
    menu = page.get_by_role("combobox")
    assert menu.inner_text().split() == ["普通", "差一步"]
    page.get_by_role("link", name="look").click()
    expect(menu).to_have_value("差一步")
    expect(page.locator(".foot p").first).to_have_text("规则：差一步")
    expect(status(page)).to_contain_text("rule = 差一步. ")
    menu.select_option("普通")
    assert page.evaluate("document.querySelector('.kernelfree-figure').value") == {"rule": "plain"}
    page.get_by_role("button", name="Link").click()
    assert page.url.endswith("#figure-the-rule?rule=plain")


@pytest.mark.beyond
def test_a_title_in_any_script_is_an_address(show):
    titles = ["注意力", "Внимание", "दूरी", "≤"]
    made = [figure(lengths, title=title) for title in titles]
    page = show(*made, address=f"#figure-{titles[0]}?len_1=4")
    sliders = page.get_by_role("slider", name="len 1")

    def told():
        return [slider.get_attribute("aria-valuetext") for slider in sliders.all()]

    now = ["4", "1", "1", "1"]
    assert told() == now
    for n, title in enumerate(titles):
        page.evaluate(f"location.hash = '{quote(f'figure-{title.lower()}')}?len_1=2'")
        expect(sliders.nth(n)).to_have_attribute("aria-valuetext", "2")
        page.evaluate(f"move(0, 6, {n})")
        now[n] = "7"
        assert told() == now
        page.get_by_role("button", name="Link").nth(n).click()
        page.reload()
        now = ["1"] * 4
        now[n] = "7"
        assert told() == now
        page.evaluate(f"() => {{{HELPERS}}}")


WAITS = "(node) => Boolean(node.closest('[inert]'))"


def test_a_figure_waits_until_its_question_is_answered(show):
    page = show(figure(lengths, predict=QUESTION))
    slider = page.locator(".kernelfree-figure input").first
    assert slider.evaluate(WAITS)
    page.get_by_role("button", name="It changes nothing.").click()
    told = page.locator(".quiz p").text_content()
    assert told == (
        "Not quite. Keys that were hidden get a weight above zero. "
        "The answer: It spreads the weight over more keys."
    )
    assert not slider.evaluate(WAITS)
    page.get_by_role("button", name="It spreads").click()
    assert page.locator(".quiz p").text_content().startswith("Right. The softmax")
    page.reload()
    assert slider.evaluate(WAITS)
    page.get_by_role("button", name="Skip").click()
    assert not slider.evaluate(WAITS)
    # What is printed is the question until it is answered.
    page.reload()
    page.evaluate(f"() => {{{HELPERS}}}")
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
    for hidden in (page.locator(".quiz"), page.get_by_text("Reset")):
        expect(hidden).to_be_hidden()


MAP = Plane({"you": Points((0, 0), ["you"])}, "km east", "km north", xlim=(-2, 2), ylim=(-2, 2))


def four(panel):
    names = ("one", "two", "three", "four")
    return explore(lambda a: dict.fromkeys(names, panel), a=[1, 2], title="Four")


@pytest.mark.beyond
def test_four_pictures_and_their_controls_are_seen_at_once(show):
    panels = [
        MAP,
        *(Heatmap(torch.ones(n, n), xlabel="Keys", ylabel="Queries") for n in (8, 16)),
    ]
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
    slider = page.get_by_role("slider")
    for go in (
        lambda: page.get_by_role("link", name="two").click(),
        lambda: page.evaluate("location.hash = 'figure-four?a=1'"),
    ):
        page.evaluate("scrollTo(0, document.body.scrollHeight)")
        expect(slider).not_to_be_in_viewport()
        go()
        expect(slider).to_be_in_viewport()
    expect(slider).to_have_attribute("aria-valuetext", "1")


# ---- places and people -------------------------------------------------------------------------


@pytest.mark.chromium
def test_without_scripts_the_first_picture_is_shown(still, written):
    still.goto(written(figure(steps), of_words(heads), pictures=True))
    for told in (
        "steps: scores, heatmap of 5 x 6; masked scores",
        "heads: heads, 2 x 3 thumbnails; words, words: the animal didn't cross it was too",
    ):
        assert still.get_by_role("img", name=told).is_visible()
    assert still.locator("main").inner_text().strip() == "Test"


@pytest.mark.chromium
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


def test_nothing_small_masked_and_absent_look_different(show):
    """In cells that are large enough for numbers, and in others."""

    def odd(size):
        matrix = torch.ones(2, size)
        matrix[:, :3] = torch.tensor([0, 0.007, -torch.inf])
        absent = torch.arange(2 * size).reshape(2, size) == size
        return explore(lambda t: Heatmap(matrix, absent=absent, xlabel="Columns"), t=[1])

    page = show(odd(12), odd(3))
    for n in range(2):
        zero, small = page.evaluate(f"colors({n})[0][0].slice(0, 2)")
        assert zero == [0, 0, 0, 0]
        assert small[3] == 255
        assert max(small[:3]) - min(small[:3]) > 20
        # What is drawn anywhere in each of the first column's cells, and in the masked one.
        drawn = page.evaluate(
            """(n) => {
              const canvas = root(n).querySelector("canvas");
              const [left, top, wide, high] = canvas.dataset.cells.split(",").map(Number);
              const any = (x, y) => canvas.getContext("2d")
                .getImageData(x + 2, y + 2, wide - 4, high - 4).data.some((part) => part);
              return [any(left, top), any(left, top + high), any(left + 2 * wide, top)];
            }""",
            n,
        )
        assert drawn == [True, False, True]  # a dot or the number 0; nothing; hatching
        page.get_by_role("button", name="Numbers").nth(n).click()
        shown = page.evaluate(f"tables({n})[0]")
        assert float(shown[0][0]) == 0
        assert shown[1][0] == ""
        assert [row[2] for row in shown] == ["masked", "masked"]
        assert float(shown[1][-1]) > 0  # the sum of what is there


@pytest.mark.chromium
def test_a_saved_figure_is_a_page_that_lives_on_a_disk(page, tmp_path):
    path, made = tmp_path / "lengths.html", figure(lengths)
    made.save(path)
    page.context.set_offline(True)
    for look in ("light", "dark"):
        page.emulate_media(color_scheme=look)
        page.goto(path.as_uri())
        page.evaluate(f"() => {{{HELPERS}}}")
        drawn = page.evaluate("colors()[0][0]")
        assert np.allclose(drawn[0][:3], rgb(made._state["scales"]["weight"][look][-1]), atol=2)
        page.evaluate("move(0, 9)")
        assert page.evaluate("colors()[0][0]") != drawn
        assert problems(page) == []


@pytest.mark.parametrize("dark", sample([False, True], True))
def test_axe_finds_nothing(show, dark):
    page = show(head=DARK, body=every_kind())
    if dark:
        page.evaluate("document.documentElement.className = 'dark'")
    assert problems(page) == []
    page.get_by_role("button", name="Skip").click()
    for button in page.get_by_role("button", name="Numbers").all():
        button.click()
    assert problems(page) == []


TOPS = """[...root(1).querySelectorAll("canvas")]
  .map((canvas) => Math.round(canvas.getBoundingClientRect().top))"""
NARROW = """() => [...document.querySelectorAll(".kernelfree-figure > div")]
  .flatMap((host) => [...host.shadowRoot.querySelectorAll("canvas")])
  .every((canvas) => canvas.width <= 340)"""


def test_it_fits_its_page_with_targets_of_24_pixels(show):
    page = show(body=every_kind() + html_of(figure(large)))
    targets = "button, input:not([type=radio]), label:has([type=radio]), select, canvas"
    for width, lines in {320: [1] * 4, 360: [1] * 4, 640: [2, 2], 1280: [4]}.items():
        assert fits(page, width)
        page.wait_for_timeout(200)
        small = page.evaluate(
            """(targets) => [...document.querySelectorAll(".kernelfree-figure > div")]
              .flatMap((host) => [...host.shadowRoot.querySelectorAll(targets)])
              .filter((node) => node.checkVisibility())
              .map((node) => [node.outerHTML, node.getBoundingClientRect()])
              .filter(([, box]) => box.width < 24 || box.height < 24)""",
            targets,
        )
        assert small == []
        assert [*Counter(page.evaluate(TOPS)).values()] == lines
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
                assert left >= -0.5, (kind, text, left)
                assert top >= -0.5, (kind, text, top)
                assert right <= wide + 0.5, (kind, text, right - wide)
                assert bottom <= high + 0.5, (kind, text, bottom - high)
            below = sorted({tuple(box[:2]) for _, box, how in texts if how == "center top"})
            for (_, end), (start, _) in pairwise(below):
                assert end + 3 < start, (kind, below)
            beside = sorted({tuple(box[2:]) for _, box, how in texts if how == "right middle"})
            for (_, end), (start, _) in pairwise(beside):
                assert end < start, (kind, beside)
            shown[kind] = [text for text, *_ in texts]
        # None of this is won by writing nothing.
        assert {"20000", "40000", "100000"} & set(shown["large"])
        assert {"1", "10,000"} <= set(shown["log"])
        assert len([text for text in shown["dates"] if text.startswith("2024-")]) >= 2
        assert len([text for text in shown["short"] if text.startswith("w")]) >= (width == 900) * 3


def test_a_date_is_told_as_a_date(show):
    days = np.array(["2023-12-31", "2024-02-29", "2024-03-01"], "datetime64[D]")
    hours = np.datetime64("2024-02-28T18:00") + 12 * np.arange(5) * np.timedelta64(1, "h")
    points = {
        "plot": Points([(hour, 2.5 * n) for n, hour in enumerate(hours)]),
        "days": Points([(day, n) for n, day in enumerate(days)]),
    }
    curve = Curve(hours[::2], {"y": [1, 2, 3]}, xlabel="Hour")
    panels = {"curve": curve, **{name: Plot({"a": points[name]}) for name in points}}
    page = show(
        *(explore(lambda t, n=n: {n: panels[n]}, t=[1], title=f"{n} alone") for n in panels)
    )
    for name, moment in (
        ("curve", "Hour 2024-02-29T18:00:00: "),
        ("plot", "plot, a: x 2024-02-29T06:00:00, y 2.50"),
        ("days", "days, a: x 2024-02-29, y 1.00"),
    ):
        page.get_by_role("application", name=name).focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        expect(
            page.get_by_role("group", name=f"{name} alone").locator("[aria-live]")
        ).to_contain_text(moment)
    page.get_by_role("button", name="Numbers").nth(0).click()
    heads = page.get_by_role("table", name="curve").get_by_role("columnheader")
    expect(heads).to_have_text([f"2024-0{day}T18:00:00" for day in ("2-28", "2-29", "3-01")])


def test_a_figure_that_fails_leaves_the_others_alive(own_page, written):
    good, bad = html_of(figure(lengths)), html_of(figure(kernels))
    broken = bad.replace('"kind":"curve"', '"kind":"none"', 1)
    assert broken != bad
    # One script, that finds them all at once.
    source = f"<script>{script('static.packed.js')}</script>"
    failed = []
    own_page.on("pageerror", lambda error: failed.append(error))
    own_page.goto(written(body=(good + broken + good).replace(source, "") + source))
    expect(own_page.get_by_role("application")).to_have_count(2)
    assert len(failed) == 1
    still = own_page.locator("[data-failed]")
    expect(still).to_have_count(1)
    expect(still.locator("img")).to_be_visible()
    expect(still.locator("> div")).to_have_count(0)


def test_a_browser_that_cannot_unpack_the_script_shows_the_picture(own_page, written):
    own_page.add_init_script("delete window.DecompressionStream")
    with own_page.expect_event("pageerror"):
        own_page.goto(written(figure(lengths), pictures=True))
    expect(own_page.locator(".kernelfree-figure img")).to_be_visible()


# ---- safety ------------------------------------------------------------------------------------


def test_a_strict_policy_that_allows_the_script_by_its_hash(show):
    source = script("static.packed.js").encode()
    digest = base64.b64encode(hashlib.sha256(source).digest()).decode()
    policy = f"default-src 'none'; img-src data:; script-src 'sha256-{digest}' 'strict-dynamic'"
    made = figure(lengths)
    page = show(made, head=f'<meta http-equiv="Content-Security-Policy" content="{policy}">')
    page.evaluate("move(0, 4)")
    weights, scale = lengths(5, 1).numpy(), made._state["scales"]["weight"]
    check_colors(scale, weights, page.evaluate("colors()[0]"))
    bar = page.locator(".bar").evaluate("(node) => getComputedStyle(node).backgroundImage")
    assert "gradient" in bar
    assert page.locator(".title").evaluate("(node) => getComputedStyle(node).fontWeight") == "600"


def counts(session):
    session.send("HeapProfiler.collectGarbage")
    session.send("HeapProfiler.collectGarbage")
    metrics = {m["name"]: m["value"] for m in session.send("Performance.getMetrics")["metrics"]}
    return {key: metrics[key] for key in ("Nodes", "JSEventListeners", "JSHeapUsedSize")}


RENDER = f'{PANELS} import widget from "./figure/widget.js"; window.mount = widget.render;'


@pytest.mark.beyond
@pytest.mark.chromium
def test_memory_after_200_figures_is_back_where_it_was(show):
    """Closed by the clean-up that render returns, or dropped by the page."""
    page = show(figure(lengths))
    page.add_script_tag(content=bundled(RENDER))
    page.evaluate(
        """() => {
          window.state = document.querySelector("script[type='application/json']").textContent;
          window.cycle = async (times, cleaned) => {
            for (let i = 0; i < times; i++) {
              const el = document.createElement("div");
              document.body.append(el);
              const _state = JSON.parse(state);
              const values = { _state, value: _state.start };
              const none = () => {};
              const model = { get: (k) => values[k], set: none, on: none, off: none };
              const close = mount({ model, el });
              if (i % 20 === 0) await new Promise(requestAnimationFrame);
              if (cleaned) close();
              el.remove();
            }
            await new Promise((done) => setTimeout(done, 400));
          };
        }"""
    )
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    for cleaned in (True, False):
        page.evaluate("(cleaned) => cycle(20, cleaned)", cleaned)
        before = counts(session)
        page.evaluate("(cleaned) => cycle(200, cleaned)", cleaned)
        after = counts(session)
        assert after["Nodes"] <= before["Nodes"] + 60
        assert after["JSHeapUsedSize"] < before["JSHeapUsedSize"] + 500_000
        if cleaned:
            assert after["JSEventListeners"] <= before["JSEventListeners"] + 20


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
