"""A real browser for the tests in this folder: Chromium, or Firefox where BOOK_BROWSER says so.

Exhaustively it is the one that readers have; else, where there is one, the same without windows.
"""

import os

import firefox
import pytest
from drawn import HELPERS
from examples import html_of, page_of, without_still_pictures
from exhaustive import EXHAUSTIVE
from playwright.sync_api import expect, sync_playwright
from serving import HTML, serve

from tools import chromium

expect.set_options(timeout=30_000)  # as long as Playwright's actions wait: machines can be slow
FIREFOX = os.environ.get("BOOK_BROWSER") == "firefox"


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    with sync_playwright() as playwright, pytest.MonkeyPatch.context() as patch:
        if FIREFOX:
            made = firefox.launched(playwright, patch, tmp_path_factory.mktemp("downloads"))
        else:
            made = chromium.launched(playwright, quick=not EXHAUSTIVE)
        with made as instance:
            yield instance


@pytest.fixture(scope="function" if FIREFOX else "session")
def context(browser):
    """One for all tests, since it costs as much as a page; where a clock is set, one for each."""
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        yield context


@pytest.fixture
def page(context):
    """A fresh page; the test fails if it logs a console error or asks another host for anything."""
    page = context.new_page()
    problems = []
    page.on("console", lambda m: problems.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))

    def note_request(request):
        local = ("file:", "data:", "blob:", "about:", "http://127.0.0.1", "http://localhost")
        if not request.url.startswith(local):
            problems.append(f"request to another host: {request.url}")

    page.on("request", note_request)
    yield page
    if not FIREFOX:
        left = {"origin": "*", "storageTypes": "local_storage"}
        context.new_cdp_session(page).send("Storage.clearDataForOrigin", left)
    page.close()
    context.set_offline(False)
    context.clear_permissions()
    assert [one for one in problems if not (FIREFOX and firefox.OWN.search(one))] == []


@pytest.fixture
def still(browser):
    with browser.new_context(java_script_enabled=False) as context:
        yield context.new_page()


@pytest.fixture(scope="session")
def served():
    with serve(HTML) as address:
        yield address


@pytest.fixture
def own_page(browser):
    """A page in a context of its own, whose clock, storage and errors are the test's."""
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        yield context.new_page()


@pytest.fixture
def written(tmp_path):
    """Write a page of figures, or of HTML; give its address. Few tests need still pictures, which
    take most of the time."""

    def write(*figures, head="", body="", pictures=False):
        with pytest.MonkeyPatch.context() as patch:
            if not pictures:
                without_still_pictures(patch)
            text = page_of(html_of(*figures) + body, head)
        path = tmp_path / "page.html"
        path.write_text(text, encoding="utf-8")
        return path.as_uri()

    return write


@pytest.fixture
def show(page, written):
    """Open such a page from disk, with the network off."""

    def open_page(*figures, head="", body="", address=""):
        page.context.set_offline(True)
        page.goto(written(*figures, head=head, body=body) + address)
        # A figure's script is unpacked first.
        expect(page.locator("[class^=kernelfree-]:not([data-alive])")).to_have_count(0)
        page.evaluate(f"() => {{{HELPERS}}}")
        return page

    return open_page


@pytest.fixture
def phone(browser):
    """A page on a phone, and what draws a finger over it, from point to point."""
    with browser.new_context(has_touch=True, viewport={"width": 390, "height": 800}) as context:
        page = context.new_page()
        session = context.new_cdp_session(page)

        def swipe(*points):
            for n, (x, y) in enumerate(points):
                touch = {"type": "touchMove" if n else "touchStart", "touchPoints": [{"x": x, "y": y}]}
                session.send("Input.dispatchTouchEvent", touch)
            session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

        yield page, swipe
