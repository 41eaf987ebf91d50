"""explore(): any Python function becomes a figure whose sliders outlive the kernel.

All combinations of the controls are computed once, here; the page only looks numbers up and draws
them. So the mathematics is written once, in Python, and no kernel is needed afterwards.
"""

import base64
import html
import inspect
import itertools
import json
import math
import re
import time
from importlib.resources import files

import anywidget
import numpy as np
import torch
import traitlets

from .palette import ROLES
from .panels import Bars, Curve, Heatmap, Prediction
from .picture import axis, draw, scale

MAX_STATES = 4096
# Numbers that the function may return in all, and characters that a figure may add to its page.
MAX_NUMBERS = 20_000_000
MAX_CHARACTERS = 1_000_000


def own(name):
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


ESM = own("explorer.js").replace(
    'const CSS = "";', f"const CSS = {json.dumps(own('explorer.css'))};"
)


# ---- controls ----------------------------------------------------------------------------------


def control(name, given, label):
    """What the page needs to know of one control."""
    what = f"control {name!r}"
    options = given
    if isinstance(given, bool):
        kind, options = "switch", [False, True]
    elif isinstance(given, (range, list, tuple, np.ndarray, torch.Tensor)):
        options = [o.item() if hasattr(o, "item") else o for o in given]
        if not options:
            raise ValueError(f"{what} has no values: {given!r} is empty")
        if all(isinstance(o, str) for o in options):
            kind = "menu"
        elif all(isinstance(o, (int, float)) and not isinstance(o, bool) for o in options):
            kind = "slider"
        else:
            raise TypeError(f"{what}: values must be all numbers or all strings, got {options!r}")
        if not all(isinstance(o, str) or math.isfinite(o) for o in options):
            raise ValueError(f"{what}: every value must be finite, got {options!r}")
        if twice := [o for i, o in enumerate(options) if o in options[:i]]:
            raise ValueError(f"{what} has the value {twice[0]!r} twice")
    else:
        raise TypeError(
            f"{what}: expected a range or a list of numbers (slider), a list of strings (menu) or "
            f"True or False (switch), got {type(given).__name__}"
        )
    return {"name": name, "label": label, "kind": kind, "options": options}


def count_states(controls):
    """The number of combinations; too many is an error that says what to thin."""
    sizes = [len(c["options"]) for c in controls]
    states = math.prod(sizes)
    if states > MAX_STATES:
        product = " x ".join(f"{c['name']} ({len(c['options'])})" for c in controls)
        raise ValueError(
            f"explore: {product} make {states:,} combinations, at most {MAX_STATES:,} are "
            f"possible; thin {longest(controls)!r}, which has the most values"
        )
    return states


def longest(controls):
    return max(controls, key=lambda c: len(c["options"]))["name"]


# ---- computing all states ----------------------------------------------------------------------


