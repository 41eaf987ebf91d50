"""A single number, large."""

import math
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from ..arrays import finite, numbers
from ..language import deferred, say
from ..numerals import LEAST, LONG, MOST, MOST_DECIMALS, written
from ..palette import INK
from ._panel import Panel

# Digits of the largest number, where an author does not say how many decimals to show.
DIGITS = 4


@dataclass
class Number(Panel):
    """A single number, large, with what it is and its unit.

    Parameters
    ----------
    value : number
    label : str
        What it is; the name of the panel stands above it anyway.
    unit : str
        What stands behind it, such as "GB".
    decimals : int, optional
        How many are shown; otherwise four digits of the largest number in any state, and none of
        whole numbers. What would be 0 so, and is not, has digits of its own.
    """

    value: Any
    label: str = ""
    unit: str = ""
    decimals: int | None = None

    kind = deferred("number")

    def spec(self, what):
        """What of this panel is the same in every state."""
        if self.decimals is not None and self.decimals not in range(13):
            raise ValueError(f"{what}, decimals: expected 0 to 12, got {self.decimals!r}")
        return {
            "kind": self.kind,
            "shape": [1, 1],
            "label": str(self.label),
            "unit": f" {unit}" if (unit := str(self.unit).strip()) else "",
            "digits": self.decimals,
            **({} if self.decimals is None else {"least": 1}),
        }

    def tables(self, what):
        """The number as a table."""
        value = numbers(self.value, what)
        if value.size != 1:
            raise ValueError(f"{what}: expected one number, got shape {value.shape}")
        finite(value, what)
        if self.decimals and np.abs(value).max() * 10.0**self.decimals >= MOST:
            raise ValueError(
                f"{what}: {value.item():g} with {self.decimals} decimals has more than the 15 "
                "digits that a number of a page has; give fewer decimals"
            )
        return {"number": value.reshape(1, 1)}

    def tensors(self, live):
        """The same by PyTorch."""
        return {"number": live.numbers(self.value).reshape(1, 1)}

    @staticmethod
    def made_of(given):
        """A panel of a number, also one of NumPy or PyTorch."""
        single = isinstance(given, Real) or getattr(given, "shape", None) == ()
        return Number(given) if single else None

    @staticmethod
    def finish(spec, tables, scales, heights):
        """How many decimals are shown in all states."""
        if spec["digits"] is not None:
            return {}
        table = tables["number"]
        top = np.abs(table).max() or 1.0
        digits = DIGITS - 1 - math.floor(math.log10(top))
        if top < LONG:
            digits = 0 if (table == np.rint(table)).all() else min(max(0, digits), MOST_DECIMALS)
        return {"digits": digits}

    @staticmethod
    def fineness(key, spec, table):
        """As exact as it is shown, in parts of its range."""
        span = np.ptp(table) or np.abs(table).max() or 1.0
        return 0.5 * 10.0 ** -spec["digits"] / span

    @staticmethod
    def describe(spec):
        """What it shows, in words."""
        label = spec["label"]
        return say("number: {label}", label=label) if label else say("number")

    @staticmethod
    def summary(specs, tables):
        """A line of text: its least and its largest value."""
        spec, table = specs[0], tables["number"]
        name = spec["name"] or spec["label"] or say(spec["kind"])
        least = spec.get("least", LEAST)
        low, high = (written(end, spec["digits"], least) for end in (table.min(), table.max()))
        ends = {"low": low, "high": high, "unit": spec["unit"]}
        return say("{name}: number, {low} to {high}{unit}", name=name, **ends)

    @staticmethod
    def picture_size(panel):
        """Room on the left, width and height, in inches."""
        return 0.1, 2.0, 0.65 if panel["label"] else 0.45

    @staticmethod
    def draw(axes, panel, tables, scales):
        """Write the number into the still picture."""
        number, least = tables["number"][0, 0], panel.get("least", LEAST)
        text = written(number, panel["digits"], least) + panel["unit"]
        style = {"color": INK, "parse_math": True, "transform": axes.transAxes, "va": "top"}
        axes.set_axis_off()
        axes.text(0, 1, text, fontsize=20, **style)
        axes.text(0, 0.3, panel["label"], fontsize=8.5, **style)
