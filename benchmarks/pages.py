"""The built pages: what a visit transfers, what Lighthouse says, beside a stock Jupyter Book.

python -m benchmarks.pages [--quick] [--runs N] [PAGE ...]      for instance: --runs 12 index

Lighthouse runs where `npx lighthouse` does; --quick leaves it out. The stock book is one chapter
built with Jupyter Book's defaults, each figure made of ipywidgets instead of explore(); it is left
out when pages are named.
"""

import argparse
import functools
import gzip
import http.server
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from urllib.parse import urlsplit

import nbformat
from nbclient import NotebookClient
from playwright.sync_api import sync_playwright

from .measure import table

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))
import chromium

ROOT = Path(__file__).parents[1]
HTML = ROOT / "_build" / "html"
STOCK_CHAPTER = "06_scaled_dot_product_attention"

# In the stock book a figure is what ipywidgets makes of the same function.
WIDGETS = """
import d2lmini
import ipywidgets
from IPython.display import display
from d2lmini import show_heatmaps

def explore(function, title=None, labels=None, play=None, predict=None, **controls):
    def show(**values):
        panels = function(**values)
        for panel in panels.values() if isinstance(panels, dict) else [panels]:
            matrix = getattr(panel, "matrix", getattr(panel, "heights", panel))
            show_heatmaps(matrix.reshape(1, 1, -1, matrix.shape[-1]), "Keys", "Queries")

    def widget(given):
        if isinstance(given, bool):
            return ipywidgets.Checkbox(given)
        options = list(given)
        kind = ipywidgets.Dropdown if isinstance(options[0], str) else ipywidgets.SelectionSlider
        return kind(options=options)

    widgets = {name: widget(given) for name, given in controls.items()}
    picture = ipywidgets.interactive_output(show, widgets)
    display(ipywidgets.VBox([*widgets.values(), picture]))

d2lmini.explore = explore
"""


