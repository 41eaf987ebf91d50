"""The language of the book's package: kernelfree's, with the words of this one."""

from pathlib import Path

import kernelfree


def speak(language: str | None = None) -> None:
    """Say what readers see in another language, from now on: figures, diagrams, exercises.

    Parameters
    ----------
    language : str, optional
        Such as "zh"; "en", or nothing, is English.

    Raises
    ------
    ValueError
        When there is no such language.
    """
    kernelfree.speak(language, Path(__file__).parent)
