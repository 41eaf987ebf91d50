"""The book as a PDF: no figure is lost on the way."""

import json
import re
import subprocess
import sys

import chapters

PDF = chapters.ROOT / "_build" / "html" / "attention-scoring-functions.pdf"
STATE = re.compile(r'<script type="application/json">(.*?)</script>', re.DOTALL)


def panels(page):
    """How many panels the figures of a page have together."""
    outputs = (output for cell in chapters.read(page).cells for output in cell.get("outputs", ()))
    texts = (output.get("data", {}).get("text/html", "") for output in outputs)
    return sum(len(json.loads(data)["panels"]) for text in texts for data in STATE.findall(text))


def test_every_panel_is_a_picture_in_the_pdf():
    PDF.unlink(missing_ok=True)
    subprocess.run([sys.executable, chapters.ROOT / "tools" / "pdf.py"], check=True)
    pictures = PDF.read_bytes().count(b"/Subtype /Image")
    assert pictures >= sum(map(panels, chapters.pages())) > 50