class Compressing(http.server.SimpleHTTPRequestHandler):
    """A file host that compresses what can be compressed, and counts what it sends."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *message):
        pass

    def do_GET(self):
        path = Path(self.translate_path(self.path))
        if not path.is_file():
            self.send_error(404)
            return
        data, small = path.read_bytes(), path.suffix not in (".woff2", ".png")
        data = gzip.compress(data, 6) if small else data
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "max-age=600")
        if small:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        self.wfile.write(data)
        self.server.sent[self.path] = len(data)


def served(folder):
    """Serve a folder; return the server. `.sent` maps what was asked for to its bytes."""
    handler = functools.partial(Compressing, directory=folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.sent = {}
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def address(server, page):
    return f"http://127.0.0.1:{server.server_port}/{page}"


def stock(folder):
    """Build one chapter as a stock Jupyter Book with ipywidgets in `folder`; return its pages."""
    notebook = nbformat.read(ROOT / "chapters" / f"{STOCK_CHAPTER}.ipynb", 4)
    notebook.cells.insert(2, nbformat.v4.new_code_cell(WIDGETS))
    NotebookClient(notebook, timeout=600, store_widget_state=True).execute()
    nbformat.write(notebook, folder / "chapter.ipynb")
    (folder / "_toc.yml").write_text("format: jb-book\nroot: chapter\n")
    (folder / "_config.yml").write_text('title: Stock\nexecute: {execute_notebooks: "off"}\n')
    command = [Path(sys.executable).parent / "jupyter-book", "build", folder]
    subprocess.run(command, check=True, capture_output=True)
    return folder / "_build" / "html"


def visit(browser, server, page):
    """Scroll through a page; return its requests to other hosts, its sliders, and those alive."""
    others, tab = set(), browser.new_page()
    local = ("http://127.0.0.1", "data:", "blob:")
    tab.on("request", lambda r: r.url.startswith(local) or others.add(urlsplit(r.url).netloc))
    tab.goto(address(server, page))
    tab.evaluate(
        """async () => {
          for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight) {
            scrollTo({ top: y, behavior: "instant" });
            await new Promise((done) => setTimeout(done, 50));
          }
        }"""
    )
    tab.wait_for_timeout(1000)
    for figure in tab.locator(".d2lmini-figure").all():
        figure.evaluate("figure => location.replace('#' + figure.id)")
        figure.locator("> div").wait_for()
    for button in tab.get_by_role("button", name="Skip the question").all():
        button.click()
    sliders = tab.get_by_role("slider").all()
    alive = 0
    for slider in sliders:
        for reset in tab.get_by_role("button", name="Reset", exact=True).all():
            reset.click()  # where another slider stands, this one may have nothing to move
        slider.focus()
        seen = set()
        for end in ("End", "Home"):
            slider.press(end)
            tab.wait_for_timeout(200)
            seen.add(tab.evaluate(PICTURES))
        alive += len(seen) == 2
    tab.close()
    return others, len(sliders), alive


PICTURES = """() => {
  const roots = [document, ...[...document.querySelectorAll("*")].map((n) => n.shadowRoot)];
  const found = (kind) => roots.flatMap((root) => [...(root?.querySelectorAll(kind) ?? [])]);
  return found("canvas").map((c) => c.toDataURL()).join() + found("img").map((i) => i.src).join();
}"""


def lighthouse(link):
    """Lighthouse's mobile report of a page, or None where it can't run."""
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        command = ["npx", "--no-install", "lighthouse", link, "--quiet", "--output=json"]
        flags = " ".join(["--headless", *chromium.FLAGS])
        command += [f"--output-path={report.name}", f"--chrome-flags={flags}"]
        environment = {**os.environ, "CHROME_PATH": chromium.find()}
        try:
            subprocess.run(command, check=True, capture_output=True, env=environment)
        except (OSError, subprocess.CalledProcessError):
            return None
        return json.loads(Path(report.name).read_text())


FELT = {
    "largest-contentful-paint": ("LCP, ms", "{:.0f}"),
    "cumulative-layout-shift": ("CLS", "{:.3f}"),
    "total-blocking-time": ("blocking, ms", "{:.0f}"),
}
HEADS = ["", "performance", "accessibility", "best practices", "SEO"]
HEADS += [head for head, _ in FELT.values()]
RUNS = 3  # of Lighthouse for each page: on a busy machine one alone says little


def scores(reports):
    """The four scores, then the times that a reader feels: each the median, and the worst."""
    points = [[100 * part["score"] for part in r["categories"].values()] for r in reports]
    felt = [[r["audits"][name]["numericValue"] for name in FELT] for r in reports]
    return [
        *(middle("{:.0f}", numbers, min(numbers)) for numbers in zip(*points, strict=True)),
        *(
            middle(form, numbers, max(numbers))
            for (_, form), numbers in zip(FELT.values(), zip(*felt, strict=True), strict=True)
        ),
    ]


def middle(form, numbers, worst):
    median, worst = form.format(statistics.median(numbers)), form.format(worst)
    return median if median == worst else f"{median} ({worst})"


def main(quick=False, runs=RUNS, names=()):
    if not (HTML / "chapters").is_dir():
        sys.exit("benchmarks.pages: there is no built book; `make book` makes one")
    ours = served(HTML)
    built = sorted(path.stem for path in (HTML / "chapters").glob("*.html"))
    if unknown := set(names) - set(built):
        sys.exit(f"benchmarks.pages: no page is named {', '.join(unknown)}; there are {built}")
    pages = [f"chapters/{name}.html" for name in names or built]
    rows, reports = [], []
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=chromium.FLAGS)
        shown = [(ours, page, page.split("/")[1]) for page in pages]
        if not names:
            theirs = served(stock(Path(folder)))
            shown.append((theirs, "chapter.html", f"stock: {STOCK_CHAPTER}"))
        for server, page, name in shown:
            server.sent.clear()
            others, sliders, alive = visit(browser, server, page)
            first = sum(server.sent.values())
            later = sum(n for link, n in server.sent.items() if "/_static/" not in link)
            rows.append(
                [name, f"{first / 1024:.0f}", f"{later / 1024:.0f}", f"{alive} of {sliders}",
                 ", ".join(sorted(others)) or "none"]
            )  # fmt: skip
        browser.close()
        table(
            "The pages",
            ["", "first visit, KiB", "later, KiB", "sliders alive", "other hosts"],
            rows,
        )
        for server, page, name in [] if quick else shown:
            found = [lighthouse(address(server, page)) for _ in range(runs)]
            if None in found:
                print("Lighthouse does not run here: `npm install lighthouse` brings it.")
                break
            reports.append([name, *scores(found)])
        if reports:
            table(f"Lighthouse, mobile: median of {runs} runs (worst)", HEADS, reports)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="What pages transfer, and what Lighthouse says.")
    parser.add_argument("--quick", action="store_true", help="without Lighthouse")
    parser.add_argument("--runs", type=int, default=RUNS, help="of Lighthouse for each page")
    parser.add_argument("names", nargs="*", metavar="PAGE", help="like index; all if none")
    main(**vars(parser.parse_args()))
