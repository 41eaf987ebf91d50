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
from .code import is_text

PACKAGES = ("kernelfree", "d2lmini")
# What an exercise says: texts, and the keys of dicts.
SPOKEN = {"praise", "slips", "parts", "failures", "forbids"}
EXERCISES = ("Exercise", "Trained", "Step")
# Arguments of explore() that are no controls.
OPTIONS = {"title", "address", "labels", "predict", "play", "light", "live", "tools", "as_panel"}


def messages():
    """All messages, each once: (None, text, where), in their order."""
    found = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            where = path.relative_to(ROOT).as_posix()
            for line, text in of_module(ast.parse(path.read_text("utf-8"))):
                found.setdefault(text, f"{where}:{line}")
    for path in sorted((ROOT / "chapters").glob("*.ipynb")):
        for cell in json.loads(path.read_text("utf-8"))["cells"]:
            if cell["cell_type"] == "code":
                for text in of_cell("".join(cell["source"])):
                    if len(text) > 1:
                        found.setdefault(text, f"chapters/{path.name}:{cell['id']}")
    return [(None, text, where) for text, where in found.items()]


def of_module(tree):
    """The messages of a module, with their lines."""
    for call in calls(tree):
        name = name_of(call.func)
        if name in ("say", "deferred") and call.args and is_text(call.args[0]):
            yield call.args[0].lineno, call.args[0].value
        for argument in call.keywords:
            if name in EXERCISES and argument.arg in SPOKEN:
                for text in texts(argument.value):
                    yield text.lineno, text.value


def texts(node):
    """A text, or those by which a dict finds its answers."""
    return filter(is_text, node.keys if isinstance(node, ast.Dict) else [node])


def of_cell(source):
    """What the figures of a cell are called where its author gives no words for it."""
    try:
        tree = ast.parse(source)
    except SyntaxError:  # such as a cell with a magic
        return
    for call in calls(tree):
        name = name_of(call.func)
        if name == "add_role" and call.args and is_text(call.args[0]):
            yield call.args[0].value
        if name not in ("explore", "trace"):
            continue
        given = {argument.arg: argument.value for argument in call.keywords}
        if "title" not in given and call.args and isinstance(call.args[0], ast.Name):
            yield call.args[0].id.replace("_", " ")
        if name == "explore":
            labels = given.get("labels", ast.Dict([], []))
            named = {one.value for one in texts(labels)} if isinstance(labels, ast.Dict) else set()
            controls = [one for one in given if one and one not in OPTIONS | named]
            yield from (one.replace("_", " ") for one in controls)


def calls(tree):
    """The calls in a tree, in the order of the text."""
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return sorted(found, key=lambda call: (call.lineno, call.col_offset))


def name_of(function):
    return getattr(function, "id", getattr(function, "attr", ""))


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
    """The catalog of a language for a package, as the bytes of a .mo file.

    What figures of chapters are called is the book's: it goes with d2lmini.
    """
    said = catalogs.translations(catalogs.read(catalogs.path_of(language, "package")))
    catalog = Compiled(locale=catalogs.locale_of(language), fuzzy=False)
    for _, text, where in messages():
        if (where.startswith("kernelfree/")) == (package == "kernelfree") and (None, text) in said:
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
