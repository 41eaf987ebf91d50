"""Show one page in a browser, in all languages, anew after each save of its notebook or catalog.

    python -m tools.serve chapters/04_masked_softmax.ipynb

Around it stands the book as it was built last: what gathers from many pages, such as *Review*, the
search and the page's Python, waits for `make book`. Cells whose code was changed and not run are
run for the page alone, as in a notebook: one after the other, those before a change only once. The
notebook stays as its author has saved it.
"""

import ast
import shutil
import signal
import sys
import time
import webbrowser
from contextlib import ExitStack, suppress
from functools import partial
from html import escape
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing import Event, Process
from pathlib import Path

import nbformat
from jupyter_book.config import get_final_config
from nbclient.exceptions import CellExecutionError
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace, patch_docutils

from tools import build, run, setup
from tools.translation import catalogs
from tools.translation.render import render

BUILT = catalogs.ROOT / "_build"
HTML, WORKSHOP, OWN = BUILT / "html", BUILT / "workshop", BUILT / "serve"
ASKED = {}  # {language: an event, for each time that a browser asks whether its page is new}
RELOAD = """<script>setInterval(async () => {
  const head = await fetch(location.pathname, { method: "HEAD", cache: "no-store" }).catch(() => 0);
  const now = head && head.headers.get("Last-Modified");
  if (head && now !== (window.shown ??= now)) location.reload();
}, 400)</script>"""
ABOVE = f'{RELOAD}<mark style="position: fixed; inset: 0 0 auto; z-index: 9999">'


class Served(SimpleHTTPRequestHandler):
    """The built book, with the page and its pictures in the place of the old ones."""

    def do_HEAD(self):
        language = self.path.strip("/").rpartition("chapters/")[0].strip("/")
        if language in ASKED:
            ASKED[language].set()
        super().do_HEAD()

    def translate_path(self, path):
        built = Path(super().translate_path(path))
        own = OWN / built.relative_to(HTML)
        return str(own if own.is_file() and "_static" not in own.parts else built)

    def log_message(self, *_):
        pass


class Outputs:
    """What a notebook's cells give: as saved, until code is changed that nobody has run."""

    def __init__(self, language):
        self.language, self.kernel, self.client = language, ExitStack(), None
        self.code, self.counted, self.ran, self.changed, self.alone = None, set(), [], False, True

    def fill(self, notebook):
        """Put them into a notebook; yield when to show it: after changed cells, and in the end."""
        cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
        code = [ast.dump(ast.parse(cell.source, cell.source.split("\n")[0])) for cell in cells]
        was, self.code = self.code or code, code
        # Its author runs the English one; what another language gave is kept from there.
        counts = () if self.language else ((c.id, c.execution_count) for c in cells)
        before, self.counted = self.counted, {one for one in counts if one[1]}
        if self.counted - before:
            self.kernel.close()
            self.client, self.ran, self.changed = None, [], False
            self.alone = not before  # or its author runs it elsewhere
        elif code != was:
            self.changed = True
        same = [one == old for one, old in zip(code, was, strict=False)]
        self.ran = self.ran[: [*same, False].index(False)]
        for number, cell in enumerate(cells if self.changed else ()):
            if number == len(self.ran):
                self.run(notebook, cell)
                if code[number] not in was:
                    yield
            cell.outputs = self.ran[number]
        yield

    def run(self, notebook, cell):
        """Run the cell that comes next."""
        if not self.client:
            self.client = run.client(notebook, run.CHAPTERS)
            self.kernel.enter_context(self.client.setup_kernel())
        self.client.nb = notebook
        self.client.execute_cell(cell, notebook.cells.index(cell))
        self.ran.append(cell.outputs)

    def ahead(self, notebook):
        """Run what a change of code will need, after it was shown: a cell a step."""
        cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
        with suppress(Exception):  # told once it is to be shown
            while self.alone and len(self.ran) < len(cells):
                self.run(notebook, cells[len(self.ran)])
                yield


def sphinx(language, page, notebook):
    """Sphinx as the last build of an edition has left it, reading the page from another file."""
    source = WORKSHOP / language / "source" if language else catalogs.ROOT
    # What Jupyter Book itself gives to Sphinx.
    command = {"latex_individualpages": False, "kept": str(WORKSHOP / "_build")}
    config = {"user_yaml": source / "_config.yml", "sourcedir": source, "cli_config": command}
    settings, _ = get_final_config(**config)
    trees = OWN / ".trees" / (language or "en")
    app = Sphinx(source, None, OWN / language, trees, "html", settings, status=None)
    doc2path = app.env.doc2path
    own = {(page, True): str(notebook)}
    app.env.doc2path = lambda name, base=True: own.get((name, base)) or doc2path(name, base)

    def reloading(app, pagename, templatename, context, doctree):
        context["body"] += RELOAD

    app.connect("html-page-context", reloading, priority=950)
    return app


