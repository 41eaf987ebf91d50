"""Steps that make fewer numbers of many: sums, extremes, orders."""

import math

from .core import Tensor, axes, axis, cast, filled, from_numbers, made, methods, run, run_pair
from .dtypes import bool as truth
from .dtypes import floating, int64
from .elementwise import home, maximum, minimum, mul, sqrt
from .engine import ask, refusal, spelled
from .graph import needs, record, renamed
from .views import expand as widened
from .views import reshape, select, squeeze


def kept(x, dim):
    """The shape in which a reduction stands beside what it was made of."""
    gone = axes(dim, x.dim())
    return [1 if i in gone else n for i, n in enumerate(x.shape)]


def spread(g, x, dim):
    """A reduction's gradient, or its result, along what was reduced."""
    return widened(reshape(g, kept(x, dim)), x.shape)


def many(name, x, dim, keepdim, d, back=None, saves=(), told=None):
    dims = axes(dim, x.dim()) or None
    if dim is not None:
        axes(dim, x.dim())
    out = run(name, [x, dims, bool(keepdim)], d)
    return record(out, (x,), back, told or f"{name.capitalize()}Backward{int(dim is not None)}", saves)


def count(x, dim):
    return math.prod([x.shape[d] for d in axes(dim, x.dim())])


def sum(input, dim=None, keepdim=False, *, dtype=None):
    x = input if dtype is None else input.to(dtype)
    d = dtype or (x.dtype if x.dtype.kind == 2 else int64)
    return many("sum", x, dim, keepdim, d, lambda g: [spread(g, x, dim)])


def mean(input, dim=None, keepdim=False, *, dtype=None):
    x = input if dtype is None else input.to(dtype)
    if x.dtype.kind != 2:
        raise RuntimeError(
            "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. "
            f"Got: {x.dtype.word}"
        )
    n = count(x, dim)
    return many("mean", x, dim, keepdim, x.dtype, lambda g: [spread(g / n, x, dim)])


def prod(input, dim=None, keepdim=False, *, dtype=None):
    if isinstance(dim, (list, tuple)):
        raise TypeError("prod() received an invalid combination of arguments: dim must be an int")
    x = input if dtype is None else input.to(dtype)
    d = x.dtype if x.dtype.kind == 2 else int64

    def back(g):
        if 0 in x._numbers():
            raise refusal("gradient of a product that has a 0")
        return [spread(g * y, x, dim) / x]

    out = many("prod", x, dim, keepdim, d, back, (x,))
    y = out.detach()
    return out


def some(name, x, dim):
    if not count(x, dim):
        raise RuntimeError(
            f"{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with "
            "the 'dim' argument."
        )


def furthest(name):
    def extreme(input, dim=None, keepdim=False):
        some(name, input, dim)
        x = input

        def back(g):
            best = (x.detach() == spread(y, x, dim)).to(g.dtype)
            share = run("sum", [best, axes(dim, x.dim()) or None, True], g.dtype)
            return [spread(g, x, dim) * best / widened(reshape(share, kept(x, dim)), x.shape)]

        out = many(name, x, dim, keepdim, x.dtype, back, (x,), f"{name.capitalize()}Backward0")
        y = out.detach()
        return out

    return extreme


amax, amin = furthest("amax"), furthest("amin")


def aminmax(input, *, dim=None, keepdim=False):
    both = amin(input, dim, keepdim), amax(input, dim, keepdim)
    return named("aminmax", "min", "max")(*[renamed(one, "AminmaxBackward0") for one in both])


def yes(name):
    def asked(input, dim=None, keepdim=False):
        return many(name, input, dim, keepdim, truth)

    return asked


all, any = yes("all"), yes("any")


def place(name):
    def best(input, dim=None, keepdim=False):
        some(name, input, dim)
        if input.dtype is truth:
            raise RuntimeError(f"{name}(): does not support bool input")
        x = reshape(input.detach(), -1) if dim is None else input
        out = run(name, [x, None if dim is None else [axis(dim, x.dim())], bool(keepdim)], int64)
        return reshape(out, [1] * input.dim()) if keepdim and dim is None else out

    return best


argmax, argmin = place("argmax"), place("argmin")


