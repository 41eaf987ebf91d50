"""A chapter that was started and not finished is told."""

import nbformat
import pytest

import chapters
from tools import new, relink

read = nbformat.read


@pytest.mark.parametrize("number", ["04", "18"])
def test_a_number_that_is_taken_names_all_that_holds_it(number):
    with pytest.raises(SystemExit) as told:
        new.main(f"{number}_other")
    why = str(told.value)
    assert f"chapters/{number}_" in why
    assert f"d2lmini/exercises/chapter_{number}.py" in why
    assert why.endswith("; 19 is free")  # git knows those files: nobody is to remove them


def test_what_git_does_not_know_may_be_left_of_a_start_that_was_stopped(tmp_path, monkeypatch):
    monkeypatch.setattr(new, "ROOT", tmp_path)
    (tmp_path / "chapters").mkdir()
    (tmp_path / "chapters" / "01_idea.ipynb").touch()
    with pytest.raises(SystemExit, match=r"; 02 is free; if .* remove that, and chapters/01_other from _toc"):
        new.main("01_other")


@pytest.mark.parametrize("name", ["", "1_one", "00_none", "19_Idea", "19", "19_my-idea"])
def test_a_name_that_no_chapter_can_have_is_told_by_its_letters(name):
    with pytest.raises(SystemExit, match=f"two digits and words of small letters and digits, .* not '{name}'"):
        new.main(name)


def test_what_is_stopped_leaves_nothing(monkeypatch):
    def stopped(pages):
        raise KeyboardInterrupt

    monkeypatch.setattr(new.run, "main", stopped)
    monkeypatch.setattr(new.run, "replace", lambda path, content: replaced.append(path))
    replaced = []
    with pytest.raises(KeyboardInterrupt):
        new.main("98_other")
    assert replaced == list(new.ROOT.rglob("*98_other*")) == []


def test_what_is_left_of_the_example_shrinks(tmp_path, monkeypatch):
    for folder in ("chapters", "d2lmini/exercises"):
        (tmp_path / folder).mkdir(parents=True)
    monkeypatch.setattr(new, "ROOT", tmp_path)
    monkeypatch.setattr(new, "wanted", lambda root: relink.wanted(relink.ROOT))
    for other, (_, rest) in new.ROWS.items():
        (tmp_path / "chapters" / f"{other}.ipynb").write_text(f"[97](97_idea.ipynb{rest}")
    index = new.run.CHAPTERS / "index.ipynb"
    monkeypatch.setattr(new.nbformat, "read", lambda path, **_: notebook if path == page else read(index, 4))
    monkeypatch.setattr(new.run, "CHAPTERS", tmp_path / "chapters")
    page = tmp_path / "chapters" / "97_idea.ipynb"
    notebook = nbformat.v4.new_notebook(cells=[*new.cells(new.filled("chapter.md", "97_idea"))])
    exercises = tmp_path / "d2lmini" / "exercises" / "chapter_97.py"
    exercises.write_text(new.filled("exercises.py", "97_idea"))
    whole = [*new.left(page)]
    assert {"d2lmini/exercises/chapter_97.py: by_hand", "chapters/index.ipynb: its line there"} <= {*whole}
    notebook.cells[0].source += " Why would somebody ask?"
    exercises.write_text(exercises.read_text().replace("0.75", "0.7"))
    (tmp_path / "chapters" / "index.ipynb").write_text("[97](97_idea.ipynb): why is it so?")
    assert len(whole) - len([*new.left(page)]) == 3


def test_chapters_of_the_book_have_nothing_of_the_example():
    assert [sentence for page in chapters.numbered() for sentence in new.left(page)] == []
