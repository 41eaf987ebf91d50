"""Print the book, from its one file, as a PDF beside it: the spine, then what it folds.

    python -m pages.printed [FILE]

Without a file, the book is printed in each of its languages.

Folded sections, hints and solutions stand at the back, by chapter, with the answers of the quizzes;
a line in the spine says on which page. What stays on the web alone is named at the end.
"""

import copy
import re
import sys

import lxml.html
from lxml.html.builder import E
from playwright.sync_api import sync_playwright

from pages import single
from pages.editions import editions, say, speak, spoken
from tools import chromium
from tools.relink import ROOT, wanted

HTML = ROOT / "_build" / "html"
SOURCE = HTML / single.NAME
ARRANGED = ROOT / "_build" / "printed.html"
HOME = wanted(ROOT).book

# Pages that are of use where something can be run, touched or typed.
WEB_ALONE = ["own_sentence", "review", "making_figures", "api", "coming_from"]
WEB_ALONE += ["teaching", "hosting"]
# What a page closes and the print has nowhere.
LEFT_OUT = """.//*[contains(@class, 'tag_hide-input')]/details
  | .//*[contains(@class, 'tag_hide-cell')][not(contains(@class, 'tag_solution'))]
  | .//*[contains(@class, 'elsewhere')] | .//section[@class='review'] | .//*[@class = 'still']
  | .//details[starts-with(summary, 'my_attention.py')]"""
# What stands at the back of each chapter: the class of its parts.
KINDS = ("folds", "hints", "solutions")
EXERCISE = re.compile(r"\d+\.\d+")
# Code of more lines than this may go on overleaf.
SHORT = 24

FOOT = """<div style="font-size: 8px; width: 100%; text-align: center; color: #566070">
<span class="pageNumber"></span></div>"""

# Every figure has its panels; words have no canvas.
DRAWN = """[...document.querySelectorAll(".kernelfree-figure")].every(
  (figure) => figure.querySelector(":scope > div")?.shadowRoot.querySelector(".panel"))"""

# A page that is printed keeps its questions over their figures, for a teacher to hand out. The book
# is printed with every picture, as its answers stand at the back.
UNCOVER = """() => {
  for (const host of document.querySelectorAll(".kernelfree-figure > div"))
    host.shadowRoot.querySelector(".covered > .quiz > button:last-of-type")?.click();
  dispatchEvent(new Event("beforeprint"));
}"""

# Chromium writes the pages of a PDF, and the places that links lead to, as plain text.
SHEET = re.compile(rb"\n(\d+) 0 obj\n<</Type /Page\n")
PLACE = re.compile(rb"/(p\d\S*) \[(\d+) 0 R /XYZ")

# Say on which page each fold is (one that is nowhere is an error); return the first of them.
NUMBER = """(pages) => Math.min(...[...document.querySelectorAll(".at-back a")].map((link) =>
  (link.nextElementSibling.textContent = pages[link.getAttribute("href").slice(1)].toFixed())))"""


def arrange(tree):
    """Leave of the one file what is printed: the spine in place, then what it folds."""
    for mark in tree.find_class("headerlink"):
        mark.drop_tree()
    main = tree.find(".//main")
    alone = [main.find(f"article[@data-file='{name}']") for name in WEB_ALONE]
    for node in (*alone, *main.xpath(LEFT_OUT)):
        node.drop_tree()
    for article in main.findall("article"):
        back = to_the_back(article)
        if len(back) > 1:
            main.append(back)
    names = say(", ").join(article.findtext(".//h1") for article in alone)
    told = say(
        "On the web alone, at {address}: code of figures and experiments, checks of equations, "
        "code in other frameworks, why answers of a quiz are right or wrong, "
        "questions to review; {pages}.",
        address=HOME + spoken().below,
        pages=names,
    )
    main[-1].append(E.p(told, id="web-alone"))
    for code in tree.iter("pre"):
        if code.text_content().count("\n") <= SHORT:
            code.set("class", "short")
    # A link to a place that is not printed is text.
    there = {f"#{place}" for place in tree.xpath("//@id")}
    for link in tree.xpath("//a[starts-with(@href, '#')]"):
        if link.get("href") not in there:
            link.drop_tag()


