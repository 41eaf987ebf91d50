"""How a tensor is printed: as PyTorch prints it."""

import math

from . import dtypes
from .core import Tensor
from .dtypes import get_default_dtype
from .graph import edge

START = {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80, "sci_mode": None}
OPTIONS = dict(START)
PROFILES = {
    "default": {},
    "short": {"precision": 2, "edgeitems": 2},
    "full": {"threshold": math.inf},
}


def set_printoptions(*, profile=None, **options):
    if profile is not None:
        OPTIONS.update({**START, **PROFILES[profile], "sci_mode": OPTIONS["sci_mode"]})
    for name, value in options.items():
        if name not in OPTIONS:
            raise TypeError(f"set_printoptions() got an unexpected keyword argument '{name}'")
        if value is not None or name == "sci_mode":
            OPTIONS[name] = value
    if "sci_mode" not in options:
        OPTIONS["sci_mode"] = None


class Form:
    """The form that all numbers of a tensor have, and their width."""

    def __init__(self, numbers, kind):
        self.kind, self.whole, self.scientific, self.width = kind, True, False, 1
        if kind < 2:
            self.width = max([1, *[len(str(n)) for n in numbers]])
            return
        some = [n for n in numbers if math.isfinite(n) and n != 0]
        if not some:
            return
        low, high = min([abs(n) for n in some]), max([abs(n) for n in some])
        self.whole = all([n == math.ceil(n) for n in some])
        wide = high / low > 1000.0 or high > 1.0e8
        self.scientific = wide or (not self.whole and low < 1.0e-4)
        if OPTIONS["sci_mode"] is not None:
            self.scientific = OPTIONS["sci_mode"]
        self.width = max([1, *[len(self.number(n)) for n in some]])

    def number(self, n):
        if self.kind < 2:
            return str(n)
        if not math.isfinite(n):
            return "nan" if n != n else "inf" if n > 0 else "-inf"
        if self.scientific:
            return f"{n:.{OPTIONS['precision']}e}"
        return f"{n:.0f}." if self.whole else f"{n:.{OPTIONS['precision']}f}"

    def __call__(self, n):
        return self.number(n).rjust(self.width)


def nested(flat, shape, indent, form, short, at=0):
    """The numbers in brackets; `short` leaves out the middle of long axes."""
    if not shape:
        return form(flat[at])
    edge_items, n, step = OPTIONS["edgeitems"], shape[0], math.prod(shape[1:])
    cut = short and n > 2 * edge_items
    places = [*range(edge_items), None, *range(n - edge_items, n)] if cut else range(n)
    if len(shape) == 1:
        room = max(1, (OPTIONS["linewidth"] - indent) // (form.width + 2))
        words = [" ..." if i is None else form(flat[at + i]) for i in places]
        lines = [", ".join(words[i : i + room]) for i in range(0, len(words), room)]
        return f"[{(',' + chr(10) + ' ' * (indent + 1)).join(lines)}]"
    parts = ["..." if i is None else nested(flat, shape[1:], indent + 1, form, short, at + i * step) for i in places]
    return f"[{(',' + chr(10) * (len(shape) - 1) + ' ' * (indent + 1)).join(parts)}]"


def shown(flat, shape, at=0):
    """The numbers that are seen where the middle is left out."""
    edge_items, n, step = OPTIONS["edgeitems"], shape[0], math.prod(shape[1:])
    places = range(n) if n <= 2 * edge_items else [*range(edge_items), *range(n - edge_items, n)]
    if len(shape) == 1:
        return [flat[at + i] for i in places]
    return [one for i in places for one in shown(flat, shape[1:], at + i * step)]


def text(self, prefix="tensor("):
    flat, shape, d = self._numbers(), list(self.shape), self.dtype
    ends = [] if flat or len(shape) == 1 else [f"size={tuple(shape)}"]
    if d is not get_default_dtype() and (not flat or d not in (dtypes.int64, dtypes.bool)):
        ends.append(f"dtype={d}")
    body = "[]"
    if flat:
        short = len(flat) > OPTIONS["threshold"]
        form = Form(shown(flat, shape) if short else flat, d.kind)
        body = nested(flat, shape, len(prefix), form, short)
    if self.requires_grad:
        way = edge(self)
        ends.append("requires_grad=True" if isinstance(way, Tensor) else f"grad_fn=<{way.name}>")
    out = prefix + body
    used = len(out) - out.rfind("\n") + 1
    for end in ends:
        if used + len(end) + 2 > OPTIONS["linewidth"]:
            out += f",\n{' ' * len(prefix)}{end}"
            used = len(prefix) + len(end)
        else:
            out += f", {end}"
            used += len(end) + 2
    return f"{out})"


Tensor.__repr__ = Tensor.__str__ = text
