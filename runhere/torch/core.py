"""A tensor: numbers in a storage, seen through a shape, strides and a start; and how one is made."""

import functools
import math

from .dtypes import int64
from .engine import Storage, ask, expect, number_text, refusal, refuse, spelled


class Size(tuple):
    """The lengths of a tensor's axes."""

    def __repr__(self):
        return f"torch.Size([{', '.join(map(str, self))}])"

    def __getitem__(self, at):
        part = tuple.__getitem__(self, at)
        return Size(part) if at.__class__ is slice else part

    def __add__(self, other):
        return Size(tuple.__add__(self, tuple(other)))

    def numel(self):
        return math.prod(self)


class device:
    """A page has one."""

    def __init__(self, type="cpu", index=None):
        refuse(str(type) != "cpu", f"device {str(type)!r}")
        self.type, self.index = "cpu", index

    def __repr__(self):
        return "device(type='cpu')"

    def __str__(self):
        return self.type

    def __eq__(self, other):
        return isinstance(other, device)

    def __hash__(self):
        return hash(self.type)


class Tensor:
    """A tensor of the page's stand-in for PyTorch."""

    is_cpu, is_cuda, is_meta, is_sparse, is_quantized = True, False, False, False, False
    layout, device = "torch.strided", device()
    _node = _base = _text = grad = None
    _asks = _one_of_many = False
    _histories = 0  # how often the history of a root was written over through a view

    def __new__(cls, *args, **kwargs):
        refuse(cls is Tensor, "torch.Tensor(...); write torch.tensor(...) or torch.zeros(...), or")
        return object.__new__(cls)

    def _set(self, storage, shape, d, strides=None, start=0):
        self._storage, self.shape, self.dtype = storage, Size(shape), d
        self._strides, self._start = strides or packed(shape), start
        return self

    def _spelled(self):
        if self._text is None:
            told = f"{self._storage.number},{list(self.shape)},{self._start}"
            if not self.is_contiguous():
                told += f",{list(self._strides)}"
            self._text = f'{{"t":[{told}]}}'
        return self._text

    def is_contiguous(self):
        expected = packed(self.shape)
        if self._strides == expected or 0 in self.shape:
            return True
        return not any([n != 1 and step != one for n, step, one in zip(self.shape, self._strides, expected)])

    def stride(self, dim=None):
        return self._strides if dim is None else self._strides[dim]

    def storage_offset(self):
        return self._start

    def data_ptr(self):
        return 4096 * (self._storage.number + 1) + self._start * self.dtype.itemsize

    def element_size(self):
        return self.dtype.itemsize

    def dim(self):
        return len(self.shape)

    ndim = property(dim)

    def size(self, dim=None):
        return self.shape if dim is None else self.shape[dim]

    def numel(self):
        return math.prod(self.shape)

    nelement = numel
    nbytes = property(lambda self: self.numel() * self.dtype.itemsize)
    itemsize = property(element_size)

    def is_floating_point(self):
        return self.dtype.kind == 2

    def is_complex(self):
        return False

    def _numbers(self):
        """Its entries in a list, one after the other."""
        text = ask("read", f"[{self._spelled()}]")
        parts = text.split(",") if text else []
        if self.dtype.kind == 2:
            return [float(part) for part in parts]
        return [part == "1" if not self.dtype.kind else int(part) for part in parts]

    def __getattr__(self, name):
        return MISSING(name)


class Missing(AttributeError, NotImplementedError):
    """A name that the stand-in does not have."""

    def __init__(self, name):
        super().__init__(str(refusal(name)))


FUNCTIONS = {}  # what torch has under the names of tensors' methods


def methods(given):
    """Give the functions of a class to tensors."""
    for name, one in vars(given).items():
        if callable(one) or isinstance(one, property):
            setattr(Tensor, name, one)
            if "." in getattr(one, "__qualname__", ""):
                one.__name__ = one.__qualname__ = name  # as errors name it
    return given


def operations(given):
    """Give the functions of a class to tensors, and to torch by the same names."""
    FUNCTIONS.update((name, one) for name, one in vars(methods(given)).items() if callable(one))
    return given


