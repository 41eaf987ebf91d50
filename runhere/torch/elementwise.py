"""Steps that take entries one by one, and what two tensors need to meet."""

import math
from operator import index

from .core import Tensor, broadcast, cast, filled, operations, run
from .dtypes import bool as truth
from .dtypes import finfo, float64, floating, int64, result_type
from .engine import expect, refuse
from .graph import back_name, needs, record, step

OPERANDS = (Tensor, int, float)
INVERT = "If you are trying to invert a mask, use the `~` or `logical_not()` operator instead."


def lacks_kernel(lacks, name, d):
    """PyTorch's refusal of a type of numbers."""
    if lacks:
        raise NotImplementedError(f"\"{name}\" not implemented for '{d.word}'")


def operand(name, place, x):
    if not isinstance(x, OPERANDS):
        word, kind = {1: "input", 2: "other"}[place], type(x).__name__
        raise TypeError(f"{name}(): argument '{word}' (position {place}) must be Tensor, not {kind}")


def fit(*given):
    return broadcast(*[x.shape for x in given if isinstance(x, Tensor)])


def alike(a, b):
    return isinstance(a, Tensor) and isinstance(b, Tensor) and a.dtype is b.dtype and a.shape == b.shape


def met(a, b):
    """The type of what two operands make; at once where it is that of the first."""
    if isinstance(a, Tensor) and (b.__class__ is float or b.__class__ is int) and a.dtype.kind == 2:
        return a.dtype
    return a.dtype if alike(a, b) else result_type(a, b)


def two(name, a, b, left=None, right=None, saves=("", ""), d=None, options=None, told=None):
    """A step on two operands; `left` and `right` make a gradient of one of each, of a gradient and both."""
    if not alike(a, b):
        operand(name, 1, a)
        operand(name, 2, b)
        fit(a, b)
    out = run(name, [a, b], d or met(a, b), options)
    if left and needs(a, b):
        used = (saves[0] if needs(a) else "") + (saves[1] if needs(b) else "")
        saved = [x for x, letter in ((a, "a"), (b, "b")) if letter in used and isinstance(x, Tensor)]
        ways = (lambda g: left(g, a, b), lambda g: right(g, a, b))
        record(out, (a, b), ways, told or back_name(name), saved)
    return out


def meeting(name, left=None, right=None, saves=("ab", "ab"), d=lambda a, b: None, check=None, told=None):
    """A function of two operands: `d` gives the type, `check` and its word refuse."""

    def function(input, other):
        if check:
            check[0](input, other, check[1])
        return two(name, input, other, left, right, saves, d(input, other), None, told)

    return function


def no_truths(a, b, name):
    operand(name, 2, b)
    lacks_kernel(result_type(a, b) is truth, name, truth)


def no_zero(a, b, name):
    no_truths(a, b, name)
    if result_type(a, b).kind < 2 and (not b if not isinstance(b, Tensor) else 0 in b._numbers()):
        raise RuntimeError("ZeroDivisionError")


def no_floats(a, b, name):
    operand(name, 2, b)
    d = result_type(a, b)
    fit(a, b)
    lacks_kernel(d.kind == 2, name, d)


def underived(*_):
    raise RuntimeError("derivative for aten::floor_divide is not implemented")


def nothing(g, *_):
    return g * 0


def to_base(g, a, b):
    if isinstance(b, Tensor):
        return Elementwise.where(b == 0, 0.0, g * (b * a ** (b - 1)))
    return g * 0 if b == 0 else g * (b * a ** (b - 1))


def to_exponent(g, a, b):
    if isinstance(a, Tensor):
        return Elementwise.where((b >= 0) & (a == 0), 0.0, g * a**b * a.log())
    logs = math.log(a) if a > 0 else -math.inf if not a else math.nan
    return Elementwise.where((b >= 0) & (not a), 0.0, g * a**b * logs)


def shared(better, same, g):
    """All of a gradient where an operand was taken, half of it where both were."""
    return g * better.to(g.dtype) + g * same.to(g.dtype) / 2


