"""What all kinds of panels have in common, and the registry of the kinds."""

from typing import Any, ClassVar

import numpy as np

from ..language import deferred, say
from ..numerals import NOISE
from ..texts import letters

# The kinds by name; a class that has a `kind` registers itself.
KINDS: dict[str, "type[Panel]"] = {}


class Panel:
    """A kind of panel.

    An object is what an author's function returns for one state. It checks itself (`what` names
    it in errors):

    - `spec(what)`: the panel as JSON but for its numbers, with "kind" and "shape". Only what
      `texts.WORDS` names may change with the state.
    - `tables(what)`: the numbers of this state: name of the table -> (rows, columns) array, where
      NaN is masked.
    - `tensors(live)`: the same tables by PyTorch, for live figures; `live` is the module
      `live.tensors`. A kind that leaves it out is refused there.

    The static methods see the specs, and the tables of all states, (states, rows, columns):

    - `made_of(given)`: the panel that shows a result which is none, or None;
    - `shaded(spec, tables)`: the numbers that have a role's colours: pairs of role and array;
    - `bind(specs, tables, what, controls, panels)`: find the controls and panels that are named;
    - `finish(spec, tables, scales, heights)`: what all states share, such as axes; `scales` are
      those of the roles, `heights` the ends of what is not drawn in shades, by role;
    - `ragged(key, spec)`: whether a table may have more or fewer numbers in another state, where
      NaN stands for those that it lacks;
    - `fineness(key, spec, table)`: the largest error of a table, in parts of its range;
    - `describe(spec)`: what it shows, in words without numbers; `summary(specs, tables)`: a line
      of text with a few numbers.

    Those of the still picture see one state:

    - `prepare(panel, tables, panels, places, read)`: add what else the picture shows;
    - `picture_size(panel)`: room on the left, width and height, in inches;
    - `draw(axes, panel, tables, scales)`: draw it on matplotlib's axes;

    The page draws it by the class that is registered under the same name in `js/panels/`.
    """

    kind: ClassVar[str]
    # Whether its picture has a frame, and whether it shows pictures, which have many colours.
    framed: ClassVar[bool] = False
    # Whether it draws its numbers in the shades of its role's scale.
    tinted: ClassVar[bool] = True
    # What cells without a number are called.
    missing: ClassVar[str] = deferred("masked")
    pictured: ClassVar[bool] = False

    def __init_subclass__(cls, **given: Any) -> None:
        super().__init_subclass__(**given)
        if "kind" in vars(cls):
            KINDS[cls.kind] = cls

    def spec(self, what):
        raise NotImplementedError

    def tables(self, what):
        return {}

    def tensors(self, live):
        raise NotImplementedError

    @staticmethod
    def made_of(given):
        return None

    @staticmethod
    def shaded(spec, tables):
        return []

    @staticmethod
    def bind(specs, tables, what, controls, panels):
        pass

    @staticmethod
    def finish(spec, tables, scales, heights):
        return {}

    @staticmethod
    def ragged(key, spec):
        return False

    @staticmethod
    def fineness(key, spec, table):
        return 0.0005

    @staticmethod
    def describe(spec):
        return say(spec["kind"])

    @staticmethod
    def summary(specs, tables):
        """The kind, the shape, and the numbers of all states in short."""
        spec = specs[0]
        table = next((tables[key] for key in ("cells", "ly", "border") if key in tables), None)
        rows, columns = spec["shape"]
        name = spec["name"] or say(spec.get("role", spec["kind"]))
        text = f"{name}: {say(spec['kind'])} {rows} x {columns}"
        if table is None:
            return text
        if "y" in spec.get("log", ""):
            table = 10.0**table
        if masked := int(np.isnan(table).sum()):
            text += f", {say(KINDS[spec['kind']].missing)} {masked / table.size:.3g}"
        if masked < table.size:
            low, high, mean = np.nanmin(table), np.nanmax(table), np.nanmean(table)
            if abs(mean) < NOISE * max(-low, high):
                mean = 0.0
            numbers = {"low": low + 0.0, "high": high + 0.0, "mean": mean}
            numbers = {key: f"{number:.3g}" for key, number in numbers.items()}
            text += say(", min {low}, max {high}, mean {mean}", **numbers)
        return text

    @staticmethod
    def prepare(panel, tables, panels, places, read):
        if "touch" in panel:
            panel["chosen"] = [None if n is None else places[n] for n in panel["touch"]]

    @staticmethod
    def picture_size(panel):
        return tick_room(panel), 2.9, 1.8

    @staticmethod
    def draw(axes, panel, tables, scales):
        raise NotImplementedError


def tick_room(panel):
    """Room for the ticks on the left of a panel's picture, in inches."""
    return 0.4 + 0.065 * max((letters(text) for _, text in panel["y"]), default=0)
