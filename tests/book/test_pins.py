"""Every pinned package but torch is installed only from files whose hashes are on record."""

import re
import subprocess
import sys

import pytest

import chapters
from tools import setup

FILES = [chapters.ROOT / "requirements.txt", *chapters.ROOT.glob("requirements/*.txt")]


def pins(path):
    """The pinned packages of a requirements file, each with its condition: hashes."""
    text = re.sub(r"\\\n", "", path.read_text(encoding="utf-8"))
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return {pin: hashes for pin, *hashes in (re.split(r"\s+--hash=", line) for line in lines)}


def names(name):
    return {pin.partition("==")[0] for pin in pins(chapters.ROOT / name)}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_each_pin_has_hashes(path):
    for pin, hashes in pins(path).items():
        assert re.match(r"[a-z0-9-]+==[\w.]+( ; .+)?$", pin)
        assert bool(hashes) == (not pin.startswith("torch==")), pin
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", one) for one in hashes), pin


def test_a_version_stands_in_one_place():
    torch = [file.name for file in FILES if "torch" in names(file)]
    assert torch == ["torch.txt"]
    assert "torch==" not in (chapters.ROOT / "pyproject.toml").read_text(encoding="utf-8")
    # One environment holds these together.
    whole = names("requirements.txt")
    assert len(whole) > 150
    for name in ("requirements/frameworks.txt", "requirements/model.txt"):
        assert names(name)
        assert whole.isdisjoint(names(name))


KINDS = {
    "book": ["requirements-book.txt"],
    "run": ["requirements.txt", "requirements/torch.txt", "requirements/model.txt"],
    "frameworks": ["requirements.txt", "requirements/torch.txt", "requirements/frameworks.txt"],
    "mxnet": ["requirements/mxnet.txt"],
    "exports": ["requirements/exports.txt"],
    "hub": ["requirements/hub.txt"],
}


@pytest.mark.parametrize("kind", KINDS)
def test_an_environment_is_made_from_those_files(kind, tmp_path, monkeypatch):
    ran = []
    monkeypatch.setattr(setup, "run", lambda command, failure: ran.append(command))
    monkeypatch.setattr(setup, "prepare_mxnet", lambda: None)
    setup.main(tmp_path, kind)
    installs = [command for command in ran if "-r" in command]
    assert [str(command[-1]).removeprefix(f"{tmp_path.resolve()}/") for command in installs] == KINDS[kind]
    for command in installs:
        assert ("--require-hashes" in command) == (command[-1] != "requirements/torch.txt")
    # The packages themselves are for those who run chapters, and figures for those who export them.
    ours = [one for command in ran for one in command if str(one) in (".", "./kernelfree")]
    fewer = {"book": [], "hub": [], "exports": ["./kernelfree"]}
    assert ours == fewer.get(kind, ["./kernelfree", "."])
    assert (tmp_path / "book").exists()
    assert (tmp_path / "ready").exists() == (kind != "book")


def test_building_the_book_takes_no_torch(tmp_path, monkeypatch):
    monkeypatch.setattr(setup, "run", lambda command, failure: None)
    setup.main(tmp_path, "book")
    taken = {pin.partition("==")[0] for pin in pins(tmp_path / "requirements-book.txt")}
    assert {"jupyter-book", "lxml", "sphinxcontrib-katex"} <= taken
    assert taken < names("requirements.txt")
    assert taken.isdisjoint({"torch", "matplotlib", "jupyterlab", "pytest", "playwright"})


def test_what_builds_and_publishes_is_imported_where_only_the_book_is_built():
    # What the environment of the book lacks can't be imported here, either.
    missing = "sys.modules.update(dict.fromkeys(['numpy', 'torch', 'matplotlib', 'ipywidgets']))"
    code = f"import sys; sys.path.insert(0, ''); {missing}; import pages, tools.translate"
    subprocess.run([sys.executable, "-c", code], cwd=chapters.ROOT, check=True)
