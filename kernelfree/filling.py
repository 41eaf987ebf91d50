"""A function as a figure's state: what a page needs to know of it, as JSON.

Python writes it once; the page only looks numbers up and draws them.
"""

import hashlib
import json
import re
import unicodedata
from collections.abc import Mapping

import numpy as np

from . import controls as stops
from .arrays import LEAST
from .controls import Matrix, has_stops, is_free, place
from .errors import NotForThePageError
from .interact import named_among, taken
from .language import say
from .panels import KINDS, bind, finish
from .panels import as_panel as usual_panel
from .prediction import Prediction
from .states import MAX_CHARACTERS, accepts, compute, longest, store
from .tex import Formulas
from .texts import called, check_text, merged, sentences

# Controls that a button can step through.
SLIDERS = ("slider", "range")


def filled(
    function,
    controls,
    title=None,
    address=None,
    labels=None,
    predict=None,
    play=None,
    light=None,
    live=False,
    tools=False,
    as_panel=None,
):
    """The state of the figure that `explore` makes, its `States`, and what its controls are."""
    check_options(function, title, address, labels, predict, play, light, live, tools, as_panel)
    check_text("title", title or "")
    accepts(function, controls)
    given, called_by_name = taken(function, controls)
    if not given:
        raise ValueError("explore: no controls; name at least one, such as length=range(1, 5)")
    labels = labels or {}
    if unknown := [name for name in labels if name not in given]:
        raise ValueError(f"labels: there is no control {unknown[0]!r}")
    words = address if isinstance(address, Mapping) else {"": address}
    if unknown := [name for name in words if name and name not in given]:
        raise ValueError(f"address: there is no control {unknown[0]!r}")
    name = title_of(function) if title is None else title
    state = {"id": slug(words.get("") or name), "title": say(name) if title is None else title}
    if play:
        state["play"] = play
    if light:
        state["light"] = light
    if tools:
        state["tools"] = True
    as_panel = as_panel or usual_panel
    try:
        states = fill(state, called_by_name, given, labels, words, predict, bool(live), as_panel)
    except (NotForThePageError, ImportError):
        if live != "if possible" or any(isinstance(one.values, Matrix) for one in given.values()):
            raise
        states = fill(state, called_by_name, given, labels, words, predict, False, as_panel)
    return state, states, given


def title_of(function):
    """A figure's title where its author gives none: the function's name."""
    name = getattr(function, "__name__", type(function).__name__)
    return name.strip("<>_").replace("_", " ")


def slug(title):
    """A figure's address in its page, which no heading has."""
    # Letters, marks, digits and signs of any script stay; blanks, points and ASCII's signs do not.
    kept = [
        c if c.isalnum() or (c > "\x7f" and unicodedata.category(c)[0] not in "CPZ") else "-"
        for c in unicodedata.normalize("NFC", title.lower())
    ]
    name = re.sub("-+", "-", "".join(kept)).strip("-")
    return f"figure-{name or hashlib.sha256(title.encode()).hexdigest()[:8]}"


def option(control, given, named=None):
    """The option or the number that a value means, or an error that names the control."""
    given = named.name_of(given) if named else given
    if not has_stops(control):
        from .live.free_controls import value_of

        return value_of(control, given)
    if (at := place(control, given)) is None:
        raise ValueError(
            f"control {control['name']!r} has no value {given!r}; it has "
            f"{stops.options_near(control, given)}"
        )
    return control["options"][at]


def states_of(predict, specs, named):
    """The states of a prediction, `at` and `then`, as options of the controls."""
    controls = {c["name"]: c for c in specs}
    found = {}
    for when in ("at", "then"):
        found[when] = {}
        for name, given in (getattr(predict, when) or {}).items():
            if name not in controls:
                raise ValueError(f"predict, {when}: there is no control {name!r}")
            try:
                found[when][name] = option(controls[name], given, named.get(name))
            except ValueError as error:
                raise ValueError(f"predict, {when}: {error}") from None
    return found


