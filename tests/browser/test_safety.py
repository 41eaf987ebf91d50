"""No string that an author writes is run: it is shown as the text that it is.

Each string of a figure holds 50 payloads, one after the other, behind a word that says which string
it is. So one page tries all of them in all places, and whatever is read as HTML is missing in what
the figure shows and reads out.
"""

import pytest
import torch
from hostile import PAYLOADS

from d2lmini import (
    Area,
    Arrows,
    Bands,
    Bars,
    Borders,
    Curve,
    Field,
    Grid,
    Heatmap,
    Histogram,
    Lines,
    Plane,
    Plot,
    Points,
    Prediction,
    Regions,
    Rules,
    Segments,
    Words,
    add_role,
    explore,
)
from kernelfree import palette, texts

# What a figure itself never has.
FOREIGN = "iframe, img, svg, math, template, a, details"
LINE = [[0.0, 0.0], [1.0, 1.0], [1.0, 0.0]]
HALF, WINNERS = torch.full((2, 2), 0.5), torch.tensor([[0, 1], [1, 0]])

# In one order a payload may hide those behind it; then in the other it does not.
both_ways = pytest.mark.parametrize("payloads", [PAYLOADS, PAYLOADS[::-1]], ids=["to", "fro"])


@pytest.fixture(autouse=True)
def long_texts(monkeypatch):
    """Texts may be longer than authors may write them: safety does not rest on that. What a test
    adds is gone after it."""
    monkeypatch.setattr(texts, "MAX_SIGNS", 10_000)
    before = dict(palette.ROLES)
    yield
    palette.ROLES.clear()
    palette.ROLES.update(before)


class Texts:
    """The author's strings: `texts("unit")` is one that begins with "unit"; all are kept."""

    def __init__(self, payloads):
        self.payloads, self.given = " ".join(payloads), set()

    def __call__(self, name):
        self.given.add(f"{name} {self.payloads}")
        return f"{name} {self.payloads}"


def marks(t, place):
    """A mark of each kind, each with its own name, and names for the points."""
    fields = [t("who"), t("who else")]
    return {
        t("field"): Field([0, 1], [0, 1], HALF, WINNERS, names=fields),
        t("shades"): Field([0, 1], [0, 1], HALF, role="weight"),
        t("points"): Points(LINE, [t("a point"), "b", "c"], role=t("role of points")),
        t("arrows"): Arrows([[1.0, 2.0], [2.0, 1.0]], [t("an arrow"), "d"]),
        t("segment"): Segments((1.0, 1.0), [t("its end")]),
        t("border"): Borders((1.0, 1.0), 1.0),
        t("area"): Area([0, 1, 2], [0, 1, 0]),
        t("line"): Lines(LINE),
        t("region"): Regions(LINE),
        t("histogram"): Histogram([0.5, 1.5], [0, 1, 2]),
        t("rule"): Rules(x=1.0),
        t("band"): Bands(y=(0, 1)),
        t("a hand"): Arrows((2.0, place)),  # a point that is called like its mark
    }


def panels(t, place):
    """Panels of all kinds; each string is another."""
    plane = Plane(marks(t, place), t("plane x"), t("plane y"), drag={t("a hand"): "n"})
    stack = {t("part"): [0.5, 0.25], "rest": [0.25, 1.0]}
    return {
        t("plane"): plane,
        t("plot"): Plot({t("dots"): Points(LINE)}, t("plot x"), t("plot y")),
        t("curve"): Curve(
            [0, 1], {t("a curve"): [0, 1], "e": [1, 0]}, {t("a place"): (0, 1)}, t("curve x")
        ),
        t("stack"): Bars(stack, [t("label"), "f"], limit=1, unit=t("unit")),
        t("bars"): Bars([1.0, 2.0], role=t("role of bars"), xlabel=t("bars x")),
        t("map"): Heatmap(
            HALF, t("role"), t("map x"), t("map y"), [t("column"), "g"], [t("row"), "h"]
        ),
        t("words"): Words(
            [t("token"), "i"],
            HALF,
            [t("target"), "j"],
            lines=True,
            xlabel=t("tokens"),
            ylabel=t("target y"),
        ),
        t("shaded"): Words(
            [t("shaded token"), "k"], [1.0, 0.5], role=t("role of words"), touch="n"
        ),
        t("heads"): Grid(t("map"), "n", [1, 2], t("border of heads")),
        t("and so"): t("sentence"),
    }


