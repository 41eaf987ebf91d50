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


@pytest.mark.chromium
@each_page("beyond")
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
