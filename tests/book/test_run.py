"""`make run` loses no edit, and what a notebook may carry stands in one place."""

import os
from pathlib import Path

import metadata
import nbformat
import pytest
import run

import chapters


@pytest.fixture
def page(tmp_path):
    """A notebook whose code cell, when it runs, does what a test wants to happen meanwhile."""

    def write(source):
        made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source)])
        path = tmp_path / "page.ipynb"
        nbformat.write(made, path)
        return path

    return write


def test_a_notebook_is_executed_and_saved_with_its_mode(page):
    path = page("print(6 * 7)")
    path.chmod(0o640)
    assert run.main([str(path)]) is False
    assert nbformat.read(path, as_version=4).cells[0].outputs[0].text == "42\n"
    assert path.stat().st_mode & 0o777 == 0o640
    assert [p.name for p in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("edit", ["write_text('an edit')", "unlink()"])
def test_an_edit_made_while_a_notebook_runs_is_kept(page, edit, capsys):
    path = page(f"from pathlib import Path\nPath('page.ipynb').{edit}")
    assert run.main([str(path)]) is True
    said = capsys.readouterr().out
    assert "NOT SAVED" in said
    assert f"{path} was saved while it ran. It stays as it is; run it again." in said
    left = {p.name: p.read_text() for p in path.parent.iterdir()}
    assert left == ({} if edit == "unlink()" else {"page.ipynb": "an edit"})


def test_a_failing_notebook_stays_as_it_is(page):
    path = page("1 / 0")
    before = path.read_bytes()
    assert run.main([str(path)]) is True
    assert path.read_bytes() == before


@pytest.mark.parametrize("moment", ["write_bytes", "replace"])
def test_an_interrupted_write_leaves_the_old_file_whole(tmp_path, monkeypatch, moment):
    path = tmp_path / "page.ipynb"
    path.write_bytes(b"old")

    def half(beside, content):
        with open(beside, "wb") as file:
            file.write(content[:2])
        raise KeyboardInterrupt

    def never(source, target):
        raise KeyboardInterrupt

    if moment == "replace":
        monkeypatch.setattr(os, "replace", never)
    else:
        monkeypatch.setattr(Path, "write_bytes", half)
    with pytest.raises(KeyboardInterrupt):
        run.replace(path, b"new one")
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["page.ipynb"]


def test_a_link_stays_a_link(tmp_path):
    real, link = tmp_path / "real.ipynb", tmp_path / "link.ipynb"
    real.write_bytes(b"old")
    link.symlink_to(real)
    run.replace(link, b"new")
    assert link.is_symlink()
    assert real.read_bytes() == b"new"


FOREIGN = {
    "metadata of the notebook: colab": lambda made: made.metadata.update(colab={}),
    "metadata of cell 0: scrolled": lambda made: made.cells[0].metadata.update(scrolled=True),
    "metadata of an output of cell 0": lambda made: (
        made.cells[0].outputs[0].update(metadata={"needs_background": "light"})
    ),
    "cell 0 shows a widget that is dead without its kernel": lambda made: (
        made.cells[0]
        .outputs[0]
        .data.update({"application/vnd.jupyter.widget-view+json": {"model_id": "1"}})
    ),
}


@pytest.mark.parametrize("what", FOREIGN)
def test_what_is_foreign_is_named_and_a_run_removes_it(what):
    cell = nbformat.v4.new_code_cell("# @title Figure: one\n1 + 1")
    cell.outputs = [nbformat.v4.new_output("execute_result", {"text/plain": "2"})]
    made = run.clean(nbformat.v4.new_notebook(cells=[cell]))
    assert list(metadata.foreign(made)) == []
    FOREIGN[what](made)
    assert list(metadata.foreign(made)) == [what]
    assert list(metadata.foreign(run.clean(made))) == []


@pytest.mark.parametrize("text", ["vnd.jupyter.widget-view", "display_name", "source_hidden"])
def test_what_a_notebook_may_carry_stands_in_one_place(text):
    tools = chapters.ROOT / "tools"
    found = [path.name for path in tools.glob("*.py") if text in path.read_text(encoding="utf-8")]
    assert found == ["metadata.py"]


def test_whether_a_kernel_runs_this_is_asked_in_one_place():
    package = chapters.ROOT / "d2lmini"
    found = [p.name for p in package.rglob("*.py") if "get_ipython" in p.read_text("utf-8")]
    assert found == ["heatmaps.py"]
