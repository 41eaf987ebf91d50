"""The reader's own attention: a file that grows by what a check has found right.

Its parts are cells, as editors know them. `# %% 4` stands above what the reader wrote in chapter 4,
`# %% 4 book` above what the book lends as long as the reader has not written it.
"""

import ast
import html
import inspect
import linecache
import os
import re
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from kernelfree.book import replace, say

FILE = "my_attention.py"
HEAD = "import math\n\nimport torch\nimport torch.nn.functional as F\nfrom torch import nn\n"
MARK = re.compile(r"^# %% (\d+)( book)?\n", re.MULTILINE)
LASTING = ast.FunctionDef | ast.ClassDef | ast.Assign | ast.Import | ast.ImportFrom
# What each chapter asks for; a later chapter may ask for the same name again, with more to it.
STEPS = {
    1: ("softmax", "attention"),
    2: ("score",),
    3: ("score", "attention"),
    4: ("weigh",),
    5: ("score", "attention"),
    6: ("score", "attention"),
    7: ("additive",),
    8: ("attention",),
    9: ("causal", "SelfAttention"),
    10: ("split", "join", "MultiHead"),
    16: ("turned", "rotary_attention"),
}
# Nothing later needs it: the book does not lend it.
EXTRA = {8}


class Part(NamedTuple):
    """A part of the file: of which chapter, whether the reader wrote it, and its text."""

    chapter: int
    own: bool
    text: str

    @property
    def names(self):
        """What it defines: functions, classes, and names that stand for a value."""
        return {name for node in ast.parse(self.text).body for name in defined(node)}

    @property
    def uses(self):
        """The names of other parts in it."""
        return {node.id for node in ast.walk(ast.parse(self.text)) if isinstance(node, ast.Name)}

    def without(self, names):
        """The same without the definitions of these names."""
        return self._replace(text=cut(self.text, lambda node: defined(node) & set(names)))


def defined(node):
    """The names that a statement defines."""
    if isinstance(node, ast.Assign):
        return {target.id for target in node.targets if isinstance(target, ast.Name)}
    return {node.name} if hasattr(node, "name") else set()


def cut(text, unwanted):
    """A text without some of its statements."""
    lines = text.splitlines()
    for node in reversed(ast.parse(text).body):
        if unwanted(node):
            first = min(one.lineno for one in (node, *getattr(node, "decorator_list", ())))
            del lines[first - 1 : node.end_lineno]
    return re.sub(r"\n{4,}", "\n\n\n", "\n".join(lines)).strip()


def latest(name, chapter):
    """The last chapter up to this one that asks for a name, or None."""
    asked = (at for at, names in STEPS.items() if name in names and at <= chapter)
    return max((at for at in asked if at not in EXTRA), default=None)


def before(chapter):
    """The names that chapters before this one ask for."""
    return sorted({name for at, names in STEPS.items() if at < chapter for name in names})


def books(chapter, name):
    """The book's own part: the text of what its exercise expects."""
    step = import_module(f".chapter_{chapter:02}", __package__).step
    module = inspect.getmodule(step.expected)
    return Part(chapter, False, inspect.getsource(getattr(module, name)).strip())


def place():
    """Where the file is: beside the notebook, unless the environment names another folder."""
    return Path(os.environ.get("MY_ATTENTION", "")) / FILE


def read():
    """The parts of the file that the reader wrote."""
    path = place()
    if not path.exists():
        return []
    try:
        text = path.read_text(encoding="utf-8")
        ast.parse(text)
    except (ValueError, SyntaxError) as error:
        told = {"file": path.resolve(), "why": error}
        why = say("{file} is not Python: {why}. Mend it, or give it another name.", **told)
        raise ValueError(why) from None
    _, *found = MARK.split(text)
    parts = zip(found[::3], found[1::3], found[2::3], strict=True)
    return [Part(int(number), not book, part.strip()) for number, book, part in parts if not book]


def whole(own, wanted=(), chapter=None):
    """The reader's parts and those of the book that they need, or that are wanted in a chapter."""
    lent = {}
    asked = [(name, chapter) for name in wanted]
    asked += [(name, part.chapter) for part in own for name in part.uses]
    while asked:
        name, at = asked.pop()
        version = latest(name, at)
        has = [part.chapter for part in own if name in part.names] + [lent.get(name, 0)]
        if version is not None and version > max(has):
            lent[name] = version
            asked += [(used, version) for used in books(version, name).uses]
    kept = (part.without(lent) for part in own)
    parts = [part for part in kept if part.text] + [books(at, name) for name, at in lent.items()]
    found = {}
    for chapter, mine, text in sorted(parts, key=lambda part: part[:2]):
        found.setdefault((chapter, mine), []).append(text)
    return [Part(*key, "\n\n\n".join(texts)) for key, texts in found.items()]


def as_text(parts):
    """The file."""
    said = [f"# %% {part.chapter}{'' if part.own else ' book'}\n{part.text}\n" for part in parts]
    return "\n\n".join([HEAD, *said])


def run(parts):
    """What the file defines."""
    text, name = as_text(parts), f"<{FILE}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space = {"__name__": FILE.removesuffix(".py")}
    exec(compile(text, name, "exec"), space)
    return space


