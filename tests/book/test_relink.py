"""One address: `_config.yml` holds it, and `make relink` writes it wherever else it stands."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tools import relink

ROOT = Path(__file__).resolve().parents[2]
FORK = "https://github.com/Some-Class/attention-2027"
ELSEWHERE = re.compile(r"(?:github\.com(?:/|%2F)|/gh/|/github/)d2lmini\b|d2lmini\.github\.io")


@pytest.fixture
def copy(tmp_path):
    for place in ("_config.yml", "tools/relink.py", *relink.PLACES):
        for path in ROOT.glob(place):
            target = tmp_path / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
    return tmp_path


def run(folder, *options):
    return subprocess.run([sys.executable, "tools/relink.py", *options], cwd=folder, capture_output=True, text=True)


def texts(folder):
    paths = [path for place in relink.PLACES for path in folder.glob(place)]
    return {path: path.read_text(encoding="utf-8") for path in [*paths, folder / "_config.yml"]}


def test_what_is_written_agrees_with_the_settings():
    assert relink.written(ROOT) == relink.wanted(ROOT), "run `make relink`"
    assert relink.relink(ROOT, check=True) == []
    themed = "".join(path.read_text("utf-8") for path in ROOT.glob("pages/theme/*.html"))
    assert "{{ address_of_book }}" in themed
    assert not ELSEWHERE.findall(themed)
    assert relink.pages_of("https://github.com/A/b") == "https://a.github.io/b/"
    assert relink.pages_of("https://github.com/A/a.github.io") == "https://a.github.io/"


def test_a_fork_gets_its_own_addresses(copy):
    before = texts(copy)
    places = sum(len(ELSEWHERE.findall(text)) for text in before.values())
    assert places >= 2 * len(list((copy / "chapters").glob("0*.ipynb")))  # badge and setup cell
    done = run(copy, "--repository", FORK)
    assert done.returncode == 0, done.stderr
    after = texts(copy)
    left = {path.name: ELSEWHERE.findall(text) for path, text in after.items()}
    assert not any(left.values()), left
    name = "Some-Class/attention-2027"
    notebook = after[copy / "chapters" / "04_masked_softmax.ipynb"]
    assert f"github/{name}/blob/main/chapters/04_masked_softmax.ipynb" in notebook
    assert f'book = \\"git+{FORK}\\"' in notebook
    assert "https://some-class.github.io/attention-2027/" in after[copy / "_config.yml"]
    assert f'Repository = "{FORK}"' in after[copy / "pyproject.toml"]
    # Nothing but addresses has changed, and the way back leads to where we were.
    assert all(len(before[p].splitlines()) == len(after[p].splitlines()) for p in before)
    was = relink.wanted(ROOT)
    assert run(copy, "--repository", was.repository, "--book", was.book).returncode == 0
    assert texts(copy) == before


def test_a_change_of_the_settings_alone_is_noticed_and_carried_out(copy):
    config = copy / "_config.yml"
    text = config.read_text(encoding="utf-8").replace("branch: main", "branch: autumn")
    config.write_text(text.replace(relink.wanted(ROOT).book, "https://book.example/"))
    assert Path("chapters/04_masked_softmax.ipynb") in relink.relink(copy, check=True)
    assert run(copy).returncode == 0
    assert relink.relink(copy, check=True) == []
    wanted = relink.wanted(ROOT)._replace(branch="autumn", book="https://book.example/")
    assert relink.written(copy) == relink.wanted(copy) == wanted
    for path, text in texts(copy).items():
        assert "/blob/main/" not in text or "d2lmini" not in text, path


def test_an_address_that_colab_cannot_open_is_refused(copy):
    for address in ("https://gitlab.example/group/attention", "https://codeberg.org/x/y", "x"):
        done = run(copy, "--repository", address)
        assert done.returncode == 1, address
        assert done.stderr.startswith(f"relink: repository.url is {address!r}")
        assert "https://github.com/OWNER/NAME" in done.stderr
        assert "give --book alone" in done.stderr
    assert run(copy, "--book", "https://a.example/b/").returncode == 0
    assert relink.wanted(copy) == relink.wanted(ROOT)._replace(book="https://a.example/b/")


def test_names_that_only_look_like_the_address_stay():
    old = relink.Addresses("https://github.com/d2lmini/attention", "main", "https://d.example/")
    new = relink.Addresses("https://github.com/x/y", "main", r"https://e.example/\g<0>/")
    for text in ("d2lmini/attention.py", "https://github.com/d2lmini/attention-notes", "main"):
        assert relink.relinked(text, old, new) == text
    pull = "https://hub.example/git-pull?repo=https%3A%2F%2Fgithub.com%2F{}&urlpath=lab%2Ftree%2F{}%2Fa"
    before, after = pull.format("d2lmini%2Fattention", "attention"), pull.format("x%2Fy", "y")
    assert relink.relinked(before, old, new) == after
    # An address is no pattern.
    assert relink.relinked("see https://d.example/a", old, new) == f"see {new.book}a"
