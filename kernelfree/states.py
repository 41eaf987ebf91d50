"""All states of a figure: computed by calling its function, and stored compactly."""

import difflib
import functools
import inspect
import itertools
import json
import math
import time

import numpy as np

from .arrays import without_gradients
from .language import say
from .notebook import attended, in_notebook
from .numerals import MOST, decimals_of, pack, sums, unpack
from .panels import KINDS, Panel
from .panels._marks import Mark
from .texts import (
    MAX_SENTENCE,
    WORDS,
    called,
    check_text,
    decode,
    encode,
    is_numeric,
    sentence,
    shortened,
    shown,
)
from .widget import VIEW

# What `explore` takes for itself, so that no control can be called so.
OPTIONS = ("title", "address", "labels", "predict", "play", "light", "live", "as_panel")
# Combinations of controls, and numbers that the function may return in all.
MAX_STATES = 4096
MAX_NUMBERS = 20_000_000
# Characters that a figure's numbers and words may add to its page.
MAX_CHARACTERS = 1_000_000
# So many numbers could be too much for a page; they are tried a few rows at a time.
ENOUGH_NUMBERS, ROWS = 2 * MAX_CHARACTERS, 8


def count_states(controls):
    """The number of combinations; too many is an error that says what to thin."""
    sizes = [len(c["options"]) for c in controls]
    states = math.prod(sizes)
    if states > MAX_STATES:
        product = " x ".join(f"{c['name']} ({len(c['options'])})" for c in controls)
        raise ValueError(
            f"explore: {product} make {states:,} combinations, at most {MAX_STATES:,} are "
            f"possible; thin {longest(controls)!r}, which has the most values{unstopped(controls)}"
        )
    return states


def unstopped(controls):
    """How a page could do without the stops of a slider, in words, if it has one."""
    sliders = [c for c in controls if is_numeric(c)]
    if not sliders:
        return ""
    one = max(sliders, key=lambda c: len(c["options"]))
    span = float(min(one["options"])), float(max(one["options"]))
    return (
        f"; or let the page run the function, if it is PyTorch's: live=True, {one['name']}={span}"
    )


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
            takes = ", ".join(n for n in inspect.signature(function).parameters if n in named)
            raise TypeError(
                f"control {unknown[0]!r}: the function does not take it (it takes "
                f"{takes or 'nothing'}), and explore has no such option"
                f"{meant(unknown[0], [*OPTIONS, *named])}"
            )
    for p in parameters:
        if p.name in OPTIONS and p.default is p.empty:
            raise TypeError(
                f"explore: the function needs {p.name!r}, which is an option of explore itself; "
                "give the parameter another name"
            )
    try:
        signature.bind(**dict.fromkeys(names))
    except TypeError as error:
        raise TypeError(f"explore: no control gives what the function needs: {error}") from None


def meant(name, names):
    """Which of some names was meant, in words; '' if none is like it."""
    close = difflib.get_close_matches(name, names, 1)
    return f"; did you mean {close[0]}?" if close else ""


def named_panels(result, as_panel):
    """The panels of a result as a dict, name -> panel, and the sentence among them, or ''.

    `as_panel` makes a panel of what is none.
    """
    if not isinstance(result, dict):
        result = {"": as_panel(result) if isinstance(result, str) else result}
    for name in result:
        if not isinstance(name, str):
            raise TypeError(f"explore: the name of a panel must be a string, got {name!r}")
        check_shown(called(name), result[name])
    sentences = [given for given in result.values() if isinstance(given, str)]
    if len(sentences) > 1:
        raise ValueError(
            f"explore: a figure says one sentence, got {sentences[0]!r} and {sentences[1]!r}"
        )
    if len(sentences) == len(result):
        raise ValueError(f"explore: the function returned no panels: {result!r}")
    panels = {
        name: panel if isinstance(panel, Panel) else as_panel(panel)
        for name, panel in result.items()
        if not isinstance(panel, str)
    }
    return panels, "".join(sentences)


