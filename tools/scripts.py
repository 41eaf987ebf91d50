"""Put the present scripts into figures that notebooks have stored, without running anything.

    python -m tools.scripts [NOTEBOOK ...]

Only the text between a figure's own script tags changes. Without names: all chapters.
"""

import re
import sys
from pathlib import Path

import nbformat

from kernelfree.book import replace, scripts_in
from tools import run

OWN = re.compile(r"<script>.*?</script>", re.DOTALL)


def kind(html):
    """The kind of script that a figure has; None if an output is no figure."""
    if '<div class="kernelfree-trace"' in html:
        return "trace"
    if '<div class="kernelfree-figure"' in html:
        kind = "live" if '"live":{"inputs":' in html else "static"
        return kind + " tex" * ('"tex":{' in html) + " tools" * ('"tools":true' in html)
    return None


def renewed(html, language=None):
    """The HTML of an output, with the present script of its kind where it is a figure."""
    if not (found := kind(html)):
        return html
    script = scripts_in(language, found, ".packed.js")
    text, count = OWN.subn(lambda _: f"<script>{script}</script>", html)
    if count != 1:
        raise ValueError(f"a figure must have one script of its own, got {count}")
    return text


def renew(path):
    """Renew the figures of a notebook; return how many have changed."""
    notebook, changed = run.read(path), 0
    for output in (output for cell in notebook.cells for output in cell.get("outputs", ())):
        html = output.get("data", {}).get("text/html", "")
        if (text := renewed(html)) != html:
            output.data["text/html"], changed = text, changed + 1
    if changed:
        replace(path, (nbformat.writes(notebook) + "\n").encode())
    return changed


def main(names):
    failed = False
    for path in map(Path, names or sorted(run.CHAPTERS.glob("*.ipynb"))):
        try:
            if changed := renew(path):
                print(f"{path.name}: {changed} figures")
        except (OSError, RuntimeError, ValueError) as error:
            failed = True
            print(f"{path}: {error}")
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
