"""No string that an author writes is run: it is shown as the text that it is.

Each string of a figure holds 50 payloads, one after the other, behind a word that says which string
it is. So one page tries all of them in all places, and whatever is read as HTML is missing in what
the figure shows and reads out.
"""

import pytest
import torch
from hostile import PAYLOADS

import d2lmini as d
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


def marks(t, fixed, place):
    """A mark of each kind, each with its own name, and names for the points."""
    fields = [fixed("who"), fixed("who else")]
    shown = {
        "field": d.Field([0, 1], [0, 1], HALF, WINNERS, names=fields),
        "shades": d.Field([0, 1], [0, 1], HALF, role="weight"),
        "points": d.Points(LINE, [t("a point"), "b", "c"], role=fixed("role of points")),
        "arrows": d.Arrows([[1.0, 2.0], [2.0, 1.0]], [t("an arrow"), "d"]),
        "segment": d.Segments((1.0, 1.0), [t("its end")]),
        "border": d.Borders((1.0, 1.0), 1.0),
        "area": d.Area([0, 1, 2], [0, 1, 0]),
        "line": d.Lines(LINE),
        "region": d.Regions(LINE),
        "histogram": d.Histogram([0.5, 1.5], [0, 1, 2]),
        "rule": d.Rules(x=1.0),
        "band": d.Bands(y=(0, 1)),
        "a hand": d.Arrows((2.0, place)),  # a point that is called like its mark
    }
    return {fixed(name): mark for name, mark in shown.items()}


def panels(t, fixed, place=2.0):
    """Panels of all kinds; each string is another, and those by `t` may change with the state."""
    hands = marks(t, fixed, place)
    curves = {t("a curve"): [0, 1], "e": [1, 0]}, {t("a place"): (0, 1)}
    stack = {fixed("part"): [0.5, 0.25], "rest": [0.25, 1.0]}
    ticks = [t("column"), "g"], [t("row"), "h"]
    words = [t("token"), "i"], HALF, [t("target"), "j"]
    unit = {"limit": 1, "unit": fixed("unit")}
    touched = {"role": fixed("role of words"), "touch": "n"}
    return {
        t("plane"): d.Plane(hands, t("plane x"), t("plane y"), drag={fixed("a hand"): "n"}),
        t("plot"): d.Plot({fixed("dots"): d.Points(LINE)}, t("plot x"), t("plot y")),
        t("curve"): d.Curve([0, 1], *curves, t("curve x"), t("curve y")),
        t("stack"): d.Bars(stack, [t("label"), "f"], ylabel=t("bars y"), **unit),
        t("bars"): d.Bars([1.0, 2.0], role=fixed("role of bars"), xlabel=t("bars x")),
        fixed("map"): d.Heatmap(HALF, fixed("role"), t("map x"), t("map y"), *ticks),
        t("words"): d.Words(*words, lines=True, xlabel=fixed("tokens"), ylabel=fixed("target y")),
        t("shaded"): d.Words([fixed("shaded token"), "k"], [1.0, 0.5], **touched),
        fixed("heads"): d.Grid(fixed("map"), "n", [1, 2], fixed("border of heads")),
        t("and so"): t("sentence"),
    }


def with_roles(fixed):
    for name in ("role", "role of bars", "role of points", "role of words"):
        d.add_role(fixed(name), "#a0307a")


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
    with_roles(t)
    shown, option = [panels(t, t, place) for place in (2.0, 1.0)], t("option")
    choices, move = {t("choice"): t("reply"), "no": "no"}, {"at": {t("menu"): "none"}, "then": {t("menu"): option}}
    question = d.Prediction(t("question"), choices, t("choice"), **move)
    made = d.explore(
        lambda n, **menu: shown[n],
        n=range(2),
        **{t("menu"): ["none", option], t("slider"): range(2)},
        title=t("title"),
        labels={t("slider"): t("name of the slider")},
        play=t("slider"),
        light=t("light"),
        predict=question,
    )
    unseen = "light", "and so", "role of points", "a place", "curve y", "bars y"
    check(show(made), t, VISIT, *unseen)


@both_ways
def test_no_string_that_changes_is_run(show, payloads):
    t = Texts(payloads)
    with_roles(str)
    states = [panels(str, str), panels(t, str, 1.0)]
    page = show(d.explore(lambda n: states[n], n=range(2)))
    page.evaluate("move(0, 1)")
    visit = VISIT.replace('click("choice");', "")
    check(page, t, visit, "and so", "a place", "curve y", "bars y")


@both_ways
def test_no_title_of_a_saved_page_is_run(page, tmp_path, payloads):
    title = Texts(payloads)("title")
    path = tmp_path / "it's <b>&.html"
    d.explore(lambda n: [[n]], n=range(2), title=title).save(path)
    page.goto(path.as_uri())
    for tag in ("title", "h1"):
        assert page.evaluate(f"document.querySelector('{tag}').textContent") == title
    assert page.locator(".kernelfree-figure > div .title").text_content() == title
    found = page.evaluate("[...document.querySelectorAll('script, style')].map((n) => n.localName)")
    assert found == ["style", "script", "script"]
    nothing_ran(page)
