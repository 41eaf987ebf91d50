"""How much is tried: with EXHAUSTIVE=1, as in `make test-all`, everything."""

import os

from hypothesis import settings

EXHAUSTIVE = os.environ.get("EXHAUSTIVE") == "1"

# With CI=true every run draws the same examples.
REPEATABLE = os.environ.get("CI", "").lower() in ("1", "true")


def examples(count):
    """Settings for a property that is tried on this many examples; 2,000 where all is tried."""
    return settings(
        max_examples=2000 if EXHAUSTIVE else count, deadline=None, derandomize=REPEATABLE
    )
