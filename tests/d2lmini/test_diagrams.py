"""The diagrams: one picture each, the same every time, and nothing left behind."""

import io
import sys

import matplotlib as mpl
import pytest
from matplotlib.colors import to_rgba
from PIL import Image

from d2lmini import diagrams
from d2lmini.encoder import Layer
from d2lmini.roles import ROLES
from kernelfree.colors import contrast
from kernelfree.palette import PAGES

RIDE = {"query": 9, "keys": [7, 8, 10], "scores": [-2, -1, -1], "values": [20, 50, 30]}


def pooling_a_ride():
    return diagrams.pooling(**RIDE)


NAMES = "pooling padded_minibatch additive_mlp masks transformer encoder_layer"
ALL = [pooling_a_ride, *(getattr(diagrams, name) for name in NAMES.split())]


@pytest.fixture
def shown(monkeypatch):
    outputs = []
    monkeypatch.setattr(diagrams, "in_notebook", lambda: True)
    monkeypatch.setattr("IPython.display.display", lambda data, raw: outputs.append(data))
    return outputs


def drawing(diagram, monkeypatch):
    kept = []
    with monkeypatch.context() as patch:
        patch.setattr(diagrams, "in_notebook", lambda: True)
        patch.setattr(diagrams.Drawing, "show", lambda self, text: kept.append(self))
        diagram()
    return kept[0]


def texts_of(axes):
    return [text for text in axes.texts if text.get_text()]


def pixels(output, page="#ffffff"):
    picture = Image.open(io.BytesIO(output["image/png"])).convert("RGBA")
    ground = Image.new("RGBA", picture.size, page)
    ground.alpha_composite(picture)
    return ground.convert("RGB")


@pytest.mark.parametrize("diagram", ALL)
def test_a_diagram_is_one_picture_and_leaves_nothing_behind(diagram, shown):
    before = dict(mpl.rcParams)
    assert diagram() is None
    assert diagram() is None
    assert len(shown) == 2
    assert shown[0] == shown[1]
    assert "0x" not in shown[0]["text/plain"]
    assert pixels(shown[0]).width == round((diagrams.WIDTH + 2 * diagrams.MARGIN) * diagrams.DPI)
    assert dict(mpl.rcParams) == before
    pyplot = sys.modules.get("matplotlib.pyplot")
    assert pyplot is None or not pyplot.get_fignums()


@pytest.mark.parametrize("diagram", ALL)
def test_nothing_is_written_over_the_edge_or_over_other_writing(diagram, monkeypatch):
    drawn = drawing(diagram, monkeypatch)
    figure = drawn.figure
    figure.canvas.draw()
    boxes = [text.get_window_extent() for text in texts_of(drawn.axes)]
    for i, box in enumerate(boxes):
        assert min(box.x0, box.y0, figure.bbox.x1 - box.x1, figure.bbox.y1 - box.y1) >= 0
        assert not any(box.overlaps(other) for other in boxes[:i])


@pytest.mark.parametrize("page", PAGES)
def test_every_role_has_its_colour_and_the_page_its_own(page, shown):
    diagrams.pooling()
    colors = {color for _, color in pixels(shown[0], page).getcolors(maxcolors=10**6)}
    for light, _ in ROLES.values():
        assert tuple(bytes.fromhex(light[1:])) in colors
        assert contrast(light, page) > 3.5
    assert pixels(shown[0], page).getpixel((0, 0)) == tuple(bytes.fromhex(page[1:]))


def test_the_attention_of_a_transformer_is_lit_and_names_its_mask(monkeypatch):
    axes = drawing(diagrams.transformer, monkeypatch).axes
    weight = to_rgba(ROLES["weight"][0])
    lit = [patch for patch in axes.patches if patch.get_edgecolor() == weight]
    said = [text.get_text() for text in axes.texts if "mask" in text.get_text()]
    assert len(lit) == len(said) == 3
    for box, text in zip(lit, said, strict=True):
        path = box.get_path()
        [inside] = [t for t in texts_of(axes) if path.contains_point(t.get_position())]
        assert inside.get_text() == text
        assert "attention" in text
    assert [text.split("mask: ")[1] for text in said] == ["padding", "causal", "padding"]


def written(diagram, monkeypatch):
    return [text.get_text() for text in drawing(diagram, monkeypatch).axes.texts]


def test_pooling_computes_the_weights_and_the_output_of_an_example(monkeypatch):
    # By hand: exponentials 0.1353, 0.3679, 0.3679, sum 0.8711; 3.11 + 21.12 + 12.67 = 36.89.
    texts = written(pooling_a_ride, monkeypatch)
    for shown in ["9", "7", "8", "10", "\u22122", "\u22121", "0.155", "0.422", "20", "50", "36.9"]:
        assert shown in texts
    assert "···" not in texts
    letters = written(diagrams.pooling, monkeypatch)
    assert "···" in letters
    assert not {"0.155", "36.9"} & {*letters}
    four = {"query": 0, "keys": range(4), "scores": [1000.0, 1000, 1000, 1000], "values": range(4)}
    assert "1.5" in written(lambda: diagrams.pooling(**four), monkeypatch)


def test_the_layer_has_the_sizes_of_the_encoder_and_its_names_in_order(monkeypatch):
    texts, layer = written(diagrams.encoder_layer, monkeypatch), Layer()
    D, hidden = layer.W_1.in_features, layer.W_1.out_features
    heads = layer.attention.num_heads
    for size in f"{D} numbers", f"{heads} heads of {D // heads}", f"{hidden:,} hidden units":
        assert size in texts
    assert texts.count("+") == texts.count("norm") == 2
    names = [text[9] for text in texts if text.startswith("$\\mathbf{")]
    assert "".join(names) == "xfynz"


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
        (lambda: diagrams.pooling(9, [7, 8], [1, 2]), TypeError, "no values came"),
        (lambda: diagrams.pooling(9, [7], [1], [2]), ValueError, "two to four keys"),
        (lambda: diagrams.pooling(9, [7, 8], [1, 2], [3]), ValueError, "'values': 1"),
        (lambda: diagrams.padded_minibatch((4, 3)), ValueError, "three lengths, got 2"),
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
