"""torch.special"""

from .elementwise import eq, erf, expm1, isnan, log, log1p, lt, where
from .products import mul
from .reductions import logsumexp, softmax

__all__ = ["entr", "erf", "expm1", "log1p", "logsumexp", "softmax", "xlogy"]


def entr(input):
    inside = where(eq(input, 0), 1.0, input)
    return where(lt(input, 0), -float("inf"), -mul(input, log(inside)))


def xlogy(input, other):
    none = eq(input, 0) & ~isnan(other)
    return where(none, 0.0, mul(input, log(where(none, 1.0, other))))


def __getattr__(name):
    from .core import Missing

    raise Missing(f"torch.special.{name}")
