"""Types: scripts keep to them, and so does what Python hands to the page."""

import copy
import itertools
import json
import re
import subprocess

import made_scripts
import pytest

import chapters
import kernelfree as kf
import kernelfree.book
from kernelfree.panels import KINDS

ROOT = chapters.ROOT
TSC = ROOT / "node_modules" / ".bin" / "tsc"
TYPES = ROOT / "kernelfree" / "js" / "types"


def test_scripts_have_no_error_of_types():
    made_scripts.node(TSC)


def wrong(states, folder):
    """Which of the states the declaration does not allow; each is a FigureState or a TraceState."""
    lines = [f"import type {{ FigureState, TraceState }} from {json.dumps(str(TYPES))};"]
    for n, state in enumerate(states):
        kind = "TraceState" if "source" in state else "FigureState"
        lines.append(f"export const state{n}: {kind} = {json.dumps(state)};")
    (folder / "states.ts").write_text("\n".join(lines), encoding="utf-8")
    options = ["--noEmit", "--strict", "--ignoreConfig", "--types", ""]
    done = subprocess.run([TSC, *options, "states.ts"], cwd=folder, capture_output=True, text=True)
    found = {int(line) - 2 for line in re.findall(r"^states\.ts\((\d+),", done.stdout, re.M)}
    assert bool(found) == bool(done.returncode), done.stdout + done.stderr
    return found


@pytest.fixture(scope="module")
def states():
    """What notebooks have stored, the smallest first, and panels that no notebook has."""
    pairs = itertools.product(chapters.pages(), ("kernelfree-figure", "kernelfree-trace"))
    stored = [state for pair in pairs for _, state in chapters.stored_figures(*pair)]
    rest = kf.explore(lambda t: {"t": kf.Text("a"), "h": kf.Html("<b>a</b>")}, t=[1, 2])
    return sorted([*stored, json.loads(json.dumps(rest._state))], key=lambda one: len(str(one)))


def objects(state):
    """A state, its controls and panels, which name their kind, and their marks, their type."""
    kinds = [*state.get("controls", ()), *state.get("panels", ())]
    return [state, *kinds, *(mark for one in kinds for mark in one.get("marks", ()))]


def kinds(state):
    return {one.get("kind", one.get("type")) for one in objects(state)}


def test_what_python_hands_to_the_page_is_as_declared(states, tmp_path):
    made = set().union(*map(kinds, states))
    assert made >= {*KINDS, "slider", "menu", "switch", "range", "matrix"}
    assert made >= {"links", "paths", "field"}
    assert len(states) > 50
    assert wrong(states, tmp_path) == set()


# What tells a mark, a control or panel, and a state -> a key of it whose value is no number.
SORTS = {"type": "key", "kind": "name", "title": "start"}


def test_what_is_not_declared_is_found(states, tmp_path):
    """In each kind of object: one key more, one less, and a value of another type."""

    def sort(one):
        return next(key for key in SORTS if key in one)

    more, less = lambda one: one.update(surprise=1), lambda one: one.pop(sort(one))
    changes = more, less, lambda one: one.update({SORTS[sort(one)]: 1})
    broken, seen = [], set()
    for state in states:
        if kinds(state) <= seen:
            continue
        seen |= kinds(state)
        for place, change in itertools.product(range(len(objects(state))), changes):
            broken.append(copy.deepcopy(state))
            change(objects(broken[-1])[place])
    assert len(broken) > 100
    assert wrong(broken, tmp_path) == set(range(len(broken)))
