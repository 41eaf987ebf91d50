"""Which tests run, on which worker and in which order; and what each leaves behind: nothing.

`make test` runs what a contributor waits for. With EXHAUSTIVE=1, as in `make test-all`, all run.
"""

import sys
from pathlib import Path

import pytest
from exhaustive import EXHAUSTIVE

# The longest come first, so that no processor waits for another at the end.
ORDER = ["tests", "browser", "chapters", "book", "frameworks", "package"]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    if not EXHAUSTIVE:
        left = [item for item in items if item.get_closest_marker("exhaustive")]
        if left:
            config.hook.pytest_deselected(items=left)
            items[:] = [item for item in items if item not in left]
    if config.pluginmanager.hasplugin("xdist"):  # not where MXNet is
        for item in items:
            item.add_marker(pytest.mark.xdist_group(group(item)))
    items.sort(key=lambda item: ORDER.index(item.path.parent.name))


def group(item):
    """Tests of one group run on one worker, in order: the cells of a notebook share a kernel, and
    a chapter's tests in the browser its figures."""
    if item.path.stem == "test_elsewhere":
        return item.name
    chapter = getattr(item, "callspec", None) and item.callspec.params.get("chapter")
    return chapter.stem if isinstance(chapter, Path) else item.path.name


def pytest_terminal_summary(terminalreporter):
    """What ran in environments of its own has its summary here, too."""
    for report in terminalreporter.getreports("passed"):
        for name, told in report.user_properties:
            if report.when == "call" and name == "elsewhere":
                terminalreporter.write_line(f"{report.nodeid.partition('::')[2]}: {told}")


@pytest.fixture(autouse=True)
def no_open_figures():
    """Close what pyplot holds, so that no test depends on those before it."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
