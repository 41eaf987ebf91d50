"""torch.nn.functional"""

import math

from ..chance import draw
from ..core import filled, lacking, run, write
from ..dtypes import bool as truth
from ..elementwise import erf, home, mul, relu, sigmoid, tanh, where
from ..engine import refusal
from ..graph import needs, record, renamed
from ..making import one_hot
from ..products import matmul
from ..reductions import axis, softmaxed, vector_norm
from ..views import expand, matrix_turned

__all__ = ["one_hot", "relu", "sigmoid", "tanh"]


def softmax(input, dim=None, _stacklevel=3, dtype=None):
    return softmaxed("softmax", input, implied(dim, input), dtype)


def log_softmax(input, dim=None, _stacklevel=3, dtype=None):
    return softmaxed("log_softmax", input, implied(dim, input), dtype)


def implied(dim, x):
    if dim is None:
        raise refusal("softmax without dim=; PyTorch guesses the axis, and warns:")
    return dim


def linear(input, weight, bias=None):
    if input.shape[-1] != weight.shape[-1]:
        rows, k = math.prod(input.shape[:-1]), input.shape[-1]
        n, m = weight.shape[-1], weight.shape[0]
        raise RuntimeError(f"mat1 and mat2 shapes cannot be multiplied ({rows}x{k} and {n}x{m})")
    out = matmul(input, weight.t())
    if bias is None:
        return out
    return renamed(out + bias, "AddmmBackward0" if input.dim() == 2 else "ViewBackward0")


def dropout(input, p=0.5, training=True, inplace=False):
    if not 0 <= p <= 1:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if inplace:
        raise refusal("dropout in place")
    if not training or p == 0:
        return input
    if p == 1:
        return mul(input, filled(input.shape, 0, input.dtype))
    kept = draw("bernoulli", input.shape, input.dtype, None, 1 - p)
    return mul(input, kept / (1 - p))


def gelu(input, approximate="none"):
    if input.dtype.kind != 2:
        raise NotImplementedError(f"\"GeluKernelImpl\" not implemented for '{input.dtype.word}'")
    x = input

    def back(g):
        if approximate != "none":
            raise refusal("gradient of gelu with approximate=")
        bell = run("exp", [x.detach() * x.detach() / -2], x.dtype) / math.sqrt(2 * math.pi)
        return [g * ((1 + erf(x.detach() / math.sqrt(2))) / 2 + x.detach() * bell)]

    if not x.isinf().logical_not().all():
        raise refusal("gelu of an infinite number, which PyTorch answers otherwise on each processor")
    out = run("gelu", [x], x.dtype, ("approximate", approximate))
    return record(out, (x,), back, "GeluBackward0", (x,))


def shaped(name, slope):
    """A bent line: the engine's step, and its slope."""

    def bent(input, *args, inplace=False, **named):
        if inplace:
            raise refusal(f"{name} in place")
        if input.dtype.kind != 2:
            raise NotImplementedError(f"\"{name}_cpu\" not implemented for '{input.dtype.word}'")
        settings = [*args, *named.values()]
        out = run(name, [input, *settings], input.dtype)
        x, y = input.detach(), out.detach()
        told = f"{''.join([part.capitalize() for part in name.split('_')])}Backward0"
        return record(out, (input,), lambda g: [g * slope(x, y, *settings)], told, (input,))

    return bent


silu = shaped("silu", lambda x, y: sigmoid(x) * (1 + x * (1 - sigmoid(x))))
softplus = shaped("softplus", lambda x, y: sigmoid(x))
leaky_relu = shaped("leaky_relu", lambda x, y, a=0.01: where(x > 0, 1.0, a).to(x.dtype))
elu = shaped("elu", lambda x, y, a=1.0: where(x > 0, 1.0, y + a))


def logsigmoid(input):
    return -softplus(-input)


def pad(input, pad, mode="constant", value=None):
    if mode != "constant":
        raise refusal(f"pad of mode {mode!r}")
    sizes = list(pad)
    if len(sizes) % 2 or len(sizes) > 2 * input.dim():
        raise RuntimeError(
            f"Padding length must be divisible by 2 and at most twice the number of dimensions of the input, but got "
            f"{len(sizes)}"
        )

    def back(g):
        undone = run("pad", [g, [-n for n in sizes], "constant", 0], g.dtype)
        return [home(undone, input)]

    out = run("pad", [input, sizes, mode, 0 if value is None else value], input.dtype)
    return record(out, (input,), back, "ConstantPadNdBackward0")


def normalize(input, p=2.0, dim=1, eps=1e-12):
    return input / vector_norm(input, p, dim, True).clamp(min=eps)


def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    shape = list(normalized_shape)
    if list(input.shape[len(input.shape) - len(shape) :]) != shape:
        raise RuntimeError(
            f"Given normalized_shape={shape}, expected input with shape [*, {', '.join(map(str, shape))}], but got "
            f"input of size{list(input.shape)}"
        )
    if input.dtype.kind != 2:
        raise NotImplementedError(f"\"LayerNormKernelImpl\" not implemented for '{input.dtype.word}'")
    if not needs(input, weight, bias):
        return run("layer_norm", [input, shape, weight, bias, eps], input.dtype)
    dims = [-1 - i for i in range(len(shape))]
    out = standard(input, dims, eps)
    out = out if weight is None else out * weight
    return renamed(out if bias is None else out + bias, "NativeLayerNormBackward0")


