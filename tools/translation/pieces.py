"""What is translated in a text: pieces of it, each with its message and the way it is written."""

import re
from collections.abc import Callable
from typing import NamedTuple

WORD = re.compile(r"[^\W\d_]{2}")
# Formulas, code, addresses and tags have no words of their own.
SILENT = re.compile(r"\$[^$]*\$|`[^`]*`|\]\([^)]*\)|https?://\S+|<[^>]*>|\{[^{}]*\}")


class Piece(NamedTuple):
    """`text[start:stop]` says `message`, in this role; `write` puts a translation in its place."""

    start: int
    stop: int
    message: str
    role: str
    write: Callable[[str], str] = str


def has_words(message):
    """Whether there is anything to translate."""
    return WORD.search(SILENT.sub(" ", message)) is not None


def replaced(text, pieces, say):
    """The text with each piece as `say(role, message)` says it; what it does not know stays."""
    for piece in reversed(pieces):
        if (said := say(piece.role, piece.message)) is not None:
            text = text[: piece.start] + piece.write(said) + text[piece.stop :]
    return text
