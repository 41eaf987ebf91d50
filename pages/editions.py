"""The words of the book's own parts in the language of an edition: `locale/LANGUAGE/page.po`.

English stands at the book's own address, each other edition in a folder that is named after its
catalogs. What a catalog lacks, or marks as fuzzy, is said in English.
"""

from functools import cache
from pathlib import Path
from typing import NamedTuple

from babel.messages.pofile import read_po

ROOT = Path(__file__).parents[1]
LOCALE = ROOT / "locale"


class Edition(NamedTuple):
    """The book in one language."""

    folder: str  # that it stands in; none for English
    tag: str  # its language, as pages say it: zh-CN
    name: str  # of its language, in the language

    @property
    def up(self):
        """From its own folder to that of the book."""
        return "../" if self.folder else ""

    @property
    def below(self):
        """From the folder of the book to its own."""
        return f"{self.folder}/" if self.folder else ""


ENGLISH = Edition("", "en", "English")
_spoken = ENGLISH


@cache
def catalog(folder):
    """The catalog of an edition."""
    with (LOCALE / folder / "page.po").open("rb") as file:
        return read_po(file)


def editions():
    """All editions of the book, English first."""
    found = sorted(path.parent.name for path in LOCALE.glob("*/page.po"))
    return [ENGLISH, *map(edition, found)]


def edition(folder):
    """The edition in a folder."""
    return Edition(folder, say_in(folder, "en"), say_in(folder, "English"))


def edition_of(app):
    """The edition that Sphinx builds."""
    return next(one for one in editions() if one.tag == app.config.language.replace("_", "-"))


def speak(own):
    """Say everything in the language of an edition from now on."""
    global _spoken
    _spoken = own


def spoken():
    """The edition whose language is spoken."""
    return _spoken


def say(text, **fields):
    """A text in the language that is spoken, with its fields filled in."""
    return say_in(_spoken.folder, text, **fields)


def say_in(folder, text, **fields):
    """A text in the language of an edition."""
    message = catalog(folder).get(text) if folder else None
    there = message is not None and message.string and not message.fuzzy
    text = message.string if there else text
    return text.format(**fields) if fields else text
