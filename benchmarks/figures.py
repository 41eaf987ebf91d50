"""How fast every figure of the book follows a finger, and what it weighs.

python -m benchmarks.figures [--slow 4] [PAGE ...]      for instance: 03_dot_product_scores

The mouse drags each figure's first slider, then what can be dragged in its pictures, then moves
over them. A time runs from the event of a move to the message after the frame that shows it. The
browser's own slider with a number beside it is measured in the same way, in the same run.
"""

import argparse
import itertools
import math
import re
import statistics

import chromium
import examples
from playwright.sync_api import sync_playwright

from chapters import pages, stored_figures

from .measure import kilobytes, table

# From each move of the pointer to the message after its frame.
CLOCK = """() => {
  window.times = [];
  addEventListener("pointermove", () => {
    const start = performance.now();
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => times.push(performance.now() - start);
      channel.port2.postMessage(0);
    });
  }, true);
}"""
# The sliders and the canvases of the page, wherever they are, uncovered and in view.
FIND = """(selector) => {
  const root = document.querySelector(".d2lmini-figure > div")?.shadowRoot ?? document;
  [...root.querySelectorAll(".quiz button")].at(-1)?.click();
  return [...root.querySelectorAll(selector)].filter((node) => node.offsetParent).map((node) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    return [x + scrollX, y + scrollY, width, height];
  });
}"""
CURSOR = """([x, y]) => {
  const root = document.querySelector(".d2lmini-figure > div").shadowRoot;
  return getComputedStyle(root.elementFromPoint(x, y) ?? document.body).cursor;
}"""

# What no figure can beat: the browser's own slider with a number.
ALONE = """<input type="range" max="9" value="0" style="width: 17em"
  oninput="this.nextSibling.textContent = this.value"><output>0</output>"""


def glide(page, box, count):
    """Move the mouse through a box, back and forth, and a little up and down."""
    x, y, wide, high = box
    for step in range(count):
        across = abs((step * 7 % 200) / 100 - 1)
        down = abs((step * 3 % 80) / 40 - 1)
        page.mouse.move(x + (0.03 + 0.94 * across) * wide, y + (0.1 + 0.8 * down) * high)


def grip(page, box):
    """A place in a canvas where the cursor says that something can be dragged, or None."""
    x, y, wide, high = box
    for down, right in itertools.product(range(8, int(high), 14), range(8, int(wide), 14)):
        page.mouse.move(x + right, y + down)
        if page.evaluate(CURSOR, [x + right, y + down]) in ("grab", "move"):
            return x + right, y + down
    return None


def drag(page, start, box, count):
    page.mouse.move(*start)
    page.mouse.down()
    glide(page, box, count)
    page.mouse.up()


def times_of(page, slow, grips, count):
    """Milliseconds of all moves at a speed: of what is dragged, and over the pictures."""
    session = page.context.new_cdp_session(page)
    sliders, canvases = page.evaluate(FIND, "[type=range]"), page.evaluate(FIND, "canvas")
    session.send("Emulation.setCPUThrottlingRate", {"rate": slow})
    page.evaluate("times.length = 0")
    for box in sliders[:1]:
        drag(page, (box[0] + box[2] / 2, box[1] + box[3] / 2), box, count)
    for box, start in grips:
        drag(page, start, box, count)
    page.wait_for_timeout(100)
    dragged = page.evaluate("times.splice(0).slice(5)")
    for box in canvases:
        glide(page, box, count // 2)
    page.wait_for_timeout(100)
    session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    return dragged, page.evaluate("times")


def measure(browser, html, slow, count=60):
    """A figure's hands, its 95th percentile at full speed, and its median when slower."""
    page = browser.new_page(viewport={"width": 1000, "height": 1400})
    page.set_content(examples.page_of(html))
    page.wait_for_timeout(200)
    page.evaluate(CLOCK)
    grips = []
    if '"drag"' in html:
        grips = [
            (box, found) for box in page.evaluate(FIND, "canvas") if (found := grip(page, box))
        ]
    dragged, over = times_of(page, 1, grips, count)
    slower = times_of(page, slow, grips, count)
    page.close()
    if not dragged + over:  # words and tables, which are touched and typed into
        return 0, math.nan, math.nan
    # Where nothing is dragged there are menus alone: a pointer reads the numbers.
    typical = statistics.median(slower[0] or slower[1])
    return len(grips), statistics.quantiles(dragged + over, n=20)[-1], typical


def script_of(html):
    """The script that all figures share, and what a figure has beside it."""
    script = max(re.findall("<script>.*?</script>", html, re.DOTALL), key=len)
    return script, html.replace(script, "")


def figures_of(names):
    """All figures of some pages of the book: (name, HTML, number of states)."""
    for page in pages():
        if page.stem in names or not names:
            for html, state in stored_figures(page):
                stops = [len(c["options"]) for c in state["controls"] if "options" in c]
                states = "live" if "live" in state else math.prod(stops)
                yield f"{page.stem[:2]} {state['title']}", html, states


def main(names=(), slow=4):
    """Print, for each figure, its times and weights."""
    rows, script = [], ""
    with sync_playwright() as playwright:
        browser = chromium.launched(playwright)
        measure(browser, ALONE, slow)  # the first is slower
        for name, html, states in figures_of(names):
            *_, alone = measure(browser, ALONE, slow)
            hands, p95, slower = measure(browser, html, slow)
            script, own = script_of(html)
            rows.append(
                [name, str(hands), p95, slower, slower / alone, str(states), *kilobytes(own)]
            )
        browser.close()
    head = ["figure", "hands", "p95, ms", f"median {slow}x slower", "of the slider's"]
    table("Figures: from a finger's move to painted", [*head, "states", "kB", "gzipped"], rows)
    moved = [row for row in rows if not math.isnan(row[2])]
    worst = [max((row[place] for row in moved), default=math.nan) for place in (2, 4)]
    print("worst: {:.1f} ms at full speed, {:.2f} of the slider when slower".format(*worst))
    print("script that all share: {:.1f} kB, {:.1f} gzipped".format(*kilobytes(script)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="How fast figures follow a finger.")
    parser.add_argument("--slow", type=int, default=4, help="times slower for the second column")
    parser.add_argument("names", nargs="*", metavar="PAGE", help="like index; all if none")
    given = parser.parse_args()
    main(given.names, given.slow)
