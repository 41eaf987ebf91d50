"""The built pages: what a visit transfers, and what Lighthouse says where it is installed.

python -m benchmarks.pages [--quick] [--runs N] [PAGE ...]      for instance: --runs 12 index

Lighthouse runs where `npx lighthouse` does; --quick leaves it out.
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

from playwright.sync_api import sync_playwright

from .measure import table

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))
import chromium

HTML = Path(__file__).parents[1] / "_build" / "html"


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


def visit(browser, server, link):
    """Scroll through a page; return the KiB of a first and of a later visit."""
    server.sent.clear()
    page = browser.new_page()
    page.goto(link)
    page.evaluate(
        """async () => {
          for (let y = 0; y < document.documentElement.scrollHeight; y += innerHeight) {
            scrollTo({ top: y, behavior: "instant" });
            await new Promise((done) => setTimeout(done, 50));
          }
        }"""
    )
    page.wait_for_load_state("networkidle")
    page.close()
    later = sum(size for path, size in server.sent.items() if "/_static/" not in path)
    return sum(server.sent.values()) / 1024, later / 1024


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


FELT = ("largest-contentful-paint", "cumulative-layout-shift", "total-blocking-time")
HEADS = ["", "performance", "accessibility", "best practices", "SEO"]
HEADS += ["LCP, ms", "CLS", "blocking, ms"]
RUNS = 3  # of Lighthouse for each page: on a busy machine one alone says little


def scores(reports):
    """The four scores, then the times that a reader feels: each the median, and the worst."""
    points = [[100 * part["score"] for part in r["categories"].values()] for r in reports]
    felt = [[r["audits"][name]["numericValue"] for name in FELT] for r in reports]
    columns = [(numbers, min(numbers)) for numbers in zip(*points, strict=True)]
    columns += [(numbers, max(numbers)) for numbers in zip(*felt, strict=True)]
    return [f"{statistics.median(numbers):.3g} ({worst:.3g})" for numbers, worst in columns]


def main(quick=False, runs=RUNS, names=()):
    built = sorted(path.stem for path in (HTML / "chapters").glob("*.html"))
    if not built:
        sys.exit("benchmarks.pages: there is no built book; `make book` makes one")
    if unknown := set(names) - set(built):
        sys.exit(f"benchmarks.pages: no page is named {', '.join(unknown)}; there are {built}")
    server = served(HTML)
    start = f"http://127.0.0.1:{server.server_port}/chapters"
    links = {name: f"{start}/{name}.html" for name in names or built}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=chromium.FLAGS)
        rows = [[name, *visit(browser, server, link)] for name, link in links.items()]
        browser.close()
    table("The pages", ["", "first visit, KiB", "later, KiB"], rows)
    reports = []
    for name, link in () if quick else links.items():
        found = [lighthouse(link) for _ in range(runs)]
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