def accepts(function, names):
    """Raise if `function` can't be called with these names."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return
    parameters = signature.parameters.values()
    if not any(p.kind is p.VAR_KEYWORD for p in parameters):
        named = {p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}
        if unknown := [name for name in names if name not in named]:
            raise TypeError(f"control {unknown[0]!r}: the function does not take it")
    try:
        signature.bind(**dict.fromkeys(names))
    except TypeError as error:
        raise TypeError(f"explore: no control gives what the function needs: {error}") from error


def named_panels(result):
    """The panels of a result as a dict: name -> panel."""
    if not isinstance(result, dict):
        result = {"": result}
    if not result:
        raise ValueError("explore: the function returned no panels: {}")
    for name in result:
        if not isinstance(name, str):
            raise TypeError(f"explore: the name of a panel must be a string, got {name!r}")
    return {
        name: panel if isinstance(panel, (Heatmap, Curve, Bars)) else Heatmap(panel)
        for name, panel in result.items()
    }


class Progress:
    """A bar that appears when work takes over a second, and leaves nothing in the notebook."""

    def __init__(self, total):
        self.total, self.start, self.bar, self.handle = total, time.monotonic(), None, None

    def __enter__(self):
        return self

    def step(self, done):
        if self.bar is None and time.monotonic() - self.start > 1:
            self.show()
        if self.bar:
            self.bar.value = done

    def show(self):
        try:
            from IPython import get_ipython
            from IPython.display import display
            from ipywidgets import IntProgress
        except ImportError:
            return
        shell = get_ipython()
        if shell is None or not hasattr(shell, "kernel"):
            self.start = math.inf
            return
        self.bar = IntProgress(0, 0, self.total, description="Computing")
        # The view alone: what needs a kernel is not saved, so nothing else may be shown.
        view = {"version_major": 2, "version_minor": 0, "model_id": self.bar.model_id}
        bundle = {"application/vnd.jupyter.widget-view+json": view}
        self.handle = display(bundle, raw=True, display_id=True)

    def __exit__(self, *error):
        if self.bar:
            self.handle.update({}, raw=True)
            self.bar.close()


def compute(function, controls):
    """Call the function for every combination.

    Returns
    -------
    tuple
        The fixed look of each panel, and for each panel a dict: table name -> array of shape
        (states, rows, columns), masked cells as NaN.
    """
    names = [c["name"] for c in controls]
    accepts(function, names)
    total = count_states(controls)
    looks, tables = None, None
    with torch.no_grad(), Progress(total) as progress:
        for state, options in enumerate(itertools.product(*(c["options"] for c in controls))):
            values = dict(zip(names, options, strict=True))
            told = ", ".join(f"{name}={value!r}" for name, value in values.items())
            try:
                result = function(**values)
            except Exception as error:
                called = getattr(function, "__name__", type(function).__name__)
                raise ValueError(
                    f"explore: {called}({told}) raised {type(error).__name__}: {error}"
                ) from error
            panels = named_panels(result)
            whats = [f"panel {name!r}" if name else "the panel" for name in panels]
            try:
                found = [
                    {"name": name, **panel.look(what)}
                    for what, (name, panel) in zip(whats, panels.items(), strict=True)
                ]
                if looks is None:
                    looks = found
                same_look(looks, found)
                parts = [p.tables(w) for w, p in zip(whats, panels.values(), strict=True)]
            except (TypeError, ValueError) as error:
                raise type(error)(f"{error} (at {told})") from error
            if tables is None:
                size = sum(table.size for part in parts for table in part.values()) * total
                if size > MAX_NUMBERS:
                    raise ValueError(
                        f"explore: {total:,} combinations give {size:,} numbers, at most "
                        f"{MAX_NUMBERS:,} are possible; thin {longest(controls)!r} or show less"
                    )
                tables = [
                    {key: np.empty((total, *table.shape)) for key, table in part.items()}
                    for part in parts
                ]
            for stored, part in zip(tables, parts, strict=True):
                for key, table in part.items():
                    stored[key][state] = table
            progress.step(state + 1)
    return looks, tables


def same_look(first, now):
    """Raise if a panel's names, shape or labels differ from those of the first state."""
    if [p["name"] for p in now] != [p["name"] for p in first]:
        raise ValueError(
            f"explore: the panels are {[p['name'] for p in now]}, "
            f"but {[p['name'] for p in first]} for the first combination"
        )
    for before, after in zip(first, now, strict=True):
        for key, value in after.items():
            if value != before.get(key):
                name = f"panel {after['name']!r}" if after["name"] else "the panel"
                raise ValueError(
                    f"{name}: its {key} is {value}, but {before.get(key)} for the first "
                    "combination; it must be the same in every state"
                )


# ---- compact storing ---------------------------------------------------------------------------


def encode(integers):
    """Non-negative integers in base 36, with commas; -1, a masked cell, as '-'."""
    different, places = np.unique(np.ravel(integers), return_inverse=True)
    texts = ["-" if number < 0 else np.base_repr(number, 36).lower() for number in different]
    return ",".join(np.array(texts, object)[places])


def store(table, sizes):
    """One table over all states as compact text.

    Numbers are rounded to decimals that are fine enough for an error of at most 0.0005 of the
    table's range; zero stays zero. Each different row is stored once, followed by its sum. Which
    row stands where is stored for those controls alone that it depends on.

    Parameters
    ----------
    table : array of shape (states, rows, columns), masked cells as NaN
    sizes : list of the number of options of each control

    Returns
    -------
    dict
        'columns' (with the sum), 'decimals' and 'data': the lowest integer, the rows, and for
        each row of the table 'bits of controls:ids', all separated by blanks.
    """
    masked = np.isnan(table)
    low, high = (np.nanmin(table), np.nanmax(table)) if not masked.all() else (0.0, 0.0)
    span = high - low or abs(high) or 1.0
    decimals = math.ceil(3 - math.log10(span) - 1e-6)
    unit = 10.0**decimals
    filled = np.where(masked, 0, table)
    sums = np.rint(filled.sum(-1, keepdims=True) * unit).astype(np.int64)
    cells = np.rint(filled * unit).astype(np.int64)
    lowest = min(int(cells.min()), int(sums.min()))
    whole = np.concatenate([np.where(masked, -1, cells - lowest), sums - lowest], -1)

    unique, ids = {}, np.empty(whole.shape[:2], np.int64)
    for state, rows in enumerate(whole):
        for place, row in enumerate(rows):
            ids[state, place] = unique.setdefault(row.tobytes(), len(unique))
    words = [encode(np.frombuffer(b"".join(unique), np.int64))]
    for place in range(ids.shape[1]):
        used = ids[:, place].reshape(sizes)
        bits = 0
        for number in range(len(sizes)):
            first = used.take([0], number)
            if (used == first).all():
                used = first
            else:
                bits += 2**number
        words.append(f"{bits}:{encode(used)}")
    return {
        "columns": whole.shape[-1],
        "decimals": decimals,
        "data": " ".join([str(lowest), *words]),
    }


