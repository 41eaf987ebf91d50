"""Print the whole book, from its one file, as a PDF beside it.

python tools/pdf.py [FILE]
"""

import sys
from pathlib import Path

import chromium
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "assets"))
from extension import single

SOURCE = Path(__file__).resolve().parent.parent / "_build" / "html" / single.NAME
TARGET = SOURCE.with_suffix(".pdf")

FOOT = """<div style="font-size: 8px; width: 100%; text-align: center; color: #566070">
<span class="pageNumber"></span></div>"""

# Every figure has its panels; words have no canvas.
DRAWN = """[...document.querySelectorAll(".d2lmini-figure")].every(
  (figure) => figure.querySelector(":scope > div")?.shadowRoot.querySelector(".panel"))"""


def main(target=TARGET):
    target = Path(target)
    with sync_playwright() as playwright:
        browser = chromium.launched(playwright)
        page = browser.new_page()
        page.set_default_timeout(120_000)  # the file is long
        page.goto(SOURCE.as_uri(), wait_until="networkidle")
        page.wait_for_function("document.readyState === 'complete'")  # not implied in a long file
        # As printing does: every figure in its first state, every folded part as it is.
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        page.wait_for_function(DRAWN)
        margin = {"top": "20mm", "bottom": "20mm", "left": "22mm", "right": "22mm"}
        page.pdf(
            path=target,
            format="A4",
            margin=margin,
            display_header_footer=True,
            header_template="<span></span>",
            footer_template=FOOT,
            outline=True,
            tagged=True,
        )
        browser.close()
    print(f"Printed {target} ({target.stat().st_size / 1e6:.1f} MB)")


if __name__ == "__main__":
    main(*sys.argv[1:])
