"""Figures in a real JupyterLab: stored notebooks, and a live kernel. (Each takes 10 to 40 s.)"""

import inspect
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request

import nbformat
import pytest
from by_hand import STEPS, WORDS, figure, hands
from drawn import place
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
    places = {"config": "CONFIG_DIR", "data": "DATA_DIR", "runtime": "RUNTIME_DIR"}
    env = {**os.environ, **{f"JUPYTER_{v}": str(home / k) for k, v in places.items()}}
    env |= {f"JUPYTERLAB_{d}_DIR": str(home / d) for d in ("SETTINGS", "WORKSPACES")}
    env |= {"HOME": str(home), "IPYTHONDIR": str(home / "ipython")}
    options = [
        "--no-browser",
        "--allow-root",
        f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0",
        f"--ServerApp.root_dir={folder}",
        "--IdentityProvider.token=",
        "--LabApp.expose_app_in_browser=True",
        "--LabApp.news_url=",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        "--LabApp.extension_manager=readonly",
    ]
    with open(home / "log", "w") as log:
        command = [sys.executable, "-m", "jupyterlab", *options]
        server = subprocess.Popen(command, env=env, stdout=log, stderr=log)
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(240):
            try:
                urllib.request.urlopen(f"{address}/api", timeout=5).close()
                break
            except OSError:
                time.sleep(0.25)
        else:
            pytest.fail(f"JupyterLab did not start:\n{(home / 'log').read_text()}")
        yield folder, address, env
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
    context = browser.new_context(viewport={"width": 1280, "height": 1000})
    yield context
    context.close()


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
    assert "model not found" not in text_of(page)
    page = open_notebook(stored, "trusted.ipynb", trusted=True)
    page.wait_for_function("roots().length === 1")
    before = page.evaluate("ink(0)")
    page.evaluate("move(0, 4)")
    assert page.evaluate("ink(0)") != before
    assert page.evaluate("notebook().sessionContext.session?.kernel?.status") != "busy"
    assert "model not found" not in text_of(page)


def output_of(page, n):
    """Run a cell and return what it prints."""
    page.evaluate("(n) => run(n)", n)
    return page.evaluate(
        "(n) => notebook().content.widgets[n].outputArea.node.textContent.trim()", n
    )


def expect_output(page, n, text):
    """Run a cell until it prints a text: what a slider says takes a moment to reach the kernel."""
    for _ in range(40):
        if output_of(page, n).startswith(text):
            return
        page.wait_for_timeout(250)
    assert output_of(page, n) == text


def wait_for_sliders(page, *places):
    page.wait_for_function(f"JSON.stringify(sliders()) === '{list(places)}'".replace(" ", ""))


def beside_a_slider():
    """The manual's lines that put a figure beside a slider of ipywidgets."""
    manual = chapters.read(chapters.ROOT / "chapters" / "making_figures.ipynb")
    (text,) = [cell.source for cell in manual.cells if "HBox" in cell.source]
    return text.split("```python\n")[1].split("```")[0]


def test_a_live_kernel_two_views_reload_and_restart(open_notebook):
    cells = [
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
        "figure = explore(lambda damping, on: [[damping]], damping=[0.1, 0.2, 0.4], on=True)\n"
        + beside_a_slider(),
        "print(figure.value)",
        "other.value = 0.4",
    ]
    page = open_notebook(notebook_of(*cells), "live.ipynb", trusted=True)
    page.wait_for_function(IDLE)
    for n in range(3):
        page.evaluate("(n) => run(n)", n)
    page.wait_for_function("roots().length === 2")

    # Slider to value to observer, and to the other view.
    page.evaluate("move(0, 3)")
    wait_for_sliders(page, 3, 3)
    page.evaluate("move(1, 2)")
    wait_for_sliders(page, 2, 2)
    assert page.evaluate("ink(0) === ink(1)")
    expect_output(page, 3, "3 [4, 3]")
    # Python to the sliders; a linked widget; a wrong value.
    page.evaluate("run(4)")
    wait_for_sliders(page, 5, 5)
    expect_output(page, 5, "6")
    assert output_of(page, 6) == "no control 'size'; there are length, sharp"

    # The page is opened again: the kernel still has the figure.
    page.evaluate("jupyterapp.commands.execute('docmanager:save')")
    page.reload(wait_until="domcontentloaded")
    page.wait_for_selector(".jp-Notebook .jp-CodeCell", timeout=60_000)
    page.evaluate(HELPERS)
    page.wait_for_function("roots().length === 2", timeout=60_000)
    wait_for_sliders(page, 5, 5)
    page.evaluate("move(0, 1)")
    wait_for_sliders(page, 1, 1)
    expect_output(page, 3, "2 ")

    # The kernel starts again: what is shown stays, and works again when its cell has run.
    page.evaluate("notebook().sessionContext.session.kernel.restart()")
    page.wait_for_function(IDLE)
    page.evaluate("move(0, 4)")
    for n in range(3):
        page.evaluate("(n) => run(n)", n)
    page.wait_for_function("JSON.stringify(sliders()) === '[0,0]'", timeout=60_000)
    page.evaluate("move(0, 3)")
    wait_for_sliders(page, 3, 3)
    expect_output(page, 3, "4 [4]")

    # A cell that runs again shows the new figure.
    page.evaluate("run(7)")
    page.wait_for_function("roots().length === 3")
    assert page.evaluate("roots()[2].querySelectorAll('input').length") == 1

    # As the manual links a figure to a slider of ipywidgets, side by side.
    page.evaluate("run(8)")
    page.wait_for_function("roots().length === 4")
    row = page.locator(".widget-hbox", has=page.locator(".noUi-handle")).first
    page.evaluate("move(3, 1)")
    row.locator("span", has_text=re.compile(r"^0\.2$")).wait_for()
    expect_output(page, 9, "{'damping': 0.2, 'on': True}")
    page.evaluate("run(10)")
    page.wait_for_function("sliders()[3] === 2")
    assert not re.search("Error displaying|model not found", text_of(page))


