"""What the built book needs as a site, and what it does not."""

import shutil
from pathlib import Path

# What the theme brings and no page asks for: 7 MB.
UNUSED = ("scripts", "styles", "vendor", "locales", "images", "*.html", "sphinx-design*", "mystnb*")


def finish(app, exception):
    """Write sitemap.xml; remove what the theme brings for nothing."""
    if exception is not None or app.builder.name != "html":
        return
    for pattern in UNUSED:
        for path in Path(app.outdir, "_static").glob(pattern):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    if not app.config.html_baseurl:
        return
    home = app.config.html_baseurl
    pages = sorted(app.env.found_docs)
    addresses = "\n".join(f"<url><loc>{home}{page}.html</loc></url>" for page in pages)
    Path(app.outdir, "sitemap.xml").write_text(
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
        f"{addresses}\n</urlset>\n",
        encoding="utf-8",
    )
