"""Types: scripts keep to them, and so does what Python hands to the page."""

import copy
import itertools
import json
import re
import subprocess

import examples
import made_scripts
import numpy as np
import pytest
import small_model
import torch
from ipywidgets import SelectionSlider

import chapters
from d2lmini import (
    Arrows,
    Bars,
    Curve,
    Grid,
    Heatmap,
    Matrix,
    Plane,
    Plot,
    Points,
    Words,
    explore,
    trace,
)
from kernelfree import Html, Image, Number, Table, Text
from kernelfree.panels import KINDS

ROOT = chapters.ROOT
TSC = ROOT / "node_modules" / ".bin" / "tsc"
TYPES = ROOT / "kernelfree" / "js" / "types"
TEXT = ["it", "was", "late"]
CORNERS = torch.tensor([[1.0, 0.0], [0.0, 1.0]])


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


def words(head=1, word="it"):
    weights = torch.eye(3)[None].expand(2, 3, 3)
    line = Words(TEXT, weights[head - 1, TEXT.index(word)], touch="word")
    heatmap = Heatmap(weights[head - 1], xticks=TEXT, touch=("word", None))
    return {"heads": Grid("weights", "head"), "line": line, "weights": heatmap}


def logarithms(size=1):
    points = Points([(1.0, size), (10.0, 2.0)], size=[1.0, size])
    return Plot({"sizes": points}, log="xy")


def days(height=1):
    dates = np.array(["2024-02-29", "2024-03-01"], "datetime64[D]")
    points = Plot({"points": Points([(day, height) for day in dates])})
    return {"points": points, "line": Curve(dates, {"height": [0, height]})}


def content(size=1):
    table = Table([["name", "size"], ["a", size]])
    image = Image(torch.eye(2) * size / 2, alt="a diagonal")
    html = Html(f"<b>{size}</b>")
    return {"t": Text(f"{size}"), "n": Number(size), "table": table, "i": image, "h": html}


def turn(x=0.5, end="tip"):
    query = torch.stack([x, x]).float()
    plane = Plane({"keys": Arrows(CORNERS), "query": Arrows(query, [end])}, drag={"query": "x"})
    weights = torch.softmax(CORNERS @ query, 0)
    return {"plane": plane, "weights": Bars(weights), "says": f"At most {weights.max():.2f}."}


def typed(scores, on=True):
    return torch.softmax(scores * on, -1)


def attention(queries, keys):
    return torch.softmax(queries @ keys.T, -1)


@pytest.fixture(scope="module")
def states():
    """States with each kind of panel, control and mark; some have graphs, one is a trace's."""
    steps = {"x": examples.STEPS, "y": examples.STEPS, "temper": [0.5, 1.0]}
    made = [
        *(examples.figure(one) for one in (examples.lengths, examples.steps, examples.kernels)),
        examples.figure(examples.lengths, predict=examples.QUESTION, play="len_1", light="keys"),
        explore(examples.keeper, **steps),
        explore(words, head=(1, 2), word=TEXT),
        explore(logarithms, size=[1.0, 2.0]),
        explore(logarithms, size=SelectionSlider(options=[("small", 1.0), ("large", 2.0)])),
        explore(days, height=[1.0, 2.0]),
        explore(content, size=[1, 2]),
        explore(turn, x=(-1.0, 1.0), end=["tip", "end"], live=True),
        explore(typed, scores=Matrix([[0.0, 1.0]]), on=True, live=True),
        small_model.figure(),
        trace(attention, queries=[[1.0, 0.0]], keys=[[1.0, 2.0], [0.0, 1.0]]),
    ]
    return [json.loads(json.dumps(figure._state)) for figure in made]


def objects(state):
    """A state, its controls and panels, which name their kind, and their marks, their type."""
    kinds = [*state.get("controls", ()), *state.get("panels", ())]
    return [state, *kinds, *(mark for one in kinds for mark in one.get("marks", ()))]


def test_what_python_hands_to_the_page_is_as_declared(states, tmp_path):
    made = (one for state in states for one in objects(state))
    kinds = {one.get("kind", one.get("type")) for one in made}
    assert kinds >= {*KINDS, "slider", "menu", "switch", "range", "matrix"}
    assert kinds >= {"links", "paths", "field"}
    assert wrong(states, tmp_path) == set()


def test_what_notebooks_have_stored_is_as_declared(tmp_path):
    pairs = itertools.product(chapters.pages(), ("kernelfree-figure", "kernelfree-trace"))
    stored = [state for pair in pairs for _, state in chapters.stored_figures(*pair)]
    assert len(stored) > 50
    assert wrong(stored, tmp_path) == set()


# What tells a mark, a control or panel, and a state -> a key of it whose value is no number.
SORTS = {"type": "key", "kind": "name", "title": "start"}


def test_what_is_not_declared_is_found(states, tmp_path):
    """In each kind of object: one key more, one less, and a value of another type."""

    def sort(one):
        return next(key for key in SORTS if key in one)

    changes = (
        lambda one: one.update(surprise=1),
        lambda one: one.pop(sort(one)),
        lambda one: one.update({SORTS[sort(one)]: 1}),
    )
    broken = []
    for state in states:
        for place, change in itertools.product(range(len(objects(state))), changes):
            broken.append(copy.deepcopy(state))
            change(objects(broken[-1])[place])
    assert len(broken) > 100
    assert wrong(broken, tmp_path) == set(range(len(broken)))
