"""x[...] and x[...] = ...: first what is a view, then places that tensors name."""

from .core import Tensor, axis, broadcast_shapes, cast, filled, from_numbers, methods, operations, over, run, write
from .dtypes import bool as truth
from .dtypes import int64
from .engine import expect, refuse
from .graph import is_grad_enabled, needs, record, renamed, seen_in, take_over
from .inplace import apart, may_be_written, put_into
from .making import tensor
from .reductions import taken_along
from .views import cut, look, pick


def parts_of(x, index):
    """An index as a list of integers, slices, None and tensors, one for each axis."""
    found, used = [], 0
    for one in index if isinstance(index, tuple) else (index,):
        refuse(isinstance(one, bool), "index True or False")
        if isinstance(one, (list, range)):
            one = tensor(list(one)) if len(one) else filled([0], 0, int64)
        if isinstance(one, Tensor):
            if one.dtype.kind == 2 or one.dtype.name in ("int8", "int16"):
                raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
            single = one.dtype is truth and not one.dim()
            refuse(single or one.dtype.name == "uint8", "mask of this kind as an index")
            used += one.dim() if one.dtype is truth else 1
            one = one if one.dim() else int(one)
        elif isinstance(one, slice) or hasattr(one, "__index__"):
            used += 1
        elif one is not None and one is not Ellipsis:
            raise TypeError(
                "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices "
                f"(got {type(one).__name__})"
            )
        found.append(one)
    if used > x.dim():
        if not x.dim():
            raise IndexError(
                "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to "
                "convert a 0-dim tensor to a number"
            )
        raise IndexError(f"too many indices for tensor of dimension {x.dim()}")
    dots = [i for i, one in enumerate(found) if one is Ellipsis]
    for i in reversed(dots):
        found[i : i + 1] = [slice(None)] * (x.dim() - used if i == dots[-1] else 0)
    return found


def view_part(x, index):
    """What integers, slices and None show, and the tensors that are left, one for each of its axes."""
    at, places, whole = 0, [], x
    for one in parts_of(x, index):
        if one is None:
            x = x.unsqueeze(at)
        elif isinstance(one, slice):
            n = x.shape[at]
            start, stop, step = one.indices(n)
            if step < 0:
                raise ValueError("step must be greater than zero")
            if (start, stop, step) != (0, n, 1):
                x = cut(x, at, start, max(start, stop), step)
        elif isinstance(one, Tensor) and one.dtype is truth:
            for i, n in enumerate(one.shape):
                if x.shape[at + i] != n:
                    raise IndexError(
                        f"The shape of the mask {list(one.shape)} at index {i} does not match the shape of the "
                        f"indexed tensor {list(x.shape)} at index {at + i}"
                    )
            places += [None] * (at - len(places)) + [*one.nonzero().unbind(1)]
            at += one.dim()
            continue
        elif isinstance(one, Tensor):
            in_range(one, x.shape[at], at)
            places += [None] * (at - len(places)) + [one]
        else:
            n, i = x.shape[at], one.__index__()
            if not -n <= i < n:
                raise IndexError(f"index {i} is out of bounds for dimension {at} with size {n}")
            x = pick(x, at, i % n)
            continue
        at += 1
    if x is whole:
        x = look(x, x.shape, x._strides, x._start, "AliasBackward0", lambda g: g)
    return x, places


def in_range(places, n, at):
    for place in places._numbers():
        if not -n <= place < n:
            raise IndexError(f"index {place} is out of bounds for dimension {at} with size {n}")


def fitting(x, places):
    """Tensors of places in one shape, and the shape of what they pick of x."""
    used = [i for i, p in enumerate(places) if p is not None]
    try:
        shape = broadcast_shapes(*[places[i].shape for i in used])
    except RuntimeError:
        listed = ", ".join([str(list(places[i].shape)) for i in used])
        told = f"shape mismatch: indexing tensors could not be broadcast together with shapes {listed}"
        raise IndexError(told) from None
    places = [None if p is None else p.expand(shape) for p in places]
    rest = [n for i, n in enumerate(x.shape) if i >= len(places) or places[i] is None]
    first = used[0] if used == list(range(used[0], used[-1] + 1)) else 0
    return places, [*rest[:first], *shape, *rest[first:]]


def picked(x, places):
    """The entries that tensors of places name, off the graph."""
    places, shape = fitting(x, places)
    return filled(shape, 0, x.dtype) if 0 in shape else run("index", [x, places], x.dtype)


def put(x, places, values, adds=False):
    """Write values at the places of x that tensors name."""
    if values.numel():
        write(x, values, ("index", places), adds)


