"""The book as a PDF: no heatmap is lost on the way."""

import re
import subprocess
import sys
from collections import Counter

import pytest

import chapters

PICTURE = re.compile(rb"/Subtype /Image\s/Width (\d+)\s/Height (\d+)\s/ColorSpace (\S+)")


def heatmaps():
    """How often the figures of all pages have a heatmap of so many columns and rows."""
    figures = (figure for page in chapters.pages() for figure in chapters.stored_figures(page))
    panels = (panel for _, state in figures for panel in state["panels"])
    return Counter(tuple(p["shape"][::-1]) for p in panels if p["kind"] == "heatmap")


@pytest.mark.exhaustive
def test_every_heatmap_is_in_the_pdf(tmp_path):
    # Chromium prints a heatmap as a picture of one pixel a cell; lines and bars become paths.
    pdf = tmp_path / "book.pdf"
    subprocess.run([sys.executable, chapters.ROOT / "tools" / "pdf.py", pdf], check=True)
    found = PICTURE.findall(pdf.read_bytes())
    pictures = Counter((int(w), int(h)) for w, h, color in found if color != b"/DeviceGray")
    expected = heatmaps()
    assert expected.total() > 40
    assert not expected - pictures
