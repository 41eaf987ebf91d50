"""What readers take away from a figure that asks for tools, and the numbers of all its states."""

import base64
import csv
import io
import re

import lxml.etree
import numpy as np
import pytest
from drawn import WIDGET, WRITTEN, place
from examples import DARK
from living import looking
from playwright.sync_api import expect
from serving import WATCH, Strict, serve

from kernelfree import (
    Arrows,
    Bars,
    Curve,
    Field,
    Grid,
    Heatmap,
    Image,
    Lines,
    Number,
    Plane,
    Plot,
    Points,
    Prediction,
    Table,
    Text,
    Words,
    explore,
)

SCORES = np.random.default_rng(0).normal(size=(3, 5))
WORDS = ["the", "cat", "sat", 'on "it", 你', "."]
KEYS = np.array([[2.0, 0.5], [-1.0, 1.5], [0.5, -1.8]])
X, SIDE = np.linspace(0, 6, 41), np.linspace(-2.5, 2.5, 15)


def weights(scale):
    shares = np.exp(SCORES * scale)
    return shares / shares.sum(axis=1, keepdims=True)


def numbers(scale=1.0, mask=False):
    hide = np.zeros((3, 5), bool)
    hide[:, 3:] = mask
    return {
        "weights": Heatmap(weights(scale), "number", masked=hide, xticks=WORDS, yticks=list("abc")),
        "first": Bars(-weights(scale)[0], WORDS),
    }


def small(**options):
    return explore(numbers, scale=[0.5, 1.0, 2.0], mask=False, title="Small & 好", **options)


def every(scale=1.0, word="cat"):
    shares = weights(scale)
    light = np.exp(-((np.stack(np.meshgrid(SIDE, SIDE), -1)[:, :, None] - KEYS) ** 2).sum(-1) / scale)
    won = Field(SIDE, SIDE, light.max(-1), light.argmax(-1), names=["A", "B", "C"])
    marks = {"far": won, "keys": Arrows(KEYS, ["A", "B", "C"]), "at": Points((scale, 0.5))}
    gap = np.where(X > 3, np.nan, np.cos(X))
    hide = np.arange(5)[None] > 2
    return {
        "weights": Heatmap(shares, "number", masked=np.repeat(hide, 3, 0), xticks=WORDS),
        "lines": Curve(X, {"sin & <x>": np.sin(X * scale), "gap": gap}, xlabel="Time (s)", ylabel="Height"),
        "plane": Plane(marks, drag={"at": "scale"}),
        "small ones": Grid("weights", "scale"),
        "behind": Words(WORDS, np.where(hide[0], np.nan, shares[WORDS.index(word) % 3]), touch="word"),
        "between": Words(WORDS, shares, WORDS[:3], lines=True),
        "text": Text("Two lines,\nof them this."),
        "share": Number(scale * 100, "of it", unit="%"),
        "table": Table([["Al", 2.7 * scale], ["Fe", 7.8]], ["metal", "mass"]),
        "picture": Image(np.eye(8), alt="eight", width=96),
        "says": f"At {scale} a sentence stands below.",
    }


def taken(page, name):
    """What a button gives: the name of the file, and its bytes."""
    with page.expect_download() as download:
        page.get_by_role("button", name=name, exact=True).click()
    return download.value.suggested_filename, download.value.path().read_bytes()


def rows(content):
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def expected(scale, mask):
    """The lines of a state, with numbers to four decimals."""
    for r, name in enumerate("abc"):
        for c, word in enumerate(WORDS):
            number = "" if mask and c > 2 else f"{weights(scale)[r, c]:.4f}"
            yield [f"{scale:g}", "on" if mask else "off", "weights", name, word, number]
    for c, word in enumerate(WORDS):
        yield [f"{scale:g}", "on" if mask else "off", "first", "number", word, f"{-weights(scale)[0, c]:.4f}"]


def test_the_numbers_of_the_shown_state_and_of_all_as_csv(show):
    page = show(small(tools=True, labels={"scale": r"scale $\omega$"}))
    page.get_by_role("button", name="Save").click()
    page.get_by_role("slider").press("End")
    page.get_by_role("switch").check()
    name, content = taken(page, "CSV")
    assert name == "small-好.csv"
    head = ["scale ω", "mask", "panel", "row", "column", "number"]
    assert rows(content) == [head, *expected(2.0, True)]
    name, content = taken(page, "CSV of all states")
    assert name == "small-好-all.csv"
    states = [(scale, mask) for scale in (0.5, 1.0, 2.0) for mask in (False, True)]
    assert rows(content) == [head, *(line for state in states for line in expected(*state))]
    # What is shown has not moved.
    expect(page.get_by_role("slider")).to_have_value("2")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("button", name="CSV", exact=True)).to_be_hidden()


