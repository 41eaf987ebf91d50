"""What a figure in the browser shows, read back as numbers and held against torch."""

import numpy as np

from kernelfree import numerals, states

# What the page's side of the tests needs: the figure's shadow root, and all that it shows.
HELPERS = """
window.root = (n = 0) => document.querySelectorAll(".kernelfree-figure > div")[n].shadowRoot;
window.move = (control, option, n = 0) => {
  const node = root(n).getElementById("c" + control);
  if (node.type === "checkbox") node.checked = option === 1;
  else if (node.type === "range") node.value = option;
  else node.selectedIndex = option;
  node.dispatchEvent(new Event(node.type === "range" ? "input" : "change"));
};
window.tables = (n = 0) => [...root(n).querySelectorAll(".numbers table")].map((table) =>
  [...table.tBodies[0].rows].map((row) =>
    [...row.cells].slice(1).map((cell) => cell.textContent.replaceAll("\\u2212", "-"))));
// The colours near the upper left corner of each cell, inside the frame of a chosen one.
window.colors = (n = 0) => [...root(n).querySelectorAll(".panel")].map((panel) => {
  const canvas = panel.querySelector("canvas[data-cells]");
  if (!canvas) return [];
  const px = Math.round(2 * canvas.width / parseFloat(canvas.style.width)) / 2;
  const [left, top, wide, high] = canvas.dataset.cells.split(",").map((length) => length * px);
  const ink = canvas.getContext("2d");
  const image = ink.getImageData(0, 0, canvas.width, canvas.height);
  const found = [];
  const inside = Math.max(2, Math.min(5, wide / 5, high / 5));
  for (let y = top + inside; y < top + high * Math.round((canvas.height - top) / high); y += high) {
    const row = [];
    for (let x = left + inside; x < canvas.width - 1; x += wide) {
      const at = 4 * (Math.floor(y) * canvas.width + Math.floor(x));
      row.push([...image.data.slice(at, at + 4)]);
    }
    found.push(row);
  }
  return found;
});
"""

# What is written on canvases: a box for each text, in their pixels, and how it stands.
WRITTEN = """
window.written = new Map();
const write = CanvasRenderingContext2D.prototype.fillText;
CanvasRenderingContext2D.prototype.fillText = function (text, x, y, most) {
  const size = this.measureText(text);
  const narrow = Math.min(1, most / size.width || 1);
  const at = this.getTransform();
  const corners = [-size.actualBoundingBoxLeft, size.actualBoundingBoxRight].flatMap((a) =>
    [-size.actualBoundingBoxAscent, size.actualBoundingBoxDescent].map((b) =>
      at.transformPoint(new DOMPoint(x + narrow * a, y + b))));
  const ends = (axis) => corners.map((corner) => corner[axis]);
  const box = ["x", "y"].map((axis) => [Math.min(...ends(axis)), Math.max(...ends(axis))]);
  if (!written.has(this.canvas)) written.set(this.canvas, []);
  const how = `${this.textAlign} ${this.textBaseline}${at.b ? " turned" : ""}`;
  if (text) written.get(this.canvas).push([text, box.flat(), how]);
  write.call(this, text, x, y, most);
};
window.rewritten = () => {
  written.clear();
  dispatchEvent(new Event("resize"));
  return [...written].map(([canvas, texts]) => [canvas.width, canvas.height, texts]);
};
"""

# A figure as a kernel's widget, with the model between them.
WIDGET = """async ([module, state, value]) => {
  const url = URL.createObjectURL(new Blob([module], { type: "text/javascript" }));
  const { render } = (await import(url)).default;
  const listeners = new Set();
  window.saved = 0;
  window.model = {
    get: (key) => (key === "value" ? value : state),
    set: (_, moved) => {
      value = moved;
      listeners.forEach((draw) => draw());
    },
    on: (_, draw) => listeners.add(draw),
    off: (_, draw) => listeners.delete(draw),
    save_changes: () => saved++,
  };
  const el = document.body.appendChild(document.createElement("div"));
  const stop = render({ model, el });
  window.shown = el.firstChild.shadowRoot;
  // What it leaves behind.
  window.leave = () => {
    stop();
    return [listeners.size, el.childNodes.length];
  };
}"""

# Rows of a spreadsheet, pasted into a field.
PASTE = """(field, text) => {
  const pasted = new ClipboardEvent("paste", { cancelable: true });
  Object.defineProperty(pasted, "clipboardData", { value: { getData: () => text } });
  field.dispatchEvent(pasted);
}"""