# ---- the figure --------------------------------------------------------------------------------


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


def classic(module):
    """The ES module as one classic script that draws every figure which is not drawn yet.

    Comments and indentation stay behind. All figures carry the same text, so that one hash allows
    them all, and a page can keep one.
    """
    body = re.sub(r"^\s*(//|/\*\*|\*).*\n|^\s+", "", module, flags=re.MULTILINE)
    body = body.replace("export default { render };", "mountAll();")
    return f"(() => {{\n{body}}})();"


SCRIPT = classic(ESM)


def slug(title):
    return re.sub(r"\W+", "-", title.lower()).strip("-") or "figure"


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
        Name of the figure; the function's name otherwise. Its slug is the figure's address:
        `#slug?name=value` leads to a state.
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
        "predict": predict
        and {
            "question": str(predict.question),
            "choices": [[str(text), str(why)] for text, why in predict.choices.items()],
            "answer": list(predict.choices).index(predict.answer),
        },
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
    parameter = inspect.signature(function).parameters.get(name)
    if parameter is None or parameter.default is parameter.empty:
        return options[0]
    if parameter.default not in options:
        raise ValueError(
            f"control {name!r}: the function's default {parameter.default!r} is not one of its "
            f"values {options!r}"
        )
    return parameter.default


def finish(looks, tables):
    """Give each panel what it shares over all states, and return the scales of the roles."""
    spans = {}
    for look, part in zip(looks, tables, strict=True):
        if "role" in look:
            known = part["cells"][~np.isnan(part["cells"])]
            span = (known.min(), known.max()) if known.size else (0.0, 0.0)
            before = spans.get(look["role"], span)
            spans[look["role"]] = min(span[0], before[0]), max(span[1], before[1])
    scales = {role: scale(role, *span) for role, span in spans.items()}
    for look, part in zip(looks, tables, strict=True):
        look.update(FINISH[look["kind"]](look, part, scales))
    return scales


def counted(words, count):
    """Ticks of `count` places: where each stands from 0 to 1, and its label."""
    every = next(n for n in (1, 2, 5, 10, 20, 50, 100, count) if words or count / n <= 20)
    texts = words or [str(i + 1) if i == 0 or (i + 1) % every == 0 else "" for i in range(count)]
    short = [text if len(text) <= 16 else text[:15] + "\u2026" for text in texts]
    return [[round((i + 0.5) / count, 4), text] for i, text in enumerate(short) if text]


def along(ticks, low, high):
    """Ticks of an axis of numbers: where each stands from 0 to 1, and its label."""
    return [
        [round((at - low) / (high - low), 4), text.replace("-", "\u2212")] for at, text in ticks
    ]


def singular(label):
    """'Queries' -> 'query'."""
    return re.sub(r"s$", "", re.sub(r"ies$", "y", label.lower())) or "place"


def finish_heatmap(look, part, scales):
    rows, columns = look["shape"]
    role, digits = scales[look["role"]], 2
    return {
        "x": counted(look["xticks"], columns),
        "y": counted(look["yticks"], rows),
        "row": singular(look["ylabel"]),
        "column": singular(look["xlabel"]),
        "masked": bool(np.isnan(part["cells"]).any()),
        # What a cell shows, where it fits: decimals, and letters of the longest number.
        "digits": digits,
        "letters": max(len(f"{role[end]:.{digits}f}") for end in ("low", "high")),
    }


def finish_bars(look, part, scales):
    span = scales[look["role"]]
    ends = span["low"], span["high"]
    ticks = along(span["ticks"], *ends)
    return {
        "x": counted(look["xticks"], look["shape"][1]),
        "y": [[1 - at, text] for at, text in ticks],
        "column": singular(look["xlabel"]),
        "yaxis": ends,
        "colors": [ROLES[look["role"]]],
    }


def finish_curve(look, part, scales):
    x = np.array(look.pop("places"))
    heights = [part[key] for key in ("cells", "py") if key in part]
    xs = [x, part["px"]] if "px" in part else [x]
    across = axis(min(map(np.min, xs)), max(map(np.max, xs)), True)
    up = axis(min(map(np.min, heights)), max(map(np.max, heights)), False)
    ends = across["low"], across["high"]
    roles = list(ROLES)
    colors = [
        ROLES[line if line in ROLES else roles[i % len(roles)]]
        for i, line in enumerate(look["yticks"])
    ]
    return {
        "x": along(across["ticks"], *ends),
        "y": [[1 - at, text] for at, text in along(up["ticks"], up["low"], up["high"])],
        "at": [float(f"{(place - ends[0]) / (ends[1] - ends[0]):.5f}") for place in x],
        "xticks": [f"{place:.4g}".replace("-", "\u2212") for place in x],
        "xaxis": ends,
        "yaxis": (up["low"], up["high"]),
        "colors": colors,
    }


FINISH = {"heatmap": finish_heatmap, "bars": finish_bars, "curve": finish_curve}
