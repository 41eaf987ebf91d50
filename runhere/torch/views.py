"""Other views of the same numbers: shapes, strides and starts; no number moves."""

import math

from .core import Tensor, axes, axis, cast, filled, methods, packed, run, sizes_of, write
from .graph import record, renamed


def look(x, shape, strides, start, again, name, back=None):
    """A view of x. Its gradient is written into the same view, `again`, of zeros."""

    def into_zeros(g):
        grad = filled(x.shape, 0, g.dtype)
        write(again(grad), g, adds=True)
        return [grad]

    out = object.__new__(Tensor)._set(x._storage, shape, x.dtype, tuple(strides), start)
    out._base = x if x._base is None else x._base
    out._seen = out._base._histories
    return record(out, (x,), back or into_zeros, name)


def unbroadcast(g, shape):
    """A gradient summed over what was broadcast."""
    if g.shape == shape:
        return g
    extra = g.dim() - len(shape)
    ones = [i + extra for i, n in enumerate(shape) if n == 1 and g.shape[i + extra] != 1]
    if extra or ones:
        g = run("sum", [g, [*range(extra), *ones], True], g.dtype)
        g = shaped(g, shape)
    return g


def fitting_strides(x, shape):
    """Strides that show x in another shape, or None where its numbers would have to move."""
    if x.is_contiguous():
        return packed(shape)
    old = [(n, s) for n, s in zip(x.shape, x._strides) if n != 1]
    strides, at = [0] * len(shape), len(shape) - 1
    while old:
        n, step = old.pop()
        while old and old[-1][1] == step * n:  # axes that lie one in the other
            n *= old.pop()[0]
        while at >= 0 and (n > 1 or shape[at] == 1):
            if n % shape[at]:
                return None
            strides[at], n, step = step, n // shape[at], step * shape[at]
            at -= 1
        if n != 1:
            return None
    while at >= 0:
        strides[at] = strides[at + 1] * shape[at + 1] if at + 1 < len(shape) else 1
        at -= 1
    return tuple(strides)


def whole_shape(x, shape):
    """A shape without -1."""
    shape, count = list(shape), x.numel()
    known = math.prod([n for n in shape if n != -1])
    if shape.count(-1) > 1:
        raise RuntimeError("only one dimension can be inferred")
    if -1 in shape and not known:
        raise RuntimeError(
            f"cannot reshape tensor of {count} elements into shape {shape} because the unspecified dimension size -1 "
            "can be any value and is ambiguous"
        )
    if (count % known if -1 in shape else known != count) or any([n < -1 for n in shape]):
        raise RuntimeError(f"shape '{shape}' is invalid for input of size {count}")
    return [count // known if n == -1 else n for n in shape]


def view(self, *shape):
    if len(shape) == 1 and not isinstance(shape[0], (int, list, tuple)) and hasattr(shape[0], "kind"):
        raise TypeError("view(dtype) is not in this page's stand-in for PyTorch; it runs in the notebook")
    shape, was = whole_shape(self, sizes_of(shape)), self.shape
    strides = fitting_strides(self, shape)
    if strides is None:
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one dimension spans across two "
            "contiguous subspaces). Use .reshape(...) instead."
        )
    return look(self, shape, strides, self._start, None, "ViewBackward0", lambda g: [reshape(g, was)])


def reshape(self, *shape):
    shape, was = whole_shape(self, sizes_of(shape)), self.shape
    strides = fitting_strides(self, shape)
    if strides is not None:
        return look(self, shape, strides, self._start, None, "ViewBackward0", lambda g: [reshape(g, was)])
    out = object.__new__(Tensor)._set(cast(self, self.dtype)._storage, shape, self.dtype)
    return record(out, (self,), lambda g: [reshape(g, was)], "UnsafeViewBackward0")


def shaped(x, shape):
    """As `reshape`, but no view of what has the shape already."""
    return x if x.shape == tuple(shape) else reshape(x, shape)


def contiguous(self):
    if self.is_contiguous():
        return self
    return record(cast(self, self.dtype), (self,), lambda g: [g], "CloneBackward0")


def view_as(self, other):
    return view(self, other.shape)


def reshape_as(self, other):
    return reshape(self, other.shape)


def flatten(self, start_dim=0, end_dim=-1):
    rank = self.dim()
    start, end = axis(start_dim, rank), axis(end_dim, rank) + 1
    if start >= end:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    if rank and end - start == 1:
        return self
    middle = math.prod(self.shape[start:end])
    return reshape(self, [*self.shape[:start], middle, *self.shape[end:]])


def ravel(self):
    return reshape(self, -1)


