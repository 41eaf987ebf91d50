"""What a cell needs from above: the cells that give it its names, and those that give them theirs.

A cell's source is read, not run. What draws random numbers needs what has drawn before, up to the
seed, and what is set for all (the default type, how numbers are printed) is needed by all below.
"""

import ast
import builtins
import dis
import functools
import itertools
import re
from dataclasses import dataclass, field
from types import CodeType

CHANCE, SETTINGS = "(chance)", "(settings)"
DRAWS = re.compile(r"rand|normal|uniform|bernoulli|multinomial|dropout|Linear|Embedding|LSTM|GRU|Attention", re.I)
SEEDS = {"manual_seed", "seed"}
SETS = re.compile(r"\btorch\.set_(default_dtype|printoptions)\b")
# What a cell that is no Python was to give: what is defined, stored or imported at the beginning of a line.
GIVES = re.compile(r"^(?:(?:def|class)\s+(\w+)|([\w,\t ]+)=(?!=)|(?:from .*)?import\s+(.*))", re.MULTILINE)
# What changes more than the name that it is asked of.
TRAINS = {"backward", "step", "load_state_dict"}
# What a step of Python's machine does with a name.
STEPS = {dis.opmap[name]: name for name in ("LOAD_NAME", "LOAD_GLOBAL", "STORE_NAME", "STORE_GLOBAL")}
GLOBAL, EXTENDED = dis.opmap["LOAD_GLOBAL"], dis.EXTENDED_ARG


@dataclass
class Names:
    """What a cell takes from above, and what it leaves for those below."""

    needs: set = field(default_factory=set)
    binds: set = field(default_factory=set)


def steps(code):
    """The steps of a code that take or bind a name that is not local, and that name."""
    arg = 0
    for step, low in zip(code.co_code[::2], code.co_code[1::2], strict=True):
        arg = arg << 8 | low
        if step != EXTENDED:
            if step in STEPS:
                yield STEPS[step], code.co_names[arg >> 1 if step == GLOBAL else arg]
            arg = 0


def of_code(code):
    """The names that a cell takes before it binds them, and those that it binds."""
    needs, binds, late = set(), set(), set()
    for step, name in steps(code):
        if step.startswith("STORE"):
            binds.add(name)
        elif name not in binds:
            needs.add(name)
    for part in inside(code):
        loads, own = set(), set()
        for step, name in steps(part):
            if step.startswith("LOAD"):
                loads.add(name)
            elif step == "STORE_NAME":
                own.add(name)
        late |= loads - own
    return needs | (late - binds), binds


def inside(code):
    """The code of functions and classes in a code, and in theirs."""
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield part
            yield from inside(part)


def root(node):
    """The name that an expression such as `model.layers[0].weight` begins with."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call | ast.Starred):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else None


def last(node):
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


@dataclass
class Part:
    """Statements: what running them does beside binding names, the names in them, and those that they import.

    What they do: "draws", "seeds", "trains", or a name that they write to.
    """

    does: set
    names: set
    imports: set


def part_of(statements):
    does, names, imports = set(), set(), set()
    for node in itertools.chain.from_iterable(map(ast.walk, statements)):
        if isinstance(node, ast.Name):
            names.add(node.id)
        elif isinstance(node, ast.Assign | ast.AugAssign | ast.Delete):
            targets = [node.target] if isinstance(node, ast.AugAssign) else node.targets
            does |= {root(target) for target in targets if not isinstance(target, ast.Name)}
        elif isinstance(node, ast.Call):
            name = last(node.func)
            does |= {"draws"} if DRAWS.search(name) else {"seeds"} if name in SEEDS else set()
            does |= {"trains"} if name in TRAINS else set()
            if name.endswith("_") and not name.endswith("__"):
                does.add(root(node.func))
            does |= {root(one.value) for one in node.keywords if one.arg == "generator"}
        elif isinstance(node, ast.Import | ast.ImportFrom):
            imports |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
    return Part(does - {None}, names, imports)


@functools.cache
def look(source):
    """What a cell takes and binds, the statements that run at once, and its functions and classes, by their names;
    of one that is no Python, what it was to bind."""
    try:
        tree = ast.parse(source)
        names = of_code(compile(tree, "", "exec"))
    except (SyntaxError, ValueError):
        words = " ".join(" ".join(given) for given in GIVES.findall(source))
        return (set(), set(re.findall(r"\w+", words))), None, {}
    made = {one.name: one for one in tree.body if isinstance(one, ast.FunctionDef | ast.ClassDef)}
    at_once = part_of([one for one in tree.body if one not in made.values()])
    return names, at_once, {name: part_of([one]) for name, one in made.items()}


def read(sources):
    """The `Names` of each cell, in their order; one that is no Python needs none."""
    known, found, imported = {}, [], set()
    for source in sources:
        (needs, binds), at_once, made = look(source)
        own = Names({*needs}, {*binds})
        found.append(own)
        if not at_once:
            continue
        for name, part in made.items():
            known[name] = part.does | lent(part, known)
        imported |= at_once.imports.union(*(part.imports for part in made.values()))
        does = at_once.does | lent(at_once, known)
        if "trains" in does:  # of all that it is given
            does |= at_once.names - imported - set(known) - set(dir(builtins))
        if "draws" in does and "seeds" not in does:
            own.needs.add(CHANCE)
        if does & {"draws", "seeds"}:
            own.binds.add(CHANCE)
        if SETS.search(source):
            own.binds.add(SETTINGS)
        own.needs.add(SETTINGS)
        written = (does - {"draws", "seeds", "trains"}) & (own.needs | own.binds) - imported
        own.binds |= written
    return found


def lent(part, known):
    """What functions of cells above do where they are called."""
    return {one for name in part.names & known.keys() for one in known[name] & {"draws", "trains"}}
