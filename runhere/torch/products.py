"""Products of matrices, and sums of products."""

import math

from .core import Tensor, broadcast_shapes, operations, run
from .dtypes import bool as truth
from .dtypes import result_type
from .elementwise import lacks_kernel
from .engine import expect, refuse
from .graph import needs, record, renamed, unbroadcast
from .reductions import vector_norm

COUNTED = [0]  # multiplications and additions of matrices' products, for torch.utils.flop_counter
CTYPES = dict(float32="float", float64="double", int64="long", int32="int", bool="bool")
CTYPES |= dict(float16="c10::Half", bfloat16="c10::BFloat16")
BACK = {(1, 1): "DotBackward0", (2, 2): "MmBackward0", (2, 1): "MvBackward0", (1, 2): "SqueezeBackward4"}


def check_product(a, b):
    for number, (word, x) in enumerate((("input", a), ("other", b)), 1):
        if not isinstance(x, Tensor):
            kind = type(x).__name__
            raise TypeError(f"matmul(): argument '{word}' (position {number}) must be Tensor, not {kind}")
    if a.dtype is not b.dtype:
        types = f"{CTYPES.get(a.dtype.name)} != {CTYPES.get(b.dtype.name)}"
        raise RuntimeError(f"expected m1 and m2 to have the same dtype, but got: {types}")
    lacks_kernel(a.dtype is truth, "addmm_impl_cpu_", truth)
    if not a.dim() or not b.dim():
        ranks = f"{a.dim()}D and {b.dim()}D"
        raise RuntimeError(f"both arguments to matmul need to be at least 1D, but they are {ranks}")
    n, k = a.shape[-1], b.shape[-2 if b.dim() > 1 else 0]
    if n == k:
        return
    if a.dim() == b.dim() == 1:
        raise RuntimeError(
            f"inconsistent tensor size, expected tensor [{n}] and src [{k}] to have the same number of elements, but "
            f"got {n} and {k} elements respectively"
        )
    if b.dim() == 1 and a.dim() == 2:
        raise RuntimeError(f"size mismatch, got input ({a.shape[0]}), mat ({a.shape[0]}x{n}), vec ({k})")
    if a.dim() <= 2 or b.dim() <= 2:
        rows, columns = math.prod(a.shape[:-1]), b.shape[-1] if b.dim() > 1 else 1
        raise RuntimeError(f"mat1 and mat2 shapes cannot be multiplied ({rows}x{n} and {k}x{columns})")
    lead = broadcast_shapes(a.shape[:-2], b.shape[:-2]).numel()
    wrong_batch([lead, n], [lead, k])


def wrong_batch(wanted, got):
    told = f"{list(wanted)} but got: {list(got)}."
    raise RuntimeError(f"Expected size for first two dimensions of batch2 tensor to be: {told}")


def multiplied(a, b, counts):
    out = run("matmul", [a, b], a.dtype)
    if counts:
        COUNTED[0] += 2 * out.numel() * a.shape[-1]
    return out


def product(a, b, told):
    check_product(a, b)
    broadcast_shapes(a.shape[:-2], b.shape[:-2])
    counts = min(a.dim(), b.dim()) > 1
    out = multiplied(a, b, counts)
    if not needs(a, b):
        return out

    def as_matrices(g):
        A = a.reshape([1, -1]) if a.dim() == 1 else a
        B = b.reshape([-1, 1]) if b.dim() == 1 else b
        lead = broadcast_shapes(A.shape[:-2], B.shape[:-2])
        g = shaped(g, [*lead, A.shape[-2], B.shape[-1]])
        if A.dim() > B.dim() == 2:  # one matrix for all
            A, g = A.reshape([-1, A.shape[-1]]), g.reshape([-1, g.shape[-1]])
        return A, B, g

    def left(g):
        A, B, g = as_matrices(g)
        return shaped(unbroadcast(multiplied(g, B.transpose(-2, -1), counts), A.shape), a.shape)

    def right(g):
        A, B, g = as_matrices(g)
        return shaped(unbroadcast(multiplied(A.transpose(-2, -1), g, counts), B.shape), b.shape)

    saved = ([b] if needs(a) else []) + ([a] if needs(b) else [])
    return record(out, (a, b), (left, right), told, saved)


def shaped(x, shape):
    """As `reshape`, but no view of what has the shape already."""
    return x if x.shape == tuple(shape) else x.reshape(shape)


def of_ranks(first, second, told):
    def function(input, other):
        for x, rank, word in ((input, first, "self"), (other, second, "mat2")):
            what = "matrix" if rank == 2 else f"{rank}-D tensor"
            expect(x.dim() == rank, f"{word} must be a {what}")
        return product(input, other, told)

    return function


def added(name, times):
    def function(input, left, right, *, beta=1, alpha=1):
        out = input * beta + times(left, right) * alpha
        return renamed(out, f"{name.capitalize()}Backward0")

    return function


