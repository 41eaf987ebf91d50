"""Tensors made of numbers, lists or nothing."""

import itertools
import math
from functools import wraps

from .core import cast, device, filled, from_numbers, is_tensor, methods, run, sizes_of
from .dtypes import DEFAULT, float64, promote_types, result_type, type_of
from .dtypes import int64 as whole
from .engine import expect, refuse

EXACT = 2**53


def maker(make):
    """What makes a tensor takes device=, which is the page's, and requires_grad=, too."""

    @wraps(make)
    def made(*args, device=None, requires_grad=False, **named):
        on_cpu(device)
        out = make(*args, **named)
        return out.requires_grad_() if requires_grad else out

    return made


def on_cpu(given):
    """Refuse any other device."""
    if given is not None:
        device(given)


def lengths(size, more=()):
    """Lengths of what is made: one by one, in a list, or as size=, the only one of `more` that is known."""
    if "size" in more:
        size = (more.pop("size"),)
    refuse(more, f"{', '.join(more)}=")
    size = sizes_of(size)
    for n in size:
        if n < 0:
            raise RuntimeError(f"Trying to create tensor with negative dimension {n}: {size}")
    return size


def numbers_of(data):
    """The shape, the numbers and the type of nested lists."""
    if is_tensor(data):
        return list(data.shape), data._numbers(), data.dtype
    if isinstance(data, (int, float)):
        refuse(isinstance(data, int) and not -EXACT < data < EXACT, "integers beyond 2**53")
        return [], [data], type_of(data)
    refuse(isinstance(data, complex), "complex numbers")
    if hasattr(data, "tolist"):
        return numbers_of(data.tolist())
    expect(not isinstance(data, str), "new(): invalid data type 'str'", TypeError)
    if not hasattr(data, "__len__") or not hasattr(data, "__getitem__") or isinstance(data, dict):
        raise RuntimeError(f"Could not infer dtype of {type(data).__name__}")
    parts = [numbers_of(part) for part in data]
    if not parts:
        return [0], [], DEFAULT[0]
    shape, flat, d = parts[0][0], [], parts[0][2]
    for other, numbers, kind in parts:
        if other != shape:
            if len(other) == len(shape):
                at = next(i for i, (n, m) in enumerate(zip(other, shape)) if n != m)
                raise ValueError(f"expected sequence of length {shape[at]} at dim {at + 1} (got {other[at]})")
            raise TypeError("not a sequence" if shape else "must be real number, not list")
        flat += numbers
        d = promote_types(d, kind)
    return [len(parts), *shape], flat, d


@maker
def tensor(data, *, dtype=None, pin_memory=False):
    shape, flat, d = numbers_of(data)
    if dtype is not None and dtype.kind < 2 and d.kind == 2:
        flat = [math.trunc(n) if math.isfinite(n) and dtype.kind else n for n in flat]
    return from_numbers(shape, flat, dtype or d)


def as_tensor(data, *, dtype=None, device=None):
    on_cpu(device)
    if is_tensor(data):
        return data if dtype is None else data.to(dtype)
    return tensor(data, dtype=dtype)


asarray = as_tensor


def from_numpy(ndarray):
    refuse(True, "from_numpy: there is no NumPy in the page;")


def number(x):
    return x.item() if is_tensor(x) else x


def of(value):
    return maker(lambda *size, dtype=None, **more: filled(lengths(size, more), value, dtype or DEFAULT[0]))


def like(value):
    return maker(lambda input, *, dtype=None: filled(input.shape, value, dtype or input.dtype))


def new(value):
    return maker(lambda self, *size, dtype=None: filled(lengths(size), value, dtype or self.dtype))


zeros, ones, empty = of(0), of(1), of(0)
zeros_like, ones_like, empty_like = like(0), like(1), like(0)


@maker
def full(size, fill_value, *, dtype=None):
    value = number(fill_value)
    return filled(lengths((size,)), value, dtype or type_of(value))


@maker
def full_like(input, fill_value, *, dtype=None):
    return filled(input.shape, number(fill_value), dtype or input.dtype)


@maker
def arange(*given, dtype=None, **named):
    start, end, step = [0, *given, 1] if len(given) == 1 else [*given, 1] if len(given) == 2 else given or [0, None, 1]
    start, end, step = (number(named.get(k, v)) for k, v in zip(("start", "end", "step"), (start, end, step)))
    expect(step, "step must be nonzero")
    expect((end - start) * step >= 0, "upper bound and lower bound inconsistent with step sign")
    broken = any([isinstance(n, float) for n in (start, end, step)])
    return run("arange", [start, end, step], dtype or (DEFAULT[0] if broken else whole))


@maker
def linspace(start, end, steps, *, dtype=None):
    return run("linspace", [float(number(start)), float(number(end)), steps], dtype or DEFAULT[0])


@maker
def logspace(start, end, steps, base=10.0, *, dtype=None):
    powers = run("linspace", [float(start), float(end), steps], float64)
    return cast(run("pow", [float(base), powers], float64), dtype or DEFAULT[0])


@maker
def eye(n, m=None, *, dtype=None):
    return run("eye", [n, n if m is None else m], dtype or DEFAULT[0])


@maker
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


def one_hot(x, num_classes=-1):
    expect(x.dtype is whole, "one_hot is only applicable to index tensor of type LongTensor.")
    numbers = x._numbers()
    count = max(numbers) + 1 if num_classes == -1 else num_classes
    fits = not numbers or (min(numbers) >= 0 and max(numbers) < count)
    expect(fits, "Class values must be non-negative and smaller than num_classes.")
    return run("one_hot", [x, count], whole)


@methods
class New:
    new_zeros, new_ones, new_empty = new(0), new(1), new(0)

    def new_full(self, size, fill_value, *, dtype=None):
        return filled(lengths((size,)), number(fill_value), dtype or self.dtype)

    def new_tensor(self, data, *, dtype=None):
        return tensor(data, dtype=dtype or self.dtype)


__all__ = """arange as_tensor asarray cartesian_prod empty empty_like eye from_numpy full full_like linspace logspace
    meshgrid ones ones_like scalar_tensor tensor zeros zeros_like""".split()