def rms_norm(input, normalized_shape, weight=None, eps=None):
    from ..dtypes import finfo

    dims = [-1 - i for i in range(len(normalized_shape))]
    power = input.square().mean(dims, True) + (finfo(input.dtype).eps if eps is None else eps)
    out = input * power.rsqrt()
    return out if weight is None else out * weight


def standard(x, dims, eps):
    """x with mean 0 and variance 1 along axes."""
    centred = x - x.mean(dims, True)
    return centred / (centred.square().mean(dims, True) + eps).sqrt()


def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5):
    if running_mean is not None or running_var is not None or weight is not None or bias is not None:
        raise refusal("batch_norm with a running mean or a scale")
    return standard(input, [i for i in range(input.dim()) if i != 1], eps)


HOW = {"none": 0, "mean": 1, "sum": 2}


def reduced(x, reduction):
    if reduction not in HOW:
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return x if reduction == "none" else x.mean() if reduction == "mean" else x.sum()


def mse_loss(input, target, reduction="mean"):
    if input.dtype.kind != 2:
        raise NotImplementedError(f"\"mse_cpu\" not implemented for '{input.dtype.word}'")
    return renamed(reduced((input - target).square(), reduction), "MseLossBackward0")


def l1_loss(input, target, reduction="mean"):
    return reduced((input - target).abs(), reduction)


def binary_cross_entropy_with_logits(input, target, reduction="mean"):
    each = (1 - target) * input + softplus(-input)
    return reduced(each, reduction)


def nll_loss(input, target, ignore_index=-100, reduction="mean"):
    at = 1 if input.dim() > 1 else 0
    numbers, most = target._numbers(), input.shape[at]
    wrong = [n for n in numbers if not 0 <= n < most and n != ignore_index]
    if wrong:
        raise IndexError(f"Target {wrong[0]} is out of bounds.")
    if reduction not in HOW:
        raise ValueError(f"{reduction} is not a valid value for reduction")

    def back(g):
        seen = target != ignore_index
        count = len(numbers) - numbers.count(ignore_index)
        lost = where(seen, -g / count if reduction == "mean" else -g, 0.0).unsqueeze(at)
        grad = filled(input.shape, 0, g.dtype)
        write(grad, lost, ("gather", at, where(seen, target, 0).unsqueeze(at)))
        return [grad]

    out = run("nll_loss_nd", [input, target, None, HOW[reduction], ignore_index], input.dtype)
    return record(out, (input,), back, "NllLossBackward0")


def cross_entropy(input, target, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    if weight is not None or label_smoothing:
        raise refusal("cross_entropy with weights or label_smoothing")
    at = 1 if input.dim() > 1 else 0
    logs = softmaxed("log_softmax", input, at, None)
    if target.dtype.kind < 2:
        return nll_loss(logs, target, ignore_index, reduction)
    each = -(logs * target).sum(at)
    return each.sum() / each.numel() if reduction == "mean" else reduced(each, reduction)


def kl_div(input, target, reduction="mean", log_target=False):
    from ..special import xlogy

    if log_target or reduction == "mean":
        raise refusal("kl_div with log_target or reduction='mean'")
    each = xlogy(target, target) - target * input
    return each.sum() / input.shape[0] if reduction == "batchmean" else reduced(each, reduction)


def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    d = (x1 + x2).dtype
    if d.kind != 2:
        raise RuntimeError(f"expected common dtype to be floating point, yet common dtype is {d.word}")
    if not needs(x1, x2):
        return run("cosine_similarity", [x1, x2, axis(dim, max(x1.dim(), x2.dim())), eps], d)
    a, b = (x / vector_norm(x, 2, dim, True).clamp(min=eps) for x in (x1, x2))
    return (a * b).sum(dim)


def embedding(input, weight, padding_idx=None):
    if padding_idx is not None:
        raise refusal("embedding with padding_idx")
    return renamed(weight[input], "EmbeddingBackward0")


def scaled_dot_product_attention(
    query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False
):
    if enable_gqa:
        key, value = (x.repeat_interleave(query.shape[-3] // x.shape[-3], -3) for x in (key, value))
    factor = query.shape[-1] ** -0.5 if scale is None else scale
    scores = matmul(query, matrix_turned(key)) * factor
    if is_causal:
        if attn_mask is not None:
            raise RuntimeError("Explicit attn_mask should not be set when is_causal=True")
        attn_mask = filled(scores.shape[-2:], 1, truth).tril()
    if attn_mask is None:
        return matmul(dropout(softmax(scores, -1), dropout_p), value)
    if attn_mask.dtype is truth:
        attn_mask = where(attn_mask, 0.0, -math.inf).to(query.dtype)
    elif attn_mask.dtype is not query.dtype:
        raise RuntimeError(
            "Expected attn_mask dtype to be bool or float or to match query dtype, but got attn_mask.dtype: "
            f"{attn_mask.dtype} and  query.dtype: {query.dtype} instead."
        )
    scores = scores + attn_mask
    nothing = (scores == -math.inf).all(-1, True)
    weights = softmax(scores, -1).masked_fill(expand(nothing, scores.shape), 0.0)
    return matmul(dropout(weights, dropout_p), value)


__getattr__ = lacking("torch.nn.functional")
