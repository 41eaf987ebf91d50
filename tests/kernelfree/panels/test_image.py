"""Pictures and figures of matplotlib as panels."""

import base64
import io
import itertools
import pickle

import numpy as np
import pytest
from matplotlib.figure import Figure
from PIL import Image as Pillow
from shown import panel_of, sheet

import kernelfree as kf
import kernelfree.book


def pixels(panel):
    data = base64.b64decode(panel["content"]["png"])
    return np.asarray(Pillow.open(io.BytesIO(data)))


@pytest.mark.parametrize("shape", [(2, 3), (2, 3, 3), (2, 3, 4)])
def test_an_array_is_stored_as_it_is(shape):
    array = np.arange(np.prod(shape), dtype=np.uint8).reshape(shape) * 9
    np.testing.assert_array_equal(pixels(panel_of(kf.Image(array))), array)
    np.testing.assert_array_equal(pixels(panel_of(kf.Image(array / 255))), array)


def test_a_picture_of_any_mode_is_stored_as_it_is():
    shades = Pillow.fromarray(np.arange(240, dtype=np.uint8).reshape(6, 10, 4), "RGBA")
    modes = ["1", "L", "LA", "La", "P", "PA", "RGB", "RGBA", "RGBX", "RGBa", "CMYK", "HSV"]
    for mode in modes:
        picture = shades.convert("LA" if mode == "La" else mode).convert(mode)
        known = {"La": "LA"}.get(mode, mode)
        shown = Pillow.open(io.BytesIO(base64.b64decode(panel_of(picture)["content"]["png"])))
        np.testing.assert_array_equal(shown.convert("RGBA"), picture.convert(known).convert("RGBA"))


def test_a_figure_of_matplotlib_is_stored_once_for_each_look():
    made = kf.explore(lambda t, n: sheet(t), t=[1, 2], n=range(5))
    [panel] = made._state["panels"]
    used, pictures = panel["texts"]["content"]
    assert used.startswith("1:")
    assert len(pictures) == 2
    assert "image, 2 different" in repr(made)
    assert pickle.loads(pickle.dumps(made))._picture() == made._picture()


@pytest.mark.parametrize("look", ["lines", "colours", "clear"])
def test_a_figure_of_matplotlib_looks_as_it_was_drawn(look):
    """In few colours, which take a third of the room, where that is not seen."""
    figure = Figure(figsize=(3, 2), facecolor="none" if look == "clear" else "white")
    axes = figure.subplots()
    figure.subplots_adjust(left=0.25)
    if look == "colours":
        axes.imshow(np.random.default_rng(0).random((90, 90, 3)))
    else:
        axes.plot(np.sin(np.arange(30.0)), label="sine")
        axes.legend()
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=120)
    drawn = np.asarray(Pillow.open(stream).convert("RGBA")).astype(int)
    content = panel_of(figure)["content"]
    shown = Pillow.open(io.BytesIO(base64.b64decode(content["png"])))
    assert (shown.mode == "P") == (look == "lines")
    assert shown.size == (content["width"], content["height"])
    assert content["style"] == f"width:{round(shown.width / 1.25)}px"
    rgba = np.asarray(shown.convert("RGBA")).astype(int)
    (top, bottom, left, right), here = ends(drawn), ends(rgba)
    inner = rgba[here[0] : here[1], here[2] : here[3]]
    assert np.abs(inner - drawn[top:bottom, left:right]).max() <= 8
    # Around it is about a tenth of an inch, as in notebooks.
    margin = here[0], shown.height - here[1], here[2], shown.width - here[3]
    np.testing.assert_allclose(margin, 12, atol=6)


def ends(picture):
    """Where what is drawn on a ground begins and ends: its rows, then its columns."""
    drawn = np.abs(picture - picture[0, 0]).max(-1) > 40
    sides = (np.flatnonzero(drawn.any(axis)) for axis in (1, 0))
    return [end for places in sides for end in (places[0], places[-1] + 1)]


@pytest.mark.parametrize("width", [None, 200])
def test_labels_outside_a_figure_are_shown_and_its_axes_stand_still(width):
    def tall(t, wide):
        figure = sheet(10.0**t)
        figure.axes[0].set(ylabel="What is cut off by the edge", xlabel="below")
        figure.set_figwidth(wide)
        return kf.Image(figure, width=width)

    made = kf.explore(tall, t=[0, 5], wide=[3, 4])
    pictures, looks = [], set()
    for t, wide in itertools.product([0, 5], [3, 4]):
        made.value = {"t": t, "wide": wide}
        [panel] = made._now()[0]
        content = panel["content"]
        looks.add((content["width"], content["height"], content["style"]))
        shown = Pillow.open(io.BytesIO(base64.b64decode(content["png"]))).convert("RGB")
        assert shown.size == (content["width"], content["height"])
        pictures.append(np.asarray(shown).astype(int))
        edges = [pictures[-1][[0, -1]].reshape(-1, 3), pictures[-1][:, [0, -1]].reshape(-1, 3)]
        assert (np.concatenate(edges) == 255).all()
    [(wide, _, style)] = looks
    assert style == f"width:{width or round(wide / 1.25)}px"
    # The frame of the axes: nearly all black columns and rows.
    lines = [[np.flatnonzero((one.max(-1) < 60).mean(axis) > 0.5) for axis in (0, 1)] for one in pictures]
    for n in (0, 1):
        for one, other in zip(lines[n], lines[n + 2], strict=True):
            np.testing.assert_array_equal(one, other)
            assert len(one) >= 2
