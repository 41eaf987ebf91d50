"""How soon a step of a lesson stands on the wall.

python -m benchmarks.present [PAGE ...]      for instance: 01_queries_keys_values

A time runs from the key to the first task after the frame that shows the step.
"""

import argparse

import numpy as np
from playwright.sync_api import sync_playwright

from tools import chromium

from . import table
from .pages import HTML, host

TURN = """async () => {
  const start = performance.now();
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
  await new Promise(requestAnimationFrame);
  await scheduler.postTask(() => {});
  return performance.now() - start;
}"""


def main(arguments=None):
    parser = argparse.ArgumentParser(description="How soon a step of a lesson is shown.")
    parser.add_argument("names", nargs="*", metavar="PAGE", help="all chapters if none")
    names = parser.parse_args(arguments).names
    names = names or sorted(path.stem for path in (HTML / "chapters").glob("[0-9]*.html"))
    start, rows = host(), []
    with sync_playwright() as playwright, chromium.launched(playwright) as browser:
        for name in names:
            with browser.new_page(viewport={"width": 1920, "height": 1080}) as page:
                page.goto(f"{start}/{name}.html#present")
                counter = page.locator(".lesson-bar > span")
                steps = int(counter.text_content(timeout=30_000).split("/")[1])
                page.wait_for_timeout(1000)
                times = []
                for _ in range(steps - 1):
                    times.append(page.evaluate(TURN))
                    page.wait_for_timeout(300)  # nobody turns sooner
            rows.append([name, str(steps), np.median(times), np.quantile(times, 0.95), max(times)])
    table("A step of a lesson", ["", "steps", "median, ms", "p95, ms", "most, ms"], rows)


if __name__ == "__main__":
    main()
