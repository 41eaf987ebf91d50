"""A notebook of the book in another language."""

import re
from functools import partial

import nbformat

from pages.editions import say_in
from tools import metadata

from . import catalogs, notebook, outputs
from .addresses import addressed

COLAB = re.compile(r"(?<=/blob/)main(?=/chapters/)")
SPEAK = '\n\nimport d2lmini\n\nd2lmini.speak("{}")'


def render(path, language):
    """The notebook at a path, in another language; what has no translation stays English.

    Returns
    -------
    NotebookNode
        With the outputs that were kept, of the language's branch where it links to Colab, and with
        the English addresses of figures.
    """
    english = nbformat.read(path, as_version=4)
    said = catalogs.translations(catalogs.read(catalogs.path_of(language, path.stem)))
    made = notebook.translated(english, lambda context, message: said.get((context, message)))
    for cell, same in zip(made["cells"], english["cells"], strict=True):
        if cell["cell_type"] == "markdown":
            cell["source"] = COLAB.sub(language, cell["source"])
        else:
            cell["source"] = addressed(cell["source"], same["source"], same["outputs"])
            cell["metadata"].update(metadata.folding(cell, partial(say_in, language)))
            if metadata.REMOVED in metadata.tags_of(cell):
                cell["source"] += SPEAK.format(language)
    outputs.restore(language, path.stem, made)
    return made
