"""The book's fonts, cut to the characters that it uses."""

import base64
import html
import io
import re
from pathlib import Path

from fontTools import subset

FACES = {400: "source-serif-4-latin-400-normal", 600: "source-serif-4-latin-600-normal"}
FACE = """@font-face {{ font-family: "Source Serif 4"; font-weight: {weight};
src: url(data:font/woff2;base64,{data}) format("woff2"); }}
"""


def finish(app, exception):
    """Cut the fonts of text and mathematics; text's are in a style sheet, so nothing shifts."""
    if exception is not None or app.builder.name != "html":
        return
    fonts, static = Path(app.confdir, "assets"), Path(app.outdir, "_static")
    used = characters(Path(app.outdir))
    sheet = "".join(
        FACE.format(weight=weight, data=base64.b64encode(cut(path, used)).decode())
        for weight, path in ((w, fonts / "fonts" / f"{name}.woff2") for w, name in FACES.items())
    )
    (static / "fonts.css").write_text(sheet, encoding="utf-8")
    for path in (fonts / "katex" / "fonts").glob("*.woff2"):
        (static / "katex" / "fonts" / path.name).write_bytes(cut(path, used))


def characters(folder):
    """Every character that the pages show, or may show: the printable ones of ASCII."""
    used = {chr(code) for code in range(32, 127)}
    for page in folder.rglob("*.html"):
        used |= set(html.unescape(re.sub(r"<[^>]*>", "", page.read_text(encoding="utf-8"))))
    return used


def cut(path, used):
    """A font with the glyphs of some characters alone, as WOFF2."""
    options = subset.Options(flavor="woff2", layout_features=["*"], notdef_outline=True)
    font = subset.load_font(path, options)
    cutter = subset.Subsetter(options)
    cutter.populate(text="".join(used))
    cutter.subset(font)
    data = io.BytesIO()
    font.flavor = "woff2"
    font.save(data)
    return data.getvalue()
