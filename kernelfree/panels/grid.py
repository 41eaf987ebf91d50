"""Small multiples of another panel."""

from dataclasses import dataclass

from ..axes import counted, minus
from ..palette import ACCENT
from .checks import Numbers, finite, numbers
from .touch import controls_of, numbered

# What has a matrix to be shown.
SHOWN = ("heatmap", "words")


@dataclass
class Grid:
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
    label: str = "border"

    def look(self, what):
        """What of this panel is the same in every state."""
        touch = controls_of(self.touch, what)
        if touch[1] is None:
            raise TypeError(f"{what}, touch: expected one or two controls, got {self.touch!r}")
        return {"kind": "grid", "of": str(self.of), "touch": touch, "means": str(self.label)}

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

    @staticmethod
    def shaded(look, part):
        """The numbers that have a role's colours: none of its own."""
        return []

    @staticmethod
    def bind(looks, part, what, controls, panels):
        """Find the panel and the controls, which name the rows and columns."""
        [look] = looks
        sides = [controls.get(name) for name in look["touch"]]
        look["touch"] = numbered(look["touch"], (None, None), what, controls)
        found = {panel["name"]: n for n, panel in enumerate(panels) if panel["kind"] in SHOWN}
        if look["of"] not in found:
            raise ValueError(f"{what}, of: {look['of']!r} is not one of {', '.join(found)}")
        down, across = ([minus(str(o)) for o in c["options"]] if c else [""] for c in sides)
        shape = [len(down), len(across)]
        if part and (given := list(part["border"].shape[1:])) != shape:
            raise ValueError(f"{what}, border: expected shape {shape}, got {given}")
        row, column = (side["label"] if side else "" for side in sides)
        role = panels[found[look["of"]]]["role"]
        look |= {
            "of": found[look["of"]],
            "role": role,
            "shape": shape,
            "xlabel": column,
            "ylabel": row,
        }
        look |= {"row": row, "column": column, "rowNames": down, "columnNames": across}

    @staticmethod
    def finish(look, part, scales, spans):
        """What this panel shares over all states: ticks, the thickest border."""
        rows, columns = look["shape"]
        return {
            "x": counted(look["columnNames"], columns),
            "y": counted(look["rowNames"], rows),
            "most": (float(part["border"].max()) if part else 0.0) or 1.0,
            "hue": ACCENT,
        }

    @staticmethod
    def describe(look):
        """What a panel of this kind shows, in words, without its numbers."""
        rows, columns = look["shape"]
        return f"{rows} x {columns} thumbnails"
