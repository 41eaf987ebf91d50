"""What a page shows of its figures where their script does not come, breaks off or fails."""

import pytest
from exhaustive import sample
from opened import address
from playwright.sync_api import expect
from serving import HTML

import chapters


def fits(page):
    """Whether a page has figures that hide an answer and others, and none that is live."""
    states = [state for _, state in chapters.stored_figures(page)]
    hides = {bool(state.get("predict", {}).get("hide")) for state in states}
    return len(hides) == 2 and not any("live" in state for state in states)


CHAPTER = next(page for page in chapters.pages() if fits(page))
SCRIPT = HTML / "_static" / "figures.js"
BROKEN = {
    "absent": lambda route: route.abort(),
    "truncated": lambda route: route.fulfill(body=SCRIPT.read_text("utf-8")[:20_000]),
    "empty": lambda route: route.fulfill(body=""),
    "failing": lambda route: route.fulfill(body="throw new Error('no')"),
}
TOLD = "The script of this figure has not run, so nothing here moves. This is its first picture."


@pytest.fixture
def opened(own_page, served):
    def open_page(prepare):
        prepare(own_page)
        own_page.goto(address(CHAPTER, served))
        return own_page, own_page.locator(".kernelfree-figure")

    return open_page


def hurry(page):
    """Let the seconds be over for which figures in view wait for their script."""
    page.evaluate(
        """async () => {
          for (let n = 0; n < 3; n++) await new Promise(requestAnimationFrame);
          for (const wait of document.getAnimations()) wait.playbackRate = 20;
        }"""
    )


def check_pictures(page, figures):
    """Each figure's picture is there; one that tells an answer keeps it until it is asked for."""
    covered = 0
    for figure in figures.all():
        if not figure.is_visible():
            continue  # in a closed fold
        figure.scroll_into_view_if_needed()
        hurry(page)
        expect(figure.get_by_text(TOLD)).to_be_visible()
        picture = figure.locator("img")
        if figure.locator("details").count():
            expect(picture).not_to_be_visible()
            figure.locator("summary").click()
            covered += 1
        expect(picture).to_be_visible()
        assert picture.evaluate("async (img) => (await img.decode(), img.naturalWidth)") > 200
    assert 0 < covered < figures.count()


@pytest.mark.parametrize("broken", sample(BROKEN, "truncated", rest="beyond"))
def test_without_its_script_a_figure_shows_its_picture_and_says_so(opened, broken):
    check_pictures(*opened(lambda page: page.route("**/figures.js*", BROKEN[broken])))


# The first figure finds no room.
FAIL = """const attach = Element.prototype.attachShadow;
Element.prototype.attachShadow = function () {
  Element.prototype.attachShadow = attach;
  throw new Error("no room");
};"""


def test_a_figure_that_fails_shows_its_picture_and_the_others_live(opened):
    page, figures = opened(lambda page: page.add_init_script(FAIL))
    page.evaluate("dispatchEvent(new Event('kernelfree-figure'))")
    failed = figures.and_(page.locator("[data-failed]"))
    expect(failed).to_have_count(1)
    hurry(page)
    expect(failed.get_by_text(TOLD)).to_be_visible()
    expect(failed.locator("> div")).to_have_count(0)
    expect(page.locator(".kernelfree-figure > div")).to_have_count(figures.count() - 1)


def test_where_the_script_runs_no_picture_is_fetched_or_seen(opened):
    asked = []
    page, figures = opened(lambda page: page.on("request", lambda one: asked.append(one.url)))
    figures.first.scroll_into_view_if_needed()
    expect(figures.first).to_have_attribute("data-alive", "")
    hurry(page)
    page.wait_for_timeout(500)
    assert not [url for url in asked if "/figure-" in url]
    assert not any(picture.is_visible() for picture in figures.locator("img").all())
