"""Scripts that are made of others, and the tools that make them."""

import os
import subprocess

import chapters

ROOT = chapters.ROOT
MADE = ("kernelfree/static", "pages/static", "runhere/static")


def node(*command, text=None, folder="."):
    """Run a tool of node_modules in a folder, with a text to read; return what it says."""
    env = {**os.environ, "PATH": f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    options = {"cwd": ROOT / folder, "env": env, "capture_output": True, "text": True}
    done = subprocess.run(command, input=text, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
