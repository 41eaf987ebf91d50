"""The built gallery without scripts, on paper, large and small: each first picture shows all."""

import pytest
from accessible import fits, problems
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


# Each still picture: its place, its size and the one that it was drawn in, and its words.
PICTURES = """(all) => Promise.all(all.map(async (img) => {
  img.loading = "eager";
  await img.decode();
  const { left, right, width, height } = img.getBoundingClientRect();
  return { left, right, is: height / width, was: img.getAttribute("height") /
    img.getAttribute("width"), alt: img.alt, seen: img.checkVisibility() };
}))"""


@pytest.mark.chromium
def test_without_scripts_each_picture_is_whole(still):
    still.goto(PAGE.as_uri())
    stills = still.locator(".kernelfree-figure img")
    count = len(chapters.stored_figures(NOTEBOOK))
    assert count > 8
    expect(stills).to_have_count(count)
    for cover in still.locator(".still summary").all():
        cover.click()
    for width in (320, 1280):
        still.set_viewport_size({"width": width, "height": 800})
        for picture in stills.evaluate_all(PICTURES):
            assert picture["seen"]
            assert 0 <= picture["left"] < picture["right"] <= width
            # Not cut and not squeezed.
            assert picture["is"] == pytest.approx(picture["was"], rel=0.02)
            assert len(picture["alt"]) > 10


# 200% zoom of a window of 1280 pixels shows 640 of them; A4 less its margins has 680.
SIZES = [(320, 800), (1280, 800), (640, 400), (320, 800)]


def test_nothing_is_cut_nor_on_paper_and_axe_finds_nothing(page):
    page.set_viewport_size({"width": 320, "height": 800})
    page.goto(PAGE.as_uri())
    page.evaluate("dispatchEvent(new Event('kernelfree-figure'))")
    expect(page.locator(".kernelfree-figure:not([data-alive])")).to_have_count(0)
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(300)
        assert fits(page, width, height)
        assert page.evaluate(CUT) == []
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
        page.wait_for_timeout(200)
        assert problems(page, ".kernelfree-figure") == []
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 680, "height": 960})
    page.wait_for_timeout(300)
    assert fits(page, 680, 960)
    assert page.evaluate(CUT) == []
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