def place(figure, canvas, x, y, number=0):
    """Where a point of a figure's first panel, or another with axes, stands on the page."""
    panel, box = figure._state["panels"][number], canvas.bounding_box()
    left, top, wide, high = map(float, canvas.get_attribute("data-cells").split(","))
    (low, end), (bottom, up) = panel["xaxis"], panel["yaxis"]
    right, down = (x - low) / (end - low), (up - y) / (up - bottom)
    return box["x"] + left + right * wide * panel["shape"][1], box["y"] + top + down * high


def cell(canvas, across, down):
    """Where the middle of a cell stands on a canvas; `across` and `down` count from 0."""
    left, top, wide, high = map(float, canvas.get_attribute("data-cells").split(","))
    return {"x": left + (across + 0.5) * wide, "y": top + (down + 0.5) * high}


def rgb(color):
    return np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)])


def number(text):
    return float("nan") if text in ("masked", "none", "") else float(text)


def back_to_numbers(scale, colors):
    """Numbers from the colours (n, 3) of cells, along the colour bar."""
    stops = np.array([rgb(color) for color in scale["light"]])
    places = np.linspace(0, len(stops) - 1, 1024)
    ramp = np.stack([np.interp(places, np.arange(len(stops)), part) for part in stops.T], -1)
    different, which = np.unique(colors, axis=0, return_inverse=True)
    nearest = np.abs(different[:, None] - ramp[None]).sum(-1).argmin(-1) / 1023
    return (scale["low"] + nearest * (scale["high"] - scale["low"]))[which.ravel()]


def known(figure, look):
    """All numbers that a panel has in any state, read from what is stored."""
    stored = figure._state["tables"][look["tables"]["cells" if "cells" in look["tables"] else "ly"]]
    sizes = [len(control["options"]) for control in figure._state["controls"]]
    gap, *rows = stored["data"].split(" ")
    columns = stored["columns"]
    cells = np.concatenate([states.unsqueeze(r, sizes, columns)[1].reshape(-1, columns) for r in rows])
    cells = cells[:, :-1] if stored.get("sums") else cells
    return numerals.unpack(cells, int(gap), stored["decimals"])


def check_table(figure, look, matrix, table):
    """The table's numbers, and the rows' sums, against torch."""
    if not matrix.size:
        assert not table
        return
    shown = np.array([[number(text) for text in row] for row in table])
    if look["kind"] in ("plot", "plane", "grid") or "live" in figure._state:
        # Half of a unit of the last digit that is shown, for columns of numbers of several kinds.
        half = np.array([[0.501 * 10.0 ** -len(text.partition(".")[2]) for text in row] for row in table])
        for axis in look.get("log") or ():
            column = shown[:, "xy".index(axis)]
            stored = 0.000501 * np.ptp(look[f"{axis}axis"]) * np.log(10) * np.abs(column)
            half[:, "xy".index(axis)] = 0.501 * second_digit(column) + stored
    else:
        every = known(figure, look)
        half = np.full(shown.shape, 0.000501 * (np.nanmax(every) - np.nanmin(every)))
    if look["kind"] == "curve" and "y" in (look.get("log") or ()):
        stored = 0.000501 * np.ptp(look["yaxis"]) * np.log(10) * np.abs(shown)
        half = 0.501 * second_digit(shown) + stored
    if look.get("summed") and look["kind"] != "grid":
        assert (np.abs(shown[:, -1] - np.nansum(matrix, -1)) <= half[:, -1]).all()
        shown, half = shown[:, :-1], half[:, :-1]
    assert shown.shape == matrix.shape
    gap = np.isnan(matrix)
    assert (np.isnan(shown) == gap).all()
    assert (np.abs(shown - matrix)[~gap] <= half[~gap]).all()


def second_digit(numbers):
    """What one more in its second digit adds to a number; of a log axis a page shows two digits,
    of a logarithm that is stored."""
    return 10.0 ** (np.floor(np.log10(np.abs(numbers))) - 1)


def check_colors(scale, matrix, colors, zero=False):
    """The numbers that the drawn colours stand for against torch; masked cells are hatched.

    What is 0 has no colour, except where `zero` has one, and nothing else has none, but for what rounding makes of 0.
    """
    drawn = np.array(colors)[: matrix.shape[0], : matrix.shape[1]]
    hatched = np.isnan(matrix)
    assert (drawn[hatched][:, 3] < 200).all()
    span = scale["high"] - scale["low"]
    opaque, numbers = drawn[~hatched][:, 3] == 255, matrix[~hatched]
    assert not drawn[~hatched][~opaque].any()
    assert (opaque[numbers == 0] == zero).all()
    assert (np.abs(numbers[~opaque]) <= 1e-7 * span).all()
    found = back_to_numbers(scale, drawn[~hatched][opaque][:, :3])
    np.testing.assert_allclose(found, numbers[opaque], atol=0.012 * span, rtol=0)
