"""Random numbers, the same as PyTorch's on a CPU."""

from .core import is_tensor, made, methods, new_sizes, on_cpu, write
from .dtypes import DEFAULT, int64
from .engine import ask, refusal
from .inplace import may_be_written


class Generator:
    """Numbers of its own; without a seed it starts as PyTorch's does."""

    count = 0

    def __init__(self, device="cpu"):
        on_cpu(device)
        Generator.count += 1
        self.number = Generator.count
        self.manual_seed(67280421310721)

    def manual_seed(self, seed):
        sow(self.number, seed)
        return self


def sow(which, seed):
    seed = int(seed)
    if not -(2**63) <= seed < 2**64:
        raise RuntimeError("Overflow when unpacking long long")
    ask("seed", f"[{which},{seed % 2**32}]")


DEFAULT_GENERATOR = object.__new__(Generator)
DEFAULT_GENERATOR.number = 0


def manual_seed(seed):
    sow(0, seed)
    return DEFAULT_GENERATOR


def draw(kind, shape, d, generator, *settings):
    if kind in ("rand", "randn") and d.name not in ("float32", "float64"):
        raise refusal(f"random numbers of type {d.name}")
    number = 0 if generator is None else generator.number
    told = "".join([f",{float(n)!r}" for n in settings])
    return made(ask("random", f'[{number},"{kind}",{list(shape)},"{d.name}"{told}]'), d)


def drawer(kind, *settings):
    def drawn(*size, generator=None, dtype=None, device=None, requires_grad=False, **more):
        on_cpu(device)
        size = (more.pop("size"),) if "size" in more else size
        if more:
            raise refusal(f"{', '.join(more)}=")
        out = draw(kind, new_sizes(size), dtype or DEFAULT[0], generator, *settings)
        return out.requires_grad_() if requires_grad else out

    return drawn


rand, randn = drawer("rand", 0, 1), drawer("randn", 0, 1)


def like(kind):
    return lambda input, *, dtype=None: draw(kind, input.shape, dtype or input.dtype, None, 0, 1)


rand_like, randn_like = like("rand"), like("randn")


def normal(mean, std=1.0, size=None, *, generator=None):
    if is_tensor(mean) or is_tensor(std):
        shape = (mean + std if is_tensor(mean) and is_tensor(std) else mean if is_tensor(mean) else std).shape
        return draw("randn", shape, DEFAULT[0], generator, 0, 1) * std + mean
    if std < 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std}")
    return draw("randn", new_sizes((size,)), DEFAULT[0], generator, mean, std)


def randint(*given, generator=None, dtype=None, device=None, **named):
    on_cpu(device)
    given = list(given)
    size = named.pop("size") if "size" in named else given.pop()
    low, high = [0, *given] if len(given) == 1 else given or [0, None]
    low, high = named.pop("low", low), named.pop("high", high)
    if low >= high:
        raise RuntimeError(f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}")
    if named or high - low >= 2**32:
        raise refusal("random integers of such a range")
    return draw("randint", new_sizes((size,)), dtype or int64, generator, low, high)


def randperm(n, *, generator=None, dtype=None):
    return draw("randperm", [n], dtype or int64, generator)


def rewritten(self, kind, generator, *settings):
    may_be_written(self)
    write(self, draw(kind, self.shape, self.dtype, generator, *settings))
    return self


def uniform_(self, a=0.0, b=1.0, *, generator=None):
    return rewritten(self, "rand", generator, a, b)


def normal_(self, mean=0.0, std=1.0, *, generator=None):
    return rewritten(self, "randn", generator, mean, std)


def bernoulli_(self, p=0.5, *, generator=None):
    return rewritten(self, "bernoulli", generator, p)


_OWN = methods(globals(), "uniform_ normal_ bernoulli_")
__all__ = """Generator manual_seed normal rand rand_like randint randn randn_like randperm""".split()
