"""The package as others get it: built, unpacked somewhere else, and used there."""

import email
import importlib
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

USE = """
import d2lmini, importlib.metadata, torch
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
# Each is a distribution of its own: its project's folder.
PROJECTS = {"d2lmini": ROOT, "kernelfree": ROOT / "kernelfree"}


@pytest.fixture(scope="module")
def dists(tmp_path_factory):
    found = {}
    for name, project in PROJECTS.items():
        folder = tmp_path_factory.mktemp(name)
        command = [sys.executable, "-m", "hatchling", "build", "--directory", folder]
        done = subprocess.run(command, cwd=project, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        found[name] = next(folder.glob("*.whl")), next(folder.glob("*.tar.gz"))
    return found


# What stands in a project's folder beside its package.
BESIDE = ("js/", "pictures/", "README.md", "CHANGELOG.md", "LICENSE", "pyproject.toml")


def sources(name="d2lmini"):
    folder = ROOT / name
    files = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
    names = (path.relative_to(folder).as_posix() for path in files)
    return {f"{name}/{one}" for one in names if name == "d2lmini" or not one.startswith(BESIDE)}


# What a wheel has for other languages than English: catalogs, letters, scripts.
OF_A_LANGUAGE = re.compile(r"^\w+/(locale|fonts|static/\w+)/")


@pytest.mark.parametrize("name", PROJECTS)
def test_the_wheel_holds_the_package_and_nothing_else(dists, name):
    wheel = zipfile.ZipFile(dists[name][0])
    names = wheel.namelist()
    assert {one for one in names if ".dist-info/" not in one} == sources(name)
    assert {f"{name}/py.typed", f"{name}/__init__.pyi"} <= set(names)
    assert any(one.endswith(".dist-info/licenses/LICENSE") for one in names)
    languages = {Path(one).stem for one in names if one.startswith(f"{name}/locale/")}
    assert languages == {"zh"}
    sizes = {True: 0, False: 0}
    for one in wheel.infolist():
        sizes[bool(OF_A_LANGUAGE.search(one.filename))] += one.compress_size
    assert sizes[False] < 300_000
    assert sizes[True] < 320_000 * len(languages)


NEEDS = {
    "d2lmini": {"kernelfree", "lazy-loader", "matplotlib", "torch"},
    "kernelfree": {"anywidget", "ipywidgets", "lazy-loader", "matplotlib", "numpy"},
}


@pytest.mark.parametrize("name", PROJECTS)
def test_the_wheel_says_what_it_is(dists, name):
    wheel = zipfile.ZipFile(dists[name][0])
    [place] = [one for one in wheel.namelist() if one.endswith("METADATA")]
    metadata = email.message_from_bytes(wheel.read(place))
    assert metadata["Name"] == name
    assert metadata["License-Expression"] == "MIT"
    assert metadata["Requires-Python"] == ">=3.10"
    # (What an extra needs comes only to those who ask for it; MXNet does need an old NumPy.)
    needs = [need for need in metadata.get_all("Requires-Dist") if "extra ==" not in need]
    assert {need.partition(">")[0] for need in needs} == NEEDS[name]
    # An upper bound or a pin would move the reader's own torch, numpy or matplotlib.
    assert not any(sign in need for need in needs for sign in ("<", "==", "~="))
    # Both are published together: a new one never meets an older one of the other.
    cited = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {metadata['Version']}\n" in cited
    assert name == "kernelfree" or f"kernelfree>={metadata['Version']}" in needs
    links = dict(link.split(", ") for link in metadata.get_all("Project-URL"))
    assert {"Repository", "Documentation", "Issues", "Changelog"} <= set(links)
    # An index shows the README away from its folder.
    assert metadata["Description-Content-Type"] == "text/markdown"
    shown = re.findall(r"\]\((.*?)\)|<img [^>]*src=\"(.*?)\"", metadata.get_payload())
    assert name == "d2lmini" or all(there.startswith(("https://", "#")) for pair in shown for there in pair if there)


def test_the_sdist_holds_what_a_wheel_and_its_tests_need(dists):
    with tarfile.open(dists["d2lmini"][1]) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert sources() <= names
    assert {"LICENSE", "README.md", "pyproject.toml", "tests/support/reference.py"} <= names
    assert not any(name.startswith(("chapters/", "pages/", "tests/browser/")) for name in names)


def test_the_wheels_work_outside_the_repository(dists, tmp_path):
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    target, elsewhere = tmp_path / "installed", tmp_path / "elsewhere"
    elsewhere.mkdir()
    pip += ["--no-deps", "--no-index", "--target", target]
    subprocess.run([*pip, *(wheel for wheel, _ in dists.values())], check=True, cwd=elsewhere)
    options = {"cwd": elsewhere, "env": {**os.environ, "PYTHONPATH": str(target)}, "text": True}
    done = subprocess.run([sys.executable, "-c", USE], capture_output=True, **options)
    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.strip()).is_relative_to(target)


@pytest.mark.parametrize("package", ["d2lmini", "kernelfree"])
def test_every_public_name_is_there(package):
    package = importlib.import_module(package)
    assert all(getattr(package, name) is not None for name in package.__all__)