def check_shown(what, given):
    """Raise if it is what authors return by mistake, with what to return instead."""
    first = given[0] if isinstance(given, list | tuple) and given else given
    if given is None:
        advice = "did the function forget `return`?" if what == called("") else "leave it out"
    elif isinstance(given, dict):
        advice = "all panels stand in one dict, name -> panel"
    elif isinstance(given, Mark):
        kind = type(given).__name__
        advice = f"put it into a Plot or a Plane, such as Plot({{'it': {kind}(...)}})"
    elif isinstance(given, type):
        advice = f"call it, {given.__name__}(...)"
    elif isinstance(given, list | tuple) and any(isinstance(one, Panel) for one in given):
        advice = "return a dict of them, name -> panel"
    elif hasattr(getattr(first, "figure", None), "savefig") and not hasattr(first, "savefig"):
        advice = "return its figure, such as axes.figure"
    else:
        return
    got = "None" if given is None else type(given).__name__
    raise TypeError(
        f"{what}: expected an array, a panel, a number, a picture or text, got {got}; {advice}"
    )


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
        if not (in_notebook() and attended()):
            self.start = math.inf
            return
        from IPython.display import display
        from ipywidgets import IntProgress

        self.bar = IntProgress(0, 0, self.total, description=say("Computing"))
        # The view alone: what needs a kernel is not saved, so nothing else may be shown.
        view = {"version_major": 2, "version_minor": 0, "model_id": self.bar.model_id}
        bundle = {VIEW: view}
        self.handle = display(bundle, raw=True, display_id=True)

    def __exit__(self, *error):
        if self.bar:
            self.handle.update({}, raw=True)
            self.bar.close()


def strings(spec):
    """All texts of a panel."""
    if isinstance(spec, str):
        yield spec
    elif isinstance(spec, dict | list | tuple):
        # An author's content may be long; its panel checks it.
        parts = [spec[key] for key in spec if key != "content"] if isinstance(spec, dict) else spec
        for part in parts:
            yield from strings(part)


class States:
    """What the panels of all states are, gathered state by state.

    Attributes
    ----------
    specs : list of lists of dict
        For each panel its different specs, which differ in words alone.
    which : list of lists of int
        For each panel the spec of each state.
    tables : list of dict
        For each panel: table name -> array (states, rows, columns), masked cells as NaN.
    says : list of str
        The sentence of each state.
    """

    def __init__(self, controls, as_panel, formulas):
        self.as_panel, self.formulas = as_panel, formulas
        self.controls, self.total = controls, count_states(controls)
        self.specs, self.which, self.tables, self.says = None, None, None, []
        self.characters = 0

    def add(self, result):
        """Take what the function returned for the next state."""
        panels, says = named_panels(result, self.as_panel)
        check_text("the sentence", says, MAX_SENTENCE)
        whats = [called(name) for name in panels]
        specs = [
            {"name": name, **panel.spec(what)}
            for what, (name, panel) in zip(whats, panels.items(), strict=True)
        ]
        for what, spec in zip(whats, specs, strict=True):
            for text in strings(spec):
                check_text(what, text)
            if any("$" in text for text in strings(spec)):
                spec |= self.formulas.mark(what, spec)
        if self.specs is None:
            self.specs, self.which = [[spec] for spec in specs], [[] for _ in specs]
            self.known = [{} for _ in specs]
        same_panels([variants[0] for variants in self.specs], specs)
        parts = [panel.tables(what) for what, panel in zip(whats, panels.values(), strict=True)]
        if self.tables is None:
            self.tables = self.room(parts)
        state = len(self.says)
        for what, spec, tables, part in zip(whats, specs, self.tables, parts, strict=True):
            same_tables(what, tables, part, spec)
            for key, table in part.items():
                rows, columns = table.shape
                tables[key] = roomy(tables[key], table.shape)
                tables[key][state] = np.nan
                tables[key][state, :rows, :columns] = table
        for known, variants, which, spec in zip(
            self.known, self.specs, self.which, specs, strict=True
        ):
            place = known.setdefault(json.dumps(spec), len(known))
            if place == len(variants):
                variants.append(spec)
                self.weigh(spec)
            which.append(place)
        self.says.append(says)

    def weigh(self, spec):
        """Raise as soon as an author's content is more than a page may have."""
        self.characters += len(json.dumps(spec["content"])) if "content" in spec else 0
        if self.characters > MAX_CHARACTERS:
            raise ValueError(
                f"explore: {len(self.says) + 1:,} of {self.total:,} combinations already add "
                f"{self.characters:,} characters of content to the page, at most "
                f"{MAX_CHARACTERS:,} are possible; thin {longest(self.controls)!r}, or show less: "
                "smaller pictures, shorter texts"
            )

    def room(self, parts):
        size = sum(table.size for part in parts for table in part.values()) * self.total
        if size > MAX_NUMBERS:
            raise ValueError(
                f"explore: {self.total:,} combinations give {size:,} numbers, at most "
                f"{MAX_NUMBERS:,} are possible; thin {longest(self.controls)!r} or show less"
            )
        return [
            {key: np.empty((self.total, *table.shape)) for key, table in part.items()}
            for part in parts
        ]


