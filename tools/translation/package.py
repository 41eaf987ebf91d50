"""What the Python packages say to readers: its messages, and the catalogs that go into wheels.

A message is the text of a call of `say` or of `deferred`, what an exercise says, and what a figure
of a chapter is called by default: its controls, its function, its roles.
"""

import ast
import io
import json

from babel.core import get_global
from babel.messages import Catalog, mofile

from . import catalogs
from .catalogs import ROOT
from .code import calls, is_text, name_of, texts_in

PACKAGES = ("kernelfree", "d2lmini")
# What an exercise says: texts, and the keys of dicts.
SPOKEN = {"praise", "slips", "parts", "failures", "forbids"}
EXERCISES = ("Exercise", "Trained", "Step")
# Arguments of explore() that are no controls.
OPTIONS = {"title", "address", "labels", "predict", "play", "light", "live", "tools", "as_panel"}


def messages():
    """All messages, each once, in their order: {text: package}.

    What figures of chapters are called is the book's: it goes with d2lmini.
    """
    found = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            for text in of_module(path.read_text("utf-8")):
                found.setdefault(text, package)
    for path in sorted((ROOT / "chapters").glob("*.ipynb")):
        for cell in json.loads(path.read_text("utf-8"))["cells"]:
            if cell["cell_type"] == "code":
                for text in of_cell("".join(cell["source"])):
                    if len(text) > 1:
                        found.setdefault(text, "d2lmini")
    return found


def of_module(source):
    """The messages of a module."""
    yield from texts_in(source, "say", "deferred")
    for argument in (one for call in calls(source, *EXERCISES) for one in call.keywords):
        if argument.arg in SPOKEN:
            yield from texts(argument.value)


def texts(node):
    """A text, or those by which a dict finds its answers."""
    nodes = node.keys if isinstance(node, ast.Dict) else [node]
    return [text.value for text in filter(is_text, nodes)]


def of_cell(source):
    """What the figures of a cell are called where its author gives no words for it."""
    yield from texts_in(source, "add_role")
    for call in calls(source, "explore", "trace"):
        given = {argument.arg: argument.value for argument in call.keywords}
        if "title" not in given and call.args and isinstance(call.args[0], ast.Name):
            yield call.args[0].id.replace("_", " ")
        if name_of(call) == "explore":
            named = {*OPTIONS, *texts(given.get("labels"))}
            yield from (one.replace("_", " ") for one in given if one and one not in named)


class Compiled(Catalog):
    """A catalog whose header says what gettext and a page ask, and no date."""

    @property
    def mime_headers(self):
        return [("Content-Type", "text/plain; charset=utf-8"), ("Language", territory(self.locale))]


def territory(locale):
    """A language as POSIX has it: that of most of its readers, zh_CN for zh."""
    likely = get_global("likely_subtags").get(str(locale), str(locale)).split("_")
    return "_".join([likely[0], *likely[2:]])


def compiled(language, package):
    """The catalog of a language for a package, as the bytes of a .mo file."""
    said = catalogs.said(language, "package")
    catalog = Compiled(locale=catalogs.locale_of(language), fuzzy=False)
    for text, home in messages().items():
        if home == package and (None, text) in said:
            catalog.add(text, said[None, text])
    stream = io.BytesIO()
    mofile.write_mo(stream, catalog)
    return stream.getvalue()


def compile_catalogs():
    """Write locale/LANGUAGE.mo into both packages, for every language."""
    for language in catalogs.languages():
        for package in PACKAGES:
            path = ROOT / package / "locale" / f"{language}.mo"
            path.write_bytes(compiled(language, package))
