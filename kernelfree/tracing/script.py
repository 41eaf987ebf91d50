"""The JavaScript of traces. Who builds a book needs it without PyTorch."""

import json

from ..script import AT_ONCE, PAGE, classic, joined, tidy

STYLE = json.dumps(tidy(PAGE.joinpath("trace.css").read_text(encoding="utf-8")))


def module(rare):
    """The ES module of a trace, with all operations or with the usual ones."""
    known: set[str] = set()
    text = joined("engine.js", known) + (joined("rare.js", known) if rare else "")
    return text + joined("trace.js", known).replace("__STYLE__", STYLE)


ESM = module(rare=True)
# Whether a graph has rare operations -> the script that its page carries.
SCRIPTS = {
    rare: classic(module(rare), AT_ONCE.replace("d2lmini-figure", "d2lmini-trace"))
    for rare in (False, True)
}
