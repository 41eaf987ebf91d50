"""check_shape says what differs; the package itself is light to import."""

import subprocess
import sys

import numpy as np
import pytest
import torch

import d2lmini
from d2lmini import check_shape
from d2lmini.exercises import NotYet


@pytest.mark.parametrize("shape", [(2, 1, 4), [2, 1, 4], torch.Size([2, 1, 4])])
def test_a_right_shape_passes_in_silence(shape, capsys):
    assert check_shape(torch.zeros(2, 1, 4), shape) is None
    assert check_shape(np.zeros((2, 1, 4)), shape) is None
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("got", "shape", "why"),
    [
        ((2, 1, 4), (2, 1, 5), "axis 2 has length 4 instead of 5"),
        ((2, 1, 4), (3, 1, 5), "axis 0 has length 2 instead of 3 and axis 2 has length 4 instead"),
        ((2, 1, 4), (2, 4, 1), "a transpose is missing or too much"),
        ((2, 1, 4), (2, 4), "it has 3 axes instead of 2; only axes of length 1 differ"),
        ((2, 1, 4), (8,), "it has 3 axes instead of 1."),
        ((3,), (3, 2), "it has 1 axis instead of 2."),
    ],
)
def test_a_wrong_shape_is_explained(got, shape, why):
    with pytest.raises(NotYet) as caught:
        check_shape(torch.zeros(got), shape)
    assert str(caught.value).startswith(f"the shape is {got}, but {shape} is expected: ")
    assert why in str(caught.value)


def test_something_without_a_shape_is_no_tensor_and_a_notebook_shows_the_sentence_alone():
    with pytest.raises(NotYet, match=r"a tensor of shape \(2,\) is expected, not a list"):
        check_shape([1, 2], (2,))
    assert NotYet("try again.")._render_traceback_() == ["Not yet: try again."]


def test_every_public_name_is_listed_and_nothing_heavy_is_imported_before_it_is_used():
    assert dir(d2lmini) == sorted(d2lmini.__all__)
    assert d2lmini.exercises.check_shape is check_shape
    code = (
        "import sys, d2lmini\n"
        "assert 'torch' not in sys.modules\n"
        "from d2lmini import masked_softmax, DotProductAttention, show_heatmaps, check_shape\n"
        "heavy = {'matplotlib', 'anywidget', 'ipywidgets', 'IPython'} & set(sys.modules)\n"
        "print(sorted(heavy))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
