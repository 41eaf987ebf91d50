"""Figures as a page of their own, which opens from a disk and on any site: one file, or a few."""

import gzip
import html
import json
import re
import struct
import zlib
from pathlib import Path

from .language import say, tag
from .markup import address
from .replacing import replace
from .script import kind_of_all, scripts
from .tex import plain

# By these `save` knows its own files, and what may be overwritten.
PAGE_MARK = '<meta name="generator" content="kernelfree">'
SCRIPT_MARK = re.compile(rb"/\* kernelfree: (static|live)( tex)?( tools)? \*/")
PICTURE_MARK = b"tEXtSoftware\0kernelfree"

PAGE = f"""\
<!doctype html>
<html lang="{{lang}}">
<head>
<meta charset="utf-8">
{PAGE_MARK}
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{{title}}</title>
{{style}}</head>
<body class="kernelfree">
<main{{link}}>
<h1>{{title}}</h1>
{{body}}
</main>
{{script}}
</body>
</html>
"""
# The heading is for those who don't see; the figure shows its title itself.
STYLE = """\
.kernelfree { max-width: 60rem; margin: 0 auto; padding: 1rem; font-family: system-ui, sans-serif; }
.kernelfree img { max-width: 100%; height: auto; }
.kernelfree h1 { position: absolute; clip-path: inset(50%); }
"""
# A strict policy allows a style sheet that a script of the site makes.
ADOPT = """\
{{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync({style});
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
}}
"""


def save(path, figures, title, link=(), script=None):
    """Write a page of figures, and what stands beside it; return what they weigh, in words.

    Parameters
    ----------
    path : str or path
    figures : list of Figure
    title : str
    link : list of str
        The controls that these figures share.
    script : str or path, optional
        A file from the page's folder that holds the script.
    """
    path = page_path(path)
    kind = kind_of_all(one._kind for one in figures)
    pictures = [one._picture() for one in figures]
    files, images = {}, [None] * len(figures)
    if script is None:
        style = f"<style>\n{STYLE}</style>\n"
        element = f"<script>{scripts(f'{kind} saved')}</script>"
    else:
        name = script_name(script)
        stills = [path.with_name(f"{path.stem}{end}.png") for end in ends(len(figures))]
        images = [still.name for still in stills]
        style, element = "", f'<script src="{address(name)}"></script>'
        # A page never lacks what it asks for: the page itself comes last.
        shared = path.parent / name
        files[shared] = shared_script(shared, kind)
        for still, picture in zip(stills, pictures, strict=True):
            files[still] = marked_picture(still, picture[0])
    pieces = zip(figures, pictures, images, strict=True)
    page = PAGE.format(
        lang=tag(),
        title=html.escape(plain(title)),
        style=style,
        link=f' data-link="{html.escape(json.dumps(list(link)))}"' if link else "",
        body="\n".join(one._html(picture, image) for one, picture, image in pieces),
        script=element,
    )
    files[path] = page.encode()
    for file, content in files.items():
        if not file.is_file() or file.read_bytes() != content:
            replace(file, content)
    return "\n".join(weight(file, content) for file, content in reversed(files.items()))


def ends(count):
    """What tells the pictures of a page apart: only those after the first have a number."""
    return ["", *(f"-{n}" for n in range(2, count + 1))]


def weight(path, content):
    """A file's size, in words."""
    sizes = {"size": len(content), "packed": len(gzip.compress(content))}
    rounded = {name: f"{size / 1000:.0f}" for name, size in sizes.items()}
    return say("{path}: {size} kB, {packed} kB gzipped", path=path, **rounded)


def page_path(path):
    """The page to write; raise if that would not be a page, or would replace another's."""
    try:
        path = Path(path)
    except TypeError as error:
        raise TypeError(f"save: expected the name of a file, got {path!r}") from error
    if path.suffix.lower() not in (".html", ".htm"):
        raise ValueError(f"save: the name must end with .html, got {str(path)!r}")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"save: there is no folder {str(path.parent)!r}")
    if path.exists() and PAGE_MARK.encode() not in start_of(path):
        taken("save", path, "is no saved figure")
    return path


def script_name(script):
    """The script's address from the page, as addresses are written."""
    try:
        name = Path(script)
    except TypeError as error:
        raise TypeError(f"save, script: expected the name of a file, got {script!r}") from error
    if name.suffix != ".js" or name.is_absolute() or re.match(r"\w+:", str(script)):
        raise ValueError(
            "save, script: expected a file beside the page that ends with .js, such as "
            f"'figures.js', got {str(script)!r}"
        )
    return name.as_posix()


def shared_script(path, kind):
    """The text of a script for all figures saved with it: what draws live ones draws all."""
    if not path.parent.is_dir():
        raise FileNotFoundError(f"save, script: there is no folder {str(path.parent)!r}")
    if path.exists():
        if not (mark := SCRIPT_MARK.match(start_of(path))):
            taken("save, script", path, "is no script of saved figures")
        kind = kind_of_all([mark[0].decode()[len("/* kernelfree: ") : -len(" */")], kind])
    style = ADOPT.format(style=json.dumps(STYLE))
    return f"/* kernelfree: {kind} */\n{style}{scripts(f'{kind} saved')}\n".encode()


def marked_picture(path, png):
    """The picture with a mark, so that it may be replaced later."""
    if path.exists() and PICTURE_MARK not in start_of(path):
        taken("save", path, "is no picture of a saved figure")
    # A chunk of text, after the signature and the header.
    length, check = struct.pack(">I", len(PICTURE_MARK) - 4), zlib.crc32(PICTURE_MARK)
    return png[:33] + length + PICTURE_MARK + struct.pack(">I", check) + png[33:]


def start_of(path):
    """A file's first bytes; none of what is no file."""
    return path.read_bytes()[:400] if path.is_file() else b""


def taken(where, path, what):
    raise FileExistsError(
        f"{where}: {str(path)!r} is there already and {what}; choose another name"
    )
