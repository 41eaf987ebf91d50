"""Attention scoring functions, the masks they need, and figures that outlive the kernel.

Nothing is imported before it is used: `import d2lmini` costs no more than a dictionary, and
matplotlib and the widgets are loaded by the functions that draw.
"""

from importlib import import_module

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
    "Heatmap": "figures.explorer",
    "Curve": "figures.explorer",
    "Bars": "figures.explorer",
    "Prediction": "figures.explorer",
    "check_shape": "exercises",
}

_ROOMS = {
    "exercises": "d2lmini.exercises",
    "diagrams": "d2lmini.figures.diagrams",
    "toy": "d2lmini.frameworks.toy",
}

__all__ = [*_HOME, "exercises"]


def __getattr__(name):
    if name in _ROOMS:
        return import_module(_ROOMS[name])
    if name not in _HOME:
        raise AttributeError(f"module 'd2lmini' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"d2lmini.{_HOME[name]}"), name)
    return value


def __dir__():
    return sorted(__all__)
