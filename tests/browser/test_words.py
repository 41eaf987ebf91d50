"""Words and grids in a real browser: drawn marks against torch, touching, lighting up."""

import random

import numpy as np
import pytest
import torch
from drawn import cell, check_colors
from exhaustive import EXHAUSTIVE
from kinds import MADE, TEXTS, TOKENS, WEIGHTS, date, heads, of_words, pairs, sentence
from playwright.sync_api import expect

from d2lmini import Bars, Heatmap, Plane, Points, Words, explore

STEPS = 400 if EXHAUSTIVE else 60

READ = """
window.row = (k = 0, n = 0) => [...root(n).querySelectorAll(".words")[k].children]
  .filter((word) => !word.hidden)
  .map((word) => ({
    text: word.textContent,
    color: (getComputedStyle(word).backgroundColor.match(/[\\d.]+/g) ?? []).map(Number),
    struck: word.style.textDecoration,
    chosen: word.control?.checked,
    lit: word.className,
  }));
"""
# Where words stand on their drawing, row by row; and the lines between them.
BOXES = """(lists) => lists.map((list) => [...list.children].map((word) => {
  const { left, top } = list.getRootNode().querySelector(".drawn").getBoundingClientRect();
  const box = word.getBoundingClientRect();
  return [box.left - left, box.right - left, box.top - top, box.bottom - top];
}))"""
LINKS = """(all) => all.map(({ style: { left, top, width, height, opacity, rotate } }) =>
  [left, top, width, height, opacity, rotate].map(parseFloat))"""


@pytest.fixture
def open_page(show):
    def opened(*figures, **options):
        page = show(*figures, **options)
        page.evaluate(f"() => {{{READ}}}")
        return page

    return opened


def walk(function):
    """Moves of a random walk, and the values after each."""
    rng, names = random.Random(3), list(MADE[function])
    options = [[False, True] if o is False else list(o) for o in MADE[function].values()]
    state = [0] * len(names)
    for _ in range(STEPS):
        control = rng.randrange(len(names))
        state[control] = rng.randrange(len(options[control]))
        values = {n: o[p] for n, o, p in zip(names, options, state, strict=True)}
        yield control, state[control], values


def to_first(page, function):
    page.evaluate(f"() => {{ for (let c = 0; c < {len(MADE[function])}; c++) move(c, 0) }}")


def check_shades(made, words, numbers):
    """The shades of words against torch; a masked word is struck through and has none."""
    masked = np.isneginf(numbers)
    colors = np.array([word["color"] + [255] * (4 - len(word["color"])) for word in words])
    assert [word["struck"] == "line-through" for word in words] == masked.tolist()
    assert (colors[masked][:, 3] == 0).all()
    check_colors(made._state["scales"]["weight"], np.where(masked, np.nan, numbers)[None], colors[None])


def test_shades_and_the_chosen_word_in_a_random_walk(open_page):
    """And the one row of numbers has the name of the word that looks."""
    made = of_words(sentence)
    page = open_page(made)
    page.get_by_role("button", name="Numbers").click()
    to_first(page, sentence)
    for control, place, values in walk(sentence):
        words = page.evaluate(f"move({control}, {place}), row()")
        assert [word["text"] for word in words] == TOKENS
        query = values["query"]
        assert [i for i, word in enumerate(words) if word["chosen"]] == [query]
        assert page.locator("th[scope=row]").all_text_contents() == [TOKENS[query]]
        check_shades(made, words, sentence(**values)["sentence"].weights.numpy())
        assert page.locator(".foot p").first.text_content() == sentence(**values)["says"]


def test_lines_are_as_thick_as_weights_and_end_at_their_words(open_page):
    page = open_page(of_words(pairs))
    high = of_words(pairs)._state["scales"]["weight"]["high"]
    for width in (1000, 250):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(200)
        to_first(page, pairs)
        sources, targets = np.array(page.locator(".words").evaluate_all(BOXES))
        # The middles of two sides that face each other: x and y of a source and of a target.
        s, t = np.tile(sources, (len(targets), 1)).T, np.repeat(targets, len(sources), 0).T
        if width > 500:
            truth = [(s[0] + s[1]) / 2, s[3], (t[0] + t[1]) / 2, t[2]]
        else:
            truth = [s[1], (s[2] + s[3]) / 2, t[0], (t[2] + t[3]) / 2]
        for control, place, values in walk(pairs):
            page.evaluate(f"move({control}, {place})")
            weights = pairs(**values)["weights"].matrix.numpy()
            left, top, long, thick, opacity, turn = np.transpose(page.locator(".drawn i").evaluate_all(LINKS))
            half = 0.0006 / high * 10
            np.testing.assert_allclose(thick, 10 * weights.ravel() / high, atol=half, rtol=0)
            looks = np.repeat(np.arange(8), 8) == values["query"]
            np.testing.assert_array_equal(opacity, np.where(looks, 0.9, 0.12))
            y = top + thick / 2
            ends = [left, y, left + long * np.cos(turn), y + long * np.sin(turn)]
            np.testing.assert_allclose(ends, truth, atol=0.2)


