"""The part of NumPy that kernelfree asks for when it writes a figure down, on Python's lists.

It is bound to kernelfree's modules alone: for a reader's cell there is no NumPy. Numbers are
Python's own; an array has them in one list, row after row, and a kind: "b", "i", "f", "U" or "O".
"""

import builtins
import itertools
import math
import operator
from collections.abc import Iterable
from functools import partial
from types import SimpleNamespace

from torch.linalg import solved

nan, inf = math.nan, math.inf


class generic:
    """What a type of NumPy's is known by; no number here is one of them."""


class bool_(generic):
    kind = "b"


class integer(generic):
    kind = "i"


class floating(generic):
    kind = "f"


class datetime64(generic):
    kind = "M"


int64, float64 = integer, floating
KINDS = {bool: "b", int: "i", float: "f", str: "U", object: "O"}
NAMES = {"b": "bool", "i": "int64", "f": "float64", "U": "<U", "O": "object"}
MAKE = {"b": bool, "i": int, "f": float}
ORDER = "bifUO"


class DType:
    def __init__(self, kind):
        self.kind = kind

    def __eq__(self, other):
        return self.kind == kind_of(other)

    def __hash__(self):
        return hash(self.kind)

    def __str__(self):
        return NAMES[self.kind]


def kind_of(given):
    return KINDS.get(given) or getattr(given, "kind", None)


def spread(shape):
    """How far apart the entries along each axis stand."""
    return [math.prod(shape[axis + 1 :]) for axis in range(len(shape))]


def batched(data, size):
    return [data[at : at + size] for at in range(0, len(data), size or 1)] if size else []


def offsets(steps):
    """The places of entries from the distances along each axis."""
    found = [0]
    for along in steps:
        found = [at + step for at in found for step in along]
    return found


def along(function):
    """A method that makes something of the entries along an axis, or of all."""
    return lambda self, axis=None, keepdims=False: self._along(axis, function, keepdims)


