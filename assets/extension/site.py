"""What the built book needs as a site, and what it does not."""

import posixpath
import shutil
from pathlib import Path
from urllib.parse import urlsplit

from lxml import html

from .body import expect

# What the theme and extensions bring and no page asks for: 7 MB.
UNUSED = ("scripts", "styles", "vendor", "locales", "images", "*.html", "mystnb*")


def finish(app, exception):
    """Write the first page and sitemap.xml; remove what the theme brings for nothing."""
    if exception is not None or app.builder.name != "html":
        return
    static, home, root = Path(app.outdir, "_static"), app.config.html_baseurl, app.config.root_doc
    for pattern in UNUSED:
        for path in expect(list(static.glob(pattern)), "_static", f"{pattern}, to be removed,"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    page = Path(app.outdir, f"{root}.html").read_text(encoding="utf-8")
    Path(app.outdir, "index.html").write_text(moved_up(page, root), encoding="utf-8")
    if not home:
        return
    pages = ["", *(f"{page}.html" for page in sorted(app.env.found_docs) if page != root)]
    addresses = "\n".join(f"<url><loc>{home}{page}</loc></url>" for page in pages)
    Path(app.outdir, "sitemap.xml").write_text(
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        f"{addresses}\n</urlset>\n",
        encoding="utf-8",
    )


def moved_up(page, name):
    """A page, such as chapters/index, as the one that the book's own address shows."""
    tree = html.document_fromstring(page)

    def moved(link):
        parts = urlsplit(link)
        if parts.scheme or not parts.path:
            return link
        path = posixpath.normpath(posixpath.join(posixpath.dirname(name), parts.path))
        return parts._replace(path=path).geturl()

    tree.rewrite_links(moved, resolve_base_href=False)
    tree.set("data-content_root", "./")
    return html.tostring(tree, encoding="unicode", doctype="<!DOCTYPE html>")