def show(app, page):
    """Read and write one page."""
    app.emit("env-before-read-docs", app.env, [page])
    app.emit("env-purge-doc", app.env, page)
    app.env.clear_doc(page)
    app.builder.read_doc(page)
    tree = app.env.get_and_resolve_doctree(page, app.builder)
    app.builder.prepare_writing({page})
    app.builder.write_doc_serialized(page, tree)
    app.builder.copy_image_files()  # before the page that shows them
    app.builder.write_doc(page, tree)


def why(error):
    """An error in a line, with the first line of the cell that it comes from."""
    if isinstance(error, SyntaxError):
        return f"{error.msg}, in line {error.lineno} of the cell {error.filename!r}"
    if isinstance(error, CellExecutionError):  # which quotes the cell from its third line on
        return f"{error.ename}: {error.evalue}, in the cell {str(error).splitlines()[2]!r}"
    return str(error)


def watch(language, path, asked):
    """Show the page in one language: at once, and after each save once a browser asks for it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the server, and that ends this
    edition = language or "en"
    page, own = f"chapters/{path.stem}", OWN / language / "chapters" / path.name
    own.parent.mkdir(parents=True)
    files = [path, *([catalogs.path_of(language, path.stem)] if language else [])]
    outputs = Outputs(language)

    def saved():
        return [file.stat().st_mtime_ns for file in files if file.exists()]

    with patch_docutils(), docutils_namespace():
        app = sphinx(language, page, own)
        while True:
            seen, start, ahead = saved(), time.perf_counter(), iter(())
            try:
                notebook = run.read(path)
                notebook = render(path, language) if language else notebook
                for _ in outputs.fill(notebook):
                    nbformat.write(run.clean(notebook), own)
                    show(app, page)
                    told = f"shown after {time.perf_counter() - start:.1f} s"
                    print(f"{edition}/{path.stem}: {told}", flush=True)
                    if saved() != seen:
                        break
                ahead = outputs.ahead(notebook)
            except Exception as error:  # half a sentence, or half a line of code
                told = f"not shown: {why(error)}"
                print(f"{edition}/{path.stem}: {told}", flush=True)
                with own.with_suffix(".html").open("ab") as html:
                    html.write(f"{ABOVE}{escape(told)}</mark>".encode("ascii", "xmlcharrefreplace"))
            while saved() == seen:
                asked.wait()
                asked.clear()
                next(ahead, None)


def main(name):
    path = run.CHAPTERS / f"{Path(name).stem}.ipynb"
    if not name or not path.is_file():
        sys.exit(f"serve: CHAPTER is a page of the book, as in chapters/index.ipynb, not {name!r}")
    languages, file = ["", *catalogs.languages()], f"chapters/{path.stem}.html"
    if not all((HTML / one / file).exists() for one in languages):
        print("serve: the whole book is built first, in a minute or two", flush=True)
        build.main()
    shutil.rmtree(OWN, ignore_errors=True)
    with setup.alone(BUILT / "lock", build.WAITS):
        for one in languages:
            shutil.copytree(WORKSHOP / one / "_build" / ".doctrees", OWN / ".trees" / (one or "en"))
    ASKED.update((one, Event()) for one in languages)
    watching = [Process(target=watch, args=(one, path, ASKED[one]), daemon=True) for one in ASKED]
    for process in watching:
        process.start()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit())  # a kill ends all, as Ctrl-C does
    while not (OWN / file).exists():
        if not watching[0].is_alive():
            sys.exit("serve: the page could not be read (see above)")
        time.sleep(0.1)
    server = ThreadingHTTPServer(("localhost", 0), partial(Served, directory=str(HTML)))
    address = f"http://localhost:{server.server_port}/{file}"
    print(f"The page: {address} (Ctrl-C ends it)", flush=True)
    webbrowser.open(address)
    with suppress(KeyboardInterrupt):
        server.serve_forever()
    print()


if __name__ == "__main__":
    main(" ".join(sys.argv[1:]))
