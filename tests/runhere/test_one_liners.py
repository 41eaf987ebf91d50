"""Short programs: the stand-in answers as PyTorch does, or refuses; it never answers otherwise."""

import warnings

import one_liners
import pytest
from in_page import in_page
from one_liners import silent

PROGRAMS = list(dict.fromkeys(one_liners.programs()))
LACKING = {"torch.fft": "torch.fft", "torch.ones(2).cuda()": "device", "torch.ones(2).svd()": "svd"}
LACKING["y = torch.ones(3, 3); y /= y[:, :1]"] = LACKING["y = torch.ones(2, 3); y[:, 1:] += y[:, :2]"] = "in place"
REFUSED = 28  # that PyTorch answers: integers that wrap around, rare gradients; never more


def compared(programs, folder):
    """[(program, PyTorch's answer, the stand-in's), ...]"""
    ours = in_page("one_liners.py", programs, folder)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = [one_liners.answer(program) for program in programs]
        one_liners.answer("0")  # prints as before
    return list(zip(programs, theirs, ours, strict=True))


@pytest.mark.parametrize("share", [pytest.param(1, marks=pytest.mark.beyond), 20])
def test_no_program_is_answered_otherwise_than_pytorch_does(share, tmp_path):
    found = compared([*PROGRAMS[::share], *LACKING], tmp_path)
    lacking = [found.pop() for _ in LACKING]
    for program, _, (kind, told) in lacking:
        assert kind in ("Missing", "NotImplementedError")
        assert LACKING[program] in told
        assert "it runs in the notebook" in told
    assert [one for one in found if silent(*one[1:])] == []
    refused = [one for one in found if one[1][0] == "ok" != one[2][0]]
    assert len(refused) <= REFUSED, refused
    assert {kind for *_, (kind, _) in found} > {"ok", "RuntimeError", "IndexError"}


@pytest.mark.parametrize(
    ("theirs", "ours", "expected"),
    [
        (["ok", "tensor([1., 2.])"], ["ok", "tensor([1., 2.])"], False),
        (["ok", "tensor([0.3333])"], ["ok", "tensor([0.3334])"], False),
        (["ok", "tensor([0.3333])"], ["ok", "tensor([0.3353])"], True),
        (["ok", "tensor([0., 1.])"], ["ok", "tensor([-0., 1.])"], True),
        (["ok", "tensor([1.])"], ["ok", "tensor([[1.]])"], True),
        (["RuntimeError", "no"], ["ok", "1"], True),
        (["ok", "1"], ["NotImplementedError", "runs in the notebook"], False),
    ],
)
def test_a_difference_is_seen(theirs, ours, expected):
    assert silent(theirs, ours) is expected
