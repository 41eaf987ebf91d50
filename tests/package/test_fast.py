"""The fast ways give what the plain definitions give, and the package does without them."""

import contextlib
import copy
import importlib
import importlib.util
import inspect
import itertools
import re
import shutil
import sys
import tempfile
from pathlib import Path
from unittest import mock

import pytest
import reference
import test_attention
import test_masking
import torch
from exhaustive import examples
from hypothesis import given
from hypothesis import strategies as st
from test_masking import TOLERANCE, numbers

import d2lmini
import kernelfree
from d2lmini import fast, masked_softmax, quick
from d2lmini.checks import is_autocast

PACKAGE = Path(d2lmini.__file__).parent
JUNK = st.sampled_from([0.0, torch.nan, torch.inf, -torch.inf, 1e30, 3e38])


LINE = "from .fast import FAST "


def without_fast_ways():
    """Import a copy of the package from which fast.py and the one line that calls it are gone."""
    with tempfile.TemporaryDirectory() as folder:
        copied = Path(folder) / "plain_d2lmini"
        shutil.copytree(PACKAGE, copied, ignore=shutil.ignore_patterns("__pycache__", "fast.py"))
        path = copied / "quick.py"
        lines = path.read_text(encoding="utf-8").splitlines()
        kept = [line for line in lines if not line.startswith(LINE)]
        assert len(kept) == len(lines) - 1
        path.write_text("\n".join(kept), encoding="utf-8")
        with mock.patch.object(sys, "path", [folder, *sys.path]):
            return importlib.import_module("plain_d2lmini.attention")


PLAIN = without_fast_ways()


@st.composite
def ways(draw):
    """Thresholds that send any input every way: cut or not, looked at or not, in chunks or not."""
    return {
        "PAYS": draw(st.sampled_from([0, 2**14])),
        "LARGE": draw(st.sampled_from([1, 2**16])),
        "MANY": draw(st.sampled_from([1, 2**13])),
        "CHUNK": draw(st.sampled_from([1, 7, 2**20])),
    }


def same(came, expected):
    """Assert that tensors are the same to the rounding of their type, NaN included."""
    for x, y in zip(came, expected, strict=True):
        assert x.dtype == y.dtype
        tolerance = 10 * TOLERANCE[x.dtype]
        torch.testing.assert_close(x, y, rtol=tolerance, atol=tolerance, equal_nan=True)


def outcome(attention, tensors, lens, upstream, grad):
    """The output, the weights and, if asked, the gradients."""
    leaves = [x.clone().requires_grad_(grad) for x in tensors]
    with contextlib.nullcontext() if grad else torch.no_grad():
        output = attention(*leaves, lens)
    found = [output]
    if attention.attention_weights is not None:
        found.append(attention.attention_weights)
    if grad:
        found += torch.autograd.grad(output, [*leaves, *attention.parameters()], upstream)
    return found


@pytest.mark.parametrize("kind", test_attention.KINDS)
@examples(20, 400)
@given(
    st.data(),
    st.tuples(JUNK, JUNK),
    st.sampled_from(list(TOLERANCE)),
    ways(),
    st.sampled_from([None, 0.3]),
)
def test_attention_and_its_gradients(kind, data, junk, dtype, thresholds, scale):
    attention, (queries, keys, values), lens = data.draw(test_attention.cases(kind))
    if hasattr(attention, "scale"):
        attention.scale = scale
    attention(queries, keys, values)  # sizes are inferred
    attention.to(dtype)
    queries, keys, values = (x.to(dtype) for x in (queries, keys, values))
    if lens is not None:
        hidden = reference.weights(torch.zeros(*queries.shape[:2], keys.shape[1]), lens) == 0
        unseen = hidden.all(dim=1).unsqueeze(-1)
        keys, values = (
            torch.where(unseen, x.new_tensor(filler), x)
            for x, filler in zip((keys, values), junk, strict=True)
        )
    plain = copy.deepcopy(attention)
    plain.__class__ = getattr(PLAIN, type(attention).__name__)
    heads = [torch.stack([x, 1 - x], dim=1) for x in (queries, keys, values)]
    for tensors, grad in itertools.product(([queries, keys, values], heads), (False, True)):
        upstream = numbers(*tensors[0].shape[:-1], values.shape[-1]).to(dtype)
        with mock.patch.multiple(fast, **thresholds):
            found = [outcome(pool, tensors, lens, upstream, grad) for pool in (attention, plain)]
        same(*found)


@examples(60)
@given(test_masking.cases(), JUNK, ways())
def test_masked_softmax_and_its_gradient(case, junk, thresholds):
    scores, lens, dtype = case
    if isinstance(lens, list) and torch.as_tensor(lens).dim() == 1 and scores.shape[-2] == 0:
        lens = torch.zeros(len(scores), dtype=torch.long)  # nested empty lists have lost a rank
    hidden = reference.weights(torch.zeros(scores.shape), lens) == 0
    scores = torch.where(hidden, torch.tensor(junk, dtype=dtype), scores)
    upstream = numbers(*scores.shape).to(dtype)
    found = []
    with mock.patch.multiple(fast, **thresholds):
        for softmax in (masked_softmax, PLAIN.masked_softmax):
            leaf = scores.clone().requires_grad_()
            weights = softmax(leaf, lens)
            found.append([weights, *torch.autograd.grad(weights, leaf, upstream)])
            with torch.no_grad():
                found[-1].append(softmax(leaf, lens))
    same(*found)
    assert (found[0][0][hidden] == 0).all()


