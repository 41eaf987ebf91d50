"""The processor that nobody has: what it moves, by how much, and which cells ask it not to."""

import pytest
import rounding
import torch

import chapters


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_what_is_rounded_moves_by_one_unit_at_most(dtype):
    x = torch.linspace(-9, 9, 1000, dtype=dtype) + 0.01
    with rounding.Rounding("1"):
        moved = x.exp()
    bits = rounding.INTEGERS[dtype]
    steps = moved.view(bits) - x.exp().view(bits)
    assert set(steps.tolist()) == {-1, 0, 1}


def test_the_same_computation_gives_the_same_and_another_seed_another():
    x = torch.linspace(-9, 9, 1000) + 0.01
    results = []
    for seed in ("1", "1", "2"):
        with rounding.Rounding(seed):
            results.append(x.tanh())
    assert torch.equal(results[0], results[1])
    assert not torch.equal(results[0], results[2])


def test_what_every_processor_computes_alike_stays():
    few_bits = torch.arange(12.0).view(3, 4) / 4
    products = few_bits @ few_bits.T
    thirds = few_bits / 3
    with rounding.Rounding("1"):
        assert torch.equal(few_bits @ few_bits.T, products)
        assert torch.equal(few_bits / 3, thirds)
        assert torch.equal(torch.zeros(2).softmax(0), torch.tensor([0.5, 0.5]))
        assert torch.tensor([0.3, -torch.inf]).softmax(0)[1] == 0
        assert (torch.rand(1000, 1) - 9).softmax(1).eq(1).all()
        assert not (torch.rand(1000, 2) / 1e9).softmax(1).eq(0.5).all()
        assert not torch.equal(thirds @ thirds.T, products / 9)


def test_few_cells_are_computed_as_they_are_and_each_says_why():
    sources = [cell for page in chapters.pages() for cell in chapters.cells(page, "code")]
    marks = [
        line for cell in sources for line in cell.splitlines() if rounding.EXACT.strip() in line
    ]
    assert 0 < len(marks) <= 8
    assert all(len(line.split(rounding.EXACT)[1].split()) >= 4 for line in marks)