def one(name, back=None, saves="x", floats=True, told=None):
    """A function of one tensor; its way back is `step`'s."""

    def function(input):
        if not isinstance(input, Tensor):
            raise TypeError(f"{name}(): argument 'input' (position 1) must be Tensor, not {type(input).__name__}")
        if not floats and input.dtype is truth and name != "sign":
            return of_truths(name, input)
        d = floating(input.dtype) if floats else input.dtype
        return step(name, input, back=back, d=d, saves=saves, told=told)

    return function


def of_truths(name, x):
    expect(name != "neg", f"Negation, the `-` operator, on a bool tensor is not supported. {INVERT}")
    lacks_kernel(name != "square", f"{name}_cpu", truth)
    return x.to(int64)


def in_doubles(name, f):
    """A function that the engine makes of others, in double precision."""

    def function(input):
        refuse(needs(input), f"gradient of {name}")
        return cast(f(cast(input, float64)), floating(input.dtype))

    return function


def asking(name):
    return lambda input: run(name, [input], truth)


nearest = one("round", nothing, "", floats=False)


@operations
class Elementwise:
    def add(input, other, *, alpha=1):
        operand("add", 2, other)
        return two("add", input, other if alpha == 1 else other * alpha, lambda g, a, b: g, lambda g, a, b: g)

    def sub(input, other, *, alpha=1):
        truths = [x is True or x is False or getattr(x, "dtype", None) is truth for x in (input, other)]
        if any(truths):
            what = f"a bool tensor is not supported. {INVERT}"
            if all(truths):
                what = "two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead."
            raise RuntimeError(f"Subtraction, the `-` operator, with {what}")
        return two("sub", input, other if alpha == 1 else other * alpha, lambda g, a, b: g, lambda g, a, b: -g)

    def div(input, other, *, rounding_mode=None):
        if rounding_mode is None:
            operand("div", 2, other)
            ways = (lambda g, a, b: g / b, lambda g, a, b: -g * (a / b) / b)
            return two("div", input, other, *ways, ("b", "ab"), floating(met(input, other)))
        known = f"None, 'trunc', or 'floor' but found {rounding_mode!r}"
        expect(rounding_mode in ("floor", "trunc"), f"div expected rounding_mode to be one of {known}")
        return two("div", input, other, nothing, nothing, options={"rounding_mode": rounding_mode})

    def pow(input, exponent):
        no_truths(input, exponent, "pow")
        d, number = result_type(input, exponent), not isinstance(exponent, Tensor)
        if d.kind < 2 and number and exponent < 0:
            raise RuntimeError("Integers to negative integer powers are not allowed.")
        if number and exponent in (0.5, -0.5) and d.kind == 2:  # as PyTorch has it
            root = "sqrt" if exponent > 0 else "rsqrt"
            return step(root, input, d=d, back=lambda g, x, y: to_base(g, x, exponent), saves="x", told="PowBackward0")
        told = "PowBackward0" if number else f"PowBackward{1 + (not isinstance(input, Tensor))}"
        return two("pow", input, exponent, to_base, to_exponent, ("ab", "ab"), told=told)

    mul = meeting("mul", lambda g, a, b: g * b, lambda g, a, b: g * a, ("b", "a"))
    remainder = meeting(
        "remainder", lambda g, a, b: g, lambda g, a, b: -g * Elementwise.div(a, b, rounding_mode="floor"),
        ("", "ab"), check=(no_zero, "remainder_cpu"),
    )  # fmt: skip
    fmod = meeting(
        "fmod", lambda g, a, b: g, lambda g, a, b: -g * Elementwise.div(a, b, rounding_mode="trunc"),
        ("", "ab"), check=(no_zero, "fmod_cpu"),
    )  # fmt: skip
    floor_divide = meeting(
        "floor_divide", underived, underived, ("", ""), check=(no_zero, "div_floor_cpu"), told="NotImplemented"
    )
    maximum = meeting("maximum", lambda g, a, b: shared(a > b, a == b, g), lambda g, a, b: shared(b > a, a == b, g))
    minimum = meeting("minimum", lambda g, a, b: shared(a < b, a == b, g), lambda g, a, b: shared(b < a, a == b, g))
    atan2 = meeting(
        "atan2", lambda g, a, b: g * b / (a * a + b * b), lambda g, a, b: -g * a / (a * a + b * b),
        d=lambda a, b: floating(result_type(a, b)),
    )  # fmt: skip
    bitwise_and, bitwise_or, bitwise_xor = (
        meeting(name, check=(no_floats, f"{name}_cpu")) for name in ("bitwise_and", "bitwise_or", "bitwise_xor")
    )
    eq, ne, lt, le, gt, ge, logical_and, logical_or, logical_xor = (
        meeting(name, d=lambda a, b: truth) for name in "eq ne lt le gt ge logical_and logical_or logical_xor".split()
    )
    subtract, multiply, divide, true_divide, arctan2 = sub, mul, div, div, atan2

    exp = one("exp", lambda g, x, y: g * y, "y")
    expm1 = one("expm1", lambda g, x, y: g * (y + 1), "y")
    log = one("log", lambda g, x, y: g / x)
    log2 = one("log2", lambda g, x, y: g / (x * math.log(2)))
    log1p = one("log1p", lambda g, x, y: g / (x + 1))
    sqrt = one("sqrt", lambda g, x, y: g / (y * 2), "y")
    rsqrt = one("rsqrt", lambda g, x, y: g * y**3 * -0.5, "y")
    tanh = one("tanh", lambda g, x, y: g * (1 - y * y), "y")
    sigmoid = one("sigmoid", lambda g, x, y: g * (1 - y) * y, "y")
    sin = one("sin", lambda g, x, y: g * x.cos())
    cos = one("cos", lambda g, x, y: -g * x.sin())
    erf = one("erf", lambda g, x, y: g * (-x * x).exp() * (2 / math.sqrt(math.pi)))
    reciprocal = one("reciprocal", lambda g, x, y: -g * y * y, "y")
    square = one("square", lambda g, x, y: g * x * 2, floats=False, told="PowBackward0")
    relu = one("relu", lambda g, x, y: g * (y > 0), "y", floats=False)
    neg = one("neg", lambda g, x, y: -g, "", floats=False)
    sign, floor, ceil, trunc = (one(name, nothing, "", floats=False) for name in ("sign", "floor", "ceil", "trunc"))
    abs = one("abs", lambda g, x, y: g * x.sign(), floats=False)
    negative, absolute = neg, abs

    acos = in_doubles("acos", lambda x: (1 - x * x).sqrt().atan2(x))
    asin = in_doubles("asin", lambda x: x.atan2((1 - x * x).sqrt()))
    atan = in_doubles("atan", lambda x: x.atan2(filled(x.shape, 1, x.dtype)))
    tan = in_doubles("tan", lambda x: x.sin() / x.cos())
    sinh = in_doubles("sinh", lambda x: (x.expm1() - (-x).expm1()) / 2)
    cosh = in_doubles("cosh", lambda x: (x.exp() + (-x).exp()) / 2)
    exp2 = in_doubles("exp2", lambda x: 2.0**x)
    rad2deg = in_doubles("rad2deg", lambda x: x * (180 / math.pi))
    deg2rad = in_doubles("deg2rad", lambda x: x * (math.pi / 180))
    arccos, arcsin, arctan = acos, asin, atan
    isnan, isinf, isfinite, logical_not = map(asking, ("isnan", "isinf", "isfinite", "logical_not"))

    def isneginf(input):
        return input == -math.inf

    def round(input, *, decimals=0):
        if not decimals:
            return nearest(input)
        if input.dtype.kind != 2:
            raise NotImplementedError(f"round_cpu not implemented for '{input.dtype.word}' with decimals")
        scale, x = 10.0 ** abs(index(decimals)), input.detach()
        out = nearest(x * scale) / scale if decimals > 0 else nearest(x / scale) * scale
        return record(out, (input,), (nothing,), "RoundBackward1")

    def sinc(input):
        refuse(needs(input), "gradient of sinc")
        turns = cast(input, floating(input.dtype)) * math.pi
        return Elementwise.where(input == 0, 1.0, turns.sin() / turns)

    def bitwise_not(input):
        if input.dtype.kind == 2:
            raise TypeError("~ (operator.invert) is only implemented on integer and Boolean-type tensors")
        return run("bitwise_not", [input], input.dtype)

    def clamp(input, min=None, max=None):
        given = [one for one in (min, max) if one is not None]
        expect(given, "torch.clamp: At least one of 'min' or 'max' must not be None")
        fit(input, *given)
        lacks_kernel(all([result_type(one) is truth for one in (input, *given)]), "clamp_cpu", truth)
        d = result_type(input, *given)
        out = run("clamp", [input, min, max], d)
        if any([isinstance(one, float) and one != one for one in given]):
            out = filled(out.shape, math.nan, d)
        refuse(needs(min, max), "gradient of the limits of clamp")

        def back(g):
            g = g if min is None else g * (input >= min)
            return g if max is None else g * (input <= max)

        return record(out, (input,), (back,), "ClampBackward1", (input,))

    clip = clamp

    def clamp_min(input, min):
        return input.clamp(min=min)

    def clamp_max(input, max):
        return input.clamp(max=max)

    def where(condition, input=None, other=None):
        if input is None and other is None:
            return condition.nonzero(as_tuple=True)
        if condition.dtype is not truth:
            told = f"to be a boolean tensor, but got a tensor with dtype {condition.dtype.word}"
            raise RuntimeError(f"where expected condition {told}")
        shape, d = fit(condition, input, other), result_type(input, other)
        if not isinstance(input, Tensor) and not isinstance(other, Tensor):
            input = filled([], input, d)
        out = run("where", [condition, input, other], d)
        out = out if out.shape == shape else out.expand(shape)
        ways = (lambda g: run("where", [condition, g, 0], g.dtype), lambda g: run("where", [condition, 0, g], g.dtype))
        return record(out, (input, other), ways, "WhereBackward0", (condition,))

    def masked_fill(self, mask, value):
        if mask.dtype is not truth:
            raise RuntimeError(f"masked_fill_ only supports boolean masks, but got mask with dtype {mask.dtype.name}")
        if isinstance(value, Tensor) and value.dim():
            told = f"but got tensor with {value.dim()} dimension(s)."
            raise RuntimeError(f"masked_fill_ only supports a 0-dimensional value tensor, {told}")
        if result_type(value).kind == 2 and self.dtype.kind < 2:
            kind = {"int64": "int64_t", "int32": "int"}.get(self.dtype.name, self.dtype.name)
            raise RuntimeError(f"value cannot be converted to type {kind} without overflow")
        shape = fit(self, mask)
        out = run("masked_fill", [self if self.shape == shape else self.expand(shape), mask, value], self.dtype)
        ways = (lambda g: run("masked_fill", [g, mask, 0], g.dtype), lambda g: run("where", [mask, g, 0], g.dtype))
        return record(out, (self, value), ways, "MaskedFillBackward0", (mask,))

    def nan_to_num(input, nan=0.0, posinf=None, neginf=None):
        limits = finfo(input.dtype)
        highest, lowest = limits.max if posinf is None else posinf, limits.min if neginf is None else neginf
        for found, value in (input.isnan(), nan), (input == math.inf, highest), (input == -math.inf, lowest):
            input = input.masked_fill(found, value)
        return input

    def isclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
        expect(input.dtype is other.dtype, f"{input.dtype.word} did not match {other.dtype.word}")
        fit(input, other)
        a, b = cast(input, float64), cast(other, float64)
        near = (a == b) | (((a - b).abs() <= atol + rtol * b.abs()) & b.isfinite() & a.isfinite())
        return near | (a.isnan() & b.isnan()) if equal_nan else near

    def allclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
        return False not in input.isclose(other, rtol, atol, equal_nan)._numbers()

    def equal(input, other):
        return input.shape == other.shape and 0 not in (input == other)._numbers()


Tensor.where = lambda self, condition, other: Elementwise.where(condition, self, other)
