"""Tell which notebooks carry what an editor, a machine or a date has left behind.

    python tools/metadata.py NOTEBOOK ...

Before a commit; `make run` removes it. Uses the standard library alone.
"""

import json
import sys
from pathlib import Path

OF_A_NOTEBOOK = {"kernelspec", "language_info"}
OF_A_CELL = {"cellView", "jupyter", "mystnb", "tags"}
NEEDS_A_KERNEL = "application/vnd.jupyter.widget-view+json"


def foreign(notebook):
    """What is foreign in a notebook, in words."""
    for key in sorted(set(notebook["metadata"]) - OF_A_NOTEBOOK):
        yield f"metadata of the notebook: {key}"
    for number, cell in enumerate(notebook["cells"]):
        for key in sorted(set(cell["metadata"]) - OF_A_CELL):
            yield f"metadata of cell {number}: {key}"
        for output in cell.get("outputs", []):
            if NEEDS_A_KERNEL in output.get("data", {}):
                yield f"cell {number} shows a widget that is dead without its kernel"
            if output.get("metadata"):
                yield f"metadata of an output of cell {number}"


def main(names):
    bad = False
    for name in names:
        for what in foreign(json.loads(Path(name).read_text(encoding="utf-8"))):
            print(f"{name}: {what}")
            bad = True
    if bad:
        print("`make run CHAPTER=...` saves a notebook clean")
    return bad


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