COPIED = "\n".join(
    "\t".join(line)
    for line in [
        ["weights"],
        ["", *WORDS],
        *([name, *(f"{number:.4f}" for number in row)] for name, row in zip("abc", weights(1.0), strict=True)),
        [],
        ["first"],
        ["", *WORDS],
        ["number", *(f"{-number:.4f}" for number in weights(1.0)[0])],
    ]
)


@pytest.mark.parametrize("old", [False, True])
def test_the_numbers_are_copied_for_a_spreadsheet(show, page, old):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    if old:  # as on a page that is not served safely
        page.add_init_script("if (navigator.clipboard) navigator.clipboard.writeText = undefined")
    show(small(tools=True))
    page.get_by_role("button", name="Save").click()
    page.get_by_role("button", name="Copy the numbers").click()
    expect(page.get_by_text("The numbers are copied.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == COPIED


def test_all_states_are_shown_on_demand_below_the_shown_one(show):
    page = show(small(tools=True))
    opener = page.get_by_role("button", name="All states", exact=True)
    expect(opener).to_be_hidden()
    page.get_by_role("button", name="Numbers", exact=True).click()
    page.get_by_role("slider").press("End")
    opener.click()
    captions = page.locator("caption").all_text_contents()
    assert captions == ["weights", "first", "weights", "first"]
    shown, _, every, _ = page.locator("table").all()
    assert len(shown.locator("tbody tr").all()) == 3
    lines = [line.split("\t") for line in every.inner_text().split("\n")[1:]]
    assert lines[0] == ["scale", "mask", "", *WORDS]
    assert len(lines) == 1 + 6 * 3
    assert lines[4] == ["0.5", "on", "a", *(f"{number:.4f}" for number in weights(0.5)[0, :3]), "masked", "masked"]
    # The shown state goes on following the controls.
    page.get_by_role("slider").press("Home")
    assert shown.locator("td").nth(1).inner_text() == f"{weights(0.5)[0, 0]:.4f}"
    assert len(every.locator("tbody tr").all()) == 18
    page.get_by_role("button", name="Numbers", exact=True).click()
    expect(opener).to_be_hidden()


def test_a_table_of_many_rows_says_where_the_rest_is(show):
    page = show(explore(lambda n: np.ones((30, 2)), n=range(40), tools=True))
    page.get_by_role("button", name="Numbers", exact=True).click()
    page.get_by_role("button", name="All states").click()
    expect(page.locator(".states tbody tr")).to_have_count(1000)
    expect(page.locator(".states p")).to_have_text("200 more rows are in the file.")


# How far two pictures are from each other, of 255; both as large as the first.
FAR = """async (files) => {
  const drawn = [];
  let wide, high;
  for (const [type, text] of files) {
    const image = new Image();
    image.src = `data:${type};base64,${text}`;
    await image.decode();
    wide ??= image.width, high ??= image.height;
    const ink = new OffscreenCanvas(wide, high).getContext("2d");
    ink.drawImage(image, 0, 0, wide, high);
    drawn.push(ink.getImageData(0, 0, wide, high).data);
  }
  const [a, b] = drawn;
  const mean = (far) => a.reduce((sum, one, i) => sum + far(one, i), 0) / a.length;
  return [mean((one, i) => Math.abs(one - b[i])), mean((one) => 255 - one)];
}"""


@pytest.mark.parametrize("dark", [False, True])
def test_the_picture_as_svg_is_that_as_png_with_all_that_is_shown(show, dark):
    made = explore(every, scale=[0.5, 1.0, 2.0], word=WORDS, tools=True)
    page = show(made, head=DARK)
    page.evaluate("dark => { document.documentElement.className = dark ? 'dark' : ''; }", dark)
    before = page.locator("canvas").first.screenshot()
    page.get_by_role("button", name="Save").click()
    name, svg = taken(page, "SVG")
    assert name == "every.svg"
    tree = lxml.etree.fromstring(svg)
    texts = "\n".join(tree.itertext("{*}text"))
    said = "every", "scale = 1, word = cat", "sin & <x>", "Height", "At 1.0 a sentence stands below.", "metal", "of it"
    for text in said:
        assert text in texts, text
    assert "\u2194 drag" not in texts
    images = tree.findall(".//{*}image")
    assert len(images) == 1 + 3 + 1  # a field, thumbnails and a picture; all else is drawn
    assert len(tree.findall(".//{*}path")) > 8
    name, png = taken(page, "PNG")
    assert name == "every.png"
    wide = int.from_bytes(png[16:20], "big")
    assert wide == 3 * int(tree.get("width"))
    files = [[f"image/{kind}", base64.b64encode(one).decode()] for kind, one in (("svg+xml", svg), ("png", png))]
    far, ink = page.evaluate(FAR, files)
    assert far < 1.5
    assert 5 < ink < 100  # black on white, also of a dark page
    # The page is as it was.
    assert page.locator("canvas").first.screenshot() == before


def test_a_question_comes_first_and_a_live_figure_has_no_end_of_states(show):
    ask = Prediction("More?", {"yes": "Yes.", "no": "No."}, "yes", then={"scale": 2.0})
    page = show(small(tools=True, predict=ask))
    expect(page.get_by_role("button", name="Save")).to_be_hidden()
    page.get_by_role("button", name="Skip the question").click()
    page.get_by_role("button", name="Save").click()
    page = show(looking(tools=True))
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("button", name="CSV")).to_have_count(1)
    assert len(rows(taken(page, "CSV")[1])) > 10
    page.get_by_role("button", name="Numbers", exact=True).click()
    expect(page.get_by_role("button", name="All states")).to_have_count(0)


def test_it_bears_a_strict_policy_and_figures_without_tools_stay_as_they_are(page, tmp_path):
    page.add_init_script(WATCH)
    page.route("**/favicon.ico", lambda route: route.fulfill(status=204))
    small().save(tmp_path / "plain.html", script="figures.js")
    explore(every, scale=[0.5, 1.0], word=WORDS, tools=True).save(tmp_path / "every.html", script="figures.js")
    with serve(tmp_path, Strict) as address:
        page.goto(f"{address}/every.html")
        page.get_by_role("button", name="Save").click()
        for name in ("CSV", "CSV of all states", "SVG", "PNG"):
            assert len(taken(page, name)[1]) > 1000
        assert page.evaluate("refused") == []
        page.goto(f"{address}/plain.html")
        expect(page.get_by_role("button", name="Reset")).to_be_visible()
        expect(page.get_by_role("button", name="Save")).to_have_count(0)


def test_a_widget_has_them_too(page):
    made = small(tools=True)
    page.goto("about:blank")
    page.evaluate(WIDGET, [made._esm, made._state, made.value])
    page.get_by_role("button", name="Save").click()
    assert rows(taken(page, "CSV")[1])[1:] == list(expected(1.0, False))


def lines(scale=1.0):
    two = {"sin": np.sin(X * scale), "gap": np.where(X > 4, np.nan, np.cos(X))}
    marks = {
        "way": Lines(np.stack([X, X * scale], 1)),
        "fit": Lines([[0, 5], [3, 5], [6, 5.5]]),
        "at": Points([[1.0, 4.0]]),
    }
    return {"waves": Curve(X, two, xlabel="Time", ylim=(-1, 1)), "ways": Plot(marks, xlim=(0, 6), ylim=(0, 6))}


def drawn_in(page, at):
    """What is written on a canvas after it is painted once more."""
    canvases = page.evaluate("rewritten()")
    return [text for text, _, _ in canvases[at][2]]


@pytest.mark.parametrize("finger", [False, True])
def test_what_is_pointed_at_in_curves_and_lines_has_its_numbers_beside_it(request, written, finger):
    made = explore(lines, scale=[0.5, 1.0, 2.0], tools=True)
    page = request.getfixturevalue("phone")[0] if finger else request.getfixturevalue("page")
    draw(page, written(made))
    canvases = page.locator("canvas").all()
    goals = [(0, 3.0, 0.7), (0, 4.8, 0.7), (1, 4.5, 4.45)]
    goals = [(n, *place(made, canvases[n], x, y, n)) for n, x, y in goals]

    def point(n, x, y):
        canvas, box = canvases[n], canvases[n].bounding_box()
        (canvas.tap if finger else canvas.hover)(position={"x": x - box["x"], "y": y - box["y"]})

    point(*goals[0])
    expect(page.get_by_text("Time 3: sin 0.141, gap \u22120.990.")).to_be_visible()
    assert {"sin 0.141", "gap \u22120.990"} <= {*drawn_in(page, 0)}
    # A gap has nothing to mark.
    point(*goals[1])
    assert [text for text in drawn_in(page, 0) if text[:3] in ("sin", "gap")] == ["sin \u22120.996"]
    point(*goals[2])
    expect(page.get_by_text("ways, way: x 4.50, y 4.50.")).to_be_visible()
    assert "4.50, 4.50" in drawn_in(page, 1)
    # Up and down lead from line to line, left and right along it.
    canvases[1].press("ArrowDown")
    canvases[1].press("ArrowRight")
    expect(page.get_by_text("ways, fit: x 6.00, y 5.500.")).to_be_visible()
    # It goes on following the controls.
    point(*goals[0])
    page.evaluate("document.querySelector('.kernelfree-figure').figure.change({ scale: 2 })")
    assert "sin \u22120.279" in drawn_in(page, 0)


def draw(page, address):
    """Open a page that notes what is written on canvases; its packed script comes alive after it."""
    page.add_init_script(WRITTEN)
    page.goto(address)
    page.locator("canvas").last.wait_for()


def below(page, at):
    """The numbers below a plot."""
    texts = page.evaluate("rewritten()")[at][2]
    return list(dict.fromkeys(text for text, _, how in texts if how == "center top" and text != "Time"))


def test_a_range_is_dragged_over_and_a_wheel_enlarges_and_both_stay_in_other_states(page, written):
    made = explore(lines, scale=[0.5, 1.0, 2.0], tools=True)
    draw(page, written(made))
    waves, ways = page.locator("canvas").all()
    left, middle, right = ((place(made, waves, x, y)) for x, y in ((1.5, 0.5), (3, 0.5), (4.5, 0.45)))
    whole = below(page, 0)
    page.mouse.move(*left)
    page.mouse.down()
    page.mouse.move(*right, steps=3)
    page.mouse.up()
    assert below(page, 0) == ["1.5", "2", "2.5", "3", "3.5", "4", "4.5"]
    assert {"1", "\u22120.5"} <= {*drawn_in(page, 0)}  # as high as before
    page.get_by_role("slider").press("End")
    page.mouse.move(*middle)
    expect(page.get_by_text("Time 3: sin \u22120.279, gap \u22120.990.")).to_be_visible()
    # The same points are thrice as far from each other: 3.15 is the next.
    page.mouse.move(middle[0] + 0.15 * (right[0] - left[0]) / 3 * 2, middle[1])
    expect(page.get_by_text("Time 3.15:")).to_be_visible()
    assert below(page, 0)[0] == "1.5"
    assert below(page, 1) == ["0", "2", "4", "6"]
    waves.dblclick(position={"x": 200, "y": 60})
    assert below(page, 0) == whole
    # What is under the pointer stays there.
    page.mouse.move(*place(made, ways, 3.0, 4.95, 1))
    expect(page.get_by_text("ways, fit: x 3.00, y 5.000.")).to_be_visible()
    page.keyboard.down("Control")
    page.mouse.wheel(0, -300)
    page.keyboard.up("Control")
    told = page.get_by_text("ways: x from")
    expect(told).to_be_visible()
    ends = [float(end) for end in re.findall(r"[\d.]*\d", told.text_content())]
    around = [at + (end - at) / 1.5**3 for at in (3.0, 4.95) for end in (0, 6)]
    assert ends == pytest.approx(around, abs=0.03)


def test_keys_and_buttons_enlarge_and_say_so(page, written):
    page.add_init_script(WRITTEN)
    page.goto(written(explore(lines, scale=[0.5, 1.0, 2.0], tools=True)))
    ways = page.get_by_role("application", name="ways: arrow keys read the numbers, T shows a table, + and \u2212 zoom")
    ways.press("+")
    expect(page.get_by_text("ways: x from 1 to 5, y from 1 to 5.")).to_be_visible()
    ways.press("-")
    expect(page.get_by_text("ways: all is shown.")).to_be_visible()
    for _ in range(12):
        ways.press("+")
    expect(page.get_by_text("ways: x from 2.85 to 3.15, y from 2.85 to 3.15.")).to_be_visible()
    # What the arrow keys lead to comes in sight.
    ways.press("ArrowRight")
    expect(page.get_by_text("ways, at: x 1.000, y 4.000.")).to_be_visible()
    assert below(page, 1)[0] == "0.85"
    ways.press("0")
    expect(page.get_by_text("ways: all is shown.")).to_be_visible()
    assert below(page, 1) == ["0", "2", "4", "6"]
    page.get_by_role("button", name="Zoom", exact=True).click()
    page.get_by_role("button", name="Zoom in").click()
    expect(
        page.get_by_text("waves: Time from 1 to 5, y from \u22120.667 to 0.667. ways: x from 1 to 5")
    ).to_be_visible()
    page.get_by_role("button", name="Show all").click()
    expect(page.get_by_text("waves: all is shown. ways: all is shown.")).to_be_visible()


def test_a_finger_marks_a_range_where_the_buttons_are_shown(phone, written):
    page, swipe = phone
    made = explore(lines, scale=[0.5, 1.0, 2.0], tools=True)
    draw(page, written(made))

    def across():
        waves = page.locator("canvas").first
        swipe(*(place(made, waves, x, 0.5) for x in (1.5, 2, 3, 4.5)))
        return below(page, 0)

    whole = below(page, 0)
    assert across() == whole  # it reads
    page.get_by_role("button", name="Zoom", exact=True).click()
    assert across() == ["1.5", "2", "2.5", "3", "3.5", "4", "4.5"]
    page.get_by_role("button", name="Show all").click()
    assert below(page, 0) == whole
