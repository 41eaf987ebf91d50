"""What a reader answers in the page: questions, prompts and boxes get ids that outlive editions."""

import hashlib
import re
from itertools import takewhile
from pathlib import Path

from lxml.builder import E

NUMBER = re.compile(r"^(\d+\.|Exercise \d+\.\d+:) *")
LEVEL = re.compile(r" \(\w+, \d+ minutes\)$")


def mark(pagename, tree):
    """Mark the questions of the quiz, the prompts of the review and the boxes of exercises."""
    chapter = name_of(pagename)
    for section in tree.iter("section"):
        title = section.findtext("h2", "").strip()
        if title == "Quiz":
            for question in section.xpath("p[strong][following-sibling::*[1][self::details]]"):
                choices = takewhile(lambda one: one.tag == "details", question.itersiblings())
                group([question, *choices], question, "question", chapter)
        elif title == "Review":
            for prompt in section.findall("details"):
                group([prompt], prompt.find("summary"), "prompt", chapter)
        elif title == "Exercises":
            # It says how a cell is answered; the page's script says how its boxes are.
            for line in section.xpath("h2/following-sibling::*[1][self::p]"):
                line.set("class", "how-to-answer")
            for exercise in section.findall("section"):
                said = exercise.find("h3").text
                exercise.set("data-answer", identity(chapter, LEVEL.sub("", said)))


def name_of(pagename):
    """A page's own name: it stays when chapters are numbered anew."""
    return re.sub(r"^\d+_", "", Path(pagename).name)


def identity(chapter, text):
    """The id of what is asked: a question in other words is another question."""
    said = NUMBER.sub("", " ".join(text.split()))
    return f"{chapter}/{hashlib.sha256(said.encode()).hexdigest()[:6]}"


def group(elements, asked, kind, chapter):
    """Put what is asked and its answers into one element."""
    box = E.div({"class": kind, "data-answer": identity(chapter, asked.text_content())})
    elements[0].addprevious(box)
    box.extend(elements)
