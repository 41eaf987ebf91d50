"""All states of a figure: computed by calling its function, and stored compactly."""

import inspect
import itertools
import math
import time

import numpy as np
import torch

from .heatmaps import in_notebook
from .panels import Bars, Curve, Heatmap

# Combinations of controls, and numbers that the function may return in all.
MAX_STATES = 4096
MAX_NUMBERS = 20_000_000


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
    for p in parameters:
        if p.name in ("title", "labels", "predict", "play") and p.default is p.empty:
            raise TypeError(
                f"explore: the function needs {p.name!r}, which is an option of explore itself; "
                "give the parameter another name"
            )
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
        if not in_notebook():
            self.start = math.inf
            return
        from IPython.display import display
        from ipywidgets import IntProgress

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


def load(stored, sizes, places):
    """The rows of one state of a stored table: masked cells as NaN, the sums left out."""
    lowest, cells, *index = stored["data"].split(" ")
    cells, width = cells.split(","), stored["columns"]
    rows = []
    for entry in index:
        bits, ids = entry.split(":")
        at = 0
        for number, (size, place) in enumerate(zip(sizes, places, strict=True)):
            if int(bits) >> number & 1:
                at = at * size + place
        start = int(ids.split(",")[at], 36) * width
        row = cells[start : start + width - 1]
        rows.append([math.nan if text == "-" else int(text, 36) for text in row])
    return (np.array(rows) + int(lowest)) / 10.0 ** stored["decimals"]
