"""The book as a PDF: the spine, in about two hundred pages, and no heatmap of it is lost."""

import json
import re
import subprocess
import sys
from collections import Counter

import lxml.html
import pdf
import pytest

PICTURE = re.compile(rb"/Subtype /Image\s/Width (\d+)\s/Height (\d+)\s/ColorSpace (\S+)")


def heatmaps():
    """How often the figures of the spine have a heatmap of so many columns and rows."""
    tree = lxml.html.document_fromstring(pdf.SOURCE.read_text(encoding="utf-8"))
    pdf.spine(tree)
    found = Counter()
    for figure in tree.find_class("d2lmini-figure"):
        panels = json.loads(figure.find("script[@type='application/json']").text)["panels"]
        found.update(tuple(p["shape"][::-1]) for p in panels if p["kind"] == "heatmap")
    return found


@pytest.mark.exhaustive
def test_the_spine_is_printed_with_every_heatmap(tmp_path):
    # Chromium prints a heatmap as a picture of one pixel a cell; lines and bars become paths.
    target = tmp_path / "book.pdf"
    # In a process of its own: this one may have a browser open.
    subprocess.run([sys.executable, pdf.__file__, target], check=True)
    data = target.read_bytes()
    found = PICTURE.findall(data)
    pictures = Counter((int(w), int(h)) for w, h, color in found if color != b"/DeviceGray")
    expected = heatmaps()
    assert expected.total() > 15
    assert not expected - pictures
    assert 120 < len(re.findall(rb"/Type /Page\b", data)) <= 210
