"""All exercises of the book, and answers that a trained one may get."""

import importlib
import pkgutil

import pytest

from d2lmini import exercises
from d2lmini.exercises.checking import Exercise

CHAPTERS = [
    importlib.import_module(f"d2lmini.exercises.{module.name}")
    for module in pkgutil.iter_modules(exercises.__path__)
    if module.name.startswith("chapter_")
]
EXERCISES = [
    pytest.param(value, id=f"{chapter.__name__[-2:]}-{name}")
    for chapter in CHAPTERS
    for name, value in vars(chapter).items()
    if isinstance(value, Exercise) and not value.library  # that: tests/frameworks/test_step.py
]


def with_shares(exercise, shares):
    """A model that writes so many lines right, part by part, as a slip of `Trained` says."""

    def writes(texts):
        lines = [[*line] for line in exercise.expected(texts)]
        for part, share in zip(exercise.parts.values(), shares, strict=True):
            for line in lines[round(share * len(lines)) :]:
                line[part] = "#" * len(line[part])
        return ["".join(line) for line in lines]

    return writes
