"""A chapter's figure, drawn with what the reader has written: kernelfree's own code writes its state down.

A figure that a cell makes is noted; it is computed only when the reader asks for it.
"""

import json
import time

from kernelfree import filling, states
from kernelfree.language import say

from .cells import TELL

# What each cell has made since this was emptied.
MADE = []
LONGEST = 60  # seconds that a figure may take


class Figure:
    """What `explore` gives in a page: the function, and how it is shown."""

    def __init__(self, function, options):
        self.function, self.options = function, options
        MADE.append(self)

    def __repr__(self):
        return f"<figure {self.title!r}>"

    @property
    def title(self):
        return self.options.get("title") or say(filling.title_of(self.function))

    @property
    def id(self):
        address = self.options.get("address")
        return filling.slug((address.get("") if isinstance(address, dict) else address) or self.title)

    def state(self):
        options = dict(self.options)
        known = [name for name in states.OPTIONS if name in options]
        return filling.filled(self.function, options, **{name: options.pop(name) for name in known})[0]


def explore(function=None, /, **options):
    """As kernelfree's; nothing is computed yet."""
    return Figure(function, options) if function else lambda function: explore(function, **options)


class TooLongError(Exception):
    """A figure would take too long."""


class LinelessError(Exception):
    """No line of a function makes a tensor."""


class Progress:
    """Tells the page how far a figure is, and gives up where it would take too long."""

    def __init__(self, total):
        self.total, self.start, self.told = total, time.perf_counter(), 0

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def step(self, done):
        passed = time.perf_counter() - self.start
        if passed < 2 + self.told:
            return
        if passed / done * self.total > LONGEST:
            raise TooLongError(round(passed / done * self.total))
        self.told += 1
        if TELL:
            TELL["tell"](f"{done}/{self.total}")


states.Progress = Progress


def draw(made, figure, typed=None):
    """{"state": what the page's own script draws} of one of the figures that a cell has made, or why not.

    `typed` are the numbers that a reader has given to one that shows lines.
    """
    found = next((one for one in made if one.id == figure), None)
    if found is None:
        return {"gone": True}
    if found.options.get("live"):
        return {"live": True}
    try:
        state = found.state(typed) if typed else found.state()
    except TooLongError as error:
        return {"seconds": error.args[0]}
    except LinelessError:
        return {"lineless": True}
    except Exception as error:
        return {"error": str(error)}
    return {"state": json.dumps(state)}
