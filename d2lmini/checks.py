"""What inputs must be like, and the errors that say so: the argument, what is right, what came."""

from numbers import Integral, Real

import torch

# Before torch 2.3 it had another name.
is_compiling = getattr(torch.compiler, "is_compiling", torch._utils.is_compiling)


def is_transformed():
    """Whether this runs inside vmap, grad or another transform of torch.func."""
    return not is_compiling() and torch._C._are_functorch_transforms_active()


def is_known(tensor):
    """Whether Python may look at the values: not under torch.compile or torch.func, nor on meta.

    Every check of values, and every shortcut that depends on them, asks here.
    """
    return not (is_compiling() or is_transformed() or tensor.is_meta)


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
            raise TypeError(
                f"valid_lens must be None or an array of integers, got {valid_lens!r}"
            ) from error
        if not lens.numel():  # an empty list has no type of its own
            lens = lens.long()
    if lens.dtype == torch.bool:
        raise TypeError(
            "valid_lens must be integers that count keys, got torch.bool: "
            "of a mask that is True at valid keys, take mask.sum(dim=-1)"
        )
    if lens.dtype.is_floating_point or lens.dtype.is_complex:
        raise TypeError(f"valid_lens must be integers, got {lens.dtype}")
    batch, queries, keys = shape[0], shape[-2], shape[-1]
    if tuple(lens.shape) not in ((batch,), (batch, queries)):
        raise ValueError(
            f"valid_lens must have the shape (batch,) = ({batch},) or (batch, queries) = "
            f"({batch}, {queries}), got {tuple(lens.shape)}"
        )
    lens = lens.long()
    if is_known(lens) and lens.numel():
        lengths = lens.flatten().tolist()
        shortest, longest = min(lengths), max(lengths)
        if shortest < 0 or longest > keys:
            wrong = shortest if shortest < 0 else longest
            raise ValueError(
                f"valid_lens must lie between 0 and the number of keys, {keys}, got {wrong}"
            )
    return lens


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
    tensors = {"queries": queries, "keys": keys, "values": values}
    for name, x in tensors.items():
        if not isinstance(x, torch.Tensor):
            raise TypeError(f"{name} must be a tensor, got {type(x).__name__}")
        if not x.is_floating_point():
            raise TypeError(f"{name} must be floating-point numbers, got {x.dtype}")
        if x.dim() != 3:
            one = {"queries": "query", "keys": "key", "values": "value"}[name]
            raise ValueError(
                f"{name} must have the shape (batch, {name}, {one}_size), got {tuple(x.shape)}"
            )
    batch, q_size, k_size = len(queries), queries.shape[2], keys.shape[2]
    if (len(keys), len(values)) != (batch, batch):
        raise ValueError(
            "queries, keys and values must have one batch size, got "
            f"{batch}, {len(keys)} and {len(values)}"
        )
    if keys.shape[1] != values.shape[1]:
        raise ValueError(
            "keys and values must come in pairs, got "
            f"{keys.shape[1]} keys and {values.shape[1]} values"
        )
    expected = attention.expected_sizes(q_size, k_size)
    if (q_size, k_size) != tuple(expected):
        raise ValueError(
            f"queries and keys of {type(attention).__name__} must have the sizes "
            f"{expected[0]} and {expected[1]}, got {q_size} and {k_size}"
        )
    if not is_compiling():  # looking for parameters would break the graph of older versions
        tensors["parameters"] = next(attention.parameters(), queries)
    for kind in ("device", "dtype"):
        got = [getattr(x, kind) for x in tensors.values()]
        same = all(other == got[0] for other in got)
        # Autocast brings types together by itself.
        if not same and not (kind == "dtype" and torch._C._is_any_autocast_enabled()):
            listed = ", ".join(f"{name} {k}" for name, k in zip(tensors, got, strict=True))
            raise TypeError(
                f"queries, keys, values and parameters must share one {kind}, got {listed}"
            )