def take(chapter, *names):
    """The functions of these names as they stand before a chapter: the reader's, or the book's."""
    parts = whole(read(), names, chapter - 1)
    space = run(parts)
    for name in names:
        part = next(part for part in parts if name in part.names)
        said = {"name": name, "chapter": part.chapter}
        mine = say("{name}: yours, from chapter {chapter}", **said)
        print(mine if part.own else say("{name}: the book's, of chapter {chapter}", **said))
    return space[names[0]] if len(names) == 1 else [space[name] for name in names]


def function_of(answer):
    """The function that an answer is, or that runs when a module or its class is called."""
    function = inspect.unwrap(answer)
    if inspect.isfunction(function):
        return function
    kind = answer if isinstance(answer, type) else type(answer)
    return getattr(kind, "forward", kind.__call__)


def written(answer):
    """What the reader wrote: of the cell around an answer what it defines, and what that uses.

    Nothing of what is no cell, or is a solution of the book's, which begins with a title.
    """
    code = getattr(function_of(answer), "__code__", None)
    if code is None:
        return ""
    name = code.co_filename
    cell = "ipykernel" in name or not Path(name).is_file()
    text = "".join(linecache.getlines(name)) if cell else ""
    if text.startswith("# @title"):
        return ""
    lasting = cut(text, lambda node: not isinstance(node, LASTING))
    names = (node for node in ast.walk(ast.parse(lasting)) if isinstance(node, ast.Name))
    used = {node.id for node in names if isinstance(node.ctx, ast.Load)}.union(*STEPS.values())
    return cut(lasting, lambda node: isinstance(node, ast.Assign) and is_passing(node, used))


def is_passing(node, used):
    """Whether a value stays with the cell: nothing uses it, or the file has it already."""
    takes = any(getattr(one, "attr", "") == "take" for one in ast.walk(node))
    return takes or not defined(node) & used


def alone(chapter, text):
    """What the file defines with the reader's text for a chapter, and nothing of later ones."""
    new = Part(chapter, True, text)
    earlier = [part.without(new.names) for part in read() if part.chapter < chapter]
    return run(whole([*earlier, new]))


def keep(chapter, text):
    """The file with the reader's text for a chapter, and what later chapters have asked for again:
    {name: chapter}, which stays as it is there.

    Raises `ValueError` if another chapter has other things under a name of this one.
    """
    others = [part for part in read() if part.chapter != chapter]
    new = Part(chapter, True, text)
    last = {name: part.chapter for part in sorted([*others, new]) for name in part.names}
    for part in others:
        for name in part.names & new.names - {one for names in STEPS.values() for one in names}:
            told = {"name": name, "chapter": part.chapter}
            raise ValueError(say("{name} is already there, from chapter {chapter}", **told))
    fresh = (part.without({n for n in part.names if last[n] > part.chapter}) for part in others)
    later = {name: last[name] for name in new.names if last[name] > chapter}
    return whole([part for part in (*fresh, new.without(later)) if part.text]), later


def save(parts):
    """Write the file whole, or leave the old one."""
    replace(place(), as_text(parts).encode())


def told(parts):
    """One line on the file: whose each name is."""
    own = say(", ").join(sorted({name for part in parts if part.own for name in part.names}))
    lent = say(", ").join(sorted({name for part in parts if not part.own for name in part.names}))
    line = say("{file} now has your {names}.", file=FILE, names=own)
    return line + (say(" The book lends {names}.", names=lent) if lent else "")


class File:
    """The file with what a chapter finds and asks for, to be looked at: whose each part is."""

    def __init__(self, chapter, done=False):
        self.chapter, self.done = chapter, done

    def parts(self):
        """(What is said of a part, the part)."""
        for part in whole(read(), before(self.chapter), self.chapter - 1):
            told = {"chapter": part.chapter}
            new = say("chapter {chapter}, yours, new", **told)
            mine = new if part.chapter == self.chapter else say("chapter {chapter}, yours", **told)
            lent = say("chapter {chapter}, the book's until you write it", **told)
            yield mine if part.own else lent, part
        if not self.done:
            *others, last = STEPS[self.chapter]
            told = {"names": say(", ").join(others), "last": last}
            names = say("{names} and {last}", **told) if others else last
            now = say("chapter {chapter}, now: {names}", chapter=self.chapter, names=names)
            yield now, Part(self.chapter, False, "...")

    def __repr__(self):
        said = [FILE]
        for title, part in self.parts():
            edge = "\u2503 " if part.own else "\u2506 "
            said += ["", title, *(f"{edge}{line}".rstrip() for line in part.text.splitlines())]
        return "\n".join(said)

    def _repr_html_(self):
        said = "".join(
            f"<p style='margin:.6em 0 0'>{html.escape(title)}</p>"
            f"<div style='border-left:4px {'solid' if part.own else 'dotted'}'>"
            f"<pre style='margin:0 0 0 .8em;white-space:pre-wrap'>{html.escape(part.text)}</pre>"
            "</div>"
            for title, part in self.parts()
        )
        stands = say("{file}, as it stands", file=FILE)
        return f"<details><summary>{html.escape(stands)}</summary>{said}</details>"
