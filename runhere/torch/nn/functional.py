"""torch.nn.functional"""

import math

from ..chance import draw
from ..core import FUNCTIONS, filled, lacking, run, write
from ..dtypes import bool as truth
from ..dtypes import finfo
from ..elementwise import Elementwise, lacks_kernel
from ..engine import expect, refuse
from ..graph import needs, renamed, step
from ..making import one_hot
from ..reductions import axis, vector_norm
from ..special import xlogy

where = Elementwise.where
relu, sigmoid, tanh = map(FUNCTIONS.get, ("relu", "sigmoid", "tanh"))


def along(name):
    def function(input, dim=None, _stacklevel=3, dtype=None):
        refuse(dim is None, "softmax without dim=; PyTorch guesses the axis, and warns:")
        return FUNCTIONS[name](input, dim, dtype)

    return function


softmax, log_softmax = along("softmax"), along("log_softmax")


def linear(input, weight, bias=None):
    if input.shape[-1] != weight.shape[-1]:
        rows, k = math.prod(input.shape[:-1]), input.shape[-1]
        n, m = weight.shape[-1], weight.shape[0]
        raise RuntimeError(f"mat1 and mat2 shapes cannot be multiplied ({rows}x{k} and {n}x{m})")
    out = input @ weight.t()
    if bias is None:
        return out
    return renamed(out + bias, "AddmmBackward0" if input.dim() == 2 else "ViewBackward0")


def dropout(input, p=0.5, training=True, inplace=False):
    expect(0 <= p <= 1, f"dropout probability has to be between 0 and 1, but got {p}", ValueError)
    refuse(inplace, "dropout in place")
    if not training or p == 0:
        return input
    if p == 1:
        return input * filled(input.shape, 0, input.dtype)
    return input * (draw("bernoulli", input.shape, input.dtype, None, 1 - p) / (1 - p))


def gelu(input, approximate="none"):
    lacks_kernel(input.dtype.kind != 2, "GeluKernelImpl", input.dtype)
    told = "gelu of an infinite number, which PyTorch answers otherwise on each processor"
    refuse(not input.detach().sum().isfinite() and input.isinf().any(), told)

    def back(g, x, y):
        refuse(approximate != "none", "gradient of gelu with approximate=")
        bell = (x * x / -2).exp() / math.sqrt(2 * math.pi)
        return g * ((1 + (x / math.sqrt(2)).erf()) / 2 + x * bell)

    return step("gelu", input, back=back, saves="x", options={"approximate": approximate})


def bent(name, slope):
    """A bent line: the engine's step, and its slope."""

    def function(input, *args, inplace=False, **named):
        refuse(inplace, f"{name} in place")
        lacks_kernel(input.dtype.kind != 2, f"{name}_cpu", input.dtype)
        given = [*args, *named.values()]
        return step(name, input, *given, back=lambda g, x, y: g * slope(x, y, *given), saves="x")

    return function


silu = bent("silu", lambda x, y: x.sigmoid() * (1 + x * (1 - x.sigmoid())))
softplus = bent("softplus", lambda x, y: x.sigmoid())
leaky_relu = bent("leaky_relu", lambda x, y, a=0.01: where(x > 0, 1.0, a).to(x.dtype))
elu = bent("elu", lambda x, y, a=1.0: where(x > 0, 1.0, y + a))


def logsigmoid(input):
    return -softplus(-input)


def pad(input, pad, mode="constant", value=None):
    refuse(mode != "constant", f"pad of mode {mode!r}")
    sizes = list(pad)
    if len(sizes) % 2 or len(sizes) > 2 * input.dim():
        most = "divisible by 2 and at most twice the number of dimensions of the input"
        raise RuntimeError(f"Padding length must be {most}, but got {len(sizes)}")

    def back(g, x, y):
        return run("pad", [g, [-n for n in sizes], "constant", 0], g.dtype)

    return step("pad", input, sizes, mode, 0 if value is None else value, back=back, told="ConstantPadNdBackward0")


def normalize(input, p=2.0, dim=1, eps=1e-12):
    return input / vector_norm(input, p, dim, True).clamp(min=eps)


def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    shape = list(normalized_shape)
    if list(input.shape[len(input.shape) - len(shape) :]) != shape:
        raise RuntimeError(
            f"Given normalized_shape={shape}, expected input with shape [*, {', '.join(map(str, shape))}], but got "
            f"input of size{list(input.shape)}"
        )
    lacks_kernel(input.dtype.kind != 2, "LayerNormKernelImpl", input.dtype)
    if not needs(input, weight, bias):
        return run("layer_norm", [input, shape, weight, bias, eps], input.dtype)
    out = standard(input, [-1 - i for i in range(len(shape))], eps)
    out = out if weight is None else out * weight
    return renamed(out if bias is None else out + bias, "NativeLayerNormBackward0")


