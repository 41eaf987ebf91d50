"""Pages that a strict Content-Security-Policy leaves whole: no inline style, no inline script.

KaTeX writes the heights of fractions and the places of indices into `style` attributes, which
``default-src 'self'`` forbids. Here each declaration becomes a class of the same name, such as
``height:2.7em``, and a style sheet beside the page says what its classes mean.
"""

import re
from pathlib import Path

from lxml import html
from lxml.builder import E

from . import fonts, model


def finish(app):
    """Rewrite every page that has styles; write their style sheets; stamp the shared one."""
    stamp = model.stamp(Path(app.outdir, "_static", "site.css"))  # which the last steps write
    for path in Path(app.outdir).rglob("*.html"):
        tree = html.document_fromstring(path.read_text(encoding="utf-8"))
        shared = tree.xpath("//link[contains(@href, '/site.css?v=')]")
        if not shared:  # the one file holds its own style sheet
            continue
        shared[0].set("href", shared[0].get("href").partition("?")[0] + f"?v={stamp}")
        without_styles(tree)
        if text := fonts.first_letters(app, path, tree) + rules(tree):
            sheet = path.with_suffix(".css")
            sheet.write_text(text, encoding="utf-8")
            for old in tree.xpath(f"//link[starts-with(@href, '{sheet.name}?')]"):
                old.drop_tree()  # of an earlier build
            own = f"{sheet.name}?v={model.stamp(sheet)}"
            shared[0].addnext(E.link(rel="stylesheet", href=own))
        path.write_text(html.tostring(tree, encoding="unicode", doctype="<!DOCTYPE html>"), "utf-8")


def without_styles(tree):
    """Turn styles into classes."""
    for node in tree.xpath("//*[@style]"):
        parts = (part.strip() for part in node.attrib.pop("style").split(";"))
        names = [re.sub(r"\s*:\s*", ":", part).replace(" ", "_") for part in parts if part]
        node.set("class", " ".join(filter(None, [node.get("class"), *names])))


def rules(tree):
    """What the classes of a page mean that stand for a declaration."""
    names = {name for node in tree.xpath("//*[contains(@class, ':')]") for name in node.classes}
    return "\n".join(rule(name) for name in sorted(names) if ":" in name)


def rule(name):
    """The rule of a class: as strong as a style in the page was, but for what scripts set."""
    property, _, value = name.replace("_", " ").partition(":")
    strength = "" if property.startswith("--") else "!important"
    selector = re.sub(r"([^\w-])", r"\\\1", name)
    selector = f"\\{selector}" if selector[0] == "-" else selector
    return f".{selector}{{{property}:{value}{strength}}}"
