"""The book of before stays until the new one is whole, whatever ends a build."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tools import build

NOTEBOOK = {"cells": [{"cell_type": "markdown", "metadata": {}, "source": ["# 1. One"]}]}
# A builder in three steps, which waits in each while a file of that name is there.
BUILDER = """
import os, pathlib, time
def step(name):
    pathlib.Path("at").write_text(name)
    while pathlib.Path(name).exists():
        time.sleep(0.01)
html = pathlib.Path("_build/workshop/_build/html")
static = html / "_static"
step("before")
static.mkdir(parents=True, exist_ok=True)
(html / "index.html").write_text(pathlib.Path("text").read_text())
os.utime(html / "index.html", (0, 0))  # Sphinx leaves a page as it is if its source is
step("between")
(static / "book.js").write_text(pathlib.Path("script").read_text())
(html / "last.html").write_text(pathlib.Path("text").read_text())
step("after")
raise SystemExit(pathlib.Path("fail").exists())
"""


@pytest.fixture
def house(tmp_path):
    (tmp_path / "chapters").mkdir()
    (tmp_path / "chapters" / "01_one.ipynb").write_text(json.dumps(NOTEBOOK))
    (tmp_path / "builder.py").write_text(BUILDER)
    (tmp_path / "script").write_text("let a = 1;")
    (tmp_path / "text").write_text("first")
    build_in(tmp_path)
    return tmp_path


def build_in(house):
    build.main(house, lambda *_: [sys.executable, house / "builder.py"])


def start(house):
    code = (
        f"import sys; sys.path.insert(0, {str(Path(build.__file__).parents[1])!r});"
        "from tools import build;"
        "from pathlib import Path;"
        "build.main(Path.cwd(), lambda *_: [sys.executable, 'builder.py'])"
    )
    output = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    return subprocess.Popen([sys.executable, "-c", code], cwd=house, start_new_session=True, **output)


def until(condition):
    for _ in range(2000):
        if condition():
            return
        time.sleep(0.01)
    pytest.fail("it did not happen within 20 s")


def shown(house, *pages):
    html = house / "_build" / "html"
    return [(html / name).read_text() for name in pages or ("index.html", "last.html")]


@pytest.mark.parametrize("step", ["before", "between", "after"])
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
def test_a_build_that_is_killed_leaves_the_old_book_and_the_next_one_works(house, step, end):
    (house / "text").write_text("second")
    (house / step).touch()
    one = start(house)
    until(lambda: (house / "at").read_text() == step)
    os.killpg(one.pid, end)
    one.communicate()
    assert shown(house) == ["first", "first"]
    (house / step).unlink()
    build_in(house)
    assert shown(house) == ["second", "second"]


def test_of_two_builds_one_waits_even_for_what_the_other_left_running(house, capfd):
    (house / "between").touch()
    (house / "text").write_text("second")
    one = start(house)
    until(lambda: (house / "at").read_text() == "between")
    one.kill()  # its builder goes on
    one.wait()
    one.stdout.close()
    two = start(house)
    assert "waits" in two.stdout.readline()
    (house / "text").write_text("third")
    (house / "between").unlink()
    two.communicate()
    assert two.returncode == 0
    assert shown(house) == ["third", "third"]


@pytest.mark.parametrize("name", ["html", "html.old"])  # the latter of a build that was killed
def test_a_build_that_fails_leaves_the_old_book(house, name):
    (house / "_build" / "html").rename(house / "_build" / name)
    (house / "text").write_text("second")
    (house / "fail").touch()
    with pytest.raises(SystemExit, match="nothing is published"):
        build_in(house)
    assert shown(house) == ["first", "first"]
    (house / "fail").unlink()
    build_in(house)
    assert shown(house) == ["second", "second"]


def test_the_first_page_is_newer_than_what_it_is_made_of(house):
    page = house / "_build" / "html" / "index.html"
    assert page.stat().st_mtime >= (house / "text").stat().st_mtime


CONFLICT = '{"cells": [{"cell_type": "markdown", "source": ["<<<<<<< HEAD"]}]}'
BROKEN = ['{"cells": [', "[]", '{"cells": [{"cell_type": "markdown"}]}', "[" * 200_000, "\udcff"]


@pytest.mark.parametrize("text", [CONFLICT, *BROKEN])
def test_a_notebook_that_is_broken_is_named(house, text):
    told = ": cell 0 holds the marks of a merge conflict" if text == CONFLICT else " is no notebook"
    (house / "chapters" / "01_one.ipynb").write_bytes(text.encode(errors="surrogateescape"))
    with pytest.raises(SystemExit, match=f"01_one.ipynb{told}"):
        build_in(house)
    assert shown(house) == ["first", "first"]


def test_a_script_that_does_not_parse_is_named(house):
    (house / "script").write_text("let a = ;")
    with pytest.raises(SystemExit, match=r"book.js does not parse[\s\S]*let a = ;"):
        build_in(house)
    assert shown(house) == ["first", "first"]


# Builds a page in any workshop; the text of an edition is in a file of the workshop's name.
OF_EDITIONS = """
import os, pathlib, sys
workshop = pathlib.Path(sys.argv[1])
html = workshop / "_build" / "html"
html.mkdir(parents=True, exist_ok=True)
text = (pathlib.Path(sys.argv[2]) / workshop.name).read_text()
(html / "index.html").write_text(text)
if text == "wrong":
    sys.exit("a warning of this edition")
