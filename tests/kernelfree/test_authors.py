"""What authors of figures ask for: a file of their own, roles of their own, tables with names."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

import d2lmini
from d2lmini import Bars, Curve, Heatmap, explore
from kernelfree import colors, palette


def weights(sharpness=1):
    return torch.softmax(sharpness * torch.eye(3), -1)


def figure(title="Three & more"):
    return explore(weights, sharpness=[0, 1, 2], title=title)


# ---- a file ------------------------------------------------------------------------------------


def test_a_figure_is_saved_as_it_stands_with_its_size_said(tmp_path, capsys):
    made, path = figure(), tmp_path / "weights.html"
    made.value = {"sharpness": 2}
    made.save(path)
    text = path.read_text(encoding="utf-8")
    assert "<title>Three &amp; more</title>" in text
    state = re.search(r'<script type="application/json">(.*)</script>', text).group(1)
    assert json.loads(state)["start"] == {"sharpness": 2}
    for foreign in ("src=", "href=", "url(", "@import"):
        assert foreign not in text.replace('src="data:image/png;base64,', "")
    said = re.fullmatch(r"(.*): (\d+) kB, (\d+) kB gzipped\n", capsys.readouterr().out)
    assert said[1] == str(path)
    assert int(said[2]) == round(path.stat().st_size / 1000)
    assert 0 < int(said[3]) < int(said[2])


def test_a_saved_figure_is_replaced_and_nothing_else(tmp_path):
    path = tmp_path / "weights.html"
    figure().save(path)
    figure("Another").save(str(path))
    assert "<title>Another</title>" in path.read_text()
    mine = tmp_path / "index.html"
    mine.write_text("<p>my page")
    with pytest.raises(FileExistsError, match="is no saved figure; choose another name"):
        figure().save(mine)
    assert mine.read_text() == "<p>my page"


@pytest.mark.parametrize(
    ("path", "script", "error", "message"),
    [
        ("weights", None, ValueError, "must end with .html, got 'weights'"),
        ("weights.png", None, ValueError, "must end with .html"),
        ("no/such/folder/weights.html", None, FileNotFoundError, "there is no folder"),
        (3, None, TypeError, "save: expected the name of a file, got 3"),
        ("a.html", "a", ValueError, "script: expected a file beside the page that ends with .js"),
        ("a.html", "https://host/a.js", ValueError, "such as 'figures.js', got 'https://host/a.js"),
        ("a.html", "/a.js", ValueError, "expected a file beside the page"),
        ("a.html", "no/a.js", FileNotFoundError, "save, script: there is no folder 'no'"),
        ("a.html", "my.js", FileExistsError, "script: 'my.js' is there already and is no script"),
        ("a.html", True, TypeError, "save, script: expected the name of a file, got True"),
        ("my.html", "a.js", FileExistsError, "my.png' is there already and is no picture"),
    ],
)
def test_a_path_that_cannot_be_is_named(path, script, error, message, tmp_path, monkeypatch):
    """Nothing is written, and an author's own files stay as they are."""
    monkeypatch.chdir(tmp_path)
    own = {"my.js": b"alert(1)", "my.png": b"\x89PNG mine"}
    for name, content in own.items():
        Path(name).write_bytes(content)
    with pytest.raises(error, match=message):
        figure().save(path, script)
    assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == own


def test_figures_share_a_script(tmp_path, capsys):
    shared = tmp_path / "scripts" / "figures.js"
    shared.parent.mkdir()
    (tmp_path / "pages").mkdir()

    def save(made, name):
        made.save(tmp_path / "pages" / name, script="../scripts/figures.js")
        said = [line.partition(":")[0] for line in capsys.readouterr().out.splitlines()]
        assert [Path(path).name for path in said] == [name, f"{Path(name).stem}.png", "figures.js"]
        return shared.read_text()

    static = save(figure(), "one.html")
    text = (tmp_path / "pages" / "one.html").read_text()
    assert text.count("<script") == 2
    assert '<script src="../scripts/figures.js"></script>' in text
    for inline in ("<style", "style=", "data:", "<script>"):
        assert inline not in text
    with Image.open(tmp_path / "pages" / "one.png") as picture:
        picture.verify()
    # A live figure needs more of it, and takes nothing from the others.
    live = save(explore(lambda t: t.reshape(1, 1), t=(0.0, 1.0), live=True), "two.html")
    assert len(live) > 1.3 * len(static)
    assert save(figure(), "one.html") == live
    # One of another version is written anew, and one of this version is left alone.
    shared.write_text(live.replace("(()=>", "(() =>"))
    assert save(figure(), "one.html") == live
    before = shared.stat().st_mtime_ns
    save(figure(), "one.html")
    assert shared.stat().st_mtime_ns == before


