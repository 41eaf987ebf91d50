"""Small inputs that are the same numbers in every framework; NumPy alone makes them."""

import json
from pathlib import Path

import numpy as np


def inputs(query_size):
    """Return queries (2, 1, query_size), keys (2, 10, 2) and values (2, 10, 4) in float32.

    Sizes as in chapters 6 and 7: a query of size 2 for dot products, of size 20 for additive
    attention.
    """
    random = np.random.default_rng(query_size)
    shapes = ((2, 1, query_size), (2, 10, 2), (2, 10, 4))
    return tuple(random.standard_normal(shape).astype(np.float32) for shape in shapes)


def parameters():
    """Return W_q (8, 20), W_k (8, 2) and w_v (1, 8) in float32, by name.

    Their shapes are (outputs, inputs), as PyTorch and MXNet keep them; Flax and Keras keep the
    transpose.
    """
    random = np.random.default_rng(8)
    shapes = {"W_q": (8, 20), "W_k": (8, 2), "w_v": (1, 8)}
    scales = {"W_q": 0.25, "W_k": 1.0, "w_v": 1.0}
    return {
        name: (scales[name] * random.standard_normal(shape)).astype(np.float32)
        for name, shape in shapes.items()
    }


def mxnet_outputs():
    """Return what MXNet 1.9.1 computed from these numbers; see tools/mxnet_outputs.py."""
    return json.loads(Path(__file__).with_name("mxnet_outputs.json").read_text(encoding="utf-8"))
