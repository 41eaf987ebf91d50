"""A text."""

from dataclasses import dataclass

from ..language import deferred, say
from ..texts import check_text
from ._content import Content

# Characters of a text.
MOST = 20_000


@dataclass
class Text(Content):
    """A text, in lines as they are given.

    Parameters
    ----------
    text : str
        At most 20,000 characters.
    """

    text: str

    kind = deferred("text")

    def content(self, what):
        """The text."""
        if not isinstance(self.text, str):
            raise TypeError(f"{what}, text: expected a string, got {type(self.text).__name__}")
        check_text(f"{what}, text", self.text, MOST)
        return self.text

    @staticmethod
    def made_of(given):
        """A panel of a string."""
        return Text(given) if isinstance(given, str) else None

    @staticmethod
    def describe(spec):
        """What it shows, in words."""
        return say("text: {text}", text=" ".join(spec["content"].split())[:100])
