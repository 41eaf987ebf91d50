"""What inputs must be like, and the errors that say so: the argument, what is right, what came."""

import math
import warnings
from collections.abc import Sequence
from numbers import Integral, Real

import numpy as np
import torch

from . import lengths
from .renamed import check_dropout as check_dropout

# Whether torch.export writes the steps down; PyTorch cannot tell before 2.7, and bool() is False.
is_exporting = getattr(torch.compiler, "is_exporting", bool)

Lengths = torch.Tensor | np.ndarray | Sequence[float] | Sequence[Sequence[float]]
Mask = torch.Tensor | np.ndarray | Sequence


def is_traced():
    """Whether steps are written down that run again for other sizes and values."""
    return is_exporting() or torch.jit.is_tracing()


def is_transformed(tensor):
    """Whether it stands in for others inside vmap, grad or another transform of torch.func.

    Such a tensor has no memory of its own, which is what PyTorch's public functions tell of it.
    """
    if torch.compiler.is_compiling() or tensor.is_meta:
        return False
    try:
        return not tensor.data_ptr() and tensor.numel() > 0
    except RuntimeError:
        return True


def is_known(tensor):
    """Whether Python may look at the values: not under torch.compile, torch.func, torch.jit.trace.

    Nor on a device, which it would have to wait for. Every check of values, and every shortcut
    that depends on them, asks here.
    """
    if torch.compiler.is_compiling() or torch.jit.is_tracing() or not tensor.is_cpu:
        return False
    try:
        return tensor.data_ptr() != 0 or tensor.numel() == 0  # not so inside a transform
    except RuntimeError:
        return False


def may_hold_nan(weights):
    """Whether a row of weights may be NaN; all of a row is, so its first number tells."""
    return not is_known(weights) or math.isnan(weights[..., :1].sum().item())


def is_tame(*tensors):
    """Whether no number is known to be NaN, or so large that a product with it may be infinite.

    A weight of 0 stops tame numbers by itself, in the output and in every gradient.
    """
    for tensor in tensors:
        most = torch.finfo(tensor.dtype).max ** 0.25
        # The root of the sum of all squares: no number is larger, and it is NaN if one is.
        if not (is_known(tensor) and torch.linalg.vector_norm(tensor.detach()).item() < most):
            return False
    return True


def sizes(*shapes):
    """Return shapes in numbers, to check them; torch.jit.trace has tensors in their place."""
    if not torch.jit.is_tracing():
        return shapes
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", torch.jit.TracerWarning)
        return [tuple(int(size) for size in shape) for shape in shapes]


def is_autocast(device):
    """Whether PyTorch brings types on this device together by itself."""
    try:
        return torch.is_autocast_enabled(device.type)
    except TypeError:  # before torch 2.4
        return torch.is_autocast_enabled() or torch.is_autocast_cpu_enabled()


HALF = (torch.float16, torch.bfloat16)


def in_float32(*tensors):
    """Return tensors in float32 if the first is of a half type, else as they are.

    The others are of its type, or autocast brings them together. Scores are computed so, as in
    PyTorch's fused kernels: rounded to a half type, a large score would change its weight by a
    tenth.
    """
    return [x.float() for x in tensors] if tensors[0].dtype in HALF else tensors


def keep_weights(attention, weights):
    """Keep the weights of a call, off the graph; None where none may outlive the call.

    That is inside a transform of torch.func. Under torch.export nothing is kept.
    """
    if is_exporting():
        return
    kept = weights is not None and not is_transformed(weights)
    attention.attention_weights = weights.detach() if kept else None


def check_scores(scores):
    """Raise unless `scores` is a floating-point tensor with queries and keys."""
    if not isinstance(scores, torch.Tensor):
        raise TypeError(f"scores must be a tensor, got {type(scores).__name__}")
    if not scores.is_floating_point():
        raise TypeError(f"scores must be floating-point numbers, got {scores.dtype}")
    if scores.dim() < 2:
        lengths.check_rank(scores.shape)


def check_valid_lens(valid_lens, shape):
    """Return lengths as int64, (batch, ..., 1 or queries, 1); raise unless they fit the scores."""
    lens = valid_lens
    if not isinstance(lens, torch.Tensor):
        lengths.check_kinds(valid_lens)
        lens = as_tensor(valid_lens, lengths.not_lengths)
    values = lens.flatten().tolist() if is_known(lens) else ()
    index = lengths.check_lengths(str(lens.dtype), *sizes(lens.shape, shape), values)
    return lens[index].long()


def check_mask(mask, shape):
    """Return a mask as booleans with the axes of scores of this shape; raise unless it fits."""
    mask = mask if isinstance(mask, torch.Tensor) else as_tensor(mask, lengths.not_a_mask)
    mask_shape, shape = sizes(mask.shape, shape)
    if len(shape) > 3 and is_exporting() and torch.compiler.is_dynamo_compiling():
        # Compared with a number of heads, a batch of any size would be fixed.
        shape = (shape[0], *[None] * (len(shape) - 3), *shape[-2:])
    if mask.dtype == torch.bool and lengths.fits(mask_shape, shape, ones=True):
        return mask  # as the classes hand it on
    values = ()
    if not (mask.dtype == torch.bool or mask.is_complex()) and mask.numel() and is_known(mask):
        values = [end.item() for end in mask.long().aminmax()]
    index = lengths.check_mask(str(mask.dtype), mask_shape, shape, values)
    return mask[index].bool()


