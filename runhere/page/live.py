"""What a page asks for: a cell's run, as JSON."""

import json

from . import absent, book, cells

absent.do_without(book.DRAWN, book.KEPT)

from d2lmini import i18n, masked_softmax  # noqa: E402, F401

import torch  # noqa: E402
from torch.engine import PAGE  # noqa: E402

from .session import Session  # noqa: E402

book.note_verdicts()


def reset():
    """What is set for all, as it is at first."""
    torch.set_default_dtype(torch.float32)
    torch.set_printoptions(profile="default", sci_mode=None)


SESSION = Session(reset)


def begin(language, ask, tell):
    """What the page lends, once its memory has been restored: its language, its engine, its eyes."""
    PAGE["ask"], cells.TELL["tell"] = ask, tell
    i18n.speak(language)


def run(given):
    """A cell's run; with "right", what its last check has found."""
    book.VERDICTS.clear()
    done = SESSION.run(**json.loads(given))
    return json.dumps({**done, "right": book.VERDICTS[-1] if book.VERDICTS else None})
