"""What this project costs beside others and beside what nothing can beat."""

import gzip
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.extend(str(ROOT / room) for room in ("", "tests/support"))

# Else torch's profiler tells of itself between the tables.
os.environ |= {"TORCH_CPP_LOG_LEVEL": "ERROR", "KINETO_LOG_LEVEL": "99"}


def kilobytes(text):
    """Return the kB of a text, and those of it compressed."""
    data = text.encode()
    return [len(part) / 1000 for part in (data, gzip.compress(data, 9))]


def table(title, head, rows):
    """Print a table; the first column is text, the others are numbers or text."""
    rows = [[cell if isinstance(cell, str) else f"{cell:.2f}" for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    print(f"\n{title}")
    for first, *others in [head, ["-" * width for width in widths], *rows]:
        print("  ".join([first.ljust(widths[0]), *map(str.rjust, others, widths[1:])]))
