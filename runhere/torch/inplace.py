"""Writing into a tensor, and Python's operators."""

from . import elementwise as each
from .core import Tensor, cast, filled, methods, write
from .elementwise import OPERANDS, fit
from .engine import refusal
from .graph import edge, is_grad_enabled, needs, record, take_over
from .views import expand


def may_be_written(x):
    if not is_grad_enabled():
        return
    root = x._base
    if x.requires_grad and x.is_leaf:
        raise RuntimeError("a leaf Variable that requires grad is being used in an in-place operation.")
    if root is None or not root.requires_grad:
        return
    if root.is_leaf:
        raise RuntimeError("a view of a leaf Variable that requires grad is being used in an in-place operation.")
    if not x.requires_grad or x._one_of_many:
        raise RuntimeError("a view that was made without a gradient, or one of many views, is being modified in place")


def put_into(x, new):
    """Write what was computed into x, and take over its history."""
    may_be_written(x)
    if fit(x, new) != x.shape:
        raise RuntimeError(f"output with shape {list(x.shape)} doesn't match the broadcast shape {list(fit(x, new))}")
    if new.dtype.kind > x.dtype.kind:
        raise RuntimeError(f"result type {new.dtype.word} can't be cast to the desired output type {x.dtype.word}")
    if 0 in x._strides and any([n > 1 and not s for n, s in zip(x.shape, x._strides)]):
        raise RuntimeError(
            "unsupported operation: more than one element of the written-to tensor refers to a single memory "
            "location. Please clone() the tensor before performing the operation."
        )
    new = new if new.dtype is x.dtype else new.to(x.dtype)
    new = new if new.shape == x.shape else expand(new, x.shape)
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


def apart(x, other):
    """Refuse what PyTorch refuses: numbers that are read from where others are written."""
    if not isinstance(other, Tensor) or other._storage is not x._storage:
        return
    mine, yours = spans(x), spans(other)
    if mine and yours and mine != yours and mine[0] < yours[1] and yours[0] < mine[1]:
        raise RuntimeError(
            "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single "
            "memory location. Please clone() the tensor before performing the operation."
        )


def changed(self, f, *args, **kwargs):
    may_be_written(self)
    for other in args:
        apart(self, other)
    return put_into(self, f(before(self, *args), *args, **kwargs))


def in_place(name):
    f = getattr(Tensor, name)
    setattr(Tensor, f"{name}_", lambda self, *args, **kwargs: changed(self, f, *args, **kwargs))


WRITTEN = """add sub mul div pow remainder floor_divide exp log sqrt rsqrt tanh sigmoid sin cos erf square relu neg sign
    floor ceil trunc abs round clamp clamp_min clamp_max masked_fill nan_to_num logical_not bitwise_and
    bitwise_or bitwise_xor reciprocal"""
for _name in WRITTEN.split():
    in_place(_name)


def copy_(self, src, non_blocking=False):
    may_be_written(self)
    apart(self, src)
    return put_into(self, src.to(self.dtype))


def zero_(self):
    may_be_written(self)
    return put_into(self, filled(self.shape, 0, self.dtype))


def fill_(self, value):
    may_be_written(self)
    if isinstance(value, Tensor):
        if value.dim():
            raise RuntimeError(
                f"fill_ only supports 0-dimension value tensor but got tensor with {value.dim()} dimensions."
            )
        return put_into(self, expand(value.to(self.dtype), self.shape))
    return put_into(self, filled(self.shape, value, self.dtype))


def detach_(self):
    self.requires_grad, self._node = False, None
    return self


def resize_(self, *args):
    raise refusal("change of a tensor's shape in place")


def operator(name, f, turned=False):
    def operate(self, other):
        if not isinstance(other, OPERANDS):
            return NotImplemented
        return f(other, self) if turned else f(self, other)

    setattr(Tensor, name, operate)


for _name, _f in {
    "add": each.add, "sub": each.sub, "mul": each.mul, "truediv": each.div, "pow": each.pow,
    "mod": each.remainder, "floordiv": each.floor_divide, "and": each.bitwise_and,
    "or": each.bitwise_or, "xor": each.bitwise_xor,
}.items():  # fmt: skip
    operator(f"__{_name}__", _f)
    operator(f"__r{_name}__", _f, turned=True)
    operator(f"__i{_name}__", lambda self, other, f=_f: changed(self, f, other))
for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    operator(f"__{_name}__", getattr(each, _name))
Tensor.__neg__, Tensor.__abs__, Tensor.__invert__ = each.neg, each.abs, each.bitwise_not
Tensor.__pos__ = lambda self: self
Tensor.__hash__ = lambda self: id(self)


def clone(self, memory_format=None):
    return record(cast(self, self.dtype), (self,), lambda g: [g], "CloneBackward0")


methods(globals(), "clone copy_ zero_ fill_ detach_ resize_=set_=t_=transpose_=squeeze_=unsqueeze_")
