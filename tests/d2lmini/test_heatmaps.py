"""show_heatmaps: one honest scale for all panels, shown exactly once."""

import base64
import io
import sys
from unittest import mock

import matplotlib as mpl
import numpy as np
import pytest
import torch
from matplotlib.figure import Figure
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook
from PIL import Image

from d2lmini import heatmaps, show_heatmaps
from kernelfree.colors import to_lab
from kernelfree.palette import PAGES
from kernelfree.png import GAP


@pytest.fixture
def drawn(monkeypatch):
    """Return a function that calls show_heatmaps as in a notebook; it returns figure and output."""

    def call(matrices, **options):
        shown = []
        monkeypatch.setattr(heatmaps, "in_notebook", lambda: True)
        monkeypatch.setattr("IPython.display.display", lambda data, raw: shown.append(data))
        with mock.patch.object(heatmaps, "picture", wraps=heatmaps.picture) as picture:
            assert show_heatmaps(matrices, xlabel="Keys", ylabel="Queries", **options) is None
        [data] = shown
        return {"figure": picture.call_args.args[0], **data}

    return call


def panels(figure):
    return [image for axes in figure.axes for image in axes.images]


def test_every_panel_and_the_bar_share_one_scale_from_0_to_the_largest_entry(drawn):
    matrices = torch.full((2, 2, 3, 4), 0.1)
    matrices[1, 0, 2, 1] = 1.0
    figure = drawn(matrices)["figure"]
    assert [image.get_clim() for image in panels(figure)] == [(0, 1)] * 4
    assert figure.axes[-1].get_ylim() == (0, 1)
    assert [text.get_text() for text in figure.axes[-1].get_yticklabels()] == ["0", "0.5", "1"]
    assert [len(axes.images) for axes in figure.axes] == [1, 1, 1, 1, 0]
    colours = [tuple(image.to_rgba(image.get_array())[1, 1]) for image in panels(figure)]
    assert len(set(colours)) == 1  # 0.1 looks alike everywhere
    for image, matrix in zip(panels(figure), matrices.flatten(0, 1), strict=True):
        cells = image.get_array()[GAP // 2 :: GAP, GAP // 2 :: GAP]
        assert np.array_equal(cells, matrix.double().numpy())


@pytest.mark.parametrize("page", PAGES)
def test_the_larger_a_weight_the_more_it_stands_out_from_any_page(page, drawn):
    sizes = torch.linspace(0, 1, 11)
    kept = drawn(sizes[None, None, None], figsize=(6, 1.5))
    box = kept["figure"].axes[0].get_window_extent()
    picture = Image.open(io.BytesIO(kept["image/png"])).convert("RGBA")
    ground = Image.new("RGBA", picture.size, page)
    ground.alpha_composite(picture)
    row = picture.height - (box.y0 + 0.75 * box.height)
    places = [box.x0 + (i + 0.5) * box.width / 11 for i in range(11)]
    colors = [ground.getpixel((round(x), round(row))) for x in places]
    far = [np.linalg.norm(to_lab(f"#{bytes(c[:3]).hex()}") - to_lab(page)) for c in colors]
    assert far[0] == 0  # 0 has no colour
    assert far[1] > 0.08
    assert (np.diff(far) > 0.02).all()


def test_0_has_a_dot_and_what_is_masked_is_hatched(drawn):
    figure = drawn(torch.tensor([[[[0.0, -torch.inf, 0.5]]]]))["figure"]
    (dots,), (hatched,) = figure.axes[0].lines, figure.axes[0].collections
    assert dots.get_xydata().tolist() == [[0, 0]]
    assert hatched.get_hatch()
    assert [path.get_extents().x0 for path in hatched.get_paths()] == [0.5]


def test_rows_and_columns_are_counted_from_1(drawn):
    def ticks(count):
        axis = drawn(torch.ones(1, 1, 1, count))["figure"].axes[0].xaxis
        texts = [text.get_text() for text in axis.get_ticklabels()]
        return dict(zip(axis.get_ticklocs(), texts, strict=True))

    assert ticks(1) == {0: "1"}
    assert ticks(4) == {0: "1", 1: "2", 2: "3", 3: "4"}
    assert ticks(10) == {0: "1", 2: "3", 4: "5", 6: "7", 8: "9"}
    assert ticks(300) == {0: "1", 99: "100", 199: "200", 299: "300"}


SCALES = [([0.0, 0.25], (0, 0.25)), ([0.5, 0.75], (0, 0.75)), ([-1.0, 3.0], (-1, 3)), ([-2.0, -1.0], (-2, 0))]
SCALES += [([0.0, 0.0], (0, 1)), ([-torch.inf, 2.0], (0, 2)), ([-torch.inf, -torch.inf], (0, 1))]


@pytest.mark.parametrize(("entries", "scale"), SCALES)
def test_the_scale_starts_at_0_or_at_the_lowest_entry_below_it(entries, scale, drawn):
    figure = drawn(torch.tensor(entries).reshape(1, 1, 1, 2))["figure"]
    assert panels(figure)[0].get_clim() == scale


def test_labels_and_titles_stand_where_they_belong(drawn):
    matrices = torch.rand(2, 3, 4, 4)
    figure = drawn(matrices, titles=["a", "b", "c"])["figure"]
    axes = figure.axes[:6]
    assert [ax.get_xlabel() for ax in axes] == ["", "", "", "Keys", "Keys", "Keys"]
    assert [ax.get_ylabel() for ax in axes] == ["Queries", "", "", "Queries", "", ""]
    assert [ax.get_title() for ax in axes] == ["a", "b", "c"] * 2
    assert tuple(figure.get_size_inches()) == (2.5, 2.5)
    wide = drawn(matrices, figsize=(7, 4), cmap="Blues")["figure"]
    assert tuple(wide.get_size_inches()) == (7, 4)
    assert panels(wide)[0].get_cmap().name == "Blues"


KINDS = {
    "tensor": lambda x: x,
    "with gradient": lambda x: x.clone().requires_grad_() * 1,
    "NumPy": lambda x: x.numpy(),
    "list": lambda x: x.tolist(),
    "transposed": lambda x: x.transpose(2, 3).contiguous().transpose(2, 3),
    "bfloat16": lambda x: x.bfloat16(),
}


@pytest.mark.parametrize("make", KINDS.values(), ids=KINDS)
def test_any_kind_of_array_gives_the_same_bytes_every_time(make, drawn):
    matrices = torch.eye(10).reshape(1, 1, 10, 10)
    first = drawn(matrices)
    assert first["image/png"] == drawn(make(matrices))["image/png"]
    assert first["text/plain"] == "<Heatmaps: 1 x 1 panels of 10 x 10>"


def test_matplotlib_is_left_as_it_was(drawn):
    before = dict(mpl.rcParams)
    drawn(torch.eye(3)[None, None])
    assert dict(mpl.rcParams) == before
    pyplot = sys.modules.get("matplotlib.pyplot")
    assert pyplot is None or not pyplot.get_fignums()


def test_outside_a_notebook_pyplot_has_the_figure():
    mpl.use("agg")
    from matplotlib import pyplot as plt

    assert show_heatmaps(torch.eye(3)[None, None], "Keys", "Queries") is None
    assert len(plt.get_fignums()) == 1
    assert isinstance(plt.gcf(), Figure)
    plt.close("all")


def test_it_is_shown_exactly_once_wherever_in_a_cell_it_is_called():
    setup = "import torch\nfrom d2lmini import show_heatmaps\nm = torch.eye(3)[None, None]"
    call = "show_heatmaps(m, 'Keys', 'Queries')"
    cells = [
        call,  # last
        f"{call}\n1 + 1",  # not last
        f"for _ in range(1):\n    {call}",
        f"figure = {call}\nfigure",
        f"def draw():\n    return {call}\ndraw()",
        f"{call}\n{call}",  # two calls, two pictures
        f"%matplotlib inline\nimport matplotlib.pyplot as plt\n{call}",
    ]
    notebook = new_notebook(cells=[new_code_cell(source) for source in [setup, *cells]])
    NotebookClient(notebook, kernel_name="python3", timeout=120).execute()
    outputs = [[o for o in cell.outputs if "image/png" in o.get("data", {})] for cell in notebook.cells]
    assert [len(pictures) for pictures in outputs] == [0, 1, 1, 1, 1, 1, 2, 1]
    bytes_of = {base64.b64decode(p["data"]["image/png"]) for cell in outputs for p in cell}
    assert len(bytes_of) == 1
    assert "0x" not in "".join(p["data"]["text/plain"] for cell in outputs for p in cell)