# ---- roles -------------------------------------------------------------------------------------


def test_a_role_of_ones_own_colours_every_panel(roles):
    d2lmini.add_role("loss", "#a0307a")
    made = explore(
        lambda t: {
            "map": Heatmap([[0.0, t]], role="loss"),
            "bars": Bars([0.0, t], role="loss"),
            "curve": Curve([0, 1], {"loss": [0, t]}),
        },
        t=[1, 2],
    )
    state = made._state
    assert state["scales"]["loss"]["label"] == "Loss"
    assert state["panels"][1]["colors"] == [roles["loss"]]
    assert state["panels"][2]["marks"][0]["colors"] == [roles["loss"]]
    assert made._picture()[0].startswith(b"\x89PNG")


@pytest.mark.parametrize("color", ["#a0307a", "#5a5a00", "#004fc4", "#6b4f4f"])
def test_a_colour_for_dark_pages_is_found_and_both_can_be_read(color, roles):
    d2lmini.add_role("mine", color)
    light, dark = roles["mine"]
    assert light == color
    for one, page in zip((light, dark), palette.PAGES, strict=True):
        assert colors.contrast(one, page) >= 4.5
    hues = [np.arctan2(*colors.to_lab(one)[:0:-1]) for one in (light, dark)]
    if color != "#6b4f4f":  # nearly grey
        assert abs(np.angle(np.exp(1j * (hues[0] - hues[1])))) < 0.35


@pytest.mark.parametrize("role", ["loss", "number"])
def test_a_cell_whose_colour_was_changed_is_run_again(role, roles):
    for color in ("#a0307a", "#a0307a", "#004fc4"):
        d2lmini.add_role(role, color)
        [panel] = explore(lambda t: Bars([t], role=role), t=[1])._state["panels"]
        assert panel["colors"][0][0] == color


def test_contrast_is_that_of_the_guidelines():
    # Values of the W3C's own examples: black on white, and the least grey that passes on white.
    assert colors.contrast("#000000", "#ffffff") == pytest.approx(21)
    assert colors.contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.005)
    assert colors.contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        (("weight", "#a0307a"), ValueError, "the role 'weight' is taken"),
        (("loss", "red"), ValueError, "color must be written '#rrggbb', got 'red'"),
        (("loss", "#ffcc00"), ValueError, r"color #ffcc00 has a contrast of 1.5 : 1 with the page"),
        (("loss", "#a0307a", "#333333"), ValueError, "dark #333333 has a contrast of 1.4"),
        (("", "#a0307a"), TypeError, "name must be a word, got ''"),
    ],
)
def test_a_role_that_cannot_be_is_named(given, error, message, roles):
    with pytest.raises(error, match=message):
        d2lmini.add_role(*given)
    assert len(roles) == 7  # the six, and "number"


# ---- tables with names -------------------------------------------------------------------------


class RangeIndex(list):
    """What pandas gives rows without names."""


class Frame:
    """What a pandas DataFrame or Series shows to NumPy and of its names."""

    def __init__(self, data, index, columns=None):
        self.data, self.index = np.array(data), index
        if columns:
            self.columns = columns

    def __array__(self, dtype=None, copy=None):
        return self.data


def test_the_names_of_a_frame_become_ticks():
    def ticks(given, side="x"):
        panel = explore(lambda t: given, t=[1])._state["panels"][0]
        return [text for _, text in panel[side]]

    frame = Frame([[1.0, 2.0]], ["row"], ["left", "right"])
    assert ticks(frame) == ["left", "right"]
    assert ticks(frame, "y") == ["row"]
    assert ticks(Frame([[1.0, 2.0]], RangeIndex([0]), RangeIndex([0, 1]))) == ["1", "2"]
    assert ticks(Heatmap(frame, xticks=["a", "b"])) == ["a", "b"]
    assert ticks(Bars(Frame([1.0, 2.0], ["left", "right"]))) == ["left", "right"]


# ---- cells that are not there ------------------------------------------------------------------


def test_absent_cells_are_neither_masked_nor_zero():
    none = torch.tensor([[False, True], [True, False]])
    matrix = torch.tensor([[1.0, torch.nan], [torch.nan, -torch.inf]])
    made = explore(lambda t: Heatmap(matrix, absent=none), t=[1])
    assert made._state["panels"][0]["masked"]  # the last cell
    only = explore(lambda t: Heatmap(matrix.nan_to_num(0, neginf=0), absent=none), t=[1])
    assert not only._state["panels"][0]["masked"]
    with pytest.raises(ValueError, match="absent: expected a boolean matrix of shape"):
        explore(lambda t: Heatmap(matrix, absent=none[:1]), t=[1])
