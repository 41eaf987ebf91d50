"""What every exercise has in common: try an answer, and tell a wrong one what is wrong with it."""

import dis
import math
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from numbers import Real
from textwrap import shorten
from typing import NamedTuple

import torch

from kernelfree.book import deferred, say

from . import NotYet, check_shape, display

YOUR_TURN = deferred("Your turn: write your answer in place of the dots, then run this cell again.")
FORGOTTEN = deferred("your function gives nothing back: did you forget `return`?")
EMPTY = {"RESUME", "NOP", "LOAD_CONST", "RETURN_CONST", "RETURN_VALUE", "COPY_FREE_VARS"}
MANY = 24  # so many numbers are not written out
ELSE = deferred("the hint may help, or look at the solution.")


class Verdict(NamedTuple):
    """What a check finds: `right` is True, False or, with no answer yet, None; `why` says it."""

    right: bool | None
    why: str


@dataclass(frozen=True)
class Exercise:
    """One exercise. Call it with an answer: it prints praise, or raises `NotYet` with a reason.

    Parameters
    ----------
    expected : callable, number, str or sequence of numbers
        The right answer. A callable is asked for its result on every case.
    praise : str
        What a right answer has shown.
    slips : dict
        A sentence that explains a slip -> the wrong answer that makes this slip.
    cases : callable, optional
        Returns a list of tuples of arguments, new ones at each call. For callables only.
    tolerance : float
        How far a number may be from the right one.
    any_order : bool
        Whether the numbers of a list may come in any order.
    example : str
        What a word looks like, for an answer that is none. Without it the words of the answer and
        the slips are named, which are then those of the text.
    library : str
        The module whose arrays a function gets in the place of tensors, and gives back, such as
        jax.numpy. It has to be there when an answer is tried, and not before.
    """

    expected: object
    praise: str
    slips: dict = field(default_factory=dict)
    cases: Callable[[], list] | None = None
    tolerance: float = 1e-4
    any_order: bool = False
    example: str = ""
    library: str = ""

    def __call__(self, answer):
        verdict = self.verdict(answer)
        if verdict.right is False:
            raise NotYet(verdict.why)
        if verdict.right is None and self.cases is None:
            return display.show(verdict.why, self)
        print(verdict.why)
        if verdict.right:
            self.accept(answer)

    def accept(self, answer):
        """What a right answer leads to."""

    def verdict(self, answer):
        """The `Verdict` on an answer, without a word; what the answer itself raises passes through.

        The answer's code runs in this very process and could change what is here. `judge` needs
        no such code: a grader gives it outcomes that another process has told as plain data.
        """
        if answer is None or answer is ...:
            return Verdict(None, say(YOUR_TURN))
        if self.cases is None:
            if callable(answer):
                name = name_of(answer)
                return Verdict(
                    False, say("a value is expected, not the function {name}.", name=name)
                )
            return self.judge([(answer, ())])
        if not callable(answer):
            return Verdict(False, no_function(answer))
        return self.judge(outcomes(answer, self.cases(), self.library))

    def judge(self, outcomes):
        """The `Verdict` on outcomes: pairs of a result and the arguments as they are afterwards."""
        cases = [()] if self.cases is None else self.cases()
        slips = self.slips  # those that would have given the results so far
        try:
            for arguments, (got, after) in zip(cases, outcomes, strict=True):
                if got is ...:
                    return Verdict(None, say(YOUR_TURN))
                if got is None:
                    raise NotYet(say(FORGOTTEN))
                wrong = {why: call(slip, arguments) for why, slip in slips.items()}
                self.compare(got, call(self.expected, arguments), wrong, arguments)
                slips = {why: slips[why] for why in slips if self.same(got, wrong[why])}
                if any(map(differ, arguments, after)):
                    raise NotYet(
                        say("the result is right, but your function changes its arguments.")
                    )
        except NotYet as error:
            return Verdict(False, str(error))
        return Verdict(True, say("Right. {why}", why=say(self.praise)))

    def compare(self, got, expected, slips, arguments):
        """Raise `NotYet` unless an answer is the expected one; name the slip if it is known."""
        if self.same(got, expected):
            return
        for why, wrong in slips.items():
            if self.same(got, wrong):
                raise NotYet(say(why))
        if isinstance(expected, str):
            raise NotYet(self.no_word(got) or say(ELSE))
        got, expected = as_tensor(got), as_tensor(expected)
        check_shape(got, expected.shape)
        if got.isnan().any() and not expected.isnan().any():
            if got.numel() > MANY:
                raise NotYet(say("your answer has NaN at {n} places.", n=int(got.isnan().sum())))
            raise NotYet(say("your answer has NaN in it: {got}.", got=show(got)))
        if not arguments:
            raise NotYet(say(ELSE))
        numbers = [a.numel() for a in arguments if isinstance(a, torch.Tensor)]
        if max(expected.numel(), *numbers, 0) > MANY:
            far = ~torch.isclose(got, expected, self.tolerance, self.tolerance)
            at = tuple(far.nonzero()[0].tolist())
            told = {"place": list(at), "got": show(got[at]), "expected": show(expected[at])}
            raise NotYet(say("{expected} is expected at {place}, not {got}.", **told))
        told = {"expected": show(expected), "case": ", ".join(map(show, arguments))}
        raise NotYet(say("{expected} is expected for {case}, not {got}.", got=show(got), **told))

    def no_word(self, got):
        """What to say of an answer that is none of the words that count, or of another form."""
        if not self.example:
            words = sorted({self.expected, *self.slips.values()})
            return say("one of {words} is expected.", words=say(", ").join(words))
        if form(got) != form(self.example):
            return say("an answer such as {example} is expected.", example=self.example)

    def same(self, got, expected):
        """Whether two answers agree, up to the tolerance and what a reader has rounded away."""
        if isinstance(expected, str):
            return bare(got) == bare(expected)
        got, expected = as_tensor(got, sets=self.any_order), as_tensor(expected)
        while got.ndim > expected.ndim and len(got) == 1:  # which changes no number
            got = got[0]
        if got.shape != expected.shape:
            return False
        if self.any_order and got.ndim == 1:
            got, expected = got.sort().values, expected.sort().values
        near = torch.isclose(got, expected, self.tolerance, self.tolerance, equal_nan=True)
        if self.cases is None:
            near |= abs(got - expected) <= rounded_away(got)
        return bool(near.all())