def as_tensor(given, error):
    """Return a list or an array as a tensor; raise the error made of it if it is neither."""
    try:  # torch.compile reads a list's numbers again in torch.tensor alone, not in as_tensor
        tensor = torch.tensor(given) if isinstance(given, list | tuple) else torch.as_tensor(given)
    except (TypeError, ValueError, RuntimeError) as cause:
        raise error(given) from cause
    return tensor if tensor.numel() else tensor.long()  # an empty list has no type of its own


def check_size(name, size):
    """Raise unless a size is a whole number of at least 1."""
    check_count(name, size, least=1)


def check_count(name, number, least=0, why=""):
    """Raise unless a number is whole and not too small."""
    if torch.jit.is_tracing() and isinstance(number, torch.Tensor):
        return  # a size, which torch.jit.trace writes down
    if isinstance(number, bool) or not isinstance(number, Integral | torch.SymInt):
        raise TypeError(f"{name} must be an integer, got {number!r}")
    if number < least:
        raise ValueError(f"{name} must be at least {least}, got {number}{why}")


def check_inputs(attention, queries, keys, values, bias=None):
    """Raise unless queries, keys, values and a bias fit together and fit this attention."""
    for name, x in ("queries", queries), ("keys", keys), ("values", values):
        if not (isinstance(x, torch.Tensor) and x.is_floating_point() and x.dim() > 2):
            refuse_input(name, x)
    expected = attention.expected_sizes(queries.shape[-1], keys.shape[-1])
    q_shape, k_shape, v_shape, expected = sizes(queries.shape, keys.shape, values.shape, expected)
    *q_batch, n_queries, q_size = q_shape
    *k_batch, n_keys, k_size = k_shape
    *v_batch, n_values, _ = v_shape
    if not q_batch == k_batch == v_batch:
        raise ValueError(
            "queries, keys and values must have one batch size, and one number of heads if any, "
            f"got {tuple(queries.shape)}, {tuple(keys.shape)} and {tuple(values.shape)}"
        )
    if n_keys != n_values:
        raise ValueError(
            f"keys and values must come in pairs, got {n_keys} keys and {n_values} values"
        )
    if (q_size, k_size) != tuple(expected):
        raise ValueError(
            f"queries and keys of {type(attention).__name__} must have the sizes "
            f"{expected[0]} and {expected[1]}, got {q_size} and {k_size}"
        )
    if not (
        queries.dtype == keys.dtype == values.dtype
        and queries.device == keys.device == values.device
    ):
        check_kinds(queries, keys, values)
    if bias is not None:
        check_bias(bias, (*q_batch, n_queries, n_keys))


def refuse_input(name, x):
    """Raise, since x is no tensor of queries, keys or values."""
    if not isinstance(x, torch.Tensor):
        raise TypeError(f"{name} must be a tensor, got {type(x).__name__}")
    if not x.is_floating_point():
        raise TypeError(f"{name} must be floating-point numbers, got {x.dtype}")
    raise ValueError(f"{name} must have the shape (batch, ..., {name}, size), got {tuple(x.shape)}")


def check_bias(bias, shape):
    """Raise unless a bias may be added to scores of this shape."""
    if not isinstance(bias, torch.Tensor):
        raise TypeError(f"bias must be a tensor, got {type(bias).__name__}")
    if not bias.is_floating_point():
        hides = "; a mask goes to mask=" if bias.dtype == torch.bool else ""
        raise TypeError(f"bias must be floating-point numbers, got {bias.dtype}{hides}")
    try:
        fits = torch.broadcast_shapes(*sizes(bias.shape), shape) == shape
    except RuntimeError:
        fits = False
    if not fits:
        raise ValueError(
            f"bias must have a shape that broadcasts to that of the scores, {shape}, got "
            f"{tuple(bias.shape)}"
        )
    if is_known(bias) and not bias.isfinite().all():
        wrong = bias[~bias.isfinite()][0].item()
        raise ValueError(f"bias must be finite, got {wrong}; what hides a key goes to mask=")


def check_scale(scale):
    """Return the scale; raise unless it is a number or None."""
    if scale is None or (isinstance(scale, Real) and not isinstance(scale, bool)):
        return scale
    raise TypeError(f"scale must be a number, or None for 1 / sqrt(d), got {scale!r}")


def check_kinds(queries, keys, values, **parameters):
    """Raise unless the inputs, and parameters if given, have one device and one dtype."""
    tensors = {"queries": queries, "keys": keys, "values": values, **parameters}
    for kind in ("device", "dtype"):
        kinds = {name: getattr(x, kind) for name, x in tensors.items()}
        if len(set(kinds.values())) > 1 and not (kind == "dtype" and is_autocast(queries.device)):
            listed = ", ".join(f"{name} {value}" for name, value in kinds.items())
            raise TypeError(
                f"queries, keys, values and parameters must share one {kind}, got {listed}"
            )


def check_parameters(attention, queries, keys, values):
    """Raise unless the parameters are of the inputs' kind."""
    if torch.compiler.is_compiling():  # older versions would break the graph here
        return
    for parameter in attention.parameters():
        check_kinds(queries, keys, values, parameters=parameter)
