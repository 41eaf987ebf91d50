"""Figures of a notebook that was really executed, in the files that tools make of it."""

import html
import inspect
import mimetypes
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import nbconvert
import nbformat
import pytest
from by_hand import STEPS, WORDS, figure, hands, use
from examples import html_of
from living import looking
from living import use as look_around
from nbclient import NotebookClient
from playwright.sync_api import expect

import chapters
from kernelfree import explore

pytestmark = pytest.mark.beyond

HERE = Path(__file__).parent
README = (chapters.ROOT / "kernelfree/README.md").read_text(encoding="utf-8")
CELLS = [
    f"import sys\nsys.path[:0] = {[str(HERE.parent / 'support')]}\nfrom d2lmini import trace",
    "from by_hand import figure\nfigure()",
    "from living import looking\nlooking()",
    "def doubled(scores):\n    twice = 2 * scores\n    return twice + 1\ntrace(doubled, scores=[1.0, 2.0])",
]


def notebook_of(*cells):
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])


@pytest.fixture(scope="module")
def executed():
    """As papermill, jupyter-cache and the builders of sites execute it: by nbclient."""
    return NotebookClient(notebook_of(*CELLS), timeout=120, kernel_name="python3").execute()


@pytest.fixture
def opened(own_page, tmp_path):
    """Open an export from a disk, with the network off; note which hosts it asks."""
    own_page.context.set_offline(True)

    def show(source, route=lambda page: None):
        path = tmp_path / "export.html" if isinstance(source, str) else source
        if isinstance(source, str):
            path.write_text(source, encoding="utf-8")
        page, asked = own_page.context.new_page(), set()
        page.on("request", lambda request: asked.add(request.url))
        route(page)
        page.goto(path.as_uri(), wait_until="domcontentloaded")
        return page, {url for url in asked if not url.startswith(("file:", "data:", "blob:"))}

    return show


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


@pytest.mark.nightly
@pytest.mark.parametrize("template", ["lab", "classic", "reveal"])
def test_it_is_alive_and_asks_no_host_that_the_export_of_other_cells_does_not(opened, executed, template):
    exporter = (nbconvert.SlidesExporter if template == "reveal" else nbconvert.HTMLExporter)(template_name=template)
    page, asked = opened(exporter.from_notebook_node(executed)[0])
    _, usual = opened(exporter.from_notebook_node(notebook_of("1 + 1"))[0])
    assert asked == usual
    expect_alive(page)


def test_the_command_that_executes_and_exports(opened, tmp_path):
    path = tmp_path / "lesson.ipynb"
    nbformat.write(notebook_of(*CELLS), path)
    command = [sys.executable, "-m", "jupyter", "nbconvert", "--execute", "--to", "html", str(path)]
    subprocess.run(command, check=True, capture_output=True)
    page, _ = opened(path.with_suffix(".html").read_text(encoding="utf-8"))
    expect_alive(page)


TOOLS = chapters.ROOT / ".venv-exports"
# The figure of `expect_alive`'s hands, by NumPy alone.
ALONE = f"""\
import sys
from kernelfree import Arrows, Plane, Words, explore

STEPS = {STEPS}
WORDS = {WORDS}

{inspect.getsource(hands)}
assert "torch" not in sys.modules
"""
SHOWN = "explore(hands, x=STEPS, y=STEPS, word=WORDS)"


@pytest.fixture
def tool(tmp_path):
    """Run a tool in an empty folder."""

    def run(name, *arguments):
        own = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
        command = [TOOLS / "bin" / name, *arguments]
        done = subprocess.run(command, cwd=tmp_path, env=own, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-4000:]

    return run


def papermill(tool, folder):
    tool("papermill", "-k", "python3", "lesson.ipynb", "run.ipynb")
    tool("jupyter-nbconvert", "--to", "html", "run.ipynb")
    return folder / "run.html"


def slides(tool, folder):
    tool("jupyter-nbconvert", "--execute", "--to", "slides", "lesson.ipynb")
    return folder / "lesson.slides.html"


def mkdocs(theme):
    def build(tool, folder):
        (folder / "docs").mkdir(exist_ok=True)
        (folder / "lesson.ipynb").replace(folder / "docs" / "lesson.ipynb")
        settings = f"site_name: Lessons\ntheme: {theme}\nplugins: [mkdocs-jupyter: {{execute: true}}]\n"
        (folder / "mkdocs.yml").write_text(settings)
        tool("mkdocs", "build", "--quiet")
        return folder / "site" / "lesson" / "index.html"

    return build


WAYS = {"papermill": papermill, "slides": slides, "mkdocs": mkdocs("mkdocs"), "material": mkdocs("material")}


@pytest.mark.nightly
@pytest.mark.parametrize("way", WAYS)
def test_it_is_alive_in_what_a_tool_makes(opened, tool, tmp_path, way):
    """The tool's own scripts do not come, as offline: the figure needs none of them."""
    asked = []
    for cells in (["1 + 1"], [ALONE, SHOWN]):
        nbformat.write(notebook_of(*cells), tmp_path / "lesson.ipynb")
        page, hosts = opened(WAYS[way](tool, tmp_path))
        asked.append(hosts)
    assert asked[1] == asked[0]
    use(page, figure())


