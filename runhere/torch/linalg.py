"""torch.linalg: the few that the chapters ask for, on Python's numbers."""

import math
from itertools import combinations

from .core import filled, from_numbers, lacking, run
from .dtypes import finfo, int64
from .engine import expect, refuse
from .graph import needs
from .reductions import vector_norm


def matrix(name, A, square=True):
    """Refuse what is no matrix, or none that PyTorch takes."""
    refuse(needs(A), "gradient through torch.linalg")
    expect(A.dim() > 1, f"linalg.{name}: The input tensor A must have at least 2 dimensions.")
    refuse(A.dim() > 2, "torch.linalg for batches")
    shape = f"{A.shape[0]} by {A.shape[1]} matrices"
    fits = A.shape[0] == A.shape[1] or not square
    expect(fits, f"linalg.{name}: A must be batches of square matrices, but they are {shape}")
    return A


def rows_of(name, A, square=True):
    d = matrix(name, A, square).dtype
    expect(d.kind == 2, f"linalg.{name}: Expected a floating point or complex tensor as input. Got {d.word}")
    expect(d.itemsize > 2, f"linalg.{name}: Low precision dtypes not supported. Got {d.word}")
    return A.tolist()


def solved(left, right):
    """Rows times which X are others: Gauss and Jordan's way, with the largest pivot."""
    n, rows = len(left), [[*row, *more] for row, more in zip(left, right)]
    for i in range(n):
        best = max(range(i, n), key=lambda r: abs(rows[r][i]))
        rows[i], rows[best] = rows[best], rows[i]
        expect(rows[i][i], "torch.linalg.solve: The solver failed because the input matrix is singular.")
        for r in range(n):
            if r != i:
                factor = rows[r][i] / rows[i][i]
                rows[r] = [x - factor * y for x, y in zip(rows[r], rows[i])]
    return [[x / row[i] for x in row[n:]] for i, row in enumerate(rows)]


def solve(A, B):
    left, right = rows_of("solve", A), B if B.dim() > 1 else B.reshape(-1, 1)
    refuse(needs(B), "gradient through torch.linalg")
    types = f"A of type {A.dtype.word} and B of type {B.dtype.word} instead"
    expect(A.dtype is B.dtype, f"linalg.solve: Expected A and B to have the same dtype, but found {types}")
    shapes = f"({'x'.join(map(str, A.shape))} and {'x'.join(map(str, right.shape))})"
    fits = len(left) == len(right)
    expect(fits, f"linalg.solve: Incompatible shapes of A and B for the equation AX = B {shapes}")
    found = solved(left, right.tolist())
    return from_numbers(list(B.shape), [x for row in found for x in row], A.dtype)


def identity(A):
    return run("eye", [A.shape[-1], A.shape[-1]], A.dtype)


def inv(A):
    rows_of("inv", A)
    return solve(A, identity(A))


def singular_values(rows):
    """One-sided Jacobi: columns are turned until each two are at right angles."""
    columns = [list(column) for column in (zip(*rows) if len(rows) >= len(rows[0]) else rows)]

    def dot(u, v):
        return math.fsum([x * y for x, y in zip(u, v)])

    for _ in range(60):
        turned = False
        for p, q in combinations(range(len(columns)), 2):
            u, v = columns[p], columns[q]
            uu, vv, uv = dot(u, u), dot(v, v), dot(u, v)
            if not uv or abs(uv) < 1e-15 * math.sqrt(uu * vv):
                continue
            turned, z = True, (vv - uu) / (2 * uv)
            t = math.copysign(1, z) / (abs(z) + math.sqrt(1 + z * z))
            c = 1 / math.sqrt(1 + t * t)
            columns[p] = [c * x - c * t * y for x, y in zip(u, v)]
            columns[q] = [c * t * x + c * y for x, y in zip(u, v)]
        if not turned:
            break
    return sorted([math.sqrt(dot(u, u)) for u in columns], reverse=True)


def matrix_rank(A):
    sizes = singular_values(rows_of("matrix_rank", A, square=False))
    least = sizes[0] * max(A.shape) * finfo(A.dtype).eps
    return filled([], sum([n > least for n in sizes]), int64)


def matrix_power(A, n):
    refuse(n < 0, "negative power of a matrix")
    out = identity(matrix("matrix_power", A))
    for _ in range(n):
        out = out @ A
    return out


def norm(A, ord=None, dim=None, keepdim=False):
    of_matrix = ord == 2 and dim is None and A.dim() == 2
    refuse(ord not in (None, 2, "fro") or of_matrix, f"torch.linalg.norm of order {ord}")
    return vector_norm(A, 2, dim, keepdim)


__all__ = ["inv", "matrix_power", "matrix_rank", "norm", "solve", "vector_norm"]
__getattr__ = lacking("torch.linalg")
