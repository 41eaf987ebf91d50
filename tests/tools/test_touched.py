"""A change of some files runs the tests that it touches, and what nobody has thought of all."""

import re
import subprocess
import sys

import pytest

import chapters
from tests import touched

ALL = ["chapters", "tests"]
FILES = subprocess.check_output(["git", "ls-files"], cwd=chapters.ROOT, text=True).splitlines()


@pytest.mark.parametrize("row", touched.TABLE, ids=lambda row: row[0])
def test_a_row_fits_a_file_and_names_tests_that_are_there(row):
    first = next(
        name for name in FILES if next((one for one in touched.TABLE if re.fullmatch(one[0], name)), None) is row
    )
    given, why = touched.arguments([first])
    assert given != ALL
    assert first in why
    for place in (one.removeprefix("--whole=") for one in given):
        file, _, test = place.partition("::")
        text = "" if (chapters.ROOT / file).is_dir() else (chapters.ROOT / file).read_text("utf-8")
        assert f"def {test.partition('[')[0]}(" in text or not test


def test_a_sentence_is_tried_in_its_own_chapter_and_a_script_in_the_browser():
    given, _ = touched.arguments(["chapters/06_scaled_dot_product_attention.ipynb"])
    assert "--whole=chapters/06_scaled_dot_product_attention.ipynb" in given
    assert "tests/browser/test_pages.py::test_one_visit[06_scaled_dot_product_attention]" in given
    assert {"chapters", "tests/browser", "tests/d2lmini", "tests/kernelfree"}.isdisjoint(given)
    given, _ = touched.arguments(["pages/js/search/search.js", "pages/js/line/line.js"])
    whole = ["tests/book/test_scripts.py", "tests/browser/test_line.py"]
    assert given[:2] == [f"--whole={place}" for place in whole]
    assert {"tests/browser/test_pages.py", "tests/book/test_translation.py"} < {*given}
    assert {"tests/book", "tests/browser/test_figures.py", "tests/runhere"}.isdisjoint(given)


def test_everything_runs_where_a_change_may_touch_anything(monkeypatch, capsys):
    assert touched.arguments(["README.md", "Makefile"])[0] == ALL
    assert touched.arguments(["chapters/99_gone.ipynb"])[0] == ALL
    assert touched.arguments([])[0] == touched.arguments(None)[0] == ALL
    monkeypatch.setattr(touched, "changed", lambda: ["README.md"])
    for ci, asked, expected in (("", (), "tests/book"), ("true", (), "tests"), ("", ("all",), "tests")):
        monkeypatch.setenv("CI", ci)
        touched.main(*asked)
        assert capsys.readouterr().out.split()[-1] == expected


def test_what_differs_from_main_is_changed_but_for_scripts_that_are_made_again(tmp_path, monkeypatch):
    def git(*command):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *command], cwd=tmp_path, check=True)

    def write(**texts):
        for name, text in texts.items():
            (tmp_path / f"{name}.ipynb").write_text(text)

    monkeypatch.setattr(touched, "ROOT", tmp_path)
    assert touched.changed() is None
    git("init", "--quiet", "--initial-branch", "main")
    write(**dict.fromkeys(["same", "made", "told"], '["<script>old</script>", "words"]'))
    git("add", ".")
    git("commit", "--quiet", "--message", "first")
    assert touched.changed() == []
    git("switch", "--quiet", "--create", "branch")
    write(made='["<script>new</script>", "words"]', told='["<script>old</script>", "word"]')
    git("commit", "--quiet", "--all", "--message", "second")
    write(new="", same="[]")
    assert touched.changed() == ["new.ipynb", "same.ipynb", "told.ipynb"]


def test_what_runs_whole_has_what_is_left_to_the_longer_run():
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "--whole=tests/book/test_scripts.py"]
    found = subprocess.check_output(
        [*command, "tests/book/test_scripts.py", "tests/book/test_contributing.py"], cwd=chapters.ROOT, text=True
    )
    assert "test_the_committed_scripts_are_those_that_are_made" in found
    assert "test_the_path_of_a_new_chapter" not in found