@pytest.mark.nightly
def test_it_is_alive_in_a_page_of_marimo(opened, tool, tmp_path):
    """There it is a widget. The page asks one host for marimo itself, and no other for anything."""
    head = "import marimo\n\napp = marimo.App()\n\n\n@app.cell\ndef _():\n"
    cell = "".join(f"    {line}\n" for line in [*ALONE.splitlines(), SHOWN, "return"])
    (tmp_path / "lesson.py").write_text(head + cell)
    (tmp_path / "pyproject.toml").write_text('[tool.marimo.display]\ntheme = "system"\n')
    tool("marimo", "export", "html", "lesson.py", "-o", "lesson.html")
    (home,) = TOOLS.glob("lib/python*/site-packages/marimo/_static")

    def answer(route):
        file = home / route.request.url.partition("/dist/")[2].partition("?")[0]
        kind = mimetypes.guess_type(file.name)[0]
        route.fulfill(body=file.read_bytes(), content_type=kind, headers={"access-control-allow-origin": "*"})

    marimo = "https://cdn.jsdelivr.net/npm/@marimo-team/frontend@"
    page, asked = opened(tmp_path / "lesson.html", lambda page: page.route(f"{marimo}**", answer))
    use(page, figure(), "marimo-anywidget")
    assert [url for url in asked if not url.startswith(marimo)] == []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        expect(page.locator("marimo-anywidget canvas").first).to_have_css("color-scheme", scheme)


@pytest.mark.nightly
def test_it_is_alive_on_a_slide_of_reveal(own_page, tool, tmp_path):
    """By the line of the package's own page; arrow keys that move a figure turn no slide."""
    lines = re.search(r"```sh\n(jupyter nbconvert --execute --to slides.*?)```", README, re.DOTALL)[1]
    name, *arguments = shlex.split(lines.replace("\\\n", ""))
    for package in ("reveal.js", "requirejs"):
        (tmp_path / package).symlink_to(chapters.ROOT / "node_modules" / package)
    lesson = notebook_of("1 + 1", ALONE, SHOWN)
    for cell, kind in zip(lesson.cells, ("slide", "skip", "slide"), strict=True):
        cell.metadata.slideshow = {"slide_type": kind}
    nbformat.write(lesson, tmp_path / "lesson.ipynb")
    tool(name, *arguments)
    own_page.context.set_offline(True)
    own_page.set_viewport_size({"width": 1000, "height": 730})  # where reveal.js scales nothing
    own_page.goto((tmp_path / "lesson.slides.html").as_uri(), wait_until="domcontentloaded")
    own_page.locator(".reveal.ready").wait_for()
    own_page.keyboard.press("ArrowRight")
    own_page.wait_for_url("**#/1")
    own_page.locator("canvas").first.hover()  # once the slide stands still
    use(own_page, figure())
    assert own_page.url.endswith("#/1")


def test_one_figure_twice_and_another_of_its_name_move_by_themselves(show):
    one, other = (explore(lambda speed, by=by: [[by * speed]], speed=range(1, 4), title="Moved") for by in (1.0, 10.0))
    page = show(one, one, other)
    for opener in page.get_by_role("button", name="Numbers").all():
        opener.click()
    numbers = [1, 1, 10]
    for place, slider in enumerate(page.get_by_role("slider").all()):
        slider.press("ArrowRight")
        numbers[place] *= 2
        shown = page.locator("tbody").locator("td:first-of-type").all_text_contents()
        assert [float(number) for number in shown] == numbers


def test_in_a_frame_that_may_only_run_scripts(page, tmp_path):
    saved, outer = tmp_path / "moved.html", tmp_path / "outer.html"
    figure().save(saved)
    given = {"src": saved.name, "srcdoc": html.escape(saved.read_text(encoding="utf-8"))}
    line = '<iframe sandbox="allow-scripts" width="800" height="500" {}="{}"></iframe>'
    outer.write_text("".join(line.format(*one) for one in given.items()), encoding="utf-8")
    page.goto(outer.as_uri())
    for way in given:
        frame = page.frame_locator(f"iframe[{way}]")
        slider = frame.get_by_role("slider").first
        slider.press("End")
        expect(slider).to_have_value(str(len(STEPS) - 1))
        # A text without an address offers no link to itself.
        expect(frame.get_by_role("button", name="Reset")).to_be_visible()
        expect(frame.get_by_role("button", name="Link")).to_have_count(int(way == "src"))


# As Material's instant navigation changes pages.
INSTANT = """(text) => {
  document.body.innerHTML = text;
  for (const old of document.body.querySelectorAll("script")) {
    const script = document.createElement("script");
    script.textContent = old.textContent;
    old.replaceWith(script);
  }
}"""


def test_a_site_that_runs_each_script_without_its_type(opened):
    page, _ = opened("<p>the page before")
    page.evaluate(INSTANT, html_of(figure()))
    use(page, figure())


def test_slides_that_turn_by_keys_hear_none_of_those_that_move_a_figure(show):
    page = show(figure(), body="<p tabindex='0'>text</p>")
    page.evaluate("window.heard = [], addEventListener('keydown', ({ key }) => heard.push(key))")
    host = page.locator(".kernelfree-figure > div")
    for place in (host.get_by_role("slider").first, host.locator("canvas").first):
        for key in ("ArrowRight", "PageUp", "Home", "Space", "Tab", "Escape", "Control+s"):
            place.press(key)
        assert page.evaluate("heard.splice(0)") == ["Tab", "Escape", "Control", "s"]
    page.get_by_text("text", exact=True).press("ArrowRight")
    assert page.evaluate("heard") == ["ArrowRight"]
    # What reveal.js asks of that in which a finger may go sideways.
    expect(host.first).to_have_attribute("data-prevent-swipe", "")
