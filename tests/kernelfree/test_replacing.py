"""Files that are written whole or not at all."""

import os
from pathlib import Path

import pytest

from kernelfree.replacing import replace


@pytest.mark.parametrize("moment", ["write_bytes", "replace"])
def test_an_interrupted_write_leaves_the_old_file_whole(tmp_path, monkeypatch, moment):
    path = tmp_path / "page.ipynb"
    path.write_bytes(b"old")

    def half(beside, content):
        with open(beside, "wb") as file:
            file.write(content[:2])
        raise KeyboardInterrupt

    def never(source, target):
        raise KeyboardInterrupt

    where, broken = (os, never) if moment == "replace" else (Path, half)
    monkeypatch.setattr(where, moment, broken)
    with pytest.raises(KeyboardInterrupt):
        replace(path, b"new one")
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["page.ipynb"]


def test_a_link_stays_a_link(tmp_path):
    real, link = tmp_path / "real.ipynb", tmp_path / "link.ipynb"
    real.write_bytes(b"old")
    link.symlink_to(real)
    replace(link, b"new")
    assert link.is_symlink()
    assert real.read_bytes() == b"new"
