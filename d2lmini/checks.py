"""What inputs must be like, and the errors that say so: the argument, what is right, what came."""

from collections.abc import Sequence
from numbers import Integral, Real

import numpy as np
import torch

from .lengths import check_lengths, not_lengths

Lengths = torch.Tensor | np.ndarray | Sequence[int] | Sequence[Sequence[int]]


def is_transformed(tensor):
    """Whether it stands in for others inside vmap, grad or another transform of torch.func.

    Such a tensor has no memory of its own, which is what PyTorch's public functions tell of it.
    """
    if torch.compiler.is_compiling():
        return False
    try:
        return not (tensor.data_ptr() or tensor.is_meta or not tensor.numel())
    except RuntimeError:
        return True


def is_known(tensor):
    """Whether Python may look at the values: not under torch.compile or torch.func, nor on meta.

    Every check of values, and every shortcut that depends on them, asks here.
    """
    return not (tensor.is_meta or torch.compiler.is_compiling() or is_transformed(tensor))


def is_autocast(device):
    """Whether PyTorch brings types on this device together by itself."""
    try:
        return torch.is_autocast_enabled(device.type)
    except TypeError:  # before torch 2.4
        return torch.is_autocast_enabled() or torch.is_autocast_cpu_enabled()


def off_graph(weights):
    """Return weights to keep; None for None, and inside a transform, which none may outlive."""
    return None if weights is None or is_transformed(weights) else weights.detach()


def check_scores(scores):
    """Raise unless `scores` is a floating-point tensor with a batch, queries and keys."""
    if not isinstance(scores, torch.Tensor):
        raise TypeError(f"scores must be a tensor, got {type(scores).__name__}")
    if not scores.is_floating_point():
        raise TypeError(f"scores must be floating-point numbers, got {scores.dtype}")
    if scores.dim() < 3:
        raise ValueError(
            f"scores must have the shape (batch, ..., queries, keys), got {tuple(scores.shape)}"
        )


def check_valid_lens(valid_lens, shape):
    """Return `valid_lens` as a tensor of int64; raise unless it fits scores of this shape."""
    lens = valid_lens
    if not isinstance(lens, torch.Tensor):
        try:
            lens = torch.as_tensor(lens)
        except (TypeError, ValueError, RuntimeError) as error:
            raise not_lengths(valid_lens) from error
        if not lens.numel():  # an empty list has no type of its own
            lens = lens.long()
    values = lens.flatten().tolist() if is_known(lens) else ()
    check_lengths(str(lens.dtype), lens.shape, shape, values)
    return lens.long()


def check_size(name, size):
    """Raise unless a size is a whole number of at least 1."""
    if isinstance(size, bool) or not isinstance(size, Integral):
        raise TypeError(f"{name} must be an integer, got {size!r}")
    if size < 1:
        raise ValueError(f"{name} must be at least 1, got {size}")


def check_dropout(dropout):
    """Raise unless dropout is a probability."""
    if isinstance(dropout, bool) or not isinstance(dropout, Real):
        raise TypeError(f"dropout must be a number, got {dropout!r}")
    if not 0 <= dropout <= 1:
        raise ValueError(f"dropout must lie between 0 and 1, got {dropout}")


def check_inputs(attention, queries, keys, values):
    """Raise unless queries, keys and values fit together and fit this attention."""
    check_input("queries", queries)
    check_input("keys", keys)
    check_input("values", values)
    q_batch, _, q_size = queries.shape
    k_batch, n_keys, k_size = keys.shape
    v_batch, n_values, _ = values.shape
    if not q_batch == k_batch == v_batch:
        raise ValueError(
            "queries, keys and values must have one batch size, got "
            f"{q_batch}, {k_batch} and {v_batch}"
        )
    if n_keys != n_values:
        raise ValueError(
            f"keys and values must come in pairs, got {n_keys} keys and {n_values} values"
        )
    expected = attention.expected_sizes(q_size, k_size)
    if (q_size, k_size) != tuple(expected):
        raise ValueError(
            f"queries and keys of {type(attention).__name__} must have the sizes "
            f"{expected[0]} and {expected[1]}, got {q_size} and {k_size}"
        )
    check_kinds(attention, queries, keys, values)


def check_input(name, x):
    """Raise unless x is a tensor of queries, keys or values."""
    if not isinstance(x, torch.Tensor):
        raise TypeError(f"{name} must be a tensor, got {type(x).__name__}")
    if not x.is_floating_point():
        raise TypeError(f"{name} must be floating-point numbers, got {x.dtype}")
    if x.dim() != 3:
        one = {"queries": "query", "keys": "key", "values": "value"}[name]
        raise ValueError(
            f"{name} must have the shape (batch, {name}, {one}_size), got {tuple(x.shape)}"
        )


def check_kinds(attention, queries, keys, values):
    """Raise unless the inputs and the parameters have one device and one dtype."""
    weight = queries
    if not torch.compiler.is_compiling():  # older versions would break the graph here
        weight = next(attention.parameters(), queries)
    one_device = queries.device == keys.device == values.device == weight.device
    one_dtype = queries.dtype == keys.dtype == values.dtype == weight.dtype
    if one_device and (one_dtype or is_autocast(queries.device)):
        return
    kind = "dtype" if one_device else "device"
    tensors = {"queries": queries, "keys": keys, "values": values, "parameters": weight}
    listed = ", ".join(f"{name} {getattr(x, kind)}" for name, x in tensors.items())
    raise TypeError(f"queries, keys, values and parameters must share one {kind}, got {listed}")
