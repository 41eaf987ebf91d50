"""torch.special"""

from .core import lacking
from .dtypes import inf
from .elementwise import eq, erf, expm1, isnan, log, log1p, lt, mul, where
from .graph import renamed
from .reductions import logsumexp, softmax

__all__ = ["entr", "erf", "expm1", "log1p", "logsumexp", "softmax", "xlogy"]


def entr(input):
    zero = eq(input, 0)
    some = -mul(input, log(where(zero, 1.0, input)))
    return renamed(where(lt(input, 0), -inf, where(zero, 0.0, some)), "SpecialEntrBackward0")


def xlogy(input, other):
    none = eq(input, 0) & ~isnan(other)
    return renamed(where(none, 0.0, mul(input, log(where(none, 1.0, other)))), "XlogyBackward0")


__getattr__ = lacking("torch.special")
