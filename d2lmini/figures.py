"""The book's figures: kernelfree's, with the roles and the names of this book."""

from dataclasses import dataclass
from functools import partial, wraps

import kernelfree
from kernelfree import Area as Area
from kernelfree import Arrows as Arrows
from kernelfree import Bands as Bands
from kernelfree import Borders as Borders
from kernelfree import Curve as Curve
from kernelfree import Field as Field
from kernelfree import Grid as Grid
from kernelfree import Histogram as Histogram
from kernelfree import Lines as Lines
from kernelfree import Matrix as Matrix
from kernelfree import Plane as Plane
from kernelfree import Plot as Plot
from kernelfree import Points as Points
from kernelfree import Prediction as Prediction
from kernelfree import Regions as Regions
from kernelfree import Rules as Rules
from kernelfree import Segments as Segments
from kernelfree import add_role as add_role
from kernelfree import trace as trace
from kernelfree.book import as_panel, deferred

from . import roles as roles  # the colours of queries, keys and all the others


@dataclass
class Heatmap(kernelfree.Heatmap):
    role: str = "weight"
    xlabel: str = deferred("Keys")
    ylabel: str = deferred("Queries")


@dataclass
class Bars(kernelfree.Bars):
    role: str = "weight"
    xlabel: str = deferred("Keys")


@dataclass
class Words(kernelfree.Words):
    role: str = "weight"
    xlabel: str = deferred("Keys")
    ylabel: str = deferred("Queries")


for panel in (Heatmap, Bars, Words):
    panel.__doc__ = panel.__base__.__doc__


@wraps(kernelfree.explore)
def explore(function=None, /, **given):
    given.setdefault("as_panel", partial(as_panel, matrix=Heatmap))
    return kernelfree.explore(function, **given)
