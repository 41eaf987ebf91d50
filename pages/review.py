"""What the pages ask, gathered: prompts, questions and exercises on the page of the review, the
prompts also as a deck for Anki, and counts beside the chapters of the first page."""

import copy
import hashlib
import json
import re
from itertools import takewhile
from pathlib import Path
from urllib.parse import parse_qsl, quote

from lxml import html
from lxml.builder import E

from . import questions, site
from .body import cells_of, expect, first_picture, room
from .editions import say, spoken
from .headings import english_cells
from .model import stamp

PAGE = "chapters/review"
DECK = "attention-prompts.txt"
HEAD = """\
#separator:tab
#html:true
#notetype:Basic
#deck:{deck}
#guid column:1
#tags column:4
"""
# Digits and signs of a figure that comes with its prompt, at most; of others there is a picture.
# Its words are not counted: they differ from language to language.
LIGHT = 4_000
LETTERS = re.compile(r"[^\W\d_]+")
# Questions, exercises with a box, and those whose code runs in the page.
ASKED = """//*[@data-answer][self::div[@class='question'] or .//*[@class='d2lmini-answer'] or
  .//p[@class='in-colab'][not(preceding-sibling::div[1][contains(@class, 'hide-run')])]]"""


def finish(app):
    """Gather them from the built pages, once all are there: also those of an earlier build."""
    if PAGE not in app.env.found_docs:
        return
    folder, root = Path(app.outdir), app.builder.config.root_doc
    deck, below = HEAD.format(deck=say("Attention")), spoken().below
    edition = hashlib.sha256()
    first, target = parsed(folder, root), parsed(folder, PAGE)
    (place,) = expect(target.find_class("all-prompts"), PAGE, "the place of all prompts")
    for page, title in app.env.book_chapters.values():
        tree = parsed(folder, page)
        prompts = tree.find_class("prompt")
        deck += "".join(note(title, box, below) for box in prompts)
        if prompts:
            place.append(E.section(E.h2(title)))
            for box in prompts:
                place[-1].extend(with_figure(tree, box, page))
            place[-1].extend(once_more(box, page) for box in tree.xpath(ASKED))
        count(first, page, tree)
        asked = choices(english_cells(page) if below else cells_of(app.env, page))
        edition.update(json.dumps([*asked]).encode())
    for files in target.find_class("answers-file"):
        files.set("data-edition", edition.hexdigest()[:6])
        files.set("data-line", f"../_static/line.js?v={stamp(site.script(app, 'line.js'))}")
    (folder / DECK).write_text(deck, encoding="utf-8")
    write(folder, PAGE, target)
    write(folder, root, first)


def choices(cells):
    """What a page asks and in which order its choices stand: an edition is named after that, the
    same in all languages."""
    for cell in cells:
        outputs = (one.get("data", {}).get("text/html", "") for one in cell.get("outputs", ()))
        said = [cell["source"]] if cell["cell_type"] == "markdown" else outputs
        for text in map("".join, said):
            tree = html.fragment_fromstring(text, create_parent="div")
            for box in [*tree.find_class("question"), *tree.find_class("prompt")]:
                lines = [line.text_content() for line in box.iterfind("details/summary")]
                yield box.get("data-id"), lines
            for script in tree.xpath(".//*[starts-with(@class, 'kernelfree-figure')]/script[1]"):
                asked = json.loads(script.text).get("predict")
                if asked:
                    yield script.getparent().get("id"), [text for text, _ in asked["choices"]]
        if exercise := cell["metadata"].get("exercise"):
            yield exercise["id"], []


def note(title, box, below):
    """A prompt as a line of Anki's own format; its id lets a later import change it, and another
    edition stand beside it."""
    box = copy.deepcopy(box)
    for formula in box.xpath(".//span[@class='katex']"):  # Anki's windows know MathML
        mathematics = formula.find(".//math")
        formula.clear(keep_tail=True)
        formula.append(mathematics)
    question, *answer = box
    answer = "".join(html.tostring(one, encoding="unicode") for one in answer)
    parts = (" ".join(part.split()) for part in (question.text_content(), answer))
    return "\t".join([below + box.get("data-answer"), *parts, title.replace(" ", "_")]) + "\n"


def parsed(folder, page):
    """A built page, without what an earlier build has added to it here."""
    tree = html.document_fromstring((folder / f"{page}.html").read_text(encoding="utf-8"))
    for old in tree.xpath("//*[@class='all-prompts']/* | //*[@class='progress']"):
        old.drop_tree()
    return tree