@dataclass(frozen=True)
class Trained(Exercise):
    """An exercise whose answer is what a trained model writes: a line for each text, most right.

    Parameters, besides those of `Exercise`
    ---------------------------------------
    parts : dict
        The name of a part of a line -> where it stands, a slice.
    enough, most : float
        The shares of lines between which each part has to be right. What is right more often than
        anybody can guess has been read.
    slips : dict
        A sentence -> the shares that training with this slip gave, one for each part. The slip
        whose shares are nearest to those of an answer is named.
    """

    parts: dict = field(default_factory=dict)
    enough: float = 0.9
    most: float = 1.0

    def compare(self, got, expected, slips, arguments):
        """Raise `NotYet` unless every part is right in enough lines; name the nearest slip."""
        if not isinstance(got, list | tuple) or len(got) != len(expected):
            raise NotYet(
                say("a line for each of the {count} texts is expected.", count=len(expected))
            )
        pairs = list(zip(map(str, got), expected, strict=True))
        shares = [
            sum(line[part] == right[part] for line, right in pairs) / len(pairs)
            for part in self.parts.values()
        ]
        if min(shares) >= self.enough and max(shares) <= self.most:
            return
        told = say(", ").join(
            say("{part} {share}", part=say(name), share=f"{s:.2f}")
            for name, s in zip(self.parts, shares, strict=True)
        )
        why = say(min(slips, key=lambda why: math.dist(shares, slips[why])))
        found = {"count": len(pairs), "shares": told, "why": why}
        raise NotYet(say("right in {count} texts that it has never seen: {shares}. {why}", **found))

    def same(self, got, expected):
        """Lines are not compared with shares: no slip is left out."""
        return False


def written(attend, queries, keys, values, *others, seen, hidden=None):
    """Whether an attention is written: tried once, before it is trained for a long time.

    It gives outputs and weights. Raises `NotYet` unless the outputs are averages of the values,
    with weights above 0 at the keys that are seen, and 0 at those that are hidden.
    """
    if not callable(attend):
        raise NotYet(no_function(attend))
    given = attend(queries, keys, values, *others)
    if given is ... or (given is None and is_empty(attend)):
        return False
    if given is None:
        raise NotYet(say(FORGOTTEN))
    if not isinstance(given, tuple) or len(given) != 2:
        raise NotYet(say("outputs and weights are expected, in this order."))
    outputs, weights = given
    if outputs is ... or weights is ...:
        return False
    check_shape(weights, seen.shape)
    check_shape(outputs, (*seen.shape[:-1], values.shape[-1]))
    if weights.isnan().any():
        raise NotYet(say("a row of weights is NaN: this query sees no key."))
    if not torch.allclose(weights.sum(dim=-1), torch.ones(()).to(weights), atol=1e-4):
        raise NotYet(
            say(
                "the weights of a query do not sum to 1. The softmax runs over the last axis, the "
                "keys, and comes after the mask."
            )
        )
    if hidden is not None and (weights[hidden] != 0).any():
        raise NotYet(say("what is hidden has a weight above 0; padding is hidden, too."))
    if (weights[seen] == 0).any():
        raise NotYet(
            say("a key that may be seen has the weight 0: is the mask the right way round?")
        )
    if not torch.allclose(outputs, weights @ values, atol=1e-4):
        raise NotYet(say("each output is the sum of weight times value."))
    return True


