"""Heatmaps of attention weights: one colour scale for all panels, shown once."""

import io
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch


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
        A tensor, with a gradient or not, or an array. An entry of -inf, a masked score, is left
        blank.
    xlabel, ylabel : str
        What the columns and the rows of every matrix are.
    titles : list of str, optional
        One for each column of panels.
    figsize : (float, float)
        Width and height of the whole figure, in inches.
    cmap : str
        A matplotlib colour map.

    Raises
    ------
    ValueError
        When the matrices don't have four axes, are empty, or hold NaN or +inf.

    Notes
    -----
    The scale runs from 0 to the largest entry of all panels. If there are negative entries it
    starts at the smallest of them instead, so that no two values share a colour.
    """
    matrices = check_matrices(matrices, titles)
    size = {"figsize": figsize, "layout": "compressed"}
    if in_notebook():
        from IPython.display import display
        from matplotlib.figure import Figure

        figure = draw_heatmaps(Figure(**size), matrices, xlabel, ylabel, titles, cmap)
        display(picture(figure, matrices), raw=True)
    else:
        from matplotlib import pyplot as plt

        draw_heatmaps(plt.figure(**size), matrices, xlabel, ylabel, titles, cmap)


def draw_heatmaps(figure, matrices, xlabel, ylabel, titles, cmap):
    """Draw the panels into a figure and return it."""
    low, high = colour_scale(matrices)
    rows, columns = matrices.shape[:2]
    axes = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    for i in range(rows):
        for j in range(columns):
            image = axes[i, j].imshow(matrices[i, j].numpy(), cmap=cmap, vmin=low, vmax=high)
            if i == rows - 1:
                axes[i, j].set_xlabel(xlabel)
            if j == 0:
                axes[i, j].set_ylabel(ylabel)
            if titles is not None:
                axes[i, j].set_title(titles[j])
    figure.colorbar(image, ax=axes, shrink=0.6)
    return figure


def colour_scale(matrices):
    """Return the ends of the scale: 0 and the largest entry; lower than 0 if an entry is."""
    entries = matrices[matrices.isfinite()]
    low = min(0.0, entries.min().item()) if len(entries) else 0.0
    high = max(0.0, entries.max().item()) if len(entries) else 0.0
    return low, high if high > low else low + 1


def picture(figure, matrices):
    """Return the figure as a notebook output: the same bytes every time, and a line of text."""
    png = io.BytesIO()
    figure.savefig(png, format="png", dpi=100, metadata={"Software": None})
    rows, columns, queries, keys = matrices.shape
    text = f"<Heatmaps: {rows} x {columns} panels of {queries} x {keys}>"
    return {"image/png": png.getvalue(), "text/plain": text}


def in_notebook():
    """Whether a Jupyter kernel runs this."""
    try:
        from IPython import get_ipython
    except ImportError:
        return False
    return hasattr(get_ipython(), "kernel")


def check_matrices(matrices, titles):
    """Return the matrices as a float64 tensor on the CPU; raise if they can't be drawn."""
    try:
        matrices = torch.as_tensor(matrices).detach().to("cpu", torch.float64)
    except (TypeError, ValueError, RuntimeError) as error:
        raise TypeError(f"matrices must be an array of numbers, got {matrices!r}") from error
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
    if titles is not None and len(titles) != matrices.shape[1]:
        raise ValueError(
            f"titles must be one for each of {matrices.shape[1]} columns, got {len(titles)}"
        )
    return matrices
