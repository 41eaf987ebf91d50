"""The package's own page: its pictures are today's, and its page of examples is made by one line."""

import subprocess
import sys

import nbformat
import numpy as np
import pytest
from PIL import Image

import chapters
from tools import pictures

pytestmark = pytest.mark.beyond

README = pictures.README.read_text(encoding="utf-8")
EXAMPLES = chapters.ROOT / "chapters" / "making_figures.ipynb"


def coarse(picture):
    """A picture in a few grey dots, which a font or the edge of a line does not change."""
    return np.asarray(picture.convert("L").resize((60, 40), Image.Resampling.BOX), dtype=float)


def test_pictures_are_what_the_code_above_them_draws(browser):
    if browser.browser_type.name != "chromium":
        pytest.skip("the pictures have the sliders of Chromium")
    made = pictures.figures(README)
    kept = {path.relative_to(pictures.FOLDER).as_posix() for path in pictures.FOLDER.glob("pictures/*")}
    assert made.keys() == kept
    assert len(made) == README.count("<img") == 2
    for name, picture in pictures.drawn(made, browser):
        path = pictures.FOLDER / name
        assert path.stat().st_size < 40_000
        off = np.abs(coarse(picture) - coarse(Image.open(path)))
        assert off.mean() < 1, f"{name} is not what its code draws: python -m tools.pictures"


# What a reader sees of a figure, without its controls.
PARTS = "canvas, img, td, p, b, math, span"
SEEN = "(nodes) => nodes.map((node) => node.toDataURL?.() ?? node.src ?? node.textContent)"


def moved(figure):
    """Move a figure's first control from where it is, as a reader does."""
    if (skip := figure.get_by_role("button", name="Skip")).count():
        skip.click()
    control = figure.locator("input, select").first
    match control.evaluate("(node) => node.tagName + node.type"):
        case "INPUTrange":
            control.press("End" if control.evaluate("(n) => n.value !== n.max") else "Home")
        case "INPUTcheckbox":
            control.click()
        case "INPUTtext":
            control.fill("0.75")
        case _:
            control.select_option(index=1)


def test_each_figure_of_the_page_of_examples_moves_where_one_line_has_made_it(own_page, tmp_path):
    """From the outputs that the notebook keeps; `make test` proves that its code makes these."""
    command = "jupyter nbconvert --execute --to html"
    assert command in README
    words = [*command.replace("--execute ", "").split(), "--output-dir", tmp_path, EXAMPLES]
    subprocess.run([sys.executable, "-m", *words], check=True, capture_output=True)
    own_page.context.set_offline(True)
    own_page.goto((tmp_path / "making_figures.html").as_uri(), wait_until="domcontentloaded")
    figures = own_page.locator("[data-alive]:not([data-alive] [data-alive])")
    shown = [cell for cell in nbformat.read(EXAMPLES, 4).cells if "text/html" in str(cell.get("outputs"))]
    assert figures.count() == len(shown) > 15
    for figure in figures.all():
        figure.scroll_into_view_if_needed()
        own_page.wait_for_timeout(100)
        before = figure.locator(PARTS).evaluate_all(SEEN)
        moved(figure)
        own_page.wait_for_timeout(300)
        assert figure.locator(PARTS).evaluate_all(SEEN) != before, figure.inner_text()[:200]
