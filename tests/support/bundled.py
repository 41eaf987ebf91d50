"""Parts of the scripts as one classic script, for tests that look into them."""

import os
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ESBUILD = ROOT / "node_modules" / ".bin" / "esbuild"


# All kinds of panels, as tools/bundle.mjs finds them.
PANELS = "".join(
    f'import "./panels/{path.name}";'
    for path in sorted((ROOT / "kernelfree" / "js" / "panels").glob("*.js"))
)


@cache
def bundled(source, folder="kernelfree/js"):
    """A module's text, which may import from a folder, as one script that keeps its names."""
    done = subprocess.run(
        [ESBUILD, "--bundle", "--format=iife", "--loader:.css=text", "--sourcefile=test.js"],
        input=source,
        cwd=ROOT / folder,
        env={**os.environ, "PATH": f"{ROOT / '.venv' / 'bin'}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def exposed(file, *names):
    """A script that gives a page some names of a module."""
    names = ", ".join(names)
    return bundled(f'import {{ {names} }} from "./{file}"; Object.assign(window, {{ {names} }});')
