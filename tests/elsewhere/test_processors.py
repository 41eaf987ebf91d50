"""Every output of the chapters comes out the same on other processors, and in other languages."""

import nbformat
import pytest

import chapters
from tools.translation import catalogs, outputs
from tools.translation.render import render

pytestmark = pytest.mark.nightly
# What runs in which environment.
CHAPTERS = {".venv": ["chapters", f"--ignore={chapters.LIVE}"], ".venv-frameworks": [chapters.LIVE]}
each_environment = pytest.mark.parametrize("environment", CHAPTERS)

# As on processors without the wide instructions of the one that made the outputs.
NAMES = "ATEN_CPU_CAPABILITY", "MKL_ENABLE_INSTRUCTIONS", "ONEDNN_MAX_CPU_ISA", "XLA_FLAGS"
PROCESSORS = {
    "SSE4": dict(zip(NAMES, ("default", "SSE4_2", "SSE41", "--xla_cpu_max_isa=SSE4_2"), strict=True)),
    "AVX2": dict(zip(NAMES, ("avx2", "AVX2", "AVX2", "--xla_cpu_max_isa=AVX2"), strict=True)),
}


@each_environment
@pytest.mark.parametrize("processor", PROCESSORS)
def test_every_output_is_the_same_on_another_processor(tested_in, processor, environment):
    tested_in(environment, *chapters.STRICT, *CHAPTERS[environment], **PROCESSORS[processor])


@each_environment
@pytest.mark.parametrize("language", catalogs.languages())
def test_an_edition_prints_what_it_has_kept(tested_in, language, environment, tmp_path, monkeypatch):
    """On another processor; readers get its columns straight."""
    monkeypatch.setattr(outputs, "in_columns", lambda text, source: text)
    live = environment == ".venv-frameworks"
    for page in chapters.pages():
        if (page == chapters.ROOT / chapters.LIVE) == live:
            nbformat.write(render(page, language), tmp_path / page.name)
    tested_in(environment, *chapters.STRICT, tmp_path, **PROCESSORS["SSE4"])


@each_environment
def test_no_output_depends_on_the_last_bit(tested_in, environment, tmp_path):
    """Any other processor: each result of torch is moved by one unit in the last place at most."""
    startup = tmp_path / "profile_default" / "startup"
    startup.mkdir(parents=True)
    # Imported, so that no name of a chapter takes the place of one of its own.
    support = str(chapters.ROOT / "tests" / "support")
    lines = f"import sys\nsys.path.append({support!r})\nimport rounding\nrounding.start()\n"
    (startup / "start.py").write_text(lines)
    tested_in(environment, *chapters.STRICT, *CHAPTERS[environment], IPYTHONDIR=str(tmp_path), ROUNDING="1")
