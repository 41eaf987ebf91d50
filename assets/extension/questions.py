"""What a reader answers in the page: questions, prompts and boxes get ids that outlive editions."""

import hashlib
import re
from pathlib import Path

from lxml.builder import E

NUMBER = re.compile(r"^(\d+\.|Exercise \d+\.\d+:) *")
LEVEL = re.compile(r" \(\w+, \d+ minutes\)$")


def mark(pagename, tree):
    """Mark the questions of the quiz, the prompts of the review and the boxes of exercises."""
    chapter = name_of(pagename)
    for section in tree.iter("section"):
        heading = section.find("h2")
        title = "" if heading is None else (heading.text or "").strip()
        if title == "Quiz":
            for question in section.xpath("p[strong][following-sibling::*[1][self::details]]"):
                choices = following(question, "details")
                group(question, choices, "question", chapter)
        elif title == "Review":
            for prompt in section.findall("details"):
                group(None, [prompt], "prompt", chapter)
        elif title == "Exercises":
            for exercise in section.findall("section"):
                said = exercise.find("h3").text
                exercise.set("data-answer", identity(chapter, LEVEL.sub("", said)))


def name_of(pagename):
    """A page's own name: it stays when chapters are numbered anew."""
    return re.sub(r"^\d+_", "", Path(pagename).name)


def following(element, tag):
    """The siblings behind an element, as long as they have this tag."""
    found = []
    while (element := element.getnext()) is not None and element.tag == tag:
        found.append(element)
    return found


def identity(chapter, text):
    """The id of what is asked: a question in other words is another question."""
    said = NUMBER.sub("", " ".join(text.split()))
    return f"{chapter}/{hashlib.sha256(said.encode()).hexdigest()[:6]}"


def group(question, answers, kind, chapter):
    """Put a question and its answers into one element."""
    said = (answers[0].find("summary") if question is None else question).text_content()
    box = E.div({"class": kind, "data-answer": identity(chapter, said)})
    (answers[0] if question is None else question).addprevious(box)
    box.extend(answers if question is None else [question, *answers])
