"""Parts of the scripts as one classic script, for tests that look into them."""

from functools import cache

from made_scripts import ROOT, node

# All kinds of panels, as tools/bundle.mjs finds them.
FILES = sorted((ROOT / "kernelfree" / "js" / "panels").glob("*.js"))
PANELS = "".join(f'import "./panels/{path.name}";' for path in FILES)


@cache
def bundled(source, folder="kernelfree/js"):
    """A module's text, which may import from a folder, as one script that keeps its names."""
    command = ROOT / "node_modules" / ".bin" / "esbuild", "--bundle", "--format=iife"
    return node(*command, "--loader:.css=text", "--sourcefile=test.js", text=source, folder=folder)


def exposed(file, *names):
    """A script that gives a page some names of a module."""
    names = ", ".join(names)
    return bundled(f'import {{ {names} }} from "./{file}"; Object.assign(window, {{ {names} }});')
