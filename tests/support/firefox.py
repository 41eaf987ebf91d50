"""The Firefox that is installed; and the one place for what Playwright has no order for there.

A test that asks for such a thing is skipped there, where it asks, with its reason: what it says before that is proved.
"""

import re
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page

# What it calls errors: a page left before its fonts, half a formula on its way, a stream's error that is caught, a
# worker from a disk, for which the page has another way, and the style sheet `body {}` of Playwright's screenshots.
OWN = re.compile(
    "status=2152398850|number of children for <m|^“TypeError|may not load data from .*/work.js|sha256-YjaKGiklmzC6wjXA"
)

# As it is; all else that is wished for is lacking.
PLAIN = {None, "screen", "light", "null", "no-preference", "none"}
LACKS = {
    (Page, "emulate_media"): (
        lambda wishes: not {*wishes.values()} <= PLAIN,
        "no dark system, no paper, no wish for less motion, no forced colours",
    ),
    (BrowserContext, "new_cdp_session"): (
        lambda wishes: True,
        "no finger and no count of what is held: Chromium's own protocol has them",
    ),
    (Browser, "new_context"): (
        lambda wishes: wishes.get("java_script_enabled") is False,
        "no page without scripts",
    ),
}


def granted(context, permissions):
    """Where a test asks, the clipboard is open by a preference."""
    assert {*permissions} == {"clipboard-read", "clipboard-write"}


def launched(playwright, patch, downloads):
    path = shutil.which("firefox") or pytest.fail("no firefox found on the PATH")
    preferences = {
        "ui.useOverlayScrollbars": 1,  # as on a phone, and in Chromium without a window
        "security.fileuri.strict_origin_policy": True,  # as readers have it, not Playwright
        "dom.events.testing.asyncClipboard": True,
        "browser.download.folderList": 2,
        "browser.download.dir": str(downloads),
    }
    for (owner, name), lack in LACKS.items():
        patch.setattr(owner, name, lacking(getattr(owner, name), *lack))
    patch.setattr(BrowserContext, "grant_permissions", granted)
    patch.setattr(Locator, "dblclick", twice)
    patch.setattr(Page, "expect_download", lambda page: saved(page, downloads))
    return playwright.firefox.launch(channel="moz-firefox", executable_path=path, firefox_user_prefs=preferences)


def lacking(order, asked_for, what):
    def ask(self, *given, **wishes):
        if asked_for(wishes):
            pytest.skip(f"Playwright gives Firefox {what}")
        return order(self, *given, **wishes)

    return ask


def twice(locator, **how):
    """Of clicks that come as orders apart, Firefox makes no double one."""
    for _ in range(2):
        locator.click(**how)
    locator.dispatch_event("dblclick")


@contextmanager
def saved(page, downloads):
    """As `page.expect_download`, which Firefox tells nothing of: a file that comes into the folder, whole."""
    download = SimpleNamespace()
    yield download
    for _ in range(300):
        files = [file for file in downloads.iterdir() if file.is_file()]
        if len(files) == 1 and files[0].stat().st_size and files[0].suffix != ".part":
            break
        page.wait_for_timeout(100)
    (file,) = files
    path = file.rename(Path(tempfile.mkdtemp(dir=downloads)) / file.name)
    download.value = SimpleNamespace(suggested_filename=file.name, path=lambda: path)
