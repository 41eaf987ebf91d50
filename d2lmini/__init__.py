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
    from .figures.explorer import explore as explore
    from .figures.heatmaps import show_heatmaps as show_heatmaps
    from .figures.panels import Bars as Bars
    from .figures.panels import Curve as Curve
    from .figures.panels import Heatmap as Heatmap
    from .figures.panels import Prediction as Prediction
    from .frameworks import toy as toy
    from .masking import masked_softmax as masked_softmax
    from .multihead import MultiHeadAttention as MultiHeadAttention

    __version__: str

_HOME = {
    "masked_softmax": "masking",
    "Attention": "attention",
    "DotProductAttention": "attention",
    "AdditiveAttention": "attention",
    "BilinearAttention": "attention",
    "DistanceAttention": "attention",
    "MultiHeadAttention": "multihead",
    "show_heatmaps": "figures.heatmaps",
    "explore": "figures.explorer",
    "Heatmap": "figures.panels",
    "Curve": "figures.panels",
    "Bars": "figures.panels",
    "Prediction": "figures.panels",
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
