"""A question that covers a figure until it is answered."""

from dataclasses import dataclass
from typing import Any

from .texts import MAX_SENTENCE, check_text


@dataclass(frozen=True)
class Prediction:
    """A question to answer before the figure is uncovered.

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
    """

    question: str
    choices: dict[str, str]
    answer: str
    at: dict[str, Any] | None = None
    then: dict[str, Any] | None = None

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

    def replies(self):
        """The question, what the page replies to each choice, and the place of the right one.

        The last choice, without a reply, skips the question.
        """
        choices = [
            [
                str(text),
                f"Right. {why}"
                if text == self.answer
                else f"Not quite. {why} The answer: {self.answer}",
            ]
            for text, why in self.choices.items()
        ]
        choices.append(["Skip the question", ""])
        answer = list(self.choices).index(self.answer)
        return {"question": str(self.question), "choices": choices, "answer": answer}
