"""Figures that the browser tests and the benchmarks share."""

import functools

import torch

import d2lmini as d
from kernelfree.explorer import Figure


def draw(*shape, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


SCORES = draw(2, 10)
QUERIES, KEYS, VALUES = draw(5, 8, seed=1), draw(6, 8, seed=2), draw(6, 3, seed=3)
LARGE = draw(64, 64, seed=4)
TOKENS = ["the", "cat", "sat", "on", "mats", "."]
X = torch.linspace(-3, 3, 61)


def hide_from(lengths, keys):
    """True where a key is beyond its row's length."""
    return torch.arange(keys)[None] >= torch.tensor(lengths)[:, None]


def lengths(len_1, len_2):
    """A (2, 10) heatmap, 100 states."""
    return torch.softmax(SCORES.masked_fill(hide_from([len_1, len_2], 10), -torch.inf), -1)


def steps(length, scale, kind, mask):
    """From scores to output: four panels, words, masked cells, negative numbers."""
    scores = QUERIES @ KEYS.T * scale if kind == "dot product" else -torch.cdist(QUERIES, KEYS)
    hide = hide_from([length] * 5, 6) & mask
    masked = scores.masked_fill(hide, -torch.inf)
    weights = torch.softmax(masked, -1)
    return {
        "scores": d.Heatmap(scores, "score", xticks=TOKENS),
        "masked scores": d.Heatmap(masked, "score", xticks=TOKENS),
        "weights": d.Heatmap(weights, "weight", masked=hide, xticks=TOKENS),
        "output": d.Heatmap(weights @ VALUES, "output", xlabel="Entries"),
    }


def large(temperature):
    scores = LARGE * temperature
    return {"scores": d.Heatmap(scores, "score"), "weights": d.Heatmap(torch.softmax(scores, -1))}


def kernels(width, shape):
    line = torch.exp(-((X / width) ** 2)) if shape == "round" else (X.abs() < width).float()
    heights = torch.softmax(-torch.arange(8.0) / width, 0)
    lines = {"kernel": line, "flat": torch.full_like(X, 0.5)}
    return {"kernel": d.Curve(X, lines, {"width": (width, 0.25)}, "Distance", "Weight"), "weights": d.Bars(heights)}


ARROWS = torch.tensor([[2.0, 0.5], [-0.5, 1.5], [-1.0, -1.5]])
FRUITS = ["plum", "lime", "mango"]
GRID = torch.linspace(-2.9, 2.9, 30)
PLACES = torch.stack(torch.meshgrid(GRID, GRID, indexing="xy"), -1)
STEPS = [round(-2 + 0.5 * i, 1) for i in range(9)]
SPOTS = torch.tensor([[-2.5, 2.5], [0.0, 2.5], [2.5, 2.5]])


def keeper(x=1.0, y=1.0, temper=1.0):
    """A query among three keys: territories, borders, projections, weights."""
    query = torch.tensor([x, y])
    scores = ARROWS @ query / temper
    weights = torch.softmax(scores, 0)
    shares = torch.softmax(PLACES @ ARROWS.T / temper, -1)
    feet = (ARROWS @ query / (ARROWS**2).sum(1))[:, None] * ARROWS
    return d.Plane(
        {
            "territory": d.Field(GRID, GRID, shares.amax(-1), shares.argmax(-1), names=FRUITS),
            "border": d.Borders(ARROWS.roll(1, 0) - ARROWS),
            "projections": d.Segments(feet, starts=query),
            "keys": d.Arrows(ARROWS, role="key"),
            "weights": d.Points(SPOTS, size=weights, shade=weights, role="weight"),
            "query": d.Arrows(query, [""]),
        },
        "sweet",
        "sour",
        xlim=(-3, 3),
        ylim=(-3, 3),
        drag={"query": ("x", "y")},
    )


CONTROLS = {
    lengths: {"len_1": range(1, 11), "len_2": range(1, 11)},
    steps: {"length": range(1, 7), "scale": [0.25, 0.5, 1.0, 2.0], "kind": ["dot product", "distance"], "mask": True},
    large: {"temperature": [0.1, 0.5, 1, 2]},
    kernels: {"width": [0.5, 1, 2], "shape": ["round", "box"]},
}

QUESTION = d.Prediction(
    "What does a longer valid length do?",
    {
        "It spreads the weight over more keys.": "The softmax runs over the valid keys only.",
        "It changes nothing.": "Keys that were hidden get a weight above zero.",
    },
    "It spreads the weight over more keys.",
)


@functools.cache
def plain(function):
    return d.explore(function, **CONTROLS[function])


def figure(function, **options):
    """A figure of this module's; one without options is made once, so leave its value alone."""
    return d.explore(function, **CONTROLS[function], **options) if options else plain(function)


def without_still_pictures(monkeypatch):
    """Figures that are made from now on have none: drawing them takes most of the time."""
    monkeypatch.setattr(Figure, "_drawing", lambda self: lambda alone: (b"", 1, 1))


@functools.lru_cache(maxsize=32)
def html_at(figure, value, drawing):
    return figure._repr_mimebundle_()[0]["text/html"]


def html_of(*figures):
    """The stored HTML of figures, one after the other; drawing a still picture again is slow."""
    return "\n".join(html_at(one, str(one.value), Figure._drawing) for one in figures)


# A page that becomes dark with its class.
DARK = "<style>html.dark body {background: #14181e; color: #ced6dd}</style>"


def page_of(body, head=""):
    return (
        "<!doctype html><html lang='en'><head><meta charset='utf-8'><title>Test</title>"
        f"<meta name='viewport' content='width=device-width, initial-scale=1'>{head}</head>"
        f"<body><main><h1>Test</h1>{body}</main></body></html>"
    )
