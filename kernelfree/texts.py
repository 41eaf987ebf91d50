"""Words that change with the state: each is stored once, and looked up by the page."""

import json
import re
import textwrap
import unicodedata
from itertools import groupby

import numpy as np

from .tex import MATH, NAMED, plain, reading

# What may differ from state to state: words, not what a panel is made of.
WORDS = (*NAMED, "tokens", "target", "xlim", "ylim", "content")
NUMBER = re.compile(r"(\d(?:[\d.,]*\d)?)")
# Pieces of a text that stay together: a word, or a hanzi, with the signs that belong to it.
PIECE = re.compile(r"\s*[（《「“]*(?:[\u2e80-\uffef]|[^\s\u2e80-\uffef]+)[，。、；：！？）》」”…]*")


# Signs that a title, a name or a label may have, and those of a sentence.
MAX_SIGNS, MAX_SENTENCE = 200, 2000


def check_text(what, text, most=None):
    """Raise if a text can't be written to a page, or is longer than a line of a figure."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        half = text[error.start : error.end]
        raise ValueError(
            f"{what}: expected text, got {half!r} in it, which is half of a character"
        ) from error
    most = MAX_SIGNS if most is None else most
    if len(text) > most:
        raise ValueError(f"{what}: expected at most {most:,} characters, got {len(text):,}")


def letters(text):
    """How many Latin letters a text is about as wide as: a hanzi is two."""
    text = plain(readable(text))
    return len(text) + sum(unicodedata.east_asian_width(sign) in "WF" for sign in text)


def readable(text):
    """A text of a still picture as words: its formulas, and its dollars."""
    return MATH.sub(lambda found: reading(found[1]), text).replace(r"\$", "$")


def cut(text, most):
    """A text that is at most so many letters wide, with an end where it is longer."""
    if letters(text) <= most:
        return text
    text = readable(text)
    short = text[: most - 1]
    while letters(short) > most - 1:
        short = short[:-1]
    return f"{short}\u2026"


def filled(text, most):
    """The lines of a text that are at most so many letters wide."""
    if letters(text) == len(text):
        return textwrap.wrap(text, most)
    lines = [""]
    for piece in PIECE.findall(text):
        if lines[-1] and letters(lines[-1] + piece) > most:
            lines.append("")
        lines[-1] += piece if lines[-1] else piece.lstrip()
    return lines


def is_numeric(control):
    """Whether a control is a slider over numbers, not over names."""
    return control["kind"] == "slider" and not isinstance(control["options"][0], str)


def shown(control):
    """What a reader chooses among."""
    return control.get("words", control["options"])


def called(name):
    """What errors call a panel; the only one of a figure may have no name."""
    return f"panel {name!r}" if name else "the panel"


def shortened(items):
    """A list in words: all of it, or the ends of a long one."""
    if len(items) <= 8:
        return repr(items)
    first, last = ", ".join(map(repr, items[:3])), items[-1]
    return f"[{first}, ... {last!r}] ({len(items):,} in all)"


def encode(integers):
    """Integers in base 36, with commas; 0 is left out, and "a~3" is "a,a,a"."""
    flat = np.ravel(integers).tolist()
    texts = {number: np.base_repr(number, 36).lower() if number else "" for number in set(flat)}
    return ",".join(repeated(texts[n], sum(1 for _ in run)) for n, run in groupby(flat))


def repeated(text, count):
    """A number `count` times, in the shorter way."""
    short = f"{text}~{count}"
    return short if len(short) < count * (len(text) + 1) - 1 else ",".join([text] * count)


def decode(text):
    """The integers that `encode` has made a text of: (numbers,)."""
    runs = [run.partition("~") for run in text.split(",")]
    numbers = [int(digits or "0", 36) for digits, *_ in runs]
    return np.repeat(numbers, [int(count or 1) for *_, count in runs])


def index(ids, sizes):
    """Which of some things stands in which state, as 'bits of controls:ids'.

    Only the controls that the ids depend on are stored: bit i stands for control i.
    """
    used, bits = np.reshape(ids, sizes), 0
    for number in range(len(sizes)):
        first = used.take([0], number)
        if (used == first).all():
            used = first
        else:
            bits += 2**number
    return f"{bits}:{encode(used)}"


def at(entry, sizes, places):
    """The id that `index` has stored for one state."""
    bits, ids = entry.split(":")
    found = 0
    for number, (size, place) in enumerate(zip(sizes, places, strict=True)):
        if int(bits) >> number & 1:
            found = found * size + place
    return int(decode(ids)[found])


def choice(given, sizes):
    """One thing a state: [where each stands, the different things]."""
    known, ids = {}, []
    for thing in given:
        known.setdefault(json.dumps(thing), (len(known), thing))
        ids.append(known[json.dumps(thing)][0])
    return [index(ids, sizes), [thing for _, thing in known.values()]]


def chosen(stored, sizes, places):
    entry, things = stored
    return things[at(entry, sizes, places)]


def sentences(texts, sizes):
    """One sentence a state, with what stands around its numbers apart from the numbers.

    Sentences that differ in their numbers alone have their words stored once, and each number
    only for the controls that it depends on.

    Returns
    -------
    list
        Choices: first the words as a list of pieces, then the number after each piece.
    """
    cut = [NUMBER.split(text) for text in texts]
    most = max(len(pieces) // 2 for pieces in cut)
    numbers = [(pieces[1::2] + [""] * most)[:most] for pieces in cut]
    return [
        choice(column, sizes) for column in [[p[::2] for p in cut], *zip(*numbers, strict=True)]
    ]


def sentence(stored, sizes, places):
    """The sentence of one state."""
    pieces, *numbers = [chosen(one, sizes, places) for one in stored]
    return "".join(map("".join, zip(pieces, [*numbers, ""], strict=False)))


def merged(variants, which, sizes):
    """One panel from its finished looks and which of them each state has.

    What is the same in all of them stands in the panel; the rest in its 'texts', as choices.
    """
    first, *others = variants
    panel = {key: value for key, value in first.items() if all(o[key] == value for o in others)}
    texts = {
        key: choice([variants[i][key] for i in which], sizes) for key in first if key not in panel
    }
    return {**panel, "texts": texts} if texts else panel


def at_state(panel, sizes, places):
    """A panel with the words of one state."""
    texts = {key: chosen(one, sizes, places) for key, one in panel.get("texts", {}).items()}
    return {**panel, **texts}
