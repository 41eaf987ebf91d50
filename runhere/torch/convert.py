"""From tensors to Python's numbers, and to other types."""

import math

from . import dtypes
from .core import Tensor, cast, device, methods
from .engine import expect, refusal
from .graph import record


def typed(d):
    return lambda self: self.to(d)


def number_as(kind):
    return lambda self: kind(self.item())


@methods
class Conversions:
    __float__, __int__, __complex__ = map(number_as, (float, int, complex))
    float, double, half, bfloat16, long, int, short, bool = map(
        typed, [getattr(dtypes, name) for name in "float double half bfloat16 long int short bool".split()]
    )

    def to(self, *args, **kwargs):
        d, copy = self.dtype, kwargs.pop("copy", False)
        kwargs.pop("non_blocking", None)
        for one in [*args, *kwargs.values()]:
            if isinstance(one, (Tensor, dtypes.dtype)):
                d = getattr(one, "dtype", one)
            elif isinstance(one, (str, device)):
                device(one)
            elif one is not None:
                raise TypeError(f"to() received an invalid argument of type {type(one).__name__}")
        if d is self.dtype and not copy:
            return self
        return record(cast(self, d), (self,), (lambda g: g,), "ToCopyBackward0")

    def type(self, dtype=None):
        return f"torch.{self.dtype.word}Tensor" if dtype is None else self.to(dtype)

    def type_as(self, other):
        return self.to(other.dtype)

    def cpu(self):
        return self

    def cuda(self, *args, **kwargs):
        raise refusal("NumPy, no other device and no storage to look into")

    mps = numpy = __array__ = share_memory_ = pin_memory = to_sparse = untyped_storage = storage = cuda

    def tolist(self):
        flat = self._numbers()

        def nest(shape, at):
            step = math.prod(shape[1:])
            return [nest(shape[1:], at + i * step) for i in range(shape[0])] if shape else flat[at]

        return nest(self.shape, 0)

    def item(self):
        if self.numel() != 1:
            raise RuntimeError(f"a Tensor with {self.numel()} elements cannot be converted to Scalar")
        return self._numbers()[0]

    def __bool__(self):
        if self.numel() != 1:
            many = "no values" if not self.numel() else "more than one value"
            raise RuntimeError(f"Boolean value of Tensor with {many} is ambiguous")
        return self.item() != 0

    def __index__(self):
        whole = self.dtype.kind < 2 and self.numel() == 1
        expect(whole, "only integer tensors of a single element can be converted to an index", TypeError)
        return int(self.item())

    def __format__(self, spec):
        if not self.dim():
            return self.item().__format__(spec)
        expect(not spec, "unsupported format string passed to Tensor.__format__", TypeError)
        return str(self)

    def __round__(self, digits=0):
        return self.round(decimals=digits)

    def __len__(self):
        expect(self.dim(), "len() of a 0-d tensor", TypeError)
        return self.shape[0]

    def __iter__(self):
        expect(self.dim(), "iteration over a 0-d tensor", TypeError)
        return iter(self.unbind(0))

    def __contains__(self, one):
        kinds = f"Tensor or scalar, but you passed in a {one.__class__}."
        expect(isinstance(one, (Tensor, int, float)), f"Tensor.__contains__ only supports {kinds}")
        return 1 in (self == one)._numbers()

    def __deepcopy__(self, memo):
        if self._node:
            told = "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol"
            raise RuntimeError(f"{told} at the moment.")
        out = object.__new__(self.__class__)._set(cast(self, self.dtype)._storage, self.shape, self.dtype)
        out.requires_grad = self.requires_grad
        memo[id(self)] = out
        return out

    def __reduce_ex__(self, protocol):
        raise refusal("saving of tensors")

    def __copy__(self):
        return self.detach().requires_grad_(self.requires_grad)
