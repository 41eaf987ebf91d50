"""What a translation must have in common with its English message, and how it is set."""

import re
from collections import Counter

from markdown_it import MarkdownIt

from tools.translation import code

HAN = r"[\u4e00-\u9fff]"
SET = {
    "a formula": re.compile(r"\$+[^$]+\$+"),
    "code": re.compile(r"`[^`]+`"),
    "a link": re.compile(r"\]\(([^)]*)\)"),
    "a tag": re.compile(r"<[^>]*>"),
}
WORDS_IN_FORMULA = re.compile(r"\\text(?:bf|it)?\{[^{}]*\}")
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
# Signs of the other width, and Latin letters or digits without a space.
WRONG_WIDTH = re.compile(
    rf"{HAN}[,;:!?](?!\w)|{HAN}\.(?:\s|$)|\({HAN}|{HAN}\)|[，。；：！？]{HAN}? [\u4e00-\u9fff]"
)
CROWDED = re.compile(rf"{HAN}[A-Za-z0-9]|[A-Za-z0-9%]{HAN}")
MARKDOWN = MarkdownIt("commonmark").enable("table")
EMPHASIS = ("strong_open", "em_open", "link_open")


def problems(context, message, said):
    if said == message:
        return
    if context == "code":
        yield from of_fields(message, said)
    elif "comment" not in context and "title" not in context:
        for what, pattern in SET.items():
            before, after = (
                Counter(pattern.findall(WORDS_IN_FORMULA.sub("", t))) for t in (message, said)
            )
            if before != after:
                yield f"{what}: {list((before - after) or (after - before))}"
        before, after = (Counter(marks(text)) for text in (message, said))
        if before != after and not context.endswith("row"):
            yield f"emphasis: {dict(before)}, then {dict(after)}"
        if context.endswith("row") and message.count("|") != said.count("|"):
            yield "cells of a row"
    before, after = (Counter(NUMBER.findall(bare(text))) for text in (message, said))
    if before != after:
        yield f"numbers: {list((before - after) or (after - before))}"
    for pattern, what in ((WRONG_WIDTH, "width of signs"), (CROWDED, "no space between scripts")):
        if found := pattern.search(bare(said)):
            yield f"{what}: {said[max(0, found.start() - 5) : found.end() + 5]!r}"


def of_fields(message, said):
    try:
        before = code.fields(message)
    except (SyntaxError, ValueError):
        return
    try:
        after = code.fields(said)
    except (SyntaxError, ValueError):
        after = ["no f-string"]
    if before != after:
        yield f"fields: {before}, then {after}"


def marks(text):
    inline = MARKDOWN.parseInline(re.sub(r"\$[^$]+\$", "x", text))[0].children
    return [token.type for token in inline if token.type in EMPHASIS]


def bare(text):
    """A text without its formulas, code, links, tags and fields."""
    for pattern in (*SET.values(), re.compile(r"\{[^{}]*\}")):
        text = pattern.sub("\ufffc", text)
    return text
