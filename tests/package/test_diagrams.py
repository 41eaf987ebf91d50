"""The diagrams: one picture each, the same every time, and nothing left behind."""

import io
import sys

import matplotlib as mpl
import pytest
from PIL import Image

from d2lmini import diagrams
from d2lmini.figures.palette import ROLES

ALL = [diagrams.pooling, diagrams.padded_minibatch, diagrams.additive_mlp, diagrams.masks]


@pytest.fixture
def shown(monkeypatch):
    """The outputs that a notebook's cell would have."""
    outputs = []
    monkeypatch.setattr(diagrams, "in_notebook", lambda: True)
    monkeypatch.setattr("IPython.display.display", lambda data, raw: outputs.append(data))
    return outputs


def pixels(output):
    return Image.open(io.BytesIO(output["image/png"])).convert("RGB")


@pytest.mark.parametrize("diagram", ALL)
def test_a_diagram_is_one_picture_and_leaves_nothing_behind(diagram, shown):
    before = dict(mpl.rcParams)
    assert diagram() is None
    assert diagram() is None
    assert len(shown) == 2
    assert shown[0] == shown[1]
    assert "0x" not in shown[0]["text/plain"]
    assert pixels(shown[0]).width == round((diagrams.WIDTH + 2 * diagrams.MARGIN) * diagrams.DPI)
    assert pixels(shown[0]).getpixel((0, 0)) == (255, 255, 255)  # a ground of its own
    assert dict(mpl.rcParams) == before
    pyplot = sys.modules.get("matplotlib.pyplot")
    assert pyplot is None or not pyplot.get_fignums()


@pytest.mark.parametrize("diagram", ALL)
def test_nothing_is_written_over_the_edge_or_over_other_writing(diagram, monkeypatch):
    kept = []
    monkeypatch.setattr(diagrams, "in_notebook", lambda: True)
    monkeypatch.setattr(diagrams.Drawing, "show", lambda self, text: kept.append(self))
    diagram()
    figure = kept[0].figure
    figure.canvas.draw()
    boxes = [t.get_window_extent() for t in kept[0].axes.texts if t.get_text()]
    for i, box in enumerate(boxes):
        assert box.x0 >= 0
        assert box.y0 >= 0
        assert box.x1 <= figure.bbox.x1
        assert box.y1 <= figure.bbox.y1
        assert not any(box.overlaps(other) for other in boxes[:i])


def test_every_role_has_its_colour(shown):
    diagrams.pooling()
    colors = {color for _, color in pixels(shown[0]).getcolors(maxcolors=10**6)}
    for light, _ in ROLES.values():
        assert tuple(bytes.fromhex(light[1:])) in colors


def test_outside_a_notebook_pyplot_has_the_figure():
    mpl.use("agg")
    from matplotlib import pyplot as plt

    diagrams.masks()
    assert len(plt.get_fignums()) == 1
    plt.close("all")


def test_other_lengths_give_other_pictures(shown):
    for lengths in [(4, 3, 2), [0, 4, 1]]:
        diagrams.padded_minibatch(lengths)
    for length, size in [(3, 4), (0, 4), (4, 4), (1, 1), (5, 8)]:
        diagrams.masks(length, size)
    assert len({output["image/png"] for output in shown}) == 7
    assert shown[1]["text/plain"] == "<Diagram: three padded sentences of lengths 0, 4, 1>"


@pytest.mark.parametrize(
    ("call", "error", "part"),
    [
        (lambda: diagrams.padded_minibatch((4, 3)), ValueError, "three lengths, got 2"),
        (lambda: diagrams.padded_minibatch((4, 3, 5)), ValueError, "from 0 to 4, got 5"),
        (lambda: diagrams.padded_minibatch((4, 3, -1)), ValueError, "from 0 to 4, got -1"),
        (lambda: diagrams.padded_minibatch((4, 3, 2.5)), TypeError, "whole number, got 2.5"),
        (lambda: diagrams.masks(True), TypeError, "whole number, got True"),
        (lambda: diagrams.masks(5, 4), ValueError, "length must be from 0 to 4, got 5"),
        (lambda: diagrams.masks(0, 9), ValueError, "size must be from 1 to 8, got 9"),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_what_came(call, error, part):
    with pytest.raises(error, match=part):
        call()
