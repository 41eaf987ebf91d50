"""What becomes of a page's body: light pictures, figures that share a script, links."""

import base64
import hashlib
import json
import re
import struct
from itertools import pairwise, takewhile
from pathlib import Path
from urllib.parse import quote, unquote

from lxml import html
from lxml.builder import E
from sphinx.errors import ExtensionError

from . import editions, mentions, model, questions
from .editions import say

TAG = re.compile(r"\\tag\{(\d+\.\d+)\}")
# First cells that head their rows: with words, since axe takes a formula alone for nothing.
HEADS = """ancestor::table/tbody/tr/td[1][
  .//text()[normalize-space() and not(ancestor::*[@class='katex'])] or .//img]"""
# What no line begins with, and the formulas in front of it.
CLOSES = r"[-,.;:!?%)\]’”，。；：！？、）》」…]"
INLINE = ("span", "strong", "em", "a", "b", "i")
FORMULA = ".//span[@class='katex' and not(ancestor::*[@class='katex-display'])]"
HANZI = re.compile("[\u3000-\u9fff\uff00-\uffef]+")
INDENT = re.compile(r"(?<=\n) +\Z")
# A line of code that begins far in; a phone has room for so many letters of a line.
DEEP, NARROW = re.compile(r'^<span class="start">( {8,}).*', re.MULTILINE), 34
# A figure's still picture, its state and its script, as they follow each other.
PARTS = """img[starts-with(@src, 'data:image/png;base64,')]
  | script[@type='application/json'] | script[not(@type)]"""

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")

# Names that docutils and MyST-NB give to code and to cells.
UNUSED = {"docutils", "literal", "container", "stream", "highlight-myst-ansi"}
UNUSED |= {"admonition", "admonition-title", "above-input"}
# Tokens of code that need no colour of their own: names, operators, brackets and blanks.
PLAIN = (
    ".//*[contains(@class, 'highlight')]//pre"
    "//span[string-length(@class) = 1 and contains('nopw', @class)]"
)


def cells_of(env, page):
    """The cells of a page; none if it is no notebook."""
    path = Path(env.doc2path(page))
    return json.loads(path.read_text(encoding="utf-8"))["cells"] if path.suffix == ".ipynb" else []


def exercises(env, page):
    """What the metadata of their cells say of a page's exercises."""
    found = (cell["metadata"].get("exercise") for cell in cells_of(env, page))
    return [exercise for exercise in found if exercise]


def collect(app, env, docnames):
    """Note every numbered equation and every chapter, and the page that each is on."""
    env.book_equations, env.book_chapters = {}, {}
    for page in sorted(env.found_docs):
        said = [cell["source"] for cell in cells_of(env, page) if cell["cell_type"] == "markdown"]
        text = "\n".join(map("".join, said))
        heading = re.match(r"# (\d+)\. (.+)", text)
        if heading:
            env.book_chapters[heading[1]] = (page, heading[2])
            env.book_equations |= dict.fromkeys(TAG.findall(text), (page, heading[2]))
    expect(env.book_chapters, "chapters", "a page that begins with '# 1. Title'")


def expect(found, where, what):
    """Stop the build where something is missing; libraries change their markup without a word."""
    if not found:
        raise ExtensionError(f"{where}: {what} was expected and is not there")
    return found


def finish(app, pagename, body, at_once):
    """The page's body as readers get it; `at_once`: its first figure is drawn without delay."""
    tree = html.fragment_fromstring(body, create_parent="div")
    figures(app, pagename, tree)
    finger(app, pagename, tree)
    if at_once:
        (figure, *_) = expect(tree.find_class("kernelfree-figure"), pagename, "a figure")
        figure.append(E.script(src=f"{'../' * pagename.count('/')}_static/now.js"))
    pictures(app, pagename, tree)
    equations(app, pagename, tree)
    breaks(tree)
    lines(tree)
    indents(tree)
    plain(tree)
    folds(pagename, tree)
    corners(tree)
    scopes(tree)
    signs(tree)
    links(tree)
    elsewhere(tree)
    questions.mark(pagename, tree, exercises(app.env, pagename))
    mentions.mark(app, pagename, tree)
    together(tree)
    columns(tree)
    sources(tree)
    bare(tree)
    return html.tostring(tree, encoding="unicode")[len("<div>") : -len("</div>")]


