"""A real Chromium for the tests in this folder."""

import sys
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
import chromium


@pytest.fixture(scope="session")
def browser():
    """One Chromium for the whole run."""
    path = chromium.find()
    if path is None:
        pytest.fail("no Chromium found: run `make test`, which installs one")
    with sync_playwright() as playwright:
        instance = playwright.chromium.launch(executable_path=path, args=chromium.FLAGS)
        yield instance
        instance.close()


@pytest.fixture
def page(browser):
    """A fresh page; the test fails if it logs a console error or asks another host for anything."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
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
    context.close()
    assert problems == []
