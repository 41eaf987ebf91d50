"""Cells and bars that set controls where they are touched."""

import torch
from drawn import cell

from d2lmini import Bars, Heatmap, explore


def test_cells_and_bars_set_controls(show):
    rows = torch.softmax(torch.arange(12.0).reshape(3, 4) % 5, -1)

    def touched(query=0, key=0):
        cells = {"cells": Heatmap(rows, touch=("query", "key"))}
        row = {"rows": Heatmap(rows, touch=("query", None)), "bars": Bars(rows[query], touch="key")}
        return {**cells, **row, "says": f"query {query}, key {key}"}

    page = show(explore(touched, query=range(3), key=range(4)))
    said = page.locator(".foot p").first
    canvases = page.locator("canvas[tabindex]")

    for panel, across, down, told in (
        (0, 3, 1, "query 1, key 3"),
        (1, 0, 2, "query 2, key 3"),  # a row, wherever it is touched
        (2, 1, 0, "query 2, key 1"),
    ):
        canvas = canvases.nth(panel)
        canvas.click(position=cell(canvas, across, down))
        assert said.text_content() == told
    for panel, keys, told in (
        (2, ["ArrowRight"], "query 2, key 2"),
        (1, ["ArrowUp", "ArrowRight"], "query 1, key 2"),
        (0, ["ArrowUp", "ArrowLeft"], "query 0, key 1"),
    ):
        canvases.nth(panel).focus()
        page.keyboard.press("Escape")
        for key in keys:
            page.keyboard.press(key)
        assert said.text_content() == told
    assert "arrow keys choose query and key" in canvases.first.get_attribute("aria-label")
    # The chosen cell has a frame in the query's colour, and the others have none.
    page.keyboard.press("Escape")
    framed = page.evaluate(
        """() => {
          const canvas = root().querySelector("canvas");
          const [left, top, wide, high] = canvas.dataset.cells.split(",").map(Number);
          const color = (r, c) => [...canvas.getContext("2d").getImageData(
            left + (c + 0.5) * wide, top + r * high + 1, 1, 1).data].join();
          const cells = [0, 1, 2].flatMap((r) => [0, 1, 2, 3].map((c) => [r, c]));
          return cells.filter(([r, c]) => color(r, c) === "31,111,208,255");
        }"""
    )
    assert framed == [[0, 1]]
