"""The pages of the built book in a browser: their addresses, their figures, held to torch."""

import contextlib
import functools
import json
import random

import pytest
import torch
from drawn import HELPERS, check_colors, check_table
from exhaustive import EXHAUSTIVE, sample
from expected import tables_of
from playwright.sync_api import TimeoutError

import chapters

PAGES = [pytest.param(page, id=page.stem) for page in chapters.pages()]
# What is looked at in each run: prose alone, figures and quizzes, wide formulas.
A_FEW = ("index", "07_additive_attention", "notation")


def each_page(rest):
    """A test of these few in each run, and of the others in the longer run of a mark."""
    few = [page for page in chapters.pages() if page.stem in A_FEW]
    values = sample(chapters.pages(), *few, rest=rest)
    return pytest.mark.parametrize("chapter", values, ids=lambda page: page.stem)


@functools.cache
def figures_of(page):
    return chapters.figures(page)


def address(page, start):
    return f"{start}/{page.relative_to(chapters.ROOT).with_suffix('.html').as_posix()}"


# Whether what is drawn differs between the two ends of each slider.
BOTH_ENDS = """async (host) => {
  const root = host.shadowRoot;
  const drawn = async (slider, end) => {
    slider.value = end;
    slider.dispatchEvent(new Event("input"));
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
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


def skip_question(host):
    """Skip the question of a figure, where it asks one."""
    for button in host.get_by_role("button", name="Skip the question").all():
        button.click()


# The figures of a page itself: the review has copies of some, which show when they are due.
OWN = ".kernelfree-figure:not(.all-prompts *)"


def hosts(page):
    """The figures of the open page, uncovered and with their tables shown."""
    for figure in page.locator(OWN).all():
        wake(figure)
    found = page.locator(f"{OWN}[data-alive] > div").all()
    for host in found:
        skip_question(host)
        host.get_by_role("button", name="Numbers").click()
    return found


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
        field.get_by_role("slider").fill(str(number))
        return torch.tensor(number, dtype=torch.float64)
    number = round(choose.uniform(low, high))
    field.locator("input").first.fill(str(number))
    numbers = [text.replace("\u2212", "-") for text in field.locator("input").evaluate_all(VALUES)]
    dtype = getattr(torch, control["dtype"])
    return torch.tensor(list(map(float, numbers)), dtype=dtype).reshape(control["shape"])


VALUES = "nodes => nodes.map((node) => node.value)"


def compare(figure, panels, tables, colors):
    looks = figure._state["panels"]
    assert len(looks) == len(panels) == len(tables) == len(colors)
    for at, (look, matrix) in enumerate(zip(looks, panels, strict=True)):
        check_table(figure, look, matrix, tables[at])
        if look["kind"] == "heatmap":
            check_colors(figure._state["scales"][look["role"]], matrix, colors[at], "zero" in look)


FIRST, REVIEW, WELCOME = (f"chapters/{name}.html" for name in ("01_queries_keys_values", "review", "index"))
KEY = "attention-book"
FORBIDDEN = "Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('no') }})"
# Whether a place has been scrolled to.
SHOWN = """name => {
  const { top } = document.getElementById(name).getBoundingClientRect();
  const atEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
  return (top >= 0 && top < 150) || atEnd;
}"""


def kept(page):
    return json.loads(page.evaluate(f"localStorage.getItem('{KEY}')") or "{}")


def keep(page, record):
    """Put a record, or a text, where the answers are kept."""
    text = record if isinstance(record, str) else json.dumps(record)
    page.evaluate(f"text => localStorage.setItem('{KEY}', text)", text)


# Once a figure's question is skipped: whether it comes into a state; all that it then shows, with
# its numbers; and what of this it says wherever it stands.
STANDS = """async ([id, state]) => {
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
  const until = async (done) => { for (let n = 0; n < 1000 && !done(); n++) await wait(20); };
  const root = () => document.getElementById(id)?.querySelector(":scope > div")?.shadowRoot;
  const all = (kind) => [...root().querySelectorAll(kind)];
  const press = (name) => all("button").find((one) => one.textContent === name)?.click();
  const there = () => [...new URLSearchParams(state)].every(([name, value]) => {
    const now = `${document.getElementById(id).value[name]}`;
    return now === value || Math.abs(now - value) < 1e-9;
  });
  await until(() => root()?.querySelector("[role=group]"));
  press("Skip the question");
  await until(there);
  // Another control may have this value already: wait until nothing moves.
  for (let last; last !== (last = root().textContent); ) await wait(300);
  if (!root().querySelector(".numbers table")) press("Numbers");
  await wait(50);
  const words = all("option").map((one) => one.text);
  for (const part of root().children) if (part.tagName !== "STYLE") words.push(part.innerText);
  const said = all("p:not(.unseen), output, table, b, .name, code").map((one) => one.textContent);
  return [there(), words.join(" "), said.join("|")];
}"""
