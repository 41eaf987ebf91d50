"""A figure as a page of its own: one file, which opens from a disk and on any site."""

import gzip
import html
from pathlib import Path

# By this line `save` knows its own files, and what may be overwritten.
MARK = '<meta name="generator" content="kernelfree">'
PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
{mark}
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ max-width: 60rem; margin: 0 auto; padding: 1rem; font-family: system-ui, sans-serif; }}
img {{ max-width: 100%; height: auto; }}
/* For those who don't see; the figure shows its title itself. */
h1 {{ position: absolute; clip-path: inset(50%); }}
</style>
</head>
<body>
<main>
<h1>{title}</h1>
{body}
</main>
</body>
</html>
"""


def save(title, body, path):
    """Write a page around a figure's HTML; return what it weighs, in words."""
    path = target(path)
    page = PAGE.format(mark=MARK, title=html.escape(title), body=body).encode()
    path.write_bytes(page)
    return f"{path}: {len(page) / 1000:.0f} kB, {len(gzip.compress(page)) / 1000:.0f} kB gzipped"


def target(path):
    """The file to write; raise if that would not be a page, or would replace another's."""
    try:
        path = Path(path)
    except TypeError as error:
        raise TypeError(f"save: expected the name of a file, got {path!r}") from error
    if path.suffix.lower() not in (".html", ".htm"):
        raise ValueError(f"save: the name must end with .html, got {str(path)!r}")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"save: there is no folder {str(path.parent)!r}")
    if path.is_dir() or (path.exists() and MARK.encode() not in path.read_bytes()[:400]):
        raise FileExistsError(
            f"save: {str(path)!r} is there already and is no saved figure; choose another name"
        )
    return path
