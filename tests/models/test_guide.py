"""The lines of chapter 18's guide, and its delta rule, against the models' own modules."""

from pathlib import Path

import nbformat
import pytest
import torch
from exhaustive import EXHAUSTIVE

transformers = pytest.importorskip("transformers")

# What `make test` runs; `make test-all` runs them all.
FEW = {"llama", "t5", "bloom", "gemma2", "qwen3", "gpt_oss"}
CHAPTER = Path(__file__).parents[2] / "chapters" / "18_a_field_guide.ipynb"


@pytest.fixture
def cells():
    """The chapter's code by the name of its cell; the chapter computes in float64."""
    before = torch.get_default_dtype()
    notebook = nbformat.read(CHAPTER, as_version=4)
    yield {cell.id: cell.source for cell in notebook.cells if cell.cell_type == "code"}
    torch.set_default_dtype(before)


def run(cells, names, space):
    for name in names:
        exec(compile(cells[name], name, "exec"), space)


@pytest.fixture
def chapter(cells):
    """The chapter's names up to the cell that holds its lines to the models."""
    space = {}
    names = ["setup", "imports", "weigh", "weights", "lines"]
    run(cells, [f"t18-{name}" for name in names], space)
    if not EXHAUSTIVE:
        space["GUIDE"] = {name: space["GUIDE"][name] for name in FEW}
    return space


def test_every_line_gives_the_model_s_own_weights(cells, chapter):
    run(cells, ["t18-held"], chapter)
    assert set(chapter["differences"]) == set(chapter["GUIDE"])
    assert len(chapter["GUIDE"]) == (30 if EXHAUSTIVE else 6)
    assert max(chapter["differences"].values()) < 1e-6


# What no model of the guide has at a station.
OTHERS = {
    "norm": {"norm": "LayerNorm", "g": (1, 1), "b": (0, 0)},
    "turn": {"turn": 0.75},
    "factor": {"factor": 0.7},
    "cap": {"cap": 0.5},
    "sink": {"sink": 1.0},
}


@pytest.mark.parametrize("other", OTHERS)
def test_a_line_with_another_answer_does_not(cells, chapter, other):
    weights_of = chapter["weights_of"]
    chapter["weights_of"] = lambda q, k, rule: weights_of(q, k, rule | OTHERS[other])
    run(cells, ["t18-held"], chapter)
    assert min(chapter["differences"].values()) > 1e-3


# With another pairing, heads that turn give other weights.
STILL = {"gpt2", "bert", "t5", "bloom", "mpt"}


def test_a_line_with_another_pairing_does_not(cells, chapter):
    def swapped(line):
        return lambda c: (
            line(c) | {"pairs": "halves" if line(c).get("pairs") == "neighbours" else "neighbours"}
        )

    lines = chapter["GUIDE"].items()
    chapter["GUIDE"] = {name: swapped(line) for name, line in lines if name not in STILL}
    run(cells, ["t18-held"], chapter)
    assert min(chapter["differences"].values()) > 1e-3


# What is left of their lines in the fourth layer, where these do not turn.
FOURTH = {"smollm3": {}, "cohere2": {}, "llama4_text": {}, "exaone4": {"norm": "each head"}}


def test_some_models_do_not_turn_in_every_fourth_layer(cells, chapter):
    chapter["GUIDE"] = {name: lambda c, rule=rule: rule for name, rule in FOURTH.items()}
    run(cells, ["t18-held"], chapter)
    assert min(chapter["differences"].values()) > 1e-3  # the first layers do turn
    torch.set_default_dtype(torch.float32)
    with torch.no_grad():
        assert max(chapter["held_to_modules"](layer=3).values()) < 1e-6


def test_the_delta_rule_is_that_of_qwen3_next(cells, chapter):
    from transformers.models.qwen3_next import modeling_qwen3_next as theirs

    chapter |= {"torch": torch}
    run(cells, ["t18-check4"], chapter)
    torch.set_default_dtype(torch.float32)
    torch.manual_seed(0)
    q, k, v = torch.randn(3, 1, 6, 1, 4)  # (batch, rows, heads, d)
    share, decay = torch.rand(1, 6, 1), -torch.rand(1, 6, 1)
    made, _ = theirs.torch_recurrent_gated_delta_rule(q, k, v, decay, share)
    state, ours = torch.zeros(4, 4), []
    for n in range(6):
        state = state * decay[0, n, 0].exp()
        state = chapter["delta"](state, k[0, n, 0], v[0, n, 0], share[0, n, 0])
        ours.append(state.mT @ q[0, n, 0] / 4**0.5)
    torch.testing.assert_close(torch.stack(ours), made[0, :, 0], atol=1e-5, rtol=0)