def compute(function, controls, as_panel, formulas):
    """Call the function for every combination; returns the `States`."""
    names = [c["name"] for c in controls]
    states, weighed = States(controls, as_panel, formulas), False
    with without_gradients(), Progress(states.total) as progress:
        for done, options in enumerate(itertools.product(*map(shown, controls))):
            visit(function, dict(zip(names, options, strict=True)), states)
            progress.step(done + 1)
            weighed = weighed or weigh(states, done + 1)
    return states


def weigh(states, done):
    """Raise if the first states alone are more than a page may have; whether they were looked at.

    That is once, where they are so many numbers that it could be, and are all states of a figure
    with fewer values of one control, and one value of those before it.
    """
    inner = []
    for control in reversed(states.controls):
        if math.prod(inner) * len(control["options"]) > done:
            break
        inner.insert(0, len(control["options"]))
    outer, rest = divmod(done, math.prod(inner))
    tables = [table for part in states.tables for table in part.values()]
    if rest or done * sum(table.size for table in tables) < ENOUGH_NUMBERS * states.total:
        return False
    characters = 0
    for table in tables:
        for row in range(0, table.shape[1], ROWS):
            # As coarse as any table is stored.
            rows = store(table[:done, row : row + ROWS], [outer, *inner], fine=0.005)
            characters += len(json.dumps(rows))
            if characters > MAX_CHARACTERS:
                thin = f"thin {longest(states.controls)!r} or " if done > 1 else ""
                raise ValueError(
                    f"explore: {done:,} of {states.total:,} combinations alone take more than "
                    f"the {MAX_CHARACTERS:,} characters that are possible; {thin}show fewer numbers"
                )
    return True


def visit(function, values, states):
    """Call the function for one state and gather what it returns; errors say at which values."""
    state = ", ".join(f"{name}={plain(value)!r}" for name, value in values.items())
    try:
        result = function(**values)
    except Exception as error:
        function_name = getattr(function, "__name__", type(function).__name__)
        mixed = "'numpy.ndarray' and 'Tensor'" in str(error)
        advice = "; with live=True values are tensors: make the array one, too" if mixed else ""
        raise ValueError(
            f"explore: {function_name}({state}) raised {type(error).__name__}: {error}{advice}"
        ) from error
    try:
        states.add(result)
    except (TypeError, ValueError) as error:
        # The author's mistake is in the message, not in lines of this package.
        raise type(error)(f"{error} (at {state})") from None


def plain(given):
    """A single number of NumPy or torch as Python's own."""
    return given.item() if getattr(given, "ndim", None) == 0 else given


def same_panels(first, now):
    """Raise if panels differ from those of the first state in more than their words."""
    if len(now) != len(first):
        raise ValueError(
            f"explore: the panels are {[p['name'] for p in now]}, "
            f"but {[p['name'] for p in first]} for the first combination"
        )
    for before, after in zip(first, now, strict=True):
        for key in {**before, **after}:
            if key in WORDS or (key == "shape" and ragged(after, "cells")):
                continue
            if after.get(key) != before.get(key):
                one, other = after.get(key), before.get(key)
                advice = "; Lines in a Plot may change" if key == "x" else ""
                raise ValueError(
                    f"{called(after['name'])}: its {key} {difference(one, other)} for the first "
                    f"combination; it must be the same in every state{advice}"
                )


def difference(now, first):
    """How two values differ, in words; of long lists the first place where they do."""
    if isinstance(now, list) and isinstance(first, list) and len(now) == len(first) > 4:
        at = next(i for i, pair in enumerate(zip(now, first, strict=True)) if pair[0] != pair[1])
        return f"has {now[at]!r} at place {at + 1}, but {first[at]!r}"
    shown = [shortened(one) if isinstance(one, list) else one for one in (now, first)]
    return f"is {shown[0]}, but {shown[1]}"


def ragged(spec, key):
    """Whether a table of a panel may have more or fewer numbers in another state."""
    return KINDS[spec["kind"]].ragged(key, spec)


def roomy(table, shape):
    """A table of all states with room for one of this shape; what is new is masked."""
    more = [max(0, new - old) for old, new in zip(table.shape[1:], shape, strict=True)]
    pad = [(0, 0), *((0, count) for count in more)]
    return np.pad(table, pad, constant_values=np.nan) if any(more) else table


