"""explore(): any Python function becomes a figure whose sliders outlive the kernel.

All combinations of the controls are computed once, here; the page only looks numbers up and draws
them. So the mathematics is written once, in Python, and no kernel is needed afterwards.
"""

import base64
import copy
import hashlib
import html
import json
import math
import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any

import anywidget
import numpy as np
import traitlets

from .controls import Values, control, place, start
from .panels import Bars, Curve, Heatmap, Numbers, Panel, Prediction, Words
from .picture import draw
from .scales import finish
from .script import ESM, SCRIPT
from .states import compute, load, longest, store

__all__ = ["Bars", "Curve", "Figure", "Heatmap", "Prediction", "explore"]

# Characters that a figure's numbers may add to its page.
MAX_CHARACTERS = 1_000_000


class Figure(anywidget.AnyWidget):
    """What `explore` returns: a widget, a piece of HTML that needs no kernel, and a picture.

    Attributes
    ----------
    value : dict
        Control name -> its value. Set it, wholly or in part, to move the controls; it can't be
        changed in place. Observe it, or link it with another figure's, as with any widget.

    A figure can be copied and pickled: the copy has its state, and neither observers nor links.
    """

    _esm = ESM
    # ipywidgets 7 would show itself through this, past the HTML and the picture.
    _ipython_display_ = None

    _state = traitlets.Dict().tag(sync=True)
    value = traitlets.Dict().tag(sync=True)

    def __init__(
        self, state: dict[str, Any], summary: str, value: Mapping[str, Any] | None = None
    ) -> None:
        self._controls = {c["name"]: c for c in state["controls"]}
        self._summary = summary
        super().__init__(_state=state, value={**state["start"], **(value or {})})

    def __reduce__(self):
        return Figure, (self._state, self._summary, dict(self.value))

    def __copy__(self):
        return Figure(self._state, self._summary, self.value)

    def __deepcopy__(self, memo):
        return Figure(copy.deepcopy(self._state, memo), self._summary, self.value)

    @traitlets.validate("value")
    def _check_value(self, proposal):
        value = dict(self.value or self._state["start"])
        for name, given in proposal["value"].items():
            if name not in self._controls:
                raise ValueError(f"no control {name!r}; there are {', '.join(self._controls)}")
            options = self._controls[name]["options"]
            if (at := place(self._controls[name], given)) is None:
                raise ValueError(f"control {name!r} has no value {given!r}; it has {options}")
            value[name] = options[at]
        return Values(value)

    def __repr__(self):
        now = ", ".join(f"{name}={value!r}" for name, value in self.value.items())
        return f"{self._summary}\n  now: {now}"

    def _picture(self):
        """The PNG of the present state, and its width and height."""
        places = [place(c, self.value[name]) for name, c in self._controls.items()]
        sizes = [len(c["options"]) for c in self._controls.values()]
        tables = [
            {key: load(table, sizes, places) for key, table in panel["tables"].items()}
            for panel in self._state["panels"]
        ]
        return draw(self._state["title"], self._state["panels"], tables, self._state["scales"])

    def _html(self, picture, width, height):
        """A page's worth of figure: it needs no kernel, no network and no other file."""
        state = json.dumps({**self._state, "start": self.value}, separators=(",", ":"))
        # No string of the author's can end the script element or begin another.
        for sign in "<>&\u2028\u2029":
            state = state.replace(sign, f"\\u{ord(sign):04x}")
        alt = html.escape(f"{self._state['title']}: {describe(self._state)}")
        data = base64.b64encode(picture).decode()
        return (
            f'<div class="d2lmini-figure" id="{slug(self._state["title"])}">\n'
            f'<img alt="{alt}" width="{width}" height="{height}" '
            f'src="data:image/png;base64,{data}">\n'
            f'<script type="application/json">{state}</script>\n'
            f"<script>{SCRIPT}</script>\n</div>"
        )

    def _repr_mimebundle_(self, **kwargs):
        bundle = super()._repr_mimebundle_(**kwargs)
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle or {}, {})
        picture, width, height = self._picture()
        data = {
            **data,
            "text/plain": repr(self),
            "text/html": self._html(picture, width, height),
            "image/png": base64.b64encode(picture).decode(),
        }
        return data, metadata


def slug(title):
    """A figure's address in its page, which no heading has."""
    # Letters, marks, digits and signs of any script stay; blanks, points and ASCII's signs do not.
    kept = [
        c if c.isalnum() or (c > "\x7f" and unicodedata.category(c)[0] not in "CPZ") else "-"
        for c in unicodedata.normalize("NFC", title.lower())
    ]
    name = re.sub("-+", "-", "".join(kept)).strip("-")
    return f"figure-{name or hashlib.sha256(title.encode()).hexdigest()[:8]}"


def describe(state):
    """What a figure shows, in words, without its numbers."""
    parts = []
    for panel in state["panels"]:
        rows, columns = panel["shape"]
        kind = {
            "heatmap": f"heatmap of {rows} x {columns}",
            "bars": f"{columns} bars",
            "curve": f"curve of {rows} line{'s' if rows > 1 else ''}",
        }[panel["kind"]]
        parts.append(f"{panel['name']}, {kind}" if panel["name"] else kind)
    return "; ".join(parts)


