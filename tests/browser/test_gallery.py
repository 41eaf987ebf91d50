"""The built gallery without scripts, on paper, large and small: each first picture shows all."""

import pytest
from accessible import problems
from playwright.sync_api import expect
from serving import HTML

import chapters

NOTEBOOK = chapters.ROOT / "chapters" / "making_figures.ipynb"
PAGE = HTML / "chapters" / "making_figures.html"
# Whether something reaches over the page's or its own box's edge.
CUT = """() => {
  const all = [...document.querySelectorAll(".kernelfree-figure")];
  const wide = document.documentElement.clientWidth;
  return all.flatMap((el) => {
    const inside = [...(el.querySelector(":scope > div")?.shadowRoot ?? el).querySelectorAll("*")];
    return inside
      .filter((n) => !n.closest(".unseen, .numbers, script") && n.getClientRects().length)
      .map((n) => [n, n.getBoundingClientRect()])
      .filter(([, { left, right }]) => right > wide + 1 || left < -1)
      .map(([n]) => `${el.id}: ${n.outerHTML.slice(0, 80)}`);
  });
}"""

# How high each figure is once it has come into view: what is far away is not drawn yet.
DRAWN = """async () => {
  const highs = [];
  for (const el of document.querySelectorAll(".kernelfree-figure")) {
    el.scrollIntoView();
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    highs.push(el.clientHeight);
  }
  return highs;
}"""


def alive(page):
    page.goto(PAGE.as_uri())
    page.evaluate("dispatchEvent(new Event('kernelfree-figure'))")
    expect(page.locator(".kernelfree-figure:not([data-alive])")).to_have_count(0)
    page.wait_for_timeout(300)


def fits(page):
    wide = page.evaluate("document.documentElement.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth") <= wide
    assert page.evaluate(CUT) == []


@pytest.mark.chromium
@pytest.mark.parametrize("width", [320, 1280])
def test_without_scripts_each_picture_is_whole(still, width):
    still.set_viewport_size({"width": width, "height": 800})
    still.goto(PAGE.as_uri())
    stills = still.locator(".kernelfree-figure img")
    count = len(chapters.stored_figures(NOTEBOOK))
    assert count > 8
    expect(stills).to_have_count(count)
    for cover in still.locator(".still summary").all():
        cover.click()
    for picture in stills.all():
        picture.scroll_into_view_if_needed()
        expect(picture).to_be_visible()
        box = picture.bounding_box()
        high, wide = (int(picture.get_attribute(side)) for side in ("height", "width"))
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width
        # Not cut and not squeezed.
        assert box["height"] / box["width"] == pytest.approx(high / wide, rel=0.02)
        assert len(picture.get_attribute("alt")) > 10


# 200% zoom of a window of 1280 pixels shows 640 of them; A4 less its margins has 680.
SIZES = [(1280, 800, "screen"), (640, 400, "screen"), (320, 800, "screen"), (680, 960, "print")]


def test_nothing_is_cut_nor_on_paper(page):
    page.set_viewport_size({"width": 320, "height": 800})
    alive(page)
    fits(page)
    for width, height, media in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(media=media)
        page.wait_for_timeout(300)
        fits(page)
    hosts = page.locator(".kernelfree-figure > div")
    assert all(host.bounding_box()["height"] > 128 for host in hosts.all())


@pytest.mark.parametrize("width", [390, 1280])
def test_the_room_kept_for_figures_is_about_their_height(page, width):
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(PAGE.as_uri())
    rooms = page.evaluate(
        "[...document.querySelectorAll('.kernelfree-figure')]"
        ".map((el) => parseFloat(getComputedStyle(el).getPropertyValue('--room')))"
    )
    page.evaluate("dispatchEvent(new Event('kernelfree-figure'))")
    drawn = page.evaluate(DRAWN)
    off = [abs(room - high) for room, high in zip(rooms, drawn, strict=True)]
    assert sum(off) / len(off) < {390: 30, 1280: 100}[width]


def test_axe_finds_nothing(page):
    alive(page)
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
        page.wait_for_timeout(200)
        assert problems(page, ".kernelfree-figure") == []
