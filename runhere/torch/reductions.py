"""Steps that make fewer numbers of many: sums, extremes, orders."""

import math
from collections import namedtuple

from .core import Tensor, axes, axis, cast, filled, from_numbers, operations, run, run_pair, write
from .dtypes import bool as truth
from .dtypes import floating, int64
from .elementwise import lacks_kernel
from .engine import expect, refuse
from .graph import needs, record, renamed, step


def many(name, x, dim, keepdim, d=None, back=None, saves="", told=None, first=(), options=None):
    """A step along some axes, or all; `back` has a gradient, x and the result, each with all of x's axes."""
    dims = axes(dim, x.dim())

    def way(g, x, y):
        beside = [1 if i in dims else n for i, n in enumerate(x.shape)]
        return back(g.reshape(beside), x, y.reshape(beside) if saves else y)

    args = [*first, dims or None] if options else [*first, dims or None, bool(keepdim)]
    told = told or f"{name.capitalize()}Backward{int(dim is not None)}"
    return step(name, x, *args, back=back and way, d=d, saves=saves, told=told, options=options)


def count(x, dim):
    return math.prod([x.shape[d] for d in axes(dim, x.dim())])


def summed(d):
    """The type of a sum: integers are counted in the widest."""
    return d if d.kind == 2 else int64


def some(name, x, dim):
    if not count(x, dim):
        raise RuntimeError(
            f"{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with "
            "the 'dim' argument."
        )


def named(function, *names):
    """A tuple whose parts have names, as PyTorch's torch.return_types."""

    def __repr__(self):
        told = ",\n".join([f"{name}={part!r}" for name, part in zip(names, self)])
        return f"{type(self).__name__}(\n{told})"

    return type(f"torch.return_types.{function}", (namedtuple(function, names),), {"__repr__": __repr__})


Range = named("aminmax", "min", "max")
Sorted, Top, Median = (named(name, "values", "indices") for name in ("sort", "topk", "median"))


def furthest(name):
    def function(input, dim=None, keepdim=False):
        some(name, input, dim)

        def back(g, x, y):
            best = (x == y).to(g.dtype)
            return g * best / best.sum(dim, True)

        return many(name, input, dim, keepdim, None, back, "x", f"{name.capitalize()}Backward0")

    return function


def yes(name):
    return lambda input, dim=None, keepdim=False: many(name, input, dim, keepdim, truth)


def place(name):
    def function(input, dim=None, keepdim=False):
        some(name, input, dim)
        expect(input.dtype is not truth, f"{name}(): does not support bool input")
        x = input.detach().reshape(-1) if dim is None else input
        out = run(name, [x, None if dim is None else [axis(dim, x.dim())], bool(keepdim)], int64)
        return out.reshape([1] * input.dim()) if keepdim and dim is None else out

    return function


def taken_along(x, dim, places, out, told):
    """Numbers that came from places along an axis: gradients go back there."""

    def back(g):
        grad = filled(x.shape, 0, g.dtype)
        write(grad, g, ("gather", dim, places), adds=True)
        return grad

    return record(out, (x,), (back,), told)


def ordered(name, args, x, dim, told):
    values, places = run_pair(name, [x, dim, *args], x.dtype)
    return taken_along(x, dim, places, values, told), places


def extreme(name):
    Pair = named(name, "values", "indices")

    def function(input, dim=None, keepdim=False, **other):
        if other:
            dim = other.pop("other", dim)
        if isinstance(dim, Tensor):
            return getattr(input, f"{name}imum")(dim)
        if dim is None:
            some(name, input, None)
            return renamed(getattr(input, f"a{name}")(), f"{name.capitalize()}Backward1")
        at = axis(dim, input.dim())
        if not input.dim():
            return Pair(input.clone(), filled([], 0, int64))
        expect(input.shape[at], f"{name}(): Expected reduction dim {at} to have non-zero size.", IndexError)
        values, places = ordered(name, [True], input, at, f"{name.capitalize()}Backward0")
        return Pair(values, places) if keepdim else Pair(values.squeeze(at), places.squeeze(at))

    return function


def softmaxed(name, x, dim, dtype, back):
    x = x if dtype is None else x.to(dtype)
    lacks_kernel(x.dtype.kind != 2, f"{name}_lastdim_kernel_impl", x.dtype)
    at = axis(dim, x.dim())
    return step(name, x, at, back=lambda g, x, y: back(g, y, at), saves="y")


def soft_back(g, y, at):
    part = g * y
    return part - y * part.sum(at, True)


def vector_norm(x, ord=2, dim=None, keepdim=False, *, dtype=None):
    if x.dtype.kind != 2:
        kinds = f"Expected a floating point or complex tensor as input. Got {x.dtype.word}"
        raise RuntimeError(f"linalg.vector_norm: {kinds}")

    def back(g, x, y):
        refuse(ord not in (1, 2), f"gradient of a norm of order {ord}")
        return (g * (x / y if ord == 2 else x.sign())).masked_fill(y == 0, 0)

    told = "LinalgVectorNormBackward0"
    return many("linalg_vector_norm", x, dim, keepdim, None, back, "x", told, first=[ord])


def underived(g):
    raise NotImplementedError("the derivative for '_unique2' is not implemented.")


