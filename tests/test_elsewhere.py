"""What needs an environment, a processor or a browser of its own: a pytest of its own each.

Here only its verdict counts; its own summary is repeated at the end of the run.
"""

import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from tools.translation import catalogs
from tools.translation.render import render

ROOT = Path(__file__).resolve().parents[1]
LIVE = "chapters/15_four_frameworks.ipynb"  # runs JAX and TensorFlow
BOOK = ROOT / "tests" / "book"
NBVAL = ["--nbval", "--nbval-current-env", "--nbval-sanitize-with", "tests/book/nbval.cfg"]

# As on processors without the wide instructions of the one that made the outputs.
PROCESSORS = {
    "SSE4": {
        "ATEN_CPU_CAPABILITY": "default",
        "MKL_ENABLE_INSTRUCTIONS": "SSE4_2",
        "ONEDNN_MAX_CPU_ISA": "SSE41",
        "XLA_FLAGS": "--xla_cpu_max_isa=SSE4_2",
    },
    "AVX2": {
        "ATEN_CPU_CAPABILITY": "avx2",
        "MKL_ENABLE_INSTRUCTIONS": "AVX2",
        "ONEDNN_MAX_CPU_ISA": "AVX2",
        "XLA_FLAGS": "--xla_cpu_max_isa=AVX2",
    },
}

# What a reader's hand does to figures. (Pages, and the arithmetic of the engine, are tested once.)
FIGURES = ["book", "figures", "hands", "plane", "words", "telling", "live", "traces", "answers"]


@pytest.fixture
def pytest_of(record_property):
    """Run the pytest of another environment; fail with what it says."""

    def run(environment, *arguments, **variables):
        python = ROOT / environment / "bin" / "python"
        own = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
        done = subprocess.run(
            [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments],
            cwd=ROOT,
            env={**own, **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert done.returncode == 0, done.stdout[-8000:]
        record_property("elsewhere", done.stdout.strip().splitlines()[-1].strip("= "))

    return run


# What JAX compiles is kept: compiling takes longer than all that it is compiled for.
COMPILED = {
    "JAX_COMPILATION_CACHE_DIR": str(ROOT / "_build" / "jax"),
    "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
    "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
}


@pytest.mark.exhaustive
def test_jax_and_tensorflow(pytest_of):
    """PyTorch, JAX and TensorFlow against each other."""
    pytest_of(".venv-frameworks", "tests/frameworks", **COMPILED)


@pytest.mark.exhaustive
def test_the_chapter_of_jax_and_tensorflow(pytest_of):
    browser = ["tests/browser/test_book.py", "-k", "frameworks or 15_"]
    pytest_of(".venv-frameworks", *NBVAL, LIVE, *browser, **COMPILED)


@pytest.mark.exhaustive
@pytest.mark.skipif(not (ROOT / ".venv-mxnet").exists(), reason="MXNet 1.9.1 runs on few systems")
def test_mxnet(pytest_of):
    pytest_of(".venv-mxnet", "tests/frameworks")


# What runs in which environment.
CHAPTERS = {".venv": ["chapters", f"--ignore={LIVE}"], ".venv-frameworks": [LIVE]}


@pytest.mark.exhaustive
@pytest.mark.parametrize("environment", CHAPTERS)
@pytest.mark.parametrize("processor", PROCESSORS)
def test_every_output_is_the_same_on_another_processor(pytest_of, processor, environment):
    pytest_of(environment, *NBVAL, *CHAPTERS[environment], **PROCESSORS[processor])


@pytest.mark.exhaustive
@pytest.mark.parametrize("environment", CHAPTERS)
@pytest.mark.parametrize("language", catalogs.languages())
def test_an_edition_prints_what_it_has_kept(pytest_of, language, environment, tmp_path):
    """On another processor."""
    live = environment == ".venv-frameworks"
    for page in (ROOT / "chapters").glob("*.ipynb"):
        if (page == ROOT / LIVE) == live:
            nbformat.write(render(page, language), tmp_path / page.name)
    pytest_of(environment, *NBVAL, tmp_path, **PROCESSORS["SSE4"])


@pytest.mark.exhaustive
@pytest.mark.parametrize("environment", CHAPTERS)
def test_no_output_depends_on_the_last_bit(pytest_of, environment, tmp_path):
    """Any other processor: each result of torch is moved by one unit in the last place at most."""
    startup = tmp_path / "profile_default" / "startup"
    startup.mkdir(parents=True)
    # Imported, so that no name of a chapter takes the place of one of its own.
    lines = f"import sys\nsys.path.append({str(BOOK)!r})\nimport rounding\nrounding.start()\n"
    (startup / "start.py").write_text(lines)
    pytest_of(environment, *NBVAL, *CHAPTERS[environment], IPYTHONDIR=str(tmp_path), ROUNDING="1")


# The first figure of the package's own page, and a table of pandas.
ALONE = """
import re, sys, pathlib, pandas, kernelfree
text = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
exec(re.search(r"```python\\n(.*?)```", text, re.DOTALL)[1])
frame = pandas.DataFrame([[1.0, 2.0]], index=["row"], columns=["a", "b"])
made = kernelfree.explore(lambda t: frame * t, t=[1, 2])
assert made._state["panels"][0]["columnNames"] == ["a", "b"]
made.save("page.html")
assert "torch" not in sys.modules
try:
    import torch
except ImportError:
    print("no PyTorch here")
"""


@pytest.mark.exhaustive
def test_figures_in_an_environment_without_pytorch(tmp_path):
    """An author's own line, from this tree."""
    run = functools.partial(subprocess.run, check=True, capture_output=True, text=True)
    run([sys.executable, "-m", "venv", tmp_path / "venv"])
    python = tmp_path / "venv" / "bin" / "python"
    run([python, "-m", "pip", "install", "--quiet", ROOT / "kernelfree", "pandas"])
    own = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    done = run([python, "-c", ALONE, ROOT / "kernelfree" / "README.md"], cwd=tmp_path, env=own)
    assert done.stdout.splitlines()[-1] == "no PyTorch here"


@pytest.mark.skipif(not (ROOT / ".venv" / "models").exists(), reason="make test installs them")
def test_published_models(pytest_of):
    """What scores are made into, held to the models' own code: to six, or exhaustively to all."""
    pytest_of(".venv", "tests/models", PYTHONPATH=str(ROOT / ".venv" / "models"))


@pytest.mark.exhaustive
@pytest.mark.skipif(not shutil.which("firefox"), reason="no Firefox is installed")
def test_firefox(pytest_of):
    """Every figure there; the newer Playwright of the pins cannot speak with it."""
    pytest_of(
        ".venv",
        *[f"tests/browser/test_{name}.py" for name in FIGURES],
        "-k",
        "not axe and not pdf",
        BOOK_BROWSER="firefox",
        PYTHONPATH=str(ROOT / ".venv" / "firefox"),
    )


@pytest.mark.exhaustive
@pytest.mark.parametrize("way", [[], ["--lti"]], ids=["password", "lti"])
def test_a_class_of_two_on_a_hub(way, record_property):
    """It ends with an error unless both have the points that they have earned."""
    command = [sys.executable, "-m", "classroom.hub.trial", "2", "--within", "0", *way]
    done = subprocess.run(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert done.returncode == 0, done.stdout[-8000:]
    assert "2 students" in done.stdout
    record_property("elsewhere", done.stdout.strip().splitlines()[-1])
