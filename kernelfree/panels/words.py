"""Words that look at words, as text that can be touched."""

from dataclasses import dataclass

import numpy as np

from ..axes import named, singular
from ..palette import ACCENT
from .checks import Numbers, check_role, finite, numbers
from .checks import Words as Texts
from .touch import numbered


@dataclass
class Words:
    """Words in a row, or in two, with shades on them or lines between them.

    Parameters
    ----------
    tokens : sequence of str
        The words that are looked at. An empty string is a place without a word.
    weights : array of shape (tokens,) or (words that look, tokens), optional
        How much each is looked at: by one word, or by each of those that look. NaN or minus
        infinity is masked: the word is struck through.
    target : sequence of str, optional
        A second row below: the words that look, or an output that grows with the state. Without
        it the tokens look at each other.
    lines : bool
        Draw the weights as lines from each target to the tokens, as thick as they are large,
        instead of shades.
    touch : str, optional
        The control that a touched word sets, by mouse, finger or arrow keys: the first word its
        first value, and so on. It chooses among the targets, or without them among the tokens.
        Without a control, a matrix of weights can be touched, too; the choice is then not kept.
    role : str
        What the weights are: "number", or a role of `add_role`.
    xlabel, ylabel : str
        What tokens, and what words that look, are called, in the plural.

    Tokens, and their number, may change with the state.
    """

    tokens: Texts
    weights: Numbers | None = None
    target: Texts | None = None
    lines: bool = False
    touch: str | None = None
    role: str = "number"
    xlabel: str = "Words"
    ylabel: str = "Words that look"

    # The shape may change with the state: what is missing is empty.
    ragged = True

    def look(self, what):
        """What of this panel is the same in every state, and its words."""
        check_role(self.role, what)
        tokens, target = texts(self.tokens, f"{what}, tokens"), None
        if self.target is not None:
            target = texts(self.target, f"{what}, target")
        if not any(tokens):
            raise ValueError(f"{what}, tokens: there is no word")
        weights = self.matrix(what)
        rows = 1 if weights is None else len(weights)
        looking = tokens if target is None else target
        if weights is not None and weights.shape[1] != len(tokens):
            raise ValueError(f"{what}, weights: {weights.shape[1]} for {len(tokens)} tokens")
        if rows > 1 and rows != len(looking):
            raise ValueError(f"{what}, weights: {rows} rows for {len(looking)} words that look")
        if self.lines and (target is None or weights is None):
            raise ValueError(f"{what}: lines go from the words of a target, by weights")
        if self.touch is not None and not isinstance(self.touch, str):
            raise TypeError(f"{what}, touch: expected the name of a control, got {self.touch!r}")
        return {
            "kind": "words",
            "role": self.role,
            "shape": [rows, len(tokens)],
            "tokens": tokens,
            "target": target,
            "lines": bool(self.lines),
            # Rows are the words that look.
            "touch": [self.touch, None],
            "xlabel": str(self.xlabel),
            "ylabel": str(self.ylabel),
        }

    def matrix(self, what):
        if self.weights is None:
            return None
        matrix = numbers(self.weights, f"{what}, weights")
        if matrix.ndim not in (1, 2) or 0 in matrix.shape:
            raise ValueError(
                f"{what}, weights: expected shape (tokens,) or (words that look, tokens), "
                f"got {matrix.shape}"
            )
        matrix = np.atleast_2d(matrix)
        masked = np.isnan(matrix) | (matrix == -np.inf)
        finite(matrix, f"{what}, weights", masked)
        return np.where(masked, np.nan, matrix)

    def tables(self, what):
        """The numbers of this state, masked words as NaN: table name -> (rows, columns) array."""
        matrix = self.matrix(what)
        return {} if matrix is None else {"cells": matrix}

    @staticmethod
    def shaded(look, part):
        """The numbers of all states that have a role's colours."""
        return [(look["role"], part["cells"])] if part else []

    @staticmethod
    def bind(looks, part, what, controls, panels):
        """Find the control, which has a value for each word."""
        key = "tokens" if looks[0]["target"] is None else "target"
        most = max(len(look[key]) for look in looks)
        for look in looks:
            look["touch"] = numbered(look["touch"], (most, None), what, controls)

    @staticmethod
    def finish(look, part, scales, spans):
        """What this panel shares over all states: names, colours."""
        tokens, target = look["tokens"], look["target"]
        looking = tokens if target is None else target
        return {
            "rowNames": named(looking, len(looking)),
            "columnNames": named(tokens, len(tokens)),
            "row": singular(look["ylabel"]),
            "column": singular(look["xlabel"]),
            "hue": ACCENT,
            "bar": bool(part) and not look["lines"],
            # No axes: the words are their own names.
            "x": [],
            "y": [],
            "xlabel": "",
            "ylabel": "",
        }

    @staticmethod
    def describe(look):
        """What a panel of this kind shows, in words, without its numbers."""
        rows = [" ".join(row) for row in (look["tokens"], look["target"]) if row]
        return f"words: {' / '.join(rows)}"


def texts(given, what):
    if isinstance(given, str):
        raise TypeError(f"{what}: expected a list of strings, got {given!r}; split it into words")
    return [str(text) for text in given]
