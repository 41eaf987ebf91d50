"""The pieces of a Markdown cell: its lines, without the signs at their beginning."""

import html
import re
from functools import partial, reduce

from .pieces import Piece, has_words

PREFIX = re.compile(r"\s*(?:>\s*)*(?:#+ |[-*+] |\d+\. )?")
FENCES = CODE, FORMULA = "```", "$$"
IN_FORMULA = re.compile(r"\\text(?:bf|it)?\{([^{}]*)\}")
SUMMARY = re.compile(r"<summary>(.*?)</summary>")
AGAIN = re.compile(r'data-again="([^"]*)"')
ONLY_TAGS = re.compile(r"\s*(?:<[^>]*>\s*)+")
# How long a chapter takes is counted by a command: no message changes with it.
MINUTES = re.compile(r"\d+(?= minutes to read without folds)|(?<=folds, )\d+(?= for the exercises)")


def pieces(source):
    """Yield what is said in a cell, line by line."""
    at, fence = 0, None
    for line in source.split("\n"):
        text = line.strip()
        opened = next((sign for sign in FENCES if text.startswith(sign)), None)
        if (fence or opened) == FORMULA:
            yield from spans(IN_FORMULA, line, at, "formula")
        elif not (fence or opened):
            yield from of_a_line(line, at)
        if fence:
            fence = None if text.endswith(fence) else fence
        elif opened and not (text.endswith(opened) and text != opened):
            fence = opened
        at += len(line) + 1


def of_a_line(line, at):
    if ONLY_TAGS.fullmatch(line):
        yield from spans(AGAIN, line, at, "again", html.unescape, html.escape)
    elif SUMMARY.search(line):
        yield from spans(SUMMARY, line, at, "summary")
    else:
        start = PREFIX.match(line).end()
        role = "heading" if "#" in line[:start] else "row" if line.startswith("|") else "text"
        if has_words(line[start:]):
            minutes, message = MINUTES.findall(line), MINUTES.sub("#", line[start:])
            write = partial(reduce, lambda said, number: said.replace("#", number, 1), minutes)
            yield Piece(at + start, at + len(line), message, role, write)


def spans(pattern, line, at, role, read=str, write=str):
    for found in pattern.finditer(line):
        if has_words(found[1]):
            yield Piece(at + found.start(1), at + found.end(1), read(found[1]), role, write)
