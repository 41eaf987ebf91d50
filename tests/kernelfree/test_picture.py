"""Still pictures: no ground of their own, few colours, and read on light and on dark pages."""

import base64
import io
from itertools import pairwise

import labels
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Sheet
from PIL import Image

import kernelfree as kf
from kernelfree import explore, picture
from kernelfree.colors import contrast
from kernelfree.palette import INK, PAGES
from kernelfree.png import encode

RED = "#d32f2f"


def pixels(png):
    image = Image.open(io.BytesIO(png))
    assert image.mode == "P"
    return np.asarray(image.convert("RGBA")).astype(float)


def on(pixels, page):
    """What they look like on a page of one grey, from 0 to 255."""
    cover = pixels[..., 3:] / 255
    return pixels[..., :3] * cover + page * (1 - cover)


def parts(color):
    """Red, green and blue of '#rrggbb', from 0 to 255."""
    return np.array([*bytes.fromhex(color[1:])])


def panels():
    keys = np.array([[2.0, 0.5], [-1.0, 1.5], [-0.5, -1.8]])
    grid = np.linspace(-2, 2, 9)
    strength = np.linspace(0, 1, 81).reshape(9, 9)
    shares = np.array([0.1, 0.2, 0.7])
    marks = {
        "where": kf.Field(grid, grid, strength, winner=(strength > 0.5).astype(int)),
        "keys": kf.Arrows(keys, ["a", "b", "c"], role="key"),
        "border": kf.Borders(keys[0]),
        "weights": kf.Points(keys, size=shares, shade=shares, role="weight"),
        "bell": kf.Area([-1, 0, 1], [0, 1, 0], role="score"),
        "band": kf.Bands(x=(-0.5, 0.5)),
        "rule": kf.Rules(x=0.25),
        "counts": kf.Histogram(grid, [-2, -1, 0, 1, 2]),
    }
    return {
        "heatmap": kf.Heatmap([[0.0, 0.007], [-np.inf, 1.0]]),
        "below zero": kf.Heatmap([[-2.0, 0.5]], role="score"),
        "bars": kf.Bars(shares),
        "curve": kf.Curve([0, 1, 2], {"query": [0, 1, 0], "other": [1, 0, 1]}),
        "plane": kf.Plane(marks),
        "shades": kf.Plane({"strength": kf.Field(grid, grid, strength, role="output")}),
    }


@pytest.mark.parametrize("kind", panels())
def test_a_still_has_no_ground_and_shows_on_every_page(kind):
    made = explore(lambda t: {kind: panels()[kind]}, t=[1], title="Still")
    found = pixels(made._picture()[0])
    edges = [found[0], found[-1], found[:, 0], found[:, -1]]
    assert all((edge[:, 3] == 0).all() for edge in edges)
    assert (found[..., 3] == 0).mean() > 0.3
    for page in (0, 255):
        differs = np.abs(on(found, page) - page).max(-1) > 60
        assert differs.mean() > 0.005, page
    # Whatever is opaque is neither nearly white nor nearly black: it would be lost on one page.
    solid = found[found[..., 3] == 255][:, :3].mean(-1)
    assert len(solid)
    assert solid.min() > 40
    assert solid.max() < 215


def test_names_stand_in_gaps_beside_each_other():
    def points(names):
        marks = {"under": kf.Bands(y=(0, 1)), "p": kf.Points([[0.5, 0.5], [0.52, 0.5]], names)}
        made = explore(lambda t: kf.Plot(marks, xlim=(0, 1), ylim=(0, 1)), t=[1], title="Still")
        return pixels(made._picture()[0])

    bare, one, two = points(["", ""]), points(["ooooo", ""]), points(["ooooo", "ooooo"])
    gaps = [(bare[..., 3] > 0) & (named[..., 3] == 0) for named in (one, two)]
    # The second name is not where the first is, and takes as much room.
    assert gaps[0].sum() > 60
    assert gaps[1].sum() == pytest.approx(2 * gaps[0].sum(), rel=0.3)
    letters = (one != bare).any(-1) & ~gaps[0]
    assert abs(one[letters][:, :3] - parts(INK)).max() < 12