def figures(app, pagename, tree):
    """Figures share script files; the still picture is a file for pages where these do not run."""
    images = Path(app.outdir, "_images")
    images.mkdir(parents=True, exist_ok=True)
    links = {link.get("href", "")[1:] for link in tree.iter("a")}
    for figure in [*tree.find_class("kernelfree-figure"), *tree.find_class("kernelfree-trace")]:
        parts = figure.xpath(PARTS)
        if len(parts) != 3:
            raise ExtensionError(f"{pagename}: a figure without its picture, state or script")
        still, state, script = parts[0], json.loads(parts[1].text), parts[2]
        if len(tree.xpath("//*[@id = $id]", id=figure.get("id"))) > 1:
            raise ExtensionError(f"{pagename}: two figures have the title {state['title']!r}")
        data = base64.b64decode(still.get("src").partition(",")[2])
        name = f"figure-{hashlib.sha256(data).hexdigest()[:16]}.png"
        (images / name).write_bytes(data)
        still.set("src", f"{'../' * pagename.count('/')}_images/{name}")
        still.tail = None
        figure.set("style", room(still, state))
        if "encoder" in state:
            model.point(app, pagename, figure)
        else:
            figure.set("data-alone", app.config.html_baseurl + quote(page_of(pagename, figure)))
        figure.remove(script)
        figure.insert(0, first_picture(still, figure.findall("p"), state.get("predict")))
        # Without the script, a link to a state of the figure leads to the figure.
        for place in sorted(links):
            if unquote(place).startswith(f"{figure.get('id')}?"):
                figure.insert(0, E.span(id=place))


def page_of(pagename, figure):
    """Where a figure has a page of its own; it stays when chapters are numbered anew."""
    name = figure.get("id").removeprefix("figure-")
    return f"figure/{questions.name_of(pagename)}/{name}.html"


def finger(app, pagename, tree):
    """Tell the place where a small model may run what it is loaded from, and how heavy that is."""
    for place in tree.find_class("finger"):
        weights = Path(__file__).with_name("js") / "finger" / "weights.js"
        address = f"{editions.spoken().up}_static/finger/weights.js?v={model.stamp(weights)}"
        place.set("data-weights", "../" * pagename.count("/") + address)
        place.set("data-kilobytes", str(round(weights.stat().st_size / 1000)))


def room(still, state):
    """About as high as a figure will be, so that the page below it stays when it is drawn: the
    picture with a line below and larger marks, controls, and a question and its choices."""
    rows = len(state.get("controls", ["the buttons of a trace"]))
    more = 70 + 30 * rows + 221 * ("predict" in state)
    return f"--room: {int(still.get('height')) + more}px"


def first_picture(still, says, predict):
    """What stands where no script draws the figure; an answer is shown by a press of its own.

    It is fetched only where it is shown.
    """
    still.set("loading", "lazy")
    told = say(
        "The script of this figure has not run, so nothing here moves. This is its first picture."
    )
    shown = [still, *says]
    if predict:
        if predict["hide"]:
            cover = E.summary(say("The first picture, which may hold the answer"))
            shown = [E.details(cover, *shown)]
        shown.insert(0, E.p(predict["question"]))
    return E.figure(E.p(told), *shown, {"class": "still"})


def pictures(app, pagename, tree):
    """Pictures of outputs have words, know their size before they come, and come when needed."""
    words = words_of_pictures(cells_of(app.env, pagename))
    sources = {Path(name).name: path for path, name in app.builder.images.items()}
    for picture in tree.iter("img"):
        name = Path(unquote(picture.get("src"))).name
        if not name.endswith(".png") or name.startswith("figure-"):
            continue
        source = expect(sources.get(name), pagename, f"a file of Sphinx's for the picture {name}")
        width, height = struct.unpack(">II", Path(app.srcdir, source).read_bytes()[16:24])
        alt = expect(
            words.get(Path(name).stem), pagename, f"a text/plain beside the picture {name}"
        )
        size = {"width": str(width), "height": str(height)}
        picture.attrib.update({"alt": alt, **size, "loading": "lazy"})


