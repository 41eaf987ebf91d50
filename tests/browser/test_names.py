"""In the book's planes each name stands nearest to its own dot, in state after state."""

import itertools
import random
import re

import pytest
import torch
from bundled import PANELS, bundled
from drawn import HELPERS
from examples import html_of
from opened import OWN, PAGES, address, skip_question, wake

from d2lmini import Lines, Plot, Points, Rules, explore
from kernelfree.script import script

START = """import { mount } from "./figure/widget.js"; import { whenNear } from "./figure/start.js";
whenNear("kernelfree-figure", mount);"""
# Where a name has found its place; esbuild numbers what two files call alike.
PLACED = re.compile(r"const wrong = .*? (gap\d?)\(.*?taken\d?\.push\((?P<best>best\d?)\);", re.DOTALL)
# How far a name is then from its own dot, and from the nearest other one that has a name.
NOTE = """(window.hung ??= []).push([point.name, {gap}({best}, point),
  Math.min(...others.filter((o) => o.name).map((o) => {gap}({best}, o)))]);"""
WALK = """async ([id, states]) => {
  const n = [...document.querySelectorAll(".kernelfree-figure > div")]
    .findIndex((host) => host.parentElement.id === id);
  const wrong = [];
  for (const state of states) {
    window.hung = [];
    state.forEach((option, control) => move(control, option, n));
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    // Half a pixel is no difference to an eye.
    for (const [name, own, other] of hung) if (own > other + 2) wrong.push([state, name]);
  }
  return [wrong, hung.length];
}"""
COUNTS = """(host) => {
  const counts = [];
  for (let node; (node = host.shadowRoot.getElementById(`c${counts.length}`)); )
    counts.push(node.type === "checkbox" ? 2 : node.type === "range" ? +node.max + 1 : node.length);
  return counts;
}"""


@pytest.fixture(scope="module")
def noting():
    """The scripts that figures of a page share, noting names."""

    def noted(needs):
        text = bundled(needs + START)
        (place,) = PLACED.finditer(text)
        note = NOTE.format(gap=place[1], best=place["best"])
        return text[: place.end()] + note + text[place.end() :]

    return {"figures": noted(PANELS), "live": noted(PANELS + 'import "./live/all.js";')}


def given(text):
    return lambda route: route.fulfill(body=text, content_type="text/javascript")


def desk(pile=0, bend=True, near=1.0):
    """Three books on a straight or a bent curve, at every distance from each other."""
    x = torch.linspace(-3, 3, 61)
    sums = pile + near * torch.tensor([-1.0, 0.0, 1.0])
    bent = torch.tanh if bend else torch.neg
    curve, dots = (torch.stack([z, bent(z)], dim=1) for z in (x, sums))
    keys = Points(dots, ["thin", "medium", "thick"])
    marks = {"curve": Lines(curve), "query": Rules(x=pile), "keys": keys}
    return Plot(marks, xlim=(-3, 3), ylim=(-3.2, 3.2))


def check(page, figure):
    """How many names of the last state stand nearest to their dots, as in all states."""
    host = figure.locator("> div")
    skip_question(figure)
    states = list(itertools.product(*map(range, host.evaluate(COUNTS))))
    some = random.Random(1).sample(states, min(100, len(states)))
    wrong, named = page.evaluate(WALK, [figure.get_attribute("id"), some])
    assert wrong == [], figure.get_attribute("id")
    return named


def test_each_name_of_three_near_dots_stands_nearest_to_its_own(show, noting):
    made = explore(desk, pile=[-2, -1, 0, 1, 2], bend=True, near=[0.4, 0.5, 1.0])
    body = html_of(made).replace(f"<script>{script('static.packed.js')}</script>", "")
    page = show(body=f"{body}<script>{noting['figures']}</script>")
    assert check(page, page.locator(OWN)) >= 3


@pytest.mark.nightly
@pytest.mark.parametrize("chapter", PAGES)
def test_each_name_stands_nearest_to_its_own_dot(chapter, page, served, noting):
    for name, text in noting.items():
        page.route(f"**/{name}.js*", given(text))
    page.goto(address(chapter, served))
    page.evaluate(f"() => {{{HELPERS}}}")
    for figure in page.locator(OWN).all():
        wake(figure)
        check(page, figure)
