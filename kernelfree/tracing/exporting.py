"""What PyTorch writes down of a function, and where in the source each call of it stands."""

import contextlib
import inspect
import io
import itertools
import logging
import os
import re
import sys
import traceback
import warnings
from types import FunctionType, MethodType
from typing import Any, NamedTuple

import torch
from torch import nn

from ..errors import NotForThePageError as NotForThePageError

TORCH = os.path.dirname(torch.__file__)


class Place(NamedTuple):
    """Where in the source a step was asked for; its column counts from the line's first letter."""

    file: str
    line: int
    function: str
    code: str
    column: int | None


class Call(nn.Module):
    """A function as a module, with the modules and parameters that it uses from outside."""

    def __init__(self, function, names):
        super().__init__()
        self.function, self.names = function, names
        for index, found in enumerate(outside_of(function)):
            setattr(self, f"outside_{index}", found)

    def forward(self, *inputs):
        return self.function(**dict(zip(self.names, inputs, strict=True)))


def exported(function, inputs, lengths, inside=True):
    """The exported program, and whether it knows lines inside the functions that are called.

    `inside` asks for them; then the function may return nothing but tensors and their names.
    """
    names = itertools.count()
    sizes: dict[str, Any] = {name: None for name in inputs}
    for name, axes in (lengths or {}).items():
        # Inputs that share limits share a length.
        sizes[name] = {
            i: torch.export.Dim(f"length_{next(names)}", min=low, max=high)
            for i, (low, high) in axes.items()
        }
    # One tensor given twice would be one input.
    copies = tuple(x.detach().clone() for x in inputs.values())
    shapes = {"inputs": tuple(sizes.values())} if lengths else None
    call = Call(function, tuple(inputs))
    first = None
    for strict in (True, False) if inside else (False,):
        try:
            with silence(), closed():
                program = torch.export.export(call, copies, dynamic_shapes=shapes, strict=strict)
        except NotForThePageError:
            raise
        except Exception as error:  # PyTorch has no public class for what may go wrong
            first = first or error
            if looks_at_values(first):
                break
        else:
            if inside and not strict:
                warnings.warn(
                    "lines inside called functions are not known, since PyTorch could not look "
                    f"into the function: {first_line(first)}",
                    stacklevel=3,
                )
            return program, strict
    raise refused(first) from first


def executed(function, inputs):
    """The lines, as (file, number), that run when PyTorch exports a function; None: not known."""
    lines: set[tuple[str, int]] = set()

    def note(frame, event, _):
        if frame.f_code.co_filename.startswith(TORCH):
            return None
        if event == "line":
            lines.add((frame.f_code.co_filename, frame.f_lineno))
        return note

    copies = tuple(x.detach().clone() for x in inputs.values())
    before = sys.gettrace()
    try:
        with silence(), closed():
            sys.settrace(note)  # after what `silence` does
            torch.export.export(Call(function, tuple(inputs)), copies, strict=False)
    except Exception:  # PyTorch has no public class for what may go wrong
        return None
    finally:
        sys.settrace(before)
    return lines


def refusing(why):
    """A property that cannot be read while a function is written down for the page."""

    def read(module):
        raise NotForThePageError(why)

    return property(read)


def declaring(cls):
    """The classes below a class that say which attributes have no meaning in a graph, and why."""
    for one in cls.__subclasses__():
        if "not_exported" in vars(one):
            yield one
        yield from declaring(one)


@contextlib.contextmanager
def closed():
    """While no module lets an attribute be read that has no meaning in a graph.

    A module's class may have `not_exported`, attribute -> why it can't be read in a graph: what
    it keeps of a call would be of an earlier one.
    """
    names = [
        (one, name, why) for one in declaring(nn.Module) for name, why in one.not_exported.items()
    ]
    for one, name, why in names:
        setattr(one, name, refusing(why))  # for as long
    try:
        yield
    finally:
        for one, name, _ in names:
            delattr(one, name)


@contextlib.contextmanager
def silence():
    """Without gradients, and without what PyTorch prints: errors are told in other words."""
    before = logging.root.manager.disable
    logging.disable(logging.ERROR)
    try:
        with (
            torch.no_grad(),
            warnings.catch_warnings(),
            contextlib.redirect_stdout(io.StringIO()),
            contextlib.redirect_stderr(io.StringIO()),
        ):
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(before)


def looks_at_values(error):
    """Whether PyTorch could not export something since it depends on values."""
    return re.search(r"data.dependent|\.item\(\)|tolist", str(error), re.IGNORECASE) is not None


def first_line(error):
    """The first line of what an error says."""
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def refused(error):
    """The error to raise for what PyTorch cannot export."""
    text = str(error)
    own = (TORCH, os.path.dirname(os.path.dirname(__file__)))
    raised = [Place(*frame[:4], None) for frame in traceback.extract_tb(error.__traceback__)]
    found = [p for p in [*raised, *places(text)] if not p.file.startswith(own)]
    where = told(found[-1]) if found else ""
    if looks_at_values(error):
        return NotForThePageError(
            "the function looks at values to decide what to do next, and a page needs one list "
            f"of steps for all values: torch.where chooses without looking{where}"
        )
    if ".numpy()" in text:
        return NotForThePageError(
            "the function computes with NumPy, and a page can run PyTorch's operations alone, such "
            f"as torch.exp for numpy.exp{where}"
        )
    if "not allocated" in text:  # torch.tensor([a, b]), where a and b are tensors
        return NotForThePageError(
            "the function copies values out of tensors, and a page needs to know where they come "
            f"from: torch.stack makes one tensor of several{where}"
        )
    return NotForThePageError(f"PyTorch cannot write it as a list: {first_line(error)}{where}")


def told(place):
    """A place in words, in brackets."""
    return f" (line {place.line} of {place.function}: {place.code})"


def outside_of(function, seen=None):
    """The modules and parameters that a function finds outside its arguments."""
    seen = set() if seen is None else seen
    found = []
    if isinstance(function, MethodType):
        found, function = [function.__self__], function.__func__
    function = inspect.unwrap(function)
    if not isinstance(function, FunctionType) or function in seen:
        return [x for x in found if isinstance(x, nn.Module)]
    seen.add(function)
    known = inspect.getclosurevars(function)
    for value in [*known.globals.values(), *known.nonlocals.values()]:
        parts = value.values() if isinstance(value, dict) else value
        for part in parts if isinstance(value, dict | list | tuple) else [value]:
            if isinstance(part, nn.Module | nn.Parameter):
                found.append(part)
            elif isinstance(part, FunctionType) and not (part.__module__ or "").startswith("torch"):
                found += outside_of(part, seen)
    return [x for x in found if isinstance(x, nn.Module | nn.Parameter)]


def stacks(nodes):
    """For each node, its places from the function to the innermost line outside PyTorch."""
    own = (TORCH, __file__)
    return [
        [p for p in places(node.meta.get("stack_trace") or "") if not p.file.startswith(own)]
        for node in nodes
    ]


def places(text):
    """The places that a traceback tells, outermost first."""
    found = []
    lines = text.splitlines()
    for i, line in enumerate(lines):
        if not (match := re.match(r'\s*File "(.*)", line (\d+), in (.*)', line)):
            continue
        code, marks = [*lines[i + 1 : i + 3], "", ""][:2]
        indent = len(code) - len(code.lstrip())
        # PyTorch marks from where the expression begins, but always to the end of the line.
        marked = marks.strip() and not marks.strip(" ^~")
        column = len(marks) - len(marks.lstrip()) - indent if marked else None
        file, number, function = match.groups()
        found.append(Place(file, int(number), function, code.strip(), column))
    return found
