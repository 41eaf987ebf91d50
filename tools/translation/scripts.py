"""What the scripts of pages and figures say to readers: templates with the tag say."""

import json
import os
import subprocess

from .catalogs import ROOT


def messages():
    """All of them: (context or None, message, where)."""
    path = f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    command = ["node", "tools/translation/scripts.mjs"]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "PATH": path}, capture_output=True, check=True
    )
    for message, file, line in json.loads(done.stdout):
        yield None, message, f"{file}:{line}"
