"""Print the book's spine, from its one file, as a PDF beside it.

    python tools/pdf.py [FILE]

What the web page folds stays on the web: the print says so once in each chapter, in a line with the
address. Answers of the quizzes stand at the back.
"""

import copy
import re
import sys
from pathlib import Path

import chromium
import lxml.html
import yaml
from lxml.builder import E
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "assets"))
from extension import single  # noqa: E402

SOURCE = ROOT / "_build" / "html" / single.NAME
TARGET = SOURCE.with_suffix(".pdf")
HOME = yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["html"]["baseurl"]

# Pages that are of use where something can be run, touched or typed.
WEB_ALONE = ["own_sentence", "review", "making_figures", "api", "coming_from", "teaching"]
# Cells and details that a page keeps closed, and the code of other frameworks.
CLOSED = ["tag_hide-cell", "elsewhere"]

FOOT = """<div style="font-size: 8px; width: 100%; text-align: center; color: #566070">
<span class="pageNumber"></span></div>"""

# Every figure has its panels; words have no canvas.
DRAWN = """[...document.querySelectorAll(".d2lmini-figure")].every(
  (figure) => figure.querySelector(":scope > div")?.shadowRoot.querySelector(".panel"))"""


def spine(tree):
    """Leave of the one file, in place, what is printed; add the answers of the quizzes."""
    articles = {article.get("data-file"): article for article in tree.findall(".//article")}
    pages = {name: articles[name] for name in articles if name not in WEB_ALONE}
    lefts = [articles[name] for name in WEB_ALONE]
    answers = {}
    for name, article in pages.items():
        if found := quizzes(article):
            answers[title(article)] = found
        leave_out(article, name)
    back = E.article(E.h1("Answers of the quizzes"))
    for chapter, letters in answers.items():
        told = ", ".join(f"{n} {letter}" for n, letter in enumerate(letters, 1))
        back.append(E.p(E.strong(chapter), f": {told}."))
    names = [title(article) for article in lefts]
    back.append(
        E.p(f"On the web alone, at {HOME}: {', '.join(names[:-1])}, {names[-1]}.", id="web-alone")
    )
    for article in lefts:
        article.drop_tree()
    list(pages.values())[-1].addnext(back)
    unlinked(tree)


def title(article):
    """The heading of a page, without the mark that links to it."""
    heading = copy.deepcopy(article.find(".//h1"))
    for mark in heading.find_class("headerlink"):
        mark.drop_tree()
    return heading.text_content().strip()


def quizzes(article):
    """Print the choices of each question as a list; return the letters of the right ones."""
    letters = []
    for question in article.find_class("question"):
        choices = E.ol({"type": "A"})
        for number, detail in enumerate(question.findall("details")):
            summary, reply = detail.find("summary"), detail.find("p")
            if reply is not None and reply.text_content().startswith("Yes"):
                letters.append("ABCDEFG"[number])
            summary.tag = "li"
            choices.append(summary)
            detail.drop_tree()
        question.append(choices)
    return letters


def leave_out(article, name):
    """Drop what a page folds, and say where it is."""
    titles = [fold.find("details/summary").text_content().strip() for fold in folds(article)]
    for fold in folds(article):
        fold.drop_tree()
    for kind in CLOSED:
        for node in article.find_class(kind):
            drop(node)
    for node in [*article.iter("details")]:
        drop(node)
    for section in [*article.iter("section")]:
        heading = section.find("h2")
        if heading is not None and heading.text == "Review":
            drop(section)
    if not name[:2].isdigit():
        return
    said = "The code of figures, checks of equations, hints and solutions are"
    if titles:
        said = f"{'; '.join(titles)}: these, the code of figures, checks, hints and solutions are"
    line = E.p(f"{said} on the web, at {HOME}chapters/{name}.html.")
    line.set("class", "on-the-web")
    article.append(line)


def folds(article):
    """The folded sections of a page, those inside others left out."""
    inside = "ancestor::section[contains(concat(' ', @class, ' '), ' fold ')]"
    return [fold for fold in article.find_class("fold") if not fold.xpath(inside)]


def drop(node):
    """Take out an element that may have gone with one around it."""
    if node.getparent() is not None:
        node.drop_tree()


def unlinked(tree):
    """A link to a place that is not printed is text."""
    places = {node.get("id") for node in tree.iter() if node.get("id")}
    for link in tree.findall(".//a[@href]"):
        if link.get("href").startswith("#") and link.get("href")[1:] not in places:
            link.drop_tag()


def main(target=TARGET):
    target = Path(target)
    tree = lxml.html.document_fromstring(SOURCE.read_text(encoding="utf-8"))
    spine(tree)
    source = SOURCE.with_name("printed.html")
    text = lxml.html.tostring(tree, encoding="unicode", doctype="<!DOCTYPE html>")
    source.write_text(text, encoding="utf-8")
    try:
        pages = printed(source, target)
    finally:
        source.unlink()
    print(f"Printed {target} ({pages} pages, {target.stat().st_size / 1e6:.1f} MB)")


def printed(source, target):
    """Print a page; return how many sheets it takes."""
    with sync_playwright() as playwright:
        browser = chromium.launched(playwright)
        page = browser.new_page()
        page.set_default_timeout(120_000)  # the file is long
        page.goto(source.as_uri(), wait_until="networkidle")
        page.wait_for_function("document.readyState === 'complete'")  # not implied in a long file
        # As printing does: every figure in its first state.
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        page.wait_for_function(DRAWN)
        margin = {"top": "15mm", "bottom": "16mm", "left": "18mm", "right": "18mm"}
        data = page.pdf(
            path=target,
            format="A4",
            margin=margin,
            display_header_footer=True,
            header_template="<span></span>",
            footer_template=FOOT,
            outline=True,
            tagged=True,
        )
        browser.close()
    return len(re.findall(rb"/Type /Page\b", data))


if __name__ == "__main__":
    main(*sys.argv[1:])