class ndarray:
    def __init__(self, data, shape, kind):
        self.data, self.shape, self.kind = data, tuple(shape), kind

    ndim = property(lambda self: len(self.shape))
    size = property(lambda self: len(self.data))
    dtype = property(lambda self: DType(self.kind))
    flat = property(lambda self: self.data)

    def __len__(self):
        return self.shape[0]

    def __iter__(self):
        return (self[at] for at in range(len(self)))

    def __bool__(self):
        [one] = self.data
        return bool(one)

    def __float__(self):
        [one] = self.data
        return float(one)

    def __repr__(self):
        return f"array({self.tolist()})"

    def item(self):
        [one] = self.data
        return one

    def tolist(self):
        found = self.data
        for size in reversed(self.shape[1:]):
            found = batched(found, size)
        return list(found) if self.shape else found[0]

    def astype(self, kind):
        kind = kind_of(kind)
        return ndarray(list(map(MAKE[kind], self.data)), self.shape, kind)

    def copy(self):
        return ndarray(list(self.data), self.shape, self.kind)

    def reshape(self, *shape):
        shape = list(shape[0] if isinstance(shape[0], list | tuple) else shape)
        if -1 in shape:
            at = shape.index(-1)
            shape[at] = 0
            shape[at] = self.size // max(1, math.prod(n for n in shape if n))
        return ndarray(self.data, shape, self.kind)

    @property
    def T(self):
        steps = zip(self.shape[::-1], spread(self.shape)[::-1], strict=True)
        places = offsets([range(0, size * step, step) for size, step in steps])
        return ndarray([self.data[at] for at in places], self.shape[::-1], self.kind)

    def _places(self, key):
        """The places of what a key names, and its shape."""
        key = list(key) if isinstance(key, tuple) else [key]
        if Ellipsis in (kinds := [one if one is Ellipsis else None for one in key]):
            at = kinds.index(Ellipsis)
            named = sum(one is not None for one in key) - 1
            key[at : at + 1] = [slice(None)] * (self.ndim - named)
        key += [slice(None)] * (self.ndim - sum(one is not None for one in key))
        axes = iter(zip(self.shape, spread(self.shape), strict=True))
        steps, shape = [], []
        for one in key:
            if one is None:
                shape.append(1)
                continue
            size, step = next(axes)
            if isinstance(one, slice):
                found = range(size)[one]
            elif hasattr(one, "__index__"):
                steps.append([range(size)[one] * step])
                continue
            else:
                found = [range(size)[int(n)] for n in one]
            steps.append([n * step for n in found])
            shape.append(len(found))
        return offsets(steps), shape

    def __getitem__(self, key):
        if isinstance(key, ndarray) and key.kind == "b":
            found = [one for one, yes in zip(self.data, key.data, strict=True) if yes]
            return ndarray(found, [len(found)], self.kind)
        places, shape = self._places(key)
        if not shape and not isinstance(key, tuple):
            return self.data[places[0]]
        found = [self.data[at] for at in places]
        return ndarray(found, shape, self.kind) if shape else found[0]

    def __setitem__(self, key, given):
        if isinstance(key, ndarray) and key.kind == "b":
            places = [at for at, yes in enumerate(key.data) if yes]
            shape = [len(places)]
        else:
            places, shape = self._places(key)
        for at, one in zip(places, broadcast_to(given, shape).data, strict=True):
            self.data[at] = one

    def take(self, places, axis):
        return self[(slice(None),) * axis + (places,)]

    def _along(self, axis, function, keepdims=False):
        if axis is None:
            return function(self.data)
        axis %= self.ndim
        size, step = self.shape[axis], spread(self.shape)[axis]
        starts = [at + rest for at in range(0, self.size, size * step) for rest in range(step)] if size else []
        found = [function(self.data[at : at + size * step : step]) for at in starts]
        shape = [*self.shape[:axis], *([1] if keepdims else []), *self.shape[axis + 1 :]]
        return ndarray(found, shape, kind_among(found))

    sum, any, all, min = map(along, (builtins.sum, builtins.any, builtins.all, builtins.min))

    def max(self, axis=None, keepdims=False, initial=None):
        more = [] if initial is None else [initial]
        return self._along(axis, lambda part: builtins.max([*part, *more]), keepdims)

    def mean(self):
        return self.sum() / self.size

    def argmax(self):
        return self.data.index(builtins.max(self.data))

    def clip(self, low, high):
        return each(lambda one: builtins.min(builtins.max(one, low), high), self)


def kind_among(data):
    kinds = {kind_of(kind) or "O" for kind in set(map(type, data))}
    return builtins.max(kinds, key=ORDER.index, default="f") if kinds <= set("bif") or len(kinds) == 1 else "O"


def asarray(given, kind=None):
    """An array of a number, a text, a tensor, or nested lists of them."""
    if isinstance(given, ndarray):
        found = given
    else:
        data, shape = flat_of(given)
        found = ndarray(data, shape, kind_among(data))
        if found.kind == "f":
            found.data = list(map(float, data))
    return found.astype(kind) if kind is not None and kind_of(kind) != found.kind else found


def array(given, kind=None):
    return asarray(given, kind).copy()


def flat_of(given):
    """The entries of nested lists one after the other, and their shape."""
    if isinstance(given, ndarray):
        return given.data, given.shape
    if hasattr(given, "detach"):  # a tensor
        return given.detach().flatten().tolist(), tuple(given.shape)
    if not isinstance(given, list | tuple | range):
        return [given], ()
    parts = [flat_of(one) for one in given]
    shapes = {tuple(shape) for _, shape in parts} or {()}
    if len(shapes) > 1:
        raise ValueError("its rows differ in length")
    return [one for data, _ in parts for one in data], (len(parts), *shapes.pop())


