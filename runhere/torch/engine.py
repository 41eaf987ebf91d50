"""The page's engine: texts go in, texts come back, and numbers stay where they are computed."""

from .dtypes import inf

# The page puts its `ask` here once it is there: a snapshot of the memory holds nothing of JavaScript's.
PAGE = {}
FREED = []
RUNS = "it runs in the notebook, with PyTorch itself"


def refusal(what):
    """What a stand-in says of what it lacks: its name, and what to do."""
    return NotImplementedError(f"this page's stand-in for PyTorch has no {what}; {RUNS}")


def refuse(given, what):
    """Refuse by its name what is given and the stand-in lacks."""
    if given:
        raise refusal(what)


def expect(right, told, kind=RuntimeError):
    """Refuse in PyTorch's words what PyTorch refuses, too; where a sentence is short, since it is made in any case."""
    if not right:
        raise kind(told)


class Storage:
    """Numbers that one or more tensors share; `version` counts how often they were written."""

    __slots__ = ("number", "version")

    def __init__(self, number):
        self.number, self.version = number, 0

    def __del__(self):
        FREED.append(self.number)


def spelled(one):
    """An argument as JSON; a tensor as {"t": [storage, shape, start, strides?]}."""
    kind = one.__class__
    if kind is int:
        return str(one)
    if kind is list or kind is tuple:
        return f"[{','.join([spelled(part) for part in one])}]"
    if one is None:
        return "null"
    if kind is bool:
        return "true" if one else "false"
    if kind is float:
        return repr(one) if -inf < one < inf else f'"={_word(one)}"'
    return f'"{one}"' if kind is str else one._spelled()


def _word(number):
    return "NaN" if number != number else "Infinity" if number > 0 else "-Infinity"


def ask(what, args):
    """Let the engine do something; what it can't hold is refused."""
    freed = "[]"
    if FREED:
        freed = str(FREED)
        FREED.clear()
    answer = PAGE["ask"](f'["{what}",{args},{freed}]')
    if answer[:1] == "!":
        kind, _, told = answer[1:].partition(":")
        refuse(kind == "RangeError", f"numbers of type {told} as large as these, nor any that are not finite")
        raise RuntimeError(f"{kind} in the page's engine: {told}")
    return answer


def number_text(number):
    """A number as JavaScript's Number reads it."""
    if number is True or number is False:
        return "1" if number else "0"
    return repr(number) if number.__class__ is int or -inf < number < inf else f'"{_word(number)}"'
