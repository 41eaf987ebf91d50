"""What this project costs beside others and beside what nothing can beat."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.extend(str(ROOT / room) for room in ("tools", "tests/book", "tests/browser"))

# Else torch's profiler tells of itself between the tables.
os.environ |= {"TORCH_CPP_LOG_LEVEL": "ERROR", "KINETO_LOG_LEVEL": "99"}
