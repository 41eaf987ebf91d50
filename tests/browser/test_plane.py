"""Planes, plots and curves of marks: what they draw, and marks in the reader's hand."""

import base64
import copy
import io
import random

import numpy as np
import pytest
import torch
from drawn import rgb
from examples import ARROWS, PLACES, SPOTS, STEPS, keeper
from kinds import cloud, morning, of_marks
from PIL import Image
from playwright.sync_api import expect

import d2lmini as d
from d2lmini.roles import ROLES
from kernelfree import Text
from kernelfree.palette import GREY, GROUPS


class Drawn:
    """The canvas of a figure's only panel, in the coordinates of its axes."""

    def __init__(self, page, figure, n=0):
        self.page, self.figure = page, figure
        self.panel = figure._now()[0][0]
        self.canvas = page.locator(".kernelfree-figure > div").nth(n).locator("canvas")
        left, top, _, self.high = map(float, self.canvas.get_attribute("data-cells").split(","))
        self.left, self.top = left, top
        self.wide = self.canvas.evaluate("(c) => parseFloat(c.style.width)") - left - 14
        self.look()

    def at(self, x, y):
        """Where a point stands on the canvas."""
        (x0, x1), (y0, y1) = self.panel["xaxis"], self.panel["yaxis"]
        right, down = (x - x0) / (x1 - x0), (y1 - y) / (y1 - y0)
        return self.left + right * self.wide, self.top + down * self.high

    def look(self):
        data = self.canvas.evaluate("(c) => c.toDataURL().split(',')[1]")
        self.image = np.array(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGBA"))

    def color(self, x, y, right=0, down=0):
        """Red, green, blue and alpha at a point, some pixels beside it."""
        a, b = self.at(x, y)
        return self.image[round(b + down - 0.5), round(a + right - 0.5)].astype(int)

    def on_page(self, *places):
        """Where points stand on the page."""
        box = self.canvas.bounding_box()
        return [(box["x"] + a, box["y"] + b) for a, b in (self.at(*place) for place in places)]

    def drag(self, start, end):
        start, end = self.on_page(start, end)
        self.page.mouse.move(*start)
        self.page.mouse.down()
        self.page.mouse.move(*end, steps=2)
        self.page.mouse.up()


def values(page):
    return [float(text.replace("\u2212", "-")) for text in page.locator("b").all_inner_texts()]


def test_a_random_walk_draws_what_torch_computes(show):
    page = show(of_marks(keeper))
    drawn = Drawn(page, of_marks(keeper))
    scale = of_marks(keeper)._state["scales"]["weight"]
    drawn.canvas.press("ArrowUp")  # the hint is gone
    rng = random.Random(3)
    for _ in range(12):
        places = [rng.randrange(9), rng.randrange(9), rng.randrange(2)]
        for control, place in enumerate(places):
            page.evaluate(f"move({control}, {place})")
        x, y, temper = STEPS[places[0]], STEPS[places[1]], (0.5, 1.0)[places[2]]
        drawn.look()
        check_arrow(drawn, np.array([x, y]))
        check_territories(drawn, temper)
        check_dots(drawn, torch.softmax(ARROWS @ torch.tensor([x, y]) / temper, 0).numpy(), scale)


def check_arrow(drawn, tip):
    """Along the arrow it is blue, and beyond its tip it is not."""
    length = np.linalg.norm(tip)
    if length < 0.8:
        return
    blue = rgb(ROLES["query"][0])
    for part in (0.3, 0.6):
        around = [drawn.color(*(part * tip), a, b) for a in (-1, 0, 1) for b in (-1, 0, 1)]
        assert min(abs(color[:3] - blue).max() for color in around) < 25
    beyond = tip * (1 + 0.1 / length)
    assert abs(drawn.color(*beyond)[:3] - blue).max() > 35


def check_territories(drawn, temper):
    """Far from all marks, each place has the colour of its winner, as strong as its weight."""
    shares = torch.softmax(PLACES @ ARROWS.T / temper, -1)
    normals = torch.nn.functional.normalize(ARROWS.roll(1, 0) - ARROWS, dim=1)
    checked = 0
    for row in range(1, 29, 3):
        for column in range(1, 29, 3):
            place = PLACES[row, column]
            if (normals @ place).abs().min() < 0.3 or not 1.9 < place.norm() < 3 or place[1] > 1.8:
                continue
            if min(abs(place[0] % 2), abs(place[1] % 2)) < 0.2:  # a line of the grid
                continue
            color = drawn.color(*place.tolist())
            want = rgb(GROUPS[shares[row, column].argmax()][0])
            if abs(color[:3] - want).max() > 12:
                assert place.norm() < 2.9  # a projection, a key or an arrow can pass there
                continue
            assert color[3] == pytest.approx(30 + 150 * shares[row, column].max(), abs=3)
            checked += 1
    assert checked > 5


def check_dots(drawn, weights, scale):
    """Each dot has an area and a colour for its weight."""
    for (x, y), weight in zip(SPOTS.tolist(), weights, strict=True):
        radius = max(2, 13 * np.sqrt(weight / drawn.panel["marks"][4]["top"]))
        if radius < 4:
            continue
        stops = np.array([rgb(color) for color in scale["light"]])
        at = (weight - scale["low"]) / (scale["high"] - scale["low"]) * (len(stops) - 1)
        want = [np.interp(at, np.arange(len(stops)), part) for part in stops.T]
        inside, outside = drawn.color(x, y, right=radius - 2.5), drawn.color(x, y, down=radius + 2)
        assert abs(inside[:3] - want).max() < 10
        assert abs(outside[:3] - want).max() > 10 or outside[3] < 200


def test_bells_rules_and_gaps_are_drawn_where_they_stand(show):
    page = show(of_marks(morning))
    drawn = Drawn(page, of_marks(morning))
    grey, blue = rgb(GREY[0]), rgb(ROLES["key"][0])
    for place, q in ((4, 2.0), (16, 8.0)):
        page.evaluate(f"move(0, {place})")
        drawn.look()
        # The rule, the filled bell beside it, nothing beyond, and the line that ends at 5.
        assert abs(drawn.color(q, -0.75)[:3] - grey).max() < 30
        assert 30 < drawn.color(q + 0.25, 0.1)[3] < 90
        assert drawn.color(q + 1.75, 0.6, down=-3)[3] < 30
        assert abs(drawn.color(1.0, 0.5)[:3] - blue).max() < 60
        assert drawn.color(6.3, 0.5, down=-1)[3] < 100
    # Bells and widths are dragged along one axis.
    page.get_by_role("button", name="Reset").click()
    for act, now in (
        (lambda: drawn.drag((4.2, 0.3), (7.2, 0.9)), [7, 1]),
        (lambda: drawn.drag((8, 0.6), (8.6, -0.4)), [7, 1.5]),
        (lambda: page.keyboard.press("ArrowLeft"), [7, 1]),
        (lambda: (page.keyboard.press("Enter"), page.keyboard.press("ArrowLeft")), [6.5, 1]),
    ):
        act()
        assert values(page) == now


def test_a_histogram_may_have_other_bins_in_another_state(show):
    def counts(bins):
        edges = np.linspace(0, 1, bins + 1)
        return d.Plot({"h": d.Histogram([0.1, 0.2, 0.9], edges)}, ylim=(0, 3))

    many = [4, 1, 3]
    page = show(d.explore(counts, bins=many), *[d.explore(counts, bins=[n]) for n in many])
    for opener in page.get_by_role("button", name="Numbers").all():
        opener.click()
    for place in range(3):
        page.evaluate(f"move(0, {place})")
        shown = "(n) => [root(n).querySelector('canvas').toDataURL(), tables(n)]"
        assert page.evaluate(shown, 0) == page.evaluate(shown, place + 1)


def test_axes_change_with_the_state(show):
    made = copy.copy(of_marks(cloud))
    page = show(made)
    drawn = Drawn(page, made)
    for place, spread in enumerate((1, 2, 4)):
        page.evaluate(f"move(0, {place})")
        made.value = {"spread": spread, "divide": False}
        drawn.panel = made._now()[0][0]
        assert drawn.panel["xaxis"] == (-2 * spread, 2 * spread)
        drawn.look()
        top = drawn.panel["yaxis"][1] * 0.98
        assert drawn.color(0.45 * spread, top)[3] > 40
        assert drawn.color(0.55 * spread, top)[3] < 30


def test_names_leave_rings_and_each_other_free(show):
    def marks(a):
        back = d.Bands(y=(-1, 1))
        return {"first": d.Points((0, a)), "second": d.Points((0.05, a)), "back": back}

    sides = {"xlim": (-1, 1), "ylim": (-1, 1)}
    plots = [lambda a, drag=drag: d.Plot(marks(a), drag=drag, **sides) for drag in ({"first": "a"}, {})]
    made = [d.explore(plot, a=[0.0, 0.5]) for plot in plots]
    page = show(*made)
    turns = np.linspace(0, 2 * np.pi, 16, endpoint=False)
    for n, parts in enumerate((1, 0)):
        drawn = Drawn(page, made[n], n)
        ring = [drawn.color(0, 0, 11 * np.cos(t), 11 * np.sin(t))[3] for t in turns]
        assert (np.array(ring) > 120).mean() == pytest.approx(parts, abs=0.35)
        # The page shows around the letters.
        assert (drawn.image == 255).all(-1).sum() > 100


def test_a_point_is_moved_to_the_nearest_state_and_the_sliders_follow(show):
    page = show(of_marks(keeper))
    drawn = Drawn(page, of_marks(keeper))
    before = drawn.image

    def look(right, where):
        """Whether the cursor says what can be moved there."""
        [(x, y)] = drawn.on_page(where)
        page.mouse.move(x + right, y)
        return drawn.canvas.evaluate("(c) => getComputedStyle(c).cursor")

    # The cursor says that the point can be moved; so does the figure, until it was.
    assert look(11, (1, 1)) == "grab"  # within 24 px across
    page.mouse.down()
    assert look(60, (1, 1)) == "grabbing"
    page.mouse.up()
    assert look(0, (-2.5, 2)) not in ("grab", "grabbing")
    page.get_by_role("button", name="Reset").click()
    drawn.look()
    assert (before != drawn.image).any()
    now = np.array([1.0, 1.0])
    for target in np.random.default_rng(5).uniform(-2, 2, (6, 2)):
        drawn.drag(now, target)
        now = np.array([min(STEPS, key=lambda s, t=t: abs(s - t)) for t in target])
        assert values(page)[:2] == now.tolist()
    for start, end in ((now, (3, 3)), ((-2.5, -2.5), (1, 1))):  # there is nothing to take
        drawn.drag(start, end)
        assert values(page)[:2] == [2, 2]
    # By keys, and with Shift it is read.
    page.get_by_role("button", name="Reset").click()
    assert "arrow keys move query" in drawn.canvas.get_attribute("aria-label")
    drawn.canvas.focus()
    for key in ["Right", "Up", "Up", "Left", "Left", "Left", "Up"]:
        page.keyboard.press(f"Arrow{key}")
    assert values(page)[:2] == [0, 2]
    for _ in range(2):
        page.keyboard.press("Shift+ArrowRight")
    # The projections are read first: the second foot of (0, 2) is on (-0.5, 1.5).
    foot = 1.5 * 2 / 2.5 * np.array([-0.5, 1.5])
    told = f"plane, projections: sweet \u2212{-foot[0]:.3f}, sour {foot[1]:.3f}."
    assert page.locator("p[aria-live]").inner_text() == told
    for width in (320, 640, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_timeout(200)
        sizes = Drawn(page, of_marks(keeper))
        assert sizes.wide == pytest.approx(sizes.high, abs=1), "equal scales"


def test_a_finger_moves_the_mark_and_scrolls_the_page_elsewhere(phone, written):
    page, swipe = phone
    page.goto(written(of_marks(keeper), body="<p>" + "long<br>" * 200 + "</p>"))
    drawn = Drawn(page, of_marks(keeper))
    for start, end, scrolled in (((1, 1), (1.5, -1.5), False), ((-2, -2), (-2, 2), True)):
        swipe(*drawn.on_page(*np.linspace(start, end, 8).tolist()))
        page.wait_for_timeout(100)
        assert values(page)[:2] == [1.5, -1.5]
        assert (page.evaluate("scrollY") > 20) is scrolled


def test_the_sentence_of_a_figure_higher_than_the_window_is_seen_while_it_moves(phone, written):
    def tall(x=1.0, y=1.0):
        return {"": keeper(x, y), "note": Text("long\n" * 60), "says": f"Now it is {x}."}

    page, swipe = phone
    made = d.explore(tall, x=[1.0, 1.5], y=[1.0])
    page.goto(written(made))
    drawn, sentence = Drawn(page, made), page.get_by_text("Now it is")
    expect(sentence).not_to_be_in_viewport()
    swipe(*drawn.on_page(*np.linspace((1, 1), (1.5, 1), 8).tolist()))
    expect(sentence).to_have_text("Now it is 1.5.")
    expect(sentence).to_be_in_viewport()


def test_the_numbers_are_in_a_table(show):
    x, y = torch.linspace(0, 9, 10), torch.linspace(0, 4, 5)
    strength = (x[None] + 10 * y[:, None]) / 100
    field = d.Field(x, y, strength, (x[None] > 4).long().expand(5, 10), names=["low", "high"])
    tips = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    marks = {
        "drops": d.Segments(tips, starts=[1, 1]),
        "fruits": d.Arrows(tips, ["apple", "lemon"]),
        "other": d.Segments([[0, 1], [1, 0], [1, 1]]),
    }
    panels = d.Plot({"who": field}), d.Plane(marks)
    others = [d.explore(lambda a, one=one: one, a=[1, 2]) for one in panels]
    page = show(of_marks(keeper), of_marks(morning), *others)
    for button in page.get_by_role("button", name="Numbers").all():
        button.click()
    cells = "(r) => [...r.cells].map((c) => c.textContent)"
    found = page.evaluate(f"[...root(0).querySelectorAll('tbody tr')].map({cells})")
    rows = {name: texts for name, *texts in found}
    assert [float(text) for text in rows["query"][:2]] == [1, 1]
    weights = torch.softmax(ARROWS @ torch.ones(2), 0)
    assert float(rows["weights"][2]) == pytest.approx(weights[2].item(), abs=1e-3)
    assert page.evaluate("tables(1)[0][1].slice(-2)") == ["none", "none"]
    found = np.array(page.evaluate("tables(2)[0]"), float)
    want = [(c, r, (c + 10 * r) / 100) for r in (4, 3, 2, 1, 0) for c in (1, 3, 5, 7, 9)]
    np.testing.assert_allclose(found, want, atol=0.003)
    # Segments have the names of the arrows.
    figures = page.locator(".kernelfree-figure")
    heads = figures.nth(3).locator(".numbers th[scope=row]").all_text_contents()
    assert heads == ["drops apple", "drops lemon", "fruits apple", "fruits lemon", *["other"] * 3]
    for n, moves, told in (
        (2, 3, "plot, who high: x 5.00, y 4.00, strength 0.450."),
        (3, 1, "plane, drops apple: x 1.000, y 0.000."),
    ):
        figures.nth(n).get_by_role("application").focus()
        for _ in range(moves):
            page.keyboard.press("ArrowRight")
        assert figures.nth(n).locator(".foot [aria-live]").text_content() == told
