"""Steps that take entries one by one, and what two tensors need to meet."""

import math

from .core import Tensor, broadcast_shapes, cast, filled, methods, run
from .dtypes import bool as truth
from .dtypes import float64, floating, result_type
from .dtypes import int64 as whole
from .engine import refusal
from .graph import needs, record
from .views import expand as widened
from .views import unbroadcast

NUMBERS = (int, float)
OPERANDS = (Tensor, int, float)


def operand(name, place, x):
    if not isinstance(x, OPERANDS):
        words = {1: "input", 2: "other"}
        raise TypeError(
            f"{name}(): argument '{words[place]}' (position {place}) must be Tensor, not {type(x).__name__}"
        )


def home(g, x):
    """A gradient in the shape and type of what it is for."""
    g = unbroadcast(g, x.shape)
    return g if g.dtype is x.dtype else cast(g, x.dtype)


def fit(*given):
    return broadcast_shapes(*[x.shape for x in given if isinstance(x, Tensor)])


def alike(a, b):
    return isinstance(a, Tensor) and isinstance(b, Tensor) and a.dtype is b.dtype and a.shape == b.shape


def met(a, b):
    """The type of what two operands make; at once where it is that of the first."""
    if isinstance(a, Tensor) and (b.__class__ is float or b.__class__ is int) and a.dtype.kind == 2:
        return a.dtype
    return a.dtype if alike(a, b) else result_type(a, b)


def two(name, a, b, left=None, right=None, saves=("", ""), d=None, options=None, back_name=None):
    """A step on two operands; `left` and `right` turn a gradient into one of each."""
    if not alike(a, b):
        operand(name, 1, a)
        operand(name, 2, b)
        fit(a, b)
    out = run(name, [a, b], d or met(a, b), options)
    mine, yours = needs(a), needs(b)
    if not left or not (mine or yours):
        return out
    used = (saves[0] if mine else "") + (saves[1] if yours else "")
    saved = [x for x, letter in ((a, "a"), (b, "b")) if letter in used and isinstance(x, Tensor)]

    def back(g):
        return (home(left(g), a) if mine else None, home(right(g), b) if yours else None)

    return record(out, (a, b), back, back_name or f"{name.capitalize()}Backward0", saved)


def scaled(x, alpha):
    return x if alpha == 1 else mul(x, alpha)


def add(input, other, *, alpha=1):
    operand("add", 2, other)
    return two("add", input, scaled(other, alpha), lambda g: g, lambda g: g)


def sub(input, other, *, alpha=1):
    truths = [x is True or x is False or getattr(x, "dtype", None) is truth for x in (input, other)]
    if any(truths):
        what, instead = (
            ("two bool tensors", "Use the `^` or `logical_xor()` operator instead.")
            if all(truths)
            else ("a bool tensor", f"{INVERT} use the `~` or `logical_not()` operator instead.")
        )
        raise RuntimeError(f"Subtraction, the `-` operator, with {what} is not supported. {instead}")
    return two("sub", input, scaled(other, alpha), lambda g: g, lambda g: neg(g))


INVERT = "If you are trying to invert a mask,"


def mul(input, other):
    a, b = input, other
    return two("mul", a, b, lambda g: g * b, lambda g: g * a, ("b", "a"))


def div(input, other, *, rounding_mode=None):
    a, b = input, other
    if rounding_mode is None:
        operand("div", 2, b)
        d = floating(met(a, b))
        return two("div", a, b, lambda g: g / b, lambda g: -g * (a / b) / b, ("b", "ab"), d)
    if rounding_mode not in ("floor", "trunc"):
        raise RuntimeError(
            f"div expected rounding_mode to be one of None, 'trunc', or 'floor' but found {rounding_mode!r}"
        )
    return two("div", a, b, lambda g: g * 0, lambda g: g * 0, options=("rounding_mode", rounding_mode))


def underived(g):
    raise RuntimeError("derivative for aten::floor_divide is not implemented")


def no_truths(a, b, name):
    operand(name, 2, b)
    if result_type(a, b) is truth:
        raise NotImplementedError(f"\"{name}\" not implemented for 'Bool'")


def no_zero(a, b, name):
    no_truths(a, b, name)
    if result_type(a, b).kind < 2 and (not b if not isinstance(b, Tensor) else 0 in b._numbers()):
        raise RuntimeError("ZeroDivisionError")


def no_floats(a, b, name):
    operand(name, 2, b)
    d = result_type(a, b)
    fit(a, b)
    if d.kind == 2:
        raise NotImplementedError(f"\"{name}\" not implemented for '{d.word}'")


