"""What the built book needs as a site: a map for search engines, and a page for wrong addresses."""

from pathlib import Path


def finish(app, exception):
    """Write sitemap.xml."""
    if exception is not None or app.builder.name != "html" or not app.config.html_baseurl:
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
