"""The whole book as one file that needs no other: to read offline, and to print."""

import base64
import re
from pathlib import Path
from urllib.parse import urlsplit

import lxml.html
from lxml.builder import E

from . import notes, policy, review
from .body import expect
from .editions import say, spoken

NAME = "attention-scoring-functions.html"
KINDS = {".png": "image/png", ".svg": "image/svg+xml", ".woff2": "font/woff2"}


def finish(app):
    """Write the book's one file from its built pages, in the order of the table of contents."""
    folder = Path(app.outdir)
    numbers = {f"{Path(page).name}.html": f"p{n}" for n, page in enumerate(pages(app))}
    articles = "\n".join(article(folder / f"{page}.html", numbers) for page in pages(app))
    static = folder / "_static"
    told = sorted(static.glob(notes.file_of("*")))
    names = (*scripts_of(articles), "line.js", "again.js", *told, "present.js")
    scripts = [static / name for name in names]
    parts = {
        "docstitle": app.config.html_title,
        "lang": spoken().tag,
        "address_of_book": app.config.html_baseurl,
        "review": numbers.get(f"{Path(review.PAGE).name}.html"),
        "icon": inlined(static / "favicon.svg"),
        "style": inlined_style(static) + policy.rules(lxml.html.fromstring(articles)),
        "articles": articles,
        "script": "\n".join(path.read_text(encoding="utf-8") for path in scripts),
    }
    text = app.builder.templates.render("single.html", parts)
    (folder / NAME).write_text(text, encoding="utf-8")


def pages(app):
    """The pages of the book, in the order of the table of contents."""
    root = app.config.root_doc
    return [root, *(p for p in app.env.toctree_includes.get(root, []) if p in app.env.found_docs)]


def scripts_of(text):
    """The scripts of the figures, the traces and the sentences that stand in a text."""
    figures = "live.js" if '"live":{"inputs":' in text else "figures.js"
    used = {"kernelfree-figure": figures, "kernelfree-trace": "traces.js"}
    used |= {"kernelfree-sentence": "sentences.js", "finger": "finger.js"}
    others = ["tex.js"] * ('"tex":{' in text) + ["tools.js"] * ('"tools":true' in text)
    return [name for kind, name in used.items() if re.search(rf'class="{kind}\b', text)] + others


def article(path, numbers):
    """A page's article with its pictures inside, its places renamed, and its links to match."""
    own = numbers[path.name]
    tree = lxml.html.document_fromstring(path.read_text(encoding="utf-8"))
    text = expect(tree.findall(".//article"), path.name, "an article")[0]
    for script in text.xpath(".//script[@src]"):
        script.drop_tree()  # the file has its own
    for node in text.iter("*"):
        # The code of another framework closes its neighbours in its own chapter alone.
        for name in {"id", "name" if node.tag == "details" else "id"} & set(node.keys()):
            node.set(name, f"{own}-{node.get(name)}")
        node.attrib.pop("data-alone", None)  # the file has no button for it
        if node.get("src"):
            node.set("src", inlined(path.parent / node.get("src")))
        link = urlsplit(node.get("href", "https:"))
        if not link.scheme:
            page = expect(numbers.get(link.path or path.name), path.name, f"the page {link.path}")
            node.set("href", f"#{page}-{link.fragment}" if link.fragment else f"#{page}")
    for figure in text.find_class("kernelfree-sentence"):
        figure.set("class", "kernelfree-figure")  # the model is beside the book, not in this file
    for place in text.find_class("finger"):
        del place.attrib["class"]
    for section in text.find_class("fold"):
        section.find("details").set("open", "")  # who prints or searches the whole wants it all
    if "data-numbered" in text.attrib:
        text.find(".//h1").addnext(
            E.p(
                E.a(say("Present"), href=f"#{own}-present", id=f"{own}-present"),
                {"class": "to-lesson"},
            )
        )
    text.attrib.update({"id": own, "data-file": path.stem})
    return lxml.html.tostring(text, encoding="unicode", with_tail=False)


def inlined(path):
    """A file as an address that holds it."""
    data = base64.b64encode(path.read_bytes()).decode()
    return f"data:{KINDS[path.suffix]};base64,{data}"


def inlined_style(static):
    """The book's style sheet with the fonts that it may ask for."""
    style = (static / "site.css").read_text(encoding="utf-8").replace("optional", "swap")
    font = re.compile(r"url\((?:\.\./\.\./_static/)?([\w/.-]+\.woff2)\)")
    expect(font.search(style), "site.css", "an address of a font")
    return font.sub(lambda match: f"url({inlined(static / match[1])})", style)