def test_words_of_two_equal_rows_stand_one_above_the_other(open_page):
    """Also where the upper row says more."""
    above, below = ["dog 0.25", "saw 0.50", "a much longer one 0.25"], ["dog", "saw", "cat"]
    page = open_page(explore(lambda a: Words(above, np.eye(3), below, lines=True), a=[1, 2]))
    middles = np.array(page.locator(".words").evaluate_all(BOXES))[..., :2].sum(-1) / 2
    np.testing.assert_allclose(*middles, atol=0.6)


def test_an_output_grows(open_page):
    made = of_words(date)
    page = open_page(made)
    for _, place, values in walk(date):
        page.evaluate(f"move(0, {place})")
        panel = date(**values)["date"]
        assert [word["text"] for word in page.evaluate("row(1)")] == panel.target
        check_shades(made, page.evaluate("row(0)"), panel.weights.numpy())


THUMB = """([r, c, size]) => {
  const canvas = root().querySelector("canvas");
  const px = canvas.width / parseFloat(canvas.style.width);
  const [left, top, wide, high] = canvas.dataset.cells.split(",").map(Number);
  const ink = canvas.getContext("2d");
  const at = (k, box) => 4 + ((k + 0.5) * (box - 8)) / 8;
  return Array.from({ length: size }, (_, i) => Array.from({ length: size }, (_, j) =>
    [...ink.getImageData(Math.floor((left + c * wide + at(j, wide)) * px),
      Math.floor((top + r * high + at(i, high)) * px), 1, 1).data]));
}"""


def test_thumbnails_and_words_of_two_sentences_in_a_random_walk(open_page):
    made = of_words(heads)
    page = open_page(made)
    to_first(page, heads)
    rng = random.Random(1)
    for control, place, values in walk(heads):
        text = TEXTS[values["text"]]
        words = page.evaluate(f"move({control}, {place}), row()")
        assert [word["text"] for word in words] == text
        query = next(i for i, word in enumerate(words) if word["chosen"])
        check_shades(made, words, heads(**values)["words"].weights[query].numpy())
        r, c = rng.randrange(2), rng.randrange(3)
        truth = heads(values["text"], r + 1, c + 1)["words"].weights.numpy()
        check_colors(made._state["scales"]["weight"], truth, page.evaluate(THUMB, [r, c, len(text)]))
        if len(text) < 8:
            assert page.evaluate(THUMB, [r, c, 8])[7][7][3] == 0


def value(page, name):
    slider = page.get_by_role("slider", name=name, exact=True)
    return slider.get_attribute("aria-valuetext")


def test_a_word_is_chosen_by_mouse_drag_and_keys(open_page):
    page = open_page(of_words(sentence))
    hint = page.get_by_text("Touch one.")
    expect(hint).to_be_visible()
    page.get_by_text("animal", exact=True).click()
    assert value(page, "query") == "1"
    expect(hint).to_be_hidden()
    for key, now in (("Right", "2"), ("Right", "3"), ("Left", "2")):
        page.keyboard.press(f"Arrow{key}")
        assert value(page, "query") == now
        assert page.get_by_role("radio", name=TOKENS[int(now)]).is_checked()
    ends = [page.get_by_text(text, exact=True).bounding_box() for text in ("the", "tired")]
    middles = [[box["x"] + box["width"] / 2, box["y"] + box["height"] / 2] for box in ends]
    page.mouse.move(*middles[0])
    page.mouse.down()
    seen = []
    for x, y in np.linspace(*middles, 41).tolist():
        page.mouse.move(x, y)
        seen.append(value(page, "query"))
    page.mouse.up()
    assert list(dict.fromkeys(seen)) == [*"01234567"]


def test_a_finger_chooses_words_and_heads(phone, written):
    page, swipe = phone
    page.goto(written(of_words(sentence), of_words(heads)))
    page.get_by_text("tired", exact=True).first.tap()
    assert value(page, "query") == "7"
    first, third = (page.get_by_text(word, exact=True).first.bounding_box() for word in ("the", "didn't"))
    x = np.linspace(first["x"], third["x"], 9) + 10
    swipe(*((each, first["y"] + 10) for each in x.tolist()))
    assert value(page, "query") == "2"
    canvas = page.locator("canvas")
    wide, high = map(float, canvas.get_attribute("data-cells").split(",")[2:])
    assert min(wide, high) >= 24
    canvas.tap(position=cell(canvas, 2, 1))
    assert (value(page, "layer"), value(page, "head")) == ("2", "3")


