"""What the built book needs as a site, and what it does not."""

import shutil
from io import BytesIO
from pathlib import Path
from urllib.parse import urljoin

from lxml import html
from PIL import Image

from .body import expect

# The page's own scripts, joined and shrunk by `make scripts`.
SCRIPTS = Path(__file__).with_name("scripts")
# What the theme and extensions bring and no page asks for: 7 MB.
UNUSED = ("scripts", "styles", "vendor", "locales", "images", "*.html", "mystnb*")


def script(app, name):
    """The file of a script, in the language of the book where it says something."""
    own = SCRIPTS / app.config.language.partition("_")[0] / name
    return own if own.is_file() else SCRIPTS / name


def finish(app):
    """Write the first page and sitemap.xml; remove what the theme brings for nothing."""
    folder, home, root = Path(app.outdir), app.config.html_baseurl, app.config.root_doc
    for pattern in UNUSED:
        unused = list(Path(folder, "_static").glob(pattern))
        for path in expect(unused, "_static", f"{pattern}, to be removed,"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    for name in ("book.js", "head.js", "alone.js", "embed.js"):  # Sphinx has copied the sources
        shutil.copy(script(app, name), folder / "_static")
    for picture in Path(folder, "_images").glob("*.png"):
        shrink(picture)
    page = (folder / f"{root}.html").read_text(encoding="utf-8")
    (folder / "index.html").write_text(moved_up(page, root), encoding="utf-8")
    pages = ["", *(f"{page}.html" for page in sorted(app.env.found_docs) if page != root)]
    addresses = "\n".join(f"<url><loc>{home}{page}</loc></url>" for page in pages)
    (folder / "sitemap.xml").write_text(
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        f"{addresses}\n</urlset>\n",
        encoding="utf-8",
    )


def shrink(path):
    """Give a picture a palette of 256 colours, if that makes its file smaller."""
    picture, small = Image.open(path), BytesIO()
    if picture.mode != "P":
        few = picture.convert("RGBA").quantize(256, method=Image.Quantize.FASTOCTREE)
        few.save(small, format="PNG", optimize=True)
        if len(small.getvalue()) < path.stat().st_size:
            path.write_bytes(small.getvalue())


def moved_up(page, name):
    """A page, such as chapters/index, as the one that the book's own address shows."""
    tree = html.document_fromstring(page)
    tree.rewrite_links(
        lambda link: link if link[:1] in "#?" else urljoin(name, link), resolve_base_href=False
    )
    tree.set("data-content_root", "./")
    return html.tostring(tree, encoding="unicode", doctype="<!DOCTYPE html>")
