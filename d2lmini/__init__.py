"""Attention scoring functions, the masks they need, and figures that outlive the kernel.

Nothing is imported before it is used: `import d2lmini` costs no more than a dictionary, and
matplotlib and the widgets are loaded by the functions that draw.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # what `__getattr__` does, for editors and type checkers
    from . import exercises as exercises
    from .attention import AdditiveAttention as AdditiveAttention
    from .attention import Attention as Attention
    from .attention import BilinearAttention as BilinearAttention
    from .attention import DistanceAttention as DistanceAttention
    from .attention import DotProductAttention as DotProductAttention
    from .exercises import check_shape as check_shape
    from .figures import diagrams as diagrams
    from .figures.colors import add_role as add_role
    from .figures.explorer import explore as explore
    from .figures.heatmaps import show_heatmaps as show_heatmaps
    from .figures.live.controls import Matrix as Matrix
    from .figures.panels import Area as Area
    from .figures.panels import Arrows as Arrows
    from .figures.panels import Bands as Bands
    from .figures.panels import Bars as Bars
    from .figures.panels import Borders as Borders
    from .figures.panels import Curve as Curve
    from .figures.panels import Field as Field
    from .figures.panels import Grid as Grid
    from .figures.panels import Heatmap as Heatmap
    from .figures.panels import Histogram as Histogram
    from .figures.panels import Lines as Lines
    from .figures.panels import Plane as Plane
    from .figures.panels import Plot as Plot
    from .figures.panels import Points as Points
    from .figures.panels import Regions as Regions
    from .figures.panels import Rules as Rules
    from .figures.panels import Segments as Segments
    from .figures.panels import Words as Words
    from .figures.prediction import Prediction as Prediction
    from .figures.trace import trace as trace
    from .frameworks import toy as toy
    from .masking import masked_softmax as masked_softmax
    from .masks import causal_mask as causal_mask
    from .multihead import MultiHeadAttention as MultiHeadAttention

    __version__: str

_HOME = {
    "masked_softmax": "masking",
    "causal_mask": "masks",
    "Attention": "attention",
    "DotProductAttention": "attention",
    "AdditiveAttention": "attention",
    "BilinearAttention": "attention",
    "DistanceAttention": "attention",
    "MultiHeadAttention": "multihead",
    "show_heatmaps": "figures.heatmaps",
    "explore": "figures.explorer",
    "trace": "figures.trace",
    "Matrix": "figures.live.controls",
    "Heatmap": "figures.panels",
    "Words": "figures.panels",
    "Grid": "figures.panels",
    "Curve": "figures.panels",
    "Bars": "figures.panels",
    "Prediction": "figures.prediction",
    "add_role": "figures.colors",
    "Area": "figures.panels",
    "Arrows": "figures.panels",
    "Bands": "figures.panels",
    "Borders": "figures.panels",
    "Field": "figures.panels",
    "Histogram": "figures.panels",
    "Lines": "figures.panels",
    "Plane": "figures.panels",
    "Plot": "figures.panels",
    "Points": "figures.panels",
    "Regions": "figures.panels",
    "Rules": "figures.panels",
    "Segments": "figures.panels",
    "check_shape": "exercises",
}

_ROOMS = {
    "exercises": "d2lmini.exercises",
    "diagrams": "d2lmini.figures.diagrams",
    "toy": "d2lmini.frameworks.toy",
}

__all__ = [*_HOME, "exercises"]


def __getattr__(name):
    if name == "__version__":
        return _version()
    if name in _ROOMS:
        return import_module(_ROOMS[name])
    if name not in _HOME:
        raise AttributeError(f"module 'd2lmini' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"d2lmini.{_HOME[name]}"), name)
    return value


def __dir__():
    return sorted(__all__)


def _version():
    """The version that was installed; pyproject.toml alone says which it is."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("d2lmini")
    except PackageNotFoundError:  # run from a copy of the files
        return "0+not-installed"