def rms_norm(input, normalized_shape, weight=None, eps=None):
    dims = [-1 - i for i in range(len(normalized_shape))]
    power = input.square().mean(dims, True) + (finfo(input.dtype).eps if eps is None else eps)
    out = input * power.rsqrt()
    return out if weight is None else out * weight


def standard(x, dims, eps):
    """x with mean 0 and variance 1 along axes."""
    centred = x - x.mean(dims, True)
    return centred / (centred.square().mean(dims, True) + eps).sqrt()


def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5):
    given = [x for x in (running_mean, running_var, weight, bias) if x is not None]
    refuse(given, "batch_norm with a running mean or a scale")
    return standard(input, [i for i in range(input.dim()) if i != 1], eps)


HOW = {"none": 0, "mean": 1, "sum": 2}


def reduced(x, reduction):
    expect(reduction in HOW, f"{reduction} is not a valid value for reduction", ValueError)
    return x if reduction == "none" else getattr(x, reduction)()


def mse_loss(input, target, reduction="mean"):
    lacks_kernel(input.dtype.kind != 2, "mse_cpu", input.dtype)
    return renamed(reduced((input - target).square(), reduction), "MseLossBackward0")


def l1_loss(input, target, reduction="mean"):
    return reduced((input - target).abs(), reduction)


def binary_cross_entropy_with_logits(input, target, reduction="mean"):
    return reduced((1 - target) * input + softplus(-input), reduction)


def nll_loss(input, target, ignore_index=-100, reduction="mean"):
    at = 1 if input.dim() > 1 else 0
    numbers, most = target._numbers(), input.shape[at]
    wrong = [n for n in numbers if not 0 <= n < most and n != ignore_index]
    if wrong:
        raise IndexError(f"Target {wrong[0]} is out of bounds.")
    expect(reduction in HOW, f"{reduction} is not a valid value for reduction", ValueError)

    def back(g, x, y):
        seen = target != ignore_index
        count = len(numbers) - numbers.count(ignore_index)
        lost = where(seen, -g / count if reduction == "mean" else -g, 0.0).unsqueeze(at)
        grad = filled(x.shape, 0, g.dtype)
        write(grad, lost, ("gather", at, where(seen, target, 0).unsqueeze(at)))
        return grad

    how = HOW[reduction]
    return step("nll_loss_nd", input, target, None, how, ignore_index, back=back, told="NllLossBackward0")


def cross_entropy(input, target, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    refuse(weight is not None or label_smoothing, "cross_entropy with weights or label_smoothing")
    at = 1 if input.dim() > 1 else 0
    logs = log_softmax(input, at)
    if target.dtype.kind < 2:
        return nll_loss(logs, target, ignore_index, reduction)
    each = -(logs * target).sum(at)
    return each.sum() / each.numel() if reduction == "mean" else reduced(each, reduction)


def kl_div(input, target, reduction="mean", log_target=False):
    refuse(log_target or reduction == "mean", "kl_div with log_target or reduction='mean'")
    each = xlogy(target, target) - target * input
    return each.sum() / input.shape[0] if reduction == "batchmean" else reduced(each, reduction)


def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    d = (x1 + x2).dtype
    expect(d.kind == 2, f"expected common dtype to be floating point, yet common dtype is {d.word}")
    if not needs(x1, x2):
        return run("cosine_similarity", [x1, x2, axis(dim, max(x1.dim(), x2.dim())), eps], d)
    a, b = (normalize(x, 2, dim, eps) for x in (x1, x2))
    return (a * b).sum(dim)


def embedding(input, weight, padding_idx=None):
    refuse(padding_idx is not None, "embedding with padding_idx")
    return renamed(weight[input], "EmbeddingBackward0")


def scaled_dot_product_attention(
    query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False
):
    if enable_gqa:
        key, value = (x.repeat_interleave(query.shape[-3] // x.shape[-3], -3) for x in (key, value))
    factor = query.shape[-1] ** -0.5 if scale is None else scale
    scores = query @ key.mT * factor
    if is_causal:
        expect(attn_mask is None, "Explicit attn_mask should not be set when is_causal=True")
        attn_mask = filled(scores.shape[-2:], 1, truth).tril()
    if attn_mask is None:
        return dropout(softmax(scores, -1), dropout_p) @ value
    if attn_mask.dtype is truth:
        attn_mask = where(attn_mask, 0.0, -math.inf).to(query.dtype)
    elif attn_mask.dtype is not query.dtype:
        raise RuntimeError(
            "Expected attn_mask dtype to be bool or float or to match query dtype, but got attn_mask.dtype: "
            f"{attn_mask.dtype} and  query.dtype: {query.dtype} instead."
        )
    scores = scores + attn_mask
    nothing = (scores == -math.inf).all(-1, True)
    weights = softmax(scores, -1).masked_fill(nothing.expand(scores.shape), 0.0)
    return dropout(weights, dropout_p) @ value


__all__ = ["one_hot", "relu", "sigmoid", "tanh"]
__getattr__ = lacking("torch.nn.functional")
