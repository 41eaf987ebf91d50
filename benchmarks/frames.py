"""How fast every figure of the book follows a finger, and what it weighs.

python -m benchmarks.frames [--slow 4] [PAGE ...]      for instance: 03_dot_product_scores

The mouse drags each figure's first slider, then what can be dragged in its pictures, then moves
over them. A time runs from the event of a move to the first task after the frame that shows it. The
browser's own slider with a number beside it is measured in the same way, in the same run.
"""

import argparse
import math

import examples
import numpy as np
from playwright.sync_api import sync_playwright

from chapters import pages, stored_figures
from tools import chromium

from . import ROOT, kilobytes, table

CLOCK = """() => {
  window.times = [];
  addEventListener("pointermove", ({ isTrusted }) => {
    if (!isTrusted) return; // a look for what can be dragged
    const start = performance.now();
    requestAnimationFrame(() => scheduler.postTask(() => times.push(performance.now() - start)));
  }, true);
}"""
# A place where a slider, or by its cursor something in a canvas, can be dragged.
GRIP = """(node) => {
  const { x, y, width, height } = node.getBoundingClientRect();
  for (let down = 8; down < height; down += 14)
    for (let right = 8; right < width; right += 14) {
      const [clientX, clientY] = [x + right, y + down];
      node.dispatchEvent(new PointerEvent("pointermove", { clientX, clientY }));
      if (node.type === "range" || node.style.cursor === "grab") return [clientX, clientY];
    }
}"""

# What no figure can beat: the browser's own slider with a number.
ALONE = """<input type="range" max="9" value="0" style="width: 17em"
  oninput="this.nextSibling.textContent = this.value"><output>0</output>"""

# Through a box, back and forth and a little down: moves, and the place where they end.
ACROSS = [(1, 0.03, 0.1), (15, 0.97, 0.3), (15, 0.03, 0.5), (15, 0.97, 0.7), (15, 0.03, 0.9)]


def glide(page, node, way):
    x, y, wide, high = node.bounding_box().values()
    for moves, right, down in way:
        page.mouse.move(x + right * wide, y + down * high, steps=moves)


def drag(page, node):
    """Drag what can be dragged in a slider or a canvas; return whether there is something."""
    if grip := node.evaluate(GRIP):
        page.mouse.move(*grip)
        page.mouse.down()
        glide(page, node, ACROSS)
        page.mouse.up()
    return bool(grip)


def times_of(page, slow):
    """A figure's hands, and the milliseconds of moves at a speed: dragging, and over pictures."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": slow})
    page.evaluate("times.length = 0")
    for slider in page.locator("[type=range]:visible").all()[:1]:
        drag(page, slider)
    canvases = page.locator("canvas:visible").all()
    hands = sum([drag(page, canvas) for canvas in canvases])
    page.wait_for_timeout(100)
    dragged = page.evaluate("times.splice(0).slice(5)")
    for canvas in canvases:
        glide(page, canvas, ACROSS[:3])
    page.wait_for_timeout(100)
    return hands, dragged, page.evaluate("times")


def measure(browser, html, slow):
    """A figure's hands, its 95th percentile at full speed, and its median when slower."""
    with browser.new_page(viewport={"width": 1000, "height": 1400}) as page:
        page.set_content(examples.page_of(html))
        page.wait_for_timeout(200)
        page.evaluate(CLOCK)
        if (skip := page.get_by_role("button", name="Skip the question")).count():
            skip.click()
        hands, *full = times_of(page, 1)
        _, dragged, over = times_of(page, slow)
    if not any(full):  # words and tables, which are touched and typed into
        return 0, math.nan, math.nan
    # Where nothing is dragged there are menus alone: a pointer reads the numbers.
    return hands, np.quantile(np.concatenate(full), 0.95), np.median(dragged or over)


def figures_of(names):
    """All figures of some pages of the book: (name, HTML, number of states)."""
    for page in pages():
        if page.stem in names or not names:
            for html, state in stored_figures(page):
                stops = [len(c["options"]) for c in state["controls"] if "options" in c]
                states = "live" if "live" in state else math.prod(stops)
                yield f"{page.stem[:2]} {state['title']}", html, states


def main(arguments=None):
    """Print, for each figure, its times and weights."""
    parser = argparse.ArgumentParser(description="How fast figures follow a finger.")
    parser.add_argument("--slow", type=int, default=4, help="times slower for the second column")
    parser.add_argument("names", nargs="*", metavar="PAGE", help="like index; all if none")
    given = parser.parse_args(arguments)
    rows = []
    with sync_playwright() as playwright, chromium.launched(playwright) as browser:
        measure(browser, ALONE, given.slow)  # the first is slower
        for name, html, states in figures_of(given.names):
            *_, alone = measure(browser, ALONE, given.slow)
            hands, p95, slower = measure(browser, html, given.slow)
            own = kilobytes(html[: html.rindex("<script>")])
            rows.append([name, str(hands), p95, slower, slower / alone, str(states), *own])
    head = ["figure", "hands", "p95, ms", f"median {given.slow}x slower", "of the slider's"]
    table("Figures: from a finger's move to painted", [*head, "states", "kB", "gzipped"], rows)
    # Figures of words alone have no times.
    worst = [np.fmax.reduce([row[place] for row in rows], initial=math.nan) for place in (2, 4)]
    print("worst: {:.1f} ms at full speed, {:.2f} of the slider when slower".format(*worst))
    shared = kilobytes((ROOT / "pages/static/figures.js").read_text("utf-8"))
    print("script that all share: {:.1f} kB, {:.1f} gzipped".format(*shared))


if __name__ == "__main__":
    main()
