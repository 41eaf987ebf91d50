"""Words and grids in a real browser: drawn marks against torch, touching, lighting up."""

import random

import numpy as np
import pytest
import torch
from drawn import back_to_numbers, cell
from examples import draw
from exhaustive import EXHAUSTIVE
from kinds import MADE, TEXTS, TOKENS, WEIGHTS, date, heads, of_words, pairs, sentence

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
window.boxes = (n = 0) => {
  const { left, top } = root(n).querySelector(".drawn").getBoundingClientRect();
  return [...root(n).querySelectorAll(".words")].map((list) => [...list.children].map((word) => {
    const box = word.getBoundingClientRect();
    return [box.left - left, box.right - left, box.top - top, box.bottom - top];
  }));
};
window.links = (n = 0) => [...root(n).querySelectorAll(".drawn i")].map((node) => {
  const { left, top, width, height, opacity, rotate } = node.style;
  return [left, top, width, height, opacity, rotate].map(parseFloat);
});
"""


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
    check_colors(made, colors[~masked], numbers[~masked])


def check_colors(made, colors, numbers):
    """The numbers that shades stand for against torch; 0 has none."""
    scale = made._state["scales"]["weight"]
    found = np.where(colors[:, 3] == 0, 0, back_to_numbers(scale, colors[:, :3]))
    span = scale["high"] - scale["low"]
    np.testing.assert_allclose(found, numbers, atol=0.012 * span, rtol=0)


# ---- drawn marks against torch -----------------------------------------------------------------


def test_shades_and_the_chosen_word_in_a_random_walk(open_page):
    made = of_words(sentence)
    page = open_page(made)
    to_first(page, sentence)
    for control, place, values in walk(sentence):
        words = page.evaluate(f"move({control}, {place}), row()")
        assert [word["text"] for word in words] == TOKENS
        chosen = [i for i, word in enumerate(words) if word["chosen"]]
        assert chosen == [values["query"]]
        check_shades(made, words, sentence(**values)["sentence"].weights.numpy())
        assert page.locator(".foot p").first.text_content() == sentence(**values)["says"]


def test_lines_are_as_thick_as_weights_and_end_at_their_words(open_page):
    page = open_page(of_words(pairs))
    high = of_words(pairs)._state["scales"]["weight"]["high"]
    for width in (1000, 250):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(200)
        to_first(page, pairs)
        sources, targets = page.evaluate("boxes()")
        # The middles of two sides that face each other: x and y of a source and of a target.
        sides = [(source, target) for target in targets for source in sources]
        if width > 500:
            truth = [[(s[0] + s[1]) / 2, s[3], (t[0] + t[1]) / 2, t[2]] for s, t in sides]
        else:
            truth = [[s[1], (s[2] + s[3]) / 2, t[0], (t[2] + t[3]) / 2] for s, t in sides]
        for control, place, values in walk(pairs):
            links = page.evaluate(f"move({control}, {place}), links()")
            weights = pairs(**values)["weights"].matrix.numpy()
            left, top, long, thick, opacity, turn = np.transpose(links)
            half = 0.0006 / high * 10
            np.testing.assert_allclose(thick, 10 * weights.ravel() / high, atol=half, rtol=0)
            looks = np.repeat(np.arange(8), 8) == values["query"]
            np.testing.assert_array_equal(opacity, np.where(looks, 0.9, 0.12))
            y = top + thick / 2
            ends = [left, y, left + long * np.cos(turn), y + long * np.sin(turn)]
            np.testing.assert_allclose(np.transpose(ends), truth, atol=0.2)


def numbered(query=0):
    """The upper row says the weights, and is wider than the lower one."""
    weights = torch.softmax(draw(3, 3), -1)
    names = ["dog", "saw", "a much longer one"]
    above = [f"{name} {w:.2f}" for name, w in zip(names, weights[query], strict=True)]
    return {"": Words(above, weights, [*names[:2], "cat"], lines=True, touch="query")}


def test_words_of_two_equal_rows_stand_one_above_the_other(open_page):
    page = open_page(explore(numbered, query=range(3)))
    middles = np.array(page.evaluate("boxes()"))[..., :2].sum(-1) / 2
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
        colors = np.array(page.evaluate(THUMB, [r, c, len(text)]))
        check_colors(made, colors.reshape(-1, 4), truth.ravel())
        if len(text) < 8:
            assert page.evaluate(THUMB, [r, c, 8])[7][7][3] == 0


# ---- touching ----------------------------------------------------------------------------------


def value(page, name):
    slider = page.get_by_role("slider", name=name, exact=True)
    return slider.get_attribute("aria-valuetext")


def test_a_word_is_chosen_by_mouse_drag_and_keys(open_page):
    page = open_page(of_words(sentence))
    assert page.get_by_text("Touch one.").is_visible()
    page.get_by_text("animal", exact=True).click()
    assert value(page, "query") == "1"
    assert not page.get_by_text("Touch one.").is_visible()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert value(page, "query") == "3"
    assert page.get_by_role("radio", name="cross").is_checked()
    page.keyboard.press("ArrowLeft")
    assert value(page, "query") == "2"
    boxes = [page.get_by_text(t, exact=True).bounding_box() for t in ("the", "tired")]
    middles = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes]
    page.mouse.move(*middles[0])
    page.mouse.down()
    seen = []
    for step in range(41):
        part = step / 40
        page.mouse.move(*(a + part * (b - a) for a, b in zip(*middles, strict=True)))
        seen.append(value(page, "query"))
    page.mouse.up()
    assert list(dict.fromkeys(seen)) == [*"01234567"]


@pytest.mark.chromium
def test_a_finger_chooses_words_and_heads(phone, written):
    page, swipe = phone
    page.goto(written(of_words(sentence), of_words(heads)))
    page.get_by_text("tired", exact=True).first.tap()
    assert value(page, "query") == "7"
    first, third = (
        page.get_by_text(word, exact=True).first.bounding_box() for word in ("the", "didn't")
    )
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
    told = page.locator(".foot p[aria-live]")
    assert told.text_content() == "heads, layer 2, head 2; turn 5.000."
    for key in ("ArrowRight", "ArrowRight", "ArrowUp"):
        page.keyboard.press(key)
    assert (value(page, "layer"), value(page, "head")) == ("1", "3")
    page.get_by_role("button", name="Numbers").click()
    cells = page.get_by_role("table", name="heads").locator("td").all_text_contents()
    assert [float(text) for text in cells[1:]] == [1, 2, 3, 4, 5, 6]


def test_one_row_of_numbers_has_the_name_of_the_word_that_looks(open_page):
    page = open_page(of_words(sentence))
    page.get_by_role("button", name="Numbers").click()
    for place, word in enumerate(TOKENS):
        page.evaluate(f"move(0, {place})")
        assert page.locator("th[scope=row]").all_text_contents() == [word]


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


# ---- touch one, light all ----------------------------------------------------------------------


def lit(page, k=0, n=0):
    return [i for i, word in enumerate(page.evaluate(f"row({k}, {n})")) if word["lit"]]


def test_what_is_pointed_at_lights_up_in_every_panel_and_figure(open_page):
    def cells(a):
        return {"h": Heatmap(a * WEIGHTS, xticks=TOKENS), "b": Bars(WEIGHTS[0])}

    def keys(a):
        return {
            "p": Plane({"keys": Points([[i, a] for i in range(8)])}),
            "w": Words(TOKENS, WEIGHTS),
        }

    page = open_page(
        explore(cells, a=[1, 2], light="one"),
        explore(keys, a=[1, 2], light="one"),
        explore(keys, a=[1, 2], light="other", title="third"),
    )
    drawing = "([n, k]) => root(n).querySelectorAll('canvas')[k].toDataURL()"
    spots = [[0, 0], [0, 1], [1, 0], [2, 0]]
    before = [page.evaluate(drawing, spot) for spot in spots]
    canvas = page.locator("canvas").first
    canvas.hover(position=cell(canvas, 5, 2))
    now = [page.evaluate(drawing, spot) for spot in spots]
    assert [a != b for a, b in zip(now, before, strict=True)] == [True, True, True, False]
    assert lit(page, 0, 1) == [2, 5]  # the query and the key
    assert lit(page, 0, 2) == []
    # The row that is pointed at is the row that the words show.
    shown = page.evaluate("row(0, 1)")
    check_shades(explore(keys, a=[1, 2]), shown, WEIGHTS[2].numpy())
    page.mouse.move(0, 0)
    assert [page.evaluate(drawing, spot) for spot in spots] == before
    assert lit(page, 0, 1) == []
    page.get_by_text("too", exact=True).first.hover()
    assert page.evaluate(drawing, [0, 0]) != before[0]
    assert lit(page, 0, 1) == [0, 6]
