"""Print what a class fills in, two to four A4 pages of one chapter, and the same with the answers.

    python -m classroom.handout chapters/04_masked_softmax.ipynb [EDITION] [--only EXERCISE ...]

Both are made from the chapter's built page: its question, each figure that asks something, the
section by hand and the numbered formulas with gaps, and the exercises with room to write. They
stand in `_build/handout`, as 04_masked_softmax.pdf and 04_masked_softmax-answers.pdf; those in
another language, such as zh, in the folder of its name there. With `--only` there is nothing but
the exercises that it names, such as `works` for `check.works`, each with the lines that its answer
starts with.
"""

import ast
import copy
import json
import re
import sys
from collections import Counter
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import lxml.html
import segno
from lxml.html.builder import E
from playwright.sync_api import sync_playwright

from classroom.assignment import CHECK, chosen
from classroom.files import command, counted
from pages.editions import editions, say, speak, spoken
from pages.printed import SHEET
from tools import chromium
from tools.relink import ROOT, wanted

BUILT, TARGET = ROOT / "_build", ROOT / "_build" / "handout"
MOST = 4  # pages for students
ROOM = (6, 5, 4, 3, 2)  # lines to write an answer on: as many as fit

STYLE = """
@page { size: A4; margin: 13mm 16mm 15mm; font: 6pt var(--ui); color: #566070; }
html { font-size: 11px; background: #fff; color: #000; }
body { font-size: 9.6pt; line-height: 1.38; }
article { max-width: none; }
article :is(p, ul, ol, dl) { max-width: none; margin: 0 0 .5rem; }
h1 { font-size: 2rem; margin: 0 0 .3rem; }
h2 { font-size: 1.35rem; margin: 1.3rem 0 .4rem; break-after: avoid; }
h3 { font-size: 1.08rem; margin: .9rem 0 .2rem; break-after: avoid; }
.sheet-head { display: flex; gap: 1.5rem; align-items: start; justify-content: space-between; }
.sheet-head > :last-child { flex: none; width: 54mm; text-align: right; }
.sheet-head svg { width: 24mm; height: 24mm; }
.name { display: flex; gap: 1rem; margin-top: .8rem; }
.name span { flex: 2; border-bottom: 1px solid; color: #566070; font-size: .85em; }
.name span:last-child { flex: 1; }
.address { font: .7em/1.3 var(--ui); overflow-wrap: anywhere; }
section.asked, .exercise > .text, .math, tr, li { break-inside: avoid; }
.asked > div { zoom: .62; margin: .2rem 0; }
.choices { list-style: none; padding: 0; }
.choices li { margin: .25rem 0; padding-left: 1.7em; text-indent: -1.7em; }
.box, .gap { display: inline-block; text-indent: 0; text-align: center; }
.box { width: 1em; height: 1em; margin-right: .7em; border: 1px solid; vertical-align: -.12em;
  line-height: .95em; font-family: "DejaVu Sans", sans-serif; }
.gap { min-width: 3.2em; min-height: 1.25em; margin: 0 .15em; border-bottom: 1px solid #333; }
.gap.long { min-width: 24em; text-align: left; }
.answers .gap, .answers .reason, .answers .box { color: #b3261e; }
.reason { display: block; text-indent: 0; font-size: .92em; }
.math { margin: .45rem 0; }
.katex-display > .katex { padding-left: 0; min-width: 100%; width: 100%; }
.lines { margin: .2rem 0 .6rem; break-before: avoid; break-inside: avoid; }
.lines i { display: block; height: 7.5mm; border-bottom: 1px solid #bbb; }
.solution { margin: .2rem 0 .8rem; padding-left: .8rem; border-left: 2px solid #b3261e; }
pre { white-space: pre-wrap; font-size: .88rem; line-height: 1.3; margin: .2rem 0;
  padding: .3rem .5rem; break-inside: auto; }
table { font-size: .95em; }
th, td { padding: .2rem 1rem .2rem 0; }
.pst-scrollable-table-container { overflow: visible; margin: .4rem 0 .6rem; }
img { max-width: 60%; height: auto; }
a { color: inherit; text-decoration: none; }
:root { --measure: 100%; --wide: 100%; }
"""

FOOT = """
@page { @bottom-left { content: %s; }
  @bottom-right { content: counter(page) " / " counter(pages); } }
"""
HANZI = """
@font-face { font-family: Hanzi; src: url(%s); }
:root { --text: "Source Serif 4", Hanzi, serif; --ui: system-ui, Hanzi, sans-serif;
  --code: ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", Hanzi, monospace; }
"""

