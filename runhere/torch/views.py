"""Other views of the same numbers: shapes, strides and starts; no number moves."""

import math

from .core import Tensor, axes, axis, cast, filled, methods, operations, over, packed, sizes_of, write
from .engine import expect
from .graph import record, renamed


def look(x, shape, strides, start, name, back=None, again=None):
    """A view of x. Its gradient goes `back`, or into the same view, `again`, of zeros; else it is reshaped."""
    was = x.shape  # and not x: a graph keeps no numbers that it does not need

    def way(g):
        if back:
            return back(g)
        if not again:
            return g.reshape(was)
        grad = filled(was, 0, g.dtype)
        write(again(grad), g, adds=True)
        return grad

    out = over(x._storage, shape, x.dtype, tuple(strides), start)
    out._base = x if x._base is None else x._base
    out._seen = out._base._histories
    return record(out, (x,), (way,), name)


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
    shape, count = sizes_of(shape), x.numel()
    known = math.prod([n for n in shape if n != -1])
    expect(shape.count(-1) < 2, "only one dimension can be inferred")
    if -1 in shape and not known:
        raise RuntimeError(
            f"cannot reshape tensor of {count} elements into shape {shape} because the unspecified dimension size -1 "
            "can be any value and is ambiguous"
        )
    if (count % known if -1 in shape else known != count) or any([n < -1 for n in shape]):
        raise RuntimeError(f"shape '{shape}' is invalid for input of size {count}")
    return [count // known if n == -1 else n for n in shape]


def reordered(x, order, name):
    shape, strides = [x.shape[i] for i in order], [x._strides[i] for i in order]
    home = [order.index(i) for i in range(len(order))]
    return look(x, shape, strides, x._start, name, lambda g: reordered(g, home, "PermuteBackward0"))


def cut(x, dim, start, stop, step=1):
    """Every `step`-th entry of an axis from start to stop; all three fit."""
    shape, strides = list(x.shape), list(x._strides)
    shape[dim], strides[dim] = max(0, -((start - stop) // step)), strides[dim] * step
    begin = x._start + start * x._strides[dim]
    return look(x, shape, strides, begin, "SliceBackward0", again=lambda z: cut(z, dim, start, stop, step))


def pick(x, dim, index):
    """One place of an axis, which goes away."""
    shape, strides = list(x.shape), list(x._strides)
    del shape[dim], strides[dim]
    begin = x._start + index * x._strides[dim]
    return look(x, shape, strides, begin, "SelectBackward0", again=lambda z: pick(z, dim, index))


def one_of_many(parts, name):
    """Views that PyTorch does not let be written where a gradient is asked for."""
    for part in parts:
        part._one_of_many = True
        renamed(part, name)
    return tuple(parts)


def as_other(name):
    return lambda self, other: getattr(self, name)(other.shape)


def set_data(x, new):
    x._set(new._storage, new.shape, new.dtype, new._strides, new._start)
    x._text = None


@methods
class Views:
    def view(self, *shape):
        if len(shape) == 1 and not isinstance(shape[0], (int, list, tuple)) and hasattr(shape[0], "kind"):
            raise TypeError("view(dtype) is not in this page's stand-in for PyTorch; it runs in the notebook")
        shape = whole_shape(self, shape)
        strides = fitting_strides(self, shape)
        if strides is None:
            raise RuntimeError(
                "view size is not compatible with input tensor's size and stride (at least one dimension spans across "
                "two contiguous subspaces). Use .reshape(...) instead."
            )
        return look(self, shape, strides, self._start, "ViewBackward0")

    def contiguous(self):
        return self if self.is_contiguous() else self.clone()

    view_as, reshape_as, expand_as = map(as_other, ("view", "reshape", "expand"))

    def expand(self, *sizes):
        shape, rank = sizes_of(sizes), self.dim()
        extra = len(shape) - rank
        if extra < 0:
            raise RuntimeError(
                f"expand(torch.{self.dtype.word}Tensor{{{list(self.shape)}}}, size={shape}): the number of sizes "
                f"provided ({len(shape)}) must be greater or equal to the number of dimensions in the tensor ({rank})"
            )
        strides, found = [0] * extra + list(self._strides), list(shape)
        for i, n in enumerate(shape):
            was = self.shape[i - extra] if i >= extra else 1
            if n == -1 and i >= extra:
                found[i] = was
            elif n < 0:
                place = f"in a leading, non-existing dimension {i}"
                raise RuntimeError(f"The expanded size of the tensor ({n}) isn't allowed {place}")
            elif was != n:
                if was != 1:
                    raise RuntimeError(
                        f"The expanded size of the tensor ({n}) must match the existing size ({was}) at "
                        f"non-singleton dimension {i}.  Target sizes: {shape}.  Tensor sizes: {list(self.shape)}"
                    )
                strides[i] = 0
        return look(self, found, strides, self._start, "ExpandBackward0", lambda g: g)

    def repeat(self, *repeats):
        counts = sizes_of(repeats)
        told = "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor"
        expect(len(counts) >= self.dim(), told)
        shape = [1] * (len(counts) - self.dim()) + list(self.shape)
        pairs = [m for n in shape for m in (1, n)]
        wide = [m for pair in zip(counts, shape) for m in pair]
        out = self.reshape(pairs).expand(wide).reshape([k * n for k, n in zip(counts, shape)])
        return renamed(out.clone(), "RepeatBackward0")

    def unfold(self, dimension, size, step):
        at = axis(dimension, self.dim())
        if size > self.shape[at] or step <= 0:
            raise RuntimeError(f"maximum size for tensor at dimension {at} is {self.shape[at]} but size is {size}")
        shape, strides = [*self.shape, size], [*self._strides, self._strides[at]]
        shape[at], strides[at] = (self.shape[at] - size) // step + 1, strides[at] * step
        return look(self, shape, strides, self._start, "UnfoldBackward0", again=lambda z: z.unfold(at, size, step))

    @property
    def T(self):
        name = "NumpyTBackward0" if self.dim() != 2 else "PermuteBackward0"
        return reordered(self, list(range(self.dim()))[::-1], name)

    @property
    def mT(self):
        told = f"tensor.mT is only supported on matrices or batches of matrices. Got {self.dim()}-D tensor."
        expect(self.dim() > 1, told)
        return self.transpose(-2, -1)


@operations
class Shapes:
    def reshape(self, *shape):
        shape = whole_shape(self, shape)
        strides = fitting_strides(self, shape)
        if strides is not None:
            return look(self, shape, strides, self._start, "ViewBackward0")
        was, out = self.shape, over(cast(self, self.dtype)._storage, shape, self.dtype)
        return record(out, (self,), (lambda g: g.reshape(was),), "UnsafeViewBackward0")

    def clone(self, memory_format=None):
        return record(cast(self, self.dtype), (self,), (lambda g: g,), "CloneBackward0")

    def flatten(self, start_dim=0, end_dim=-1):
        start, end = axis(start_dim, self.dim()), axis(end_dim, self.dim()) + 1
        expect(start < end, "flatten() has invalid args: start_dim cannot come after end_dim")
        if self.dim() and end - start == 1:
            return self
        return self.reshape([*self.shape[:start], math.prod(self.shape[start:end]), *self.shape[end:]])

    def ravel(self):
        return self.reshape(-1)

    def unflatten(self, dim, sizes):
        at, sizes = axis(dim, self.dim()), list(sizes)
        n, known = self.shape[at], math.prod([k for k in sizes if k != -1])
        if (known == 0 or n % known) if -1 in sizes else known != n:
            place = f"the size of dim {at} ({n}) in the input tensor"
            raise RuntimeError(f"unflatten: Provided sizes {sizes} don't multiply up to {place}")
        sizes = [n // known if k == -1 else k for k in sizes]
        return self.view([*self.shape[:at], *sizes, *self.shape[at + 1 :]])

    def unsqueeze(self, dim):
        at = axis(dim, self.dim() + 1)
        shape, strides = list(self.shape), list(self._strides)
        strides.insert(at, strides[at] * shape[at] if at < self.dim() else 1)
        shape.insert(at, 1)
        return look(self, shape, strides, self._start, "UnsqueezeBackward0")

    def squeeze(self, dim=None):
        gone = [] if isinstance(dim, (list, tuple)) and not dim else axes(dim, self.dim())
        keep = [i for i, n in enumerate(self.shape) if n != 1 or i not in gone]
        shape, strides = [self.shape[i] for i in keep], [self._strides[i] for i in keep]
        return look(self, shape, strides, self._start, f"SqueezeBackward{int(dim is not None)}")

    def permute(self, *dims):
        listed = sizes_of(dims)
        if len(listed) != self.dim():
            raise RuntimeError(
                "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the "
                f"desired ordering of dimensions i.e. input.dim() = {self.dim()} is not equal to len(dims) = "
                f"{len(listed)}"
            )
        order = [axis(dim, self.dim()) for dim in listed]
        expect(len(set(order)) == len(order), "permute(): duplicate dims are not allowed.")
        return reordered(self, order, "PermuteBackward0")

    def transpose(self, dim0, dim1):
        order = list(range(self.dim()))
        a, b = axis(dim0, self.dim()), axis(dim1, self.dim())
        if order:
            order[a], order[b] = order[b], order[a]
        return reordered(self, order, "TransposeBackward0")

    swapaxes = swapdims = transpose

    def movedim(self, source, destination):
        one = isinstance(source, int)
        start, end = ([axis(d, self.dim()) for d in ([dims] if one else dims)] for dims in (source, destination))
        rest = [i for i in range(self.dim()) if i not in start]
        order = [start[end.index(i)] if i in end else rest.pop(0) for i in range(self.dim())]
        return reordered(self, order, "PermuteBackward0")

    def t(self):
        expect(self.dim() < 3, f"t() expects a tensor with <= 2 dimensions, but self is {self.dim()}D")
        return reordered(self, list(range(self.dim()))[::-1], "TBackward0")

    def broadcast_to(self, size):
        return self.expand(size)

    def narrow(self, dim, start, length):
        at = axis(dim, self.dim())
        n, start, length = self.shape[at], start.__index__(), length.__index__()
        begin = start + n if start < 0 else start
        expect(length >= 0, "narrow(): length must be non-negative.")
        fits = 0 <= begin <= n and begin + length <= n
        expect(fits, f"start ({begin}) + length ({length}) exceeds dimension size ({n}).")
        return cut(self, at, begin, begin + length)

    def select(self, dim, index):
        expect(self.dim(), "select() cannot be applied to a 0-dim tensor.", IndexError)
        at, index = axis(dim, self.dim()), index.__index__()
        n, place = self.shape[at], f"for tensor of size {list(self.shape)} at dimension {at}"
        expect(-n <= index < n, f"select(): index {index} out of range {place}", IndexError)
        return pick(self, at, index % n)

    def diagonal(self, offset=0, dim1=0, dim2=1):
        a, b = axis(dim1, self.dim()), axis(dim2, self.dim())
        expect(a != b, f"diagonal dimensions cannot be identical {dim1}, {dim2}")
        down, right = max(0, -offset), max(0, offset)
        length = max(0, min(self.shape[a] - down, self.shape[b] - right))
        rest = [i for i in range(self.dim()) if i not in (a, b)]
        strides = [self._strides[i] for i in rest] + [self._strides[a] + self._strides[b]]
        begin = self._start + (down * self._strides[a] + right * self._strides[b] if length else 0)
        shape = [self.shape[i] for i in rest] + [length]
        return look(self, shape, strides, begin, "DiagonalBackward0", again=lambda z: z.diagonal(offset, a, b))

    def unbind(self, dim=0):
        at = axis(dim, self.dim())
        expect(self.dim(), "Dimension specified as 0 but tensor has no dimensions")
        return one_of_many([pick(self, at, i) for i in range(self.shape[at])], "UnbindBackward0")

    def split(self, split_size_or_sections, dim=0):
        at, size = axis(dim, self.dim()), split_size_or_sections
        n, sizes, name = self.shape[at], size, "SplitWithSizesBackward0"
        if not isinstance(size, (list, tuple)):
            right = size >= 0 and (size or not n)
            expect(right, f"split expects split_size be non-negative, but got split_size={size}")
            sizes, name = [min(size, n - i) for i in range(0, n, size)] if n else [0], "SplitBackward0"
        elif sum(size) != n:
            raise RuntimeError(
                f"split_with_sizes expects split_sizes to sum exactly to {n} (input tensor's size at dimension {at}), "
                f"but got split_sizes={list(size)}"
            )
        starts = [sum(sizes[:i]) for i in range(len(sizes))]
        return one_of_many([cut(self, at, start, start + k) for start, k in zip(starts, sizes)], name)

    def chunk(self, chunks, dim=0):
        expect(chunks > 0, f"chunk expects `chunks` to be greater than 0, got: {chunks}")
        n = self.shape[axis(dim, self.dim())]
        return self.split(max(1, -(-n // chunks)), dim)

    def detach(self):
        """The same numbers, off the graph."""
        return over(self._storage, self.shape, self.dtype, self._strides, self._start)


Tensor.data = property(Tensor.detach, set_data)
