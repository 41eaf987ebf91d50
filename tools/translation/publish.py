"""Notebooks of another language on a branch of its name, from where Colab opens them.

The branch grows by a commit when they change: who has a copy can merge it.
"""

import subprocess
import tempfile
from functools import partial
from pathlib import Path

import nbformat

from .catalogs import ROOT, languages
from .render import render

AUTHOR = ["-c", "user.name=The book", "-c", "user.email=book@localhost"]


def run(git, *command, check=True):
    return subprocess.run([*git, *command], check=check).returncode


def publish(remote):
    """Bring the branch of each language to the notebooks as they are rendered now."""
    for language in languages():
        with tempfile.TemporaryDirectory() as folder:
            git = partial(run, ["git", *AUTHOR, "-C", folder])
            (Path(folder) / "chapters").mkdir()
            for page in sorted((ROOT / "chapters").glob("*.ipynb")):
                nbformat.write(render(page, language), Path(folder) / "chapters" / page.name)
            git("init", "--quiet", "--initial-branch", language)
            branch = f"refs/heads/{language}"
            if not git("ls-remote", "--quiet", "--exit-code", remote, branch, check=False):
                git("fetch", "--quiet", "--depth", "1", remote, language)
                git("reset", "--quiet", "--soft", "FETCH_HEAD")
            git("add", "chapters")
            if git("diff", "--cached", "--quiet", check=False):
                git("commit", "--quiet", "--message", "The notebooks, rendered from main")
                git("push", "--quiet", remote, language)
