"""A question that a figure waits for, and hides its answer until then."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .language import say
from .texts import MAX_SENTENCE, check_text


@dataclass(frozen=True)
class Prediction:
    """A question to answer, or to skip, before the controls move the figure.

    Parameters
    ----------
    question : str
    choices : dict
        Text of a choice -> why it is right, or what is wrong with it.
    answer : str
        The text of the right choice.
    at : dict, optional
        Control name -> value: the state that the question asks about. The figure opens there.
    then : dict, optional
        Control name -> value: where the figure moves once the question is answered.
    hide : list of str, optional
        Names of panels, marks and lines that tell the answer. Until it is given, these panels
        show their axes alone, these marks are not drawn, and no sentence stands under the figure.
        If not given: nothing where there is a `then`, since the question is about another state,
        else all panels.
    """

    question: str
    choices: dict[str, str]
    answer: str
    at: dict[str, Any] | None = None
    then: dict[str, Any] | None = None
    hide: Sequence[str] | None = None

    def __post_init__(self):
        if not isinstance(self.choices, dict) or len(self.choices) < 2:
            raise TypeError("Prediction: choices must be a dict of at least two texts -> why")
        if self.answer not in self.choices:
            raise ValueError(
                f"Prediction: answer {self.answer!r} is not among the choices {list(self.choices)}"
            )
        for text in (self.question, *self.choices, *self.choices.values()):
            check_text("Prediction", str(text), MAX_SENTENCE)
        for name in ("at", "then"):
            given = getattr(self, name)
            if given is not None and not isinstance(given, dict):
                raise TypeError(
                    f"Prediction: {name} must be a dict of control name -> value, "
                    f"got {type(given).__name__}"
                )
        if isinstance(self.hide, str):
            raise TypeError("Prediction: hide must be a list of names, got str")

    def hidden(self, specs):
        """What of a figure is hidden: place of a panel -> the keys of its marks, or none for all.

        `specs` has a list for each panel: its specs, which differ in words alone.
        """
        if self.hide is None:
            return {} if self.then else {str(place): [] for place in range(len(specs))}
        # What a package has named has its name in the language that is spoken.
        found, known, hidden = {}, set(), {*self.hide, *map(say, self.hide)}
        for place, variants in enumerate(specs):
            names, keys = {one["name"] for one in variants}, keys_of(variants[0])
            known |= names | keys.keys()
            if names & hidden:
                found[str(place)] = []
            elif own := [key for name in keys if name in hidden for key in keys[name]]:
                found[str(place)] = own
        if unknown := [name for name in self.hide if not {name, say(name)} & known]:
            raise ValueError(f"predict, hide: there is no panel, mark or line {unknown[0]!r}")
        return found

    def replies(self):
        """The question, what the page replies to each choice, and the place of the right one.

        The last choice, without a reply, skips the question.
        """
        choices = [
            [
                str(text),
                say("Right. {why}", why=why)
                if text == self.answer
                else say("Not quite. {why} The answer: {answer}", why=why, answer=self.answer),
            ]
            for text, why in self.choices.items()
        ]
        choices.append([say("Skip the question"), ""])
        answer = list(self.choices).index(self.answer)
        return {"question": str(self.question), "choices": choices, "answer": answer}


def keys_of(spec):
    """What of a panel can be hidden by its name: name -> keys of marks, or "key:row" of lines."""
    found = {}
    for m, mark in enumerate(spec.get("marks", ())):
        names = {mark["name"]: mark["key"]}
        if mark["key"] == "l":
            names = {line: f"l:{row}" for row, line in enumerate(spec["rowNames"])}
        if mark["key"] == "p":
            names = dict.fromkeys(spec["names"][m], "p")
        for name, key in names.items():
            found.setdefault(name, []).append(key)
    return found
