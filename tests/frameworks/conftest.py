"""The settings of the frameworks under test; which promises each keeps is told at the end."""

import os
import warnings

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


FILES = {"test_jax.py": "JAX", "test_tensorflow.py": "TensorFlow", "test_mxnet.py": "MXNet"}


def pytest_collection_modifyitems(items):
    for item in items:
        marker = item.get_closest_marker("promise")
        if marker:
            name = FILES.get(item.path.name) or item.callspec.params["name"]
            item.user_properties.append(("promise", [*marker.args, name]))


def pytest_terminal_summary(terminalreporter):
    """Which promise each framework keeps; MXNet's are tested in an environment of their own."""
    found = {}
    for verdict in ("passed", "failed"):
        for report in terminalreporter.stats.get(verdict, []):
            for promise, name in (value for what, value in report.user_properties if what == "promise"):
                kept = found.setdefault(promise, {})
                kept[name] = kept.get(name, True) and report.passed
    for promise, row in found.items():
        told = (f"{name} {'kept' if kept else 'BROKEN'}" for name, kept in row.items())
        terminalreporter.write_line(f"{promise}: {', '.join(told)}")
