"""The book as a PDF: the spine in at most 200 pages, then all that it folds; nothing is lost."""

import copy
import json
import re
import subprocess
import sys
import zlib
from collections import Counter

import lxml.html
import numpy as np
import pytest

import chapters
from kernelfree.colors import rgb
from kernelfree.explorer import Figure
from pages import printed as pdf

pytestmark = pytest.mark.beyond


@pytest.fixture(scope="session")
def one_file():
    return lxml.html.document_fromstring(pdf.SOURCE.read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def book(one_file):
    """The one file as it is printed."""
    tree = copy.deepcopy(one_file)
    pdf.arrange(tree)
    return tree


def shades(book):
    """The colours of the cells of the figures' heatmaps, in the states that are printed."""
    found = []
    for figure in book.find_class("kernelfree-figure"):
        made = Figure(json.loads(figure.find("script[@type='application/json']").text), "")
        panels, _, places = made._now()
        table = made._numbers.reader()
        for panel in panels:
            if panel["kind"] == "heatmap":
                scale = made._state["scales"][panel["role"]]
                cells = table(panel["tables"]["cells"], places)
                stops = np.array([rgb(color) for color in scale["light"]])  # (stops, 3)
                numbers = np.linspace(scale["low"], scale["high"], len(stops))
                cells = cells[(cells != 0) & ~np.isnan(cells)]
                numbers = [np.interp(cells, numbers, part) for part in stops.T]
                found.append(np.stack(numbers, axis=1))
    return np.concatenate(found)


def inks(data):
    """The colours that a PDF fills with."""
    streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", data, re.DOTALL)
    texts = (zlib.decompressobj().decompress(stream) for stream in streams if stream[:1] == b"x")
    found = {color for text in texts for color in re.findall(rb" RG ([\d.]+ [\d.]+ [\d.]+) rg\n", text)}
    return np.array([[float(part) for part in color.split()] for color in found])


@pytest.mark.parametrize("path", chapters.numbered(), ids=lambda path: path.stem)
def test_every_solution_hint_and_fold_of_a_chapter_is_at_the_back_once(one_file, book, path):
    code, text = ("\n".join(chapters.cells(path, kind)) for kind in ("code", "markdown"))
    solutions = re.findall(r"^# @title (Solution .*)", code, re.MULTILINE)
    n = chapters.pages().index(path)  # the one file counts pages
    back = book.get_element_by_id(f"p{n}-back")
    told, hints, folded = (
        back.xpath(f"section[h2='{part}']/section") for part in ("Solutions", "Hints", "Folded sections")
    )
    headings = [section.findtext("h3") for section in told]
    assert [name for name in headings if name.startswith("Solution")] == solutions
    assert len(solutions) == text.count("### Exercise ") >= 5
    hints = [section.findtext("h3") for section in hints]
    assert hints == [name.replace("Solution", "Hint") for name in solutions]
    folds = one_file.get_element_by_id(f"p{n}").find_class("fold")
    assert {fold.get("id") for fold in folds} <= {fold.get("id") for fold in folded}
    notebook = chapters.read(path)
    collapsed = ["jp-MarkdownHeadingCollapsed" in cell.metadata for cell in notebook.cells]
    assert len(folds) == sum(collapsed) >= 1


def test_every_place_of_the_print_is_there_once_and_links_lead_to_places(book):
    ids = Counter(node.get("id") for node in book.iter() if node.get("id"))
    assert set(ids.values()) == {1}
    links = [link.get("href")[1:] for link in book.xpath("//a[starts-with(@href, '#')]")]
    assert set(links) <= ids.keys()
    assert not book.xpath("//details")


@pytest.mark.nightly
def test_the_book_is_printed_whole_with_every_heatmap(book, tmp_path):
    target = tmp_path / "book.pdf"
    # In a process of its own: this one may have a browser open.
    subprocess.run([sys.executable, "-m", "pages.printed", target], check=True)
    data = target.read_bytes()
    wanted = shades(book)
    assert len(wanted) > 1000
    away = np.abs(wanted[:, None] - inks(data)).max(axis=-1)  # (cells, colours)
    assert away.min(axis=1).max() < 0.01
    places = pdf.places(data)
    folds = [link.get("href")[1:] for link in book.xpath("//*[@class='at-back']/a")]
    pages = len(pdf.SHEET.findall(data))
    assert 120 < min(places[fold] for fold in folds) - 1 <= 200
    assert pages - 3 <= max(places[fold] for fold in folds) <= pages <= 450
    assert data.count(b"/Title (At the back: ") == len(chapters.numbered())
