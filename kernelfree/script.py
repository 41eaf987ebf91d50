"""The figures' JavaScript, which `make scripts` joins and shrinks from `js/` into `static/`.

There are three kinds: `static` draws every panel, `live` computes as well, and `trace` runs a
function line by line. Each is a classic script, which also runs from a disk, and a module for a
widget. What stands in an output is the classic one, packed: each output needs one of its own.
(Pages of the book share scripts: `assets/extension/scripts`.)
"""

from functools import cache
from importlib.resources import files

STATIC = files(__package__) / "static"


@cache
def script(name: str) -> str:
    """The text of a file in `static/`, such as "live.js" or "live.mjs"."""
    return STATIC.joinpath(name).read_text(encoding="utf-8").rstrip("\n")


def kind_of(state):
    """The kind of script that brings a figure to life."""
    return "live" if "live" in state else "static"
