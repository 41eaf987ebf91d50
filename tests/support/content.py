"""Panels of all that is no table of numbers."""

import numpy as np
from matplotlib.figure import Figure

from kernelfree import Html, Image, Number, Table, Text


class Frame:
    """A DataFrame of pandas, as far as it is asked."""

    class Index(list):
        name = None

    index, columns = Index(["x", ""]), ["a", "b"]

    def itertuples(self, name):
        return iter([("x", 1, 1), ("", 2, 2)])

    def _repr_html_(self):
        head = "<thead><tr><th></th><th>a</th><th>b</th></tr></thead>"
        return f"<table>{head}<tbody><tr><th>x</th><td>1</td><td>2</td></tr></tbody></table>"


def shown(size):
    sheet = Figure(figsize=(3, 2))
    sheet.subplots().plot([0, 1], [0, size])
    return {
        "drawing": sheet,
        "grey": Image(np.eye(4) * size / 2, alt=f"a diagonal of {size}"),
        "text": Text(f"first line\nsize {size}"),
        "length": Number(size / 4, "how long", "m"),
        "table": Table([["name", "size"], ["a", size], ["b", 0.5]]),
        "frame": Table(Frame()),
        "html": Html(f"<p onclick='x()'>about <b>{size}</b><script>x()</script></p>"),
        "frame's own": Html(Frame()),
    }


def colors(page, *places):
    """The colour of each picture at a place, from 0 to 1 across and down."""
    return page.locator(".image canvas").evaluate_all(
        """(all, places) => all.map((node, i) => {
          const [x, y] = places[i];
          const at = [Math.floor(x * node.width), Math.floor(y * node.height), 1, 1];
          return [...node.getContext("2d").getImageData(...at).data];
        })""",
        places,
    )
