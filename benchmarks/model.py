"""The model in the page: how soon it is ready, how fast it answers, what it holds.

python -m benchmarks.model [--slow 4] [--repeats 9]

Times run from the click to the first answer, and from the start of computing a typed sentence to
the message after the frame that shows its weights. A long task is one that keeps the page waiting.
A slower processor is one that stands still most of the time, for the page and what works beside it:
the browser's own throttle slows the page alone.
"""

import argparse
import json
import os
import signal
import statistics
import sys
import time
from contextlib import contextmanager
from threading import Event, Thread

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
  const once = (node, when) => new Promise((done) => {
    const watch = new MutationObserver(() => when() && done(watch.disconnect()));
    watch.observe(node, { childList: true });
  });
  window.computing = () => {
    const count = root.querySelector(".count");
    return once(count, () => count.textContent === "computing");
  };
  // The frame that shows all panels anew.
  window.shown = async () => {
    await once(root.querySelector(".panels"), () => true);
    await new Promise(requestAnimationFrame);
    const { port1, port2 } = new MessageChannel();
    port2.postMessage(0);
    await new Promise((done) => (port1.onmessage = done));
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
  await computing();
  const start = performance.now();
  await answer;
  return performance.now() - start;
}"""


def opened(browser, address):
    """The page, which no earlier visit has left in a cache, and its session."""
    page = browser.new_context().new_page()
    page.goto(address)
    page.locator(".d2lmini-sentence").scroll_into_view_if_needed()
    page.locator(".d2lmini-sentence > div").wait_for()
    page.evaluate(START)
    return page, page.context.new_cdp_session(page)


@contextmanager
def slowed(browser, times):
    """Let the processes of pages run for a part of the time only, in slices of 2 ms."""
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    pages = [one["id"] for one in processes if one["type"] == "renderer"]
    done = Event()

    def alternate():
        while not done.is_set():
            for number, rest in ((signal.SIGSTOP, times - 1), (signal.SIGCONT, 1)):
                for page in pages:
                    os.kill(page, number)
                time.sleep(0.002 * rest)

    thread = Thread(target=alternate)
    if times > 1:
        thread.start()
    yield
    done.set()
    if times > 1:
        thread.join()


class Heaps:
    """The numbers and objects of a page and of the workers beside it."""

    def __init__(self, session):
        self.session, self.workers, self.answer = session, set(), None
        session.on("Target.attachedToTarget", lambda told: self.workers.add(told["sessionId"]))
        session.on("Target.detachedFromTarget", lambda told: self.workers.remove(told["sessionId"]))
        session.on("Target.receivedMessageFromTarget", self.hear)
        session.send("Target.setAutoAttach", {"autoAttach": True, "waitForDebuggerOnStart": False})

    def hear(self, told):
        self.answer = json.loads(told["message"]).get("result", self.answer)

    def ask(self, worker, method):
        if worker is None:
            return self.session.send(method)
        self.answer = None
        message = json.dumps({"id": 1, "method": method})
        self.session.send("Target.sendMessageToTarget", {"sessionId": worker, "message": message})
        while self.answer is None:
            self.session.send("Runtime.getHeapUsage")  # meanwhile the answer comes
        return self.answer

    def held(self):
        """Megabytes of all."""
        total = 0
        for worker in (None, *self.workers):
            for _ in range(2):  # what the first finds may hold more
                self.ask(worker, "HeapProfiler.collectGarbage")
            usage = self.ask(worker, "Runtime.getHeapUsage")
            total += usage["usedSize"] + usage["backingStorageSize"]
        return total / 1e6


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
        heaps = Heaps(session)
        before = heaps.held()
        ready = page.evaluate(LOAD)
        print(f"\nThe model: {ready / 1000:.2f} s from the click to its first answer")
        rows = []
        for rate in (1, slow):
            for tokens in TOKENS:
                page.evaluate("longest = 0")
                with slowed(browser, rate):
                    times = [page.evaluate(TYPE, tokens) for _ in range(repeats)]
                    page.wait_for_timeout(500)
                longest = page.evaluate("longest")
                rows.append([f"{tokens} tokens, {rate}x slower", statistics.median(times), longest])
        table("A typed sentence", ["", "median, ms", "longest task, ms"], rows)
        loaded = heaps.held()
        page.get_by_role("button", name="Put the model away").click()
        page.wait_for_timeout(6000)  # what it was made of is given back bit by bit
        print(f"held: {before:.0f} MB, with the model {loaded:.0f}, put away {heaps.held():.0f}")
        browser.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="How fast the model in the page answers.")
    parser.add_argument("--slow", type=int, default=4, help="times slower for the second half")
    parser.add_argument("--repeats", type=int, default=9, help="of each sentence")
    main(**vars(parser.parse_args()))
