"""Figures with sliders: how fast a move is painted, and what one weighs.

python -m benchmarks.figures
"""

import gzip
import math
import statistics
import sys
import time
from pathlib import Path

import torch
from playwright.sync_api import sync_playwright

from .measure import table

sys.path.extend(
    [str(Path(__file__).parents[1] / room) for room in ("tools", "tests/book", "tests/browser")]
)
import chromium
import examples

from chapters import numbered, stored_figures

# One move in each frame: some control to some other option. A message after the frame comes when
# it is painted.
MOVES = """async (count) => {
  const host = document.querySelector(".d2lmini-figure > div");
  const root = host?.shadowRoot ?? document;
  root.querySelector(".quiz button")?.click();
  const controls = [...root.querySelectorAll("input, select")];
  let seed = 7;
  const random = (n) => (seed = (seed * 16807) % 2147483647) % n;
  const move = (control) => {
    if (control.type === "checkbox") return control.click();
    const count = control.options?.length ?? Number(control.max) + 1;
    const place = control.selectedIndex ?? Number(control.value);
    const next = (place + 1 + random(count - 1)) % count;
    control[control.options ? "selectedIndex" : "value"] = next;
    control.dispatchEvent(new Event(control.options ? "change" : "input"));
  };
  const times = [];
  for (let i = 0; i < count; i++)
    await new Promise((done) => requestAnimationFrame(() => {
      const start = performance.now();
      move(controls[random(controls.length)]);
      const channel = new MessageChannel();
      channel.port1.onmessage = () => { times.push(performance.now() - start); done(); };
      channel.port2.postMessage(0);
    }));
  return times.slice(10);
}"""

# What no figure can beat here: the browser's own slider with the number beside it.
ALONE = """<input type="range" max="9" value="0"
  oninput="this.nextSibling.textContent = this.value"><output>0</output>"""


def named(title, shapes):
    return f"{title} ({', '.join('x'.join(map(str, shape)) for shape in shapes)})"


def of_the_book(count=3):
    """The book's largest figures by cells drawn: [(name, HTML), ...], largest first."""
    found = []
    for html, state in (figure for page in numbered() for figure in stored_figures(page)):
        shapes = [panel["shape"] for panel in state["panels"]]
        found.append((sum(map(math.prod, shapes)), named(state["title"], shapes), html))
    return [(name, html) for _, name, html in sorted(found, reverse=True)[:count]]


def of_the_tests():
    """Some figures of every kind: [(name, HTML, seconds to compute), ...]."""
    examples.html_of(examples.figure(examples.kernels))  # imports are not counted
    for function in (examples.lengths, examples.steps, examples.kernels, examples.large):
        start = time.perf_counter()
        figure = examples.figure(function)
        html = examples.html_of(figure)
        seconds = time.perf_counter() - start
        shapes = [panel["shape"] for panel in figure._state["panels"]]
        yield named(function.__name__, shapes), html, seconds


def main(slow=4, count=210):
    """Print each figure's weight, and the milliseconds from a move to its painting."""
    figures = [("the browser's own slider, nothing drawn", ALONE, 0.0), *of_the_tests()]
    figures += [(*figure, math.nan) for figure in of_the_book()]
    rows = []
    with sync_playwright() as playwright:
        path = chromium.find() or sys.exit("The benchmarks of figures need a Chromium.")
        browser = playwright.chromium.launch(executable_path=path, args=chromium.FLAGS)
        for name, body, seconds in figures:
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            page.set_content(examples.page_of(body))
            session = page.context.new_cdp_session(page)
            session.send("Emulation.setCPUThrottlingRate", {"rate": slow})
            times = page.evaluate(MOVES, count)
            sizes = [len(data) / 1000 for data in (body.encode(), gzip.compress(body.encode()))]
            p95 = statistics.quantiles(times, n=20)[-1]
            rows.append([name, statistics.median(times), p95, *sizes, seconds])
            page.close()
        browser.close()
    head = ["figure (panels)", "move, ms", "95th percentile", "kB", "gzipped", "computed, s"]
    table(f"Figures; milliseconds from a move to its painting, {slow} times slower", head, rows)


if __name__ == "__main__":
    torch.set_num_threads(1)
    main()
