"""Random numbers, the same as PyTorch's on a CPU."""

from .core import is_tensor, made, methods, write
from .dtypes import DEFAULT, int64
from .engine import ask, expect, refuse
from .inplace import may_be_written
from .making import lengths, maker, on_cpu


class Generator:
    """Numbers of its own; without a seed it starts as PyTorch's does."""

    count = 0

    def __init__(self, device="cpu"):
        on_cpu(device)
        Generator.count += 1
        self.number = Generator.count
        self.manual_seed(67280421310721)

    def manual_seed(self, seed):
        seed = int(seed)
        expect(-(2**63) <= seed < 2**64, "Overflow when unpacking long long")
        ask("seed", f"[{self.number},{seed % 2**32}]")
        return self


DEFAULT_GENERATOR = object.__new__(Generator)
DEFAULT_GENERATOR.number = 0
manual_seed = DEFAULT_GENERATOR.manual_seed


def draw(kind, shape, d, generator, *settings):
    known = kind not in ("rand", "randn") or d.name in ("float32", "float64")
    refuse(not known, f"random numbers of type {d.name}")
    which, told = (generator or DEFAULT_GENERATOR).number, "".join([f",{float(n)!r}" for n in settings])
    return made(ask("random", f'[{which},"{kind}",{list(shape)},"{d.name}"{told}]'), d)


def drawer(kind):
    @maker
    def drawn(*size, generator=None, dtype=None, **more):
        return draw(kind, lengths(size, more), dtype or DEFAULT[0], generator, 0, 1)

    return drawn


def like(kind):
    return maker(lambda input, *, dtype=None: draw(kind, input.shape, dtype or input.dtype, None, 0, 1))


rand, randn, rand_like, randn_like = drawer("rand"), drawer("randn"), like("rand"), like("randn")


def normal(mean, std=1.0, size=None, *, generator=None):
    tensors = [x for x in (mean, std) if is_tensor(x)]
    if tensors:
        return draw("randn", sum(tensors).shape, DEFAULT[0], generator, 0, 1) * std + mean
    expect(std >= 0, f"normal expects std >= 0.0, but found std {std}")
    return draw("randn", lengths((size,)), DEFAULT[0], generator, mean, std)


@maker
def randint(*given, generator=None, dtype=None, **named):
    given = list(given)
    size = named.pop("size") if "size" in named else given.pop()
    low, high = [0, *given] if len(given) == 1 else given or [0, None]
    low, high = named.pop("low", low), named.pop("high", high)
    expect(low < high, f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}")
    refuse(named or high - low >= 2**32, "random integers of such a range")
    return draw("randint", lengths((size,)), dtype or int64, generator, low, high)


@maker
def randperm(n, *, generator=None, dtype=None):
    return draw("randperm", [n], dtype or int64, generator)


def rewritten(self, kind, generator, *settings):
    may_be_written(self)
    write(self, draw(kind, self.shape, self.dtype, generator, *settings))
    return self


@methods
class Chance:
    def uniform_(self, a=0.0, b=1.0, *, generator=None):
        return rewritten(self, "rand", generator, a, b)

    def normal_(self, mean=0.0, std=1.0, *, generator=None):
        return rewritten(self, "randn", generator, mean, std)

    def bernoulli_(self, p=0.5, *, generator=None):
        return rewritten(self, "bernoulli", generator, p)


__all__ = "Generator manual_seed normal rand rand_like randint randn randn_like randperm".split()
