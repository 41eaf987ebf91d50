"""torch.special"""

from .core import FUNCTIONS, lacking
from .dtypes import inf
from .elementwise import Elementwise
from .graph import renamed

where = Elementwise.where
erf, expm1, log1p, logsumexp, softmax = map(FUNCTIONS.get, ("erf", "expm1", "log1p", "logsumexp", "softmax"))


def entr(input):
    zero = input == 0
    some = -(input * where(zero, 1.0, input).log())
    return renamed(where(input < 0, -inf, where(zero, 0.0, some)), "SpecialEntrBackward0")


def xlogy(input, other):
    none = (input == 0) & ~other.isnan()
    return renamed(where(none, 0.0, input * where(none, 1.0, other).log()), "XlogyBackward0")


__all__ = ["entr", "erf", "expm1", "log1p", "logsumexp", "softmax", "xlogy"]
__getattr__ = lacking("torch.special")
