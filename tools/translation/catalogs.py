"""Catalogs of gettext: one for each page, one for the packages, one for scripts and theme."""

import difflib
from pathlib import Path

from babel.messages import Catalog, pofile

ROOT = Path(__file__).resolve().parents[2]
LOCALE = ROOT / "locale"
# What the tools of gettext ask for; no date, which would change from day to day.
HEADER = r"""msgid ""
msgstr ""
"Language: {}\n"
"MIME-Version: 1.0\n"
"Content-Type: text/plain; charset=UTF-8\n"
"Content-Transfer-Encoding: 8bit\n"

"""


def languages():
    """The languages that have a folder of catalogs."""
    return sorted(path.name for path in LOCALE.iterdir() if path.is_dir())


def locale_of(language):
    """A language's tag as gettext has it: pt_BR for pt-BR."""
    return language.replace("-", "_")


def path_of(language, name):
    return LOCALE / language / f"{name}.po"


def read(path):
    """A catalog; an empty one where there is no file yet."""
    if not path.exists():
        return Catalog(locale=locale_of(path.parent.name), fuzzy=False)
    with path.open("rb") as file:
        catalog = pofile.read_po(file, locale=locale_of(path.parent.name))
    for message in catalog:  # Babel takes the line of the old message for a remark
        was = [one[8:] for one in message.user_comments if one.startswith("| msgid ")]
        message.previous_id, message.user_comments = list(map(pofile.denormalize, was)), []
    return catalog


def write(path, catalog):
    """Write a catalog in the order of its page, as the tools of gettext read it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    for message in catalog:  # what Babel takes for fields: a % never is one, braces are in code
        code = message.context in (None, "code")
        message.flags -= {"python-format"} if code else {"python-format", "python-brace-format"}
    with path.open("wb") as file:
        file.write(HEADER.format(locale_of(path.parent.name)).encode())
        pofile.write_po(file, catalog, width=0, omit_header=True, include_previous=True)


def updated(old, messages):
    """A catalog of these messages, (context or None, message), with what still fits of an old one.

    What is new has no translation. What has changed has that of the nearest old message of the
    same context that is half alike, and is fuzzy, until somebody has looked; that one is kept, too.
    """
    known = {(m.context, m.id): m for m in old if m.id}
    whole = {m.id: m.string for m in known.values() if m.string and not m.fuzzy}
    gone = [m for key, m in known.items() if key not in set(messages) and m.string]
    made = Catalog(locale=old.locale, fuzzy=False)
    for context, message in messages:
        if one := known.get((context, message)):
            was = one.previous_id if one.fuzzy else []
            made.add(message, one.string, flags=one.flags, previous_id=was, context=context)
        elif message in whole:
            made.add(message, whole[message], context=context)
        else:
            alike = {m.id: m.string for m in gone if m.context == context}
            near = difflib.get_close_matches(message, alike, 1, 0.5)
            string, flags = (alike[near[0]], ["fuzzy"]) if near else ("", [])
            made.add(message, string, flags=flags, previous_id=near, context=context)
    return made


def said(language, name):
    """What a catalog says: {(context, message): translation}, but for what is late."""
    catalog = read(path_of(language, name))
    return {(m.context, m.id): m.string for m in catalog if m.id and m.string and not m.fuzzy}