@pytest.mark.nightly
def test_what_a_hand_moves_and_types_reaches_python_and_back(open_notebook):
    cells = [
        "from d2lmini import Arrows, Plane, Words, explore, trace\n"
        + "".join(inspect.getsource(part) for part in (hands, figure))
        + f"STEPS, WORDS = {STEPS}, {WORDS}\nmade = figure()\nmade",
        "print(*made.value.values())",
        "made.value = {'x': 2.0, 'y': -1.0, 'word': 'one'}",
        "def doubled(scores):\n    twice = 2 * scores\n    return twice + 1\n"
        "traced = trace(doubled, scores=[1.0, 2.0])\ntraced",
        "print(*traced.value['scores'])",
        "traced.value = {'scores': [1.25, -4.0]}",
    ]
    page = open_notebook(notebook_of(*cells), "hands.ipynb", trusted=True)
    page.wait_for_function(IDLE)
    page.evaluate("run(0)")
    page.wait_for_function("roots().length === 1")
    canvas = page.locator(".jp-OutputArea canvas").first
    made = figure()
    page.mouse.move(*place(made, canvas, 1.0, 0.5))
    page.mouse.down()
    page.mouse.move(*place(made, canvas, -1.4, 1.1), steps=4)
    page.mouse.up()
    page.get_by_text("three", exact=True).locator("visible=true").last.click()
    expect_output(page, 1, "-1.5 1.0 three")
    page.mouse.move(1, 1)  # no word's reading stands in the sentence's place
    page.evaluate("run(2)")
    page.get_by_text("The query is (2, -1), the word is one.", exact=True).wait_for()
    # A trace.
    page.evaluate("run(3)")
    first = page.get_by_role("textbox", name="scores, 1", exact=True)
    first.wait_for()
    first.fill("7")
    page.locator(".made td", has_text=re.compile("^15$")).wait_for()  # 2 * 7 + 1
    expect_output(page, 4, "7.0 2.0")
    page.evaluate("run(5)")
    for number in ("3.50", "\u22127.00"):  # 2 * 1.25 + 1, and 2 * -4 + 1
        page.locator(".made td", has_text=re.compile(f"^{number}$")).wait_for()


@pytest.mark.nightly
def test_what_is_folded_in_the_book_is_folded_here(open_notebook):
    new = nbformat.v4.new_markdown_cell
    heading = new("### Why?", metadata={metadata.FOLDED: True})
    made = notebook_of("1 + 1", "# @title Check (1.1): so\nassert True")
    made.cells[1:1] = [heading, new("So, for this reason."), new("### What else?")]
    page = open_notebook(run.clean(made), "folds.ipynb", trusted=False)
    cells = page.locator(".jp-Notebook .jp-Cell")
    page.get_by_role("heading", name="What else?").wait_for()
    assert [cells.nth(n).is_visible() for n in range(4)] == [True, True, False, True]
    # Of a check only its first line is left, in a button that shows the code.
    assert "assert True" not in text_of(page)
    assert made.metadata["colab"] == {"collapsed_sections": ["why"]}
