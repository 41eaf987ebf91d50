"""A page's cells as they are run: a cell, and before it what it needs from above and has not run yet."""

from . import above, cells
from .above import SETTINGS


class Session:
    """Cells in one space, as a notebook's; what a cell leaves counts as long as its source, and all above that it
    stands on, stay the same."""

    def __init__(self, reset=lambda: None):
        self.space, self.reset = {"__name__": "__main__"}, reset
        self.owners = {}  # name -> (cell, what it stood on), of all that cells have bound

    def run(self, sources, at, skipped=(), typed=()):
        """What `cells.run` says of cell `at`; where one above fails first, what it says, and "above": that cell.

        `skipped` cells count for nothing: they are no part of what is above.
        """
        self.names, self.sources = above.read(sources), sources
        self.skipped, self.traces = set(skipped), {}
        order = self.order(at)
        for cell in order:
            self.forget(cell)
            done = cells.run(sources[cell], self.space, typed if cell == at else (), quiet=cell != at)
            whole = not (done["error"] or "asks" in done)
            for name in self.names[cell].binds:
                self.owners[name] = (cell, self.trace(cell) if whole else None)
            if cell == at or not whole:
                above_it = {} if cell == at else {"above": cell}
                return {**done, "before": order[:-1], "on": sorted(self.stands_on(at)), **above_it}

    def giver(self, cell, name):
        """The last cell above that binds a name."""
        found = (one for one in reversed(range(cell)) if one not in self.skipped and name in self.names[one].binds)
        return next(found, None)

    def givers(self, cell):
        """{name: cell} of what a cell takes from above."""
        found = {name: self.giver(cell, name) for name in self.names[cell].needs}
        return {name: one for name, one in found.items() if one is not None}

    def stands_on(self, cell):
        """All cells above that a cell needs, whether they have run already or not."""
        found, new = set(), {cell}
        while new:
            new = {giver for one in new for giver in self.givers(one).values()} - found
            found |= new
        return found

    def trace(self, cell):
        """What a cell stands on: its source, and those of the cells that give it its names."""
        if cell not in self.traces:
            below = sorted({self.trace(one) for one in self.givers(cell).values()})
            self.traces[cell] = hash((self.sources[cell], *below))
        return self.traces[cell]

    def order(self, at):
        """The cells to run, in the page's order: what they would find then is what they need."""
        wanted = {at}
        while True:
            owners, missing = dict(self.owners), set()
            for cell in sorted(wanted):
                for name, giver in self.givers(cell).items():
                    if owners.get(name) != (giver, self.trace(giver)):
                        missing.add(giver)
                owners |= dict.fromkeys(self.names[cell].binds, (cell, self.trace(cell)))
            if missing <= wanted:
                return sorted(wanted)
            wanted |= missing

    def forget(self, cell):
        """Take away what only cells below have left: a cell does not see them."""
        for name in self.names[cell].needs - set(self.givers(cell)):
            if self.owners.pop(name, None):
                self.space.pop(name, None)
                if name == SETTINGS:
                    self.reset()
