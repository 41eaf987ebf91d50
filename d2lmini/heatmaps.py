"""Heatmaps of attention weights: one colour scale for all panels, shown once."""

import io
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from kernelfree.book import (
    FAINT,
    INK,
    LARGEST,
    check_text,
    colors_of,
    draw_cells,
    encode,
    in_notebook,
    say,
)

from .roles import ROLES


def show_heatmaps(
    matrices: torch.Tensor | np.ndarray | Sequence[Any],
    xlabel: str,
    ylabel: str,
    titles: Sequence[str] | None = None,
    figsize: tuple[float, float] = (2.5, 2.5),
    cmap: str = "Reds",
) -> None:
    """Show a grid of matrices as heatmaps that share one colour scale and its bar.

    In a notebook the picture appears at once, wherever in the cell the call stands. Elsewhere
    the figure is handed to matplotlib's pyplot, for `plt.show()` or `plt.savefig()`.

    Parameters
    ----------
    matrices : array, (rows, columns, queries, keys)
        A tensor, with a gradient or not, or an array. An entry of -inf, a masked score, is
        hatched; exactly 0 is a dot.
    xlabel, ylabel : str
        What the columns and the rows of every matrix are.
    titles : list of str, optional
        One for each column of panels.
    figsize : (float, float)
        Width and height of the whole figure, in inches.
    cmap : str
        "Reds" are the book's reds, which fit light and dark pages; else a matplotlib colour map.

    Raises
    ------
    ValueError
        When the matrices don't have four axes, are empty, or hold NaN or +inf.

    Notes
    -----
    Rows and columns are counted from 1. The scale runs from 0 to the largest entry of all panels.
    If there are negative entries it starts at the smallest of them instead, so that no two values
    share a colour.
    """
    matrices = check_matrices(matrices, titles)
    for what, text in [
        ("xlabel", xlabel),
        ("ylabel", ylabel),
        *(("titles", t) for t in titles or ()),
    ]:
        check_text(what, str(text))
    size = {"figsize": figsize, "layout": "compressed", "facecolor": "none"}
    if in_notebook():
        from IPython.display import display
        from matplotlib.figure import Figure

        figure = draw_heatmaps(Figure(**size), matrices, xlabel, ylabel, titles, cmap)
        display(picture(figure, matrices, cmap), raw=True)
    else:
        from matplotlib import pyplot as plt

        draw_heatmaps(plt.figure(**size), matrices, xlabel, ylabel, titles, cmap)


# The colour map that is the book's own.
OURS = "Reds"


def draw_heatmaps(figure, matrices, xlabel, ylabel, titles, cmap):
    """Draw the panels into a figure and return it."""
    scale = colour_scale(matrices)
    colors = colors_of(*scale, ROLES["weight"][0]) if cmap == OURS else cmap
    rows, columns = matrices.shape[:2]
    axes = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    for i in range(rows):
        for j in range(columns):
            draw_matrix(axes[i, j], matrices[i, j].numpy(), scale, colors)
            if i == rows - 1:
                axes[i, j].set_xlabel(xlabel, color=INK)
            if j == 0:
                axes[i, j].set_ylabel(ylabel, color=INK)
            if titles is not None:
                axes[i, j].set_title(titles[j], color=INK)
    wide, high = figure.get_size_inches()
    high = min(high, wide * rows * matrices.shape[2] / (columns * matrices.shape[3]))
    # The bar is 0.8 of the panels high, and a tenth of an inch wide.
    bar = figure.colorbar(axes[0, 0].images[0], ax=axes, shrink=0.8, aspect=max(2, 8 * high))
    ticks = np.linspace(*scale, 3)  # its ends are the ends of the colours
    bar.set_ticks(ticks, labels=[f"{tick:.2g}" for tick in ticks])
    bar.ax.tick_params(labelcolor=INK, length=0)
    bar.ax.patch.set_visible(False)
    bar.outline.set_visible(False)
    return figure


def draw_matrix(axes, matrix, scale, colors):
    """One panel; its rows and columns are counted from 1."""
    draw_cells(axes, np.where(np.isneginf(matrix), np.nan, matrix), *scale, colors)
    axes.set_aspect("equal")
    axes.patch.set_visible(False)
    axes.spines[:].set(color=FAINT, linewidth=0.6)
    for count, set_ticks in zip(matrix.shape, (axes.set_yticks, axes.set_xticks), strict=True):
        far = step(count)
        shown = range(1, count + 1, far) if far < 5 else [1, *range(far, count + 1, far)]
        set_ticks([place - 1 for place in shown], shown, color=INK)
    axes.tick_params(length=0)


def step(count):
    """At most six numbers stand along an axis of `count` places."""
    return next(n for n in (1, 2, 5, 10, 20, 50, 100, count) if count / n < 6)


def colour_scale(matrices):
    """Return the ends of the scale: 0 and the largest entry; lower than 0 if an entry is."""
    entries = matrices[matrices.isfinite()]
    low = min(0.0, entries.min().item()) if len(entries) else 0.0
    high = max(0.0, entries.max().item()) if len(entries) else 0.0
    return low, high if high > low else low + 1


def picture(figure, matrices, cmap):
    """Return the figure as a notebook output: the same bytes every time, and a line of text."""
    figure.set_dpi(100)
    if cmap == OURS:
        png = encode(figure, [INK, ROLES["weight"][0]])
    else:
        stream = io.BytesIO()
        figure.savefig(stream, format="png", metadata={"Software": None})
        png = stream.getvalue()
    rows, columns, queries, keys = matrices.shape
    sizes = {"rows": rows, "columns": columns, "queries": queries, "keys": keys}
    text = say("Heatmaps: {rows} x {columns} panels of {queries} x {keys}", **sizes)
    return {"image/png": png, "text/plain": f"<{text}>"}


def check_matrices(matrices, titles):
    """Return the matrices as a float64 tensor on the CPU; raise if they can't be drawn."""
    try:
        given = matrices.detach() if isinstance(matrices, torch.Tensor) else torch.tensor(matrices)
    except (TypeError, ValueError, RuntimeError) as error:
        raise TypeError(f"matrices must be an array of numbers, got {matrices!r}") from error
    if given.is_complex():
        raise TypeError(f"matrices must be real numbers, got {given.dtype}; show .abs() or .real")
    matrices = given.to("cpu", torch.float64)
    if matrices.dim() != 4 or not matrices.numel():
        raise ValueError(
            "matrices must have the shape (rows, columns, queries, keys), none of them 0, got "
            f"{tuple(matrices.shape)}"
        )
    colourless = int((matrices.isnan() | (matrices == torch.inf)).sum())
    if colourless:
        raise ValueError(
            "matrices must hold no NaN and no +inf, for which there is no colour, got "
            f"{colourless} of {matrices.numel()}"
        )
    largest = matrices.where(matrices.isfinite(), 0).abs().max().item()
    if largest > LARGEST:
        raise ValueError(f"matrices must be at most {LARGEST:g} in size, got {largest:g}")
    if titles is not None and (isinstance(titles, str) or not isinstance(titles, Sequence)):
        raise TypeError(f"titles must be a list of strings, got {titles!r}")
    if titles is not None and len(titles) != matrices.shape[1]:
        raise ValueError(
            f"titles must be one for each of {matrices.shape[1]} columns, got {len(titles)}"
        )
    return matrices
