"""Draw the pictures of the figures' README anew: what its code makes, as a browser shows it.

python -m tools.pictures

Each picture stands below the code of its figure, and its name is that of the file.
"""

import ast
import io
import re
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from . import chromium

FOLDER = Path(__file__).resolve().parents[1] / "kernelfree"
README = FOLDER / "README.md"
SHOWN = re.compile(r"```python\n(.*?)```\n\n<img [^>]*/(pictures/\w+\.png)\">", re.DOTALL)


def figures(text):
    """The figures of a README that have pictures, by the pictures' names."""
    found = {}
    for code, name in SHOWN.findall(text):
        *lines, shown = ast.parse(code).body
        names = {}
        exec(compile(ast.Module(lines, []), name, "exec"), names)
        found[name] = eval(compile(ast.Expression(shown.value), name, "eval"), names)
    return found


def drawn(made, browser):
    """The pictures of some figures by name, in light, with their controls."""
    with (
        tempfile.TemporaryDirectory() as folder,
        browser.new_page(viewport={"width": 700, "height": 500}, device_scale_factor=1.5) as page,
    ):
        for name, figure in made.items():
            path = Path(folder, "figure.html")
            figure.save(path)
            page.goto(path.as_uri())
            page.locator("[data-alive] > div").wait_for()
            picture = Image.open(io.BytesIO(page.locator("[data-alive] > div").screenshot()))
            yield name, picture.convert("RGB").quantize(128, dither=Image.Dither.NONE)


def main():
    with sync_playwright() as playwright, chromium.launched(playwright) as browser:
        for name, picture in drawn(figures(README.read_text(encoding="utf-8")), browser):
            picture.save(FOLDER / name, optimize=True)
            print(f"kernelfree/{name}: {(FOLDER / name).stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
