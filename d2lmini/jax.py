"""Masked softmax and attention in JAX and Flax; they live in frameworks/jax.py."""

from .frameworks.jax import *  # noqa: F403
