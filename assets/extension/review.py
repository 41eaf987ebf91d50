"""What the pages ask, gathered: the prompts on the page of the review and as a deck for Anki, and
counts beside the chapters of the first page."""

import copy
from pathlib import Path

from lxml import html
from lxml.builder import E

from . import questions
from .body import expect

PAGE = "chapters/review"
DECK = "attention-prompts.txt"
HEAD = """\
#separator:tab
#html:true
#notetype:Basic
#deck:Attention
#guid column:1
#tags column:4
"""
ASKED = "//*[@data-answer][self::div[@class='question'] or .//*[@class='d2lmini-answer']]"


def finish(app):
    """Gather them from the built pages, once all are there: also those of an earlier build."""
    if PAGE not in app.env.found_docs:
        return
    folder, root, deck = Path(app.outdir), app.builder.config.root_doc, HEAD
    first, target = parsed(folder, root), parsed(folder, PAGE)
    (place,) = expect(target.find_class("all-prompts"), PAGE, "the place of all prompts")
    for page, title in app.env.book_chapters.values():
        tree = parsed(folder, page)
        prompts = tree.find_class("prompt")
        deck += "".join(note(title, box) for box in prompts)
        if prompts:
            place.append(E.section(E.h2(title), *(again(box, page) for box in prompts)))
        count(first, page, tree)
    (folder / DECK).write_text(deck, encoding="utf-8")
    write(folder, PAGE, target)
    write(folder, root, first)


def note(title, box):
    """A prompt as a line of Anki's own format; its id lets a later import change it."""
    box = copy.deepcopy(box)
    for formula in box.xpath(".//span[@class='katex']"):  # Anki's windows know MathML
        mathematics = formula.find(".//math")
        formula.clear(keep_tail=True)
        formula.append(mathematics)
    question, *answer = box
    answer = "".join(html.tostring(one, encoding="unicode") for one in answer)
    parts = (" ".join(part.split()) for part in (question.text_content(), answer))
    return "\t".join([box.get("data-answer"), *parts, title.replace(" ", "_")]) + "\n"


def parsed(folder, page):
    """A built page, without what an earlier build has added to it here."""
    tree = html.document_fromstring((folder / f"{page}.html").read_text(encoding="utf-8"))
    for old in tree.xpath("//*[@class='all-prompts']/* | //*[@class='progress']"):
        old.drop_tree()
    return tree


def write(folder, page, tree):
    text = html.tostring(tree, encoding="unicode", doctype="<!DOCTYPE html>")
    (folder / f"{page}.html").write_text(text, encoding="utf-8")


def again(box, page):
    """A prompt on the page of the review, with the way back to its chapter."""
    box = copy.deepcopy(box)
    box.tail = None
    name = Path(page).name
    for link in box.xpath(".//a[starts-with(@href, '#')]"):
        link.set("href", f"{name}.html{link.get('href')}")
    box.append(E.p({"class": "again"}, E.a("Read it again", href=f"{name}.html")))
    return box


def count(tree, page, asking):
    """Beside a chapter in the list of the first page: what it asks, to be counted in the page."""
    data = {"class": "progress", "data-page": questions.name_of(page)}
    for name, found in (("asks", asking.xpath(ASKED)), ("prompts", asking.find_class("prompt"))):
        ids = (one.get("data-answer").rpartition("/")[2] for one in found)
        data[f"data-{name}"] = " ".join(ids)
    own = f"{Path(page).name}.html"
    for link in tree.xpath(f"//article//a[@href='{own}'][ancestor::li or ancestor::td]"):
        link.getparent().append(E.span(data))
