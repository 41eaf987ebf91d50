"""What the built book needs as a site, and what it does not."""

import shutil
from io import BytesIO
from pathlib import Path
from posixpath import dirname, join, normpath
from urllib.parse import urlsplit

from lxml import html
from PIL import Image

from .body import expect
from .editions import editions, say, say_in, spoken

# The page's own scripts, joined and shrunk by `make scripts`.
SCRIPTS = Path(__file__).with_name("static")
# What they are made of; these stand in the book as they are.
SOURCES = Path(__file__).with_name("js")
AS_THEY_ARE = ("finger/weights.js",)
# What the theme and extensions bring and no page asks for: 7 MB.
UNUSED = ("scripts", "styles", "vendor", "locales", "images", "*.html", "mystnb*")
# Its search, and what that needs.
UNUSED += ("doctools.js", "searchtools.js", "language_data.js", "documentation_options.js")
UNUSED += ("sphinx_highlight.js",)


def script(app, name):
    """The file of a script, in the language of the book where it says something."""
    own = SCRIPTS / spoken().folder / name
    return own if own.is_file() else SCRIPTS / name


# What all editions take from the book's own folder.
SHARED = ("katex", "fonts/source-serif*", "finger", "head.js", "card.png", "alone.css")


def teach(app):
    """Let templates say what they say in the language of the edition."""
    app.builder.templates.environment.globals["say"] = say


def home(app):
    """The address of the book in English."""
    return app.config.html_baseurl.removesuffix(spoken().below)


def others(app, file):
    """The other editions: name and language of each, the way from a file to the same file there,
    and what it says to those who read its language."""
    own = spoken()
    up = "../" * file.count("/") + own.up
    return [
        {
            "name": one.name,
            "tag": one.tag,
            "address": f"{up}{one.below}{file}",
            "offer": say_in(one.folder, "This book is also in English."),
            "close": say_in(one.folder, "Do not say this again"),
        }
        for one in editions()
        if one != own
    ]


def alternates(app, file):
    """The address of a page in each language, and for all others: (language, address)."""
    found = [(one.tag.partition("-")[0], f"{home(app)}{one.below}{file}") for one in editions()]
    return [*found, ("x-default", found[0][1])] if found[1:] else []


def share(app):
    """Take out of an edition what all have in common: its pages ask for that of the book."""
    if not spoken().folder:
        return
    static = Path(app.outdir, "_static")
    for pattern in SHARED:
        for path in expect(list(static.glob(pattern)), "_static", f"{pattern}, which is shared,"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def finish(app):
    """Write the first page and all editions' sitemap; remove what the theme brings for nothing."""
    folder, root = Path(app.outdir), app.config.root_doc
    for pattern in UNUSED:
        unused = list(Path(folder, "_static").glob(pattern))
        for path in expect(unused, "_static", f"{pattern}, to be removed,"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    for picture in Path(folder, "_images").glob("*.png"):
        shrink(picture)
    page = (folder / f"{root}.html").read_text(encoding="utf-8")
    (folder / "index.html").write_text(moved_up(page, root), encoding="utf-8")
    if spoken().folder:
        return
    pages = ["", *(f"{page}.html" for page in sorted(app.env.found_docs) if page != root)]
    homes = [f"{app.config.html_baseurl}{one.below}" for one in editions()]
    addresses = "\n".join(f"<url><loc>{home}{page}</loc></url>" for home in homes for page in pages)
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

    def moved(link):
        parts = urlsplit(link)
        if parts.scheme or not parts.path:
            return link
        return parts._replace(path=normpath(join(dirname(name), parts.path))).geturl()

    tree.rewrite_links(moved, resolve_base_href=False)
    tree.set("data-content_root", "./")
    return html.tostring(tree, encoding="unicode", doctype="<!DOCTYPE html>")