if text == "killed":
    os.kill(os.getpid(), 9)
"""


@pytest.fixture
def editions(house, monkeypatch):
    """A house with an edition in Chinese, and how it is built."""
    (house / "locale" / "zh").mkdir(parents=True)
    (house / "locale" / "zh" / "page.po").touch()
    monkeypatch.setattr("tools.translation.edition.write", lambda *given: given[2].mkdir(parents=True))
    (house / "editions.py").write_text(OF_EDITIONS)
    (house / "workshop").write_text("English")
    (house / "zh").write_text("Chinese")

    def made():
        shutil.rmtree(house / "_build" / "workshop" / "zh", ignore_errors=True)
        python, file = sys.executable, house / "editions.py"
        build.main(house, lambda source, workshop: [python, file, workshop, house])
        return shown(house, "index.html", "zh/index.html")

    return made


@pytest.mark.parametrize("wrong", ["workshop", "zh"])
@pytest.mark.parametrize(("how", "why"), [("wrong", "failed with 1"), ("killed", "was killed by SIGKILL")])
def test_half_an_edition_is_never_published(house, editions, wrong, how, why, capfd):
    assert editions() == ["English", "Chinese"]
    for name in ("workshop", "zh"):
        (house / name).write_text("new")
    (house / wrong).write_text(how)
    with pytest.raises(SystemExit, match="nothing is published"):
        editions()
    told = "".join(capfd.readouterr())
    assert f"the edition in {wrong.replace('workshop', 'en')} {why}" in told
    assert ("a warning of this edition" in told) == (how == "wrong")
    assert shown(house, "index.html", "zh/index.html") == ["English", "Chinese"]


@pytest.mark.beyond
def test_a_bare_clone_fetches_the_pages_python_or_says_why_not(tmp_path, capfd):
    for name in ("package.json", "package-lock.json"):
        shutil.copy(build.ROOT / name, tmp_path)
    nowhere = {"npm_config_registry": "http://localhost:9/", "npm_config_cache": f"{tmp_path}/cache"}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in nowhere.items():
            patch.setenv(name, value)
        (said,) = build.fetch_pyodide(tmp_path)
    assert said.startswith("build: no Pyodide, so the pages of this book have no Python (npm err")
    assert capfd.readouterr().err == ""  # no trace
    assert build.fetch_pyodide(tmp_path) == []
    assert (tmp_path / "node_modules" / "pyodide" / "pyodide.js").stat().st_size > 10_000
    assert build.fetch_pyodide(tmp_path) == []  # there already