def test_cells_that_are_as_large_as_their_numbers_show_them():
    def cover(large):
        matrix = [[0.25, 0.5], [-np.inf, 0]]
        made = explore(lambda t: kf.Heatmap(matrix, large=large), t=[1], title="Still")
        return pixels(made._picture()[0])[..., 3]

    numbered, bare = cover(True), cover(False)  # which has a colour bar below
    assert ((numbered == 0) & (bare[: len(numbered)] > 0)).sum() > 100  # gaps around letters


def sheet_of(given, monkeypatch):
    sheets = []
    monkeypatch.setattr(picture, "encode", lambda sheet, colors: sheets.append(sheet))
    explore(lambda t: given, t=[1])._picture()
    FigureCanvasAgg(sheets[0]).draw()
    return sheets[0]


ONE_LABEL_OR_NONE = {"bare", "thin"}


@pytest.mark.parametrize("kind", sorted(labels.PANELS.keys() - ONE_LABEL_OR_NONE))
def test_labels_stand_in_the_picture_and_apart(monkeypatch, kind):
    given = labels.PANELS[kind]
    for shown, count in (({"one": given, "two": given}, 2), (given, 1)):
        sheet = sheet_of(shown, monkeypatch)
        for axes in sheet.axes[:count]:
            below = axes.get_xticklabels()[0].get_window_extent()
            for text in axes.get_yticklabels():
                assert not text.get_window_extent().overlaps(below)
            for side in (axes.xaxis, axes.yaxis):
                ticks = [text for text in side.get_ticklabels() if text.get_text()]
                assert len(ticks) > 1
                boxes = [text.get_window_extent() for text in [*ticks, side.label]]
                for box in boxes:
                    assert min(box.x0, box.y0, sheet.bbox.x1 - box.x1, sheet.bbox.y1 - box.y1) >= 0
                for one, other in pairwise(boxes[:-1]):
                    assert ticks[0].get_rotation() or not one.overlaps(other)
        sides = [axes.yaxis.label.get_window_extent() for axes in sheet.axes[:count]]
        assert not any(one.overlaps(other) for one, other in pairwise(sides))


@pytest.mark.parametrize("length", [3, 16, 30])
def test_long_names_above_a_plot_stand_below_each_other(monkeypatch, length):
    lines = {f"{n}".ljust(length, "e"): [0, n] for n in range(1, 4)}
    sheet = sheet_of(kf.Curve([0, 1], lines), monkeypatch)
    names = [text.get_window_extent() for text in sheet.axes[0].texts]
    assert len(names) == 3
    for one, other in pairwise(names):
        assert not one.overlaps(other)


def test_the_sentence_stands_in_a_picture_that_is_alone():
    def told(says):
        made = explore(lambda a: {"b": kf.Bars([1.0]), **({"s": says} if says else {})}, a=[1])
        bundle = made._repr_mimebundle_()[0]
        alone = pixels(base64.b64decode(bundle["image/png"]))
        return alone, bundle["image/png"] in bundle["text/html"]

    (plain, shared), (with_one, apart), (with_more, _) = told(""), told("One."), told("More. " * 40)
    assert shared  # the page writes the sentence itself
    assert not apart
    assert plain.shape[0] < with_one.shape[0] < with_more.shape[0]
    assert plain.shape[1] == with_one.shape[1] == with_more.shape[1]
    more = with_one.shape[0] - plain.shape[0]
    assert (with_one[-more:, :, 3] > 0).sum() > 30


def test_writing_is_read_on_every_page():
    assert contrast(INK, PAGES[0]) >= 4.5
    assert contrast(INK, PAGES[1]) >= 4
    assert contrast(INK, "#111111") >= 4  # JupyterLab's dark cells


@pytest.mark.parametrize("share", [0.1, 0.25, 0.5, 0.9, 1.0])
def test_what_is_encoded_looks_as_it_was_drawn(share):
    sheet = Sheet(figsize=(1, 1), dpi=50, facecolor=(RED, share))
    found = pixels(encode(sheet, [INK, RED]))
    for page in (0, 255):
        expected = share * parts(RED) + (1 - share) * page
        assert abs(on(found, page) - expected).max() <= 5