# In the figure itself: its question stands below it, and nothing can be pressed. The values of
# sliders are seen without the sliders.
IN_FIGURE = """
.quiz, .head, button, [type=range], .foot { display: none !important }
.controls { opacity: 1 !important }
[type=checkbox] { width: 14px; height: 14px }
"""
READY = """async (style) => {
 for (const figure of document.querySelectorAll(".kernelfree-figure")) {
  let root;
  while (!(root = figure.querySelector(":scope > div")?.shadowRoot)?.querySelector(".panel"))
    await new Promise(requestAnimationFrame);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style);
  root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
 }
 await document.fonts.ready;
}"""


def read(name):
    """The built page of a chapter, as a tree."""
    page = BUILT / "html" / spoken().below / "chapters" / f"{name}.html"
    if not page.is_file():
        there = (ROOT / "chapters" / f"{name}.ipynb").is_file()
        why = "is not built yet; run `make book`" if there else "is no notebook in chapters/"
        sys.exit(f"handout: {name}.ipynb {why}")
    return lxml.html.document_fromstring(page.read_text(encoding="utf-8"))


def handout(tree, name, answers, lines=ROOM[-1], left_out=0, only=()):
    """What is printed of a page, with its answers or with gaps and so many lines to write on.

    Without answers, the last exercises that find no place are named only, and so are those that
    would tell what stands in a gap. Where some exercises are chosen, there are only these.
    """
    tree = copy.deepcopy(tree)
    article = tree.find(".//article")
    for mark in article.find_class("headerlink"):
        mark.drop_tree()
    for heard in article.find_class("katex-mathml"):
        heard.drop_tree()  # what is seen is selected
    exercises = article.find_class("exercise")
    if not exercises:
        sys.exit(f"handout: {name} asks nothing: it has no exercise")
    defined = functions(cell.xpath("string(.//pre)") for cell in article.xpath(CODE))
    if only:
        exercises = [one for one in exercises if begins(one)[0] in only]
    parts, told = ([], []) if only else around(article, answers)
    parts.insert(0, head(article, name, answers))
    kept = [one for one in exercises if answers or not tells(one, told)]
    kept = kept[: len(kept) - left_out]
    parts.append(article.find_class("exercises")[0].find("h2"))
    named = say("; ").join(one.xpath("string(h3)").strip() for one in exercises if one not in kept)
    for one in kept:
        start = begins(one)[1] if only else ""
        known = defined | lent(name) if ".take(" in start else defined
        parts.append(exercise(one, answers, lines, known, start))
    if named:
        parts.append(E.p(say("On the page, too: {exercises}.", exercises=named)))
    title = f"{tree.findtext('.//title')}"
    return document(tree, parts, title, "answers" if answers else "")


def around(article, answers):
    """What is printed before the exercises, and what its long gaps hold."""
    asked = [figure for figure in article.find_class("kernelfree-figure") if predict(figure)]
    below = "ancestor::section[h2][1]/following-sibling::section[1]"
    hand = [section for figure in asked[:1] for section in figure.xpath(below)]
    parts = [E.h2(say("First predict")), *(question(figure, answers) for figure in asked)]
    parts += [numbers(section, answers) for section in hand]
    numbered = article.xpath(FORMULAS)
    told = [gap for one in numbered for gap in formula(copy.deepcopy(one), True).find_class("long")]
    formulas = [formula(one, answers) for one in numbered]
    parts += [E.h2(say("Complete the formulas")), *formulas] if formulas else []
    return parts, told


FORMULAS = """.//div[contains(@class, 'math')][starts-with(@id, 'eq-')]
  [not(ancestor::details or ancestor::section[contains(@class, 'exercises')])]"""


def predict(figure):
    """What a figure asks, or nothing."""
    return json.loads(figure.xpath("string(script)")).get("predict")


def document(tree, parts, title, kind):
    """A page around the parts, with the styles and the figures' scripts of the chapter's."""
    up = f"../{spoken().up}html/{spoken().below}chapters/"
    head = E.head(E.meta(charset="utf-8"), E.title(title))
    for link in tree.xpath("//head/link[@rel='stylesheet'] | //head/script[@src]"):
        name = "href" if link.tag == "link" else "src"
        if not re.search(r"/(book|learn|finger)\.js", link.get(name)):
            link.set(name, up + link.get(name))
            head.append(link)
    font, foot = hanzi(), FOOT % json.dumps(tree.findtext(".//title"), ensure_ascii=False)
    head.append(E.style(STYLE + foot + (HANZI % font.as_uri() if font else "")))
    html = E.html(head, E.body(E.main(E.article(*parts))), lang=tree.get("lang"))
    html.find("body").set("class", kind)
    for picture in html.iter("img"):
        picture.set("src", up + picture.get("src"))
        picture.attrib.pop("loading", None)
    for link in html.iter("a"):
        link.attrib.pop("href", None)  # nobody presses paper
    return html


