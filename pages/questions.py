"""What a reader answers in the page: questions, prompts and boxes get ids that outlive editions."""

import json
import re
from pathlib import Path

from sphinx.errors import ExtensionError


def mark(pagename, tree, exercises):
    """Mark the questions of the quiz, the prompts of the review and the boxes of exercises.

    Questions and prompts carry their ids in the notebook's own markup; `exercises` is what the
    metadata of their cells says of the exercises, in order. What is asked with other words or
    numbers when it comes back is an attribute, data-again, that only the page of the review reads.
    """
    for box in [*tree.find_class("question"), *tree.find_class("prompt")]:
        if not box.get("data-id"):
            raise ExtensionError(f"{pagename}: a {box.get('class')} without a data-id")
        box.set("data-answer", identity(pagename, box.attrib.pop("data-id")))
    for section, own in zip(tree.find_class("exercise"), exercises, strict=True):
        section.set("data-answer", identity(pagename, own["id"]))
        if "again" in own:
            section.set("data-again", json.dumps(own["again"], ensure_ascii=False))
    # It says how a cell is answered; the page's script says how its boxes are.
    for section in tree.find_class("exercises"):
        for line in section.xpath("h2/following-sibling::*[1][self::p]"):
            line.set("class", "how-to-answer")


def name_of(pagename):
    """A page's own name: it stays when chapters are numbered anew."""
    return re.sub(r"^\d+_", "", Path(pagename).name)


def identity(pagename, own):
    """The id of what is asked, from its own in its page."""
    return f"{name_of(pagename)}/{own}"
