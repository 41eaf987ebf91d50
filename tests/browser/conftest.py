"""A real browser for the tests in this folder: Chromium, or Firefox where BOOK_BROWSER says so.

Exhaustively it is the one that readers have; else, where there is one, the same without windows.
"""

import os
import re
import shutil

import pytest
from drawn import HELPERS
from examples import html_of, page_of, without_still_pictures
from exhaustive import EXHAUSTIVE
from playwright.sync_api import expect, sync_playwright
from serving import HTML, serve

from tools import chromium

expect.set_options(timeout=30_000)  # as long as Playwright's actions wait: machines can be slow
FIREFOX = os.environ.get("BOOK_BROWSER") == "firefox"
# What Firefox calls errors: a page left before its fonts, half a formula on its way, a stream's error that is caught,
# and the style sheet `body {}` of Playwright's screenshots.
OWN = re.compile("status=2152398850|number of children for <m|^“TypeError|sha256-YjaKGiklmzC6wjXA")


def pytest_runtest_setup(item):
    if FIREFOX and (mark := item.get_closest_marker("chromium")):
        pytest.skip(f"Playwright gives Firefox no {mark.args[0]}")


def launched(playwright):
    if FIREFOX:
        path = shutil.which("firefox") or pytest.fail("no firefox found on the PATH")
        overlay = {"ui.useOverlayScrollbars": 1}  # as on a phone, and in Chromium without a window
        return playwright.firefox.launch(channel="moz-firefox", executable_path=path, firefox_user_prefs=overlay)
    return chromium.launched(playwright, quick=not EXHAUSTIVE)


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright, launched(playwright) as instance:
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
    assert [one for one in problems if not (FIREFOX and OWN.search(one))] == []


@pytest.fixture
def still(browser):
    if FIREFOX:
        pytest.skip("Playwright cannot switch off the scripts of Firefox")
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
    if FIREFOX:
        pytest.skip("Playwright gives Firefox no finger")
    page = browser.new_page(has_touch=True, viewport={"width": 390, "height": 800})
    session = page.context.new_cdp_session(page)

    def swipe(*points):
        for n, (x, y) in enumerate(points):
            touch = {"type": "touchMove" if n else "touchStart", "touchPoints": [{"x": x, "y": y}]}
            session.send("Input.dispatchTouchEvent", touch)
        session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    yield page, swipe
    page.close()
