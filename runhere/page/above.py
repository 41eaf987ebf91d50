"""What a cell needs from above: the cells that give it its names, and those that give them theirs.

A cell's source is read, not run. What draws random numbers needs what has drawn before, up to the
seed, and what is set for all (the default type, how numbers are printed) is needed by all below.
"""

import ast
import builtins
import dis
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


@dataclass
class Names:
    """What a cell takes from above, and what it leaves for those below."""

    needs: set = field(default_factory=set)
    binds: set = field(default_factory=set)


def of_code(code):
    """The names that a cell takes before it binds them, and those that it binds."""
    needs, binds, late = set(), set(), set()
    for step in dis.get_instructions(code):
        if step.opname in ("STORE_NAME", "STORE_GLOBAL"):
            binds.add(step.argval)
        elif step.opname in ("LOAD_NAME", "LOAD_GLOBAL") and step.argval not in binds:
            needs.add(step.argval)
    for part in inside(code):
        own = {step.argval for step in dis.get_instructions(part) if step.opname == "STORE_NAME"}
        loads = (step for step in dis.get_instructions(part) if step.opname in ("LOAD_NAME", "LOAD_GLOBAL"))
        late |= {step.argval for step in loads} - own
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


def effects(tree, known):
    """What running code does beside binding names: {"draws", "seeds", "trains", a name that it writes to}."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign | ast.AugAssign | ast.Delete):
            targets = [node.target] if isinstance(node, ast.AugAssign) else node.targets
            found |= {root(target) for target in targets if not isinstance(target, ast.Name)}
        elif isinstance(node, ast.Call):
            name, own = last(node.func), root(node.func)
            found |= {"draws"} if DRAWS.search(name) else {"seeds"} if name in SEEDS else set()
            found |= {"trains"} if name in TRAINS else set()
            if name.endswith("_") and not name.endswith("__"):
                found.add(own)
            found |= {root(one.value) for one in node.keywords if one.arg == "generator"}
        if isinstance(node, ast.Name) and node.id in known:
            found |= known[node.id] & {"draws", "trains"}
    return found - {None}


def parts(tree):
    """The statements of a cell that run at once, and its functions and classes, by their names."""
    made = [one for one in tree.body if isinstance(one, ast.FunctionDef | ast.ClassDef)]
    return [one for one in tree.body if one not in made], {one.name: one for one in made}


def read(sources):
    """The `Names` of each cell, in their order; one that is no Python needs none."""
    known, found, imported = {}, [], set()
    for source in sources:
        try:
            tree = ast.parse(source)
            own = Names(*of_code(compile(tree, "", "exec")))
        except (SyntaxError, ValueError):
            words = " ".join(" ".join(given) for given in GIVES.findall(source))
            found.append(Names(binds=set(re.findall(r"\w+", words))))
            continue
        at_once, made = parts(tree)
        for name, part in made.items():
            known[name] = effects(part, known)
        imported |= {
            (alias.asname or alias.name).partition(".")[0]
            for node in ast.walk(tree)
            if isinstance(node, ast.Import | ast.ImportFrom)
            for alias in node.names
        }
        does = effects(ast.Module(at_once, []), known)
        if "trains" in does:  # of all that it is given
            used = {node.id for one in at_once for node in ast.walk(one) if isinstance(node, ast.Name)}
            does |= used - imported - set(known) - set(dir(builtins))
        if "draws" in does and "seeds" not in does:
            own.needs.add(CHANCE)
        if does & {"draws", "seeds"}:
            own.binds.add(CHANCE)
        if SETS.search(source):
            own.binds.add(SETTINGS)
        own.needs.add(SETTINGS)
        written = (does - {"draws", "seeds", "trains"}) & (own.needs | own.binds) - imported
        own.binds |= written
        found.append(own)
    return found
