"""All that is asked of Chromium, in Firefox; what Playwright cannot ask there stands in support/firefox.py."""

import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("tests/browser/test_*.py"))


@pytest.mark.nightly
@pytest.mark.skipif(not shutil.which("firefox"), reason="no Firefox is installed")
@pytest.mark.parametrize("file", FILES)
def test_firefox(tested_in, file):
    """The newer Playwright of the pins cannot speak with it."""
    tested_in(".venv", file, BOOK_BROWSER="firefox", PYTHONPATH=str(ROOT / ".venv" / "firefox"))
