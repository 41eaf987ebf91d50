"""Tensors put together, repeated and turned around."""

from .core import axes, axis, filled, operations, run, sizes_of
from .dtypes import int64, result_type
from .engine import expect, refuse
from .graph import record, renamed, step
from .making import tensor
from .reductions import named
from .views import cut


def cat(tensors, dim=0):
    tensors = list(tensors)
    expect(tensors, "expected a non-empty list of Tensors", ValueError)
    for n, x in enumerate(tensors):
        if not x.dim():
            raise RuntimeError(f"zero-dimensional tensor (at position {n}) cannot be concatenated")
    real = [(n, x) for n, x in enumerate(tensors) if tuple(x.shape) != (0,)]
    first = real[0][1] if real else tensors[0]
    at, ways, start = axis(dim, first.dim()), [], 0
    for n, x in real:
        if x.dim() != first.dim():
            raise RuntimeError(f"Tensors must have same number of dimensions: got {first.dim()} and {x.dim()}")
        for i in range(x.dim()):
            if i != at and x.shape[i] != first.shape[i]:
                raise RuntimeError(
                    f"Sizes of tensors must match except in dimension {at}. Expected size {first.shape[i]} but got "
                    f"size {x.shape[i]} for tensor number {n} in the list."
                )
        end = start + x.shape[at]
        ways.append(lambda g, start=start, end=end: cut(g, at, start, end))
        start = end
    out = run("cat", [tensors, at], result_type(*tensors))
    return record(out, [x for _, x in real], ways, "CatBackward0")


concat = concatenate = cat


def stack(tensors, dim=0):
    tensors = list(tensors)
    expect(tensors, "stack expects a non-empty TensorList")
    for n, x in enumerate(tensors):
        if x.shape != tensors[0].shape:
            raise RuntimeError(
                f"stack expects each tensor to be equal size, but got {list(tensors[0].shape)} at entry 0 and "
                f"{list(x.shape)} at entry {n}"
            )
    at = axis(dim, tensors[0].dim() + 1)
    ways = [lambda g, n=n: g.select(at, n) for n in range(len(tensors))]
    return record(run("stack", [tensors, at], result_type(*tensors)), tensors, ways, "StackBackward0")


def hstack(tensors):
    tensors = [x if x.dim() else x.reshape(1) for x in tensors]
    return cat(tensors, min(1, tensors[0].dim() - 1))


def vstack(tensors):
    return cat([x if x.dim() > 1 else x.reshape(1, -1) for x in tensors])


def block_diag(*tensors):
    wide, rows, at = sum([x.shape[1] for x in tensors]), [], 0
    d = result_type(*tensors)
    for x in tensors:
        left, right = (filled([x.shape[0], n], 0, d) for n in (at, wide - at - x.shape[1]))
        rows.append(cat([left, x, right], 1))
        at += x.shape[1]
    return cat(rows, 0)


def triangle(name):
    def function(input, diagonal=0):
        expect(input.dim() > 1, f"{name}: input tensor must have at least 2 dimensions")
        return step(name, input, diagonal, back=lambda g, x, y: run(name, [g, diagonal], g.dtype))

    return function


@operations
class Turned:
    tril, triu = triangle("tril"), triangle("triu")

    def diag(input, diagonal=0):
        if input.dim() == 1:
            n = input.shape[0] + abs(diagonal)
            out = filled([n, n], 0, input.dtype)
            out.diagonal(diagonal).copy_(input)
            return out
        expect(input.dim() == 2, f"diag(): Supports 1D or 2D tensors. Got {input.dim()}D")
        return renamed(input.diagonal(diagonal).clone(), "DiagonalBackward0_copy")

    def flip(input, *dims):
        listed = axes(sizes_of(dims), input.dim())
        if not input.dim() or not input.numel():
            return input.clone()
        return step("flip", input, listed, back=lambda g, x, y: g.flip(listed))

    def roll(input, shifts, dims=None):
        shifts = [shifts] if isinstance(shifts, int) else list(shifts)
        listed = [] if dims is None else [dims] if isinstance(dims, int) else list(dims)
        if listed and len(listed) != len(shifts):
            raise RuntimeError(f"shifts and dimensions must align. shifts: {len(shifts)}, dims:{len(listed)}")
        listed, back = [axis(dim, input.dim()) for dim in listed], [-n for n in shifts]
        return step("roll", input, shifts, listed, back=lambda g, x, y: g.roll(back, listed))

    def tile(input, *dims):
        counts = sizes_of(dims)
        return input.repeat([1] * (input.dim() - len(counts)) + counts)

    def repeat_interleave(self, repeats, dim=None):
        if dim is None:
            self, dim = self.reshape(-1), 0
        at = axis(dim, self.dim())
        if hasattr(repeats, "tolist") and repeats.dim():
            places = [i for i, n in enumerate(repeats.tolist()) for _ in range(n)]
            return self.index_select(at, tensor(places, dtype=int64))
        wide, out = self.unsqueeze(at + 1), list(self.shape)
        shape = list(wide.shape)
        shape[at + 1], out[at] = int(repeats), out[at] * int(repeats)
        return wide.expand(shape).reshape(out).clone()

    def histogram(input, bins, *, range=None, density=False):
        lacks = density or range is not None or not hasattr(bins, "tolist")
        refuse(lacks, "histogram without its edges given")
        edges, counts = bins.tolist(), [0.0] * (bins.numel() - 1)
        for n in input._numbers():
            if edges[0] <= n <= edges[-1]:
                counts[sum([edge <= n for edge in edges[1:-1]])] += 1
        return named("histogram", "hist", "bin_edges")(tensor(counts, dtype=input.dtype), bins)


__all__ = "block_diag cat concat concatenate hstack stack vstack".split()
