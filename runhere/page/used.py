"""Which modules of Python's library a page needs: those that its own and a reader's cells import."""

import ast
import importlib
import json
import sys
import traceback

# What readers may import in a cell, beside what the book's own modules do.
READERS = """bisect collections contextlib copy dataclasses datetime decimal fractions functools heapq io itertools
    json math operator pprint random re statistics string textwrap time traceback types typing warnings""".split()


def main(given):
    """The files of Python's library that importing these modules, and what readers may, has read."""
    from page import book

    book.begin()
    for name in [*READERS, *json.loads(given)]:
        importlib.import_module(name)
    try:
        raise ValueError(f"{0.1:.1f}".encode())
    except ValueError:
        traceback.format_exc()
        ast.unparse(ast.parse("x"))
    files = [getattr(module, "__file__", None) or "" for module in sys.modules.values()]
    return json.dumps(sorted({file.partition(".zip/")[2] for file in files if ".zip/" in file}))
