"""The book's own diagrams; they live in d2lmini/figures/diagrams.py."""

from .figures.diagrams import *  # noqa: F403
