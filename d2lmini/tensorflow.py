"""Masked softmax and attention in TensorFlow; they live in frameworks/tensorflow.py."""

from .frameworks.tensorflow import *  # noqa: F403