def shared(better, same, g):
    """All of a gradient where an operand was taken, half of it where both were."""
    return g * better.to(g.dtype) + g * same.to(g.dtype) / 2


def meeting(name, left=None, right=None, saves=("ab", "ab"), d=lambda a, b: None, check=None, told=None):
    """A function of two operands: its ways back take a gradient and both, `d` gives the type, `check` refuses."""

    def step(input, other):
        a, b = input, other
        if check:
            check[0](a, b, check[1])
        ways = (lambda g: left(g, a, b), lambda g: right(g, a, b)) if left else ()
        return two(name, a, b, *ways, saves=saves, d=d(a, b), back_name=told)

    return step


TWO = {
    "remainder": meeting(
        "remainder", lambda g, a, b: g, lambda g, a, b: -g * div(a, b, rounding_mode="floor"), ("", "ab"),
        check=(no_zero, "remainder_cpu"),
    ),
    "fmod": meeting(
        "fmod", lambda g, a, b: g, lambda g, a, b: -g * div(a, b, rounding_mode="trunc"), ("", "ab"),
        check=(no_zero, "fmod_cpu"),
    ),
    "floor_divide": meeting(
        "floor_divide", lambda g, a, b: underived(g), lambda g, a, b: underived(g),
        ("", ""), check=(no_zero, "div_floor_cpu"), told="NotImplemented",
    ),
    "maximum": meeting(
        "maximum", lambda g, a, b: shared(a > b, a == b, g), lambda g, a, b: shared(b > a, a == b, g)
    ),
    "minimum": meeting(
        "minimum", lambda g, a, b: shared(a < b, a == b, g), lambda g, a, b: shared(b < a, a == b, g)
    ),
    "atan2": meeting(
        "atan2", lambda g, a, b: g * b / (a * a + b * b), lambda g, a, b: -g * a / (a * a + b * b),
        d=lambda a, b: floating(result_type(a, b)),
    ),
    **{name: meeting(name, check=(no_floats, f"{name}_cpu")) for name in ("bitwise_and", "bitwise_or", "bitwise_xor")},
    **{
        name: meeting(name, d=lambda a, b: truth)
        for name in "eq ne lt le gt ge logical_and logical_or logical_xor".split()
    },
}  # fmt: skip
remainder, fmod, floor_divide, maximum, minimum, atan2, bitwise_and, bitwise_or, bitwise_xor = [*TWO.values()][:9]
eq, ne, lt, le, gt, ge, logical_and, logical_or, logical_xor = [*TWO.values()][9:]


def pow(input, exponent):
    a, b = input, exponent
    no_truths(a, b, "pow")
    d = result_type(a, b)
    if d.kind < 2 and not isinstance(b, Tensor) and b < 0:
        raise RuntimeError("Integers to negative integer powers are not allowed.")

    def left(g):
        if not isinstance(b, Tensor):
            return g * 0 if b == 0 else g * (b * pow(a, b - 1))
        return where(b == 0, 0.0, g * (b * pow(a, b - 1)))

    def right(g):
        logs = log(a) if isinstance(a, Tensor) else (math.log(a) if a > 0 else -math.inf if not a else math.nan)
        return where((b >= 0) & (a == 0) if isinstance(a, Tensor) else (b >= 0) & (not a), 0.0, g * pow(a, b) * logs)

    if not isinstance(b, Tensor) and b in (0.5, -0.5) and d.kind == 2:  # as PyTorch has it
        root = {0.5: "sqrt", -0.5: "rsqrt"}[b]
        return record(run(root, [a], d), (a,), lambda g: [home(left(g), a)], "PowBackward0", (a,))
    told = "PowBackward0" if not isinstance(b, Tensor) else f"PowBackward{1 + (not isinstance(a, Tensor))}"
    return two("pow", a, b, left, right, ("ab", "ab"), back_name=told)


def bitwise_not(input):
    if input.dtype.kind == 2:
        raise TypeError("~ (operator.invert) is only implemented on integer and Boolean-type tensors")
    return run("bitwise_not", [input], input.dtype)


def one(name, back=None, saves="x", floats=True, back_name=None):
    """A function of one tensor: `back` takes a gradient, what came and what was made of it."""

    def step(input):
        if not isinstance(input, Tensor):
            raise TypeError(f"{name}(): argument 'input' (position 1) must be Tensor, not {type(input).__name__}")
        if not floats and input.dtype is truth and name != "sign":
            return of_truths(name, input)
        out = run(name, [input], floating(input.dtype) if floats else input.dtype)
        if not back or not needs(input):
            return out
        made = out.detach()
        saved = {"x": (input,), "y": (out,), "": ()}[saves]
        told = back_name or f"{name.capitalize()}Backward0"
        return record(out, (input,), lambda g: [home(back(g, input, made), input)], told, saved)

    return step