def same_tables(what, first, now, spec):
    """Raise if a panel's marks are others, or more, than in the first state."""
    shapes = [
        {key: None if ragged(spec, key) else table.shape[-2:] for key, table in part.items()}
        for part in (first, now)
    ]
    if shapes[0] != shapes[1]:
        raise ValueError(
            f"{what}: it has numbers of shapes {shapes[1]}, but {shapes[0]} for the first "
            "combination; they must be the same in every state; lines, areas and histograms that "
            "are not dragged may change, and so may a figure of matplotlib"
        )


def store(table, sizes, summed=True, fine=0.0005):
    """One table over all states as compact text.

    Numbers are rounded to decimals that are fine enough for an error of at most `fine` of the
    table's range; one that would have less than two digits has its own. Each row is stored only
    for the controls that it depends on, followed by its sum if `summed`. What changes smoothly is
    stored as differences.

    Parameters
    ----------
    table : array of shape (states, rows, columns), masked cells as NaN
    sizes : list of the number of options of each control

    Returns
    -------
    dict
        'sums' if there are any, 'columns' (with them), 'decimals' and 'data': what stands for a
        masked cell (numbers with digits of their own are below it, see `numerals.pack`), and for
        each row of the table the text of `squeeze`, separated by blanks.
    """
    decimals = decimals_of(table, fine)
    if summed:
        table = np.concatenate([table, sums(table)], -1)
        largest = np.nanmax(np.abs(table), initial=0)
        while largest * 10.0**decimals >= MOST:
            decimals -= 1
    whole, gap = pack(table, decimals)
    columns = whole.shape[-1]
    rows = [squeeze(whole[:, row].reshape(*sizes, columns)) for row in range(whole.shape[1])]
    return {
        **({"sums": True} if summed else {}),
        "columns": columns,
        "decimals": decimals,
        "data": " ".join([str(gap), *rows]),
    }


def squeeze(numbers):
    """Integers over the options of each control and a last axis as 'used:steps:numbers'.

    Bit i of `used` is set if the numbers depend on control i; they are stored for those alone.
    Along the axes of the bits in `steps` they are differences: the shortest text wins.
    """
    last = numbers.ndim - 1
    used = 0
    for axis in range(last):
        first = numbers.take([0], axis)
        if (numbers == first).all():
            numbers = first
        else:
            used += 2**axis
    texts = []
    for steps in {0, used, 2**last, used + 2**last}:
        found = numbers
        for axis in range(last + 1):
            if steps >> axis & 1 and found is not None:
                found = np.diff(found, axis=axis, prepend=0)
                found = None if np.abs(found).max() > MOST else found
        if found is not None:
            texts.append(f"{used}:{steps}:{encode(found)}")
    return min(texts, key=lambda text: (len(text), text))


def unsqueeze(text, sizes, columns):
    """What `squeeze` has made text of: which controls are used, and the numbers."""
    used, steps, numbers = text.split(":")
    used, steps = int(used), int(steps)
    shape = [size if used >> axis & 1 else 1 for axis, size in enumerate(sizes)]
    found = decode(numbers).reshape(*shape, columns)
    for axis in range(len(shape) + 1):
        if steps >> axis & 1:
            found = found.cumsum(axis)
    return used, found


class Table:
    """The numbers of a figure in any state, looked up in what it has stored."""

    def __init__(self, state, sizes):
        self.state, self.sizes = state, sizes

    def reader(self):
        """A function (number of a table, places) -> its rows; it unpacks each table once."""
        unpacked = functools.cache(
            lambda number: unstored(self.state["tables"][number], self.sizes)
        )
        return lambda number, places: rows_at(unpacked(number), places)

    def says(self, places):
        return sentence(self.state["says"], self.sizes, places)


def unstored(stored, sizes):
    """A stored table, its gap, and of each row the controls that it depends on and its numbers."""
    gap, *entries = stored["data"].split(" ")
    return stored, int(gap), [unsqueeze(entry, sizes, stored["columns"]) for entry in entries]


def rows_at(unpacked, places):
    """The rows of one state: masked cells as NaN, the sums left out."""
    stored, gap, rows = unpacked
    whole = np.array(
        [
            numbers[tuple(p if used >> i & 1 else 0 for i, p in enumerate(places))]
            for used, numbers in rows
        ]
    )
    return unpack(whole[:, :-1] if stored.get("sums") else whole, gap, stored["decimals"])
