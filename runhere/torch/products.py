"""Products of matrices, and sums of products."""

import math

from .core import Tensor, broadcast_shapes, methods, run
from .dtypes import bool as truth
from .dtypes import result_type
from .elementwise import add, home, isinf, mul
from .engine import refusal
from .graph import needs, record, renamed
from .views import expand, matrix_turned, reshape, shaped, unbroadcast, unsqueeze

CTYPES = {
    "float32": "float", "float64": "double", "int64": "long", "int32": "int", "bool": "bool",
    "float16": "c10::Half", "bfloat16": "c10::BFloat16",
}  # fmt: skip


def same_types(a, b):
    for place, x in (("input", a), ("other", b)):
        if not isinstance(x, Tensor):
            number = 1 if place == "input" else 2
            raise TypeError(f"matmul(): argument '{place}' (position {number}) must be Tensor, not {type(x).__name__}")
    if a.dtype is not b.dtype:
        raise RuntimeError(
            f"expected m1 and m2 to have the same dtype, but got: {CTYPES.get(a.dtype.name)} != "
            f"{CTYPES.get(b.dtype.name)}"
        )
    if a.dtype is truth:
        raise NotImplementedError("\"addmm_impl_cpu_\" not implemented for 'Bool'")


def fits(a, b):
    k = b.shape[-2 if b.dim() > 1 else 0]
    if a.shape[-1] == k:
        return
    if a.dim() == b.dim() == 1:
        n = a.shape[0]
        raise RuntimeError(
            f"inconsistent tensor size, expected tensor [{n}] and src [{k}] to have the same number of elements, but "
            f"got {n} and {k} elements respectively"
        )
    if b.dim() == 1 and a.dim() == 2:
        raise RuntimeError(f"size mismatch, got input ({a.shape[0]}), mat ({a.shape[0]}x{a.shape[1]}), vec ({k})")
    if a.dim() <= 2 or b.dim() <= 2:
        rows, columns = math.prod(a.shape[:-1]), b.shape[-1] if b.dim() > 1 else 1
        raise RuntimeError(f"mat1 and mat2 shapes cannot be multiplied ({rows}x{a.shape[-1]} and {k}x{columns})")
    lead = broadcast_shapes(a.shape[:-2], b.shape[:-2]).numel()
    raise RuntimeError(
        f"Expected size for first two dimensions of batch2 tensor to be: [{lead}, {a.shape[-1]}] but got: "
        f"[{lead}, {k}]."
    )


COUNTED = [0]  # multiplications and additions of matrices' products, for torch.utils.flop_counter


def multiplied(a, b, counts):
    out = run("matmul", [a, b], a.dtype)
    if counts:
        COUNTED[0] += 2 * out.numel() * a.shape[-1]
    return out


def product(a, b, told):
    same_types(a, b)
    if not a.dim() or not b.dim():
        raise RuntimeError(f"both arguments to matmul need to be at least 1D, but they are {a.dim()}D and {b.dim()}D")
    fits(a, b)
    broadcast_shapes(a.shape[:-2], b.shape[:-2])
    counts = min(a.dim(), b.dim()) > 1
    out = multiplied(a, b, counts)
    if not needs(a, b):
        return out
    mine, yours = needs(a), needs(b)

    def back(g):
        A = reshape(a, [1, -1]) if a.dim() == 1 else a
        B = reshape(b, [-1, 1]) if b.dim() == 1 else b
        lead = broadcast_shapes(A.shape[:-2], B.shape[:-2])
        g = shaped(g, [*lead, A.shape[-2], B.shape[-1]])
        if A.dim() > B.dim() == 2:  # one matrix for all
            A, g = reshape(A, [-1, A.shape[-1]]), reshape(g, [-1, g.shape[-1]])
        return (
            shaped(unbroadcast(multiplied(g, matrix_turned(B), counts), A.shape), a.shape) if mine else None,
            shaped(unbroadcast(multiplied(matrix_turned(A), g, counts), B.shape), b.shape) if yours else None,
        )

    saved = ([b] if mine else []) + ([a] if yours else [])
    return record(out, (a, b), back, told, saved)


def matmul(input, other):
    a, b = input, other
    if isinstance(b, Tensor) and isinstance(a, Tensor):
        ranks = (min(a.dim(), 3), min(b.dim(), 3))
        told = {(1, 1): "DotBackward0", (2, 2): "MmBackward0", (2, 1): "MvBackward0", (1, 2): "SqueezeBackward4"}
        return product(a, b, told.get(ranks, "UnsafeViewBackward0"))
    same_types(a, b)


def of_ranks(first, second, told):
    def multiply(input, other):
        for x, rank, words in ((input, first, "self"), (other, second, "mat2")):
            if x.dim() != rank:
                raise RuntimeError(f"{words} must be a {'matrix' if rank == 2 else f'{rank}-D tensor'}")
        return product(input, other, told)

    return multiply


