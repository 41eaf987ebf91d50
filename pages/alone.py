"""A page for each figure, which holds nothing else: for a frame in a course, slides or a blog."""

import copy
import json
import shutil
from pathlib import Path
from urllib.parse import quote

from lxml import html

from . import model, single, site
from .body import page_of
from .editions import spoken


def clear(app):
    """Leave none of a figure that is gone."""
    shutil.rmtree(Path(app.outdir, "figure"), ignore_errors=True)


def finish(app):
    """Write them from the built pages."""
    folder = Path(app.outdir)
    static = folder / "_static"
    stamps = {path.name: f"{path.name}?v={model.stamp(path)}" for path in static.glob("*.*s")}
    for pagename in sorted(app.env.found_docs):
        tree = html.document_fromstring((folder / f"{pagename}.html").read_text(encoding="utf-8"))
        for figure in tree.xpath("//*[@data-alone]"):
            own = page_of(pagename, figure)
            if figure.get("data-alone") != app.config.html_baseurl + quote(own):
                continue  # the page of the review has copies of other pages' figures
            path = folder / own
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(page(app, pagename, own, tree, figure, stamps), encoding="utf-8")


def page(app, pagename, own, tree, figure, stamps):
    """The page of one figure, with the script and the state of this figure alone."""
    figure, up = copy.deepcopy(figure), "../../"
    for place in figure.xpath("span | script[@src]"):
        figure.remove(place)  # for links to its states, and what draws it at once
    for picture in figure.iter("img"):
        picture.set("src", up + picture.get("src").removeprefix("../" * pagename.count("/")))
        del picture.attrib["loading"]
    kind = figure.get("class").split()[0]
    figure.set("class", kind)
    del figure.attrib["data-alone"]
    figure.tail = None
    piece = html.tostring(figure, encoding="unicode")
    parts = {
        "title": json.loads(figure.xpath("string(script)"))["title"],
        "docstitle": app.config.html_title,
        "lang": spoken().tag,
        "up_to_book": up + spoken().up,
        "editions": site.others(app, own),
        "up": up,
        "chapter": tree.xpath("string(//h1/span)") or tree.findtext(".//h1"),
        "home": f"{up}{pagename}.html#{figure.get('id')}",
        "figure": piece,
        "styles": stamps["alone.css"],
        "scripts": [stamps[script] for script in single.scripts_of(piece)],
        "script_of_head": stamps["alone.js"],
    }
    return app.builder.templates.render("alone.html", parts)
