"""The book's figures: kernelfree's, with the roles and the names of this book."""

from dataclasses import dataclass
from functools import partial, wraps

from kernelfree import explorer, panels
from kernelfree.colors import add_role as add_role
from kernelfree.controls import Matrix as Matrix
from kernelfree.panels import Area as Area
from kernelfree.panels import Arrows as Arrows
from kernelfree.panels import Bands as Bands
from kernelfree.panels import Borders as Borders
from kernelfree.panels import Curve as Curve
from kernelfree.panels import Field as Field
from kernelfree.panels import Grid as Grid
from kernelfree.panels import Histogram as Histogram
from kernelfree.panels import Lines as Lines
from kernelfree.panels import Plane as Plane
from kernelfree.panels import Plot as Plot
from kernelfree.panels import Points as Points
from kernelfree.panels import Regions as Regions
from kernelfree.panels import Rules as Rules
from kernelfree.panels import Segments as Segments
from kernelfree.prediction import Prediction as Prediction
from kernelfree.trace import trace as trace

from . import roles as roles  # the colours of queries, keys and all the others


@dataclass
class Heatmap(panels.Heatmap):
    role: str = "weight"
    xlabel: str = "Keys"
    ylabel: str = "Queries"


@dataclass
class Bars(panels.Bars):
    role: str = "weight"
    xlabel: str = "Keys"


@dataclass
class Words(panels.Words):
    role: str = "weight"
    xlabel: str = "Keys"
    ylabel: str = "Queries"


for panel in (Heatmap, Bars, Words):
    panel.__doc__ = panel.__base__.__doc__


@wraps(explorer.explore)
def explore(function=None, /, **given):
    given.setdefault("as_panel", partial(panels.as_panel, matrix=Heatmap))
    return explorer.explore(function, **given)
