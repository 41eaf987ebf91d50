"""Mutation tests: change the code in one small place after another, and ask what notices.

    python -m tools.mutants [MODULE ...]    such as d2lmini/masks; all of `TESTS` if none is named

The changes are mutmut's. Each is tried in a process of its own, forked from one that has collected
the tests, and put into the functions that it has imported. (mutmut's own runner leaves out what has
a decorator, and its switches inside functions would break torch.compile.) The text of an error is
left alone: tests ask what it must contain, not how it is worded. A change that no test notices has
to stand in tests/mutants.json under the reason why; otherwise this ends with 1.
"""

import gc
import inspect
import json
import os
import shutil
import signal
import sys
import tempfile
import time
import types
from pathlib import Path

import libcst as cst
import libcst.matchers as m
import pytest
from hypothesis import Phase, settings
from libcst.metadata import MetadataWrapper
from mutmut.mutation.mutators import mutation_operators, operator_string

ROOT = Path(__file__).parents[1]
KNOWN = ROOT / "tests" / "mutants.json"
PACKAGES = ("d2lmini", "kernelfree")
# Which tests ask for a module, those first that soon notice most.
FIGURES = "misuse states explorer controls language scales texts prediction"
FIGURES += " marks plot words picture"
TESTS = {
    "d2lmini/masks": "masking misuse promises masks attention",
    "d2lmini/lengths": "misuse lengths promises masking masks",
    "d2lmini/checks": "misuse promises masking attention scores steps",
    "d2lmini/multihead": "misuse multihead attention masks scores masking steps",
    "d2lmini/encoder": "encoder chapter_12",
    "d2lmini/attention": "misuse attention steps masks scores",
    "d2lmini/scores": "scores misuse",
    "d2lmini/rope": "scores",
}
OF_FIGURES = "states controls texts prediction scales arrays axes dates colors"
TESTS |= {f"kernelfree/{name}": f"{name} {FIGURES}" for name in OF_FIGURES.split()}
# Without what takes a second a test: it asks whether a graph is whole, or for numbers again.
SLOW = "not compile and not export and not transform and not graph_each and not second_order"
EARLY = "ignore::pytest.PytestAssertRewriteWarning"  # of hypothesis, which is imported before
OPTIONS = ["-W", EARLY, "-x", "-s", "-p", "no:terminal", "-p", "no:cacheprovider", "-k", SLOW]
# Of figures one change in so many is tried, the same each time: of all there are 3,500.
EVERY = {"d2lmini": 1, "kernelfree": 5}
# So long may the tests compute, and take in all: a change can make them wait for ever.
COMPUTE, WAIT = 120, 900
TYPE = m.Assign(value=m.Call(func=m.Name("TypeVar")))


class Changes(cst.CSTVisitor):
    """Every change of a module: the node, what takes its place, whether it is in a function."""

    def __init__(self):
        super().__init__()
        self.found = []
        self.errors = self.functions = 0  # how many `raise` and `def` we are in

    def on_visit(self, node):
        if isinstance(node, cst.Annotation | cst.Decorator) or m.matches(node, TYPE):
            return False
        self.errors += isinstance(node, cst.Raise)
        self.functions += isinstance(node, cst.FunctionDef)
        for kind, operator in mutation_operators:
            if isinstance(node, kind) and not (operator is operator_string and self.errors):
                self.found += [(node, other, self.functions > 0) for other in operator(node)]
        return True

    def on_leave(self, node):
        self.errors -= isinstance(node, cst.Raise)
        self.functions -= isinstance(node, cst.FunctionDef)


def changed(source, every):
    """For one change in `every`: the first line that differs, the text, whether in a function."""
    module = MetadataWrapper(cst.parse_module(source)).module
    visitor = Changes()
    module.visit(visitor)
    for node, other, inside in visitor.found[::every]:
        text = module.deep_replace(node, other).code
        pairs = zip(source.splitlines(), text.splitlines(), strict=False)
        before, after = next((a.strip(), b.strip()) for a, b in pairs if a != b)
        yield f"{before} -> {after}", text, inside


