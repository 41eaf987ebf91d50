"""Which tests run, on which worker and in which order; and what each leaves behind: nothing.

`make test` runs what has no mark of a longer run; `make test-all` then what is marked `beyond`, and
`make test-nightly` all there is, with EXHAUSTIVE=1 on all examples.
"""

import os
import sys
from pathlib import Path

import pytest

os.environ["MY_ATTENTION"] = "nowhere"  # chapters run without what somebody has written
PACKAGES = ["d2lmini", "kernelfree"]
# The longest come first, so that no processor waits for another at the end.
ORDER = ["elsewhere", "runhere", "browser", "chapters", "book", "classroom", "tools", "frameworks", "models", *PACKAGES]
# Pages whose outputs `make test` proves whatever has changed; `make test-all` proves all.
FEW = ("01_", "04_", "api", "coming_from", "index", "making_figures")


def pytest_addoption(parser):
    told = "where `beyond` is not left out, as tests/touched.py says"
    parser.addoption("--whole", action="append", default=[], help=told)


def pytest_configure(config):
    if config.getoption("whole"):
        config.option.markexpr = "not nightly"


@pytest.hookimpl(tryfirst=True)  # marks are looked at next
def pytest_collection_modifyitems(config, items):
    whole = tuple(config.getoption("whole"))
    for item in items:
        if item.path.suffix == ".ipynb" and not item.path.name.startswith(FEW):
            item.add_marker("beyond")
        if whole and item.get_closest_marker("beyond") and not item.nodeid.startswith(whole):
            item.add_marker("nightly")
    items.sort(key=lambda item: ORDER.index(room(item.nodeid)))


@pytest.hookimpl(optionalhook=True)  # xdist is not where MXNet is
def pytest_xdist_make_scheduler(config, log):
    """Share tests out by group. (xdist's own groups find no test in pytest 9.2, without a word.)"""
    from xdist.scheduler import LoadScopeScheduling

    class Groups(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return group(nodeid)

    return Groups(config, log)


ROOT = Path(__file__).parents[1]
PAGES = sorted(path.stem for path in (ROOT / "chapters").glob("*.ipynb"))


def room(nodeid):
    """The folder of a test below tests/, and that of a notebook."""
    return nodeid.removeprefix("tests/").partition("/")[0]


def group(nodeid):
    """Tests of one group run on one worker, in order: the cells of a notebook share a kernel, and
    a chapter's tests in the browser its figures, and a test of the package its examples."""
    file, _, test = nodeid.partition("::")
    if room(nodeid) == "elsewhere":
        return test
    if room(nodeid) in PACKAGES and not file.endswith("wheel.py"):  # which are built once
        return nodeid.partition("[")[0]
    pages = [page for page in PAGES if page in test.partition("[")[2]]
    return pages[0] if pages and room(nodeid) == "browser" else file


def pytest_terminal_summary(terminalreporter):
    """What ran in environments of its own has its summary here, too, and what it found; and how
    many sentences wait for their translation."""
    for report in terminalreporter.getreports("passed"):
        for name, told in report.user_properties:
            if report.when == "call" and name == "elsewhere":
                terminalreporter.write_line(f"{report.nodeid.partition('::')[2]}: {told}")
            elif report.when == "call" and name == "late":
                terminalreporter.write_line(told)


@pytest.fixture(autouse=True)
def no_open_figures():
    """Close what pyplot holds, so that no test depends on those before it."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