def unflatten(self, dim, sizes):
    at, sizes = axis(dim, self.dim()), list(sizes)
    n, known = self.shape[at], math.prod([k for k in sizes if k != -1])
    if (known == 0 or n % known) if -1 in sizes else known != n:
        raise RuntimeError(
            f"unflatten: Provided sizes {sizes} don't multiply up to the size of dim {at} ({n}) in the input tensor"
        )
    sizes = [n // known if k == -1 else k for k in sizes]
    return view(self, [*self.shape[:at], *sizes, *self.shape[at + 1 :]])


def unsqueeze(self, dim):
    at = axis(dim, self.dim() + 1)
    step = self._strides[at] * self.shape[at] if at < self.dim() else 1
    shape, strides, was = list(self.shape), list(self._strides), self.shape
    shape.insert(at, 1)
    strides.insert(at, step)
    return look(self, shape, strides, self._start, None, "UnsqueezeBackward0", lambda g: [reshape(g, was)])


def squeeze(self, dim=None):
    was, gone = self.shape, axes(dim, self.dim())
    if isinstance(dim, (list, tuple)) and not dim:
        gone = []
    keep = [i for i, n in enumerate(was) if n != 1 or i not in gone]
    shape, strides = [was[i] for i in keep], [self._strides[i] for i in keep]
    name = "SqueezeBackward0" if dim is None else "SqueezeBackward1"
    return look(self, shape, strides, self._start, None, name, lambda g: [reshape(g, was)])


def reordered(x, order, name):
    shape, strides = [x.shape[i] for i in order], [x._strides[i] for i in order]
    back = [order.index(i) for i in range(len(order))]
    return look(x, shape, strides, x._start, None, name, lambda g: [reordered(g, back, "PermuteBackward0")])


def permute(self, *dims):
    listed = sizes_of(dims)
    if len(listed) != self.dim():
        raise RuntimeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired "
            f"ordering of dimensions i.e. input.dim() = {self.dim()} is not equal to len(dims) = {len(listed)}"
        )
    order = [axis(dim, self.dim()) for dim in listed]
    if len(set(order)) < len(order):
        raise RuntimeError("permute(): duplicate dims are not allowed.")
    return reordered(self, order, "PermuteBackward0")


def transpose(self, dim0, dim1):
    order = list(range(self.dim()))
    a, b = axis(dim0, self.dim()), axis(dim1, self.dim())
    if order:
        order[a], order[b] = order[b], order[a]
    return reordered(self, order, "TransposeBackward0")


def movedim(self, source, destination):
    one = isinstance(source, int)
    start, end = ([axis(d, self.dim()) for d in ([dims] if one else dims)] for dims in (source, destination))
    rest = [i for i in range(self.dim()) if i not in start]
    order = [start[end.index(i)] if i in end else rest.pop(0) for i in range(self.dim())]
    return reordered(self, order, "PermuteBackward0")


def t(self):
    if self.dim() > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {self.dim()}D")
    return reordered(self, list(range(self.dim()))[::-1], "TBackward0")


def turned(x):
    name = "NumpyTBackward0" if x.dim() != 2 else "PermuteBackward0"
    return reordered(x, list(range(x.dim()))[::-1], name)


def matrix_turned(x):
    if x.dim() < 2:
        raise RuntimeError(f"tensor.mT is only supported on matrices or batches of matrices. Got {x.dim()}-D tensor.")
    return transpose(x, -2, -1)


Tensor.T, Tensor.mT = property(turned), property(matrix_turned)


def expand(self, *sizes):
    shape, rank = sizes_of(sizes), self.dim()
    extra = len(shape) - rank
    if extra < 0:
        raise RuntimeError(
            f"expand(torch.{self.dtype.word}Tensor{{{list(self.shape)}}}, size={shape}): the number of sizes provided "
            f"({len(shape)}) must be greater or equal to the number of dimensions in the tensor ({rank})"
        )
    strides, found = [0] * extra + list(self._strides), list(shape)
    for i in range(len(shape)):
        was = self.shape[i - extra] if i >= extra else 1
        if shape[i] == -1 and i >= extra:
            found[i] = was
        elif shape[i] < 0:
            raise RuntimeError(
                f"The expanded size of the tensor ({shape[i]}) isn't allowed in a leading, non-existing dimension {i}"
            )
        elif was != shape[i]:
            if was != 1:
                raise RuntimeError(
                    f"The expanded size of the tensor ({shape[i]}) must match the existing size ({was}) at "
                    f"non-singleton dimension {i}.  Target sizes: {shape}.  Tensor sizes: {list(self.shape)}"
                )
            strides[i] = 0
    was = self.shape
    return look(self, found, strides, self._start, None, "ExpandBackward0", lambda g: [unbroadcast(g, was)])


def expand_as(self, other):
    return expand(self, other.shape)


def broadcast_to(self, size):
    return expand(self, size)