def hanzi():
    """The book's font of Chinese letters, where such are printed: systems have others, or none."""
    folder = BUILT / "html" / spoken().folder / "_static" / "fonts"
    found = next(folder.glob("noto-sans-sc-chinese*.woff2"), None)
    return found if spoken().tag.startswith("zh") else None


def head(article, name, answers):
    """The title, the chapter's question, whose sheet it is, and where the chapter is."""
    address = f"{wanted(ROOT).book}{spoken().below}chapters/{name}.html"
    code = lxml.html.fragment_fromstring(segno.make(address, micro=False).svg_inline(scale=3))
    title = article.find(".//h1").text_content()
    about = article.xpath(".//p[strong][not(normalize-space(text()))]")[0]
    lines = E.p(E.span(say("Name")), E.span(say("Date")), {"class": "name"})
    first = E.div(E.h1(title), about, E.p(E.strong(say("Answers"))) if answers else lines)
    return E.div(first, E.div(code, E.p(address, {"class": "address"})), {"class": "sheet-head"})


def question(figure, answers):
    """A figure under its cover, its question and the choices, which are boxes to tick."""
    asked, state = predict(figure), json.loads(figure.xpath("string(script)"))
    for still in figure.find_class("still"):
        still.drop_tree()
    choices = E.ul({"class": "choices"})
    for place, (text, reply) in enumerate(asked["choices"]):
        right = answers and place == asked["answer"]
        if reply:  # the last one skips the question
            choice = E.li(E.span("\u2713" if right else "", {"class": "box"}), text)
            if right:
                choice.append(E.span(reply, {"class": "reason"}))
            choices.append(choice)
    figure.tail = None
    title, text = E.h3(state["title"]), E.p(asked["question"])
    return E.section(title, figure, text, choices, {"class": "asked"})


# KaTeX sets the rows of `aligned` column by column: what stands left of the signs, and right.
ROWS = """span/span/*[@class='mtable']/*[@class='col-align-l']
  /*/*[contains(@class, 'vlist-r')][1]/*[1]/*/*[@class='mord']"""


def rows(html):
    """The signs of each row of a formula, from its relation on; of a single row, all of them."""
    bases = html.xpath(".//span[@class='base']")
    whole = [node for base in bases for node in base if "strut" not in node.classes]
    return [list(row) for row in html.xpath(ROWS)] or [whole]


def cut(nodes, answers, kind="gap"):
    """Put a gap in the place of some signs, which only the answers show; a full stop stays."""
    ends = nodes[1:] and nodes[-1].text_content() in (".", ",")
    nodes = nodes[:-1] if ends else nodes
    gap = E.span({"class": kind})
    nodes[0].addprevious(gap)
    for node in nodes:
        base = node.getparent()
        if answers:
            gap.append(node)
        else:
            node.drop_tree()
        if base is not gap.getparent() and len(base) == 1:
            base.drop_tree()  # nothing but its strut is left


FREE = ".//*[@class='katex-html'][not(ancestor::*[@class='gap'])]"


