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

# Words of Markdown that stay English say so, to eyes and to screen readers.
MARKED = '<span lang="en" class="untranslated">{}</span>'
CELL = re.compile(r"(?<=\| )\S.*?(?= \|)")
OPENS_A_BLOCK = re.compile(r"<(?!a )")


def render(path, language):
    """The notebook at a path, in another language; what has no translation stays English, marked.

    It has the outputs that were kept and the English addresses of figures; its links to Colab lead
    to the language's branch.
    """
    english = nbformat.read(path, as_version=4)
    said = catalogs.translations(catalogs.read(catalogs.path_of(language, path.stem)))

    def say(context, message):
        late = (context, message) not in said
        if late and message.startswith("| "):
            return CELL.sub(lambda cell: MARKED.format(cell[0]), message)
        if late and context.endswith((" text", " summary")) and not OPENS_A_BLOCK.match(message):
            return MARKED.format(message)
        return said.get((context, message))

    made = notebook.translated(english, say)
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