@pytest.mark.parametrize("place", test_attention.FAR)
def test_plain_distances_are_right_at_any_offset(place):
    test_attention.check_far_away(PLAIN.DistanceAttention(), place)


@pytest.mark.parametrize("grad", [True, False])
@pytest.mark.parametrize("large", [1, 2**16])
def test_a_row_of_nan_is_kept_in_its_valid_part_alone(large, grad, monkeypatch):
    """An infinite score of the caller's own is no padding: the plain definition has NaN there."""
    monkeypatch.setattr(fast, "LARGE", large)
    queries, keys, values = (torch.ones(2, 4, 2) for _ in range(3))
    keys[0, 0] = torch.inf
    attention, plain = d2lmini.DotProductAttention(), PLAIN.DotProductAttention()
    with torch.set_grad_enabled(grad):
        same([attention(queries, keys, values, [2, 0])], [plain(queries, keys, values, [2, 0])])
    assert attention.attention_weights[0, :, :2].isnan().all()
    assert (attention.attention_weights[0, :, 2:] == 0).all()
    assert (attention.attention_weights[1] == 0).all()


@pytest.mark.parametrize("part", [0.3, 0.9])
@pytest.mark.parametrize("dtype", list(TOLERANCE))
def test_a_large_number_behind_a_mask_spoils_no_gradient(dtype, part, monkeypatch):
    """Times a slope it is infinite, and a weight of 0 times that is NaN."""
    monkeypatch.setattr(fast, "MANY", 1)
    leaves = [numbers(1, 3, 2).to(dtype) for _ in range(3)]
    for hidden in leaves[1:]:
        hidden[:, 2, 0] = part * torch.finfo(dtype).max
    for leaf in leaves:
        leaf.requires_grad_()
    output = d2lmini.DotProductAttention()(*leaves, [2])
    for slope in torch.autograd.grad(output, leaves, torch.full_like(output, 10)):
        assert slope.isfinite().all()


def test_without_that_line_a_definition_is_itself():
    assert PLAIN.masked_softmax.__wrapped__.__code__.co_name == "masked_softmax"
    assert not hasattr(PLAIN.Attention.pool, "__wrapped__")
    assert not hasattr(PLAIN.AdditiveAttention.score, "__wrapped__")
    for plain in (d2lmini.Attention.pool, d2lmini.AdditiveAttention.score):
        assert inspect.getsource(plain) == inspect.getsource(inspect.unwrap(plain))
        assert plain.__wrapped__.__code__.co_filename.endswith("attention.py")
    for name, (way, _) in fast.FAST.items():
        assert way.__qualname__ == name  # it is in front of that definition


def test_the_fast_way_runs_where_it_pays_and_never_while_a_graph_is_written_down(monkeypatch):
    def definition(*args, **named):
        return "plain", args, named

    def pays(*args, **named):
        return args == (1,) and named == {"b": 2}

    ways = (lambda *args, **named: ("fast", args, named)), pays
    monkeypatch.setitem(quick.FAST, definition.__qualname__, ways)
    chosen = quick.quick(definition)
    assert chosen(1, b=2) == ("fast", (1,), {"b": 2})
    assert chosen(1) == ("plain", (1,), {})
    assert chosen(b=2) == ("plain", (), {"b": 2})
    monkeypatch.setattr(quick, "is_exporting", lambda: True)
    assert chosen(1, b=2) == ("plain", (1,), {"b": 2})


def test_no_private_name_of_pytorch():
    for path in PACKAGE.rglob("*.py"):
        assert not re.search(r"torch(\.\w+)*\._(?!_)", path.read_text(encoding="utf-8")), path


@pytest.mark.parametrize("package", [d2lmini, kernelfree])
def test_every_public_name_is_there(package):
    for name in package.__all__:
        assert getattr(package, name) is not None


def test_autocast_is_asked_of_older_versions_too(monkeypatch):
    queries = torch.zeros(1, 2, 3)

    def before_2_4():
        return False

    monkeypatch.setattr(torch, "is_autocast_enabled", before_2_4)
    monkeypatch.setattr(torch, "is_autocast_cpu_enabled", lambda: True, raising=False)
    assert is_autocast(queries.device)
    monkeypatch.setattr(torch, "is_autocast_cpu_enabled", lambda: False, raising=False)
    with pytest.raises(TypeError, match="dtype"):
        d2lmini.DotProductAttention()(queries.double(), queries, queries)


def test_older_versions_are_not_asked_whether_a_graph_is_written_down(monkeypatch):
    monkeypatch.delattr(torch.compiler, "is_exporting", raising=False)
    spec = importlib.util.find_spec("d2lmini.checks")
    checks = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(checks)
    assert checks.is_exporting() is False
