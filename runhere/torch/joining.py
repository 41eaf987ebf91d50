"""Tensors put together, repeated and turned around."""

from .core import axes, axis, filled, methods, run, sizes_of
from .dtypes import int64, result_type
from .elementwise import home
from .engine import refusal
from .graph import record, renamed
from .views import cut, expand, reshape, unsqueeze


def cat(tensors, dim=0):
    tensors = list(tensors)
    if not tensors:
        raise ValueError("expected a non-empty list of Tensors")
    for n, x in enumerate(tensors):
        if not x.dim():
            raise RuntimeError(f"zero-dimensional tensor (at position {n}) cannot be concatenated")
    real = [x for x in tensors if tuple(x.shape) != (0,)]
    first = real[0] if real else tensors[0]
    at = axis(dim, first.dim())
    for n, x in enumerate(tensors):
        if tuple(x.shape) == (0,):
            continue
        if x.dim() != first.dim():
            raise RuntimeError(f"Tensors must have same number of dimensions: got {first.dim()} and {x.dim()}")
        for i in range(x.dim()):
            if i != at and x.shape[i] != first.shape[i]:
                raise RuntimeError(
                    f"Sizes of tensors must match except in dimension {at}. Expected size {first.shape[i]} but got "
                    f"size {x.shape[i]} for tensor number {n} in the list."
                )

    def back(g):
        grads, start = [], 0
        for x in tensors:
            n = x.shape[at] if tuple(x.shape) != (0,) else 0
            grads.append(home(cut(g, at, start, start + n), x) if n else None)
            start += n
        return grads

    out = run("cat", [tensors, at], result_type(*tensors))
    return record(out, tuple(tensors), back, "CatBackward0")


concat = concatenate = cat


def stack(tensors, dim=0):
    tensors = list(tensors)
    if not tensors:
        raise RuntimeError("stack expects a non-empty TensorList")
    for n, x in enumerate(tensors):
        if x.shape != tensors[0].shape:
            raise RuntimeError(
                f"stack expects each tensor to be equal size, but got {list(tensors[0].shape)} at entry 0 and "
                f"{list(x.shape)} at entry {n}"
            )
    at = axis(dim, tensors[0].dim() + 1)
    d = result_type(*tensors)

    def back(g):
        parts = g.unbind(at)
        return [home(part, x) for part, x in zip(parts, tensors)]

    return record(run("stack", [tensors, at], d), tuple(tensors), back, "StackBackward0")


def joined(along):
    def join(tensors):
        tensors = [x if x.dim() else reshape(x, 1) for x in tensors]
        if along == 0:
            tensors = [x if x.dim() > 1 else unsqueeze(x, 0) for x in tensors]
        return cat(tensors, 0 if along == 0 or tensors[0].dim() == 1 else 1)

    return join


vstack, hstack = joined(0), joined(1)


def block_diag(*tensors):
    wide, rows, at = sum([x.shape[1] for x in tensors]), [], 0
    d = result_type(*tensors)
    for x in tensors:
        left, right = (filled([x.shape[0], n], 0, d) for n in (at, wide - at - x.shape[1]))
        rows.append(cat([left, x, right], 1))
        at += x.shape[1]
    return cat(rows, 0)


def diag(input, diagonal=0):
    if input.dim() == 1:
        n = input.shape[0] + abs(diagonal)
        out = filled([n, n], 0, input.dtype)
        out.diagonal(diagonal).copy_(input)
        return out
    if input.dim() != 2:
        raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {input.dim()}D")
    return renamed(input.diagonal(diagonal).clone(), "DiagonalBackward0_copy")


def step_of(name):
    def triangle(input, diagonal=0):
        if input.dim() < 2:
            raise RuntimeError(f"{name}: input tensor must have at least 2 dimensions")

        def back(g):
            return [run(name, [g, diagonal], g.dtype)]

        out = run(name, [input, diagonal], input.dtype)
        return record(out, (input,), back, f"{name.capitalize()}Backward0")

    return triangle


tril, triu = step_of("tril"), step_of("triu")


def flip(input, *dims):
    listed = axes(sizes_of(dims), input.dim())
    if not input.dim() or not input.numel():
        return input.clone()
    out = run("flip", [input, listed], input.dtype)
    return record(out, (input,), lambda g: [run("flip", [g, listed], g.dtype)], "FlipBackward0")


def roll(input, shifts, dims=None):
    shifts = [shifts] if isinstance(shifts, int) else list(shifts)
    listed = [] if dims is None else [dims] if isinstance(dims, int) else list(dims)
    if listed and len(listed) != len(shifts):
        raise RuntimeError(f"shifts and dimensions must align. shifts: {len(shifts)}, dims:{len(listed)}")
    listed = [axis(dim, input.dim()) for dim in listed]
    back = [-n for n in shifts]
    out = run("roll", [input, shifts, listed], input.dtype)
    return record(out, (input,), lambda g: [run("roll", [g, back, listed], g.dtype)], "RollBackward0")


def repeat(self, *repeats):
    counts = sizes_of(repeats)
    if len(counts) < self.dim():
        raise RuntimeError("Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor")
    extra = len(counts) - self.dim()
    x = reshape(self, [1] * extra + list(self.shape))
    pairs = [m for n in x.shape for m in (1, n)]
    wide = [m for k, n in zip(counts, x.shape) for m in (k, n)]
    out = reshape(expand(reshape(x, pairs), wide), [k * n for k, n in zip(counts, x.shape)])
    return renamed(out.clone(), "RepeatBackward0")


def tile(input, *dims):
    counts = sizes_of(dims)
    return repeat(input, [1] * (input.dim() - len(counts)) + counts)


def repeat_interleave(self, repeats, dim=None):
    if dim is None:
        self, dim = reshape(self, -1), 0
    at = axis(dim, self.dim())
    if hasattr(repeats, "tolist") and repeats.dim():
        counts = repeats.tolist()
        places = [i for i, n in enumerate(counts) for _ in range(n)]
        from .making import tensor

        return self.index_select(at, tensor(places, dtype=int64))
    n = int(repeats)
    wide = unsqueeze(self, at + 1)
    shape, out = list(wide.shape), list(self.shape)
    shape[at + 1], out[at] = n, out[at] * n
    return reshape(expand(wide, shape), out).clone()


def histogram(input, bins, *, range=None, density=False):
    if density or range is not None or not hasattr(bins, "tolist"):
        raise refusal("histogram without its edges given")
    from .making import tensor
    from .reductions import named

    edges, counts = bins.tolist(), [0.0] * (bins.numel() - 1)
    for n in input._numbers():
        if edges[0] <= n <= edges[-1]:
            counts[sum([edge <= n for edge in edges[1:-1]])] += 1
    return named("histogram", "hist", "bin_edges")(tensor(counts, dtype=input.dtype), bins)


_OWN = methods(globals(), "repeat")
__all__ = """block_diag cat concat concatenate hstack stack vstack""".split()
__all__ += methods(globals(), "diag flip histogram repeat_interleave roll tile tril triu")