def words_of_pictures(cells):
    """What each picture in outputs is in words: {the name that MyST-NB gives its file: words}."""
    found = {}
    for data in (output.get("data", {}) for cell in cells for output in cell.get("outputs", ())):
        words = "".join(data.get("text/plain", "")).strip("<>")
        for png in [data["image/png"]] if "image/png" in data else []:
            found[hashlib.sha256(base64.b64decode("".join(png))).hexdigest()] = words
    return found


def equations(app, pagename, tree):
    """A numbered equation has an address, and a mark that shows it."""
    wanted = {tag for tag, (page, _) in app.env.book_equations.items() if page == pagename}
    for block in tree.find_class("math"):
        tag = TAG.search(block.text_content()) if block.tag == "div" else None
        if tag:
            wanted.discard(tag[1])
            block.set("id", f"eq-{tag[1]}")
            beside(block, f"{pagename}, equation {tag[1]}")
            block.append(E.a("#", {"class": "headerlink", "href": f"#eq-{tag[1]}"}))
    expect(not wanted, pagename, f"a block of mathematics for each of {sorted(wanted)}")


def beside(block, where):
    """A number is read after its formula: KaTeX's table, which lays both out, is not drawn."""
    table = expect(block.xpath(".//semantics/mtable[@width='100%']"), where, "KaTeX's table")[0]
    _, formula, _, number = table.xpath("mtr/mtd")
    table.getparent().replace(table, E.mrow(*formula, *number))


def lines(tree):
    """What is said to open a cell is what is read aloud, and not MyST-NB's words for all cells."""
    for summary in tree.iterfind(".//details/summary[@aria-label]"):
        del summary.attrib["aria-label"]


def indents(tree):
    """A line of code is not broken behind the spaces that it begins with, however narrow."""
    for pre in tree.xpath(".//*[contains(@class, 'cell_input')]//pre"):
        for token in pre.findall("span"):
            before = token.getprevious()
            spaces = INDENT.search((before.tail if before is not None else None) or "")
            if spaces:
                before.tail = before.tail[: spaces.start()]
                start = E.span(spaces[0], {"class": "start"})
                token.addprevious(start)
                if " " not in token.text_content():  # a string is broken between its words
                    start.append(token)
                    start.tail, token.tail = token.tail, None
        code = html.tostring(pre, encoding="unicode", with_tail=False)
        new = html.fromstring(DEEP.sub(hung, code))
        new.tail = pre.tail
        pre.getparent().replace(pre, new)


def hung(line):
    """Where it is broken all the same, a long line goes on to the right of its beginning."""
    long = len(html.fromstring(line[0]).text_content()) > NARROW
    return f'<span class="in-{len(line[1])}">{line[0]}</span>' if long else line[0]


def sources(tree):
    """The TeX in a formula, which nobody hears, stays where `classroom/answers.py` reads it."""
    for source in tree.xpath("//annotation[not(ancestor::*[@data-answer])]"):
        source.getparent().remove(source)


def bare(tree):
    """What no browser asks of markup, and no style sheet here, is a kilobyte of each chapter."""
    for node in tree.xpath(".//*[ancestor-or-self::math or self::svg]"):
        for name in ("xmlns", "encoding", "separator", "stretchy"):
            node.attrib.pop(name, None)
    for path in (".//semantics[not(annotation)]", ".//math/mrow", ".//pre/span[not(node() or @*)]"):
        for node in tree.xpath(path):
            node.drop_tag()
    for node in tree.xpath(".//*[self::div or self::code or self::details or self::p][@class]"):
        node.set("class", " ".join(name for name in node.classes if name not in UNUSED))


def plain(tree):
    """Names, signs between them and blanks need no mark."""
    for token in tree.xpath(PLAIN):
        token.drop_tag()


