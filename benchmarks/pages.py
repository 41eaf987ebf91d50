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
import threading
from pathlib import Path

import chromium
from playwright.sync_api import sync_playwright

from . import ROOT
from .measure import table

HTML = ROOT / "_build" / "html"


@functools.cache
def compressed(path):
    """As a host keeps it: compressing the model takes longer than sending it."""
    return gzip.compress(path.read_bytes(), 6)


class Compressing(http.server.SimpleHTTPRequestHandler):
    """A file host that compresses what can be compressed, and counts what it sends."""

    protocol_version = "HTTP/1.1"
    sent = {}  # noqa: RUF012  (address -> bytes, for the whole run)

    def log_message(self, *message):
        pass

    def do_GET(self):
        path = Path(self.translate_path(self.path))
        if not path.is_file():
            self.send_error(404)
            return
        small = path.suffix not in (".woff2", ".png")
        data = compressed(path) if small else path.read_bytes()
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(str(path)))
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "max-age=600")
        if small:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        self.wfile.write(data)
        self.sent[self.path] = len(data)


def host():
    """Serve the book's chapters from now on; return their address."""
    handler = functools.partial(Compressing, directory=HTML)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/chapters"


def visit(browser, link):
    """Scroll through a page; return the KiB of a first and of a later visit."""
    Compressing.sent.clear()
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
    sent = Compressing.sent
    later = sum(size for path, size in sent.items() if "/_static/" not in path)
    return sum(sent.values()) / 1024, later / 1024


def lighthouse(link):
    """Lighthouse's mobile report of a page."""
    flags = " ".join(["--headless", *chromium.FLAGS])
    command = ["npx", "--no-install", "lighthouse", link, "--quiet", "--output=json"]
    command.append(f"--chrome-flags={flags}")
    environment = {**os.environ, "CHROME_PATH": chromium.find()}
    done = subprocess.run(command, check=True, capture_output=True, env=environment)
    return json.loads(done.stdout)


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
    if not built or set(names) - set(built):
        sys.exit(f"benchmarks.pages: `make book` makes pages; there are {built}")
    start = host()
    links = {name: f"{start}/{name}.html" for name in names or built}
    with sync_playwright() as playwright:
        browser = chromium.launched(playwright)
        rows = [[name, *visit(browser, link)] for name, link in links.items()]
        browser.close()
    table("The pages", ["", "first visit, KiB", "later, KiB"], rows)
    if quick:
        return
    try:
        reports = {name: [lighthouse(link) for _ in range(runs)] for name, link in links.items()}
    except (OSError, subprocess.CalledProcessError):
        print("Lighthouse does not run here: `npm install lighthouse` brings it.")
        return
    rows = [[name, *scores(found)] for name, found in reports.items()]
    table(f"Lighthouse, mobile: median of {runs} runs (worst)", HEADS, rows)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="What pages transfer, and what Lighthouse says.")
    parser.add_argument("--quick", action="store_true", help="without Lighthouse")
    parser.add_argument("--runs", type=int, default=RUNS, help="of Lighthouse for each page")
    parser.add_argument("names", nargs="*", metavar="PAGE", help="like index; all if none")
    main(**vars(parser.parse_args()))