def named(function, *names):
    """A tuple whose parts have names, as PyTorch's torch.return_types."""

    class Returned(tuple):
        def __new__(cls, *parts):
            return tuple.__new__(cls, parts)

        def __repr__(self):
            told = ",\n".join([f"{name}={part!r}" for name, part in zip(names, self)])
            return f"torch.return_types.{function}(\n{told})"

    for i, name in enumerate(names):
        setattr(Returned, name, property(lambda self, i=i: self[i]))
    return Returned


def taken_along(x, dim, places, out, told):
    """Numbers that came from places along an axis: gradients go back there."""

    def back(g):
        from .indexing import scatter_add

        return [scatter_add(filled(x.shape, 0, g.dtype), dim, places, g)]

    return record(out, (x,), back, told)


def ordered(name, args, x, dim, told):
    values, places = run_pair(name, [x, dim, *args], x.dtype)
    return taken_along(x, dim, places, values, told), places


def extreme(name):
    pick = maximum if name == "max" else minimum
    Pair = named(name, "values", "indices")

    def best(input, dim=None, keepdim=False, **other):
        if other:
            dim = other.pop("other", dim)
        if isinstance(dim, Tensor):
            return pick(input, dim)
        if dim is None:
            some(name, input, None)
            out = furthest_of_all[name](input)
            if out._node:
                out._node.name = f"{name.capitalize()}Backward1"
            return out
        at = axis(dim, input.dim())
        if not input.dim():
            return Pair(input.clone(), filled([], 0, int64))
        if not input.shape[at]:
            raise IndexError(f"{name}(): Expected reduction dim {at} to have non-zero size.")
        values, places = ordered(name, [True], input, at, f"{name.capitalize()}Backward0")
        return Pair(values, places) if keepdim else Pair(squeeze(values, at), squeeze(places, at))

    return best


furthest_of_all = {"max": amax, "min": amin}
max, min = extreme("max"), extreme("min")
Sorted, Top, Median = (named(name, "values", "indices") for name in ("sort", "topk", "median"))


def sort(input, dim=-1, descending=False, stable=False):
    if not input.dim():
        return Sorted(input.clone(), filled([], 0, int64))
    return Sorted(*ordered("sort", [bool(descending)], input, axis(dim, input.dim()), "SortBackward0"))


def argsort(input, dim=-1, descending=False, stable=False):
    return sort(input, dim, descending)[1]


def topk(input, k, dim=-1, largest=True, sorted=True):
    at = axis(dim, input.dim())
    if input.dtype is truth:
        raise RuntimeError("topk does not support bool dtypes on CPU")
    if not 0 <= k <= (input.shape[at] if input.dim() else 1):
        raise RuntimeError("selected index k out of range")
    values, places = sort(input, at, largest)
    values, places = values.narrow(at, 0, k).detach().clone(), places.narrow(at, 0, k).clone()
    return Top(taken_along(input, at, places, values, "TopkBackward0"), places)


