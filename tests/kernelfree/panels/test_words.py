"""Words and grids: what they store and refuse, and their still pictures."""

from unittest import mock

import numpy as np
import pytest
import torch

from d2lmini import Bars, Curve, Grid, Heatmap, Words, explore
from kernelfree import explorer

TEXT = {"cat": ["the", "cat", "sat"], "long": ["it", "was", "too", "tired", "."]}
WEIGHTS = {
    name: torch.softmax(
        torch.randn(2, len(text), len(text), generator=torch.Generator().manual_seed(1)), -1
    )
    for name, text in TEXT.items()
}


def heads(text, head):
    """Sentences of different lengths: all weights of a head, and all heads."""
    return {
        "heads": Grid("words", touch="head", border=[1.0, 3.0], label="turn"),
        "words": Words(TEXT[text], WEIGHTS[text][head]),
    }


def figure():
    return explore(heads, text=list(TEXT), head=range(2))


def pictured(made):
    """What the still picture of the present state is drawn from: a panel's tables each."""
    with mock.patch.object(explorer, "draw", wraps=explorer.draw) as draw:
        assert made._picture()[0].startswith(b"\x89PNG")
    return draw.call_args.args[2]


def test_sentences_of_different_lengths_keep_their_words_and_weights():
    made = figure()
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


def test_masked_words_are_told_from_those_of_no_weight():
    def row(a):
        return Words(["x", "y", "z"], [0.0, -torch.inf, float("nan")], touch="a")

    stored = explore(row, a=[1, 2, 3])
    [tables] = pictured(stored)
    np.testing.assert_array_equal(tables["cells"], [[0, np.nan, np.nan]])


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


W = ["a", "b"]


@pytest.mark.parametrize(
    ("panel", "error", "message"),
    [
        (Words("a b"), TypeError, "panel 'p', tokens: expected a list of strings, got 'a b'"),
        (Words(["", ""]), ValueError, "panel 'p', tokens: there is no word"),
        (Words(W, [1, 2, 3]), ValueError, "panel 'p', weights: 3 for 2 tokens"),
        (Words(W, [[[1, 2]]]), ValueError, r"panel 'p', weights: expected shape .*\(1, 1, 2\)"),
        (Words(W, torch.ones(3, 2)), ValueError, "weights: 3 rows for 2 words that look"),
        (Words(W, torch.ones(2, 2), ["c"]), ValueError, "2 rows for 1 words that look"),
        (Words(W, [1, float("inf")]), ValueError, "panel 'p', weights: inf at"),
        (Words(W, [1, 2], lines=True), ValueError, "lines go from the words of a target"),
        (Words(W, [1, 2], touch=3), TypeError, "touch: expected the name of a control, got 3"),
        (Words(W, [1, 2], touch="z"), ValueError, "panel 'p', touch: there is no control 'z'"),
        (Words(W, touch="a"), ValueError, "control 'a' has 3 values for 2 things to touch"),
        (Words(W, [1, 2], role="red"), ValueError, "panel 'p': role 'red' is not one of"),
        (Grid("q", "a"), ValueError, "panel 'p', of: 'q' is not one of h"),
        (Grid("h", "z"), ValueError, "panel 'p', touch: there is no control 'z'; there are a"),
        (Grid("h", ("a", "a", "a")), TypeError, "expected one or two names of controls"),
        (Grid("h", "a", [1, 2]), ValueError, r"border: expected shape \[1, 3\], got \[1, 2\]"),
        (Grid("h", "a", [1, -2, 3]), ValueError, "border: -2 is below 0"),
        (Grid("h", "a", [1, float("nan"), 3]), ValueError, "border: nan at"),
    ],
)
def test_bad_words_and_grids_are_named(panel, error, message):
    with pytest.raises(error, match=message):
        explore(lambda a: {"p": panel, "h": Heatmap([[1]]), "b": Bars([1])}, a=[1, 2, 3])


def test_light_is_a_word_that_figures_share():
    made = explore(lambda a: Curve([0, 1], {"y": [0, a]}), a=[1], light="market")
    assert made._state["light"] == "market"
    with pytest.raises(TypeError, match="light: expected a word that figures share, got bool"):
        explore(lambda a: [[a]], a=[1], light=True)


@pytest.mark.parametrize("lines", [False, True])
@pytest.mark.parametrize("target", [None, ["注意力", "שלום", "", "x" * 90]])
def test_any_script_has_a_still_picture(lines, target):
    if lines and target is None:
        target = ["only"]
    tokens = ["我", "مرحبا", "$x$ & <b>", "", "long " * 9, "y" * 80]
    weights = torch.softmax(torch.arange(6.0), 0)
    made = explore(lambda a: Words(tokens, weights * a, target, lines), a=[1, 0])
    assert pictured(made)


@pytest.mark.parametrize("panel", [Heatmap([[1, 2], [3, 4]], touch="b"), Bars([1, 2], touch="b")])
def test_a_touched_cell_or_bar_needs_a_control_with_a_value_for_each(panel):
    made = explore(lambda a, b: panel, a=[1, 2, 3], b=["x", "y"])
    assert made._state["panels"][0]["touch"] == [None, 1]
    for controls, message in (
        ({"a": [1]}, "touch: there is no control 'b'"),
        ({"b": [1]}, "touch: control 'b' has 1 values for 2 things to touch"),
    ):
        with pytest.raises(ValueError, match=message):
            explore(lambda panel=panel, **_: panel, **controls)
    panel.touch = 3
    with pytest.raises(TypeError, match="touch: expected one or two names of controls, got 3"):
        explore(lambda a: panel, a=[1])