class Trial:
    """Plugin of pytest: once tests are collected, tries each change in a process of its own."""

    def __init__(self, module):
        self.module, self.count, self.left = module, 0, []
        self.source = (ROOT / f"{module}.py").read_text(encoding="utf-8")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtestloop(self, session):
        session.config.option.tbstyle = "value"  # nobody reads how a test failed
        gc.collect()
        gc.freeze()
        child = self.in_a_child()
        if not child:
            session.items.clear()
        try:
            return (yield)
        finally:
            if child:
                os._exit(session.testsfailed > 0)

    def in_a_child(self):
        """True in each child, which runs the tests; False in the parent when all have ended."""
        if (unchanged := fork()) is None:
            return True
        if unchanged:
            sys.exit(f"the tests of {self.module}.py fail as it is")
        for change, text, inside in changed(self.source, EVERY[self.module.partition("/")[0]]):
            if (failed := fork()) is None:
                try:
                    if not inside:
                        os._exit(run_anew(self.module, text))
                    name = self.module.replace("/", ".")
                    for imported in (name, f"plain_{name}"):
                        put(text, sys.modules.get(imported))
                except BaseException:
                    os._exit(1)
                return True
            self.count += 1
            if not failed:
                self.left.append(f"{self.module}: {change}")
                print(f"  {self.left[-1]}", flush=True)
        return False


def fork():
    """None in the child, which is quiet and has only so long; in the parent whether it failed."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1] != 0
    signal.setitimer(signal.ITIMER_PROF, COMPUTE)
    signal.alarm(WAIT)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    return None


def put(text, module):
    """Give the functions of a module that is in use the code of this text."""
    if module is None:
        return
    other = types.ModuleType(module.__name__)
    other.__package__ = module.__package__
    other.__file__ = module.__file__
    exec(compile(text, module.__file__, "exec"), vars(other))
    replace(vars(module), vars(other), module.__name__)


def replace(old, new, home):
    for name, thing in new.items():
        was = old.get(name)
        if isinstance(thing, property):
            thing, was = thing.fget, was.fget
        if isinstance(thing, type) and thing.__module__ == home:
            replace(vars(was), vars(thing), home)
        elif inspect.isfunction(thing) and thing.__module__ == home:
            thing, was = inspect.unwrap(thing), inspect.unwrap(was)
            was.__code__, was.__defaults__ = thing.__code__, thing.__defaults__
            was.__kwdefaults__ = thing.__kwdefaults__


def run_anew(module, text):
    """Run the tests on copies of the packages with this text, imported as if for the first time."""
    ours = str(ROOT / "tests")
    for name, imported in [*sys.modules.items()]:
        known = name.split(".")[0] in (*PACKAGES, "plain_d2lmini")
        if known or (getattr(imported, "__file__", None) or "").startswith(ours):
            del sys.modules[name]
    with tempfile.TemporaryDirectory() as folder:
        for package in PACKAGES:
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / package, Path(folder, package), ignore=ignored)
        Path(folder, f"{module}.py").write_text(text, encoding="utf-8")
        first = f"pythonpath={folder} tests/support ."  # as in pyproject.toml, the copies before
        return int(pytest.main([*OPTIONS, "-o", first, *paths(module)]))


def paths(module):
    names = dict.fromkeys(TESTS[module].split())
    rooms = ["d2lmini", "frameworks", "book"] if module.startswith("d2lmini") else ["kernelfree"]
    found = [Path("tests", room).rglob(f"test_{name}.py") for name in names for room in rooms]
    return [str(path) for paths in found for path in paths]


def prepare():
    """Draw the same examples each time, and stop at the first that fails, not the smallest."""
    os.environ["CI"] = "true"
    sys.dont_write_bytecode = True  # changes within a second, of one length, look alike
    settings.register_profile("mutants", phases=[Phase.explicit, Phase.generate], database=None)
    settings.load_profile("mutants")
    os.chdir(ROOT)


def main(modules):
    reasons = json.loads(KNOWN.read_text(encoding="utf-8"))
    known = {change for changes in reasons.values() for change in changes}
    strangers = []
    prepare()
    for module in modules or TESTS:
        trial, start = Trial(module), time.monotonic()
        if pytest.main([*OPTIONS, *paths(module)], [trial]) not in (0, 5) or not trial.count:
            sys.exit(f"no tests of {module}.py could be collected")
        strangers += [change for change in trial.left if change not in known]
        killed, seconds = trial.count - len(trial.left), time.monotonic() - start
        score = 100 * killed / trial.count
        print(f"{module}: {killed} of {trial.count} ({score:.1f}%) in {seconds:.0f} s", flush=True)
    if strangers:
        print(f"{len(strangers)} of them have no reason in {KNOWN.relative_to(ROOT)}.")
    return bool(strangers)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