def cut(x, dim, start, stop, step=1):
    """Every `step`-th entry of an axis from start to stop; all three fit."""
    shape, strides = list(x.shape), list(x._strides)
    shape[dim], strides[dim] = max(0, -((start - stop) // step)), strides[dim] * step
    begin = x._start + start * x._strides[dim]
    return look(x, shape, strides, begin, lambda z: cut(z, dim, start, stop, step), "SliceBackward0")


def narrow(self, dim, start, length):
    at = axis(dim, self.dim())
    n, start, length = self.shape[at], start.__index__(), length.__index__()
    begin = start + n if start < 0 else start
    if length < 0:
        raise RuntimeError("narrow(): length must be non-negative.")
    if not 0 <= begin <= n or begin + length > n:
        raise RuntimeError(f"start ({begin}) + length ({length}) exceeds dimension size ({n}).")
    return cut(self, at, begin, begin + length)


def select(self, dim, index):
    if not self.dim():
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    at, index = axis(dim, self.dim()), index.__index__()
    n = self.shape[at]
    if not -n <= index < n:
        raise IndexError(
            f"select(): index {index} out of range for tensor of size {list(self.shape)} at dimension {at}"
        )
    return pick(self, at, index % n)


def pick(x, dim, index):
    """One place of an axis, which goes away."""
    shape, strides = list(x.shape), list(x._strides)
    del shape[dim], strides[dim]
    begin = x._start + index * x._strides[dim]
    return look(x, shape, strides, begin, lambda z: pick(z, dim, index), "SelectBackward0")


def diagonal(self, offset=0, dim1=0, dim2=1):
    a, b = axis(dim1, self.dim()), axis(dim2, self.dim())
    if a == b:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    down, right = max(0, -offset), max(0, offset)
    length = max(0, min(self.shape[a] - down, self.shape[b] - right))
    rest = [i for i in range(self.dim()) if i not in (a, b)]
    strides = [self._strides[i] for i in rest] + [self._strides[a] + self._strides[b]]
    begin = self._start + (down * self._strides[a] + right * self._strides[b] if length else 0)
    shape = [self.shape[i] for i in rest] + [length]
    return look(self, shape, strides, begin, lambda z: diagonal(z, offset, a, b), "DiagonalBackward0")


def one_of_many(parts, name):
    """Views that PyTorch does not let be written where a gradient is asked for."""
    for part in parts:
        part._one_of_many = True
        renamed(part, name)
    return tuple(parts)


def unbind(self, dim=0):
    at = axis(dim, self.dim())
    if not self.dim():
        raise RuntimeError("Dimension specified as 0 but tensor has no dimensions")
    return one_of_many([pick(self, at, i) for i in range(self.shape[at])], "UnbindBackward0")


def split(self, split_size_or_sections, dim=0):
    at, size = axis(dim, self.dim()), split_size_or_sections
    n = self.shape[at]
    if isinstance(size, (list, tuple)):
        if sum(size) != n:
            raise RuntimeError(
                f"split_with_sizes expects split_sizes to sum exactly to {n} (input tensor's size at dimension {at}), "
                f"but got split_sizes={list(size)}"
            )
        sizes = size
    else:
        if size < 0 or (size == 0 and n):
            raise RuntimeError(f"split expects split_size be non-negative, but got split_size={size}")
        sizes = [min(size, n - i) for i in range(0, n, size)] if n else [0]
    starts = [sum(sizes[:i]) for i in range(len(sizes))]
    name = "SplitWithSizesBackward0" if size is sizes else "SplitBackward0"
    return one_of_many([cut(self, at, start, start + k) for start, k in zip(starts, sizes)], name)


def chunk(self, chunks, dim=0):
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    n = self.shape[axis(dim, self.dim())]
    return split(self, max(1, -(-n // chunks)), dim)


def unfold(self, dimension, size, step):
    at = axis(dimension, self.dim())
    count = (self.shape[at] - size) // step + 1
    if size > self.shape[at] or step <= 0:
        raise RuntimeError(f"maximum size for tensor at dimension {at} is {self.shape[at]} but size is {size}")
    shape, strides = [*self.shape, size], [*self._strides, self._strides[at]]
    shape[at], strides[at] = count, strides[at] * step
    return look(self, shape, strides, self._start, lambda z: unfold(z, at, size, step), "UnfoldBackward0")


def detach(self):
    """The same numbers, off the graph."""
    return object.__new__(Tensor)._set(self._storage, self.shape, self.dtype, self._strides, self._start)


def set_data(x, new):
    x._set(new._storage, new.shape, new.dtype, new._strides, new._start)
    x._text = None


Tensor.data = property(detach, set_data)


_OWN = methods(globals(), "view reshape_as view_as expand expand_as unfold contiguous")
__all__ = methods(
    globals(),
    """broadcast_to chunk detach diagonal flatten movedim narrow permute ravel reshape select split squeeze t
    transpose=swapaxes=swapdims unbind unflatten unsqueeze""",
)
