"""Masked softmax and attention in MXNet; they live in frameworks/mxnet.py."""

from .frameworks.mxnet import *  # noqa: F403