mm = of_ranks(2, 2, "MmBackward0")
mv = of_ranks(2, 1, "MvBackward0")
dot = inner = of_ranks(1, 1, "DotBackward0")


def bmm(input, mat2):
    a, b = input, mat2
    for name, x in (("batch1", a), ("batch2", b)):
        if x.dim() != 3:
            raise RuntimeError(f"{name} must be a 3D tensor")
    if (b.shape[0], b.shape[1]) != (a.shape[0], a.shape[2]):
        raise RuntimeError(
            f"Expected size for first two dimensions of batch2 tensor to be: [{a.shape[0]}, {a.shape[2]}] but got: "
            f"[{b.shape[0]}, {b.shape[1]}]."
        )
    return product(a, b, "BmmBackward0")


def added(name, times):
    def add_product(input, left, right, *, beta=1, alpha=1):
        out = add(mul(input, beta), mul(times(left, right), alpha))
        return renamed(out, f"{name.capitalize()}Backward0")

    return add_product


addmm, baddbmm = added("addmm", mm), added("baddbmm", bmm)


def outer(input, vec2):
    for name, x in (("input", input), ("vec2", vec2)):
        if x.dim() != 1:
            raise RuntimeError(
                f"outer: Expected 1-D argument {'self' if name == 'input' else name}, but got {x.dim()}-D"
            )
    return mul(unsqueeze(input, 1), vec2)


def einsum(equation, *operands):
    """Sums of products over the letters that the result does not have."""
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = operands[0]
    rule = equation.replace(" ", "")
    if "." in rule:
        raise refusal("einsum with '...'")
    left, arrow, right = rule.partition("->")
    parts = left.split(",")
    if not arrow:
        right = "".join([a for a in sorted(set(left) - {","}) if left.count(a) == 1])
    check_rule(parts, right, operands)
    if truth in [x.dtype for x in operands]:
        raise NotImplementedError("\"bmm\" not implemented for 'Bool'")
    if len({x.dtype for x in operands}) > 1:
        raise RuntimeError("expected scalar types of all operands of einsum to be the same")
    lengths = {a: n for part, x in zip(parts, operands) for a, n in zip(part, x.shape) if n != 1}

    def back(g):
        return [one_back(i, g) if needs_one(x) else None for i, x in enumerate(operands)]

    def one_back(i, g):
        others = [(p, x.detach()) for k, (p, x) in enumerate(zip(parts, operands)) if k != i]
        if len(set(parts[i])) < len(parts[i]):
            raise refusal("gradient of einsum with a letter twice in one operand")
        there = set(right).union(*[p for p, _ in others])
        letters = "".join([a for a in parts[i] if a in there])
        rule = f"{','.join([right, *[p for p, _ in others]])}->{letters}"
        part = run("einsum", [rule, [g, *[x for _, x in others]]], g.dtype)
        for at, a in enumerate(parts[i]):
            if a not in there:
                part = unsqueeze(part, at)
        return home(expand(part, [lengths.get(a, 1) for a in parts[i]]), operands[i])

    out = run("einsum", [f"{left}->{right}", list(operands)], result_type(*operands))
    COUNTED[0] += math.inf if len(operands) > 2 else 2 * math.prod(lengths.values()) * (len(operands) - 1)
    return record(out, tuple(operands), back, "EinsumBackward0", [x for x in operands])


def needs_one(x):
    return x.requires_grad


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
        if a not in lengths:
            raise RuntimeError(f"einsum(): output subscript {a} does not appear in the equation for any input operand")
        if right.count(a) > 1:
            raise RuntimeError(f"einsum(): output subscript {a} appears more than once in the output")


def cdist(x1, x2, p=2.0):
    if p != 2:
        raise refusal("cdist with another p than 2")
    for name, x in (("X1", x1), ("X2", x2)):
        if x.dtype.kind != 2:
            raise RuntimeError(f"cdist only supports floating-point dtypes, {name} got: {x.dtype.word}")
        if x.dim() < 2:
            raise RuntimeError(f"cdist only supports at least 2D tensors, {name} got: {x.dim()}D")
    if x1.shape[-1] != x2.shape[-1]:
        raise RuntimeError(f"X1 and X2 must have the same number of columns. X1: {x1.shape[-1]} X2: {x2.shape[-1]}")
    if max(x1.shape[-2], x2.shape[-2]) > 25 and any(bool(isinf(x).any()) for x in (x1, x2)):
        raise refusal("cdist of infinite numbers")  # PyTorch takes other steps for so many rows
    if needs(x1, x2):
        from .reductions import vector_norm

        return renamed(vector_norm(unsqueeze(x1, -2) - unsqueeze(x2, -3), 2, -1), "CdistBackward0")
    return run("cdist", [x1, x2], result_type(x1, x2))


Tensor.__matmul__ = matmul
__all__ = ["cdist", "einsum", "inner", *methods(globals(), "addmm baddbmm bmm dot matmul mm mv outer=ger")]
