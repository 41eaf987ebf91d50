"""What becomes of a page's body: light pictures, figures that share a script, links."""

import base64
import hashlib
import json
import re
import struct
from pathlib import Path
from urllib.parse import unquote

from lxml import html
from lxml.builder import E
from sphinx.errors import ExtensionError

from d2lmini.figures.script import NOW

TAG = re.compile(r"\\tag\{(\d+\.\d+)\}")
PNG = "data:image/png;base64"


def collect(app):
    """Note every numbered equation and every chapter, and the page that each is on."""
    app.env.book_equations, app.env.book_chapters = {}, {}
    for path in sorted(Path(app.srcdir, "chapters").glob("*.ipynb")):
        page = f"chapters/{path.stem}"
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        text = "\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
        heading = re.match(r"# (\d+)\. (.+)", text)
        if heading is None or page not in app.env.found_docs:
            continue
        app.env.book_chapters[heading[1]] = (page, heading[2])
        for tag in TAG.findall(text):
            app.env.book_equations[tag] = (page, heading[2])
    expect(app.env.book_chapters, "chapters", "a page that begins with '# 1. Title'")


def expect(found, where, what):
    """Stop the build where something is missing; libraries change their markup without a word."""
    if not found:
        raise ExtensionError(f"{where}: {what} was expected and is not there")
    return found


def finish(app, pagename, body, at_once):
    """The page's body as readers get it; `at_once`: its first figure is drawn without delay."""
    tree = html.fragment_fromstring(body, create_parent="div")
    figures(app, pagename, tree)
    if at_once:
        expect(tree.find_class("d2lmini-figure"), pagename, "a figure")[0].append(E.script(NOW))
    pictures(app, pagename, tree)
    equations(app, pagename, tree)
    corners(tree)
    for node, part in list(texts(tree)):
        mark(app, pagename, node, part)
    return html.tostring(tree, encoding="unicode")[len("<div>") : -len("</div>")]


def figures(app, pagename, tree):
    """Figures share one script file; the still picture is a file for those who run no scripts."""
    images = Path(app.outdir, "_images")
    images.mkdir(parents=True, exist_ok=True)
    for figure in tree.find_class("d2lmini-figure"):
        parts = [figure.find(path) for path in ("img", "script[@type='application/json']")]
        script = next((part for part in figure.findall("script") if not part.get("type")), None)
        if None in (*parts, script) or not parts[0].get("src").startswith(PNG):
            raise ExtensionError(f"{pagename}: a figure without its picture, state or script")
        still = parts[0]
        data = base64.b64decode(still.get("src").partition(",")[2])
        name = f"figure-{hashlib.sha256(data).hexdigest()[:16]}.png"
        (images / name).write_bytes(data)
        still.set("src", f"{'../' * pagename.count('/')}_images/{name}")
        still.tail = None
        figure.remove(script)
        figure.insert(0, E.noscript(still))


def pictures(app, pagename, tree):
    """Pictures of outputs know their size before they come, and come when they are needed."""
    sources = {Path(name).name: path for path, name in app.builder.images.items()}
    for picture in tree.iter("img"):
        name = Path(unquote(picture.get("src"))).name
        if not name.endswith(".png") or name.startswith("figure-"):
            continue
        source = expect(sources.get(name), pagename, f"a file of Sphinx's for the picture {name}")
        width, height = struct.unpack(">II", Path(app.srcdir, source).read_bytes()[16:24])
        picture.attrib.update({"width": str(width), "height": str(height), "loading": "lazy"})


def equations(app, pagename, tree):
    """A numbered equation has an address, and a mark that shows it."""
    wanted = {tag for tag, (page, _) in app.env.book_equations.items() if page == pagename}
    for block in tree.find_class("math"):
        tag = TAG.search(block.text_content()) if block.tag == "div" else None
        if tag:
            wanted.discard(tag[1])
            block.set("id", f"eq-{tag[1]}")
            mark = {"class": "headerlink", "href": f"#eq-{tag[1]}"}
            block.append(E.a("#", mark, title="Link to this equation"))
    expect(not wanted, pagename, f"a block of mathematics for each of {sorted(wanted)}")


def corners(tree):
    """The corner of a table heads nothing."""
    for cell in tree.iter("th"):
        if not cell.text_content().strip() and cell.find(".//img") is None:
            cell.getparent().replace(cell, E.td())


# What is neither text to link in nor to be searched.
SKIP = {"a", "pre", "code", "script", "svg", "math", "h1", "h2", "h3", "button"}
MARKED = re.compile(
    r"(?<=\()(?P<equation>\d+\.\d+)(?=\))|\b[Cc]hapter (?P<chapter>\d+)\b"
    "|(?P<chinese>[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]+)"
)


def texts(node):
    """The places of a tree's running text: (element, "text" or "tail")."""
    if node.tag in SKIP or "katex" in node.get("class", ""):
        return
    yield node, "text"
    for child in node:
        if isinstance(child.tag, str):
            yield from texts(child)
        yield child, "tail"


def mark(app, pagename, node, part):
    """Put elements around what a text mentions."""
    text, end, leads, elements = getattr(node, part) or "", 0, [], []
    for match in MARKED.finditer(text):
        element = marked(app, pagename, match)
        if element is not None:
            leads.append(text[end : match.start()])
            elements.append(element)
            end = match.end()
    if not elements:
        return
    setattr(node, part, leads[0])
    home, at = node, 0
    if part == "tail":
        home, at = node.getparent(), node.getparent().index(node) + 1
    for element, tail in zip(elements, [*leads[1:], text[end:]], strict=True):
        element.tail = tail
        home.insert(at, element)
        at += 1


def marked(app, pagename, match):
    """The element for a mention, or None: equations and chapters lead there, and say on hover where
    that is; Chinese has its room before its font is there, since each character is square."""
    said = match[0]
    if match["chinese"]:
        return E.span(said, lang="zh-Hans", style=f"width: {len(said)}em")
    equation = match["equation"]
    known = app.env.book_equations if equation else app.env.book_chapters
    page, title = known.get(equation or match["chapter"], (None, None))
    if page is None or (page == pagename and not equation):
        return None
    address = "" if page == pagename else app.builder.get_relative_uri(pagename, page)
    if not equation:
        return E.a(said, href=address, title=title)
    where = f"Equation {equation}" + (f", {title}" if address else "")
    return E.a(said, href=f"{address}#eq-{equation}", title=where)
