"""explore(): any Python function becomes a figure whose sliders outlive the kernel.

All combinations of the controls are computed once, here; the page only looks numbers up and draws
them. So the mathematics is written once, in Python, and no kernel is needed afterwards.
"""

import base64
import html
import inspect
import json
import math
import re

import anywidget
import numpy as np
import torch
import traitlets

from .panels import Bars, Curve, Heatmap, Prediction
from .picture import draw
from .scales import finish
from .script import ESM, SCRIPT
from .states import MAX_STATES, compute, longest, store

__all__ = ["Bars", "Curve", "Figure", "Heatmap", "Prediction", "explore"]

# Characters that a figure's numbers may add to its page.
MAX_CHARACTERS = 1_000_000


def control(name, given, label):
    """What the page needs to know of one control."""
    what = f"control {name!r}"
    options = given
    if isinstance(given, bool):
        kind, options = "switch", [False, True]
    elif isinstance(given, (range, list, tuple, np.ndarray, torch.Tensor)):
        if not len(given):
            raise ValueError(f"{what} has no values: {given!r} is empty")
        if len(given) > MAX_STATES:
            raise ValueError(
                f"{what} has {len(given):,} values, at most {MAX_STATES:,} combinations are "
                f"possible; thin {name!r}"
            )
        options = [o.item() if hasattr(o, "item") else o for o in given]
        if all(isinstance(o, str) for o in options):
            kind = "menu"
        elif all(isinstance(o, (int, float)) and not isinstance(o, bool) for o in options):
            kind = "slider"
        else:
            raise TypeError(f"{what}: values must be all numbers or all strings, got {options!r}")
        if not all(isinstance(o, str) or math.isfinite(o) for o in options):
            raise ValueError(f"{what}: every value must be finite, got {options!r}")
        if len(set(options)) < len(options):
            twice = next(o for i, o in enumerate(options) if o in options[:i])
            raise ValueError(f"{what} has the value {twice!r} twice")
    else:
        raise TypeError(
            f"{what}: expected a range or a list of numbers (slider), a list of strings (menu) or "
            f"True or False (switch), got {type(given).__name__}"
        )
    return {"name": name, "label": label, "kind": kind, "options": options}


class Figure(anywidget.AnyWidget):
    """What `explore` returns: a widget, a piece of HTML that needs no kernel, and a picture.

    Attributes
    ----------
    value : dict
        Control name -> its value. Set it, wholly or in part, to move the controls; observe it, or
        link it with another figure's, as with any widget.
    """

    _esm = ESM
    # ipywidgets 7 would show itself through this, past the HTML and the picture.
    _ipython_display_ = None

    _state = traitlets.Dict().tag(sync=True)
    value = traitlets.Dict().tag(sync=True)

    def __init__(self, state, summary, tables):
        self._options = {c["name"]: c["options"] for c in state["controls"]}
        self._summary, self._tables = summary, tables
        self._first = dict(state["start"])
        super().__init__(_state=state, value=state["start"])

    @traitlets.validate("value")
    def _check_value(self, proposal):
        value = dict(self.value or self._first)
        for name, given in proposal["value"].items():
            if name not in self._options:
                raise ValueError(f"no control {name!r}; there are {', '.join(self._options)}")
            options = self._options[name]
            same = [
                o for o in options if o == given and isinstance(o, bool) == isinstance(given, bool)
            ]
            if not same:
                raise ValueError(f"control {name!r} has no value {given!r}; it has {options}")
            value[name] = same[0]
        return value

    def __repr__(self):
        now = ", ".join(f"{name}={value!r}" for name, value in self.value.items())
        return f"{self._summary}\n  now: {now}"

    def _picture(self):
        """The PNG of the present state, and its width and height."""
        places = [options.index(self.value[name]) for name, options in self._options.items()]
        state = np.ravel_multi_index(places, [len(o) for o in self._options.values()])
        tables = [{key: t[state] for key, t in part.items()} for part in self._tables]
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
    return "figure-" + re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


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


def explore(function, /, *, title=None, labels=None, predict=None, play=None, **controls):
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
    **controls : range, list or bool
        A range or a list of numbers is a slider, a list of strings a menu, True or False a switch.
        A control starts at the default of the function's parameter, else at its first value.

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
    if not callable(function):
        raise TypeError(f"explore: expected a function, got {type(function).__name__}")
    if not controls:
        raise ValueError("explore: no controls; name at least one, such as length=range(1, 5)")
    labels = labels or {}
    if unknown := [name for name in labels if name not in controls]:
        raise ValueError(f"labels: there is no control {unknown[0]!r}")
    if predict is not None and not isinstance(predict, Prediction):
        raise TypeError(f"predict: expected a Prediction, got {type(predict).__name__}")
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
        "title": str(title),
        "slug": slug(str(title)),
        "controls": specs,
        "start": {
            name: start(function, name, given, spec["options"])
            for (name, given), spec in zip(controls.items(), specs, strict=True)
        },
        "play": play,
        "predict": predict and predict.replies(),
        "scales": finish(looks, tables),
    }
    sizes = [len(c["options"]) for c in specs]
    state["panels"] = [
        {**look, "tables": {key: store(table, sizes) for key, table in part.items()}}
        for look, part in zip(looks, tables, strict=True)
    ]
    size = len(json.dumps(state["panels"]))
    if size > MAX_CHARACTERS:
        raise ValueError(
            f"explore: the figure would add {size:,} characters to its page, at most "
            f"{MAX_CHARACTERS:,} are possible; thin {longest(specs)!r} or show less"
        )
    return Figure(state, summarise(state, looks, tables), tables)


def start(function, name, given, options):
    """The value that a control has at first."""
    if isinstance(given, bool):
        return given
    try:
        default = inspect.signature(function).parameters[name].default
    except (TypeError, ValueError, KeyError):
        default = inspect.Parameter.empty
    if default is inspect.Parameter.empty:
        return options[0]
    if default not in options:
        raise ValueError(
            f"control {name!r}: the function's default {default!r} is not one of its values "
            f"{options!r}"
        )
    return options[options.index(default)]
