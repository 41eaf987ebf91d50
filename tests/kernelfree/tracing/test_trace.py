"""What trace() gives where no page runs: its value, its text, its picture, its errors."""

import copy
import itertools
import math
import pickle

import numpy as np
import pytest
import torch

from d2lmini import DotProductAttention, masked_softmax
from d2lmini.exercises import checking
from d2lmini.heatmaps import check_matrices
from kernelfree.trace import trace
from kernelfree.tracing.exporting import NotForThePageError
from kernelfree.tracing.inputs import MAX_CELLS


def bell(distance, width):
    near = torch.exp(-(distance**2) / (2 * width**2))  # (queries, keys)
    return near / near.sum(dim=-1, keepdim=True)


@pytest.fixture(scope="module")
def figure():
    return trace(bell, distance=[[0.0, 1.0, 2.0]], width=1.0)


def test_its_value_is_the_numbers_of_the_inputs(figure):
    assert figure.value == {"distance": [[0.0, 1.0, 2.0]], "width": 1.0}
    figure.value = {"distance": torch.tensor([[1.0, math.inf, math.nan]])}
    assert figure.value == {"distance": [[1.0, "inf", "nan"]], "width": 1.0}
    figure.value = {"distance": [["-inf", 1, 2]], "width": 2}
    assert figure.value == {"distance": [["-inf", 1.0, 2.0]], "width": 2.0}


def test_what_does_not_fit_is_refused(figure):
    before = figure.value
    with pytest.raises(ValueError, match=r"no input 'far'; there are distance, width"):
        figure.value = {"far": 1.0}
    with pytest.raises(ValueError, match=r"'distance' must have the shape \(1, 3\), got \(3,\)"):
        figure.value = {"distance": [1.0, 2.0, 3.0]}
    whole = trace(masked_softmax, scores=torch.zeros(1, 1, 3), valid_lens=[2])
    with pytest.raises(ValueError, match="'valid_lens' must hold int64 values"):
        whole.value = {"valid_lens": [1.5]}
    # What the function refuses, in its own words; where it takes all, nothing is refused.
    x = torch.zeros(1, 3, 2)
    module = trace(DotProductAttention(), queries=x, keys=x, values=x, valid_lens=[2])
    for made, length in itertools.product((whole, module), (-1, 4, 9)):
        with pytest.raises(ValueError, match=f"between 0 and the number of keys, 3, got {length}$"):
            made.value = {"valid_lens": [length]}
    times = trace(lambda x, n: x * n, x=[1.0, 2.0], n=[1, 2])
    times.value = {"n": [-1, 200]}
    assert figure.value == before


@pytest.mark.parametrize(
    ("function", "given", "error", "told"),
    [
        (3, {"x": [1.0]}, TypeError, "expected a function, got int"),
        (bell, {}, ValueError, "no inputs"),
        (lambda x: x, {"x": [1.0]}, ValueError, "take no step of PyTorch's"),
        (torch.exp, {"title": "half \ud83d", "x": [1.0]}, ValueError, "half of a character"),
        (torch.exp, {"x": ["a"]}, TypeError, "input 'x' must be"),
        (torch.exp, {"x": torch.zeros(2).half()}, TypeError, r"must be float64, .*, int64 or bool, got torch\.f"),
        (torch.exp, {"x": torch.zeros(401)}, ValueError, f"401 numbers, at most {MAX_CELLS}"),
        (lambda x: torch.special.i0(x), {"x": torch.zeros(2)}, NotForThePageError, "does not know the operation"),
    ],
)
def test_inputs_are_checked_at_the_door(function, given, error, told):
    with pytest.raises(error, match=told):
        trace(function, **given)


def test_its_title_is_its_functions_name(figure):
    made = eval("lambda x: x * 2", {})  # it has no module
    assert trace(lambda x: made(x), x=1.0)._state["title"] == "lambda"
    assert figure._state["title"] == "bell"
    assert trace(bell, title="near", distance=[[1.0]], width=1.0)._state["title"] == "near"


@pytest.mark.filterwarnings("error")
def test_an_array_that_may_not_be_written_is_read():
    fixed = np.eye(2)
    fixed.flags.writeable = False
    assert trace(lambda x: x * 2, x=fixed).value == {"x": [[1.0, 0.0], [0.0, 1.0]]}
    assert check_matrices(fixed[None, None], None).equal(torch.eye(2).double()[None, None])
    assert checking.as_tensor(fixed).equal(torch.eye(2).double())


def test_it_can_be_copied_pickled_and_printed(figure):
    for other in (copy.copy(figure), pickle.loads(pickle.dumps(figure))):
        assert other.value == figure.value
        assert repr(other) == repr(figure)
    lines = repr(figure).splitlines()
    assert lines[:3] == ["Trace: bell", "  distance: 1 × 3", "  width: one number"]
    assert lines[-1].endswith("    return near / near.sum(dim=-1, keepdim=True)")


def test_lines_have_names_shapes_axes_and_roles():
    figure = trace(bell, distance=[[0.0, 1.0, 2.0]], width=1.0)
    makes = [line.get("makes") for line in figure._state["source"]["lines"]]
    assert makes[0] is None
    assert [one["name"] for made in makes[1:] for one in made] == ["near", "returns"]
    assert makes[1][0]["axes"] == ["queries", "keys"]
    assert makes[1][0]["shape"] == [1, 3]
    truth = bell(torch.tensor([[0.0, 1.0, 2.0]], dtype=torch.float64), torch.tensor(1.0).double())
    assert torch.equal(figure._values()[makes[2][0]["value"]], truth)


def gated(x, scale: float = 2.0, *, mask: torch.Tensor | None = None, name: str = "a long one"):
    if mask is not None:
        x = x.masked_fill(mask, 0)
    return x * scale


def test_long_signatures_are_short_and_idle_lines_are_known():
    lines = trace(gated, x=[1.0, 2.0])._state["source"]["lines"]
    assert lines[0]["text"] == "def gated(x, scale, *, mask, name):"
    assert [line.get("idle", False) for line in lines] == [False, False, True, False]
    assert trace(bell, distance=[0.0], width=1.0)._state["source"]["lines"][0]["text"] == ("def bell(distance, width):")


def test_it_is_shown_as_html_a_picture_and_text(figure):
    data, _ = figure._repr_mimebundle_()
    assert data["text/html"].startswith('<div class="kernelfree-trace" id="figure-bell">')
    assert data["image/png"]
    assert data["text/plain"] == repr(figure)
    assert data["text/html"] == figure._repr_mimebundle_()[0]["text/html"], "the same every time"


def bend(height):
    return torch.tanh(height)


def test_a_trace_takes_an_address(chinese):
    made = trace(bend, title="弯曲", address="The bend", height=[1.0])
    assert made._state["id"] == "figure-the-bend"
    assert repr(made).startswith("跟踪：弯曲")
    with pytest.raises(TypeError, match="address: expected a string, got int"):
        trace(bend, address=1, height=[1.0])
