"""Mutation tests: changes the mathematics in one small place after another, and asks what notices.

    python tools/mutants.py [MODULE ...]        such as masks; all of `TESTS` if none is named

The changes are mutmut's. Each is tried in a process of its own, forked from one that has imported
PyTorch, on a copy of the package. (mutmut's own runner leaves out what has a decorator, and its
switches inside functions would break torch.compile.) The text of an error is left alone: tests ask
what it must contain, not how it is worded. A change that no test notices has to stand in
tests/mutants.json under the reason why; otherwise this ends with 1.
"""

import importlib
import json
import os
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

import libcst as cst
import libcst.matchers as m
import pytest
from hypothesis import Phase, settings
from libcst.metadata import MetadataWrapper
from mutmut.mutation.mutators import mutation_operators, operator_string

ROOT = Path(__file__).parents[1]
KNOWN = ROOT / "tests" / "mutants.json"
# Which tests ask for a module, the quickest first.
TESTS = {
    "masking": ["package/test_masking", "package/test_misuse"],
    "masks": [f"package/test_{name}" for name in ("masking", "misuse", "masks", "attention")],
    "lengths": [f"package/test_{name}" for name in ("lengths", "misuse", "masking", "masks")],
    "quick": ["package/test_fast", "package/test_misuse"],
    "checks": [f"package/test_{name}" for name in ("misuse", "masking", "attention", "fast")],
    "multihead": [f"package/test_{name}" for name in ("multihead", "misuse", "masks")],
    "encoder": ["package/test_multihead", "book/test_chapter_12"],
    "attention": [f"package/test_{name}" for name in ("misuse", "attention", "masks", "fast")],
    "fast": [f"package/test_{name}" for name in ("masking", "fast", "attention", "masks")],
}
# Without what takes a second a test and asks whether a graph is whole, not which numbers come.
SLOW = "not compile and not export and not transform"
EARLY = "ignore::pytest.PytestAssertRewriteWarning"  # of hypothesis, which is imported before
PLUGINS = ["-p", "no:cacheprovider", "-p", "_hypothesis_pytestplugin"]
OPTIONS = ["-x", "-q", "--tb=no", *PLUGINS, "-W", EARLY, "-k", SLOW]
SECONDS = 120
TYPE = m.Assign(value=m.Call(func=m.Name("TypeVar")))


class Changes(cst.CSTVisitor):
    """Every change of a module, as the node and what takes its place."""

    def __init__(self):
        super().__init__()
        self.found = []
        self.errors = 0  # how many `raise` we are in

    def on_visit(self, node):
        if isinstance(node, cst.Annotation | cst.Decorator) or m.matches(node, TYPE):
            return False
        self.errors += isinstance(node, cst.Raise)
        for kind, operator in mutation_operators:
            if isinstance(node, kind) and not (operator is operator_string and self.errors):
                self.found += [(node, other) for other in operator(node)]
        return True

    def on_leave(self, node):
        self.errors -= isinstance(node, cst.Raise)


def changed(source):
    """For each change: what is read before and after on the first line that differs, the text."""
    module = MetadataWrapper(cst.parse_module(source)).module
    visitor = Changes()
    module.visit(visitor)
    for node, other in visitor.found:
        text = module.deep_replace(node, other).code
        pairs = zip(source.splitlines(), text.splitlines(), strict=False)
        before, after = next((a.strip(), b.strip()) for a, b in pairs if a != b)
        yield f"{before} -> {after}", text


def passes(module):
    """Whether all tests of a module pass in a process of their own."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1] == 0
    signal.alarm(SECONDS)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    code = 1
    try:
        code = pytest.main([*OPTIONS, *(f"tests/{name}.py" for name in TESTS[module])])
    finally:
        os._exit(code)


def survivors(module, package):
    """Try every change of a module; return how many there are, and those that nothing notices."""
    path, count, left = package / f"{module}.py", 0, []
    source = path.read_text(encoding="utf-8")
    if not passes(module):
        sys.exit(f"the tests of {module}.py fail as it is")
    try:
        for change, text in changed(source):
            path.write_text(text, encoding="utf-8")
            count += 1
            if passes(module):
                left.append(f"{module}: {change}")
                print(f"  {left[-1]}", flush=True)
    finally:
        path.write_text(source, encoding="utf-8")
    return count, left


def prepare(folder):
    """Import what is slow to import, and put a copy of the package before the real one."""
    for name in ("torch._dynamo", "matplotlib.pyplot", "IPython", "hypothesis.extra.numpy"):
        importlib.import_module(name)
    os.environ.update(CI="true", PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")  # the same examples each time
    sys.dont_write_bytecode = True  # changes within a second, of one length, look alike
    settings.register_profile("mutants", phases=[Phase.explicit, Phase.generate], database=None)
    settings.load_profile("mutants")  # a failure is enough, it need not be the smallest
    os.chdir(ROOT)
    leave_out = shutil.ignore_patterns("__pycache__")
    sys.path.insert(0, folder)
    return Path(shutil.copytree(ROOT / "d2lmini", Path(folder, "d2lmini"), ignore=leave_out))


def main(modules):
    reasons = json.loads(KNOWN.read_text(encoding="utf-8"))
    known = {change for changes in reasons.values() for change in changes}
    strangers = []
    with tempfile.TemporaryDirectory() as folder:
        package = prepare(folder)
        for module in modules or TESTS:
            start = time.monotonic()
            count, left = survivors(module, package)
            strangers += [change for change in left if change not in known]
            seconds = time.monotonic() - start
            score = 100 * (1 - len(left) / count)
            print(f"{module}: {count - len(left)} of {count} ({score:.1f}%) in {seconds:.0f} s")
    if strangers:
        print(f"{len(strangers)} of them have no reason in {KNOWN.relative_to(ROOT)}.")
    return bool(strangers)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