def breaks(tree):
    """A formula that is wider than the page goes on below with its = or +, as in print.

    KaTeX sets a formula in pieces and lets a line end after each, behind the sign; the sign moves.
    """
    for formula in tree.xpath(".//*[@class='katex-display']//*[@class='katex-html']"):
        pieces = formula.findall("span[@class='base']")
        for piece, following in pairwise(pieces):
            signs = piece.xpath("*[position() > last() - 2][@class='mrel' or @class='mbin']")
            if signs:
                following[1:1] = [signs[0], *signs[0].itersiblings()]  # after its strut


def together(tree):
    """No line begins with the comma behind a formula, as browsers break it: none does so behind a
    piece whose parent is not broken."""
    for box in tree.xpath(f".//span[@lang] | {FORMULA}"):
        last = box
        while not last.tail and last.getnext() is None and last.getparent().tag in INLINE:
            last = last.getparent()
        if re.match(CLOSES, last.tail or ""):
            piece = [box, *box.xpath(".//span[@class='base']")][-1]
            behind, piece.tail = piece.tail, None
            piece.addnext(keep := E.span({"class": "keep"}))
            keep.append(piece)
            keep.tail = behind


def columns(tree):
    """A printed table has straight columns where each Chinese letter is as wide as two others."""
    for pre in tree.xpath(".//*[contains(@class, 'cell_output')]//pre"):
        if re.search(r"\S  +\S", pre.text_content()):
            for text in pre.xpath(".//text()"):
                mentions.around(text, HANZI, lambda found: E.span(found[0], {"class": "hanzi"}))


def folds(pagename, tree):
    """A section that is marked so becomes one line that opens: its heading, at its address."""
    for section in tree.find_class("fold"):
        heading = expect(section.xpath(" | ".join(HEADINGS)), pagename, "the heading of a fold")[0]
        for link in heading.find_class("headerlink"):
            link.drop_tree()  # the whole line is pressed
        rest = list(heading.itersiblings())
        section.append(E.details(E.summary(heading), *rest))


def elsewhere(tree):
    """Folds that an author has written for several frameworks, one after the other, are a row like
    that below a definition, and a row shows one at a time."""
    written = [
        fold for fold in tree.iter("details") if fold.get("data-framework") and not fold.get("name")
    ]
    for number, first in enumerate(written):
        if first.get("name"):
            continue  # in the row of one before
        folds = [first, *takewhile(lambda one: one in written, first.itersiblings())]
        first.addprevious(row := E.div({"class": "elsewhere"}))
        row.extend(folds)
        for fold in folds:
            fold.set("name", f"written-{number}")


def corners(tree):
    """The corner of a table heads nothing; below an empty one, first cells head their rows."""
    for cell in tree.xpath(".//th[not(normalize-space()) and not(.//img)]"):
        if cell.getprevious() is None:
            for first in cell.xpath(HEADS):
                first.set("role", "rowheader")
        cell.getparent().replace(cell, E.td())


def scopes(tree):
    """What heads a table's column or row says so, for who hears the table."""
    for cell in tree.iter("th"):
        cell.set("scope", "col" if cell.xpath("ancestor::thead") else "row")


def signs(tree):
    """Signs that are drawn as they should be, but read aloud as others: a norm, a transpose."""
    for sign in tree.xpath(".//*[@class='katex-mathml']//*[self::mo or self::mi]"):
        sign.text = {"\u2225": "\u2016", "\u22a4": "T"}.get(sign.text, sign.text)


def links(tree):
    """The mark beside a heading or an equation is named after it, not "#".

    It is drawn in the line of a heading, but what is read aloud as the heading ends before it.
    """
    for link in tree.find_class("headerlink"):
        place = link.getparent()
        heading = (place.text_content() or "").removesuffix(link.text_content())
        number = TAG.search(heading)
        link.attrib.pop("title", None)
        told = say("Link to equation {number}", number=number[1]) if number else None
        link.set("aria-label", told or say("Link to {heading}", heading=heading.strip()))
        if place.tag in HEADINGS:
            said = E.span({"role": "heading", "aria-level": place.tag[1]}, place.text or "")
            said.extend(place[:-1])
            place.text = None
            place.insert(0, said)
            place.set("role", "none")
