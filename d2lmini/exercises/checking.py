"""What every exercise has in common: try an answer, and tell a wrong one what is wrong with it."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import torch

from kernelfree.book import deferred, say

from . import NotYet, check_shape, display

YOUR_TURN = deferred("Your turn: write your answer in place of the dots, then run this cell again.")


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
    """

    expected: object
    praise: str
    slips: dict = field(default_factory=dict)
    cases: Callable[[], list] | None = None
    tolerance: float = 1e-4
    any_order: bool = False

    def __call__(self, answer):
        verdict = self.verdict(answer)
        if verdict.right is False:
            raise NotYet(verdict.why)
        if verdict.right is None and self.cases is None:
            return display.show(verdict.why, self)
        print(verdict.why)

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
        return self.judge(outcomes(answer, self.cases()))

    def judge(self, outcomes):
        """The `Verdict` on outcomes: pairs of a result and the arguments as they are afterwards."""
        cases = [()] if self.cases is None else self.cases()
        slips = self.slips  # those that would have given the results so far
        try:
            for arguments, (got, after) in zip(cases, outcomes, strict=True):
                if got is None or got is ...:
                    return Verdict(None, say(YOUR_TURN))
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
        if not isinstance(expected, str):
            got, expected = as_tensor(got), as_tensor(expected)
            check_shape(got, expected.shape)
            if got.isnan().any() and not expected.isnan().any():
                raise NotYet(say("your answer has NaN in it: {got}.", got=show(got)))
        values = {"expected": show(expected), "got": show(got)}
        if arguments:
            case = ", ".join(map(show, arguments))
            raise NotYet(say("{expected} is expected for {case}, not {got}.", case=case, **values))
        raise NotYet(say("{expected} is expected, not {got}.", **values))

    def same(self, got, expected):
        """Whether two answers agree, up to the tolerance."""
        if isinstance(expected, str) or isinstance(got, str):
            return str(got).strip().lower() == str(expected).strip().lower()
        got, expected = as_tensor(got), as_tensor(expected)
        if self.any_order and got.ndim == 1:
            got, expected = got.sort().values, expected.sort().values
        return got.shape == expected.shape and torch.allclose(
            got, expected, rtol=self.tolerance, atol=self.tolerance, equal_nan=True
        )


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
    if given is None or given is ...:
        return False
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


def as_tensor(value):
    """Any number, sequence or tensor, as float64."""
    try:
        tensor = value if isinstance(value, torch.Tensor) else torch.tensor(value)
        return tensor.detach().double()
    except (TypeError, ValueError, RuntimeError) as error:
        raise NotYet(say("numbers are expected, not {value}.", value=repr(value))) from error


def no_function(answer):
    """What to say to an answer that should have been a function."""
    return say("a function is expected, not a {kind}.", kind=type(answer).__name__)


def outcomes(function, cases):
    """What a function gives: for each case its result, and its arguments as they are afterwards."""
    for arguments in cases:
        yield function(*arguments), arguments


def call(expected, arguments):
    """What is expected for these arguments: a function's result, or the value itself."""
    return expected(*clone(arguments)) if callable(expected) else expected


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
    return str(value)


def name_of(function):
    """The name of a function, or what it is."""
    return getattr(function, "__name__", type(function).__name__)
