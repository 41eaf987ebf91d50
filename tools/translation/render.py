"""What a notebook of the book says, and the notebook in another language."""

import re
from functools import partial

import nbformat

from pages.editions import say_in
from tools import metadata

from . import catalogs, code, markdown, outputs
from .addresses import addressed
from .pieces import has_words, replaced

# What stands in a cell's metadata for teachers.
NOTES = ("ask", "say")
COLAB = re.compile(r"(?<=/blob/)main(?=/chapters/)")
SPEAK = '\n\nimport d2lmini\n\nd2lmini.speak("{}")'

# Words of Markdown that stay English say so, to eyes and to screen readers.
MARKED = '<span lang="en" class="untranslated">{}</span>'
CELL = re.compile(r"(?<=\| )\S.*?(?= \|)")
OPENS_A_BLOCK = re.compile(r"<(?!a )")


def pieces_of(cell):
    find = code.pieces if cell.cell_type == "code" else markdown.pieces
    return sorted(find(cell.source), key=lambda piece: piece.start)


def context(cell, where):
    """Where a message stands. A string of code is the same in all cells: they may compare it."""
    return where if where == "code" else f"{cell.id} {where}"


def in_metadata(cell):
    """Yield what a cell's metadata says: where it stands, what holds it, under which key."""
    notes = cell.metadata.get(metadata.NOTES, {})
    yield from ((f"notes {key}", notes, key) for key in NOTES if has_words(notes.get(key, "")))
    for number, pair in enumerate(cell.metadata.get(metadata.EXERCISE, {}).get("again", ())):
        yield f"again {number}", pair, 0


def messages(notebook):
    """The (context, message) of all that a notebook says, in its order, each once."""
    found = {}
    for cell in notebook.cells:
        said = [(piece.role, piece.message) for piece in pieces_of(cell)]
        said += [(where, holder[key]) for where, holder, key in in_metadata(cell)]
        found |= {(context(cell, where), message): None for where, message in said}
    return list(found)


def render(path, language):
    """The notebook at a path, in another language; what has no translation stays English, marked.

    It has the outputs that were kept and the English addresses of figures; its links to Colab lead
    to the language's branch.
    """
    made, english = (nbformat.read(path, as_version=4) for _ in range(2))
    known = catalogs.said(language, path.stem)

    def say(cell, where, message):
        if (said := known.get((context(cell, where), message))) is not None:
            return said
        if message.startswith("| "):
            return CELL.sub(lambda cell: MARKED.format(cell[0]), message)
        marked = where in ("text", "summary") and not OPENS_A_BLOCK.match(message)
        return MARKED.format(message) if marked else None

    for cell, same in zip(made.cells, english.cells, strict=True):
        say_here = partial(say, cell)
        cell.source = replaced(cell.source, pieces_of(cell), say_here)
        for where, holder, key in in_metadata(cell):
            holder[key] = say_here(where, holder[key]) or holder[key]
        if cell.cell_type == "markdown":
            cell.source = COLAB.sub(language, cell.source)
        else:
            cell.source = addressed(cell.source, same.source, same.outputs)
            cell.metadata.update(metadata.folding(cell, partial(say_in, language)))
            if metadata.REMOVED in metadata.tags_of(cell):
                cell.source += SPEAK.format(language)
    outputs.restore(language, path.stem, made)
    return made
