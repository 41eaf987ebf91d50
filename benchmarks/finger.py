"""The model of the dates in chapter 11: how soon it is ready, how fast it answers, what it holds.

python -m benchmarks.finger [--repeats 21]

A date counts from the key to what is written, and to the first task after the frame that shows it.
"""

import argparse
import statistics
import sys

from playwright.sync_api import sync_playwright

from tools import chromium

from . import table
from .model import held
from .pages import HTML, host

PAGE = HTML / "chapters" / "11_learning_to_align.html"
TEXTS = ["3/5/84", "12. juni 1999", "heute ist freitag, der 24. dezember 2032"]

LOAD = """async () => {
  const place = document.querySelector(".finger");
  const start = performance.now();
  place.querySelector("button").click();
  while (!place.querySelector(".said")) await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  await scheduler.postTask(() => {});
  return performance.now() - start;
}"""
TYPE = """async (text) => {
  const field = document.querySelector(".finger [type=text]");
  field.value = text;
  const start = performance.now();
  field.dispatchEvent(new Event("input"));
  const written = performance.now() - start;
  await new Promise(requestAnimationFrame);
  await scheduler.postTask(() => {});
  return [written, performance.now() - start];
}"""


def main(arguments=None):
    parser = argparse.ArgumentParser(description="How fast the dates' model answers in the page.")
    parser.add_argument("--repeats", type=int, default=21, help="of each date")
    given = parser.parse_args(arguments)
    if not PAGE.exists():
        sys.exit("benchmarks.finger: `make book` makes the page")
    with sync_playwright() as playwright, chromium.launched(playwright) as browser:
        page = browser.new_page()
        page.goto(f"{host()}/{PAGE.name}")
        page.locator(".finger button").scroll_into_view_if_needed()
        page.wait_for_timeout(2000)  # figures near it are drawn
        before = held(browser)
        ready = page.evaluate(LOAD)
        print(f"\nReady {ready:.0f} ms after the click")
        rows = []
        for text in TEXTS:
            times = [page.evaluate(TYPE, text) for _ in range(given.repeats)]
            rows.append([text, *map(statistics.median, zip(*times, strict=True))])
        table("A date", ["", "written, ms", "shown, ms"], rows)
        loaded = held(browser)
        page.get_by_role("button", name="Put the model away").click()
        page.wait_for_timeout(1000)
        print(f"held: {before:.1f} MB, with the model {loaded:.1f}, put away {held(browser):.1f}")


if __name__ == "__main__":
    main()
