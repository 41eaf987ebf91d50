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
    picture = Path(app.outdir, "_static", "card.png")
    sources = (Path(__file__), Path(app.confdir, "_config.yml"))
    if not picture.exists() or picture.stat().st_mtime < max(f.stat().st_mtime for f in sources):
        card(picture, app.config.html_title)
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


def card(path, title):
    """The picture that is shown with a shared link: the title beside a causal heatmap."""
    from matplotlib import colormaps
    from matplotlib.figure import Figure
    from numpy import arange, exp

    figure = Figure(figsize=(12, 6.3), facecolor="white")
    figure.text(
        0.07,
        0.56,
        title.replace(" ", "\n"),
        fontsize=54,
        weight="bold",
        va="center",
        color="#1f242c",
        family="serif",
        linespacing=1.15,
    )
    figure.text(
        0.07,
        0.17,
        "An interactive book\nwhose sliders work in the page",
        fontsize=21,
        color="#566070",
    )
    axes = figure.add_axes((0.56, 0.14, 0.38, 0.72))
    places = arange(7)
    scores = exp(-0.5 * abs(places[:, None] - places)) * (places[:, None] >= places)
    axes.imshow(scores / scores.sum(1, keepdims=True), cmap=colormaps["Reds"], vmin=0, vmax=0.8)
    axes.set_xticks(places[1:] - 0.5, [], minor=False)
    axes.set_yticks(places[1:] - 0.5, [])
    axes.grid(color="white", linewidth=6)
    axes.tick_params(length=0)
    for side in axes.spines.values():
        side.set_visible(False)
    figure.savefig(path, dpi=100)