@operations
class Reductions:
    def sum(input, dim=None, keepdim=False, *, dtype=None):
        x = input if dtype is None else input.to(dtype)
        return many("sum", x, dim, keepdim, dtype or summed(x.dtype), lambda g, x, y: g.expand(x.shape))

    def mean(input, dim=None, keepdim=False, *, dtype=None):
        x = input if dtype is None else input.to(dtype)
        if x.dtype.kind != 2:
            raise RuntimeError(
                "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. "
                f"Got: {x.dtype.word}"
            )
        n = count(x, dim)
        return many("mean", x, dim, keepdim, None, lambda g, x, y: (g / n).expand(x.shape))

    def prod(input, dim=None, keepdim=False, *, dtype=None):
        if isinstance(dim, (list, tuple)):
            raise TypeError("prod() received an invalid combination of arguments: dim must be an int")
        x = input if dtype is None else input.to(dtype)

        def back(g, x, y):
            refuse(0 in x._numbers(), "gradient of a product that has a 0")
            return g * y / x

        return many("prod", x, dim, keepdim, summed(x.dtype), back, "x")

    amax, amin, all, any = furthest("amax"), furthest("amin"), yes("all"), yes("any")
    argmax, argmin, max, min = place("argmax"), place("argmin"), extreme("max"), extreme("min")

    def aminmax(input, *, dim=None, keepdim=False):
        both = input.amin(dim, keepdim), input.amax(dim, keepdim)
        return Range(*[renamed(one, "AminmaxBackward0") for one in both])

    def sort(input, dim=-1, descending=False, stable=False):
        if not input.dim():
            return Sorted(input.clone(), filled([], 0, int64))
        return Sorted(*ordered("sort", [bool(descending)], input, axis(dim, input.dim()), "SortBackward0"))

    def argsort(input, dim=-1, descending=False, stable=False):
        return input.sort(dim, descending)[1]

    def topk(input, k, dim=-1, largest=True, sorted=True):
        at = axis(dim, input.dim())
        expect(input.dtype is not truth, "topk does not support bool dtypes on CPU")
        expect(0 <= k <= (input.shape[at] if input.dim() else 1), "selected index k out of range")
        values, places = input.sort(at, largest)
        values, places = values.narrow(at, 0, k).detach().clone(), places.narrow(at, 0, k).clone()
        return Top(taken_along(input, at, places, values, "TopkBackward0"), places)

    def median(input, dim=None, keepdim=False):
        lacks_kernel(input.dtype is truth, "median_cpu", truth)
        refuse(input.isnan().any(), "median of numbers of which some are none (nan)")
        if dim is None:
            some("median", input, None)
            return input.reshape(-1).sort()[0].select(0, (input.numel() - 1) // 2)
        at = axis(dim, input.dim())
        parts = [part.narrow(at, (input.shape[at] - 1) // 2, 1) for part in input.sort(dim)]
        return Median(*(parts if keepdim else [part.squeeze(at) for part in parts]))

    def cumsum(input, dim, *, dtype=None):
        d, at = dtype or summed(input.dtype), axis(dim, input.dim())
        out = run("cumsum", [input, at], d)
        out = run("add", [out, 0], d) if d.kind == 2 else out  # PyTorch's sums start at 0, not at -0
        way = (lambda g: run("cumsum", [g.flip(at), at], g.dtype).flip(at),)
        return record(out, (input,), way, "CumsumBackward0")

    def cumprod(input, dim, *, dtype=None):
        refuse(needs(input), "gradient of cumprod")
        return run("cumprod", [input, axis(dim, input.dim())], dtype or summed(input.dtype))

    def diff(input, n=1, dim=-1):
        at = axis(dim, input.dim())
        for _ in range(n):
            long = input.shape[at]
            after, before = input.narrow(at, 1, long - 1), input.narrow(at, 0, long - 1)
            input = after ^ before if input.dtype is truth else after - before
        return input

    def logsumexp(input, dim, keepdim=False):
        x = input if input.dtype.kind == 2 else cast(input, floating(input.dtype))
        return many("logsumexp", x, dim, keepdim, None, lambda g, x, y: g * (x - y).exp(), "x", "LogsumexpBackward0")

    def var(input, dim=None, unbiased=True, keepdim=False, *, correction=None):
        x = input
        expect(x.dtype.kind == 2, "std and var only support floating point and complex dtypes")
        if dim is True or dim is False:
            dim, unbiased = None, dim
        less = int(unbiased) if correction is None else correction
        n, options = count(x, dim) - less, {"correction": less, "keepdim": bool(keepdim)}

        def back(g, x, y):
            return g * ((x - x.mean(dim, True)) * (2 / n))

        return many("var", x, dim, keepdim, None, back, "x", "VarBackward0", options=options)

    def std(input, *args, **kwargs):
        return renamed(input.var(*args, **kwargs).sqrt(), "StdBackward0")

    def norm(input, p="fro", dim=None, keepdim=False, dtype=None):
        return vector_norm(input, 2 if p in ("fro", None) else p, dim, keepdim)

    def dist(input, other, p=2):
        return renamed(vector_norm(input - other, p), "DistBackward0")

    def softmax(input, dim, dtype=None):
        return softmaxed("softmax", input, dim, dtype, soft_back)

    def log_softmax(input, dim, dtype=None):
        return softmaxed("log_softmax", input, dim, dtype, lambda g, y, at: g - y.exp() * g.sum(at, True))

    def unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None):
        refuse(return_inverse or return_counts or dim is not None, "unique with counts, places or an axis")
        numbers = input.reshape(-1).sort()[0]._numbers()
        found = [n for i, n in enumerate(numbers) if not i or n != numbers[i - 1]]
        return record(from_numbers([len(found)], found, input.dtype), (input,), (underived,), "Unique2Backward0")

    def count_nonzero(input, dim=None):
        return (input != 0).sum(dim)
