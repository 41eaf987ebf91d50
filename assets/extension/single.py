"""The whole book as one file that needs no other: to read offline, and to print."""

import base64
import html
import re
from pathlib import Path
from urllib.parse import urlsplit

import lxml.html
from lxml.etree import Element

from .body import expect

NAME = "attention-scoring-functions.html"

PAGE = """<!DOCTYPE html>
<html lang="en" data-theme="light">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>{title}</title>
<link rel="icon" href="{icon}">
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
    text = PAGE.format(
        title=html.escape(app.config.html_title),
        icon=inlined(folder / "_static" / "favicon.svg"),
        style=inlined_style(folder / "_static"),
        articles="\n".join(article(folder / f"{page}.html", numbers) for page in pages),
        script=(folder / "_static" / "figures.js").read_text(encoding="utf-8"),
    )
    (folder / NAME).write_text(text, encoding="utf-8")


def article(path, numbers):
    """A page's article with its pictures inside, its places renamed, and its links to match."""
    own = numbers[path.name]
    tree = lxml.html.document_fromstring(path.read_text(encoding="utf-8"))
    text = expect(tree.findall(".//article"), path.name, "an article")[0]
    for node in text.iter(Element):
        # The code of another framework closes its neighbours in its own chapter alone.
        for name in {"id", "name" if node.tag == "details" else "id"} & set(node.keys()):
            node.set(name, f"{own}-{node.get(name)}")
        if node.get("src"):
            node.set("src", inlined(path.parent / node.get("src")))
        link = urlsplit(node.get("href", "https:"))
        if not link.scheme:
            page = expect(numbers.get(link.path or path.name), path.name, f"the page {link.path}")
            node.set("href", f"#{page}-{link.fragment}" if link.fragment else f"#{page}")
    text.attrib.clear()
    text.set("id", own)
    text.tail = None
    return lxml.html.tostring(text, encoding="unicode")


KINDS = {".png": "image/png", ".svg": "image/svg+xml", ".woff2": "font/woff2"}


def inlined(path):
    """A file as an address that holds it."""
    data = base64.b64encode(path.read_bytes()).decode()
    return f"data:{KINDS[path.suffix]};base64,{data}"


def inlined_style(static):
    """The book's style sheet with the fonts that it may ask for."""
    style = (static / "site.css").read_text(encoding="utf-8").replace("optional", "swap")
    font = re.compile(r"url\(([\w/.-]+\.woff2)\)")
    expect(font.search(style), "site.css", "an address of a font")
    return font.sub(lambda match: f"url({inlined(static / match[1])})", style)
