"""How much is tried: with EXHAUSTIVE=1, as in `make test-nightly`, everything."""

import os

import pytest
from hypothesis import settings

EXHAUSTIVE = os.environ.get("EXHAUSTIVE") == "1"

# Arithmetic is the same in each browser; what is drawn and moved may not be.
ANOTHER_BROWSER = "BOOK_BROWSER" in os.environ

# With CI=true every run draws the same examples.
REPEATABLE = os.environ.get("CI", "").lower() in ("1", "true")


def sample(values, *few, rest="nightly"):
    """Parameters of a test: these few in every run, the rest in the longer run of this mark."""
    mark = getattr(pytest.mark, rest)
    return [value if value in few else pytest.param(value, marks=mark) for value in values]


def examples(few, many=2000):
    """Settings for a property: on how many examples it is tried, or on EXAMPLES of them."""
    count = many if EXHAUSTIVE and not ANOTHER_BROWSER else few
    count = int(os.environ.get("EXAMPLES", count))
    return settings(max_examples=count, deadline=None, derandomize=REPEATABLE)