def lacking(module):
    """What a module answers when it is asked for a name that it does not have."""

    def missing(name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise Missing(f"{module}.{name}")

    return missing


MISSING = lacking("Tensor")


@functools.cache
def strides_of(shape):
    return tuple([math.prod([max(n, 1) for n in shape[at + 1 :]]) for at in range(len(shape))])


def packed(shape):
    """The strides of entries that stand one after the other."""
    return strides_of(tuple(shape))


@functools.cache
def laid(text):
    """The shape that the engine spells, such as "2,3", and its strides."""
    shape = Size(map(int, text.split(","))) if text else Size()
    return shape, packed(shape)


def made(answer, d):
    """The tensor that an answer names: "17|2,3" is a storage and a shape."""
    number, _, text = answer.partition("|")
    out = object.__new__(Tensor)
    out._storage, out.dtype, out._start = Storage(int(number)), d, 0
    out.shape, out._strides = laid(text)
    out._text = f'{{"t":[{number},[{text}],0]}}'
    return out


def over(storage, shape, d, strides=None, start=0):
    """A tensor that shows numbers which are there already."""
    return object.__new__(Tensor)._set(storage, shape, d, strides, start)


def run(name, args, d, options=None):
    """One step of the engine, off the graph."""
    told = ",".join([f'"{key}":{spelled(one)}' for key, one in options.items()]) if options else ""
    return made(ask("step", f'["{name}",{spelled(args)},["{d.name}"]{told and f",{{{told}}}"}]'), d)


def run_pair(name, args, d):
    """A step that gives numbers and their places."""
    both = ask("step", f'["{name}",{spelled(args)},["{d.name}","int64"]]').split(";")
    return made(both[0], d), made(both[1], int64)


def from_numbers(shape, numbers, d):
    spelt = ",".join([number_text(n) for n in numbers])
    return made(ask("make", f'[{list(shape)},[{spelt}],"{d.name}"]'), d)


def filled(shape, value, d):
    return run("full", [list(shape), value], d)


def cast(x, d):
    """Its numbers in a storage of their own, of this type."""
    return made(ask("cast", f'[{x._spelled()},"{d.name}"]'), d)


def write(x, values, pick=(), adds=False):
    """Write numbers where x has its entries, or where an operation picks some; off the graph."""
    told = "".join([f",{spelled(part)}" for part in pick])
    ask("write", f"[{x._spelled()},{values._spelled()},{'true' if adds else 'false'}{told}]")
    x._storage.version += 1


def is_tensor(obj):
    return isinstance(obj, Tensor)


def axis(dim, rank):
    """An axis counted from the start; PyTorch gives a number an axis, too."""
    rank = max(rank, 1)
    if not isinstance(dim, int):
        expect(hasattr(dim, "__index__"), f"dim must be int, not {type(dim).__name__}", TypeError)
        dim = dim.__index__()
    if not -rank <= dim < rank:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-rank}, {rank - 1}], but got {dim})")
    return dim + rank if dim < 0 else dim


def axes(dim, rank):
    """Axes as a list; None is all of them."""
    if dim is None or (isinstance(dim, (list, tuple)) and not dim):
        return list(range(rank))
    found = [axis(one, rank) for one in (dim if isinstance(dim, (list, tuple)) else [dim])]
    for one in found:
        if found.count(one) > 1:
            raise RuntimeError(f"dim {one} appears multiple times in the list of dims")
    return found


def sizes_of(sizes):
    """Lengths that stand one by one or in a list."""
    if len(sizes) == 1 and isinstance(sizes[0], (list, tuple)):
        sizes = sizes[0]
    for n in sizes:
        if not hasattr(n, "__index__"):
            raise TypeError(f"a size must be an int, not {type(n).__name__}")
    return [n.__index__() for n in sizes]


def broadcast_shapes(*shapes):
    return broadcast(*[(s,) if isinstance(s, int) else tuple(s) for s in shapes])


@functools.cache
def broadcast(*shapes):
    rank = max(map(len, shapes), default=0)
    found = [1] * rank
    for shape in shapes:
        for at, n in enumerate(shape, rank - len(shape)):
            if n == 1:
                continue
            lengths = f"The size of tensor a ({found[at]}) must match the size of tensor b ({n})"
            expect(found[at] in (1, n), f"{lengths} at non-singleton dimension {at}")
            found[at] = n
    return Size(found)


__all__ = ["Size", "Storage", "Tensor", "broadcast_shapes", "device", "is_tensor"]
