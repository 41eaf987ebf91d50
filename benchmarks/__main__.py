"""Print what this project costs, in time and memory, as ratios. Nothing passes or fails.

python -m benchmarks [--quick]
"""

import sys

from . import attention, finger, frames, model, pages, present

attention.main(sys.argv[1:])
frames.main([])
model.main([])
finger.main([])
present.main([])
pages.main(sys.argv[1:])