def fill(state, function, given, labels, words, predict, live, as_panel):
    """Compute a figure's states, all of them or for graphs, and write down what the page needs."""
    tables = [name for name, one in given.items() if isinstance(one.values, Matrix)]
    if tables and not live:
        raise TypeError(f"control {tables[0]!r}: a Matrix needs live=True")
    if live:
        from .live import combinations
        from .live import free_controls as free
        from .live import stored as live_stored
    specs, formulas = [], Formulas()
    state["title"] = formulas.mark("title", state["title"])
    for name, one in given.items():
        label = str(labels.get(name, one.label or say(name.replace("_", " "))))
        label = formulas.mark(f"control {name!r}, its label", label)
        if live and is_free(one.values):
            specs.append(free.control(name, one.values, label))
        else:
            specs.append(stops.control(name, one.values, label, words.get(name)))
    if live and all(map(has_stops, specs)):
        raise ValueError(
            "live: every control has stops; give one without, as (low, high) between floats or as "
            "a Matrix"
        )
    if "play" in state and state["play"] not in [c["name"] for c in specs if c["kind"] in SLIDERS]:
        raise ValueError(f"play: there is no slider {state['play']!r}")
    state["controls"] = specs
    state["start"] = {}
    for c in specs:
        one, found = given[c["name"]], stops if has_stops(c) else free
        if one.start is None:
            state["start"][c["name"]] = found.start(function, c, one.values)
        else:
            state["start"][c["name"]] = option(c, one.start)
    if predict:
        moves = states_of(predict, specs, named_among(given))
        state["start"].update(moves["at"])
        state["predict"] = {**predict.replies(), "then": moves["then"]}
    if live:
        states, found = combinations.compute(function, specs, state["start"], as_panel, formulas)
    else:
        states = compute(function, specs, as_panel, formulas)
    check_sizes(states)
    bind(states.specs, states.tables, specs)
    state["scales"] = finish(states.specs, states.tables)
    if predict:
        state["predict"]["hide"] = predict.hidden(states.specs)
    state.update(live_stored.stored(states, found, specs) if live else stored(states))
    if formulas.found:
        state["tex"] = formulas.found
    check_size(state, specs)
    return states


def check_sizes(states):
    """Raise if all numbers of a panel are too small for a scale."""
    for specs, part in zip(states.specs, states.tables, strict=True):
        for table in part.values():
            largest = np.nanmax(np.abs(table), initial=0.0)
            if 0 < largest < LEAST:
                raise ValueError(
                    f"{called(specs[0]['name'])}: its largest number must be 0 or at least "
                    f"{LEAST:g} in size, got {largest:g}"
                )


def check_options(function, title, address, labels, predict, play, light, live, tools, as_panel):
    """Raise if an option of explore is something else, such as a control of the same name."""
    if not callable(function):
        raise TypeError(f"explore: expected a function, got {type(function).__name__}")
    expected = {
        "title": (title, str, "a string"),
        "address": (address, str | Mapping, "a string or a dict"),
        "labels": (labels, Mapping, "a dict"),
        "predict": (predict, Prediction, "a Prediction"),
        "play": (play, str, "the name of a slider"),
        "light": (light, str, "a word that figures share"),
        "tools": (tools, bool, "True or False"),
    }
    if as_panel is not None and not callable(as_panel):
        raise TypeError(f"as_panel: expected a function, got {type(as_panel).__name__}")
    if live not in (True, False, "if possible"):
        raise TypeError(f"live: expected True, False or 'if possible', got {live!r}")
    for name, (given, kind, what) in expected.items():
        if given is not None and not isinstance(given, kind):
            raise TypeError(
                f"{name}: expected {what}, got {type(given).__name__}; it is an option of "
                f"explore, so no control can be called {name!r}"
            )


def stored(states):
    """The panels, their tables and what the figure says, as text; raise if that is too much.

    Each different table is stored once; the panels have their numbers.
    """
    sizes = [len(c["options"]) for c in states.controls]
    known, panels = {}, []
    for variants, which, part in zip(states.specs, states.which, states.tables, strict=True):
        numbered = {}
        for key, table in part.items():
            fine = KINDS[variants[0]["kind"]].fineness(key, variants[0], table)
            text = json.dumps(store(table, sizes, key == "cells", fine))
            numbered[key] = known.setdefault(text, len(known))
        panels.append({**merged(variants, which, sizes), "tables": numbered})
    found = {"panels": panels, "tables": [json.loads(text) for text in known]}
    if any(states.says):
        found["says"] = sentences(states.says, sizes)
    return found


def check_size(state, specs):
    """Raise if what a figure has computed is too much for a page."""
    found = {key: state.get(key) for key in ("panels", "tables", "says", "live")}
    size = len(json.dumps(found))
    if size > MAX_CHARACTERS:
        stops = [c for c in specs if has_stops(c)]
        thin = f"thin {longest(stops)!r}" if stops else "compute less"
        raise ValueError(
            f"explore: the figure would add {size:,} characters to its page, at most "
            f"{MAX_CHARACTERS:,} are possible; {thin} or show less"
        )
