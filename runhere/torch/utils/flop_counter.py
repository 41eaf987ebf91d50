"""torch.utils.flop_counter: what products of matrices take."""

from ..engine import refusal
from ..products import COUNTED


class FlopCounterMode:
    def __init__(self, display=True):
        if display:
            raise refusal("FlopCounterMode that prints a table; write FlopCounterMode(display=False), or")

    def __enter__(self):
        self.total = COUNTED[0] = 0
        return self

    def __exit__(self, *_):
        self.total = COUNTED[0]

    def get_total_flops(self):
        if self.total == float("inf"):
            raise refusal("count of einsum with three operands or more")
        return self.total