# Numbers, menus and words of every panel are seen and read out.
VISIT = """async () => {
  const told = [];
  const seen = () => {
    const all = [...root().querySelectorAll("*")];
    told.push(...all.flatMap(({ ariaLabel }) => ariaLabel ?? []), root().textContent);
  };
  const click = (text) => [...root().querySelectorAll("button")]
    .find((one) => one.textContent.includes(text)).click();
  seen();
  click("choice");
  seen();
  click("Numbers");
  for (const canvas of root().querySelectorAll("canvas[tabindex]")) {
    canvas.focus();
    for (let i = 0; i < 20; i++) {
      canvas.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", shiftKey: true }));
      told.push(root().querySelector(".foot [aria-live]").textContent);
    }
  }
  for (const word of root().querySelectorAll(".words > *")) {
    word.scrollIntoView();
    const { left, top } = word.getBoundingClientRect();
    const at = { clientX: left + 3, clientY: top + 3, bubbles: true };
    word.dispatchEvent(new PointerEvent("pointermove", at));
    told.push(root().querySelector(".foot [aria-live]").textContent);
  }
  click("Link");
  told.push(decodeURIComponent(location.hash.replaceAll("+", " ")));
  seen();
  await new Promise((done) => setTimeout(done, 500));
  seen();
  return told.join("\\n");
}"""


def nothing_ran(page):
    figure = page.locator(".kernelfree-figure > div")
    assert figure.locator(f"{FOREIGN}, script, style").count() == 0
    assert page.evaluate(f"document.querySelectorAll('{FOREIGN}').length") == 0
    assert page.evaluate("window.hit") is None


def check(page, t, visit, *unseen):
    """No string is run; readers are told all but those that none sees, or that are drawn alone."""
    told = page.evaluate(visit).lower()
    unseen = {t(name) for name in unseen}
    assert [text[:20] for text in t.given - unseen if text.lower() not in told] == []
    nothing_ran(page)


@both_ways
def test_no_string_is_run(show, payloads):
    assert len(PAYLOADS) == len(set(PAYLOADS)) == 50
    t = Texts(payloads)
    for name in ("role", "role of bars", "role of points", "role of words"):
        add_role(t(name), "#a0307a")
    shown, option = [panels(t, place) for place in (2.0, 1.0)], t("option")
    question = Prediction(
        t("question"),
        {t("choice"): t("reply"), "no": "no"},
        t("choice"),
        at={t("menu"): "none"},
        then={t("menu"): option},
    )
    made = explore(
        lambda n, **menu: shown[n],
        n=range(2),
        **{t("menu"): ["none", option], t("slider"): range(2)},
        title=t("title"),
        labels={t("slider"): t("name of the slider")},
        play=t("slider"),
        light=t("light"),
        predict=question,
    )
    check(show(made), t, VISIT, "light", "and so", "role of points", "a place")


def changing(t):
    """Panels with all strings that may change with the state."""
    lines = {t("a curve"): [0, 1], "b": [1, 0]}
    return {
        t("plane"): Plane({"q": Arrows([LINE[1]], [t("tip")])}, t("plane x"), t("plane y")),
        t("plot"): Plot({"q": Points(LINE, [t("dot"), "c", "d"])}, t("plot x"), t("plot y")),
        t("curve"): Curve([0, 1], lines, {t("place"): (0, 1)}, t("curve x"), t("curve y")),
        t("bars"): Bars([1.0, 2.0], [t("label"), "e"], "weight", t("bars x"), t("bars y")),
        t("map"): Heatmap(
            HALF, "weight", t("map x"), t("map y"), [t("column"), "f"], [t("row"), "g"]
        ),
        t("words"): Words([t("token"), "h"], HALF, [t("target"), "i"], lines=True),
        t("and so"): t("sentence"),
    }


@both_ways
def test_no_string_that_changes_is_run(show, payloads):
    t = Texts(payloads)
    states = [changing(lambda name: name), changing(t)]
    page = show(explore(lambda n: states[n], n=range(2)))
    page.evaluate("move(0, 1)")
    check(page, t, VISIT.replace('click("choice");', ""), "and so", "place", "curve y")


@both_ways
def test_no_title_of_a_saved_page_is_run(page, tmp_path, payloads):
    title = Texts(payloads)("title")
    path = tmp_path / "it's <b>&.html"
    explore(lambda n: [[n]], n=range(2), title=title).save(path)
    page.goto(path.as_uri())
    for tag in ("title", "h1"):
        assert page.evaluate(f"document.querySelector('{tag}').textContent") == title
    assert page.locator(".kernelfree-figure > div .title").text_content() == title
    found = page.evaluate("[...document.querySelectorAll('script, style')].map((n) => n.localName)")
    assert found == ["style", "script", "script"]
    nothing_ran(page)