def broadcast_to(given, shape):
    given, shape = asarray(given), tuple(shape)
    if given.shape == shape:
        return given
    own = (1,) * (len(shape) - given.ndim) + given.shape
    if len(own) > len(shape) or any(n not in (1, size) for n, size in zip(own, shape, strict=True)):
        raise ValueError(f"operands could not be broadcast together: {given.shape} and {shape}")
    if given.size == 1:
        return ndarray(given.data * math.prod(shape), shape, given.kind)
    steps = [
        range(0, size * step, step) if n > 1 else [0] * size
        for n, size, step in zip(own, shape, spread(own), strict=True)
    ]
    return ndarray([given.data[at] for at in offsets(steps)], shape, given.kind)


def each(function, *given, kind=None):
    """A function of the entries of arrays that are made one shape."""
    given = [asarray(one) for one in given]
    shape = []
    for sizes in itertools.zip_longest(*(one.shape[::-1] for one in given), fillvalue=1):
        shape.insert(0, next((n for n in sizes if n != 1), 1))
    given = [broadcast_to(one, shape) for one in given]
    found = list(map(function, *(one.data for one in given)))
    kind = kind or kind_among(found)
    return ndarray(list(map(float, found)) if kind == "f" else found, shape, kind)


def divided(one, other):
    try:
        return one / other
    except ZeroDivisionError:
        return nan if not one or one != one else math.copysign(inf, one)


OPERATORS = {
    **{name: getattr(operator, name) for name in ("add", "sub", "mul", "mod", "eq", "ne", "lt", "le", "gt", "ge")},
    **{"truediv": divided, "and": operator.and_, "or": operator.or_},
}


for _name, _function in OPERATORS.items():
    setattr(ndarray, f"__{_name}__", lambda one, other, function=_function: each(function, one, other))
    setattr(ndarray, f"__r{_name}__", lambda one, other, function=_function: each(function, other, one))
ndarray.__hash__ = None
ndarray.__neg__ = lambda self: each(operator.neg, self)
ndarray.__invert__ = lambda self: each(operator.not_, self) if self.kind == "b" else each(operator.invert, self)
ndarray.__pow__ = lambda self, other: each(operator.pow, self, other)
ndarray.__matmul__ = lambda self, other: matmul(self, asarray(other))
ndarray.__rmatmul__ = lambda self, other: matmul(asarray(other), self)


def matmul(one, other):
    """A row, or rows, times a row."""
    found = [sum(map(operator.mul, row, other.data)) for row in batched(one.data, other.size)]
    return found[0] if one.ndim == 1 else array(found)


def rounded(number):
    try:
        return round(number)
    except (ValueError, OverflowError):  # no number, or no end
        return number


abs = partial(each, builtins.abs)
isnan = partial(each, lambda one: one != one, kind="b")
isinf = partial(each, math.isinf, kind="b")
isfinite = partial(each, math.isfinite, kind="b")
rint = partial(each, rounded, kind="f")
floor = partial(each, math.floor, kind="f")
log10 = partial(each, math.log10, kind="f")
cbrt = partial(each, math.cbrt, kind="f")
minimum = partial(each, lambda one, other: builtins.min(one, other))
maximum = partial(each, lambda one, other: builtins.max(one, other))


def where(yes, one, other):
    return each(lambda choose, a, b: a if choose else b, yes, one, other)


def known(table):
    return [one for one in asarray(table).data if one == one]


def nanmin(table):
    return builtins.min(known(table))


def nanmax(table, initial=None):
    return builtins.max([*known(table), *([] if initial is None else [initial])])


def nanmean(table):
    return sum(known(table)) / len(known(table))


def ptp(table):
    table = asarray(table)
    return table.max() - table.min()


def full(shape, one, kind=None):
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    return ndarray([one] * math.prod(shape), shape, kind_of(type(one)))


def zeros(shape, kind=float):
    return full(shape, MAKE[kind_of(kind)]())


