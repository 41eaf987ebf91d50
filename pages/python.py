"""Python beside the pages, for who asks for it: Pyodide, the stand-in, and which cells run there.

Without Pyodide, a pinned npm package, the book is built all the same, and its pages say what they
lack.
"""

import json
import math
import shutil
from pathlib import Path

from runhere import known, pack

from . import model
from .body import cells_of
from .cells import code_cells
from .editions import spoken
from .questions import name_of
from .site import SCRIPTS

NAME = "python"
# A cell that prints versions or times says so to the tests.
TIMES = "# NBVAL_IGNORE_OUTPUT"


def cells(env, page):
    """{place in the notebook: cell} of the cells of code that a page shows."""
    return {
        at: cell
        for at, cell in enumerate(cells_of(env, page))
        if cell["cell_type"] == "code" and "remove-cell" not in cell["metadata"].get("tags", ())
    }


def chapter_of(page):
    """A chapter's number; None of another page."""
    number = Path(page).name.partition("_")[0]
    return int(number) if number.isdigit() else None


def mark(app, doctree):
    """Cells that a page cannot offer to run say so; what cannot run gives nothing to others."""
    page = app.env.docname
    number, shown = chapter_of(page), cells(app.env, page)
    for node in code_cells(doctree) if number else ():
        at = node["cell_index"]
        cannot = number not in known.CHAPTERS or at in known.CANNOT.get(number, ())
        if at in shown and (cannot or TIMES in "".join(shown[at]["source"])):
            node["classes"] += ["hide-run", "cannot-run"] if cannot else ["hide-run"]


def finish(app):
    """Put what pages fetch into a folder named after what is in it, and tell them where it is."""
    own, key = spoken(), pack.key()
    folder = Path(app.outdir, "_static", NAME)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    told = {"language": own.folder or "en", "pages": told_of(app)}
    if key:
        kept = model.kept(app) / NAME
        with model.alone(kept):
            told["megabytes"] = pack_once(kept, key)
            if not own.folder:
                shutil.copytree(kept / key, folder / key)
        told["folder"] = f"../../{own.up}_static/{NAME}/{key}/" if own.folder else f"{key}/"
    text = json.dumps(told, separators=(",", ":"))
    (folder / "index.js").write_text(f"attentionPython({text})\n", encoding="ascii")


def pack_once(kept, key):
    """Pack, unless an earlier build has packed the same; return how many MB a page fetches."""
    told = kept / f"{key}.megabytes"
    if not told.is_file():
        shutil.rmtree(kept, ignore_errors=True)
        sent = pack.fetched(kept / key, pack.pack(kept / key)) + pack.sent(SCRIPTS / "editor.js")
        told.write_text(f"{sent / 1e6:.1f}")
    return told.read_text()


def told_of(app):
    """{a page's own name: its cells' ids, the same in all editions, and the slow ones' seconds}."""
    found = {}
    for page in sorted(page for page in app.env.found_docs if chapter_of(page)):
        shown, slow = cells(app.env, page), known.SLOW.get(chapter_of(page), {})
        seconds = {shown[at]["id"]: math.ceil(s) for at, s in slow.items() if at in shown}
        ids = [cell["id"] for cell in shown.values()]
        found[name_of(page)] = {"cells": ids, **({"slow": seconds} if seconds else {})}
    return found
