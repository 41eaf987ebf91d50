"""Steps to the reader's own attention: exercises whose right answer is kept in a file."""

import inspect
import re
from dataclasses import dataclass, field

from torch import nn

from kernelfree.book import deferred, in_notebook, say

from . import mine
from .checking import Exercise, Verdict, is_empty

# What Python says where None stands for lengths.
NO_LENGTHS = (
    "NoneType' object (has no attribute '(ndim|shape|dim|reshape|view|unsqueeze|size|repeat)"
    "|is not subscriptable|has no len)|instances of"
)
FORGOTTEN = deferred("a function of yours gives nothing back: did you forget `return`?")
NO_SELF = deferred(
    "each method of a class takes self first: def forward(self, x, valid_lens=None)."
)
# What is said of a class -> what Python says, a pattern.
OF_CLASSES = {
    deferred(
        "a layer is made with both of its sizes: nn.Linear(size, size, bias=False)."
    ): "type object 'Linear'|'(in|out)_features'",
    deferred(
        "what a module holds is asked for with self: self.W_q, self.heads."
    ): r"name '(W_\w|heads)' is not defined",
    deferred(
        "a module inherits from nn.Module, which calls its forward."
    ): "'(SelfAttention|MultiHead)' object is not callable",
    deferred(
        "__init__, with two underscores on each side, takes self and the sizes; super().__init__() "
        "takes nothing."
    ): r"\.__init__\(\) (takes|missing)",
    deferred(
        "forward takes self and two more: def forward(self, x, valid_lens=None)."
    ): r"^(?!Linear)\w+\.forward\(\) (takes|missing)",
}


@dataclass(frozen=True)
class Step(Exercise):
    """A step of a chapter. A right answer goes into `my_attention.py`, and later chapters take it.

    Parameters, besides those of `Exercise`
    ---------------------------------------
    chapter : int
        The chapter that asks for it.
    failures : dict
        A sentence -> what an error that it explains has in its message, a pattern.
    within : dict
        The name of a function that an answer calls -> the exercise that it is by itself.
    forbids : dict
        A sentence -> what the text of an answer may not have in it, a pattern.
    """

    chapter: int = 0
    failures: dict = field(default_factory=dict)
    within: dict = field(default_factory=dict)
    forbids: dict = field(default_factory=dict)

    def take(self, *names):
        """What earlier chapters asked for: the reader's own, or else the book's; it says which."""
        return mine.take(self.chapter, *names)

    def lent(self):
        """The text of what the book lends of earlier chapters."""
        return mine.as_text(mine.whole([], mine.before(self.chapter), self.chapter - 1))

    def __call__(self, answer):
        super().__call__(answer)
        if is_empty(answer) and self.chapter in mine.STEPS:
            self.show()

    def show(self, done=False):
        """The file as it stands."""
        file = mine.File(self.chapter, done)
        if not in_notebook():
            return print(file)
        from IPython.display import display

        display(file)

    def verdict(self, answer):
        if isinstance(self.expected, type) and isinstance(answer, nn.Module):
            name = type(answer).__name__
            return Verdict(
                False, say("the class itself is expected: {name}, not {name}(...).", name=name)
            )
        beside = getattr(mine.function_of(answer), "__globals__", {})
        try:
            for name, exercise in self.within.items():
                if inspect.isfunction(own := beside.get(name)):
                    right, why = exercise.verdict(own)
                    if right is False:
                        return Verdict(False, f"{name}: {why}")
            verdict = super().verdict(answer)
            text = mine.written(answer) if verdict.right else ""
            found = (why for why, pattern in self.forbids.items() if re.search(pattern, text))
            why = next(found, None)
            return Verdict(False, say(why)) if why else verdict
        except Exception as error:
            first = {NO_SELF: ""} if lacks_self(answer) else {}
            known = {**first, **self.failures, **OF_CLASSES, FORGOTTEN: "NoneType"}
            for why, said in known.items():
                if re.search(said, str(error)):
                    told = {"why": say(why), "error": type(error).__name__, "said": error}
                    return Verdict(False, say("{why} ({error}: {said})", **told))
            raise

    def accept(self, answer):
        text = mine.written(answer)
        if not text or self.chapter not in mine.STEPS:
            return
        name = mine.STEPS[self.chapter][-1]
        told = {"file": mine.FILE, "name": name}
        try:
            if name not in mine.Part(self.chapter, True, text).names:
                return print(say("It is not in {file}: there, it must be called {name}.", **told))
            if not self.verdict(mine.alone(self.chapter, text)[name]).right:
                return print(say("It is not in {file}: {name} is not right there.", **told))
            parts, later = mine.keep(self.chapter, text)
            mine.save(parts)
        except Exception as error:
            return print(say("It is not in {file}: there, {why}.", why=error, **told))
        print(mine.told(parts))
        for name, chapter in sorted(later.items()):
            print(say("{name} stays as chapter {chapter} has it.", name=name, chapter=chapter))
        self.show(done=True)


def lacks_self(answer):
    """Whether a class has a method, of those that are called, without self."""
    own = vars(answer) if isinstance(answer, type) else {}
    methods = (own[name] for name in ("__init__", "forward") if inspect.isfunction(own.get(name)))
    return any("self" not in inspect.signature(method).parameters for method in methods)
