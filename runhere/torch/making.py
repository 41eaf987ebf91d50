"""Tensors made of numbers, lists or nothing."""

import itertools
import math

from .core import cast, filled, from_numbers, is_tensor, methods, new_sizes, on_cpu, run
from .dtypes import DEFAULT, promote_types, result_type, type_of
from .dtypes import int64 as whole
from .engine import refusal

EXACT = 2**53


def numbers_of(data):
    """The shape, the numbers and the type of nested lists."""
    if is_tensor(data):
        return list(data.shape), data._numbers(), data.dtype
    if isinstance(data, (int, float)):
        if isinstance(data, int) and not -EXACT < data < EXACT:
            raise refusal("integers beyond 2**53")
        return [], [data], type_of(data)
    if isinstance(data, complex):
        raise refusal("complex numbers")
    if hasattr(data, "tolist"):
        return numbers_of(data.tolist())
    if isinstance(data, str):
        raise TypeError("new(): invalid data type 'str'")
    if not hasattr(data, "__len__") or not hasattr(data, "__getitem__") or isinstance(data, dict):
        kind = type(data).__name__
        raise RuntimeError(f"Could not infer dtype of {kind}")
    parts = [numbers_of(part) for part in data]
    if not parts:
        return [0], [], DEFAULT[0]
    shape, flat, d = parts[0][0], [], parts[0][2]
    for other, numbers, kind in parts:
        if other != shape:
            if len(other) == len(shape):
                at = next(i for i, (n, m) in enumerate(zip(other, shape)) if n != m)
                raise ValueError(f"expected sequence of length {shape[at]} at dim {at + 1} (got {other[at]})")
            if not shape:
                raise TypeError("must be real number, not list")
            raise TypeError("not a sequence")
        flat += numbers
        d = promote_types(d, kind)
    return [len(parts), *shape], flat, d


def tensor(data, *, dtype=None, device=None, requires_grad=False, pin_memory=False):
    on_cpu(device)
    shape, flat, d = numbers_of(data)
    if dtype is not None and dtype.kind < 2 and d.kind == 2:
        flat = [math.trunc(n) if math.isfinite(n) and dtype.kind else n for n in flat]
    out = from_numbers(shape, flat, dtype or d)
    return out.requires_grad_() if requires_grad else out


def as_tensor(data, dtype=None, device=None):
    on_cpu(device)
    if is_tensor(data):
        return data if dtype is None else data.to(dtype)
    return tensor(data, dtype=dtype)


asarray = as_tensor


def from_numpy(ndarray):
    raise refusal("from_numpy: there is no NumPy in the page;")


def maker(value):
    def make(*size, dtype=None, device=None, requires_grad=False, **more):
        on_cpu(device)
        if more:
            size = (more.pop("size"),)
        if more:
            raise refusal(f"{', '.join(more)}=")
        out = filled(new_sizes(size), value, dtype or DEFAULT[0])
        return out.requires_grad_() if requires_grad else out

    return make


zeros, ones, empty = maker(0), maker(1), maker(0)


def number(x):
    return x.item() if is_tensor(x) else x


def full(size, fill_value, *, dtype=None, device=None, requires_grad=False):
    on_cpu(device)
    value = number(fill_value)
    out = filled(new_sizes((size,)), value, dtype or type_of(value))
    return out.requires_grad_() if requires_grad else out


def like(value):
    def make_like(input, *, dtype=None, device=None, requires_grad=False):
        on_cpu(device)
        out = filled(input.shape, value, dtype or input.dtype)
        return out.requires_grad_() if requires_grad else out

    return make_like


zeros_like, ones_like, empty_like = like(0), like(1), like(0)


def full_like(input, fill_value, *, dtype=None, device=None):
    on_cpu(device)
    return filled(input.shape, number(fill_value), dtype or input.dtype)


def arange(*given, dtype=None, device=None, requires_grad=False, **named):
    on_cpu(device)
    start, end, step = [0, *given, 1] if len(given) == 1 else [*given, 1] if len(given) == 2 else given or [0, None, 1]
    start, end, step = (number(named.get(k, v)) for k, v in zip(("start", "end", "step"), (start, end, step)))
    if not step:
        raise RuntimeError("step must be nonzero")
    if (end - start) * step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    d = dtype or (DEFAULT[0] if any([isinstance(n, float) for n in (start, end, step)]) else whole)
    out = run("arange", [start, end, step], d)
    return out.requires_grad_() if requires_grad else out


def linspace(start, end, steps, *, dtype=None, device=None, requires_grad=False):
    on_cpu(device)
    out = run("linspace", [float(number(start)), float(number(end)), steps], dtype or DEFAULT[0])
    return out.requires_grad_() if requires_grad else out


def logspace(start, end, steps, base=10.0, *, dtype=None):
    from .dtypes import float64

    powers = run("linspace", [float(start), float(end), steps], float64)
    return cast(run("pow", [float(base), powers], float64), dtype or DEFAULT[0])


def eye(n, m=None, *, dtype=None, device=None):
    on_cpu(device)
    return run("eye", [n, n if m is None else m], dtype or DEFAULT[0])


def scalar_tensor(s, *, dtype=None):
    return tensor(s, dtype=dtype or DEFAULT[0])


def meshgrid(*tensors, indexing="ij"):
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tensors[0]
    shape, rank = [x.numel() for x in tensors], len(tensors)
    out = [x.reshape([-1 if i == k else 1 for k in range(rank)]).expand(shape) for i, x in enumerate(tensors)]
    return tuple([x.transpose(0, 1) for x in out] if indexing == "xy" else out)


def cartesian_prod(*tensors):
    rows = [list(row) for row in itertools.product(*[x.tolist() for x in tensors])]
    return tensor(rows, dtype=result_type(*tensors))


def new(value):
    return lambda self, *size, dtype=None, device=None: filled(new_sizes(size), value, dtype or self.dtype)


new_zeros, new_ones, new_empty = new(0), new(1), new(0)


def new_full(self, size, fill_value, *, dtype=None):
    return filled(new_sizes((size,)), number(fill_value), dtype or self.dtype)


def new_tensor(self, data, *, dtype=None):
    return tensor(data, dtype=dtype or self.dtype)


def one_hot(x, num_classes=-1):
    if x.dtype is not whole:
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    numbers = x._numbers()
    count = max(numbers) + 1 if num_classes == -1 else num_classes
    if numbers and (min(numbers) < 0 or max(numbers) >= count):
        raise RuntimeError("Class values must be non-negative and smaller than num_classes.")
    return run("one_hot", [x, count], whole)


_OWN = methods(globals(), "new_zeros new_ones new_full new_tensor new_empty")
__all__ = """arange as_tensor asarray cartesian_prod empty empty_like eye from_numpy full full_like linspace logspace
    meshgrid ones ones_like scalar_tensor tensor zeros zeros_like""".split()
