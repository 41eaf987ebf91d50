"""Runs a reader's cell as a notebook does: what it prints, its last value, and its error."""

import ast
import builtins
import contextlib
import io
import linecache
import re
import time
import traceback

RUNS = "it runs in the notebook, with PyTorch itself"

COUNT = [0]
MOST = 20_000  # letters of what a cell prints, or of its value
FIRST = 1_000  # which are told as they come; the rest five times a second
# Where a cell's prints go while it runs; a page puts its own here once it is there.
TELL = {}


class Asked(BaseException):
    """A cell has asked for more than was typed."""


class Printed(io.TextIOBase):
    """What a cell prints, handed on while it runs; of very much, the beginning and how much more there is."""

    def __init__(self):
        self.text, self.handed, self.more, self.due = "", 0, 0, 0

    def write(self, text):
        room = MOST - len(self.text)
        self.text += text[:room]
        self.more += max(0, len(text) - room)
        if TELL and (len(self.text) < FIRST or time.perf_counter() > self.due):
            self.due = time.perf_counter() + 0.2
            TELL["tell"](self.text[self.handed :])
            self.handed = len(self.text)
        return len(text)


def keyboard(typed):
    """`input` for a page that cannot wait: what was typed so far, in its order, then `Asked`."""
    left = list(typed)

    def ask(prompt=""):
        print(prompt, end="")
        if not left:
            raise Asked(str(prompt))
        print(left[0])
        return left.pop(0)

    return ask


def run(source, space, typed=(), quiet=False):
    """{"out": what was printed, "value": the last expression's, "error": ..., "line": of the cell}.

    Where it printed too much, "more": so many letters; where it asks for more than was typed, "asks": True.
    """
    COUNT[0] += 1
    name = f"<cell {COUNT[0]}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    out, value, error, line, told = io.StringIO() if quiet else Printed(), "", "", None, {}
    builtins.input = keyboard(typed)
    with contextlib.redirect_stdout(out):
        try:
            tree = ast.parse(source, name)
            if quiet:  # the book's own checks are of the book's numbers, which the reader may have changed
                tree.body = [one for one in tree.body if not isinstance(one, ast.Assert)]
            last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
            exec(compile(tree, name, "exec"), space)
            if last is not None:
                got = eval(compile(ast.Expression(last.value), name, "eval"), space)
                if got is not None and not source.rstrip().endswith(";"):
                    value = repr(got)
        except Asked:
            told["asks"] = True
        except BaseException as raised:
            error, line = told_of(raised, name, "A cell above" if quiet else "Cell")
    more = getattr(out, "more", 0) + max(0, len(value) - MOST)
    printed = out.getvalue() if quiet else out.text
    return {"out": printed, "value": value[:MOST], "error": error, "line": line, "more": more, **told}


def told_of(raised, name, called):
    """An error as Python prints it, of the cells' lines alone, and the last line of this cell."""
    shown = getattr(raised, "_render_traceback_", None)
    if isinstance(raised, ImportError):
        raised.add_note(f"This page has no {raised.name}, or not all of it; {RUNS}")
    elif isinstance(raised, TypeError) and "unexpected keyword argument" in str(raised):
        raised.add_note(f"If PyTorch takes it, this page's stand-in does not; {RUNS}")
    elif isinstance(raised, AssertionError) and not raised.args:
        raised.add_note("What the book asserts here holds for the book's code and numbers: change it, or delete it")
    found = traceback.TracebackException.from_exception(raised)
    lines = [frame.lineno for frame in found.stack if frame.filename == name]
    if isinstance(raised, SyntaxError) and raised.filename == name:
        lines.append(raised.lineno)
    line = lines[-1] if lines else None
    if shown:
        return "\n".join(shown()), line
    found.stack = traceback.StackSummary.from_list(
        [frame for frame in found.stack if frame.filename.startswith("<cell")]
    )
    found.__cause__ = found.__context__ = None
    text = "".join(found.format()).replace(f'File "{name}"', called).strip()
    return re.sub(r'File "<cell \d+>"', "A cell above", text), line
