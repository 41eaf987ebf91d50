"""The model in the page: how soon it is ready, how fast it answers, what it holds.

python -m benchmarks.model [--slow 4] [--repeats 9]

Times run from the click to the first answer, and from the start of computing a typed sentence to
the message after the frame that shows its weights. A long task is one that keeps the page waiting.
"""

import argparse
import statistics
import sys

import chromium
from playwright.sync_api import sync_playwright

from .measure import table
from .pages import HTML, host

PAGE = HTML / "chapters" / "own_sentence.html"
TOKENS = [10, 30, 64]

START = """() => {
  window.longest = 0;
  const watch = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
  });
  watch.observe({ type: "longtask" });
  window.root = document.querySelector(".d2lmini-sentence > div").shadowRoot;
  // Until the count says so many tokens: the milliseconds since it said "computing".
  window.answered = (tokens) => new Promise((done) => {
    const count = root.querySelector(".count");
    let start = performance.now();
    new MutationObserver((_, observer) => {
      if (count.textContent === "computing") start = performance.now();
      if (count.textContent !== `${tokens} tokens`) return;
      observer.disconnect();
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => done(performance.now() - start);
        channel.port2.postMessage(0);
      });
    }).observe(count, { childList: true });
  });
}"""
LOAD = """async () => {
  const start = performance.now();
  root.querySelector(".load button").click();
  while (!/tokens/.test(root.querySelector(".count")?.textContent))
    await new Promise((done) => setTimeout(done, 10));
  return performance.now() - start;
}"""
TYPE = """async (tokens) => {
  const field = root.querySelector("#sentence");
  field.value = "rain ".repeat(tokens - 3) + (window.turn = !window.turn ? "sun" : "fog");
  const time = answered(tokens);
  field.dispatchEvent(new Event("input"));
  return time;
}"""


def opened(browser, address):
    """The page, which no earlier visit has left in a cache, and its session."""
    page = browser.new_context().new_page()
    page.goto(address)
    page.locator(".d2lmini-sentence").scroll_into_view_if_needed()
    page.locator(".d2lmini-sentence > div").wait_for()
    page.evaluate(START)
    return page, page.context.new_cdp_session(page)


def held(session):
    """Megabytes of the page's numbers and objects."""
    for _ in range(2):  # what the first finds may hold more
        session.send("HeapProfiler.collectGarbage")
    usage = session.send("Runtime.getHeapUsage")
    return (usage["usedSize"] + usage.get("backingStorageSize", 0)) / 1e6


def main(slow=4, repeats=9):
    if not PAGE.exists():
        sys.exit("benchmarks.model: `make book` makes the page, where the model's package is")
    address = f"{host()}/{PAGE.name}"
    with sync_playwright() as playwright:
        browser = chromium.launched(playwright)
        first, _ = opened(browser, address)
        first.evaluate(LOAD)  # the host compresses each file once
        first.context.close()
        page, session = opened(browser, address)
        before = held(session)
        ready = page.evaluate(LOAD)
        print(f"\nThe model: {ready / 1000:.2f} s from the click to its first answer")
        rows = []
        for rate in (1, slow):
            session.send("Emulation.setCPUThrottlingRate", {"rate": rate})
            for tokens in TOKENS:
                page.evaluate("longest = 0")
                times = [page.evaluate(TYPE, tokens) for _ in range(repeats)]
                page.wait_for_timeout(500)
                longest = page.evaluate("longest")
                rows.append([f"{tokens} tokens, {rate}x slower", statistics.median(times), longest])
        session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
        table("A typed sentence", ["", "median, ms", "longest task, ms"], rows)
        loaded = held(session)
        page.get_by_role("button", name="Put the model away").click()
        page.wait_for_timeout(6000)  # what it was made of is given back bit by bit
        print(f"held: {before:.0f} MB, with the model {loaded:.0f}, put away {held(session):.0f}")
        browser.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="How fast the model in the page answers.")
    parser.add_argument("--slow", type=int, default=4, help="times slower for the second half")
    parser.add_argument("--repeats", type=int, default=9, help="of each sentence")
    main(**vars(parser.parse_args()))
