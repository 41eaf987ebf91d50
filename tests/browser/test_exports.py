"""Figures of a notebook that was really executed, in the files that tools make of it."""

import subprocess
import sys
from pathlib import Path

import nbconvert
import nbformat
import pytest
from nbclient import NotebookClient
from playwright.sync_api import expect
from test_hands import figure, use
from test_live import looking
from test_live import use as look_around

HERE = Path(__file__).parent
CELLS = [
    f"import sys\nsys.path[:0] = {[str(HERE), str(HERE.parent)]}\nfrom d2lmini import trace",
    "from test_hands import figure\nfigure()",
    "from test_live import looking\nlooking()",
    "def doubled(scores):\n    twice = 2 * scores\n    return twice + 1\n"
    "trace(doubled, scores=[1.0, 2.0])",
]


def notebook_of(*cells):
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])


@pytest.fixture(scope="module")
def executed():
    """As papermill, jupyter-cache and the builders of sites execute it: by nbclient."""
    return NotebookClient(notebook_of(*CELLS), timeout=120, kernel_name="python3").execute()


@pytest.fixture
def opened(browser, tmp_path):
    """Open an export from a disk, with the network off; note which hosts it asks."""
    context = browser.new_context(offline=True, viewport={"width": 1280, "height": 900})

    def show(text):
        path = tmp_path / "export.html"
        path.write_text(text, encoding="utf-8")
        page, asked = context.new_page(), set()
        page.on("request", lambda request: asked.add(request.url))
        page.goto(path.as_uri(), wait_until="domcontentloaded")
        return page, {url for url in asked if not url.startswith(("file:", "data:", "blob:"))}

    yield show
    context.close()


def expect_alive(page):
    """All three answer a hand: what is dragged, what has no stops, and what is typed."""
    page.locator(".kernelfree-trace > div").wait_for(state="attached")
    hands, look = page.locator(".kernelfree-figure").all()
    use(hands.page, figure())
    # Only the second is left for what looks for the first one.
    hands.evaluate("(node) => node.remove()")
    look_around(look.page, looking())
    page.get_by_role("textbox", name="scores, 1", exact=True).fill("7")
    expect(page.locator(".made td", has_text="15")).to_be_visible()  # 2 * 7 + 1


def exported(kind, notebook, **options):
    return nbconvert.get_exporter(kind)(**options).from_notebook_node(notebook)[0]


@pytest.mark.parametrize(
    ("kind", "options"),
    [("html", {}), ("html", {"template_name": "classic"}), ("slides", {})],
    ids=["lab", "classic", "slides"],
)
def test_it_is_alive_and_asks_no_host_that_the_export_of_other_cells_does_not(
    opened, executed, kind, options
):
    page, asked = opened(exported(kind, executed, **options))
    _, usual = opened(exported(kind, notebook_of("1 + 1"), **options))
    assert asked == usual
    expect_alive(page)


def test_the_command_that_executes_and_exports(opened, tmp_path):
    path = tmp_path / "lesson.ipynb"
    nbformat.write(notebook_of(*CELLS), path)
    command = [sys.executable, "-m", "jupyter", "nbconvert", "--execute", "--to", "html", str(path)]
    subprocess.run(command, check=True, capture_output=True)
    page, _ = opened(path.with_suffix(".html").read_text(encoding="utf-8"))
    expect_alive(page)
