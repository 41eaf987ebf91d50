"""Words that look at words, as text that can be touched."""

from dataclasses import dataclass

import numpy as np

from ..arrays import Numbers, finite, numbers
from ..axes import named, singular
from ..colors import mapped
from ..language import deferred, say
from ..palette import ACCENT, INK
from ..png import START
from ..texts import letters
from ._checks import Words as Texts
from ._checks import check_role
from ._panel import Panel
from ._touch import control_numbers

# Inches: the longest line, the height of a line, room for lines between two rows.
WIDE, LINE, BETWEEN = 6.2, 0.29, 0.75


@dataclass
class Words(Panel):
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
    xlabel: str = deferred("Words")
    ylabel: str = deferred("Words that look")

    kind = deferred("words")

    def spec(self, what):
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
            "kind": self.kind,
            "role": self.role,
            "shape": [rows, len(tokens)],
            "tokens": tokens,
            "target": target,
            "lines": bool(self.lines),
            # Rows are the words that look.
            "touch": [self.touch, None],
            "xlabel": say(str(self.xlabel)),
            "ylabel": say(str(self.ylabel)),
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

    def tensors(self, live):
        """The same tables by PyTorch."""
        if self.weights is None:
            return {}
        torch, weights = live.torch, live.numbers(self.weights)
        weights = weights[None] if weights.dim() == 1 else weights
        return {"cells": torch.where(weights == -torch.inf, torch.nan, weights)}

    @staticmethod
    def shaded(spec, tables):
        """The numbers of all states that have a role's colours."""
        return [(spec["role"], tables["cells"])] if tables else []

    @staticmethod
    def ragged(key, spec):
        """Whether a table may have more or fewer numbers in another state."""
        return True

    @staticmethod
    def bind(specs, tables, what, controls, panels):
        """Find the control, which has a value for each word."""
        key = "tokens" if specs[0]["target"] is None else "target"
        most = max(len(spec[key]) for spec in specs)
        for spec in specs:
            spec["touch"] = control_numbers(spec["touch"], (most, None), what, controls)

    @staticmethod
    def finish(spec, tables, scales, heights):
        """What this panel shares over all states: names, colours."""
        tokens, target = spec["tokens"], spec["target"]
        looking = tokens if target is None else target
        return {
            "rowNames": named(looking, len(looking)),
            "columnNames": named(tokens, len(tokens)),
            "row": singular(spec["ylabel"]),
            "column": singular(spec["xlabel"]),
            "hue": ACCENT,
            "bar": spec["role"] if tables and not spec["lines"] else None,
            # No axes: the words are their own names.
            "x": [],
            "y": [],
            "xlabel": "",
            "ylabel": "",
        }

    @staticmethod
    def describe(spec):
        """What a panel of this kind shows, in words, without its numbers."""
        rows = [" ".join(row) for row in (spec["tokens"], spec["target"]) if row]
        return say("words: {rows}", rows=" / ".join(rows))

    @staticmethod
    def picture_size(panel):
        """Room on the left, width and height, in inches."""
        above, below, height = rows_of(panel)
        return 0.1, max(left + wide for left, _, wide in filter(None, [*above, *below])), height

    @staticmethod
    def draw(axes, panel, tables, scales):
        """Draw the words, and their shades or lines, in the still picture."""
        above, below, height = rows_of(panel)
        axes.set(xlim=(0, Words.picture_size(panel)[1]), ylim=(height, 0))
        axes.set_axis_off()
        looking, cells = panel["target"] is not None, tables.get("cells")
        chosen = panel.get("chosen", [None])[0]
        if cells is not None:
            scale = scales[panel["role"]]
            still = scale["still"]
            color = still if still.startswith("#") else mapped(still, both=False)[-1]
            strength = np.abs(cells) / max(scale["high"], -scale["low"])
            row = 0 if len(cells) == 1 else (chosen or 0)
            if panel["lines"]:
                ends = middles(above), middles(below)
                levels = above[0][1] + 0.27, below[0][1]
                draw_lines(axes, ends, levels, strength, chosen, color)
            else:
                draw_shades(axes, above, strength[row], color)
        for tokens, places in ((panel["tokens"], above), (panel["target"] or [], below)):
            for i, (token, place) in enumerate(zip(tokens, places, strict=True)):
                if place is None:
                    continue
                left, top, wide = place
                write = {"ha": "center", "va": "center", "fontsize": 9, "color": INK}
                axes.text(left + wide / 2, top + 0.13, token, parse_math=False, **write)
                if i == chosen and (places is below) == looking:
                    ends = [left + 0.02, left + wide - 0.02]
                    axes.plot(ends, [top + 0.02] * 2, color=ACCENT[0], linewidth=2)


def texts(given, what):
    if isinstance(given, str):
        raise TypeError(f"{what}: expected a list of strings, got {given!r}; split it into words")
    return [str(text) for text in given]


def width(text):
    """About how wide a word is, with its shade, in inches."""
    return 0.1 + 0.078 * letters(text)


def flow(tokens, widths, top=0.0):
    """The left edge, top and width of each word, or None; and where the last line ends."""
    across, down, places = 0.0, top, []
    for token, wide in zip(tokens, widths, strict=True):
        if not token:
            places.append(None)
            continue
        if across and across + wide > WIDE:
            across, down = 0.0, down + LINE
        places.append((across, down, wide))
        across += wide + 0.04
    return places, down + LINE


def rows_of(panel):
    """The places of the upper and of the lower row, and their height."""
    rows = [panel["tokens"], panel["target"] or []]
    widths = [[width(token) for token in row] for row in rows]
    # Two rows of as many words have one column for each pair: straight lines are straight.
    if len(rows[0]) == len(rows[1]):
        widths = [[max(pair) for pair in zip(*widths, strict=True)]] * 2
    between = BETWEEN if panel["lines"] else 0.0
    above, end = flow(rows[0], widths[0])
    below, end = flow(rows[1], widths[1], end + between)
    return above, below, end if panel["target"] else end - between - LINE


def middles(places):
    """How far to the right the middle of each word stands, or None."""
    return [place and place[0] + place[2] / 2 for place in places]


def draw_shades(axes, places, strength, color):
    from matplotlib.patches import Rectangle

    for place, dark in zip(places, strength, strict=False):
        if place is None:
            continue
        left, top, wide = place
        if np.isnan(dark):
            axes.plot([left, left + wide], [top + 0.13] * 2, color=INK, linewidth=0.8)
        elif dark:
            # Under the word, so that it can be read on any page; as high as it is opaque.
            high = 0.04 + 0.05 * dark
            style = {"facecolor": color, "alpha": START + (1 - START) * dark, "linewidth": 0}
            axes.add_patch(Rectangle((left, top + 0.22), wide, high, **style))


def draw_lines(axes, ends, levels, strength, chosen, color):
    for r, row in enumerate(strength):
        one = -1 if chosen is None else chosen
        target = ends[1][r if len(strength) > 1 else one] if ends[1][r:] else None
        pale = len(strength) > 1 and chosen not in (None, r)
        for source, dark in zip(ends[0], row, strict=False):
            if source is not None and target is not None and dark > 0:
                style = {"linewidth": 7 * dark, "alpha": 0.12 if pale else 0.9}
                axes.plot([source, target], levels, color=color, **style)
