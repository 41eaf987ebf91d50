"""The JavaScript of own_sentence(), in the page and beside it. Building a book needs no PyTorch."""

import json

from kernelfree.script import FILES, PAGE, joined, squeezed, tidy

KINDS = ("heatmap", "words", "grid")
SHEETS = ("explorer.css", "words.css", "sentence.css")


def module():
    """The ES module: the panels that it shows, and what loads and asks a model."""
    known: set[str] = set()
    text = "".join(joined(FILES[kind], known) for kind in KINDS)
    text += joined("sentence.js", known)
    style = tidy("".join(PAGE.joinpath(name).read_text(encoding="utf-8") for name in SHEETS))
    return text.replace('const CSS = "";', f"const CSS = {json.dumps(style)};")


def work():
    """The script that computes: in a worker it begins by itself, in a page it is handed over."""
    known: set[str] = set()
    text = "".join(joined(name, known) for name in ("engine.js", "rare.js", "work.js"))
    body = squeezed(text.replace("export default { listen };", "listen(port);"))
    begin = 'typeof document === "undefined" ? work(self) : d2lminiPart(work);'
    return f"(() => {{\nconst work = (port) => {{\n{body}}};\n{begin}\n}})();\n"


ESM = module()
