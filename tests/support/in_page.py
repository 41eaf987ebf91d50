"""Python as a page has it, under node: the stand-in for PyTorch, the book's modules."""

import importlib.util
import json
from pathlib import Path

from made_scripts import ROOT, node

HERE = Path(__file__).parent
ROOMS = {
    "torch": ROOT / "runhere" / "torch",
    "page": ROOT / "runhere" / "page",
    "d2lmini": ROOT / "d2lmini",
    "kernelfree": ROOT / "kernelfree",
    "lazy_loader": Path(importlib.util.find_spec("lazy_loader").origin).parent,
}


def in_page(file, given, folder):
    """What `main` of a file beside this one makes of something that JSON can say, there."""
    (folder / "given.json").write_text(json.dumps(given))
    rooms = json.dumps({name: str(path) for name, path in ROOMS.items()})
    script = ["node", "--no-warnings", "runhere/js/node.mjs"]
    return json.loads(node(*script, rooms, HERE / file, folder / "given.json"))
