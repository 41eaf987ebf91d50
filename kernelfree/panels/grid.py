"""Small multiples of another panel."""

from dataclasses import dataclass

import numpy as np

from ..arrays import Numbers, finite, numbers
from ..axes import counted, minus
from ..language import deferred, say
from ..palette import ACCENT, INK
from ..png import colors_of
from ..texts import shown
from ._panel import Panel, tick_room
from ._touch import control_numbers, controls_of, draw_chosen

# What has a matrix to be shown.
SHOWN = ("heatmap", "words")


@dataclass
class Grid(Panel):
    """Another panel as thumbnails: one for each value of one or two controls.

    The thumbnails are looked up in the numbers of that panel, so they cost nothing.

    Parameters
    ----------
    of : str
        The name of a panel of the same figure: a `Heatmap` or `Words` with weights.
    touch : str, or (str, str)
        The control that a touched thumbnail sets, or the control of the rows and that of the
        columns, such as ("layer", "head"). Mouse, finger and arrow keys choose.
    border : array with a number, at least 0, for each thumbnail, optional
        Its border is as thick as the number is large.
    label : str
        What the borders are, for those who read them out.
    """

    of: str
    touch: str | tuple[str, str]
    border: Numbers | None = None
    label: str = deferred("border")

    kind = deferred("grid")

    def spec(self, what):
        """What of this panel is the same in every state."""
        touch = controls_of(self.touch, what)
        if touch[1] is None:
            raise TypeError(f"{what}, touch: expected one or two controls, got {self.touch!r}")
        return {
            "kind": self.kind,
            "of": str(self.of),
            "touch": touch,
            "means": say(str(self.label)),
        }

    def tables(self, what):
        """The numbers of this state: table name -> (rows, columns) array."""
        if self.border is None:
            return {}
        border = numbers(self.border, f"{what}, border")
        border = border[None] if border.ndim == 1 else border
        finite(border, f"{what}, border")
        if border.min() < 0:
            raise ValueError(f"{what}, border: {border.min():g} is below 0")
        return {"border": border}

    def tensors(self, live):
        """The same tables by PyTorch."""
        if self.border is None:
            return {}
        border = live.numbers(self.border)
        return {"border": border[None] if border.dim() == 1 else border}

    @staticmethod
    def bind(specs, tables, what, controls, panels):
        """Find the panel and the controls, which name the rows and columns."""
        [spec] = specs
        sides = [controls.get(name) for name in spec["touch"]]
        spec["touch"] = control_numbers(spec["touch"], (None, None), what, controls)
        found = {panel["name"]: n for n, panel in enumerate(panels) if panel["kind"] in SHOWN}
        if spec["of"] not in found:
            raise ValueError(f"{what}, of: {spec['of']!r} is not one of {', '.join(found)}")
        down, across = (list(map(in_words, shown(c))) if c else [""] for c in sides)
        shape = [len(down), len(across)]
        if tables and (given := list(tables["border"].shape[1:])) != shape:
            raise ValueError(f"{what}, border: expected shape {shape}, got {given}")
        row, column = (side["label"] if side else "" for side in sides)
        role = panels[found[spec["of"]]]["role"]
        spec |= {
            "of": found[spec["of"]],
            "role": role,
            "shape": shape,
            "xlabel": column,
            "ylabel": row,
        }
        spec |= {"row": row, "column": column, "rowNames": down, "columnNames": across}

    @staticmethod
    def finish(spec, tables, scales, heights):
        """What this panel shares over all states: ticks, the thickest border."""
        rows, columns = spec["shape"]
        return {
            "x": counted(spec["columnNames"], columns),
            "y": counted(spec["rowNames"], rows),
            "most": (float(tables["border"].max()) if tables else 0.0) or 1.0,
            "hue": ACCENT,
            "bar": spec["role"],
        }

    @staticmethod
    def describe(spec):
        """What a panel of this kind shows, in words, without its numbers."""
        rows, columns = spec["shape"]
        return say("{rows} x {columns} thumbnails", rows=rows, columns=columns)

    @staticmethod
    def prepare(panel, tables, panels, places, read):
        """Add the numbers of all thumbnails to those that the still picture shows."""
        Panel.prepare(panel, tables, panels, places, read)
        cells = panels[panel["of"]]["tables"]["cells"]
        rows, columns = map(range, panel["shape"])
        tables["thumbs"] = [
            [read(cells, moved(places, panel["touch"], (row, column))) for column in columns]
            for row in rows
        ]

    @staticmethod
    def picture_size(panel):
        """Room on the left, width and height, in inches."""
        rows, columns = panel["shape"]
        cell = min(0.36, 5.6 / columns)
        return tick_room(panel), cell * columns, cell * rows

    @staticmethod
    def draw(axes, panel, tables, scales):
        """Draw the thumbnails in the still picture."""
        from matplotlib.patches import Rectangle

        rows, columns = panel["shape"]
        axes.set(xlim=(0, columns), ylim=(rows, 0))
        scale = scales[panel["role"]]
        ends = {"vmin": scale["low"], "vmax": scale["high"]}
        shades = {"cmap": colors_of(*ends.values(), scale["still"]), "aspect": "auto", **ends}
        for r in range(rows):
            for c in range(columns):
                thumb = tables["thumbs"][r][c]
                shown = np.where(thumb == 0, np.nan, thumb)
                axes.imshow(shown, extent=(c + 0.16, c + 0.84, r + 0.84, r + 0.16), **shades)
                thick = 2 * tables["border"][r, c] / panel["most"] if "border" in tables else 0.4
                style = {"fill": False, "edgecolor": INK, "linewidth": thick}
                axes.add_patch(Rectangle((c + 0.12, r + 0.12), 0.76, 0.76, **style))
        axes.set(xlim=(0, columns), ylim=(rows, 0))
        draw_chosen(axes, panel, rows, columns)


def in_words(option):
    """An option as a slider shows it."""
    return option if isinstance(option, str) else minus(str(option))


def moved(places, touch, element):
    """The places of all controls where those that a touch sets stand at an element."""
    there = list(places)
    for number, place in zip(touch, element, strict=True):
        if number is not None:
            there[number] = place
    return there
