"""The whole book as one file that needs no other: to read offline, and to print."""

import base64
import re
from pathlib import Path

NAME = "attention-scoring-functions.html"

PAGE = """<!DOCTYPE html>
<html lang="en" data-theme="light">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>{title}</title>
<style>{style}
body {{ max-width: 50rem; margin: 0 auto; }}
article + article {{ margin-top: 6rem; break-before: page; }}
</style>
<script>
const dark = matchMedia("(prefers-color-scheme: dark)").matches;
document.documentElement.dataset.theme = dark ? "dark" : "light";
</script>
</head>
<body>
<main>
{articles}
</main>
<script>{script}</script>
</body>
</html>
"""


def finish(app, exception):
    """Write the book's one file from its built pages, in the order of the table of contents."""
    if exception is not None or app.builder.name != "html":
        return
    folder = Path(app.outdir)
    root = app.builder.config.root_doc
    pages = [root, *(p for p in app.env.toctree_includes.get(root, []) if p in app.env.found_docs)]
    numbers = {f"{Path(page).name}.html": f"p{n}" for n, page in enumerate(pages)}
    articles = [article(folder / f"{page}.html", numbers) for page in pages]
    script = (folder / "_static" / "figures.js").read_text(encoding="utf-8")
    text = PAGE.format(
        title=app.config.html_title,
        style=inlined_style(folder / "_static"),
        articles="\n".join(articles),
        script=script,
    )
    (folder / NAME).write_text(text, encoding="utf-8")


def article(path, numbers):
    """A page's article with its pictures inside, its places renamed, and its links to match."""
    own = numbers[path.name]
    text = path.read_text(encoding="utf-8")
    text = re.search(r"<article[^>]*>(.*)</article>", text, re.DOTALL)[1]

    def link(match):
        page, place = match[1], match[2]
        number = numbers.get(page, None) if page else own
        return match[0] if number is None else f'href="#{number}{"-" + place if place else ""}"'

    text = re.sub(r' id="([^"]+)"', rf' id="{own}-\1"', text)
    text = re.sub(r'href="([\w-]+\.html)?(?:#([^"]*))?"', link, text)
    text = re.sub(r'src="([^":]+\.png)"', lambda m: f'src="{picture(path.parent / m[1])}"', text)
    return f'<article id="{own}">{text}</article>'


def picture(path):
    """A picture as an address that holds it."""
    return f"data:image/png;base64,{base64.b64encode(path.read_bytes()).decode()}"


def inlined_style(static):
    """The book's style sheet with the fonts that it may ask for."""

    def font(match):
        data = (static / match[1]).read_bytes()
        return f"url(data:font/woff2;base64,{base64.b64encode(data).decode()})"

    style = (static / "site.css").read_text(encoding="utf-8").replace("optional", "swap")
    return re.sub(r"url\(([\w/.-]+\.woff2)\)", font, style)
