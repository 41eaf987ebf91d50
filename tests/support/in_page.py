"""Python as a page has it, under node: Pyodide, the stand-in for PyTorch, the book's own modules."""

import importlib.util
import json
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
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
    done = subprocess.run(
        ["node", "--no-warnings", "runhere/js/node.mjs", rooms, HERE / file, folder / "given.json"],
        cwd=ROOT,
        env={**os.environ, "PATH": f"{ROOT / '.venv' / 'bin'}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)
