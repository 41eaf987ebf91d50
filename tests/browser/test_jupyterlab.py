"""Figures in a real JupyterLab: stored notebooks, and a live kernel. (Each takes 10 to 40 s.)"""

import os
import re
import socket
import subprocess
import sys
import time

import nbformat
import pytest
from nbclient import NotebookClient

import chapters
from tools import metadata, run

pytestmark = pytest.mark.beyond
IMPORTS = """import torch
from d2lmini import explore
def weights(length, sharp):
    scores = torch.arange(6.0)[None] * (2.0 if sharp else 0.5)
    return torch.softmax(scores.masked_fill(torch.arange(6) >= length, -torch.inf), -1)"""
FIGURE = "figure = explore(weights, length=range(1, 7), sharp=False)\nfigure"
IDLE = "notebook().sessionContext.session?.kernel?.status === 'idle'"

HELPERS = """() => {
  // All live figures, wherever they stand.
  window.roots = () => [...document.querySelectorAll("*")]
    .map((node) => node.shadowRoot).filter((root) => root?.querySelector(".panels"));
  window.sliders = () => roots().map((root) => Number(root.querySelector("[type=range]").value));
  window.move = (n, option) => {
    const node = roots()[n].querySelector("[type=range]");
    node.value = option;
    node.dispatchEvent(new Event("input"));
  };
  window.ink = (n) => roots()[n].querySelector("canvas").toDataURL();
  window.notebook = () => jupyterapp.shell.currentWidget;
  window.run = async (n) => {
    notebook().content.activeCellIndex = n;
    await jupyterapp.commands.execute("notebook:run-cell");
  };
}"""


def notebook_of(*cells):
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    made.metadata = metadata.OF_A_NOTEBOOK
    return made


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """A JupyterLab of its own: its folder, its address and its environment."""
    folder, home = tmp_path_factory.mktemp("notebooks"), tmp_path_factory.mktemp("home")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    rooms = [f"JUPYTER_{part}_DIR" for part in ("CONFIG", "DATA", "RUNTIME")]
    rooms += ["JUPYTERLAB_SETTINGS_DIR", "JUPYTERLAB_WORKSPACES_DIR", "IPYTHONDIR"]
    env = {**os.environ, "HOME": str(home), **{name: str(home / name) for name in rooms}}
    options = f"""--no-browser --allow-root --ServerApp.port={port} --ServerApp.port_retries=0
        --ServerApp.root_dir={folder} --IdentityProvider.token= --LabApp.news_url=
        --LabApp.expose_app_in_browser=True --LabApp.extension_manager=readonly
        --LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"""
    with open(home / "log", "w") as log:
        command = [sys.executable, "-m", "jupyterlab", *options.split()]
        server = subprocess.Popen(command, env=env, stdout=log, stderr=log)
    try:
        end = time.monotonic() + 60
        while "is running at" not in (told := (home / "log").read_text()):
            assert server.poll() is None and time.monotonic() < end, told  # noqa: PT018
            time.sleep(0.25)
        yield folder, f"http://127.0.0.1:{port}", env
    finally:
        server.terminate()
        try:
            server.wait(15)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


@pytest.fixture(scope="module")
def context(browser):
    """One for all tests: JupyterLab's own scripts, some megabytes, are compiled once."""
    with browser.new_context(viewport={"width": 1280, "height": 1000}) as context:
        yield context


@pytest.fixture
def open_notebook(lab, context):
    """Save a notebook in JupyterLab's folder and open it there, trusted or not."""
    folder, address, env = lab
    page = context.new_page()

    def show(made, name, trusted):
        path = folder / name
        nbformat.write(made, path)
        if trusted:
            trust = [sys.executable, "-m", "jupyter", "trust", str(path)]
            subprocess.run(trust, env=env, check=True, capture_output=True)
        page.goto(f"{address}/lab/tree/{name}?reset", wait_until="domcontentloaded")
        page.wait_for_selector(".jp-Notebook .jp-CodeCell", timeout=60_000)
        page.evaluate(HELPERS)
        return page

    yield show
    page.close()


def text_of(page):
    return page.locator(".jp-Notebook").inner_text()


@pytest.mark.nightly
def test_a_stored_trusted_notebook_is_alive_before_any_cell_has_run(open_notebook):
    """One as `make run` saves it; until it is trusted it shows the picture."""
    made = notebook_of(IMPORTS, FIGURE)
    NotebookClient(made, timeout=60, kernel_name="python3").execute()
    stored = run.clean(made)
    page = open_notebook(stored, "untrusted.ipynb", trusted=False)
    picture = page.locator(".jp-OutputArea-output img")
    picture.wait_for()
    assert picture.evaluate("(node) => node.naturalWidth") > 200
    assert page.evaluate("roots().length") == 0
    page = open_notebook(stored, "trusted.ipynb", trusted=True)
    page.wait_for_function("roots().length === 1")
    before = page.evaluate("ink(0)")
    page.evaluate("move(0, 4)")
    assert page.evaluate("ink(0)") != before
    assert page.evaluate("notebook().sessionContext.session?.kernel?.status") != "busy"
    assert "model not found" not in text_of(page)


def output_of(page, n):
    """Run a cell and return what it prints."""
    run_cells(page, n)
    return page.evaluate("(n) => notebook().content.widgets[n].outputArea.node.textContent.trim()", n)