def as_tensor(value, sets=False):
    """Any real number, and any sequence or array of them, as float64."""
    try:
        if isinstance(value, Real):
            return torch.tensor(float(value), dtype=torch.float64)
        if isinstance(value, torch.Tensor) and not value.is_complex():
            return value.detach().double()
        if isinstance(value, list | tuple | set) and (sets or not isinstance(value, set)):
            parts = [as_tensor(part, sets) for part in value]
            return torch.stack(parts) if parts else torch.tensor([], dtype=torch.float64)
        if hasattr(value, "tolist"):  # of another library; of complex numbers, too
            return as_tensor([value.tolist()])[0]
    except (TypeError, ValueError, RuntimeError, OverflowError, RecursionError):
        pass
    raise NotYet(say("numbers are expected, not {value}.", value=shorten(repr(value), 90)))


def rounded_away(numbers):
    """How far the numbers that were meant may be from these, if somebody has rounded them.

    0.33 is any number from 0.325 to 0.335. One digit says too little, as in the page's boxes.
    """

    def of(number):
        whole, _, places = repr(abs(number)).partition(".")
        told = len((whole + places).strip("0")) > 1 and places.isdigit() and int(places)
        return 0.501 * 10 ** -len(places) if told else 0.0

    found = [of(number) for number in numbers.flatten().tolist()]
    return torch.tensor(found, dtype=torch.float64).reshape(numbers.shape)


def bare(word):
    """The letters and digits of a word, and points in numbers, as on the page."""
    text = unicodedata.normalize("NFKC", str(word)).lower()
    return re.sub(r"(?!(?<=\d)\.(?=\d))[\W_]+", "", text)


def form(word):
    """The form of a word: 0 for digits, a for letters."""
    return re.sub(r"[^\W\d]+", "a", re.sub(r"\d+", "0", bare(word)))


def no_function(answer):
    """What to say to an answer that should have been a function."""
    return say("a function is expected, not a {kind}.", kind=type(answer).__name__)


def outcomes(function, cases, library=""):
    """What a function gives: for each case its result, and its arguments as they are afterwards.

    Dots, if nobody has replaced them.
    """
    home = import_module(library or "torch")
    for arguments in cases:
        given = [handed(a, home) for a in arguments] if library else arguments
        result = as_function(function)(*given)
        if library and result is not None and not isinstance(result, home.ndarray):
            kind = f"{type(result).__module__.partition('.')[0]}.{type(result).__name__}"
            told = {"library": library, "kind": kind}
            raise NotYet(say("an array of {library} is expected, not a {kind}.", **told))
        yield ... if result is None and is_empty(function) else result, arguments


def handed(argument, home):
    """An argument as another library has it."""
    return home.asarray(argument.numpy()) if isinstance(argument, torch.Tensor) else argument


def as_function(answer):
    """A function as it is. Of a module's class: made with sizes, given its weights, and called."""
    if not isinstance(answer, type):
        return answer

    def call_module(sizes, weights, *inputs):
        if is_empty(answer):
            return None
        module = answer(*sizes)
        for name, weight in zip(("W_q", "W_k", "W_v", "W_o"), weights, strict=False):
            layer = getattr(module, name)
            if isinstance(layer, torch.Tensor):
                why = say(
                    "{name} is a layer, no tensor: nn.Linear, called by self.{name}(x).", name=name
                )
                raise NotYet(why)
            layer.weight.data = weight.clone()
            if layer.bias is not None:
                layer.bias.data = torch.zeros_like(layer.bias)
        return module(*inputs)

    return call_module


def is_empty(function):
    """Whether a function, or a module's `forward`, does nothing, as the dots that one replaces."""
    code = getattr(getattr(function, "forward", function), "__code__", None)
    return bool(code) and all(step.opname in EMPTY for step in dis.get_instructions(code))


def call(expected, arguments):
    """What is expected for these arguments: a function's result, or the value itself."""
    return as_function(expected)(*clone(arguments)) if callable(expected) else expected


def clone(arguments):
    """Copies of tensors, so that nobody's answer changes anybody else's arguments."""
    return [a.clone() if isinstance(a, torch.Tensor) else a for a in arguments]


def differ(before, after):
    """Whether an argument has changed."""
    if isinstance(before, torch.Tensor):
        return not torch.equal(before, after)
    return before != after


def show(value):
    """A value as short text: numbers to four decimals."""
    if isinstance(value, torch.Tensor):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(show, value)) + "]"
    if isinstance(value, float) and math.isfinite(value):
        return f"{value:.4f}".rstrip("0").rstrip(".")
    return name_of(value) if callable(value) else str(value)


def name_of(function):
    """The name of a function, or what it is."""
    return getattr(function, "__name__", type(function).__name__)
