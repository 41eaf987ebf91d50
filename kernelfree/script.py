"""The figures' JavaScript, which `make scripts` joins and shrinks from `js/` into `static/`.

There are three kinds: `static` draws every panel, `live` computes as well, and `trace` runs a
function line by line. Each is a classic script, which also runs from a disk, and a module for a
widget. The classic one is kept packed, as it stands in an output: each needs one of its own.
Others stand behind one of these: `tools` in figures that ask for it, what readers take away, what
they point at and zoom; `tex` in those with formulas; and `saved` in pages of their own.
(Pages of the book share scripts: `pages/static`.) What a script says is in it: a folder
such as `static/zh` has those that say something in another language.
"""

import re
import zlib
from base64 import b64decode
from functools import cache
from importlib.resources import files

from .language import current

STATIC = files(__package__) / "static"


def script(name: str) -> str:
    """The text of a file in `static/`, such as "live.js" or "live.mjs", in the present language."""
    return script_in(current(), name)


@cache
def script_in(language: str | None, name: str) -> str:
    """The same in a language, such as "zh"; None is English."""
    if name in ("static.js", "live.js", "trace.js", "tex.js", "tools.js", "saved.js"):
        packed = script_in(language, name.replace(".", ".packed."))
        code = b64decode(re.search(r'atob\("([^"]+)', packed)[1])
        return zlib.decompress(code, wbits=-15).decode()
    own = STATIC.joinpath(language or "", name)
    file = own if own.is_file() else STATIC.joinpath(name)
    return file.read_text(encoding="utf-8").rstrip("\n")


def kind_of(state):
    """The names of the scripts of a figure: "static" or "live", and those of what else it has."""
    return kind_of_all(["static", *state])


def kind_of_all(kinds):
    """What draws figures of several kinds: a script that computes draws all."""
    has = {name for kind in kinds for name in kind.split()}
    others = [name for name in ("tex", "tools") if name in has]
    return " ".join(["live" if "live" in has else "static", *others])


def scripts_in(language: str | None, kind: str, end: str = ".js") -> str:
    """The scripts of a kind as one text; `end` is ".packed.js" for an output."""
    return ";\n".join(script_in(language, f"{name}{end}") for name in kind.split())


def scripts(kind: str, end: str = ".js") -> str:
    """The same in the present language."""
    return scripts_in(current(), kind, end)
