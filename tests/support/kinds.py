"""Figures of every kind of panel and of control, in which words and marks are touched."""

import functools

import living
import pytest
import torch
from examples import QUESTION, STEPS, draw, figure, html_of, keeper, kernels, lengths, steps, without_still_pictures

import d2lmini as d

TOKENS = ["the", "animal", "didn't", "cross", "it", "was", "too", "tired"]
TEXTS = {"it": TOKENS, "zh": ["我", "爱", "注意力", "。"]}
WEIGHTS = torch.softmax(2 * draw(8, 8), -1)
HEADS = torch.softmax(2 * draw(2, 2, 3, 8, 8, seed=1), -1)


def sentence(query=4, masked=False):
    """One row; the touched word looks."""
    row = WEIGHTS[query].clone()
    if masked:
        row[query + 1 :] = -torch.inf
    says = f"“{TOKENS[query]}” looks most at “{TOKENS[int(row.argmax())]}”."
    return {"sentence": d.Words(TOKENS, row, touch="query"), "says": says}


def pairs(query=4, sharp=1):
    """Two rows with lines, and the heatmap of the same weights."""
    weights = torch.softmax(sharp * draw(8, 8), -1)
    lines = d.Words(TOKENS, weights, TOKENS, lines=True, touch="query")
    return {"lines": lines, "weights": d.Heatmap(weights, xticks=TOKENS, yticks=TOKENS)}


def heads(text="it", layer=1, head=1):
    """A grid of heads over words of two sentences."""
    size, which = len(TEXTS[text]), list(TEXTS).index(text)
    return {
        "heads": d.Grid("words", ("layer", "head"), [[1, 2, 3], [4, 5, 6]], "turn"),
        "words": d.Words(TEXTS[text], HEADS[which, layer - 1, head - 1, :size, :size]),
    }


def date(step):
    out = "1998-05"
    weights = torch.softmax(draw(7, 5, seed=2), -1)[step]
    return {"date": d.Words(list("may98"), weights, list(out[: step + 1]))}


HOURS = torch.linspace(0, 10, 21)
READINGS = torch.sin(HOURS)
AROUND = torch.linspace(-3, 3, 25)


def morning(q=4.0, width=1.0):
    """A bell that is pushed along, and readings as large and as red as their weights."""
    weights = torch.softmax(-(((HOURS - q) / width) ** 2) / 2, 0)
    return d.Curve(
        HOURS,
        {"output": READINGS, "key": torch.where(HOURS > 5, torch.nan, 0.5)},
        {"value": (q, float(weights @ READINGS))},
        "hour",
        "degrees",
        marks={
            "bell": d.Area(q + AROUND * width, torch.exp(-(AROUND**2) / 2)),
            "q": d.Rules(q),
            "width": d.Points((q + width, 0.6)),
            "readings": d.Points(torch.stack([HOURS, READINGS], 1), size=weights, role="weight"),
        },
        drag={"bell": "q", "width": "width"},
    )


def cloud(spread=2, divide=False):
    values = torch.linspace(-1, 1, 101) * (1 if divide else spread)
    return d.Plot(
        {
            "scores": d.Histogram(values, torch.linspace(-8, 8, 33)),
            "band": d.Bands(x=(-spread / 2, spread / 2)),
            "middle": d.Lines([[[-1, 0], [-1, 9]], [[1, 0], [1, 9]]], dashed=True),
            "triangle": d.Regions([[-1, 0], [1, 0], [0, 9]]),
        },
        xlim=(-2 * spread, 2 * spread),
        ylim=(0, 40),
    )


MADE = {
    sentence: {"query": range(8), "masked": False},
    pairs: {"query": range(8), "sharp": [1, 3, 0]},
    heads: {"text": list(TEXTS), "layer": [1, 2], "head": [1, 2, 3]},
    date: {"step": range(7)},
    keeper: {"x": STEPS, "y": STEPS, "temper": [0.5, 1.0]},
    morning: {"q": (0.0, 10.0, 0.5), "width": [0.5, 1.0, 1.5]},
    cloud: {"spread": [1, 2, 4], "divide": False},
}


@functools.cache
def of_marks(function):
    """A figure of one of these functions; it is made once, so leave its value alone."""
    return d.explore(function, **MADE[function])


of_words = of_marks


@functools.cache
def every_kind():
    """One that asks and plays is among them; their HTML."""
    asked = figure(lengths, predict=QUESTION, play="len_1")
    text, target = list("saturday may 9 1998"), list("1998-05-09")
    long = d.explore(lambda q: d.Words(text, [0.1] * 19, target, touch="q"), q=range(10), title="Long")
    made = [*map(figure, (lengths, steps, kernels)), asked, *map(of_words, MADE), long]
    made += [living.looking(), living.attending()]
    with pytest.MonkeyPatch.context() as patch:
        without_still_pictures(patch)
        return html_of(*made)
