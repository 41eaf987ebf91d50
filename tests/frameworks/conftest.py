"""The settings of the frameworks under test; which promises each keeps is told at the end."""

import hashlib
import json
import os
import warnings
from pathlib import Path

import adapters
import pytest

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")  # the numbers of the tests are those of a CPU

if adapters.is_installed("mxnet"):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it uses names that NumPy warns of
        import mxnet  # noqa: F401


@pytest.fixture(autouse=True, scope="module")
def float64_in_jax():
    """JAX makes everything float32 unless told; other tests find it as it was."""
    if not adapters.is_installed("jax"):
        yield
        return
    import jax

    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", before)


# ---- the promises as one table: what the tests found, framework by framework -------------------
# MXNet's tests run in an environment of their own, so each run keeps what it found in a file. The
# table tells what the last runs found, as long as the code has not changed since.

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "_build" / "promises.json"
TABLE = KEPT.with_suffix(".txt")  # which the summary of `make test` repeats
FILES = {"test_jax.py": "JAX", "test_tensorflow.py": "TensorFlow", "test_mxnet.py": "MXNet"}


def found(reports):
    """{promise: {framework: whether all of its tests passed}}"""
    verdicts = {}
    for report in reports:
        for what, value in report.user_properties:
            if what == "promise":
                promise, name = value
                kept = verdicts.setdefault(promise, {})
                kept[name] = kept.get(name, True) and report.passed
    return verdicts


def remembered(verdicts):
    """What was found now, with what earlier runs on the same code have found."""
    code = hashlib.sha256()
    for path in sorted((ROOT / "d2lmini").rglob("*.py")):
        code.update(path.read_bytes())
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    table = kept["promises"] if kept.get("code") == code.hexdigest() else {}
    for promise, row in verdicts.items():
        table[promise] = {**table.get(promise, {}), **row}
    KEPT.parent.mkdir(exist_ok=True)
    new = KEPT.with_name(f"promises.{os.getpid()}.json")  # another run may read meanwhile
    new.write_text(json.dumps({"code": code.hexdigest(), "promises": table}), encoding="utf-8")
    new.replace(KEPT)
    return table


def table(verdicts):
    """The lines of the table; "-" where no test has run."""
    width = max(map(len, verdicts))
    words = {True: "kept", False: "BROKEN", None: "-"}
    yield " " * width + "".join(f"{name:>12}" for name in adapters.KINDS)
    for promise, row in verdicts.items():
        cells = (words[row.get(name)] for name in adapters.KINDS)
        yield f"{promise:{width}}" + "".join(f"{cell:>12}" for cell in cells)


def pytest_collection_modifyitems(items):
    for item in items:
        marker = item.get_closest_marker("promise")
        if marker:
            name = FILES.get(item.path.name) or item.callspec.params["name"]
            item.user_properties.append(("promise", [*marker.args, name]))


def pytest_terminal_summary(terminalreporter):
    told = terminalreporter.stats
    verdicts = found([*told.get("passed", []), *told.get("failed", [])])
    if verdicts:
        terminalreporter.section("promises")
        lines = "\n".join(table(remembered(verdicts)))
        TABLE.write_text(lines, encoding="utf-8")
        terminalreporter.write_line(lines)
