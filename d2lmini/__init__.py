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
    "show_heatmaps": "heatmaps",
    "explore": "explorer",
    "Heatmap": "explorer",
    "Curve": "explorer",
    "Bars": "explorer",
    "Prediction": "explorer",
    "check_shape": "exercises",
}

__all__ = [*_HOME, "exercises"]


def __getattr__(name):
    if name == "exercises":
        return import_module("d2lmini.exercises")
    if name not in _HOME:
        raise AttributeError(f"module 'd2lmini' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"d2lmini.{_HOME[name]}"), name)
    return value


def __dir__():
    return sorted(__all__)