def write(folder, page, tree):
    text = html.tostring(tree, encoding="unicode", doctype="<!DOCTYPE html>")
    (folder / f"{page}.html").write_text(text, encoding="utf-8")


def again(box, page, place=""):
    """What a chapter asks, on the page of the review, with the way back to its place there."""
    box = copy.deepcopy(box)
    box.tail = None
    name = f"{Path(page).name}.html"
    for link in box.xpath(".//a[starts-with(@href, '#')]"):
        link.set("href", f"{name}{link.get('href')}")
    box.append(E.p({"class": "again"}, E.a(say("Read it again"), href=f"{name}{place}")))
    return box


def with_figure(tree, box, page):
    """A prompt; before it the figure that it leans on, in the state that it names."""
    place = box.get("data-figure")
    if place is None:
        return [again(box, page)]
    name, _, query = place.partition("?")
    address = f"#{quote(place, safe='?=&')}"
    found = [one for one in tree.find_class("kernelfree-figure") if one.get("id") == name]
    figure = copy.deepcopy(expect(found, page, f"the figure {name}, on which a prompt leans,")[0])
    figure.tail = None
    state = json.loads(figure.find("script").text)
    state.pop("predict", None)
    for control, text in parse_qsl(query):
        state["start"][control] = option(state, control, text, f"{page}, {place}")
    text = json.dumps(state, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    still = figure.find(".//img")
    if len(LETTERS.sub("", text)) > LIGHT or "live" in state:
        link = E.a(
            say("The figure itself, in its chapter"), href=f"{Path(page).name}.html{address}"
        )
        figure = E.figure(still, E.figcaption({"class": "again"}, link), {"class": "cell_output"})
    else:
        figure.set("style", room(still, state))
        shown = first_picture(still, still.xpath("following-sibling::p"), None)
        figure[:] = [shown, figure.find("script")]
        figure[-1].text = text
    return [figure, again(box, page, address)]


def option(state, name, text, where):
    """The option of a control that an address means."""
    options = (c["options"] for c in state["controls"] if c["name"] == name and "options" in c)
    found = [o for o in next(options, ()) if o == text or json.dumps(o) in (text, f"{text}.0")]
    return expect(found, where, f"an option {text} of {name}")[0]


def once_more(box, page):
    """A question or an exercise, with its box; hidden, until a script says that it is due.

    What is answered in code is asked in its chapter, to which a link leads.
    """
    if "question" in box.classes:
        box = again(box, page)
        asked = expect(box.xpath("p[1]//strong"), page, "a question in bold")[0]
        asked.text = re.sub(r"^\d+\. ", "", asked.text)
    else:
        heading, *parts = box
        asked = takewhile(lambda part: part.tag != "details" and "cell" not in part.classes, parts)
        output = box.find_class("d2lmini-answer")
        own = E.div(
            {name: value for name, value in box.attrib.items() if name != "id"},
            E.p(E.strong(heading[0].text_content())),
            *([E.div({"class": "asked"}, *map(copy.deepcopy, asked))] if output else []),
            *map(copy.deepcopy, output),
        )
        own[-1].tail = None
        box = again(own, page, f"#{box.get('id')}")
    box.set("hidden", "")
    return box


def count(tree, page, asking):
    """Beside a chapter in the list of the first page: what it asks, to be counted in the page, and
    its sections, to go on with."""
    data = {"class": "progress", "data-page": questions.name_of(page)}
    asked, prompts = asking.xpath(ASKED), asking.find_class("prompt")
    own = [one for one in asked if "question" in one.classes]
    others = [one for one in asked if one not in own]
    for name, found in (("questions", own), ("exercises", others), ("prompts", prompts)):
        ids = (one.get("data-answer").rpartition("/")[2] for one in found)
        data[f"data-{name}"] = " ".join(ids)
    for formula in asking.xpath("//h2//*[@class='katex-html']"):
        formula.drop_tree()
    titles = asking.xpath("//article/section/section/h2/span")
    sections = {one.xpath("string(../../@id)"): one.text_content() for one in titles}
    data["data-sections"] = json.dumps(sections, ensure_ascii=False)
    own = f"{Path(page).name}.html"
    for link in tree.xpath(f"//article//a[@href='{own}'][ancestor::li or ancestor::td]"):
        link.getparent().append(E.span(data))
