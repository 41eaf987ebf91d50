"""What every test leaves behind: nothing."""

import sys

import pytest


@pytest.fixture(autouse=True)
def no_open_figures():
    """Close what pyplot holds, so that no test depends on those before it."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