def of_truths(name, x):
    if name == "neg":
        told = f"{INVERT} use the `~` or `logical_not()` operator instead."
        raise RuntimeError(f"Negation, the `-` operator, on a bool tensor is not supported. {told}")
    if name != "square":
        raise NotImplementedError(f"\"{name}_cpu\" not implemented for 'Bool'")
    return x.to(whole)


exp = one("exp", lambda g, x, y: g * y, "y")
expm1 = one("expm1", lambda g, x, y: g * (y + 1), "y")
log = one("log", lambda g, x, y: g / x)
log2 = one("log2", lambda g, x, y: g / (x * math.log(2)))
log1p = one("log1p", lambda g, x, y: g / (x + 1))
sqrt = one("sqrt", lambda g, x, y: g / (y * 2), "y")
rsqrt = one("rsqrt", lambda g, x, y: g * pow(y, 3) * -0.5, "y")
tanh = one("tanh", lambda g, x, y: g * (1 - y * y), "y")
sigmoid = one("sigmoid", lambda g, x, y: g * (1 - y) * y, "y")
sin = one("sin", lambda g, x, y: g * cos(x))
cos = one("cos", lambda g, x, y: -g * sin(x))
erf = one("erf", lambda g, x, y: g * exp(-x * x) * (2 / math.sqrt(math.pi)))
reciprocal = one("reciprocal", lambda g, x, y: -g * y * y, "y")
square = one("square", lambda g, x, y: g * x * 2, floats=False, back_name="PowBackward0")
relu = one("relu", lambda g, x, y: g * (y > 0), "y", floats=False)
neg = one("neg", lambda g, x, y: neg(g), "", floats=False)
sign, floor, ceil, trunc, nearest = (
    one(name, lambda g, x, y: g * 0, "", floats=False) for name in ("sign", "floor", "ceil", "trunc", "round")
)
abs = one("abs", lambda g, x, y: g * sign(x), floats=False)


def round(input, *, decimals=0):
    if not decimals:
        return nearest(input)
    if input.dtype.kind != 2:
        raise NotImplementedError(f"round_cpu not implemented for '{input.dtype.word}' with decimals")
    scale = 10.0 ** builtin_abs(decimals)
    up, down = (mul, div) if decimals > 0 else (div, mul)
    out = down(run("round", [up(input.detach(), scale)], input.dtype), scale)
    return record(out, (input,), lambda g: [g * 0], "RoundBackward1")


builtin_abs = (0).__class__.__abs__


def in_doubles(name, f):
    """A function that the engine makes of others, in double precision."""

    def step(input):
        if needs(input):
            raise refusal(f"gradient of {name}")
        return cast(f(cast(input, float64)), floating(input.dtype))

    return step


acos = in_doubles("acos", lambda x: atan2(sqrt(1 - x * x), x))
asin = in_doubles("asin", lambda x: atan2(x, sqrt(1 - x * x)))
atan = in_doubles("atan", lambda x: atan2(x, filled(x.shape, 1, x.dtype)))
tan = in_doubles("tan", lambda x: sin(x) / cos(x))
sinh = in_doubles("sinh", lambda x: (expm1(x) - expm1(-x)) / 2)
cosh = in_doubles("cosh", lambda x: (exp(x) + exp(-x)) / 2)
exp2 = in_doubles("exp2", lambda x: pow(2.0, x))
rad2deg = in_doubles("rad2deg", lambda x: x * (180 / math.pi))
deg2rad = in_doubles("deg2rad", lambda x: x * (math.pi / 180))


def sinc(input):
    if needs(input):
        raise refusal("gradient of sinc")
    turns = mul(cast(input, floating(input.dtype)), math.pi)
    return where(eq(input, 0), 1.0, sin(turns) / turns)


def asking(name):
    return lambda input: run(name, [input], truth)


isnan, isinf, isfinite, logical_not = map(asking, ("isnan", "isinf", "isfinite", "logical_not"))


def isneginf(input):
    return eq(input, -math.inf)


