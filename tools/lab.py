"""Lay the chapters into a folder of the reader's own, which git ignores, for `make lab`.

    python -m tools.lab chapters work

What the reader has not touched follows the book; what they have touched stays as it is.
"""

import json
import sys
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from kernelfree.book import replace

LAID = ".laid.json"  # name -> sha256 of the notebook as it was laid


def lay(source, target):
    """Copy what is new; return the names of touched notebooks that have a newer version."""
    target.mkdir(exist_ok=True)
    record, laid, kept = target / LAID, {}, []
    # Where there is no record or a broken one, all is kept.
    with suppress(FileNotFoundError, ValueError, TypeError, RecursionError):
        laid = dict(json.loads(record.read_text("utf-8")))
    for page in sorted(source.glob("*.ipynb")):
        new, mine = page.read_bytes(), target / page.name
        digest = sha256(new).hexdigest()
        now = sha256(mine.read_bytes()).hexdigest() if mine.exists() else None
        if now in (None, digest, laid.get(page.name)):  # not touched
            if now != digest:
                replace(mine, new)
            laid[page.name] = digest
            replace(record, json.dumps(laid, indent=1).encode())
        elif digest != laid.get(page.name):
            kept.append(page.name)
    return kept


def main(source, target):
    newer = "the book has a newer one. To get it, rename yours and start again."
    for name in lay(Path(source), Path(target)):
        print(f"{target}/{name} is yours and stays; {newer}")


if __name__ == "__main__":
    main(*sys.argv[1:])
