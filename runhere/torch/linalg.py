"""torch.linalg: the few that the chapters ask for, on Python's numbers."""

import math
from itertools import combinations

from .core import filled, from_numbers, lacking, run
from .dtypes import finfo, int64
from .engine import expect, refuse
from .graph import needs
from .reductions import vector_norm


def rows_of(x):
    refuse(needs(x), "gradient through torch.linalg")
    refuse(x.dim() != 2, "torch.linalg for batches")
    return x.tolist()


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
    found = solved(rows_of(A), (B if B.dim() > 1 else B.reshape(-1, 1)).tolist())
    return from_numbers(list(B.shape), [x for row in found for x in row], A.dtype)


def identity(A):
    return run("eye", [A.shape[-1], A.shape[-1]], A.dtype)


def inv(A):
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
    sizes = singular_values(rows_of(A))
    least = sizes[0] * max(A.shape) * finfo(A.dtype).eps
    return filled([], sum([n > least for n in sizes]), int64)


def matrix_power(A, n):
    refuse(n < 0, "negative power of a matrix")
    out = identity(A)
    for _ in range(n):
        out = out @ A
    return out


def norm(A, ord=None, dim=None, keepdim=False):
    of_matrix = ord == 2 and dim is None and A.dim() == 2
    refuse(ord not in (None, 2, "fro") or of_matrix, f"torch.linalg.norm of order {ord}")
    return vector_norm(A, 2, dim, keepdim)


__all__ = ["inv", "matrix_power", "matrix_rank", "norm", "solve", "vector_norm"]
__getattr__ = lacking("torch.linalg")
