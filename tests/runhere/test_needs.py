"""What a cell needs from above: it prints what the book shows when no other cell has run."""

import pytest
from in_page import in_page, shown

import chapters
from runhere import known
from runhere.page import above
from runhere.page.session import Session

CELLS = [
    *("import torch\nfrom x import y", "a = 1", "def double(x):\n    return a * x * 2", "b = [a]", "b[0] = 5"),
    *("torch.manual_seed(0)\nc = torch.rand(2)", "d = torch.randn(2)", "torch.set_default_dtype(torch.float64)"),
    *("e = double(b)", "loss.backward()\nmodel(d)", "a = a + 1", "f = ("),
]


def test_names_are_read_from_a_cell():
    names = above.read(CELLS)
    needs = [{*one.needs} - {above.SETTINGS} for one in names]
    assert needs[2] == {"a"}
    assert (needs[4], names[4].binds) == ({"b"}, {"b"})
    assert (needs[5], names[5].binds) == ({"torch"}, {"c", above.CHANCE})
    assert above.CHANCE in needs[6]
    assert above.SETTINGS in names[7].binds
    assert names[9].binds == {"loss", "model", "d"}
    assert (needs[11], names[11].binds) == (set(), {"f"})


def test_a_cell_runs_with_what_it_needs_and_what_has_changed_runs_again():
    sources = ["n = [1]", "n.append(2)", "n[0] += 10", "n", "m = 3", "len(n) + m"]
    session = Session()

    def run(at, **options):
        done = session.run(sources, at, **options)
        return done["value"], done["before"]

    assert run(3) == ("[11]", [0, 2])
    assert run(3) == ("[11]", [])
    assert run(2) == ("", [0])  # and not 21
    assert session.run(sources, 2)["on"] == [0]
    assert run(5) == ("4", [4])
    sources[0] = "n = [1, 1]"
    assert run(5) == ("5", [0, 2])
    assert run(3, skipped=[2]) == ("[1, 1]", [0])
    sources[4] = "m = q"
    assert session.run(sources, 5)["above"] == 4
    sources[4] = "m = ("
    assert "A cell above, line 1" in session.run(sources, 5)["error"]
    sources[4] = "m = 7\nassert m == 3"  # the book's check of its own number
    assert run(5)[0] == "9"
    sources[4] = "q = m = 7"
    assert run(5)[0] == "9"
    assert "NameError" in session.run(["q", *sources[1:]], 0)["error"]  # q stands below


@pytest.mark.beyond
@pytest.mark.parametrize("number", known.CHAPTERS)
def test_each_cell_alone_prints_what_the_book_shows(number, tmp_path):
    page = chapters.numbered()[number - 1]
    cells = [(at, cell) for at, cell in enumerate(chapters.read(page).cells) if cell.cell_type == "code"]
    cells = cells[1:]  # the first installs
    wanted = [
        place
        for place, (at, cell) in enumerate(cells)
        if not cell.metadata.get("tags")
        and at not in known.CANNOT.get(number, ())
        and "NBVAL_IGNORE_OUTPUT" not in cell.source
    ]
    sources = [cell.source for _, cell in cells]
    left = [place for place, (at, _) in enumerate(cells) if at in known.CANNOT.get(number, ())]
    for place, done in zip(wanted, in_page("needs_in_page.py", [sources, wanted, left], tmp_path), strict=True):
        at, cell = cells[place]
        assert done["error"] == "", at
        if shown(cell) is not None:
            assert f"{done['out']}{done['value']}".strip("\n") == shown(cell), at
