"""Notebooks of another language on a branch of its name, from where Colab opens them.

The branch has one commit, which the next one replaces: it is made, not written.
"""

import subprocess
import tempfile
from pathlib import Path

import nbformat

from .catalogs import ROOT
from .render import render

AUTHOR = ["-c", "user.name=The book", "-c", "user.email=book@localhost"]


def publish(language, remote):
    """Replace the branch of a language by its notebooks as they are rendered now."""
    with tempfile.TemporaryDirectory() as folder:

        def git(*command):
            subprocess.run(["git", *AUTHOR, "-C", folder, *command], check=True)

        (Path(folder) / "chapters").mkdir()
        for page in sorted((ROOT / "chapters").glob("*.ipynb")):
            nbformat.write(render(page, language), Path(folder) / "chapters" / page.name)
        git("init", "--quiet", "--initial-branch", language)
        git("add", "chapters")
        git("commit", "--quiet", "--message", "The notebooks, rendered from main")
        git("push", "--quiet", "--force", remote, language)
