"""Words and grids: what they store, and their still pictures."""

from unittest import mock

import numpy as np
import pytest
from shown import softmax

from kernelfree import Grid, Words, explore, explorer

TEXT = {"cat": ["the", "cat", "sat"], "long": ["it", "was", "too", "tired", "."]}
SIZES = {name: (2, len(text), len(text)) for name, text in TEXT.items()}
WEIGHTS = {name: softmax(np.random.default_rng(1).normal(size=size)) for name, size in SIZES.items()}


def heads(text, head):
    grid = Grid("words", touch="head", border=[1.0, 3.0], label="turn")
    return {"heads": grid, "words": Words(TEXT[text], WEIGHTS[text][head])}


def pictured(made):
    """What the still picture of the present state is drawn from: a panel's tables each."""
    with mock.patch.object(explorer, "draw", wraps=explorer.draw) as draw:
        assert made._picture()[0].startswith(b"\x89PNG")
    return draw.call_args.args[2]


def test_sentences_of_different_lengths_keep_their_words_and_weights():
    made = explore(heads, text=list(TEXT), head=range(2))
    for name, text in TEXT.items():
        truth = np.full((2, 5, 5), np.nan)
        truth[:, : len(text), : len(text)] = WEIGHTS[name]
        for head in range(2):
            made.value = {"text": name, "head": head}
            panel = made._now()[0][1]
            assert panel["tokens"] == text
            assert panel["shape"] == [len(text)] * 2
            assert panel["columnNames"] == text
            grid, words = pictured(made)
            np.testing.assert_allclose(words["cells"], truth[head], atol=5e-4)
            # Thumbnails are the other panel in other states.
            np.testing.assert_allclose(grid["thumbs"], truth[None], atol=5e-4)
    grid = made._state["panels"][0]
    assert grid["touch"] == [None, 1]
    assert (grid["of"], grid["shape"], grid["most"]) == (1, [1, 2], 3.0)
    assert list(grid["tables"]) == ["border"]


def test_words_without_numbers_and_an_output_that_grows():
    def output(step):
        grown = ["a", "b", "c"][:step] + [""] * (3 - step)
        return {"in": Words(["x", "y"], [0.5, 0.5], grown), "": Words(["p", "q", "r"])}

    made = explore(output, step=range(4))
    assert [panel["tables"] for panel in made._state["panels"][1:]] == [{}]
    assert made._now()[0][0]["target"] == ["", "", ""]
    made.value = {"step": 2}
    assert made._now()[0][0]["target"] == ["a", "b", ""]
    assert pictured(made)
    assert repr(made).count("words 1 x") == 2
    assert "words: x y / a b" in made._html((b"", 1, 1))


@pytest.mark.parametrize("lines", [False, True])
@pytest.mark.parametrize("target", [None, ["注意力", "שלום", "", "x" * 90]])
def test_any_script_has_a_still_picture(lines, target):
    if lines and target is None:
        target = ["only"]
    tokens = ["我", "مرحبا", "$x$ & <b>", "", "long " * 9, "y" * 80]
    weights = softmax(np.arange(6.0))
    made = explore(lambda a: Words(tokens, weights * a, target, lines), a=[1, 0])
    assert pictured(made)