def numbers(section, answers):
    """The section by hand: its results are gaps."""
    for node in section.xpath(".//div[contains(@class, 'cell')] | .//section | .//details"):
        before = node.getprevious()
        if before is not None and before.tag == "p" and before.text_content()[-1:] in ":\uff1a":
            before.drop_tree()  # it announces what is not printed
        node.drop_tree()
    results = set()
    for table in section.iter("table"):
        for cell in result_cells(table):
            results |= decimals(re.split("[=\u2248]", cell.text_content())[-1])
            told = E.span({"class": "gap"})
            if answers:
                told.text, told[:] = cell.text, list(cell)
            cell.text, cell[:] = None, [told]
    for text in section.xpath(".//text()[not(ancestor::*[@class='katex'])]"):
        for found in NUMBER.finditer(text):
            if RESULT.search(text[: found.start()]):
                results |= decimals(found[0])
    parts = []  # of formulas: what may repeat a result, and the result
    for one in section.xpath(FREE):
        before = ""  # without indices, whose digits are no numbers
        for signs in rows(one):
            equal = [i for i, sign in enumerate(signs) if sign.text_content() in EQUAL]
            at = equal[-1] if equal else len(signs)
            before += "".join(sign.text_content() for sign in signs[: at + 1] if not small(sign))
            told = "".join(sign.text_content() for sign in signs[at + 1 :])
            result = bool(re.search(r"\d", before) and re.search(r"\d", told))
            results |= decimals(told) if result else set()
            at = at + 1 if result else len(signs)
            parts.append((signs[:at], signs[at:]))
    for signs, result in parts:
        for part in (part for sign in signs for part in list(sign.iter())):
            repeat(part, results, answers)
        if result:
            cut(result, answers)
    for node in section.xpath(".//*[ancestor-or-self::p or ancestor-or-self::li or self::td]"):
        if not node.xpath("ancestor-or-self::*[starts-with(@class, 'gap') or @class='katex']"):
            repeat(node, results, answers)
    return section


def small(sign):
    """Whether a sign is a letter with an index: its digits are no numbers."""
    return bool(sign.xpath(".//*[contains(@class, 'mtight')]"))


def decimals(text):
    return set(re.findall(r"\d*\.\d+", text))


def result_cells(table):
    """The cells of a table that are results: its last row or its last column, whichever has the
    larger share of numbers with decimals. A table without any is given."""
    rows = [row.xpath("td | th") for row in table.iterfind(".//tbody/tr")]
    lines = [rows[-1][1:], [row[-1] for row in rows if len(row) > 1]]
    lines = [[cell for cell in line if re.search(r"\d", cell.text_content())] for line in lines]
    shares = [sum(map(has_decimals, line)) / max(len(line), 1) for line in lines]
    return lines[shares.index(max(shares))] if any(shares) else []


def has_decimals(cell):
    return bool(decimals(cell.text_content()))


EQUAL = ("=", "\u2248")
NUMBER = re.compile(r"[\u2212-]?\d*[.,]?\d+")
RESULT = re.compile(r"\d\)? [=\u2248] $")  # in front of a number that the text has computed


def repeat(node, results, answers):
    """A result in the text, or one that it says again, is a gap, too."""
    for own in (False, True):  # what stands behind it, and in it
        text = (node.text if own else node.tail) or ""
        for found in reversed(list(NUMBER.finditer(text))):
            if found[0] not in results and not RESULT.search(text[: found.start()]):
                continue
            gap = E.span(found[0] if answers else "", {"class": "gap"})
            gap.tail, text = text[found.end() :], text[: found.start()]
            if own:
                node.text = text
                node.insert(0, gap)
            else:
                node.tail = None
                node.addnext(gap)
                node.tail = text


def formula(block, answers):
    """A numbered formula: what stands behind its first relation is a gap, in each of its rows; in a
    list of expressions, which has none, each of them is."""
    lines = rows(block.find_class("katex-html")[0])
    relations = [[i for i, sign in enumerate(line) if "mrel" in sign.classes] for line in lines]
    is_list = len(lines) > 1 and not any(relations)
    for line, found in zip(lines, relations, strict=True):
        result = line[found[0] + 1 :] if found else line * is_list
        if result:
            cut(result, answers, "gap long")
    block.attrib.pop("id")
    return block


CODE = """.//div[contains(concat(' ', @class, ' '), ' cell ')]
  [not(contains(@class, 'tag_solution') or contains(@class, 'tag_hide-input'))]"""


def letters(node):
    return Counter(re.findall(r"[^\W\d_]", node.text_content()))


def tells(section, told):
    """Whether a formula of an exercise has nearly all letters of one that is a gap."""
    own = section.xpath(".//*[@class='katex-html'][not(ancestor::details)]")
    pairs = ((letters(gap), letters(one)) for gap in told for one in own)
    return any(gap.total() > 3 and (gap - one).total() <= gap.total() / 8 for gap, one in pairs)


def functions(sources):
    """The functions that some code defines, but those to write: {name: lines}."""
    found = {}
    for source in sources:
        with suppress(SyntaxError):
            for node in ast.parse(source).body:
                if isinstance(node, ast.FunctionDef) and ast.unparse(node.body) != "...":
                    found[node.name] = ast.get_source_segment(source, node)
    return found


def lent(name):
    """The functions of earlier chapters that a chapter's step takes, as the book has them."""
    step = getattr(import_module(f"d2lmini.exercises.chapter_{name[:2]}"), "step", None)
    return functions([step.lent()] if step else [])


