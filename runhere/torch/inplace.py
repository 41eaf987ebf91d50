"""Writing into a tensor, and Python's operators."""

from .core import Tensor, cast, filled, methods, write
from .elementwise import OPERANDS, fit
from .engine import expect, refusal, refuse
from .graph import edge, is_grad_enabled, needs, take_over

# What is there in place, too: exp_ and its like; and what Python has a sign for.
WRITTEN = """add sub mul div pow remainder floor_divide exp log sqrt rsqrt tanh sigmoid sin cos erf square relu neg sign
    floor ceil trunc abs round clamp clamp_min clamp_max masked_fill nan_to_num logical_not bitwise_and
    bitwise_or bitwise_xor reciprocal"""
SIGNS = """add=add sub=sub mul=mul truediv=div pow=pow mod=remainder floordiv=floor_divide and=bitwise_and
    or=bitwise_or xor=bitwise_xor"""


def may_be_written(x):
    if not is_grad_enabled():
        return
    root = x._base
    if x.requires_grad and x.is_leaf:
        raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")
    if root is None or not root.requires_grad:
        return
    expect(not root.is_leaf, "a view of a leaf Variable that requires grad is being used in an in-place operation.")
    own = x.requires_grad and not x._one_of_many
    expect(own, "a view that was made without a gradient, or one of many views, is being modified in place")


def put_into(x, new):
    """Write what was computed into x, and take over its history."""
    may_be_written(x)
    shape = fit(x, new)
    if shape != x.shape:
        raise RuntimeError(f"output with shape {list(x.shape)} doesn't match the broadcast shape {list(shape)}")
    if new.dtype.kind > x.dtype.kind:
        raise RuntimeError(f"result type {new.dtype.word} can't be cast to the desired output type {x.dtype.word}")
    if 0 in x._strides and any([n > 1 and not s for n, s in zip(x.shape, x._strides)]):
        raise RuntimeError(
            "unsupported operation: more than one element of the written-to tensor refers to a single memory "
            "location. Please clone() the tensor before performing the operation."
        )
    new = new if new.dtype is x.dtype else new.to(x.dtype)
    new = new if new.shape == x.shape else new.expand(x.shape)
    write(x, new)
    if is_grad_enabled():
        take_over(x, new)
    return x


def before(x, *others):
    """What x was, for the way back: its numbers, and its history."""
    if not needs(x, *others):
        return x
    was = cast(x, x.dtype)
    was.requires_grad, was._node = x.requires_grad, edge(x)
    return was


def spans(x):
    """Where in its storage x begins and ends, or None where it leaves gaps."""
    step = 1
    for n, stride in sorted(zip(x.shape, x._strides), key=lambda pair: pair[1]):
        if n > 1 and stride != step:
            return None
        step *= n
    return (x._start, x._start + step)


def places(x):
    """Where in its storage its entries stand, one after the other."""
    found = [x._start]
    for n, stride in zip(x.shape, x._strides):
        found = [at + i * stride for at in found for i in range(n)]
    return found


def apart(x, other):
    """Refuse what PyTorch refuses: numbers that are read from where others are written."""
    if not isinstance(other, Tensor) or other._storage is not x._storage:
        return
    steps = zip(x.shape, x._strides, other._strides)
    if other._start == x._start and other.shape == x.shape and all([n == 1 or s == t for n, s, t in steps]):
        return
    mine, yours, shape = spans(x), spans(other), fit(x, other)
    if shape != x.shape:
        return  # refused for that
    if not (mine and yours):  # PyTorch reads some numbers before it writes there, and others after
        pairs = list(zip(places(x), places(other.expand(x.shape))))
        written = {own for own, _ in pairs}
        crossed = any([one != own and one in written for own, one in pairs])
        refuse(crossed, "step in place that reads where it writes; clone() what is read, or")
    elif mine[0] < yours[1] and yours[0] < mine[1]:
        raise RuntimeError(
            "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single "
            "memory location. Please clone() the tensor before performing the operation."
        )


def in_place(f):
    def function(self, *args, **kwargs):
        may_be_written(self)
        for other in args:
            apart(self, other)
        return put_into(self, f(before(self, *args), *args, **kwargs))

    return function


def operator(f, turned=False):
    def function(self, other):
        if not isinstance(other, OPERANDS):
            return NotImplemented
        return f(other, self) if turned else f(self, other)

    return function


for _name in WRITTEN.split():
    setattr(Tensor, f"{_name}_", in_place(getattr(Tensor, _name)))
for _sign, _, _name in [pair.partition("=") for pair in SIGNS.split()]:
    _f = getattr(Tensor, _name)
    setattr(Tensor, f"__{_sign}__", operator(_f))
    setattr(Tensor, f"__r{_sign}__", operator(_f, turned=True))
    setattr(Tensor, f"__i{_sign}__", operator(in_place(_f)))
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    setattr(Tensor, f"__{_name}__", operator(getattr(Tensor, _name)))
Tensor.__neg__, Tensor.__abs__, Tensor.__invert__ = Tensor.neg, Tensor.abs, Tensor.bitwise_not


@methods
class Writing:
    def __pos__(self):
        return self

    def __hash__(self):
        return id(self)

    def copy_(self, src, non_blocking=False):
        may_be_written(self)
        apart(self, src)
        return put_into(self, src.to(self.dtype))

    def fill_(self, value):
        may_be_written(self)
        if not isinstance(value, Tensor):
            return put_into(self, filled(self.shape, value, self.dtype))
        told = f"fill_ only supports 0-dimension value tensor but got tensor with {value.dim()} dimensions."
        expect(not value.dim(), told)
        return put_into(self, value.to(self.dtype).expand(self.shape))

    def zero_(self):
        return self.fill_(0)

    def detach_(self):
        self.requires_grad, self._node = False, None
        return self

    def resize_(self, *args):
        raise refusal("change of a tensor's shape in place")

    set_ = t_ = transpose_ = squeeze_ = unsqueeze_ = resize_
