"""Print what this project costs, in time and memory, as ratios. Nothing passes or fails.

python -m benchmarks [--quick]
"""

import sys

import torch

from . import attention, figures, model, pages

torch.set_num_threads(1)
attention.main(quick=5 if "--quick" in sys.argv else 1)
figures.main([])
model.main([])
pages.main(sys.argv[1:])
