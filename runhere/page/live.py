"""What a page asks for: a cell's run, as JSON."""

import importlib
import json
import pkgutil

from . import book, cells

book.begin()

import d2lmini  # noqa: E402
import kernelfree  # noqa: E402
from d2lmini import i18n  # noqa: E402
from d2lmini.exercises import mine  # noqa: E402

import torch  # noqa: E402
from torch.engine import PAGE  # noqa: E402

from . import figures  # noqa: E402
from .session import Session  # noqa: E402

book.note_verdicts()


def reset():
    """What is set for all, as it is at first."""
    torch.set_default_dtype(torch.float32)
    torch.set_printoptions(profile="default", sci_mode=None)


SESSION = Session(reset)


# What the engine was asked by modules that make tensors when they are imported.
ASKED = []


def prepare(ask):
    """Import the book's modules, for a snapshot: it holds nothing of JavaScript's, so the engine is given back."""

    def noted(text):
        ASKED.append(text)
        return ask(text)

    PAGE["ask"] = noted
    for package in (d2lmini, kernelfree):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            importlib.import_module(found.name)
    PAGE.clear()


def begin(language, ask, tell):
    """What the page lends, once its memory has been restored: its language, its engine, its eyes."""
    for text in ASKED:
        ask(text)
    PAGE["ask"], cells.TELL["tell"] = ask, tell
    i18n.speak(language)


def lent(given):
    """What is asked, once the reader's own file is as the page keeps it."""
    given = json.loads(given)
    text = given.pop("mine", None)
    mine.place().write_text(text, "utf-8") if text else mine.place().unlink(missing_ok=True)
    return given


def run(given):
    """A cell's run; with "right", what its last check has found, and "touched": figures that others' code has changed.

    `figures` are the cells that make them, `changed` those whose code is the reader's.
    """
    given = lent(given)
    figures, changed = given.pop("figures", ()), set(given.pop("changed", ()))
    book.VERDICTS.clear()
    done = SESSION.run(**given)
    touched = [at for at in figures if changed & {at, *SESSION.stands_on(at)}]
    own = mine.place().read_text("utf-8") if mine.place().exists() else None
    right = book.VERDICTS[-1] if book.VERDICTS else None
    return json.dumps({**done, "right": right, "touched": touched, "mine": own})


def draw(given):
    """The state of a figure that a cell makes; where the cell fails, its run."""
    given = lent(given)
    figure, typed = given.pop("figure"), given.pop("typed_in", None)
    figures.MADE.clear()
    done = SESSION.run(**given)
    return json.dumps({**done, **(figures.draw(figures.MADE, figure, typed) if not done["error"] else {})})
