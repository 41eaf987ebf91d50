"""Figures without a kernel, in a real browser: what they draw, say, and let a reader do."""

import base64
import hashlib
import itertools
import json
import random
import re

import numpy as np
import pytest
import torch
from axe_playwright_python.sync_playwright import Axe
from examples import CONTROLS, QUESTION, figure, html_of, kernels, large, lengths, page_of, steps

from d2lmini.explorer import SCRIPT, Bars, Curve, Heatmap, Prediction, explore

# What the page's side of the tests needs: the figure's shadow root, and all that it shows.
HELPERS = """
window.root = (n = 0) => document.querySelectorAll(".d2lmini-figure > div")[n].shadowRoot;
window.move = (control, option, n = 0) => {
  const node = root(n).getElementById("c" + control);
  if (node.type === "checkbox") node.checked = option === 1;
  else if (node.type === "range") node.value = option;
  else node.selectedIndex = option;
  node.dispatchEvent(new Event(node.type === "range" ? "input" : "change"));
};
window.tables = (n = 0) => [...root(n).querySelectorAll("table")].map((table) =>
  [...table.tBodies[0].rows].map((row) =>
    [...row.cells].slice(1).map((cell) => cell.textContent.replace("\\u2212", "-"))));
// The colours near the upper left corner of each cell of a heatmap.
window.colors = (n = 0) => [...root(n).querySelectorAll(".panel canvas")].map((canvas) => {
  const [left, top, wide, high] = canvas.dataset.cells.split(",").map(Number);
  const ink = canvas.getContext("2d");
  const image = ink.getImageData(0, 0, canvas.width, canvas.height);
  const found = [];
  for (let y = top + 2; y < top + high * Math.round((canvas.height - top) / high); y += high) {
    const row = [];
    for (let x = left + 2; x < canvas.width - 1; x += wide) {
      const at = 4 * (Math.floor(y) * canvas.width + Math.floor(x));
      row.push([...image.data.slice(at, at + 4)]);
    }
    found.push(row);
  }
  return found;
});
"""


@pytest.fixture
def show(page, tmp_path):
    """Open a page of figures, or of HTML, from disk, with the network off."""

    def open_page(*figures, head="", body="", address=""):
        path = tmp_path / "page.html"
        path.write_text(page_of(html_of(*figures) + body, head), encoding="utf-8")
        page.context.set_offline(True)
        page.goto(f"{path.as_uri()}{address}")
        page.evaluate(f"() => {{{HELPERS}}}")
        return page

    return open_page


def expected(function, value):
    """What torch computes: panel name -> matrix with masked cells as NaN, rows of a table."""
    with torch.no_grad():
        result = function(**value)
    panels = result if isinstance(result, dict) else {"": Heatmap(result)}
    return {
        name: next(iter((p if hasattr(p, "tables") else Heatmap(p)).tables(name).values()))
        for name, p in panels.items()
    }


def options_of(function):
    return [
        [False, True] if isinstance(options, bool) else list(options)
        for options in CONTROLS[function].values()
    ]


def number(text):
    return float("nan") if text == "masked" else float(text)


def back_to_numbers(scale, colors):
    """Numbers from the colours (n, 3) of cells, along the colour bar."""
    stops = np.array([[int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in scale["light"]])
    places = np.linspace(0, len(stops) - 1, 1024)
    ramp = np.stack([np.interp(places, np.arange(len(stops)), part) for part in stops.T], -1)
    different, which = np.unique(colors, axis=0, return_inverse=True)
    nearest = np.abs(different[:, None] - ramp[None]).sum(-1).argmin(-1) / 1023
    return (scale["low"] + nearest * (scale["high"] - scale["low"]))[which.ravel()]


def check_table(look, known, matrix, table):
    """The table's numbers, and the rows' sums, against torch."""
    shown = np.array([[number(text) for text in row] for row in table])
    half = 0.000501 * (np.nanmax(known) - np.nanmin(known))
    if look["kind"] != "curve":
        np.testing.assert_allclose(shown[:, -1], np.nansum(matrix, -1), atol=half, rtol=0)
        shown = shown[:, :-1]
    np.testing.assert_allclose(shown, matrix, atol=half, rtol=0, equal_nan=True)


def check_colors(scale, matrix, colors):
    """The numbers that the drawn colours stand for against torch; masked cells are hatched."""
    drawn = np.array(colors)[: matrix.shape[0], : matrix.shape[1]]
    hatched = np.isnan(matrix)
    assert (drawn[~hatched][:, 3] == 255).all()
    assert (drawn[hatched][:, 3] < 200).all()
    found = back_to_numbers(scale, drawn[~hatched][:, :3])
    span = scale["high"] - scale["low"]
    np.testing.assert_allclose(found, matrix[~hatched], atol=0.012 * span, rtol=0)


# ---- the numbers -------------------------------------------------------------------------------


@pytest.mark.parametrize("function", [lengths, steps, kernels, large])
def test_a_walk_of_1000_random_moves_shows_what_torch_computes(show, function):
    made = figure(function)
    page = show(made)
    names, options = list(CONTROLS[function]), options_of(function)
    rng = random.Random(7)
    walk = [(c, rng.randrange(len(options[c]))) for c in rng.choices(range(len(names)), k=1000)]
    # What is shown after every move; a state that comes again must look the same again.
    seen, changed = page.evaluate(
        """([walk, start, large]) => {
          const state = [...start];
          const seen = {};
          const changed = [];
          const table = root().querySelector(".tools button");
          if (!large) table.click();
          walk.forEach(([control, option], i) => {
            move(control, option);
            state[control] = option;
            if (large && i % 50 === 0) table.click();
            const shown = JSON.stringify([large && i % 50 ? null : tables(), colors()]);
            if (large && i % 50 === 0) table.click();
            const key = `${state}${large && i % 50 ? "" : "+"}`;
            seen[key] ??= shown;
            if (seen[key] !== shown) changed.push(i);
          });
          return [seen, changed];
        }""",
        [
            walk,
            [o.index(made.value[n]) for n, o in zip(names, options, strict=True)],
            function is large,
        ],
    )
    assert changed == []
    assert len(seen) > 4
    for key, shown in seen.items():
        places = [int(place) for place in key.rstrip("+").split(",")]
        truth = expected(
            function, {n: o[p] for n, o, p in zip(names, options, places, strict=True)}
        )
        tables, colors = json.loads(shown)
        for at, (look, matrix) in enumerate(
            zip(made._state["panels"], truth.values(), strict=True)
        ):
            if tables:
                check_table(look, made._tables[at]["cells"], matrix, tables[at])
            if look["kind"] == "heatmap":
                check_colors(made._state["scales"][look["role"]], matrix, colors[at])
