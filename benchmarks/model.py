"""The model in the page: how soon it is ready, how fast it answers, what it holds.

python -m benchmarks.model [--slow 4] [--repeats 9]

Times run from the click to the first answer, and from the start of computing a typed sentence to
the first task after the frame that shows its weights. A long task is one that keeps the page
waiting. A slower processor is one that stands still most of the time, for the page and what works
beside it: the browser's own throttle slows the page alone.
"""

import argparse
import json
import statistics
import sys
import time
from contextlib import contextmanager
from threading import Event, Thread

import psutil
from playwright.sync_api import sync_playwright

from tools import chromium

from . import table
from .pages import HTML, host

PAGE = HTML / "chapters" / "own_sentence.html"
TOKENS = [10, 30, 64]

START = """() => {
  window.longest = 0;
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
  }).observe({ type: "longtask" });
  window.root = document.querySelector(".kernelfree-sentence > div").shadowRoot;
  // When a part of the page has become another, in which there is a text.
  window.changed = (part, text) => new Promise((done) => {
    const node = root.querySelector(part);
    const watch = new MutationObserver(() => {
      if (node.textContent.includes(text)) done(watch.disconnect());
    });
    watch.observe(node, { childList: true });
  });
  // The frame that shows all panels anew.
  window.shown = async () => {
    await changed(".panels", "");
    await new Promise(requestAnimationFrame);
    await scheduler.postTask(() => {});
  };
}"""
LOAD = """async () => {
  const start = performance.now();
  root.querySelector(".load button").click();
  await shown();
  return performance.now() - start;
}"""
TYPE = """async (tokens) => {
  const field = root.querySelector("#sentence");
  field.value = "rain ".repeat(tokens - 3) + (window.turn = !window.turn ? "sun" : "fog");
  const answer = shown();
  field.dispatchEvent(new Event("input"));
  await changed(".count", "computing");
  const start = performance.now();
  await answer;
  return performance.now() - start;
}"""


def opened(browser, address):
    """The page, which no earlier visit has left in a cache."""
    page = browser.new_context().new_page()
    page.goto(address)
    page.locator(".kernelfree-sentence").scroll_into_view_if_needed()
    page.locator(".kernelfree-sentence > div").wait_for()
    page.evaluate(START)
    return page


@contextmanager
def slowed(browser, times):
    """Let the processes of pages run for a part of the time only, in slices of 2 ms."""
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    pages = [psutil.Process(one["id"]) for one in processes if one["type"] == "renderer"]
    done = Event()

    def alternate():
        while not done.wait(0.002):
            for page in pages:
                page.suspend()
            time.sleep(0.002 * (times - 1))
            for page in pages:
                page.resume()

    thread = Thread(target=alternate)
    thread.start()
    yield
    done.set()
    thread.join()


def held(browser):
    """Megabytes of the numbers and objects of all pages and of the workers beside them."""
    session, heaps = browser.new_browser_cdp_session(), []

    def hear(told):
        if found := json.loads(told["message"]).get("result"):
            heaps.append(found["usedSize"] + found["backingStorageSize"])

    session.on("Target.receivedMessageFromTarget", hear)
    targets = session.send("Target.getTargets")["targetInfos"]
    ours = [one["targetId"] for one in targets if one["type"] in ("page", "worker")]
    for target in ours:
        to = session.send("Target.attachToTarget", {"targetId": target})
        garbage = "HeapProfiler.collectGarbage"  # twice: what the first finds may hold more
        for number, method in enumerate((garbage, garbage, "Runtime.getHeapUsage")):
            message = json.dumps({"id": number, "method": method})
            session.send("Target.sendMessageToTarget", {**to, "message": message})
    while len(heaps) < len(ours):
        session.send("Target.getTargets")  # meanwhile the answers come
    session.detach()
    return sum(heaps) / 1e6


def typed(page, rate, repeats):
    """The rows of a speed: the median time of sentences, and the longest task."""
    for tokens in TOKENS:
        page.evaluate("longest = 0")
        times = [page.evaluate(TYPE, tokens) for _ in range(repeats)]
        page.wait_for_timeout(500)
        longest = page.evaluate("longest")
        yield [f"{tokens} tokens, {rate}x slower", statistics.median(times), longest]


def main(arguments=None):
    parser = argparse.ArgumentParser(description="How fast the model in the page answers.")
    parser.add_argument("--slow", type=int, default=4, help="times slower for the second half")
    parser.add_argument("--repeats", type=int, default=9, help="of each sentence")
    given = parser.parse_args(arguments)
    if not PAGE.exists():
        sys.exit("benchmarks.model: `make book` makes the page, where the model's package is")
    address = f"{host()}/{PAGE.name}"
    with sync_playwright() as playwright, chromium.launched(playwright) as browser:
        first = opened(browser, address)
        first.evaluate(LOAD)  # the host compresses each file once
        first.context.close()
        page = opened(browser, address)
        before = held(browser)
        ready = page.evaluate(LOAD)
        print(f"\nThe model: {ready / 1000:.2f} s from the click to its first answer")
        rows = [*typed(page, 1, given.repeats)]
        with slowed(browser, given.slow):
            rows += typed(page, given.slow, given.repeats)
        table("A typed sentence", ["", "median, ms", "longest task, ms"], rows)
        loaded = held(browser)
        page.get_by_role("button", name="Put the model away").click()
        page.wait_for_timeout(6000)  # what it was made of is given back bit by bit
        print(f"held: {before:.0f} MB, with the model {loaded:.0f}, put away {held(browser):.0f}")


if __name__ == "__main__":
    main()
