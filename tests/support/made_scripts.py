"""Scripts that are made of others, and the tools that make them."""

import os
import subprocess

import chapters

ROOT = chapters.ROOT
MADE = ("kernelfree/static", "pages/static")


def node(*command):
    """Run a tool of node_modules; return what it says."""
    path = f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    env = {**os.environ, "PATH": path}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
