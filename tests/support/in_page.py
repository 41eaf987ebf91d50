"""Python as a page has it, under node: the stand-in for PyTorch, the book's modules."""

import json
from pathlib import Path

from made_scripts import node

from runhere.pack import ROOMS

HERE = Path(__file__).parent


def in_page(file, given, folder):
    """What `main` of a file beside this one makes of something that JSON can say, there."""
    (folder / "given.json").write_text(json.dumps(given))
    rooms = json.dumps({name: str(path) for name, path in ROOMS.items()})
    script = ["node", "--no-warnings", "runhere/js/node.mjs"]
    return json.loads(node(*script, rooms, HERE / file, folder / "given.json"))


def shown(cell):
    """What a notebook shows of a cell, as text; nothing where it shows a figure."""
    if any("image/png" in output.get("data", {}) for output in cell.outputs):
        return None
    texts = [output.get("text") or output.data["text/plain"] for output in cell.outputs]
    return "\n".join(text.strip("\n") for text in texts)
