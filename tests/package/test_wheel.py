"""The package as others get it: built, unpacked somewhere else, and used there."""

import email
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

USE = """
import d2lmini, importlib.metadata, sys
assert "torch" not in sys.modules, "importing the package stays cheap"
import torch
assert "matplotlib" not in sys.modules, "importing the package stays cheap"
from d2lmini import exercises, explore, masked_softmax
weights = masked_softmax(torch.zeros(1, 2, 4), [3])
def share(length=3):
    return masked_softmax(torch.zeros(1, 2, 4), [length])[0]
figure = explore(share, length=range(5))
html = figure._repr_mimebundle_()
html = (html[0] if isinstance(html, tuple) else html)["text/html"]
assert "<script>" in html and "data:image/png;base64," in html
exercises.check_shape(weights, (1, 2, 4))
assert d2lmini.__version__ == importlib.metadata.version("d2lmini")
print(d2lmini.__file__)
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The wheel and the sdist, built from a copy of this tree's files."""
    folder = tmp_path_factory.mktemp("dist")
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--directory", folder],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return next(folder.glob("*.whl")), next(folder.glob("*.tar.gz"))


def sources():
    """The package's files here."""
    files = (path for path in (ROOT / "d2lmini").rglob("*") if path.is_file())
    return {path.relative_to(ROOT).as_posix() for path in files if path.suffix != ".pyc"}


def test_the_wheel_holds_the_package_and_nothing_else(built):
    names = zipfile.ZipFile(built[0]).namelist()
    assert {name for name in names if ".dist-info/" not in name} == sources()
    figures = {f"kernelfree/page/explorer.{kind}" for kind in ("js", "css")}
    assert {"d2lmini/py.typed", *figures} <= set(names)
    assert any(name.endswith(".dist-info/licenses/LICENSE") for name in names)
    assert built[0].stat().st_size < 300_000


def test_the_wheel_says_what_it_is(built):
    wheel = zipfile.ZipFile(built[0])
    name = next(name for name in wheel.namelist() if name.endswith("METADATA"))
    metadata = email.message_from_bytes(wheel.read(name))
    assert metadata["Name"] == "d2lmini"
    assert metadata["License-Expression"] == "MIT"
    assert metadata["Requires-Python"] == ">=3.10"
    # (What an extra needs comes only to those who ask for it; MXNet does need an old NumPy.)
    needs = [need for need in metadata.get_all("Requires-Dist") if "extra ==" not in need]
    assert {need.partition(">")[0] for need in needs} == {"torch", "matplotlib", "anywidget"}
    # An upper bound or a pin would move the reader's own torch, numpy or matplotlib.
    assert not any(sign in need for need in needs for sign in ("<", "==", "~="))
    links = dict(link.split(", ") for link in metadata.get_all("Project-URL"))
    assert {"Repository", "Documentation", "Issues", "Changelog"} == set(links)


def test_the_sdist_holds_what_a_wheel_and_its_tests_need(built):
    with tarfile.open(built[1]) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert sources() <= names
    assert {"LICENSE", "README.md", "pyproject.toml", "tests/reference.py"} <= names
    assert not any(name.startswith(("chapters/", "assets/", "tests/browser/")) for name in names)


def test_the_wheel_works_outside_the_repository(built, tmp_path):
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    target, elsewhere = tmp_path / "installed", tmp_path / "elsewhere"
    elsewhere.mkdir()
    subprocess.run(
        [*pip, "--no-deps", "--no-index", "--target", target, built[0]], check=True, cwd=elsewhere
    )
    done = subprocess.run(
        [sys.executable, "-c", USE],
        cwd=elsewhere,
        env={**os.environ, "PYTHONPATH": str(target)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.strip()).is_relative_to(target)
