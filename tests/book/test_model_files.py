"""The model's files beside the book: what they hold, and what happens where they can't be made."""

import base64
import hashlib
import json
import struct
import zlib
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from pages import model


@pytest.fixture
def source(tmp_path):
    torch.manual_seed(0)
    tensors = {
        "b.weight": torch.randn(5, 64) * torch.logspace(-6, 2, 5)[:, None],
        "a.bias": torch.randn(7),
        "empty": torch.zeros(2, 32),
        "pooler.dense.bias": torch.randn(3),
        "embeddings.position_ids": torch.arange(4),
    }
    folder = tmp_path / "source"
    folder.mkdir()
    save_file(tensors, folder / "model.safetensors")
    (folder / "vocab.txt").write_text("[PAD]\n\u2028\nthe\n", encoding="utf-8")
    digest = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    return folder, tensors, digest


def held(path):
    text = path.read_text(encoding="ascii")
    assert text.startswith("kernelfreePart(")
    assert text.endswith(")\n")
    return json.loads(text[len("kernelfreePart(") : -2])


def unpacked(data, count):
    """The numbers, one by one, as the format says."""
    found = []
    for at in range(0, len(data), 42):
        (scale,) = struct.unpack("<e", data[at : at + 2])
        for i in range(32):
            high = data[at + 34 + i // 4] >> (2 * (i % 4)) & 3
            found.append(scale * (256 * high + data[at + 2 + i] - 512))
    return np.array(found[:count])


def test_what_is_packed_can_be_read(source, tmp_path, monkeypatch):
    folder, tensors, digest = source
    monkeypatch.setattr(model, "PART", 100)
    model.pack(folder, tmp_path, digest)
    index = held(tmp_path / "index.js")
    parts = [base64.b64decode(held(path)) for path in sorted(tmp_path.glob("part-*.js"))]
    assert [zlib.adler32(part) for part in parts] == index["sums"]
    whole = b"".join(parts)
    assert (len(whole), index["part"]) == (index["size"], 100)
    assert index["vocabulary"].split("\n") == ["[PAD]", "\u2028", "the"]
    assert [name for name, *_ in index["tensors"]] == ["a.bias", "b.weight", "empty"]
    for name, shape, start, rounded in index["tensors"]:
        truth = tensors[name].numpy().flatten()
        assert shape == list(tensors[name].shape)
        if not rounded:
            assert whole[start : start + 4 * len(truth)] == truth.tobytes()
            continue
        found = unpacked(whole[start : start + 42 * len(truth) // 32], len(truth))
        room = np.abs(truth).reshape(-1, 32).max(axis=1).repeat(32) / 511
        # Half a step, and what float16 takes from the scale.
        assert (np.abs(found - truth) <= 0.5 * room + 511 * (room / 2000 + 2**-25)).all()
    assert "Apache License" in (tmp_path / "LICENSE.txt").read_text()
    assert "rounded to 10 bits" in (tmp_path / "NOTE.txt").read_text()
    with pytest.raises(ValueError, match="is not the published file"):
        model.pack(folder, tmp_path, "0" * 64)


@pytest.mark.parametrize("missing", [model.PACKAGE, "numpy", "safetensors"])
def test_without_the_packages_the_book_has_no_parts(tmp_path, monkeypatch, missing):
    here = SimpleNamespace(origin=str(tmp_path / "__init__.py"))
    monkeypatch.setattr(model, "find_spec", lambda name: None if name == missing else here)
    app = SimpleNamespace(outdir=tmp_path / "html")
    model.write(app)
    assert app.book_model is None
    assert list(tmp_path.iterdir()) == []
