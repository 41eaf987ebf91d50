"""What a figure in the browser shows, read back as numbers and held against torch."""

import numpy as np

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
  const px = Math.round(2 * canvas.width / parseFloat(canvas.style.width)) / 2;
  const [left, top, wide, high] = canvas.dataset.cells.split(",").map((length) => length * px);
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


def known(look):
    """All numbers that a panel has in any state, read from what is stored."""
    stored = look["tables"]["cells"]
    lowest, rows, *_ = stored["data"].split(" ")
    numbers = [float("nan") if text == "-" else int(text, 36) for text in rows.split(",")]
    cells = np.reshape(numbers, (-1, stored["columns"]))[:, :-1]  # without the sums
    return (cells + int(lowest)) / 10.0 ** stored["decimals"]


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
