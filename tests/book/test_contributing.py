"""A stranger's path: the commands of CONTRIBUTING.md lead from a clone to a chapter."""

import os
import re
import shlex
import subprocess
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[2]
SECTION = "A new chapter in fifteen minutes"


def steps():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = re.search(rf"^## {SECTION}\n(.*?)^## ", text, re.MULTILINE | re.DOTALL).group(1)
    return re.findall(r"^```(sh|python)\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)


def put_into_figure_cell(page, source):
    notebook = nbformat.read(page, as_version=4)
    [cell] = [cell for cell in notebook.cells if cell.source.startswith("# @title Figure")]
    cell.source = source.rstrip("\n")
    nbformat.write(notebook, page)


def use_this_environment(clone):
    """Lend a clone the environment that is here; it is not to be made again."""
    (clone / ".venv").symlink_to(ROOT / ".venv", target_is_directory=True)
    ready = min((ROOT / ".venv" / stamp).stat().st_mtime for stamp in ("book", "ready"))
    for path in (*clone.glob("requirements*"), *clone.glob("requirements/*"), clone / "pyproject.toml"):
        os.utime(path, (ready - 60, ready - 60))


def follow(folder):
    environment = {
        **os.environ,
        # The address that the clone command has is this repository's commit.
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"url.{ROOT}.insteadOf",
        "GIT_CONFIG_VALUE_0": re.search(r"git clone (\S+)", steps()[0][1]).group(1),
    }
    for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "CHAPTER"):
        environment.pop(name, None)
    where, count = folder, 0
    for kind, text in steps():
        if kind == "python":
            page = next((where / "chapters").glob("*_my_idea.ipynb"))
            put_into_figure_cell(page, text)
            continue
        for command in text.splitlines():
            count += 1
            if command.startswith("cd "):
                where = where / shlex.split(command)[1]
                use_this_environment(where)
                environment["PYTHONPATH"] = str(where)
            else:
                output = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
                options = {"shell": True, "cwd": where, "env": environment, **output}
                done = subprocess.run(command, **options)
                assert done.returncode == 0, f"{command}\n{done.stdout[-4000:]}"
    return count, where


@pytest.mark.beyond
@pytest.mark.skipif(not (ROOT / ".venv" / "ready").exists(), reason="make the environment first")
def test_the_path_of_a_new_chapter(tmp_path):
    count, clone = follow(tmp_path)
    assert count <= 8
    page = clone / "_build" / "html" / "chapters" / "19_my_idea.html"
    text = page.read_text(encoding="utf-8")
    assert "kernelfree-figure" in text
    assert "One key moves" in text
    status = subprocess.check_output(["git", "status", "--short"], cwd=clone, text=True)
    changed = {line[3:] for line in status.splitlines()} - {".venv"}
    made = {path for path in changed if path.startswith("locale/")}  # by themselves
    lists = {"_toc.yml", "chapters/index.ipynb", "chapters/teaching.ipynb"}
    own = {"chapters/19_my_idea.ipynb", "d2lmini/exercises/chapter_19.py"}
    assert changed - made == lists | own
    assert all(re.search("19_my_idea|index|teaching|package", path) for path in made)
