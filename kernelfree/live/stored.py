"""What a live figure stores, and its numbers in any state: its function may be gone."""

from ..controls import has_stops
from ..numerals import decimals_of
from ..panels import KINDS
from ..texts import choice, chosen, merged
from .combinations import numbers_of, written
from .free_controls import tensor_of


class Live:
    """The numbers of a live figure in any state, by PyTorch's own operations."""

    def __init__(self, state, sizes):
        self.state, self.sizes, self.known = state, sizes, (None, None)

    def numbers(self, places):
        """All tables of a state, and the numbers of its sentence."""
        if self.known[0] != places:
            live = self.state["live"]
            page = chosen(live["graphs"], self.sizes, places)
            page = {**page, "steps": live["steps"][page["steps"]]}
            page["constants"] = [live["constants"][n] for n in page["constants"]]
            pairs = zip(self.state["controls"], places, strict=True)
            inputs = [tensor_of(c, place) for c, place in pairs if not has_stops(c)]
            self.known = places, numbers_of(page, inputs)
        return self.known[1]

    def reader(self):
        """A function (number of a table, places) -> its rows."""
        return lambda number, places: self.numbers(places)[0][number]

    def says(self, places):
        pieces = chosen(self.state["says"], self.sizes, places)
        return written(pieces, self.numbers(places)[1])


def stored(states, found, controls):
    """The panels, the graphs and the sentences of a live figure, as JSON has them."""
    sizes = [len(c["options"]) if has_stops(c) else 1 for c in controls]
    samples = len(states.says) // len(found)
    panels, tables = [], []
    for variants, which, part in zip(states.specs, states.which, states.tables, strict=True):
        numbered = {}
        for key in sorted(part):
            numbered[key] = len(tables)
            sums = {"sums": True} if key == "cells" else {}
            fine = KINDS[variants[0]["kind"]].fineness(key, variants[0], part[key])
            tables.append({**sums, "decimals": decimals_of(part[key], fine)})
        panels.append({**merged(variants, which[::samples], sizes), "tables": numbered})
    constants, steps, graphs = [], [], []
    for page, _ in found:
        numbers = [placed(one, constants) for one in page["constants"]]
        at = placed(page["steps"], steps)
        graphs.append({"constants": numbers, "steps": at, "outputs": page["outputs"]})
    live = {"inputs": found[0][0]["inputs"], "constants": constants, "steps": steps}
    made = {"panels": panels, "tables": tables, "live": {**live, "graphs": choice(graphs, sizes)}}
    if any(pieces != [""] for _, pieces in found):
        made["says"] = choice([pieces for _, pieces in found], sizes)
    return made


def placed(thing, known):
    """The number of a thing among those that are known."""
    if thing not in known:
        known.append(thing)
    return known.index(thing)
