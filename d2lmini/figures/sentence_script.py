"""The JavaScript of own_sentence(). Who builds a book needs it without PyTorch."""

import json

from .script import FILES, PAGE, joined, tidy

KINDS = ("heatmap", "words", "grid")
SHEETS = ("explorer.css", "words.css", "sentence.css")


def module():
    """The ES module: the panels that it shows, the engine, and what loads and asks a model."""
    known: set[str] = set()
    text = "".join(joined(FILES[kind], known) for kind in KINDS)
    text += joined("engine.js", known) + joined("rare.js", known) + joined("sentence.js", known)
    style = tidy("".join(PAGE.joinpath(name).read_text(encoding="utf-8") for name in SHEETS))
    return text.replace('const CSS = "";', f"const CSS = {json.dumps(style)};")


ESM = module()
