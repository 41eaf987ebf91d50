"""A chapter's *line by line*, of what the reader has written: the lines, and the tensors that each has made.

In the book PyTorch writes the steps down and the page takes them. Here the function runs, is
watched, and runs again for each number that is typed.
"""

import array
import ast
import base64
import inspect
import sys

from kernelfree.filling import slug, title_of
from kernelfree.language import say
from kernelfree.tracing.constants import TYPES
from kernelfree.tracing.exporting import Place
from kernelfree.tracing.inputs import as_tensor, limits, listed
from kernelfree.tracing.labels import colors, named, role_of
from kernelfree.tracing.source import Call, names_of

import torch

from .figures import MADE, LinelessError

# How the page stores the numbers of a type.
CODES = {"float64": "d", "float32": "f", "int64": "d", "bool": "B"}


class Trace:
    """What `trace` gives in a page: the function, and what it is watched on."""

    def __init__(self, function, title, address, inputs):
        self.function, self.title, self.inputs = function, title or title_of(function), inputs
        self.id, self.options = slug(address or self.title), {}
        MADE.append(self)

    def __repr__(self):
        return f"<figure {self.title!r}>"

    def state(self, typed=None):
        given = {name: as_tensor(f"input {name!r}", one) for name, one in self.inputs.items()}
        given |= {name: like(given[name], numbers) for name, numbers in (typed or {}).items() if name in given}
        watch = Watch()
        top = watch.call(self.function, given)
        inputs = [{"name": name, **look(x), "role": role_of(name)} for name, x in given.items()]
        inputs = [{**one, **limits(self.function, given, one["name"])} for one in inputs]
        source = named(top.told(watch.ran), [one["shape"] for one in watch.made])
        return {
            "title": self.title,
            "id": self.id,
            "graph": {"inputs": inputs, "constants": watch.made, "steps": [], "outputs": [], "lines": []},
            "source": source,
            "start": {name: listed(x) for name, x in given.items()},
            "colors": colors(source, inputs),
        }


def trace(function, /, *, title=None, address=None, **inputs):
    """As kernelfree's; nothing is watched yet."""
    return Trace(function, title, address, inputs)


def look(x):
    return {"shape": list(x.shape), "dtype": TYPES[x.dtype]}


def like(x, numbers):
    """Numbers that a reader has typed, as a tensor like another."""
    flat = [float(one) for one in leaves(numbers)]
    return torch.tensor(flat, dtype=torch.float64).reshape(x.shape).to(x.dtype)


def leaves(numbers):
    return [leaf for one in numbers for leaf in leaves(one)] if isinstance(numbers, list) else [numbers]


class Watch:
    """Watches a function run: its lines, and those of the functions that it calls and that are no library's."""

    def __init__(self):
        self.made, self.ran, self.open, self.known = [], set(), [], {}

    def call(self, function, given):
        self.top = None
        with torch.no_grad():
            before = sys.gettrace()
            sys.settrace(self.entered)
            try:
                function(**given)
            finally:
                sys.settrace(before)
        if self.top is None or not told(self.top):
            raise LinelessError
        return self.top

    def entered(self, frame, event, _):
        code = frame.f_code
        own = code.co_filename.startswith(("<cell", "/room/d2lmini")) and not code.co_name.startswith("<")
        wrapper = code.co_flags & inspect.CO_VARARGS and code.co_flags & inspect.CO_VARKEYWORDS
        if not own or wrapper or event != "call":
            return None
        return Lines(self, frame).step

    def keep(self, x):
        """Note a tensor as it is now; its name among the values."""
        numbers = array.array(CODES[TYPES[x.dtype]], x.flatten().tolist())
        one = {**look(x), "data": base64.b64encode(numbers.tobytes()).decode()}
        at = self.known.setdefault((id(x), one["data"]), len(self.made))
        self.made += [one] * (at == len(self.made))
        return f"%{at}"


def told(call):
    """Leave out the calls that have made no tensor; whether this one is left."""
    kept = {line: [*filter(told, calls)] for line, calls in call.calls.items()}
    call.calls = {line: calls for line, calls in kept.items() if calls}
    return call.made or call.calls


class Lines:
    """One call that is watched."""

    def __init__(self, watch, frame):
        self.watch, self.call, self.at = watch, None, None
        self.above = watch.open[-1] if watch.open else None
        watch.open.append(self)

    def step(self, frame, event, given):
        watch, file = self.watch, frame.f_code.co_filename
        if event == "line":
            watch.ran.add((file, frame.f_lineno))
            if self.call is None:
                self.begin(Place(file, frame.f_lineno, frame.f_code.co_name, "", None))
            line = self.call.start(frame.f_lineno)
            if line != self.at:
                self.finish(frame)
                self.at = line
        elif event == "return":
            self.finish(frame, given)
            watch.open.remove(self)
        return self.step

    def begin(self, place):
        """Where it stands: below the line that has called it, or on top."""
        if self.above is None or self.above.call is None:
            self.call = self.watch.top = self.watch.top or Call(place, {})
        else:
            self.call = self.above.call.inner(self.above.at, place)

    def finish(self, frame, back=None):
        """Note what the line that has just run has made."""
        statement = next((one for one in self.call.statements if one.lineno == self.at), None) if self.call else None
        if isinstance(statement, ast.Return):
            parts = [*back.values()] if isinstance(back, dict) else back if isinstance(back, tuple | list) else [back]
            pairs = [(say("returns"), one) for one in parts]
        elif isinstance(statement, ast.Assign | ast.AugAssign | ast.AnnAssign):
            names = names_of(statement)
            pairs = [(name, eval(name, frame.f_globals, frame.f_locals)) for name in names]
        else:
            return
        known = [pair for pair in pairs if isinstance(pair[1], torch.Tensor) and pair[1].dtype in TYPES]
        if known:
            self.call.made[statement.lineno] = [(name, self.watch.keep(one)) for name, one in known]