def median(input, dim=None, keepdim=False):
    if input.dtype is truth:
        raise NotImplementedError("\"median_cpu\" not implemented for 'Bool'")
    if input.dtype.kind == 2 and not input.isnan().logical_not().all():
        raise refusal("median of numbers of which some are none (nan)")
    if dim is None:
        some("median", input, None)
        return select(sort(reshape(input, -1))[0], 0, (input.numel() - 1) // 2)
    values, places = sort(input, dim)
    at, middle = axis(dim, input.dim()), (input.shape[axis(dim, input.dim())] - 1) // 2
    parts = [part.narrow(at, middle, 1) for part in (values, places)]
    return Median(*(parts if keepdim else [squeeze(part, at) for part in parts]))


def cumsum(input, dim, *, dtype=None):
    d, at = dtype or (input.dtype if input.dtype.kind == 2 else int64), axis(dim, input.dim())

    def back(g):
        turned = run("flip", [run("cumsum", [run("flip", [g, [at]], g.dtype), at], g.dtype), [at]], g.dtype)
        return [home(turned, input)]

    out = run("cumsum", [input, at], d)
    out = run("add", [out, 0], d) if d.kind == 2 else out  # PyTorch's sums start at 0, not at -0
    return record(out, (input,), back, "CumsumBackward0")


def cumprod(input, dim, *, dtype=None):
    if needs(input):
        raise refusal("gradient of cumprod")
    d = dtype or (input.dtype if input.dtype.kind == 2 else int64)
    return run("cumprod", [input, axis(dim, input.dim())], d)


def diff(input, n=1, dim=-1):
    at = axis(dim, input.dim())
    for _ in range(n):
        long = input.shape[at]
        after, before = input.narrow(at, 1, long - 1), input.narrow(at, 0, long - 1)
        input = after ^ before if input.dtype is truth else after - before
    return input


def logsumexp(input, dim, keepdim=False):
    x = input if input.dtype.kind == 2 else cast(input, floating(input.dtype))

    def back(g):
        shares = run("exp", [x - spread(y, x, dim)], g.dtype)
        return [spread(g, x, dim) * shares]

    out = many("logsumexp", x, dim, keepdim, x.dtype, back, (x,), "LogsumexpBackward0")
    y = out.detach()
    return out


def scatter(name):
    def spreads(input, dim=None, unbiased=True, keepdim=False, *, correction=None):
        x = input
        if x.dtype.kind != 2:
            raise RuntimeError("std and var only support floating point and complex dtypes")
        if dim is True or dim is False:
            dim, unbiased = None, dim
        less = int(unbiased) if correction is None else correction
        n, dims = count(x, dim) - less, axes(dim, x.dim()) or None
        told = f'{{"correction":{less},"keepdim":{spelled(bool(keepdim))}}}'
        out = made(ask("step", f'["var",{spelled([x, dims])},["{x.dtype.name}"],{told}]'), x.dtype)

        def back(g):
            middle = run("mean", [x, dims, True], x.dtype)
            return [mul(spread(g, x, dim), (x.detach() - middle) * (2 / n))]

        out = record(out, (x,), back, "VarBackward0", (x,))
        return out if name == "var" else renamed(sqrt(out), "StdBackward0")

    return spreads


var, std = scatter("var"), scatter("std")


def norm(input, p="fro", dim=None, keepdim=False, dtype=None):
    return vector_norm(input, 2 if p in ("fro", None) else p, dim, keepdim)


def vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None):
    if x.dtype.kind != 2:
        raise RuntimeError(
            f"linalg.vector_norm: Expected a floating point or complex tensor as input. Got {x.dtype.word}"
        )

    def back(g):
        long, g = spread(y, x, dim), spread(g, x, dim)
        if ord == 2:
            part = x.detach() / long
        elif ord == 1:
            part = run("sign", [x], x.dtype)
        else:
            raise refusal(f"gradient of a norm of order {ord}")
        return [run("masked_fill", [g * part, long == 0, 0], g.dtype)]

    out = run("linalg_vector_norm", [x, ord, axes(dim, x.dim()) or None, bool(keepdim)], x.dtype)
    out = record(out, (x,), back, "LinalgVectorNormBackward0", (x,))
    y = out.detach()
    return out


def dist(input, other, p=2):
    return renamed(vector_norm(input - other, p), "DistBackward0")


def softmaxed(name, x, dim, dtype):
    x = x if dtype is None else x.to(dtype)
    if x.dtype.kind != 2:
        kernel = "softmax_lastdim_kernel_impl" if name == "softmax" else "log_softmax_lastdim_kernel_impl"
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{x.dtype.word}'")
    at = axis(dim, x.dim())

    def back(g):
        if name == "softmax":
            part = g * y
            return [part - y * run("sum", [part, [at], True], g.dtype)]
        return [g - run("exp", [y], g.dtype) * run("sum", [g, [at], True], g.dtype)]

    out = run(name, [x, at], x.dtype)
    y = out.detach()
    told = "SoftmaxBackward0" if name == "softmax" else "LogSoftmaxBackward0"
    return record(out, (x,), back, told, (out,))


def softmax(input, dim, dtype=None):
    return softmaxed("softmax", input, dim, dtype)


def log_softmax(input, dim, dtype=None):
    return softmaxed("log_softmax", input, dim, dtype)


def unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
    if return_inverse or return_counts or dim is not None:
        raise refusal("unique with counts, places or an axis")
    numbers = sort(reshape(input, -1))[0]._numbers()
    found = [n for i, n in enumerate(numbers) if not i or n != numbers[i - 1]]
    out = from_numbers([len(found)], found, input.dtype)
    return record(out, (input,), underived, "Unique2Backward0")


def underived(g):
    raise NotImplementedError("the derivative for '_unique2' is not implemented.")


def count_nonzero(input, dim=None):
    return sum(input != 0, dim)


__all__ = methods(
    globals(),
    """all amax amin aminmax any argmax argmin argsort count_nonzero cumprod cumsum diff dist log_softmax logsumexp max
    mean median min norm prod softmax sort std sum topk unique var""",
)
