"""What MXNet promises beyond the rest, the numbers that a book printed, and those that are kept."""

import subprocess
import sys

import cases
import numpy as np
import pytest
from cases import near

mx = pytest.importorskip("mxnet")

from d2lmini import toy  # noqa: E402
from d2lmini.mxnet import AdditiveAttention, DotProductAttention, masked_softmax  # noqa: E402
from tools import mxnet_outputs  # noqa: E402

PRINTED = [0.35848376, 0.36588794, 0.2756283, 0]


def test_the_second_draw_of_a_new_process_gives_the_printed_numbers():
    """Dive into Deep Learning, MXNet version, 11.3.2.1, draws twice without a seed."""
    code = """
from mxnet import np
from d2lmini.mxnet import masked_softmax
masked_softmax(np.random.uniform(size=(2, 2, 4)), np.array([2, 3]))
print(masked_softmax(np.random.uniform(size=(2, 2, 4)), np.array([[1, 3], [2, 4]]))[0, 1].tolist())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    near([float(x) for x in done.stdout.strip("[]\n").split(",")], PRINTED, 5e-8)


def test_the_numbers_that_are_kept_are_those_that_are_computed_now():
    kept, now = toy.mxnet_outputs(), mxnet_outputs.compute()
    assert kept.keys() == now.keys()
    for name in ("mxnet", "numpy", "command"):
        assert kept["made_by"][name] == now["made_by"][name]
    for name in ("dot_product", "additive", "random_scores"):
        assert kept[name].keys() == now[name].keys()
        for part, numbers in kept[name].items():
            near(np.array(numbers), np.array(now[name][part]))
    near(kept["random_scores"]["weights"][0][1], PRINTED, 5e-8)
    assert mxnet_outputs.FILE.stat().st_size < 20_000


def test_whole_numbers_of_float32_are_lengths_or_a_mask_since_mxnet_makes_them_so():
    scores = mx.np.array(cases.numbers(0, (2, 3, 4), "float32"))
    lens = mx.np.array([1, 3])
    assert lens.dtype == "float32"
    near(masked_softmax(scores, lens).asnumpy(), masked_softmax(scores, [1, 3]).asnumpy(), 0)
    for wrong in ([1, 2.5], [1, np.nan], [1, np.inf]):
        with pytest.raises(ValueError, match="valid_lens must be whole numbers"):
            masked_softmax(scores, mx.np.array(wrong))
    mask = [[1, 0, 1, 1], [0, 0, 1, 0]]
    came = masked_softmax(scores, mask=mx.np.array(mask))
    near(came.asnumpy(), masked_softmax(scores, mask=mask).asnumpy(), 0)
    with pytest.raises(TypeError, match="mask must be boolean or integers 0 and 1, got float32"):
        masked_softmax(scores, mask=mx.np.array([0.5, 1, 0, 0]))


def test_the_kept_weights_are_off_the_graph():
    attention = DotProductAttention()
    queries, keys, values = (mx.np.array(x) for x in toy.inputs(2))
    queries.attach_grad()
    with mx.autograd.record():
        output = attention(queries, keys, values, [2, 6])
        loss = (output * 0).sum() + attention.attention_weights.sum()
    loss.backward()
    assert (queries.grad.asnumpy() == 0).all()


def test_parameters_have_the_shapes_and_names_of_pytorch():
    attention = AdditiveAttention(8)
    attention.initialize()
    attention(*[mx.np.array(x) for x in toy.inputs(20)])
    for name, w in toy.parameters().items():
        layer = getattr(attention, name)
        assert layer.weight.shape == w.shape
        assert layer.bias is None
    assert len(attention.collect_params().keys()) == 3
