"""Types of numbers, and which of them meet in which."""

import math


class dtype:
    """A type of numbers: its kind is 0 for truth, 1 for integers, 2 for floating point."""

    is_complex = False

    def __init__(self, name, word, kind, itemsize):
        self.name, self.word, self.kind, self.itemsize = name, word, kind, itemsize
        self.is_floating_point, self.is_signed = kind == 2, name not in ("bool", "uint8")

    def __repr__(self):
        return f"torch.{self.name}"

    def __reduce__(self):
        return self.name


bool = dtype("bool", "Bool", 0, 1)
uint8 = dtype("uint8", "Byte", 1, 1)
int8 = dtype("int8", "Char", 1, 1)
int16 = short = dtype("int16", "Short", 1, 2)
int32 = int = dtype("int32", "Int", 1, 4)
int64 = long = dtype("int64", "Long", 1, 8)
float16 = half = dtype("float16", "Half", 2, 2)
bfloat16 = dtype("bfloat16", "BFloat16", 2, 2)
float32 = float = dtype("float32", "Float", 2, 4)
float64 = double = dtype("float64", "Double", 2, 8)
ORDER = [bool, uint8, int8, int16, int32, int64, float16, bfloat16, float32, float64]
DEFAULT = [float32]


def set_default_dtype(d):
    if d not in (float16, bfloat16, float32, float64):
        raise TypeError(f"only floating-point types are supported as the default type, got {d!r}")
    DEFAULT[0] = d


def get_default_dtype():
    return DEFAULT[0]


def promote_types(type1, type2):
    if {type1.name, type2.name} == {"float16", "bfloat16"}:
        return float32
    if {type1.name, type2.name} == {"uint8", "int8"}:
        return int16
    return max(type1, type2, key=ORDER.index)


def type_of(number):
    """The type of one of Python's numbers."""
    if number is True or number is False:
        return bool
    return int64 if number.__class__ is not _float and hasattr(number, "bit_length") else DEFAULT[0]


_float = (0.0).__class__


def result_type(*given):
    """Tensors decide; then tensors of rank 0, then numbers, where they are of a higher kind."""
    best = [None, None, None]
    for one in given:
        tensor = hasattr(one, "dtype")
        rank = (0 if len(one.shape) else 1) if tensor else 2
        d = one.dtype if tensor else type_of(one)
        best[rank] = d if best[rank] is None else promote_types(best[rank], d)
    found = None
    for d in best:
        if d is not None and (found is None or d.kind > found.kind):
            found = d
    return found


def floating(d):
    """A type itself where it is floating point, else the default."""
    return d if d.kind == 2 else DEFAULT[0]


BITS = {"float16": (10, 15), "bfloat16": (7, 127), "float32": (23, 127), "float64": (52, 1023)}


class finfo:
    """The limits of a floating-point type."""

    def __init__(self, d=None):
        d = d or DEFAULT[0]
        if d.kind != 2:
            raise TypeError(f"torch.finfo() requires a floating point input type. Use torch.iinfo to handle '{d.name}'")
        digits, power = BITS[d.name]
        self.dtype, self.bits, self.eps = d.name, 8 * d.itemsize, 2.0**-digits
        self.max = (2 - self.eps) * 2.0**power
        self.min, self.tiny = -self.max, 2.0 ** (1 - power)
        self.smallest_normal = self.tiny


class iinfo:
    """The limits of a type of integers."""

    def __init__(self, d):
        if d.kind != 1:
            raise TypeError("torch.iinfo() requires an integer input type.")
        self.bits = 8 * d.itemsize
        self.min = -(2 ** (self.bits - 1)) if d.is_signed else 0
        self.max = 2 ** (self.bits - d.is_signed) - 1


inf, nan, pi, e = math.inf, math.nan, math.pi, math.e
__all__ = """bfloat16 bool double dtype e finfo float float16 float32 float64 get_default_dtype half iinfo inf int int8
    int16 int32 int64 long nan pi promote_types result_type set_default_dtype short uint8""".split()
