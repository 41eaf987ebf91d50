"""Formulas in a figure's titles and labels: seen by all, heard as words, in files, too."""

import base64
import re

import lxml.etree
import numpy as np
import pytest
from accessible import problems
from drawn import WIDGET
from examples import DARK
from playwright.sync_api import expect
from serving import WATCH, Strict, serve

import chapters
from kernelfree import Curve, Points, explore
from kernelfree.tex import SIGN

README = (chapters.ROOT / "kernelfree/README.md").read_text(encoding="utf-8")

X = np.linspace(-3, 3, 61)


def bells(sigma=1.0):
    y = np.exp(-(X**2) / 2 / sigma**2)
    lines = {r"$e^{-x^2/2\sigma^2}$": y, "half": y / 2}
    marks = {"top": Points([[0, 1]], names=[r"$\mu$"])}
    curve = Curve(X, lines, xlabel=r"$\frac{x}{\sigma}$", ylabel=r"$p_\sigma$", marks=marks)
    return {rf"$\sigma = {sigma}$": curve}


def figure(**options):
    labels = {"sigma": r"width $\sigma$"}
    return explore(bells, sigma=[0.5, 1.0, 2.0], labels=labels, title=r"$\sqrt{d_k}$, $5", **options)


FORMULA = """(node) => {
  const [svg] = node.querySelectorAll("svg");
  const { width, height } = svg.getBoundingClientRect();
  return [getComputedStyle(svg).fill === getComputedStyle(node).color, width > 5 && height > 5];
}"""


@pytest.mark.parametrize("dark", [False, True])
def test_formulas_are_seen_in_the_page_s_colour_and_heard_as_words(show, dark):
    page = show(figure(), head=DARK if dark else "")
    expect(page.locator(".title")).to_have_text("√d_k, $5")
    slider = page.get_by_role("slider", name="width σ", exact=True)
    for part in (".title", ".slider label", ".name", ".legend span"):
        assert page.locator(part).first.evaluate(FORMULA) == [True, True], part
    expect(page.locator(".name")).to_have_text("σ = 1.0")
    slider.press("End")
    expect(page.locator(".name")).to_have_text("σ = 2.0")
    assert page.locator(".name").evaluate(FORMULA) == [True, True]
    assert problems(page, ".kernelfree-figure") == []


def test_a_label_higher_than_a_line_has_room_below_the_plot(show):
    sizes = []
    for label in ("x", r"$\frac{x}{\sigma}$", r"$\frac{\frac{x}{y}}{\frac{x}{y}}$"):
        curve = Curve(X, {"y": X}, xlabel=label)
        page = show(explore(lambda t, curve=curve: curve, t=[1, 2], title="Room"))
        sizes.append(page.locator("canvas").bounding_box()["height"])
    assert sizes[0] <= sizes[1] < sizes[2] < sizes[0] + 30


def test_files_have_the_formulas_as_they_are_drawn(show):
    made = figure(tools=True)
    page = show(made)
    page.get_by_role("button", name="Save").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="SVG").click()
    text = download.value.path().read_text(encoding="utf-8")
    tree = lxml.etree.fromstring(text.encode())
    drawn = [node.get("d") for node in tree.iter("{*}path")]
    outlines = {words: entry[-1] for words, entry in made._state["tex"].items()}
    # Those of other states are not there.
    assert {words for words in outlines if outlines[words] in drawn} == {*outlines} - {"σ = 0.5", "σ = 2.0"}
    assert SIGN not in "".join(tree.itertext())
    encoded = base64.b64encode(text.encode()).decode()
    page.evaluate(
        "async (src) => { await Object.assign(new Image(), { src }).decode(); }", f"data:image/svg+xml;base64,{encoded}"
    )


def test_they_bear_a_strict_policy_and_a_widget_has_them(page, tmp_path):
    figure().save(tmp_path / "bells.html", script="figures.js")
    page.add_init_script(WATCH)
    page.route("**/favicon.ico", lambda route: route.fulfill(status=204))
    with serve(tmp_path, Strict) as address:
        page.goto(f"{address}/bells.html")
        assert page.locator(".title").evaluate(FORMULA) == [True, True]
        assert page.evaluate("refused") == []
    made = figure()
    page.goto("about:blank")
    page.evaluate(WIDGET, [made._esm, made._state, made.value])
    assert page.locator(".title").evaluate(FORMULA) == [True, True]


def test_the_readme_s_figure_has_its_formulas(show, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # it saves two others before
    blocks = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    *others, last = [code for code in blocks if "wave" in code][:3]
    exec("".join(others), names := {})
    page = show(eval(last, names))
    expect(page.locator(".title")).to_have_text("y = sin (ω x)")
    expect(page.get_by_role("slider", name="frequency ω", exact=True)).to_be_visible()
    assert page.locator(".title").evaluate(FORMULA) == [True, True]
