"""The built book in a real Chromium: every slider of every page moves what torch has computed."""

import contextlib
import functools
import random

import pytest
import torch
from drawn import HELPERS, check_colors, check_table
from exhaustive import EXHAUSTIVE
from expected import tables_of
from playwright.sync_api import TimeoutError
from serving import HTML

import chapters

PAGES = [pytest.param(page, id=page.stem) for page in chapters.pages()]
# What is looked at in each run: prose alone, figures and quizzes, wide formulas.
A_FEW = ("index", "07_additive_attention", "notation")
SOME_PAGES = [
    pytest.param(*page.values, id=page.id, marks=[] if page.id in A_FEW else pytest.mark.exhaustive)
    for page in PAGES
]


@functools.cache
def figures_of(page):
    return chapters.figures(page)


def address(page, start):
    return f"{start}/{page.relative_to(chapters.ROOT).with_suffix('.html').as_posix()}"


# Whether what is drawn differs between the two ends of each slider.
BOTH_ENDS = """async (host) => {
  const root = host.shadowRoot;
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const drawn = async (slider, end) => {
    slider.value = end;
    slider.dispatchEvent(new Event("input"));
    await frame();
    await frame();
    return [...root.querySelectorAll(".panel")].map((panel) =>
      [panel.innerHTML, ...[...panel.querySelectorAll("canvas")].map((c) => c.toDataURL())]).join();
  };
  const differs = [];
  for (const slider of root.querySelectorAll("input[type=range]")) {
    [...root.querySelectorAll("button")].find((b) => b.textContent === "Reset").click();
    differs.push(await drawn(slider, slider.min || "0") !== await drawn(slider, slider.max));
  }
  return differs;
}"""


def wake(figure):
    """Go to a figure's address, as a reader does, until the figure is drawn.

    (A script's scrollIntoView misses: it measures far sections that shrink again when it is done.)
    """
    for _ in range(20):
        figure.evaluate("figure => location.replace('#' + figure.id)")
        with contextlib.suppress(TimeoutError):
            return figure.locator("> div").wait_for(state="attached", timeout=200)
    pytest.fail("a figure in view was not drawn")


# The figures of a page itself: the review has copies of some, which show when they are due.
OWN = ".kernelfree-figure:not(.all-prompts *)"


def hosts(page):
    """The figures of the open page, uncovered and with their tables shown."""
    for figure in page.locator(OWN).all():
        wake(figure)
    found = page.locator(f"{OWN}[data-alive] > div").all()
    for host in found:
        skip = host.get_by_role("button", name="Skip the question")
        if skip.count():
            skip.click()
        host.get_by_role("button", name="Numbers").click()
    return found


@pytest.mark.exhaustive
@pytest.mark.parametrize("chapter", PAGES)
def test_every_slider_moves_the_picture_to_what_torch_computes(chapter, page):
    figures = figures_of(chapter)
    page.context.set_offline(True)
    page.goto(address(chapter, HTML.as_uri()))
    check_figures(page, chapter, figures)


# What is no table of numbers; test_content.py looks at it.
CONTENT = ("html", "image", "number", "table", "text")


def check_figures(page, chapter, figures):
    """Uncover the figures of the open page, move them, and hold what they show against torch."""
    found = hosts(page)
    assert len(found) == len(figures)
    choose = random.Random(chapter.stem)
    page.evaluate(f"() => {{{HELPERS}}}")
    for n, (host, (figure, function)) in enumerate(zip(found, figures, strict=True)):
        assert all(host.evaluate(BOTH_ENDS)), f"{figure}: a slider changes nothing"
        if any(look["kind"] in CONTENT for look in figure._state["panels"]):
            continue
        for _ in range(4 if EXHAUSTIVE else 2):
            values = move(host, figure, choose)
            tables, colors = page.evaluate("n => [tables(n), colors(n)]", n)
            compare(figure, tables_of(function(**values)), tables, colors)


def move(host, figure, choose):
    """Set every control of a figure at random, as a reader would; return the values."""
    values = {}
    for control, field in zip(figure._state["controls"], host.locator(".field").all(), strict=True):
        if "options" not in control:
            values[control["name"]] = free(control, field, choose)
            continue
        options = control["options"]
        place = choose.randrange(len(options))
        values[control["name"]] = options[place]
        if control["kind"] == "slider":
            field.locator("input").fill(str(place))
        elif control["kind"] == "menu":
            field.locator("select").select_option(index=place)
        else:
            field.locator("input").set_checked(bool(options[place]))
    return values


def free(control, field, choose):
    """Set a control without stops, or one cell of it; return what the function gets."""
    low, high = control["low"], control["high"]
    if control["kind"] == "range":
        number = round(choose.uniform(low, high), control["decimals"])
        field.locator("input").fill(str(number))
        return torch.tensor(number, dtype=torch.float64)
    number = round(choose.uniform(low, high))
    field.locator("input").first.fill(str(number))
    numbers = [text.replace("\u2212", "-") for text in field.locator("input").evaluate_all(VALUES)]
    dtype = getattr(torch, control["dtype"])
    return torch.tensor(list(map(float, numbers)), dtype=dtype).reshape(control["shape"])


VALUES = "nodes => nodes.map((node) => node.value)"


def compare(figure, panels, tables, colors):
    """Hold what a figure shows, numbers and colours, against what torch computes."""
    looks = figure._state["panels"]
    assert len(looks) == len(panels) == len(tables) == len(colors)
    for at, (look, matrix) in enumerate(zip(looks, panels, strict=True)):
        check_table(figure, look, matrix, tables[at])
        if look["kind"] == "heatmap":
            check_colors(figure._state["scales"][look["role"]], matrix, colors[at])


@pytest.mark.chromium
@pytest.mark.parametrize("chapter", SOME_PAGES)
def test_without_javascript_the_first_picture_of_every_figure_is_seen(chapter, still):
    still.goto(address(chapter, HTML.as_uri()))
    for fold in still.locator(".fold > details > summary").all():  # outer ones come first
        fold.click()
    for cover in still.locator(".still summary").all():
        cover.click()
    pictures = still.locator(f"{OWN} img, .kernelfree-sentence img")
    assert pictures.count() == len(chapters.stored_figures(chapter))
    for picture in pictures.all():
        assert picture.bounding_box()["width"] > 100
        assert picture.get_attribute("alt")
