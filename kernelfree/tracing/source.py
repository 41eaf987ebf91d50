"""Where the steps of a graph stand in the source: calls, their lines, and what each line makes."""

import ast
import linecache
import re
import textwrap
from typing import Any

from ..language import say
from .exporting import Place
from .graph import Graph

# A wrapper hands on whatever it gets; nobody wants to read it.
WRAPPER = re.compile(r"\(\*args, \*\*kwargs\)")
# The comment of a line that says the shape of what it makes: # (rows, columns).
SHAPE = re.compile(r"#[^()]*\(([^()]+)\)\s*$")

# A signature of more letters is shortened.
LONG = 72


class Call:
    """One call of a function: its lines, the steps of each, and the calls inside."""

    def __init__(self, place: Place, known: dict[str, str]) -> None:
        self.name, self.file, self.known = place.function, place.file, known
        self.lines, self.statements = source_of(place)
        self.steps: dict[int, list[tuple[str, Place]]] = {}
        self.calls: dict[int, list[Call]] = {}
        self.made: dict[int, list[tuple[str, str]]] = {}

    def start(self, line: int) -> int:
        """The first line of the statement that a line belongs to."""
        begins = [s.lineno for s in self.statements if s.lineno <= line <= (s.end_lineno or 0)]
        return max(begins, default=line)

    def inner(self, line: int, place: Place) -> "Call":
        """The call that a line makes to the function at another place."""
        calls = self.calls.setdefault(line, [])
        for call in calls:
            if (call.name, call.file) == (place.function, place.file):
                return call
        calls.append(Call(place, {}))
        return calls[-1]

    def settle(self) -> list[str | None]:
        """Find what each line makes; return what the last return that ran gives back."""
        back: list[str | None] = []
        for statement in self.statements:
            inner = [call.settle() for call in self.calls.get(statement.lineno, [])]
            value = getattr(statement, "value", None)
            if value is None:
                continue
            names = names_of(statement)
            parts = value.elts if isinstance(value, ast.Tuple) else [value]
            found = [self.value(part, statement, alone=len(parts) == 1) for part in parts]
            returns = isinstance(statement, ast.Return)
            several = inner[-1] if inner and isinstance(value, ast.Call) else []
            if len(several) > 1 and (returns or len(several) == len(names)):
                found = several
            if returns and any(found):
                back, names = found, names * len(found)
            pairs = [(n, v) for n, v in zip(names, found, strict=False) if v]
            self.known.update({name: value for name, value in pairs if name})
            if pairs:
                self.made[statement.lineno] = pairs
        return back

    def value(self, part: ast.expr, statement: ast.stmt, alone: bool) -> str | None:
        """The value of an expression such as "%3", as far as it is known."""
        if isinstance(part, ast.Name):
            return self.known.get(part.id)
        steps = self.steps.get(statement.lineno, [])
        inside = [value for value, place in steps if alone or self.within(place, part)]
        return inside[-1] if inside else None

    def within(self, place: Place, part: ast.expr) -> bool:
        """Whether a step was asked for inside a part of a line."""
        if place.column is None or place.line != part.lineno:
            return False
        line = linecache.getline(self.file, place.line)
        start = place.column + len(line) - len(line.lstrip())
        return part.col_offset <= start < (part.end_col_offset or 0)

    def runs(self, line: int, ran: set[tuple[str, int]]) -> bool:
        """Whether a line ran, as part of its statement; what is no statement does not count."""
        around = [s for s in self.statements if s.lineno <= line <= (s.end_lineno or 0)]
        if not around:
            return True
        own = max(around, key=lambda s: s.lineno)
        inside = getattr(own, "body", None)  # of an if, only its head counts
        end = inside[0].lineno if inside else (own.end_lineno or 0) + 1
        return any((self.file, n) in ran for n in range(own.lineno, max(end, own.lineno + 1)))

    def told(self, ran: set[tuple[str, int]] | None = None) -> dict[str, Any]:
        """The call for the page; lines that are not among those that `ran` are idle."""
        lines = []
        for number, text in self.lines:
            line: dict[str, Any] = {"number": number, "text": text}
            if ran is not None and text.strip() and not self.runs(number, ran):
                line["idle"] = True
            if number in self.made:
                line["makes"] = [list(pair) for pair in self.made[number]]
                if words := SHAPE.search(text):
                    line["axes"] = [word.strip() for word in words.group(1).split(",")]
            if number in self.calls:
                line["calls"] = [call.told(ran) for call in self.calls[number]]
            lines.append(line)
        return {"name": self.name, "lines": lines}


def names_of(statement):
    """The names that a statement gives to what it makes."""
    if isinstance(statement, ast.Return):
        return [say("returns")]
    if isinstance(statement, ast.Assign):
        target = statement.targets[0]
        return [ast.unparse(x) for x in getattr(target, "elts", [target])]
    target = getattr(statement, "target", None)
    return [ast.unparse(target) if target is not None else ""]


def source_of(place):
    """A function's lines without its docstring, as (number, text), and its statements in order."""
    text = "".join(linecache.getlines(place.file))
    try:
        tree = ast.parse(text)
    except SyntaxError:  # such as a cell with a magic
        tree = ast.Module([], [])
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) and node.lineno <= place.line <= node.end_lineno
    ]
    if not around:
        return [(place.line, place.code)], []
    node = max(around, key=lambda node: node.lineno)
    numbers = list(range(node.lineno, node.end_lineno + 1))
    if ast.get_docstring(node) is not None:
        gone = range(node.body[0].lineno, node.body[0].end_lineno + 1)
        numbers = [n for n in numbers if n not in gone]
    lines = text.splitlines()
    head = range(node.lineno + 1, node.body[0].lineno)  # the rest of the signature
    long = node.body[0].lineno > node.lineno and (head or len(lines[node.lineno - 1]) > LONG)
    numbers = [n for n in numbers if n not in head or lines[n - 1].lstrip().startswith("#")]
    shown = textwrap.dedent("\n".join(lines[n - 1] for n in numbers)).split("\n")
    if long:
        shown[0] = signature(node)
    statements = [s for part in node.body for s in ast.walk(part) if isinstance(s, ast.stmt)]
    return list(zip(numbers, shown, strict=True)), sorted(statements, key=lambda s: s.lineno)


def signature(node):
    """A function's first line with the names of its arguments alone."""
    told = ast.arguments(
        *(bare(getattr(node.args, kind)) for kind in ("posonlyargs", "args", "vararg")),
        kwonlyargs=bare(node.args.kwonlyargs),
        kw_defaults=[None] * len(node.args.kwonlyargs),
        kwarg=bare(node.args.kwarg),
        defaults=[],
    )
    return f"def {node.name}({ast.unparse(told)}):"


def bare(given):
    """Arguments without their types."""
    if isinstance(given, list):
        return [ast.arg(one.arg) for one in given]
    return given and ast.arg(given.arg)


def calls(graph: Graph) -> Call:
    """The outermost call, with all calls inside."""
    count = len(graph.constants)
    given = {one["name"]: f"%{count + i}" for i, one in enumerate(graph.inputs)}
    stacks = [[p for p in stack if not WRAPPER.search(p.code)] for stack in graph.stacks]
    top = Call(next(stack[0] for stack in stacks if stack), given)
    for index, stack in enumerate(stacks, start=count + len(graph.inputs)):
        call, line = top, 0
        for depth, place in enumerate(stack):
            if depth:
                call = call.inner(line, place)
            line = call.start(place.line)
            call.steps.setdefault(line, []).append((f"%{index}", place))
    top.settle()
    return top