empty = zeros


def arange(*ends):
    return asarray(range(*ends))


def linspace(low, high, count):
    step = (high - low) / (count - 1)
    return array([*(low + at * step for at in range(count - 1)), float(high)])


def ravel(given):
    return asarray(given).reshape(-1)


def reshape(given, shape):
    return asarray(given).reshape(shape)


def ndim(given):
    return asarray(given).ndim


def iterable(given):
    return isinstance(given, Iterable)


def atleast_2d(given):
    given = asarray(given)
    return given.reshape((1,) * (2 - given.ndim) + given.shape) if given.ndim < 2 else given


def concatenate(parts, axis=0):
    parts = [asarray(part) for part in parts]
    first = parts[0]
    axis %= first.ndim
    width = math.prod(first.shape[axis:])
    rows = [list(batched(part.data, math.prod(part.shape[axis:]))) for part in parts]
    assert width
    data = [one for pieces in zip(*rows, strict=True) for piece in pieces for one in piece]
    total = sum(part.shape[axis] for part in parts)
    return ndarray(data, [*first.shape[:axis], total, *first.shape[axis + 1 :]], kind_among(data))


def stack(parts):
    return concatenate([asarray(part)[None] for part in parts])


def diff(given, axis=-1, prepend=None):
    given = asarray(given)
    axis %= given.ndim
    before = (slice(None),) * axis
    if prepend is not None:
        shape = list(given.shape)
        shape[axis] = 1
        given = concatenate([broadcast_to(prepend, shape), given], axis)
    return given[(*before, slice(1, None))] - given[(*before, slice(None, -1))]


def pad(given, widths, constant_values):
    found = full([size + sum(more) for size, more in zip(given.shape, widths, strict=True)], constant_values)
    found[tuple(slice(0, size) for size in given.shape)] = given
    return found


def nonzero(given):
    given = asarray(given)
    places = [at for at, one in enumerate(given.data) if one]
    steps = zip(given.shape, spread(given.shape), strict=True)
    return tuple([at // step % size for at in places] for size, step in steps)


def argwhere(given):
    return list(zip(*nonzero(given), strict=True))


def flatnonzero(given):
    return asarray(nonzero(ravel(given))[0])


def repeat(given, count, axis=0):
    """Each entry along an axis `count` times."""
    given = asarray(given)
    places = [at for at in range(given.shape[axis]) for _ in range(count)]
    return given.take(places, axis)


def isin(given, among):
    return each(lambda one: one in among, given, kind="b")


def interp(at, places, heights):
    places, heights = list(places), list(heights)
    for (low, high), (one, other) in zip(itertools.pairwise(places), itertools.pairwise(heights), strict=True):
        if at <= high:
            return one + (other - one) * (at - low) / (high - low)
    return heights[-1]


def histogram(values, edges):
    values, edges = asarray(values).data, asarray(edges).data
    last = len(edges) - 2
    counts = [
        sum(low <= one < high or (at == last and one == high) for one in values)
        for at, (low, high) in enumerate(itertools.pairwise(edges))
    ]
    return asarray(counts), edges


def base_repr(number, base):
    digits, left = "", builtins.abs(number)
    while left:
        left, digit = divmod(left, base)
        digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[digit] + digits
    return ("-" if number < 0 else "") + (digits or "0")


def format_float_positional(number, trim):
    text = f"{number!r}" if "e" not in repr(number) else f"{number:.20f}".rstrip("0")
    return text.removesuffix(".0").rstrip(".")


def solve(matrix, right):
    return array([one for [one] in solved(asarray(matrix).tolist(), [[one] for one in asarray(right).data])])


def norm(given, axis):
    return each(math.sqrt, (given * given).sum(axis))


linalg = SimpleNamespace(solve=solve, norm=norm)
ma = SimpleNamespace(MaskedArray=type("MaskedArray", (), {}))
