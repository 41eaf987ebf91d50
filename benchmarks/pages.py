"""The built pages: what a visit transfers, and what Lighthouse says where it is installed.

python -m benchmarks.pages [--quick] [--runs N] [PAGE ...]      for instance: --runs 12 index

Lighthouse runs where `npx lighthouse` does; --quick leaves it out.
"""

import argparse
import functools
import gzip
import json
import os
import statistics
import subprocess
import sys
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from playwright.sync_api import sync_playwright

from tools import chromium

from . import ROOT, table

HTML = ROOT / "_build" / "html"


@functools.cache
def compressed(path):
    """As a host keeps it: compressing the model takes longer than sending it."""
    return gzip.compress(path.read_bytes(), 6)


class Compressing(SimpleHTTPRequestHandler):
    """A file host that compresses what can be compressed."""

    protocol_version = "HTTP/1.1"

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
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "max-age=600")
        if small:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        self.wfile.write(data)


def host():
    """Serve the book's chapters from now on; return their address."""
    handler = functools.partial(Compressing, directory=HTML)
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/chapters"


def visit(browser, link):
    """Scroll through a page; return the KiB of a first and of a later visit."""
    sent = {}  # address -> bytes
    with browser.new_page() as page:
        page.on("response", lambda one: sent.update({one.url: int(one.headers["content-length"])}))
        page.goto(link)
        for _ in range(page.evaluate("document.documentElement.scrollHeight / innerHeight | 0")):
            page.keyboard.press("PageDown")
            page.wait_for_timeout(50)
        page.wait_for_load_state("networkidle")
    later = sum(size for address, size in sent.items() if "/_static/" not in address)
    return sum(sent.values()) / 1024, later / 1024


def lighthouse(link):
    """Lighthouse's mobile report of a page."""
    command = ["npx", "--no-install", "lighthouse", link, "--quiet", "--output=json"]
    flags = " ".join(["--chrome-flags=--headless", *chromium.FLAGS])
    own = {"CHROME_PATH": chromium.on_path() or ""}  # else Lighthouse looks for one itself
    options = {"stderr": subprocess.DEVNULL, "env": {**os.environ, **own}}
    return json.loads(subprocess.check_output([*command, flags], **options))


FELT = ("largest-contentful-paint", "cumulative-layout-shift", "total-blocking-time")
HEADS = ["", "performance", "accessibility", "best practices", "SEO"]
HEADS += ["LCP, ms", "CLS", "blocking, ms"]


def scores(reports):
    """The four scores, then the times that a reader feels: each the median, and the worst."""
    points = [[100 * part["score"] for part in r["categories"].values()] for r in reports]
    felt = [[r["audits"][name]["numericValue"] for name in FELT] for r in reports]
    columns = [(numbers, min(numbers)) for numbers in zip(*points, strict=True)]
    columns += [(numbers, max(numbers)) for numbers in zip(*felt, strict=True)]
    return [f"{statistics.median(numbers):.3g} ({worst:.3g})" for numbers, worst in columns]


def main(arguments=None):
    parser = argparse.ArgumentParser(description="What pages transfer, and what Lighthouse says.")
    parser.add_argument("--quick", action="store_true", help="without Lighthouse")
    # On a busy machine one alone says little.
    parser.add_argument("--runs", type=int, default=3, help="of Lighthouse for each page")
    parser.add_argument("names", nargs="*", metavar="PAGE", help="like index; all if none")
    given = parser.parse_args(arguments)
    built = sorted(path.stem for path in (HTML / "chapters").glob("*.html"))
    if not built or set(given.names) - set(built):
        sys.exit(f"benchmarks.pages: `make book` makes pages; there are {built}")
    start = host()
    links = {name: f"{start}/{name}.html" for name in given.names or built}
    with sync_playwright() as playwright, chromium.launched(playwright) as browser:
        rows = [[name, *visit(browser, link)] for name, link in links.items()]
    table("The pages", ["", "first visit, KiB", "later, KiB"], rows)
    if given.quick:
        return
    try:
        rows = [
            [name, *scores([lighthouse(link) for _ in range(given.runs)])]
            for name, link in links.items()
        ]
    except (OSError, subprocess.CalledProcessError):
        print("Lighthouse does not run here: `npm install lighthouse` brings it.")
        return
    table(f"Lighthouse, mobile: median of {given.runs} runs (worst)", HEADS, rows)


if __name__ == "__main__":
    main()