def to_the_back(article):
    """Take what a page folds into an article of its own; a line in its place says where it is."""
    own, title = article.get("id"), article.find(".//h1").text_content()
    headings = (say("Folded sections"), say("Hints"), say("Solutions"))
    parts = {kind: E.section(E.h2(head)) for kind, head in zip(KINDS, headings, strict=True)}
    if letters := quizzes(article):
        told = say(", ").join(f"{n} {letter}" for n, letter in enumerate(letters, 1))
        place = f"{own}-answers"
        parts["solutions"].append(E.p(E.strong(say("Quiz")), say(": {list}.", list=told), id=place))
        article.find_class("question")[-1].addnext(line(E.h3(say("Answers")), place))
    for count, detail in enumerate(article.xpath(".//details"), 1):
        heading, outer = detail.find("summary"), detail.getparent()
        exercise = detail.xpath("string(ancestor::section[@class='exercise']/h3)")
        kind = "solutions" if exercise else "folds"
        words = heading.text_content().strip().splitlines()[0]
        if "hint" in detail.classes:
            kind, words = "hints", say("Hint {number}", number=EXERCISE.search(exercise)[0])
            if len(parts[kind]) > 1 and parts[kind][-1].findtext("h3") == words:  # a further one
                heading.drop_tree()
                parts[kind][-1].extend(detail)
                detail.drop_tree()
                continue
        elif "tag_solution" in outer.classes:
            words = say("Solution {number}", number=EXERCISE.search(exercise)[0])
        if "fold" in outer.classes:
            heading[0].tail = None
            heading[0].drop_tag()
        else:
            heading.clear(keep_tail=True)
            heading.text = words
            outer = outer if "cell" in outer.classes else detail
        heading.tag, detail.tag = "h3", "section"
        place = outer.get("id") or f"{own}-folded-{count}"
        outer.getparent().replace(outer, line(heading, place))
        detail.attrib.clear()
        detail.attrib.update({"id": place, "class": kind})
        parts[kind].append(detail)
    filled = [part for part in parts.values() if len(part) > 1]
    return E.article(E.h1(say("At the back: {title}", title=title)), *filled, id=f"{own}-back")


def line(heading, place):
    """What stands in the place of something that is at the back."""
    link = copy.deepcopy(heading)
    link.tag, link.tail = "a", None
    link.set("href", f"#{place}")
    told = say("At the back: {link}, page {page}.")
    before, between, after = re.split("[{]link[}]|[{]page[}]", told)
    return E.p(before, link, between, E.span("000"), after, {"class": "at-back"})


def quizzes(article):
    """Print the choices of each question as a list; return the letters of the right ones."""
    letters = []
    for question in article.find_class("question"):
        choices = E.ol({"type": "A"})
        for letter, detail in zip("ABCDEFG", question.findall("details"), strict=False):
            if "right" in detail.classes:
                letters.append(letter)
            summary = detail.find("summary")
            summary.tag = "li"
            choices.append(summary)
            detail.drop_tree()
        question.append(choices)
    return letters


def main(*files):
    for edition in editions()[: 1 if files else None]:
        speak(edition)
        source = HTML / edition.below / single.NAME
        print_book(source, *files or [source.with_suffix(".pdf")])


def print_book(source, target):
    """Print the book in the language that is spoken."""
    tree = lxml.html.document_fromstring(source.read_text(encoding="utf-8"))
    arrange(tree)
    ARRANGED.write_bytes(lxml.html.tostring(tree.getroottree(), encoding="utf-8"))
    data, back = printed(ARRANGED, target)
    pages = f"{len(SHEET.findall(data))} pages, the back from {back} on"
    print(f"Printed {target} ({pages}, {len(data) / 1e6:.1f} MB)")


def printed(source, target):
    """Print a page twice, to number its lines; return the PDF, and where the back begins."""
    with sync_playwright() as playwright, chromium.launched(playwright) as browser:
        # As wide as the paper: figures drawn anew while printing would push the last pages out.
        page = browser.new_page(viewport={"width": 657, "height": 1000})
        page.emulate_media(media="print")
        page.set_default_timeout(120_000)  # the file is long
        page.goto(source.as_uri(), wait_until="networkidle")
        page.wait_for_function("document.readyState === 'complete'")  # not implied in a long file
        # As printing does: every figure in its first state.
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        page.wait_for_function(DRAWN)
        page.evaluate(UNCOVER)
        sheet = {
            "format": "A4",
            "margin": {"top": "13mm", "bottom": "15mm", "left": "18mm", "right": "18mm"},
            "display_header_footer": True,
            "header_template": "<span></span>",
            "footer_template": FOOT,
        }
        found = places(page.pdf(**sheet))
        back = page.evaluate(NUMBER, found)
        data = page.pdf(path=target, outline=True, tagged=True, **sheet)
    if places(data) != found:
        sys.exit("The numbers of pages have moved the pages.")
    return data, back


def places(data):
    """The page of each place that a link of a PDF leads to."""
    numbers = {name: number for number, name in enumerate(SHEET.findall(data), 1)}
    return {name.decode(): numbers[sheet] for name, sheet in PLACE.findall(data)}


if __name__ == "__main__":
    main(*sys.argv[1:])
