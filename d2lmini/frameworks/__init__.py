"""Masked softmax and attention in JAX, TensorFlow and MXNet, and what the three share."""

from . import toy as toy
