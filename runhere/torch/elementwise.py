"""Steps that take entries one by one, and what two tensors need to meet."""

import math

from .core import Tensor, broadcast_shapes, cast, filled, method, public, run
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


@method()
def add(input, other, *, alpha=1):
    operand("add", 2, other)
    return two("add", input, scaled(other, alpha), lambda g: g, lambda g: g)


@method("sub", "subtract")
def sub(input, other, *, alpha=1):
    kinds = [x.dtype if isinstance(x, Tensor) else truth if x is True or x is False else None for x in (input, other)]
    if kinds == [truth, truth]:
        raise RuntimeError(
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` "
            "operator instead."
        )
    if truth in kinds:
        raise RuntimeError(
            "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, "
            "use the `~` or `logical_not()` operator instead."
        )
    return two("sub", input, scaled(other, alpha), lambda g: g, lambda g: neg(g))


@method("mul", "multiply")
def mul(input, other):
    a, b = input, other
    return two("mul", a, b, lambda g: g * b, lambda g: g * a, ("b", "a"))


@method("div", "divide", "true_divide")
def div(input, other, *, rounding_mode=None):
    a, b = input, other
    if rounding_mode is not None:
        if rounding_mode not in ("floor", "trunc"):
            raise RuntimeError(
                f"div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{rounding_mode}'"
            )
        return two("div", a, b, no_gradient, no_gradient, options=("rounding_mode", rounding_mode))
    operand("div", 2, b)
    d = floating(met(a, b))
    return two("div", a, b, lambda g: g / b, lambda g: -g * (a / b) / b, ("b", "ab"), d)


def underived(g):
    raise RuntimeError("derivative for aten::floor_divide is not implemented")


def no_gradient(g):
    return g * 0


def zero_division(a, b):
    """PyTorch's words for a whole number divided by 0."""
    if result_type(a, b).kind < 2 and (not b if not isinstance(b, Tensor) else 0 in b._numbers()):
        raise RuntimeError("ZeroDivisionError")


def no_truths(name, a, b):
    operand(name, 2, b)
    if result_type(a, b) is truth:
        raise NotImplementedError(f"\"{name}\" not implemented for 'Bool'")


@method()
def remainder(input, other):
    no_truths("remainder_cpu", input, other)
    zero_division(input, other)
    a, b = input, other
    return two("remainder", a, b, lambda g: g, lambda g: -g * div(a, b, rounding_mode="floor"), ("", "ab"))


@method()
def fmod(input, other):
    no_truths("fmod_cpu", input, other)
    zero_division(input, other)
    a, b = input, other
    return two("fmod", a, b, lambda g: g, lambda g: -g * div(a, b, rounding_mode="trunc"), ("", "ab"))


@method()
def floor_divide(input, other):
    no_truths("div_floor_cpu", input, other)
    zero_division(input, other)
    return two("floor_divide", input, other, underived, underived, back_name="NotImplemented")


@method()
def pow(input, exponent):
    a, b = input, exponent
    no_truths("pow", a, b)
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


def shared(better, same, g):
    """All of a gradient where an operand was taken, half of it where both were."""
    return g * better.to(g.dtype) + g * same.to(g.dtype) / 2


@method()
def maximum(input, other):
    a, b = input, other
    left, right = (lambda g: shared(a > b, a == b, g)), (lambda g: shared(b > a, a == b, g))
    return two("maximum", a, b, left, right, ("ab", "ab"))


@method()
def minimum(input, other):
    a, b = input, other
    left, right = (lambda g: shared(a < b, a == b, g)), (lambda g: shared(b < a, a == b, g))
    return two("minimum", a, b, left, right, ("ab", "ab"))


@method("atan2", "arctan2")
def atan2(input, other):
    a, b = input, other
    d = floating(met(a, b))
    return two("atan2", a, b, lambda g: g * b / (a * a + b * b), lambda g: -g * a / (a * a + b * b), ("ab", "ab"), d)


def asking(name):
    def ask_both(input, other):
        return two(name, input, other, d=truth)

    return method(name)(ask_both)


eq, ne, lt, le, gt, ge, logical_and, logical_or, logical_xor = map(
    asking, ["eq", "ne", "lt", "le", "gt", "ge", "logical_and", "logical_or", "logical_xor"]
)


def bitwise(name):
    def on_bits(input, other):
        operand(name, 2, other)
        d = result_type(input, other)
        fit(input, other)
        if d.kind == 2:
            raise NotImplementedError(f"\"{name}_cpu\" not implemented for '{d.word}'")
        return two(name, input, other)

    return method(name)(on_bits)


bitwise_and, bitwise_or, bitwise_xor = map(bitwise, ("bitwise_and", "bitwise_or", "bitwise_xor"))


@method()
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

    return method(name)(step)


def of_truths(name, x):
    if name == "neg":
        raise RuntimeError(
            "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use "
            "the `~` or `logical_not()` operator instead."
        )
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
neg = negative = one("neg", lambda g, x, y: neg(g), "", floats=False)
Tensor.negative = neg
sign = one("sign", lambda g, x, y: g * 0, "", floats=False)
floor = one("floor", lambda g, x, y: g * 0, "", floats=False)
ceil = one("ceil", lambda g, x, y: g * 0, "", floats=False)
trunc = one("trunc", lambda g, x, y: g * 0, "", floats=False)
abs = absolute = one("abs", lambda g, x, y: g * sign(x), floats=False)
Tensor.absolute = abs
nearest = one("round", lambda g, x, y: g * 0, "", floats=False)


@method()
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

    return method(name)(step)


acos = arccos = in_doubles("acos", lambda x: atan2(sqrt(1 - x * x), x))
asin = arcsin = in_doubles("asin", lambda x: atan2(x, sqrt(1 - x * x)))
atan = arctan = in_doubles("atan", lambda x: atan2(x, filled(x.shape, 1, x.dtype)))
tan = in_doubles("tan", lambda x: sin(x) / cos(x))
sinh = in_doubles("sinh", lambda x: (expm1(x) - expm1(-x)) / 2)
cosh = in_doubles("cosh", lambda x: (exp(x) + exp(-x)) / 2)
exp2 = in_doubles("exp2", lambda x: pow(2.0, x))
rad2deg = in_doubles("rad2deg", lambda x: x * (180 / math.pi))
deg2rad = in_doubles("deg2rad", lambda x: x * (math.pi / 180))


@method()
def sinc(input):
    if needs(input):
        raise refusal("gradient of sinc")
    turns = mul(cast(input, floating(input.dtype)), math.pi)
    return where(eq(input, 0), 1.0, sin(turns) / turns)


def asking_one(name):
    def ask_one(input):
        return run(name, [input], truth)

    return method(name)(ask_one)


isnan, isinf, isfinite, logical_not = map(asking_one, ("isnan", "isinf", "isfinite", "logical_not"))


@method()
def isneginf(input):
    return eq(input, -math.inf)


@method("clamp", "clip")
def clamp(input, min=None, max=None):
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    given = [one for one in (min, max) if one is not None]
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


clip = clamp


@method()
def clamp_min(input, min):
    return clamp(input, min=min)


@method()
def clamp_max(input, max):
    return clamp(input, max=max)


def where(condition, input=None, other=None):
    if input is None and other is None:
        return condition.nonzero(as_tuple=True)
    if condition.dtype is not truth:
        raise RuntimeError(
            f"where expected condition to be a boolean tensor, but got a tensor with dtype {condition.dtype.word}"
        )
    shape = fit(condition, input, other)
    if not isinstance(input, Tensor) and not isinstance(other, Tensor):
        input = filled([], input, result_type(input, other))
    out = run("where", [condition, input, other], result_type(input, other))
    out = out if out.shape == shape else widened(out, shape)

    def back(g):
        return [
            None,
            home(run("where", [condition, g, 0], g.dtype), input) if needs_back(input) else None,
            home(run("where", [condition, 0, g], g.dtype), other) if needs_back(other) else None,
        ]

    return record(out, (condition, input, other), back, "WhereBackward0", (condition,))


def needs_back(x):
    return isinstance(x, Tensor) and x.requires_grad


@method("where")
def where_method(self, condition, other):
    return where(condition, self, other)


@method()
def masked_fill(self, mask, value):
    if mask.dtype is not truth:
        raise RuntimeError(f"masked_fill_ only supports boolean masks, but got mask with dtype {mask.dtype.name}")
    if isinstance(value, Tensor) and value.dim():
        raise RuntimeError(
            f"masked_fill_ only supports a 0-dimensional value tensor, but got tensor with {value.dim()} dimension(s)."
        )
    if result_type(value).kind == 2 and self.dtype.kind < 2:
        raise RuntimeError(
            f"value cannot be converted to type {CTYPES.get(self.dtype.name, self.dtype.name)} without overflow"
        )
    shape = fit(self, mask)
    whole_self = self if self.shape == shape else widened(self, shape)

    def back(g):
        part = home(run("masked_fill", [g, mask, 0], g.dtype), self)
        return [part, home(run("where", [mask, g, 0], g.dtype), value) if needs_back(value) else None]

    out = run("masked_fill", [whole_self, mask, value], self.dtype)
    return record(out, (self, value), back, "MaskedFillBackward0", (mask,))


CTYPES = {"int64": "int64_t", "int32": "int", "bool": "bool", "float32": "float", "float64": "double"}


@method()
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


@method()
def isclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    if input.dtype is not other.dtype:
        raise RuntimeError(f"{input.dtype.word} did not match {other.dtype.word}")
    fit(input, other)
    a, b = cast(input, float64), cast(other, float64)
    near = eq(a, b) | ((abs(a - b) <= atol + rtol * abs(b)) & isfinite(b) & isfinite(a))
    return near | (isnan(a) & isnan(b)) if equal_nan else near


@method()
def allclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    return False not in isclose(input, other, rtol, atol, equal_nan)._numbers()


@method()
def equal(input, other):
    return input.shape == other.shape and 0 not in eq(input, other)._numbers()


subtract, multiply, divide, true_divide, arctan2 = sub, mul, div, div, atan2
__all__ = public(dir())
