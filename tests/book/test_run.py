"""`make run` and `make lab` lose no edit; what a notebook may carry stands in one place."""

import copy
import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

import chapters
from tools import lab, lacking, metadata, run


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


@pytest.mark.parametrize("text", ["<html>", "[]", '{"cells": [', "\ufeff{}"])
def test_a_broken_notebook_is_named_and_the_next_one_runs(page, text, capsys):
    broken = page("6 * 7").with_name("broken.ipynb")
    broken.write_text(text, encoding="utf-8")
    assert run.main([str(broken), str(broken.with_name("gone.ipynb"))]) is True
    said = capsys.readouterr().out
    assert f"NOT SAVED\n{broken} is no notebook: " in said
    assert f"gone.ipynb ... NOT SAVED\n{broken.with_name('gone.ipynb')} is no notebook: No such file" in said
    assert broken.read_text(encoding="utf-8") == text


WIDGET = {"application/vnd.jupyter.widget-view+json": {"model_id": "1"}}
FOREIGN = [
    lambda made, *_: made.metadata.update(colab={}),
    lambda made, *_: made.metadata.language_info.update(version="3"),
    lambda _, cell: cell.metadata.update(scrolled=True),
    lambda _, cell: cell.outputs[0].metadata.update(needs={}),
    lambda _, cell: cell.outputs[0].data.update(WIDGET),
    lambda _, cell: cell.metadata.pop("tags"),  # no editor has left anything
]


@pytest.mark.parametrize("change", FOREIGN)
def test_what_is_foreign_or_missing_is_told_and_a_run_mends_it(change):
    cell = nbformat.v4.new_code_cell("# @title Figure: one\n1 + 1")
    cell.outputs = [nbformat.v4.new_output("execute_result", {"text/plain": "2"})]
    clean = run.clean(nbformat.v4.new_notebook(cells=[cell]))
    made = copy.deepcopy(clean)
    assert [*lacking.run(Path("x"), made)] == []
    change(made, made.cells[0])
    assert [*lacking.run(Path("x"), made)] == ["It needs other metadata: `make words` and `make run` write them."]
    assert run.clean(made) == clean


def test_of_the_tags_of_code_that_is_shown_one_stays():
    cell = nbformat.v4.new_code_cell("1", metadata={"tags": ["mine", metadata.BESIDE]})
    made = nbformat.v4.new_notebook(cells=[cell])
    assert run.clean(made).cells[0].metadata == {"tags": [metadata.BESIDE]}


def test_the_check_before_a_commit_needs_the_standard_library_alone(tmp_path):
    page = tmp_path / "page.ipynb"
    made = run.clean(nbformat.v4.new_notebook())
    for update, told in ({}, False), ({"colab": {}, "language_info": {"name": "python", "version": "3"}}, True):
        nbformat.write(nbformat.from_dict({**made, "metadata": {**made.metadata, **update}}), page)
        command = [sys.executable, "-I", "-S", metadata.__file__, str(page)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert ("page.ipynb: what an editor had added" in done.stdout) == told == (done.stdout != "")
        assert nbformat.read(page, 4) == made


@pytest.fixture
def book(tmp_path):
    """A folder of chapters, and `make lab`'s copy of it."""
    source, target = tmp_path / "chapters", tmp_path / "work"
    source.mkdir()
    for name in ("a", "b"):
        (source / f"{name}.ipynb").write_text(f"{name}, first")
    assert lab.lay(source, target) == []
    return source, target


def texts(folder):
    return {path.stem: path.read_text() for path in folder.glob("*.ipynb")}


def test_an_untouched_copy_follows_the_book_and_a_touched_one_stays(book, capsys):
    source, target = book
    assert texts(target) == {"a": "a, first", "b": "b, first"}
    (target / "a.ipynb").write_text("my answers")
    assert lab.lay(source, target) == []  # nothing new, so nothing to say
    for name in ("a", "b", "c"):
        (source / f"{name}.ipynb").write_text(f"{name}, second")
    lab.main(source, target)
    assert texts(target) == {"a": "my answers", "b": "b, second", "c": "c, second"}
    said = capsys.readouterr().out
    assert said.startswith(f"{target}/a.ipynb is yours and stays; the book has a newer one.")
    assert said.count("\n") == 1


@pytest.mark.parametrize("record", [None, "", "{", "3", "null", "\0\0", "[" * 200_000])
def test_without_its_record_nothing_is_overwritten(book, record):
    source, target = book
    (target / lab.LAID).unlink()
    if record is not None:
        (target / lab.LAID).write_text(record)
    (source / "a.ipynb").write_text("a, second")
    assert lab.lay(source, target) == ["a.ipynb"]
    assert texts(target) == {"a": "a, first", "b": "b, first"}
    assert lab.lay(source, target) == ["a.ipynb"]


def test_an_interrupted_copy_is_made_again(book, monkeypatch):
    source, target = book
    (source / "a.ipynb").write_text("a, second")
    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", lambda *paths: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            lab.lay(source, target)
    assert texts(target)["a"] == "a, first"
    assert lab.lay(source, target) == []
    assert texts(target)["a"] == "a, second"


@pytest.mark.skipif(not (chapters.ROOT / ".git").exists(), reason="not a clone")
def test_git_ignores_the_copies_and_not_the_chapters():
    def ignored(path):
        return subprocess.run(["git", "check-ignore", "-q", path], cwd=chapters.ROOT).returncode

    assert ignored("work/04_masked_softmax.ipynb") == 0
    assert ignored("chapters/04_masked_softmax.ipynb") == 1


@pytest.mark.parametrize(("command", "folder"), [("lab", "work"), ("lab-authors", "chapters")])
def test_readers_get_the_copies_and_authors_the_chapters(command, folder):
    done = subprocess.run(["make", "-n", command], cwd=chapters.ROOT, capture_output=True, text=True, check=True)
    assert re.findall(r"jupyter lab .* (\w+)$", done.stdout, re.MULTILINE) == [folder]
    assert ("tools.lab chapters work" in done.stdout) is (command == "lab")


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("run", r"tools\.translate update 04_masked_softmax index references teaching$"),
        ("words", r"git add chapters/04_masked_softmax\.ipynb 'locale/\*/04_masked_softmax\.\*' and pages"),
        (
            "check",
            r"tools\.lacking 04_masked_softmax > /dev/null$[\s\S]*pytest[\s\S]*tools\.lacking 04_masked_softmax\s*\Z",
        ),
    ],
)
def test_what_a_chapters_commands_name_and_end_with(command, said):
    options = {"cwd": chapters.ROOT, "capture_output": True, "text": True, "check": True}
    done = subprocess.run(
        ["make", "-n", "--no-print-directory", command, "CHAPTER=chapters/04_masked_softmax.ipynb"], **options
    )
    assert re.search(said, done.stdout, re.MULTILINE)