@operations
class Products:
    mm, mv = of_ranks(2, 2, "MmBackward0"), of_ranks(2, 1, "MvBackward0")
    dot = of_ranks(1, 1, "DotBackward0")

    def matmul(input, other):
        both = isinstance(input, Tensor) and isinstance(other, Tensor)
        ranks = (min(input.dim(), 3), min(other.dim(), 3)) if both else ()
        return product(input, other, BACK.get(ranks, "UnsafeViewBackward0"))

    def bmm(input, mat2):
        for name, x in (("batch1", input), ("batch2", mat2)):
            expect(x.dim() == 3, f"{name} must be a 3D tensor")
        if mat2.shape[:2] != input.shape[::2]:
            wrong_batch(input.shape[::2], mat2.shape[:2])
        return product(input, mat2, "BmmBackward0")

    addmm, baddbmm = added("addmm", mm), added("baddbmm", bmm)

    def outer(input, vec2):
        for name, x in (("self", input), ("vec2", vec2)):
            expect(x.dim() == 1, f"outer: Expected 1-D argument {name}, but got {x.dim()}-D")
        return input.unsqueeze(1) * vec2

    ger = outer


inner = Products.dot
Tensor.__matmul__ = Products.matmul


def einsum(equation, *operands):
    """Sums of products over the letters that the result does not have."""
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = operands[0]
    rule = equation.replace(" ", "")
    refuse("." in rule, "einsum with '...'")
    left, arrow, right = rule.partition("->")
    parts = left.split(",")
    if not arrow:
        right = "".join([a for a in sorted(set(left) - {","}) if left.count(a) == 1])
    check_rule(parts, right, operands)
    lacks_kernel(truth in [x.dtype for x in operands], "bmm", truth)
    same = len({x.dtype for x in operands}) < 2
    expect(same, "expected scalar types of all operands of einsum to be the same")
    lengths = {a: n for part, x in zip(parts, operands) for a, n in zip(part, x.shape) if n != 1}

    def back(i, g):
        others = [(p, x.detach()) for k, (p, x) in enumerate(zip(parts, operands)) if k != i]
        twice = len(set(parts[i])) < len(parts[i])
        refuse(twice, "gradient of einsum with a letter twice in one operand")
        there = set(right).union(*[p for p, _ in others])
        letters = "".join([a for a in parts[i] if a in there])
        rule = f"{','.join([right, *[p for p, _ in others]])}->{letters}"
        part = run("einsum", [rule, [g, *[x for _, x in others]]], g.dtype)
        for at, a in enumerate(parts[i]):
            if a not in there:
                part = part.unsqueeze(at)
        return part.expand([lengths.get(a, 1) for a in parts[i]])

    out = run("einsum", [f"{left}->{right}", list(operands)], result_type(*operands))
    COUNTED[0] += math.inf if len(operands) > 2 else 2 * math.prod(lengths.values()) * (len(operands) - 1)
    ways = [lambda g, i=i: back(i, g) for i in range(len(operands))]
    return record(out, tuple(operands), ways, "EinsumBackward0", [x for x in operands])


def check_rule(parts, right, operands):
    if len(parts) != len(operands):
        more = "more" if len(operands) > len(parts) else "fewer"
        raise ValueError(f"einsum(): {more} operands were provided than specified in the equation")
    lengths = {}
    for n, (part, x) in enumerate(zip(parts, operands)):
        if len(part) != x.dim():
            raise RuntimeError(
                f"einsum(): the number of subscripts in the equation ({len(part)}) does not match the number of "
                f"dimensions ({x.dim()}) for operand {n} and no ellipsis was given"
            )
        for a, size in zip(part, x.shape):
            if 1 not in (size, lengths.get(a, 1)) and lengths[a] != size:
                raise RuntimeError(
                    f"einsum(): subscript {a} has size {size} for operand {n} which does not broadcast with "
                    f"previously seen size {lengths[a]}"
                )
            if size != 1 or a not in lengths:
                lengths[a] = size
    for a in right:
        told = f"einsum(): output subscript {a} "
        expect(a in lengths, told + "does not appear in the equation for any input operand")
        expect(right.count(a) == 1, told + "appears more than once in the output")


def cdist(x1, x2, p=2.0):
    refuse(p != 2, "cdist with another p than 2")
    for name, x in (("X1", x1), ("X2", x2)):
        kind = f"cdist only supports floating-point dtypes, {name} got: {x.dtype.word}"
        expect(x.dtype.kind == 2, kind)
        expect(x.dim() > 1, f"cdist only supports at least 2D tensors, {name} got: {x.dim()}D")
    columns = f"X1 and X2 must have the same number of columns. X1: {x1.shape[-1]} X2: {x2.shape[-1]}"
    expect(x1.shape[-1] == x2.shape[-1], columns)
    many = max(x1.shape[-2], x2.shape[-2]) > 25  # PyTorch takes other steps for so many rows
    refuse(many and any([bool(x.isinf().any()) for x in (x1, x2)]), "cdist of infinite numbers")
    if needs(x1, x2):
        return renamed(vector_norm(x1.unsqueeze(-2) - x2.unsqueeze(-3), 2, -1), "CdistBackward0")
    return run("cdist", [x1, x2], result_type(x1, x2))


__all__ = ["cdist", "einsum", "inner"]