def of_places(x, places, told="IndexBackward0"):
    def back(g):
        grad = filled(x.shape, 0, g.dtype)
        put(grad, fitting(grad, places)[0], g, adds=True)
        return grad

    return record(picked(x, places), (x,), (back,), told)


def fitted(value, shape, told):
    while value.dim() > len(shape) and value.shape[0] == 1:
        value = pick(value, 0, 0)
    if value.dim() > len(shape):
        raise RuntimeError(
            f"expand(torch.{value.dtype.word}Tensor{{{list(value.shape)}}}, size={told}): the number of sizes "
            f"provided ({len(told)}) must be greater or equal to the number of dimensions in the tensor "
            f"({value.dim()})"
        )
    return value.expand(shape)


def written_at(whole, x, places, value):
    """Note that values were written at places of x, a view of the whole."""
    single = whole._base is None and not whole._start and whole.is_contiguous()
    refuse(not single, "writing at places of a view where a gradient is asked for")

    def rest(g):
        g = cast(g, g.dtype)
        put(seen_in(g, x), places, filled(value.shape, 0, g.dtype))
        return g

    was, new = (over(whole._storage, whole.shape, whole.dtype) for _ in "01")
    was.requires_grad, was._node = whole.requires_grad, whole._node
    ways = (rest, lambda g: picked(seen_in(g.clone(), x), places))
    take_over(whole, record(new, (was, value), ways, "IndexPutBackward0"))


@methods
class Items:
    def __getitem__(self, index):
        x, places = view_part(self, index)
        return of_places(x, places) if places else x

    def __setitem__(self, index, value):
        value = value if isinstance(value, Tensor) else tensor(value, dtype=self.dtype)
        x, places = view_part(self, index)
        if value.dtype is not self.dtype:
            if places and value.dim():
                raise RuntimeError(
                    f"Index put requires the source and destination dtypes match, got {self.dtype.word} for the "
                    f"destination and {value.dtype.word} for the source."
                )
            value = value.to(self.dtype)
        may_be_written(self)
        if not places:
            value = fitted(value, x.shape, list(x.shape))
            apart(x, value)
            put_into(x, value)
            return
        places, shape = fitting(x, places)
        value = fitted(value, shape, shape)
        put(x, places, value)
        if is_grad_enabled() and (needs(value) or needs(self)):
            written_at(self, x, places, value)


@operations
class Places:
    def nonzero(self, *, as_tuple=False):
        found = [i for i, n in enumerate(self._numbers()) if n]
        columns, step = [], self.numel()
        for n in self.shape:
            step //= max(n, 1)
            columns.append(from_numbers([len(found)], [i // step % n for i in found], int64))
        if as_tuple:
            return tuple(columns)
        return run("stack", [columns, 1], int64) if columns and found else filled([len(found), self.dim()], 0, int64)

    def gather(input, dim, index):
        at = axis(dim, input.dim())
        expect(index.dtype is int64, "gather(): Expected dtype int32/int64 for index")
        same = index.dim() == input.dim()
        expect(same, "Index tensor must have the same number of dimensions as input tensor")
        for i, n in enumerate(index.shape):
            if i != at and n > input.shape[i]:
                raise RuntimeError(
                    f"Size does not match at dimension {i} expected index {list(index.shape)} to be no larger than "
                    f"self {list(input.shape)} apart from dimension {at}"
                )
        long = input.shape[at]
        for n in index._numbers():
            if not 0 <= n < long:
                raise RuntimeError(f"index {n} is out of bounds for dimension {at} with size {long}")
        return taken_along(input, at, index, run("gather", [input, at, index], input.dtype), "GatherBackward0")

    def scatter(input, dim, index, src):
        refuse(needs(input, src), "gradient of scatter")
        out = cast(input, input.dtype)
        values = src if isinstance(src, Tensor) else filled(index.shape, src, input.dtype)
        write(out, values[tuple([slice(0, n) for n in index.shape])], ("gather", axis(dim, input.dim()), index))
        return out

    def index_select(input, dim, index):
        at = axis(dim, input.dim())
        in_range(index, input.shape[at], dim)
        return of_places(input, [None] * at + [index.reshape(-1)], "IndexSelectBackward0")

    def masked_select(input, mask):
        shape = broadcast_shapes(input.shape, mask.shape)
        return renamed(input.expand(shape)[mask.expand(shape)], "MaskedSelectBackward0")

    def index_fill(self, dim, index, value):
        out = self.clone()
        out[(slice(None),) * axis(dim, self.dim()) + (index,)] = value
        return out

    def take(input, index):
        return input.reshape(-1)[index]
