"""A function as graphs for the page: one for each combination of the controls that have stops."""

import contextlib
import itertools
import json
import math
import re

import numpy as np
import torch

from ..controls import has_stops
from ..states import Progress, States, longest, named_panels, plain, visit
from ..texts import called, shown
from ..tracing.exporting import NotForThePageError, told
from ..tracing.graph import graph
from ..tracing.steps import evaluate
from . import tensors as live_tensors
from .free_controls import tensor_of
from .watch import EnoughError, Watch

# Graphs that a figure may have, and states that are looked at for scales, in all and for each.
MAX_GRAPHS, SAMPLES, EACH = 100, 1000, 64
# What PyTorch computes from a graph may differ by this part of a table's range.
ROOM = 1e-5


def compute(function, controls, start, as_panel, formulas):
    """The states at samples, and the graphs.

    Returns
    -------
    States
        Of every graph as many as there are samples.
    list of (dict, list)
        For each graph what the page needs of it, and its sentence in pieces. Its outputs are the
        tables of all panels, and the numbers of the sentence if there are any.
    """
    stops = [c for c in controls if has_stops(c)]
    free = [c for c in controls if not has_stops(c)]
    count = math.prod(len(c["options"]) for c in stops)
    if count > MAX_GRAPHS:
        product = " x ".join(f"{c['name']} ({len(c['options'])})" for c in stops)
        raise ValueError(
            f"explore: {product} make {count:,} graphs, at most {MAX_GRAPHS} are possible; thin "
            f"{longest(stops)!r}, or give it no stops"
        )
    given = samples(free, start, min(EACH, SAMPLES // count))
    states = States([*stops, {"name": "sample", "options": range(len(given))}], as_panel, formulas)
    found = []
    with torch.no_grad(), Progress(count) as progress:
        for done, options in enumerate(itertools.product(*map(shown, stops))):
            fixed = {c["name"]: option for c, option in zip(stops, options, strict=True)}
            for values in given:
                visit(function, {**fixed, **values}, states)
            page, pieces = exported(function, fixed, given[0], as_panel)
            for at in {0, len(given) // 2, len(given) - 1}:
                agree(page, pieces, given[at], states, done * len(given) + at)
            found.append((page, pieces))
            progress.step(done + 1)
    same_words(states, len(given))
    return states, found


def same_words(states, samples):
    """Raise if words change with a control that has no stops."""
    for variants, which in zip(states.specs, states.which, strict=True):
        for first in range(0, len(which), samples):
            if other := set(which[first : first + samples]) - {which[first]}:
                before, after = variants[which[first]], variants[other.pop()]
                key = next(key for key in before if before[key] != after[key])
                raise NotForThePageError(
                    f"{called(before['name'])}: its {key} changes with a control that has no "
                    f"stops, from {before[key]!r} to {after[key]!r}; there only numbers may "
                    "change, and the sentence"
                )


def samples(free, start, most):
    """Values of the controls without stops, as the function gets them: where it starts, a grid."""
    ranges = [c for c in free if c["kind"] == "range"]
    each = max(2, int(most ** (1 / max(1, len(ranges))) + 1e-9))
    grid = itertools.product(*(np.linspace(c["low"], c["high"], each) for c in ranges))
    points = list(grid) if ranges else [()] * min(most, 32)
    if len(points) > most:  # too many controls for a grid
        points = [points[i] for i in np.linspace(0, len(points) - 1, most).astype(int)]
    random = np.random.default_rng(0)
    found = [{c["name"]: tensor_of(c, start[c["name"]]) for c in free}]
    for point in points:
        values = dict(zip([c["name"] for c in ranges], point, strict=True))
        values |= {c["name"]: drawn(c, random) for c in free if c["kind"] == "matrix"}
        found.append({c["name"]: tensor_of(c, values[c["name"]]) for c in free})
    return found


def drawn(control, random):
    """Numbers that a reader might type."""
    low, high = control["low"], control["high"]
    numbers = random.uniform(low, high, control["shape"])
    whole = control["dtype"] in ("int64", "bool")
    return (np.clip(np.rint(numbers), low, high) if whole else numbers).tolist()


def exported(function, fixed, values, as_panel):
    """The graph at some options of the controls with stops, and its sentence in pieces."""
    pieces = []

    def tables(**inputs):
        with Watch() as watch:
            result = function(**fixed, **inputs)
        panels, sentence = named_panels(result, as_panel)
        pieces[:] = watch.sentence(sentence)
        found = [table for name, panel in panels.items() for table in tables_of(name, panel)]
        written = [number.double() for number in watch.numbers]
        return [*found, torch.stack(written)] if written else found

    try:
        page = graph(tables, values, inside=False).page()
    except NotForThePageError as error:
        raise NotForThePageError(f"{error}{line_of(function, fixed, values, error)}") from error
    return lean(page), list(pieces)


def lean(page):
    """A graph with each step once."""
    first = len(page["constants"]) + len(page["inputs"])
    ids, known = list(range(first)), {}

    def renamed(part):
        return re.sub(r'"%(\d+)"', lambda found: f'"%{ids[int(found[1])]}"', json.dumps(part))

    for step in page["steps"]:
        ids.append(known.setdefault(renamed(step), first + len(known)))
    return {
        "inputs": page["inputs"],
        "constants": page["constants"],
        "steps": [json.loads(step) for step in known],
        "outputs": json.loads(renamed(page["outputs"])),
    }


def tables_of(name, panel):
    """The tables of a panel as tensors, in the order of their names."""
    try:
        found = panel.tensors(live_tensors)
    except NotImplementedError as error:
        raise NotForThePageError(
            f"panel {name!r}: a live figure can't compute a panel of {type(panel).__name__}; "
            "leave it out, or leave out live=True"
        ) from error
    return [found[key] for key in sorted(found)]


def line_of(function, fixed, values, error):
    """The line whose call a page cannot do, in brackets: the first after which it is refused."""
    if " (line " in str(error):
        return ""

    def refused(most):
        def begun(**inputs):
            watch = Watch(most)
            with watch, contextlib.suppress(EnoughError):
                function(**fixed, **inputs)
            return watch.made

        try:
            graph(begun, values, inside=False)
        except NotForThePageError:
            return True
        return False

    with Watch() as whole:
        function(**fixed, **values)
    low, high = 0, len(whole.calls)  # after `low` calls all is well
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if refused(middle) else (middle, high)
    return told(whole.calls[high - 1]) if whole.calls else ""


def agree(page, pieces, values, states, at):
    """Raise unless a graph says the same as the function itself at one sample."""
    found, numbers = numbers_of(page, list(values.values()))
    tables = [part[key][at] for part in states.tables for key in sorted(part)]
    for one, truth in zip(found, tables, strict=True):
        shape = one.shape
        span = np.nanmax(np.abs(truth), initial=0) or 1.0
        if not np.allclose(one, truth[: shape[0], : shape[1]], 0, ROOM * span, equal_nan=True):
            raise differs(values)
    if written(pieces, numbers) != states.says[at]:
        raise differs(values)


def differs(values):
    told = ", ".join(f"{name}={plain(x)!r}" for name, x in values.items())
    return NotForThePageError(
        f"what PyTorch wrote down of the function gives other numbers than the function (at {told})"
        "; does it use anything that changes besides its arguments?"
    )


def numbers_of(page, inputs):
    """The tables of a graph as arrays, and the numbers of its sentence, computed by PyTorch."""
    with torch.no_grad():
        values = evaluate(page, inputs)
    found = [values[int(one[1:])].double().numpy() for one in page["outputs"]]
    tables = [one for one in found if one.ndim == 2]
    return tables, next((one.tolist() for one in found if one.ndim == 1), [])


def written(pieces, numbers):
    """A sentence with its numbers."""
    return "".join(
        part if isinstance(part, str) else format(type_of(part[1])(numbers[part[0]]), part[1])
        for part in pieces
    )


def type_of(style):
    """The type of a number that is written in a style: whole numbers are written as such."""
    return int if style == "d" else float
