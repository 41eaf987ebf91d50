"""The built book in a real Chromium: every slider of every page moves what torch has computed."""

import contextlib
import functools
import http.server
import random
import threading

import numpy as np
import pytest
import torch
from drawn import HELPERS, check_colors, check_table, known
from playwright.sync_api import TimeoutError

import chapters
from d2lmini import Bars, Curve, Heatmap

HTML = chapters.ROOT / "_build" / "html"
PAGES = [pytest.param(page, id=page.stem) for page in chapters.pages()]


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *message):
        pass


@pytest.fixture(scope="module")
def served():
    """The address of the book, served on this machine."""
    handler = functools.partial(Quiet, directory=HTML)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@functools.cache
def figures_of(page):
    return chapters.figures(page)


def address(page, start):
    return f"{start}/{page.relative_to(chapters.ROOT).with_suffix('.html').as_posix()}"


def expected(function, values):
    """What a figure's tables must show: a list of arrays, NaN where a cell is masked."""
    result = function(**values)
    panels = result.values() if isinstance(result, dict) else [result]
    return [shown(panel) for panel in panels]


def numbers(data):
    return torch.as_tensor(data).detach().double().numpy().copy()


def shown(panel):
    if isinstance(panel, Bars):
        return numbers(panel.heights).reshape(1, -1)
    if isinstance(panel, Curve):
        return np.stack([numbers(line) for line in panel.lines.values()])
    masked = None
    if isinstance(panel, Heatmap):
        panel, masked = panel.matrix, panel.masked
    matrix = numbers(panel)
    matrix[np.isneginf(matrix)] = np.nan
    if masked is not None:
        matrix[np.broadcast_to(np.asarray(masked, dtype=bool), matrix.shape)] = np.nan
    return matrix


# Everything that is drawn, as one string.
DRAWN = """host => [...host.shadowRoot.querySelectorAll('canvas')].map(c => c.toDataURL()).join()"""


def wake(figure):
    """Go to a figure's address, as a reader does, until the figure is drawn.

    (A script's scrollIntoView misses: it measures far sections that shrink again when it is done.)
    """
    for _ in range(20):
        figure.evaluate("figure => location.replace('#' + figure.id)")
        with contextlib.suppress(TimeoutError):
            return figure.locator("> div").wait_for(state="attached", timeout=200)
    pytest.fail("a figure in view was not drawn")


def hosts(page):
    """The figures of the open page, uncovered and with their tables shown."""
    for figure in page.locator(".d2lmini-figure").all():
        wake(figure)
    found = page.locator(".d2lmini-figure[data-alive] > div").all()
    for host in found:
        skip = host.get_by_role("button", name="Skip the question")
        if skip.count():
            skip.click()
        host.get_by_role("button", name="Numbers").click()
    return found


@pytest.mark.exhaustive
@pytest.mark.parametrize("chapter", PAGES)
def test_every_slider_moves_the_picture_to_what_torch_computes(chapter, page):
    figures = figures_of(chapter)
    page.context.set_offline(True)
    page.goto(address(chapter, HTML.as_uri()))
    check_figures(page, chapter, figures)


def check_figures(page, chapter, figures):
    """Uncover the figures of the open page, move them, and hold what they show against torch."""
    found = hosts(page)
    assert len(found) == len(figures)
    choose = random.Random(chapter.stem)
    page.evaluate(f"() => {{{HELPERS}}}")
    for n, (host, (figure, function)) in enumerate(zip(found, figures, strict=True)):
        for slider in host.locator("input[type=range]").all():
            host.get_by_role("button", name="Reset").click()
            drawn = set()
            for end in ("Home", "End"):
                slider.press(end)
                drawn.add(host.evaluate(DRAWN))
            assert len(drawn) == 2, f"{figure}: a slider changes nothing"
        for _ in range(4):
            values = move(host, figure, choose)
            tables, colors = page.evaluate("n => [tables(n), colors(n)]", n)
            compare(figure, expected(function, values), tables, colors)


def move(host, figure, choose):
    """Set every control of a figure at random, as a reader would; return the values."""
    values = {}
    for control, field in zip(figure._state["controls"], host.locator(".field").all(), strict=True):
        options = control["options"]
        place = choose.randrange(len(options))
        values[control["name"]] = options[place]
        if control["kind"] == "slider":
            field.locator("input").fill(str(place))
        elif control["kind"] == "menu":
            field.locator("select").select_option(index=place)
        else:
            field.locator("input").set_checked(bool(options[place]))
    return values


def compare(figure, panels, tables, colors):
    """Hold what a figure shows, numbers and colours, against what torch computes."""
    looks = figure._state["panels"]
    assert len(looks) == len(panels) == len(tables) == len(colors)
    for at, (look, matrix) in enumerate(zip(looks, panels, strict=True)):
        check_table(look, known(look), matrix, tables[at])
        if look["kind"] == "heatmap":
            check_colors(figure._state["scales"][look["role"]], matrix, colors[at])


@pytest.mark.chromium
@pytest.mark.parametrize("chapter", PAGES)
def test_without_javascript_the_first_picture_of_every_figure_is_seen(chapter, browser):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(address(chapter, HTML.as_uri()))
    pictures = page.locator(".d2lmini-figure img")
    assert pictures.count() == len(figures_of(chapter))
    for picture in pictures.all():
        assert picture.bounding_box()["width"] > 100
        assert picture.get_attribute("alt")
    context.close()