def begins(section):
    """The name of an exercise, which is its check's, and the lines that its answer starts with."""
    sources = (pre.text_content() for pre in section.iter("pre"))
    source = next(filter(CHECK.search, sources))
    lines = re.sub(r"\n\n+", "\n\n", CHECK.sub("", source))
    return CHECK.search(source)[1], lines.strip()


def exercise(section, answers, lines, defined, start=""):
    """What an exercise asks, the functions that it names, and room to write; or its solution."""
    heading, *rest = section
    text, *_ = split = [E.div(heading, {"class": "text"}), E.div({"class": "solution"})]
    after = solved = False
    for node in rest:
        after |= "cell" in node.classes or node.tag == "details"
        solved |= "tag_solution" in node.classes
        if not after:
            text.append(node)
        # In the open below it stands what the next exercise is about.
        elif answers and solved and (node.tag == "details" or "tag_solution" in node.classes):
            split[1].append(opened(node))
    own = re.findall(r"^(?:def|class) (\w+)", start, re.MULTILINE)
    named = [re.match(r"\w*", code.text_content())[0] for code in text.iter("code")]
    named += re.findall(r'"(\w+)"', "".join(re.findall(r"\.take\((.*)\)", start)))
    given = []
    for name in named:
        if name in defined and name not in (*own, *given):
            given.append(name)
            text.append(E.pre(defined[name]))
            named += re.findall(r"(?<![\w.])\w+", defined[name])  # it calls others
    if start:
        text.append(E.pre(start))
    if answers:
        return E.section(text, split[1], {"class": "exercise"})
    room = E.div(*(E.i() for _ in range(lines)), {"class": "lines"})
    return E.section(text, room, {"class": "exercise"})


def opened(node):
    """A part of a solution without its box; folds open."""
    for box in [*node.find_class("d2lmini-answer"), *node.xpath(".//summary")]:
        box.drop_tree()
    for folded in node.xpath("self::details | .//details"):
        folded.tag = "div"
    return node


def main(chapter, folder="", only=()):
    known = {edition.folder: edition for edition in editions()}
    if folder not in known:
        sys.exit(f"handout: no edition {folder!r}; there are {', '.join(filter(None, known))}")
    speak(known[folder])
    name, target = Path(chapter).stem, TARGET / folder
    tree = read(name)
    exercises = [begins(one)[0] for one in tree.find_class("exercise")]
    try:
        chosen(dict.fromkeys(exercises), only)
    except ValueError as error:
        sys.exit(f"handout: {error}")
    stem = "-".join([name, *only])
    target.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright, chromium.launched(playwright) as browser:
        page = browser.new_page(viewport={"width": 680, "height": 1000})
        # As much room to write as four pages leave; then exercises that are named only.
        tries = [(lines, 0) for lines in ROOM]
        tries += [(ROOM[-1], left_out) for left_out in range(1, len(exercises)) if not only]
        for lines, left_out in tries:
            sheet = handout(tree, name, False, lines, left_out, only)
            data, pages = printed(page, sheet, target / stem)
            if pages <= MOST:
                break
        (target / f"{stem}.pdf").write_bytes(data)
        sheet = handout(tree, name, True, only=only)
        data, more = printed(page, sheet, target / f"{stem}-answers")
        (target / f"{stem}-answers.pdf").write_bytes(data)
    left = f"; {counted(left_out, 'exercise')} named only" if left_out else ""
    print(f"{target / stem}.pdf: {counted(pages, 'page')}, {lines} lines for each exercise{left}")
    print(f"{target / stem}-answers.pdf: {counted(more, 'page')}")


def printed(page, html, path):
    """A PDF, and how many pages it has."""
    source = path.with_name(f"{path.name}.html")
    source.write_bytes(lxml.html.tostring(html, encoding="utf-8", doctype="<!DOCTYPE html>"))
    page.emulate_media(media="print", color_scheme="light")
    page.goto(source.as_uri(), wait_until="networkidle")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.evaluate(READY, IN_FIGURE)
    source.unlink()
    data = page.pdf(
        prefer_css_page_size=True,
        outline=True,
        tagged=True,
    )
    return data, len(SHEET.findall(data))


if __name__ == "__main__":
    parser = command(__doc__)
    parser.add_argument("chapter")
    parser.add_argument("edition", nargs="?", default="")
    parser.add_argument("--only", nargs="+", default=[])
    options = parser.parse_args()
    main(options.chapter, options.edition, options.only)
