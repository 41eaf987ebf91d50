"""Panels of an author's own content, such as text and pictures: shown as it is, not drawn."""

import math
from dataclasses import dataclass

from ..language import say
from ..palette import INK
from ..texts import filled, letters
from ._panel import KINDS, Panel

# Letters of a line of the still picture, its lines, and their height in inches.
LETTERS, LINES, HIGH = 72, 24, 0.19


@dataclass
class Content(Panel):
    """What kinds of content have in common; their spec has the "content", which may change."""

    def content(self, what):
        """The content as JSON."""
        raise NotImplementedError

    def spec(self, what):
        """What of this panel is the same in every state, and its content."""
        return {"kind": self.kind, "shape": [1, 1], "content": self.content(what)}

    @staticmethod
    def lines(panel):
        """The content as lines of text, for the still picture."""
        return wrapped(panel["content"])

    @staticmethod
    def summary(specs, tables):
        """A line of text: how many different contents there are, and what they weigh."""
        spec = specs[0]
        name = f"{spec['name']}: " if spec["name"] else ""
        size = math.ceil(sum(len(str(one["content"])) for one in specs) / 1000)
        counts = {"count": f"{len(specs):,}", "size": f"{size:,}"}
        return name + say("{kind}, {count} different, {size} kB", kind=say(spec["kind"]), **counts)

    @staticmethod
    def picture_size(panel):
        """Room on the left, width and height, in inches."""
        lines = KINDS[panel["kind"]].lines(panel)
        return 0.1, max(1.0, 0.075 * max(map(letters, lines), default=0)), HIGH * max(1, len(lines))

    @staticmethod
    def draw(axes, panel, tables, scales):
        """Write the lines into the still picture."""
        text = "\n".join(KINDS[panel["kind"]].lines(panel))
        style = {"fontsize": 8.5, "color": INK, "parse_math": False, "va": "top"}
        axes.set_axis_off()
        axes.text(0, 1, text, transform=axes.transAxes, linespacing=1.3, **style)


def wrapped(text):
    """Lines of a text that fit into the still picture, the last of them with an end."""
    lines = [line for paragraph in text.splitlines() for line in filled(paragraph, LETTERS) or [""]]
    return lines if len(lines) <= LINES else [*lines[: LINES - 1], "\u2026"]
