"""From tensors to Python's numbers, and to other types."""

import math

from . import dtypes
from .core import Tensor, cast, device, is_dtype, method, on_cpu
from .engine import refusal
from .graph import record


@method()
def to(self, *args, **kwargs):
    d, copy = self.dtype, kwargs.pop("copy", False)
    kwargs.pop("non_blocking", None)
    for one in [*args, *kwargs.values()]:
        if is_dtype(one):
            d = one
        elif isinstance(one, Tensor):
            d = one.dtype
        elif isinstance(one, (str, device)):
            on_cpu(one)
        elif one is not None:
            raise TypeError(f"to() received an invalid argument of type {type(one).__name__}")
    if d is self.dtype and not copy:
        return self
    return record(cast(self, d), (self,), lambda g: [cast(g, self.dtype)], "ToCopyBackward0")


@method()
def type(self, dtype=None):
    return f"torch.{self.dtype.word}Tensor" if dtype is None else to(self, dtype)


@method()
def type_as(self, other):
    return to(self, other.dtype)


for _name in """float double half bfloat16 long int short bool""".split():
    method(_name)(lambda self, name=_name: to(self, getattr(dtypes, name)))


@method()
def cpu(self):
    return self


@method("cuda", "mps", "numpy", "__array__", "share_memory_", "pin_memory", "to_sparse", "untyped_storage", "storage")
def elsewhere(self, *args, **kwargs):
    raise refusal("NumPy, no other device and no storage to look into")


@method()
def tolist(self):
    flat = self._numbers()

    def nest(shape, at):
        if not shape:
            return flat[at]
        step = math.prod(shape[1:])
        return [nest(shape[1:], at + i * step) for i in range(shape[0])]

    return nest(self.shape, 0)


@method()
def item(self):
    if self.numel() != 1:
        raise RuntimeError(f"a Tensor with {self.numel()} elements cannot be converted to Scalar")
    return self._numbers()[0]


@method("__bool__")
def as_bool(self):
    if self.numel() != 1:
        many = "no values" if not self.numel() else "more than one value"
        raise RuntimeError(f"Boolean value of Tensor with {many} is ambiguous")
    return bool(item(self))


@method("__float__")
def as_float(self):
    return float(item(self))


@method("__int__")
def as_int(self):
    return int(item(self))


@method("__complex__")
def as_complex(self):
    return complex(item(self))


@method("__index__")
def as_index(self):
    if self.dtype.kind == 2 or self.numel() != 1:
        raise TypeError("only integer tensors of a single element can be converted to an index")
    return int(item(self))


@method("__format__")
def as_text(self, spec):
    if not self.dim():
        return item(self).__format__(spec)
    if spec:
        raise TypeError("unsupported format string passed to Tensor.__format__")
    return str(self)


@method("__round__")
def rounded(self, digits=0):
    return self.round(decimals=digits)


@method("__len__")
def length(self):
    if not self.dim():
        raise TypeError("len() of a 0-d tensor")
    return self.shape[0]


@method("__iter__")
def each(self):
    if not self.dim():
        raise TypeError("iteration over a 0-d tensor")
    return iter(self.unbind(0))


@method("__contains__")
def contains(self, one):
    if not isinstance(one, (Tensor, int, float)):
        raise RuntimeError(f"Tensor.__contains__ only supports Tensor or scalar, but you passed in a {one.__class__}.")
    return 1 in (self == one)._numbers()


@method("__deepcopy__")
def deep_copy(self, memo):
    if self._node:
        raise RuntimeError(
            "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment."
        )
    out = object.__new__(self.__class__)._set(cast(self, self.dtype)._storage, self.shape, self.dtype)
    out.requires_grad = self.requires_grad
    memo[id(self)] = out
    return out


@method("__reduce_ex__")
def pickled(self, protocol):
    raise refusal("saving of tensors")


@method("__copy__")
def shallow_copy(self):
    return self.detach().requires_grad_(self.requires_grad)