def test_heads_by_mouse_and_keys(open_page):
    made = of_words(heads)
    page = open_page(made)
    # A matrix is touched without a control.
    for place, word in enumerate(TOKENS):
        page.locator(".words").get_by_text(word, exact=True).click()
        page.mouse.move(0, 0)
        check_shades(made, page.evaluate("row()"), heads()["words"].weights[place].numpy())
    canvas = page.get_by_role("application", name="heads")
    canvas.click(position=cell(canvas, 1, 1))
    assert (value(page, "layer"), value(page, "head")) == ("2", "2")
    expect(page.locator(".foot p[aria-live]")).to_have_text("heads, layer 2, head 2; turn 5.000.")
    for key in ("ArrowRight", "ArrowRight", "ArrowUp"):
        page.keyboard.press(key)
    assert (value(page, "layer"), value(page, "head")) == ("1", "3")
    page.get_by_role("button", name="Numbers").click()
    cells = page.get_by_role("table", name="heads").locator("td").all_text_contents()
    assert [float(text) for text in cells[1:]] == [1, 2, 3, 4, 5, 6]


def test_words_from_right_to_left_and_of_any_script(open_page):
    tokens = ["القطة", "تجلس", "على", "注意力"]
    made = explore(lambda q: {"w": Words(tokens, [0.1, 0.2, 0.3, 0.4], touch="q")}, q=range(4))
    page = open_page(made)
    boxes = [page.get_by_text(token, exact=True).bounding_box()["x"] for token in tokens[:3]]
    assert boxes == sorted(boxes, reverse=True)
    page.get_by_text(tokens[1], exact=True).click()
    page.keyboard.press("ArrowDown")
    assert value(page, "q") == "2"
    assert page.evaluate("root().querySelector('.words').textContent.trim()").split() == tokens


def test_what_is_pointed_at_lights_up_in_every_panel_and_figure(open_page):
    def cells(a):
        return {"h": Heatmap(a * WEIGHTS, xticks=TOKENS), "b": Bars(WEIGHTS[0])}

    def keys(a):
        points = Points([[i, a] for i in range(8)])
        return {"p": Plane({"keys": points}), "w": Words(TOKENS, WEIGHTS)}

    page = open_page(
        explore(cells, a=[1, 2], light="one"),
        explore(keys, a=[1, 2], light="one"),
        explore(keys, a=[1, 2], light="other", title="third"),
    )

    def drawn():
        return np.array(page.locator("canvas").evaluate_all("all => all.map((one) => one.toDataURL())"))

    def lit(n):
        return [i for i, word in enumerate(page.evaluate(f"row(0, {n})")) if word["lit"]]

    before = drawn()
    canvas = page.locator("canvas").first
    canvas.hover(position=cell(canvas, 5, 2))
    assert (drawn() != before).tolist() == [True, True, True, False]
    assert (lit(1), lit(2)) == ([2, 5], [])  # the query and the key
    # The row that is pointed at is the row that the words show.
    check_shades(explore(keys, a=[1, 2]), page.evaluate("row(0, 1)"), WEIGHTS[2].numpy())
    page.mouse.move(0, 0)
    assert ((drawn() == before).all(), lit(1)) == (True, [])
    page.get_by_text("too", exact=True).first.hover()
    assert (drawn()[0] != before[0], lit(1)) == (True, [0, 6])


# The cells of the first panel that have a frame in the query's colour.
FRAMED = """(canvas) => {
  const [left, top, wide, high] = canvas.dataset.cells.split(",").map(Number);
  const color = ([r, c]) => canvas.getContext("2d")
    .getImageData(left + (c + 0.5) * wide, top + r * high + 1, 1, 1).data.join();
  const cells = [0, 1, 2].flatMap((r) => [0, 1, 2, 3].map((c) => [r, c]));
  return cells.filter((cell) => color(cell) === "31,111,208,255");
}"""


def test_cells_and_bars_set_controls(show):
    rows = torch.softmax(torch.arange(12.0).reshape(3, 4) % 5, -1)

    def touched(query=0, key=0):
        cells = {"cells": Heatmap(rows, touch=("query", "key"))}
        row = {"rows": Heatmap(rows, touch=("query", None)), "bars": Bars(rows[query], touch="key")}
        return {**cells, **row, "says": f"query {query}, key {key}"}

    page = show(explore(touched, query=range(3), key=range(4)))
    said, canvases = page.locator(".foot p").first, page.locator("canvas[tabindex]").all()
    for panel, across, down, told in (
        (0, 3, 1, "query 1, key 3"),
        (1, 0, 2, "query 2, key 3"),  # a row, wherever it is touched
        (2, 1, 0, "query 2, key 1"),
    ):
        canvases[panel].click(position=cell(canvases[panel], across, down))
        assert said.text_content() == told
    for panel, keys, told in (
        (2, ["Right"], "query 2, key 2"),
        (1, ["Up", "Right"], "query 1, key 2"),
        (0, ["Up", "Left"], "query 0, key 1"),
    ):
        canvases[panel].focus()
        page.keyboard.press("Escape")
        for key in keys:
            page.keyboard.press(f"Arrow{key}")
        assert said.text_content() == told
    assert "arrow keys choose query and key" in canvases[0].get_attribute("aria-label")
    page.keyboard.press("Escape")
    assert canvases[0].evaluate(FRAMED) == [[0, 1]]
