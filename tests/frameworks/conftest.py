"""The settings of the frameworks under test; which promises each keeps is told at the end."""

import os
import warnings

import adapters
import promises
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


def pytest_collection_modifyitems(items):
    promises.note(items)


def pytest_terminal_summary(terminalreporter):
    told = terminalreporter.stats
    verdicts = promises.found([*told.get("passed", []), *told.get("failed", [])])
    if verdicts:
        terminalreporter.section("promises")
        table = "\n".join(promises.table(promises.remembered(verdicts)))
        promises.TABLE.write_text(table, encoding="utf-8")
        terminalreporter.write_line(table)