def clamp(input, min=None, max=None):
    given = [one for one in (min, max) if one is not None]
    if not given:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    fit(input, *given)
    if input.dtype is truth and all([result_type(one) is truth for one in given]):
        raise NotImplementedError("\"clamp_cpu\" not implemented for 'Bool'")
    d = result_type(input, *given)
    out = run("clamp", [input, min, max], d)
    if any([isinstance(one, float) and one != one for one in given]):
        out = filled(out.shape, math.nan, d)
    if needs(min, max):
        raise refusal("gradient of the limits of clamp")

    def back(g):
        for limit, inside in ((min, ge), (max, le)):
            if limit is not None:
                g = g * inside(input, limit)
        return [home(g, input)]

    return record(out, (input,), back, "ClampBackward1", (input,))


def clamp_min(input, min):
    return clamp(input, min=min)


def clamp_max(input, max):
    return clamp(input, max=max)


def where(condition, input=None, other=None):
    if input is None and other is None:
        return condition.nonzero(as_tuple=True)
    if condition.dtype is not truth:
        told = f"to be a boolean tensor, but got a tensor with dtype {condition.dtype.word}"
        raise RuntimeError(f"where expected condition {told}")
    shape = fit(condition, input, other)
    if not isinstance(input, Tensor) and not isinstance(other, Tensor):
        input = filled([], input, result_type(input, other))
    out = run("where", [condition, input, other], result_type(input, other))
    out = out if out.shape == shape else widened(out, shape)

    def back(g):
        mine, yours = ([condition, g, 0], input), ([condition, 0, g], other)
        return [None, *[home(run("where", args, g.dtype), x) if has_back(x) else None for args, x in (mine, yours)]]

    return record(out, (condition, input, other), back, "WhereBackward0", (condition,))


def has_back(x):
    return isinstance(x, Tensor) and x.requires_grad


Tensor.where = lambda self, condition, other: where(condition, self, other)


def masked_fill(self, mask, value):
    if mask.dtype is not truth:
        raise RuntimeError(f"masked_fill_ only supports boolean masks, but got mask with dtype {mask.dtype.name}")
    if isinstance(value, Tensor) and value.dim():
        told = f"but got tensor with {value.dim()} dimension(s)."
        raise RuntimeError(f"masked_fill_ only supports a 0-dimensional value tensor, {told}")
    if result_type(value).kind == 2 and self.dtype.kind < 2:
        kind = CTYPES.get(self.dtype.name, self.dtype.name)
        raise RuntimeError(f"value cannot be converted to type {kind} without overflow")
    shape = fit(self, mask)
    whole_self = self if self.shape == shape else widened(self, shape)

    def back(g):
        part = home(run("masked_fill", [g, mask, 0], g.dtype), self)
        return [part, home(run("where", [mask, g, 0], g.dtype), value) if has_back(value) else None]

    out = run("masked_fill", [whole_self, mask, value], self.dtype)
    return record(out, (self, value), back, "MaskedFillBackward0", (mask,))


CTYPES = {"int64": "int64_t", "int32": "int", "bool": "bool", "float32": "float", "float64": "double"}


def nan_to_num(input, nan=0.0, posinf=None, neginf=None):
    from .dtypes import finfo

    limits = finfo(input.dtype)
    for found, value in (
        (isnan(input), nan),
        (eq(input, math.inf), limits.max if posinf is None else posinf),
        (eq(input, -math.inf), limits.min if neginf is None else neginf),
    ):
        input = masked_fill(input, found, value)
    return input


def isclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    if input.dtype is not other.dtype:
        raise RuntimeError(f"{input.dtype.word} did not match {other.dtype.word}")
    fit(input, other)
    a, b = cast(input, float64), cast(other, float64)
    near = eq(a, b) | ((abs(a - b) <= atol + rtol * abs(b)) & isfinite(b) & isfinite(a))
    return near | (isnan(a) & isnan(b)) if equal_nan else near


def allclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    return False not in isclose(input, other, rtol, atol, equal_nan)._numbers()


def equal(input, other):
    return input.shape == other.shape and 0 not in eq(input, other)._numbers()


METHODS = """add sub=subtract mul=multiply div=divide=true_divide remainder fmod floor_divide pow maximum minimum
    atan2=arctan2 eq ne lt le gt ge logical_and logical_or logical_xor logical_not bitwise_and bitwise_or bitwise_xor
    bitwise_not exp expm1 log log2 log1p sqrt rsqrt tanh sigmoid sin cos erf reciprocal square relu neg=negative sign
    floor ceil trunc abs=absolute round acos=arccos asin=arcsin atan=arctan tan sinh cosh exp2 rad2deg deg2rad sinc
    isnan isinf isfinite isneginf clamp=clip clamp_min clamp_max masked_fill nan_to_num isclose allclose equal"""
__all__ = [*methods(globals(), METHODS), "where"]