def expect_output(page, n, text):
    """Run a cell until it prints a text: what a slider says takes a moment to reach the kernel."""
    for _ in range(40):
        if output_of(page, n).startswith(text):
            return
        page.wait_for_timeout(250)
    assert output_of(page, n) == text


def wait_for_sliders(page, *places):
    told = f"JSON.stringify(sliders()) === '{list(places)}'".replace(" ", "")
    page.wait_for_function(told, timeout=60_000)


def run_cells(page, *numbers):
    for n in numbers:
        page.evaluate("(n) => run(n)", n)


def beside_a_slider():
    """The manual's lines that put a figure beside a slider of ipywidgets."""
    manual = chapters.read(chapters.ROOT / "chapters" / "making_figures.ipynb")
    (text,) = [cell.source for cell in manual.cells if "HBox" in cell.source]
    return text.split("```python\n")[1].split("```")[0]


CELLS = [
    IMPORTS,
    "seen = []\n"
    + FIGURE.replace("\nfigure", "\n")
    + "figure.observe(lambda change: seen.append(change.new['length']), 'value')\nfigure",
    "figure",
    "print(figure.value['length'], seen)",
    "figure.value = {'length': 6}",
    "from ipywidgets import IntSlider, dlink\ntext = IntSlider(max=10)\n"
    "dlink((figure, 'value'), (text, 'value'), lambda value: value['length'])\n"
    "print(text.value)",
    "try:\n    figure.value = {'size': 1}\nexcept ValueError as error:\n    print(error)",
    "figure = explore(lambda length: [[1.0] * 3], length=[1, 2, 3])\nfigure",
    "figure = explore(lambda damping, on: [[damping]], damping=[0.1, 0.2, 0.4], on=True)\n" + beside_a_slider(),
    "print(figure.value)",
    "other.value = 0.4",
]


def test_a_live_kernel_two_views_reload_and_restart(open_notebook):
    page = open_notebook(notebook_of(*CELLS), "live.ipynb", trusted=True)
    page.wait_for_function(IDLE)
    run_cells(page, 0, 1, 2)
    wait_for_sliders(page, 0, 0)
    # Slider to value to observer, and to the other view.
    page.evaluate("move(0, 3)")
    wait_for_sliders(page, 3, 3)
    page.evaluate("move(1, 2)")
    wait_for_sliders(page, 2, 2)
    assert page.evaluate("ink(0) === ink(1)")
    expect_output(page, 3, "3 [4, 3]")
    # Python to the sliders; a linked widget; a wrong value.
    run_cells(page, 4)
    wait_for_sliders(page, 5, 5)
    expect_output(page, 5, "6")
    assert output_of(page, 6) == "no control 'size'; there are length, sharp"
    # The page is opened again: the kernel still has the figure.
    page.evaluate("jupyterapp.commands.execute('docmanager:save')")
    page.reload(wait_until="domcontentloaded")
    page.wait_for_selector(".jp-Notebook .jp-CodeCell", timeout=60_000)
    page.evaluate(HELPERS)
    wait_for_sliders(page, 5, 5)
    page.evaluate("move(0, 1)")
    wait_for_sliders(page, 1, 1)
    expect_output(page, 3, "2 ")
    # The kernel starts again: what is shown stays, and works again when its cell has run.
    page.evaluate("notebook().sessionContext.session.kernel.restart()")
    page.wait_for_function(IDLE)
    page.evaluate("move(0, 4)")
    run_cells(page, 0, 1, 2)
    wait_for_sliders(page, 0, 0)
    page.evaluate("move(0, 3)")
    wait_for_sliders(page, 3, 3)
    expect_output(page, 3, "4 [4]")
    # A cell that runs again shows the new figure.
    run_cells(page, 7)
    page.wait_for_function("roots().length === 3")
    assert page.evaluate("roots()[2].querySelectorAll('input').length") == 1
    # As the manual links a figure to a slider of ipywidgets, side by side.
    run_cells(page, 8)
    page.wait_for_function("roots().length === 4")
    row = page.locator(".widget-hbox", has=page.locator(".noUi-handle")).first
    page.evaluate("move(3, 1)")
    row.locator("span", has_text=re.compile(r"^0\.2$")).wait_for()
    expect_output(page, 9, "{'damping': 0.2, 'on': True}")
    run_cells(page, 10)
    page.wait_for_function("sliders()[3] === 2")
    assert not re.search("Error displaying|model not found", text_of(page))


@pytest.mark.nightly
def test_what_is_folded_in_the_book_is_folded_here(open_notebook):
    new = nbformat.v4.new_markdown_cell
    heading = new("### Why?", metadata={metadata.FOLDED: True})
    made = notebook_of("1 + 1", "# @title Check (1.1): so\nassert True")
    made.cells[1:1] = [heading, new("So, for this reason."), new("### What else?")]
    page = open_notebook(run.clean(made), "folds.ipynb", trusted=False)
    page.get_by_role("heading", name="What else?").wait_for()
    cells = page.locator(".jp-Notebook .jp-Cell").all()
    assert [cell.is_visible() for cell in cells[:4]] == [True, True, False, True]
    # Of a check only its first line is left, in a button that shows the code.
    assert "assert True" not in text_of(page)
    assert made.metadata["colab"] == {"collapsed_sections": ["why"]}
