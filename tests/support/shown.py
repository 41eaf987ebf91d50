"""What a figure shows: its panels, its stored tables, what it offers to a notebook."""

import numpy as np
from matplotlib.figure import Figure

import kernelfree as kf
from kernelfree import states


def panel(made, number=0):
    return made._state["panels"][number]


def panel_of(given, **controls):
    made = kf.explore(lambda t: given, t=[1], **controls)
    assert made._picture()[0].startswith(b"\x89PNG")
    return panel(made)


def table(made, key, *places):
    stored = made._state["tables"][panel(made)["tables"][key]]
    sizes = [len(control["options"]) for control in made._state["controls"]]
    return states.rows_at(states.unstored(stored, sizes), places)


def bundle(made):
    data, _ = made._repr_mimebundle_()
    return data


def softmax(scores):
    weights = np.exp(np.asarray(scores, float))
    return weights / weights.sum(-1, keepdims=True)


def weights(first, second):
    lengths = np.array([[first], [second]])
    return (np.arange(4)[None] < lengths) / lengths


def figure(**options):
    return kf.explore(weights, first=range(1, 5), second=range(1, 5), **options)


SENTENCES = {"cat": ["the", "cat", "sat"], "dog": ["a", "big", "dog"]}


def told(which, length):
    weights = softmax(np.arange(9.0).reshape(3, 3) * length / 10)
    names = SENTENCES[which]
    return {
        f"the {which}": kf.Heatmap(weights, xticks=names, yticks=names),
        "line": kf.Curve([0, 1], {f"{which} line": [0, length], "flat": [1, 1]}, {which: (0, 1)}),
        "says": f"{which.title()}: word {length} of 3 has weight {weights[0, length - 1]:.3f}.",
    }


def telling(**options):
    return kf.explore(told, which=list(SENTENCES), length=range(1, 4), **options)


def sheet(size=1):
    figure = Figure(figsize=(3, 2))
    figure.subplots().plot([0, 1], [0, size])
    return figure
