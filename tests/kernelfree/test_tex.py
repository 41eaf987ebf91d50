"""Formulas in titles and labels."""

import re

import numpy as np
import pytest
from matplotlib.textpath import TextPath
from shown import bundle, panel

from kernelfree import Curve, Heatmap, explore
from kernelfree.tex import SIGN, UNIT, reading

BELL = np.exp(-(np.linspace(-2, 2, 9) ** 2))


def made(title="bell", label="t", name="", **given):
    lines = {"wave": BELL, r"$\hat{y}$": BELL / 2}
    curve = Curve(range(9), lines, xlabel=r"Place $\frac{x}{\sigma}$ (\$)", **given)
    return explore(lambda t: {name: curve}, t=[1, 2], title=title, labels={"t": label})


def test_labels_have_words_and_the_state_has_what_draws_them():
    figure = made(title=r"From $5 to $10, $\Sigma_{ij}$", label=r"$\lambda$", name=r"$p(x)$")
    state = figure._state
    assert state["title"] == f"From $5 to $10, {SIGN}Σ_ij{SIGN}"
    assert state["controls"][0]["label"] == f"{SIGN}λ{SIGN}"
    shown = panel(figure)
    assert shown["xlabel"] == f"Place {SIGN}x/σ{SIGN} ($)"
    assert shown["rowNames"] == ["wave", f"{SIGN}hat y{SIGN}"]
    assert {words: source for words, (source, *_) in state["tex"].items()} == {
        "Σ_ij": r"\Sigma_{ij}",
        "λ": r"\lambda",
        "p(x)": "p(x)",
        "x/σ": r"\frac{x}{\sigma}",
        "hat y": r"\hat{y}",
    }
    assert SIGN not in repr(figure)
    assert state["id"] == "figure-from-5-to-10-sigma-ij"
    assert "tex" not in explore(np.eye, N=[1], title="$5 or $6 $")._state


def corners(outline):
    """The places of an outline that are given from one to the next."""
    here, found = np.zeros(2), []
    for numbers in re.findall(r"[mlqc]([^mlqcz]+)", outline):
        steps = np.array(re.findall(r"-?\d+", numbers), float).reshape(-1, 2)
        found += [here + step for step in steps]
        here = found[-1]
    return np.array(found)


@pytest.mark.parametrize("source", [r"\sigma_q", r"\frac{q^\top k}{\sqrt{d_k}}", r"e^{-x^2}"])
def test_an_outline_is_what_mathtext_draws(source):
    _, wide, up, down, outline = made(title=f"${source}$")._state["tex"][reading(source)]
    path = TextPath((0, 0), f"${source}$", size=UNIT)
    truth = path.vertices[path.codes != path.CLOSEPOLY] * [1, -1]
    # The last point of a closed line may be left out.
    np.testing.assert_allclose(corners(outline), truth, atol=0.51)
    assert truth[:, 0].max() <= wide + 1
    assert -up - 1 <= truth[:, 1].min()
    assert truth[:, 1].max() <= down + 1


def test_formulas_that_are_read_alike_are_told_apart():
    curve = Curve([0, 1], {"$x$": [0, 1], r"$\mathbf{x}$": [1, 2], "again $x$": [2, 3]})
    figure = explore(lambda t: curve, t=[1, 2])
    sources = [source for source, *_ in figure._state["tex"].values()]
    assert sources == ["x", r"\mathbf{x}"]
    one, bold, again = panel(figure)["rowNames"]
    assert one != bold
    assert again == f"again {one}"


def test_the_still_picture_writes_formulas_in_the_room_that_they_need():
    low, high = (made(title=title)._picture() for title in ("a", r"$\frac{q^\top k}{\sqrt{d_k}}$"))
    assert high[2] > low[2]
    names = [r"$\frac{a}{b}$ of $1", "$1"]
    weights = explore(lambda t: Heatmap([[t, 1]], xticks=names), t=[1, 2])
    assert bundle(weights)["image/png"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"title": r"$\foo$"}, r"title: expected TeX .* got '\\\\foo'; .*Unknown symbol: \\foo"),
        ({"label": r"a $\frac{x$"}, r"control 't', its label: .*Expected \\frac\{num\}\{den\}"),
        ({"ylabel": r"$x^$"}, "the panel, ylabel: .* mathtext says: ParseSyntax.* \\(at t=1\\)"),
        ({"name": r"$\no$"}, r"panel '\$\\\\no\$', name: .*Unknown symbol: \\no"),
    ],
)
def test_bad_tex_is_named_with_what_mathtext_says(given, message):
    with pytest.raises(ValueError, match=message):
        made(**given)
