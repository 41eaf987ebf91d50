"""The built book in a real Chromium: every slider of every page moves what torch has computed."""

import pytest
from opened import OWN, PAGES, address, check_figures, each_page, figures_of
from serving import HTML

import chapters


@pytest.mark.nightly
@pytest.mark.parametrize("chapter", PAGES)
def test_every_slider_moves_the_picture_to_what_torch_computes(chapter, page):
    figures = figures_of(chapter)
    page.context.set_offline(True)
    page.goto(address(chapter, HTML.as_uri()))
    check_figures(page, chapter, figures)


# Whether a still picture is seen whole, as it was drawn, and has words.
WHOLE = """(all) => Promise.all(all.map(async (img) => {
  img.loading = "eager";
  await img.decode();
  const { left, right, width, height } = img.getBoundingClientRect();
  const was = img.getAttribute("height") / img.getAttribute("width");
  return img.checkVisibility() && width > 100 && left >= 0 && right <= innerWidth &&
    Math.abs(height / width / was - 1) < 0.02 && img.alt.length > 10;
}))"""


@each_page("beyond")
def test_without_javascript_the_first_picture_of_every_figure_is_seen(chapter, still):
    still.goto(address(chapter, HTML.as_uri()))
    for fold in still.locator(".fold > details > summary, .still summary").all():
        fold.click()  # outer ones come first
    pictures = still.locator(f"{OWN} img, .kernelfree-sentence img")
    for width in (320, 1280):
        still.set_viewport_size({"width": width, "height": 800})
        whole = pictures.evaluate_all(WHOLE)
        assert whole == [True] * len(chapters.stored_figures(chapter))
