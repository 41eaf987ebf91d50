"""What a start-up file of IPython starts: PyTorch computes as on a processor that nobody has.

Processors sum in other orders and take exponentials from other tables, so the last bit of a float
differs. Here each result of a sum, a product or a function is moved by -1, 0 or +1 unit in its last
place. Which of the three depends on the number, the operation, its shape and ROUNDING, a seed: what
is computed twice in the same way comes out the same, as it does on a real processor.

A cell with the comment `# Exact: ` and a reason is computed as it is: it compares two ways that
agree to the last bit on every processor.
"""

import os
import re
import zlib
from contextlib import ExitStack

import torch
from IPython import get_ipython
from torch.utils._python_dispatch import TorchDispatchMode

EXACT = "# Exact: "

# What IEEE 754 fixes to the last bit, and what moves, makes or chooses numbers.
FIXED = """
    _to_copy _unique2 _unsafe_view abs add amax amin arange argsort bernoulli cat ceil clamp
    clone constant_pad_nd copy detach diag_embed div empty empty_like eye fill flip floor full
    full_like gather index index_put index_select lift_fresh lift_fresh_copy linspace
    masked_fill masked_select max maximum median min minimum mul nan_to_num native_dropout neg
    new_empty new_full new_ones new_zeros ones ones_like rand reciprocal relu repeat roll round
    rsub scatter select_backward sign slice_backward sort sqrt stack sub threshold_backward topk
    tril triu trunc unfold_backward uniform where zero zeros zeros_like
"""
INTEGERS = {torch.float32: torch.int32, torch.float64: torch.int64}
LOW_BITS = {torch.float32: 2**12 - 1, torch.float64: 2**29 - 1}


class Rounding(TorchDispatchMode):
    """Move what was computed by at most one unit in the last place."""

    def __init__(self, seed):
        super().__init__()
        self.seed = seed
        self.fixed = set(FIXED.split())

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        result = function(*args, **(kwargs or {}))
        name = function._schema.name.removeprefix("aten::")
        if not function.is_view and name.rstrip("_") not in self.fixed:
            results = result if isinstance(result, (tuple, list)) else [result]
            floats = [x for x in results if type(x) is torch.Tensor and x.dtype in INTEGERS]
            if floats:
                given = [x for x in args if isinstance(x, torch.Tensor) and x.dtype in INTEGERS]
                from_short = all(bool(is_short(x).all()) for x in given)
                for x in floats:
                    certain = alone(x, args[1]) if name == "_softmax" else x == 0
                    self.move(x, f"{self.seed} {name} {tuple(x.shape)}", from_short, certain)
        return result

    def move(self, x, how, from_short, certain):
        """Move a tensor's numbers, in their place, but those that are certain."""
        bits = x.view(INTEGERS[x.dtype])
        steps = (bits * 0x9E3779B1 + zlib.crc32(how.encode()) >> 9) % 3 - 1
        stay = certain | (x == 0) | ~x.isfinite()
        if from_short:  # then what is short was not rounded
            stay |= is_short(x)
        bits += steps.masked_fill(stay, 0).to(bits.dtype)


def alone(weights, axis):
    """Where a softmax has one weight that is not 0: exp(0) / exp(0) is 1 on every processor."""
    return (weights != 0).sum(axis, keepdim=True) == 1


def is_short(x):
    """Where numbers need half of their bits: sums and products of such are exact."""
    return x.view(INTEGERS[x.dtype]) & LOW_BITS[x.dtype] == 0


def start():
    """From here on every cell computes so."""
    rounding, inside = Rounding(os.environ["ROUNDING"]), ExitStack()

    def before(info):
        # What is compiled or exported is recorded: it must be torch's own.
        if not re.search(rf"{EXACT}|torch\.(compile|export)\b|flex_attention", info.raw_cell):
            inside.enter_context(rounding)

    cells = get_ipython().events
    cells.register("pre_run_cell", before)
    cells.register("post_run_cell", lambda result: inside.close())