def summarise(state, looks, tables):
    """The text form: controls, states, and a few numbers of each panel over all states."""
    lines = [f"Figure: {state['title']}"]
    for c in state["controls"]:
        options = c["options"]
        span = (
            f"{options[0]} to {options[-1]}"
            if c["kind"] == "slider"
            else ", ".join(map(str, options))
        )
        lines.append(f"  {c['name']}: {c['kind']}, {len(options)} values, {span}")
    lines.append(f"  {math.prod(len(c['options']) for c in state['controls']):,} states")
    for look, part in zip(looks, tables, strict=True):
        table = part["cells"]
        name = look["name"] or look.get("role", "curve")
        told = f"  {name}: {look['kind']} {look['shape'][0]} x {look['shape'][1]}"
        if masked := int(np.isnan(table).sum()):
            told += f", masked {masked / table.size:.3g}"
        if masked < table.size:
            few = (np.nanmin(table), np.nanmax(table), np.nanmean(table))
            told += ", min {:.3g}, max {:.3g}, mean {:.3g}".format(*(x + 0.0 for x in few))
        lines.append(told)
    return "\n".join(lines)


def explore(
    function: Callable[..., Panel | Mapping[str, Panel]],
    /,
    *,
    title: str | None = None,
    labels: Mapping[str, str] | None = None,
    predict: Prediction | None = None,
    play: str | None = None,
    **controls: Numbers | Words | bool,
) -> Figure:
    """Sliders, menus and switches for any Python function, alive with or without a kernel.

    Every combination of the controls is computed once, now, without gradients. The figure then
    only looks numbers up, so it works in a live notebook, in an exported page and in the book.

    Parameters
    ----------
    function : callable
        Called as `function(**values)`. It returns a (queries, keys) matrix, a `Heatmap`, `Curve`
        or `Bars`, or a dict of them by name. Shapes and labels must not depend on the values.
    title : str, optional
        Name of the figure; the function's name otherwise. It is the figure's address, too:
        `#figure-the-title?name=value` leads to a state of "The title".
    labels : dict, optional
        Control name -> what to call it on the page.
    predict : Prediction, optional
        A question that covers the figure until the reader has answered it.
    play : str, optional
        The slider that gets a button which steps through it.
    **controls : range, list, tuple or bool
        A range or a list of numbers is a slider, a list of strings a menu, True or False a switch.
        `(low, high)` and `(low, high, step)` are sliders as for ipywidgets' `interact`: `high`
        belongs to them, and the step is 1, or 0.1 between floats. Floats are rounded to 12
        digits, so that 0.1 + 0.2 is 0.3.
        A control starts at the default of the function's parameter, else at its first value, or
        in the middle of `(low, high)`.

    Returns
    -------
    Figure
        A widget; `.value` is a dict of the controls' values, in sync both ways.

    Raises
    ------
    TypeError, ValueError
        For a control that is empty, mixed or unknown to the function, for too many combinations,
        for a matrix with a wrong shape or with NaN, and if the function raises. The message names
        the control or the panel.

    Examples
    --------
    >>> import torch
    >>> def weights(sharpness):
    ...     return torch.softmax(sharpness * torch.eye(3), dim=-1)
    >>> figure = explore(weights, sharpness=[0, 1, 2, 4])
    >>> figure.value = {"sharpness": 4}
    """
    check_options(function, title, labels, predict, play)
    if not controls:
        raise ValueError("explore: no controls; name at least one, such as length=range(1, 5)")
    labels = labels or {}
    if unknown := [name for name in labels if name not in controls]:
        raise ValueError(f"labels: there is no control {unknown[0]!r}")
    specs = [
        control(name, given, str(labels.get(name, name.replace("_", " "))))
        for name, given in controls.items()
    ]
    if play is not None and play not in [c["name"] for c in specs if c["kind"] == "slider"]:
        raise ValueError(f"play: there is no slider {play!r}")
    if title is None:
        title = getattr(function, "__name__", type(function).__name__).strip("<>_")
        title = title.replace("_", " ")

    looks, tables = compute(function, specs)
    state = {
        "title": title,
        "controls": specs,
        "start": {c["name"]: start(function, c, controls[c["name"]]) for c in specs},
        "scales": finish(looks, tables),
        "panels": stored(looks, tables, specs),
    }
    if play:
        state["play"] = play
    if predict:
        state["predict"] = predict.replies()
    return Figure(state, summarise(state, looks, tables))


def check_options(function, title, labels, predict, play):
    """Raise if an option of explore is something else, such as a control of the same name."""
    if not callable(function):
        raise TypeError(f"explore: expected a function, got {type(function).__name__}")
    expected = {
        "title": (title, str, "a string"),
        "labels": (labels, Mapping, "a dict"),
        "predict": (predict, Prediction, "a Prediction"),
        "play": (play, str, "the name of a slider"),
    }
    for name, (given, kind, what) in expected.items():
        if given is not None and not isinstance(given, kind):
            raise TypeError(
                f"{name}: expected {what}, got {type(given).__name__}; it is an option of "
                f"explore, so no control can be called {name!r}"
            )


def stored(looks, tables, controls):
    """The panels with their numbers as text; raise if that is too much for a page."""
    sizes = [len(c["options"]) for c in controls]
    panels = [
        {**look, "tables": {key: store(table, sizes) for key, table in part.items()}}
        for look, part in zip(looks, tables, strict=True)
    ]
    size = len(json.dumps(panels))
    if size > MAX_CHARACTERS:
        raise ValueError(
            f"explore: the figure would add {size:,} characters to its page, at most "
            f"{MAX_CHARACTERS:,} are possible; thin {longest(controls)!r} or show less"
        )
    return panels
