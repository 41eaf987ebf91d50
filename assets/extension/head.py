"""What a page says of itself to search engines and to those who share it."""

import html
import json
import re

from docutils import nodes

CARD = "_static/card.png"


def finish(app, pagename, context, doctree):
    """The elements of a page's head that depend on what it says."""
    title = context.get("pagetitle") or context.get("title", "")
    title = re.sub(r"<[^>]+>", "", title)
    book = app.config.html_title or app.config.project
    about = describe(doctree) if doctree is not None else ""
    home = app.config.html_baseurl
    # The book's own address shows the first page.
    address = home if pagename == app.config.root_doc else f"{home}{pagename}.html"
    tags = []
    if about:
        tags.append(f'<meta name="description" content="{html.escape(about)}">')
    if home and doctree is not None:
        tags.append(f'<link rel="canonical" href="{html.escape(address)}">')
        shared = {
            "og:type": "article",
            "og:site_name": book,
            "og:title": title,
            "og:description": about,
            "og:url": address,
            "og:image": home + CARD,
        }
        tags += [
            f'<meta property="{name}" content="{html.escape(text)}">'
            for name, text in shared.items()
        ]
        tags.append('<meta name="twitter:card" content="summary_large_image">')
        data = structured(app, pagename, title, about, address, book, home)
        tags.append(f'<script type="application/ld+json">{data}</script>')
    return "\n".join(tags)


def describe(doctree):
    """The page's first sentences, up to 160 characters."""
    text = ""
    for paragraph in doctree.findall(nodes.paragraph):
        said = " ".join(paragraph.astext().split())
        if "Open in Colab" in said or "\\" in said:
            continue
        text = f"{text} {said}".strip()
        if len(text) > 160:
            break
    if len(text) <= 160:
        return text
    return text[:157].rsplit(" ", 1)[0].rstrip(",;:") + "\u2026"


def structured(app, pagename, title, about, address, book, home):
    """A Book for the welcome page, a Chapter of it for the others (schema.org)."""
    root = app.builder.config.root_doc
    whole = {
        "@type": "Book",
        "@id": home,
        "name": book,
        "url": home,
        "author": {"@type": "Organization", "name": app.config.author},
        "license": "https://creativecommons.org/licenses/by/4.0/",
        "inLanguage": app.config.language,
    }
    part = {
        "@type": "Chapter",
        "name": title,
        "description": about,
        "url": address,
        "isPartOf": whole,
    }
    data = {"@context": "https://schema.org", **(whole if pagename == root else part)}
    return json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
