"""The pieces of a notebook, and a notebook in another language."""

import copy

from tools import metadata

from . import code, markdown
from .pieces import has_words, replaced

# What stands in a cell's metadata for readers and teachers.
NOTES = ("ask", "say")


def messages(notebook):
    """Yield (context, message) of all that a notebook says, in its order, each once."""
    found = {}
    for cell in notebook["cells"]:
        for piece in pieces_of(cell):
            found[context(cell, piece), piece.message] = None
        for where, text in of_metadata(cell):
            found[f"{cell['id']} {where}", text] = None
    return list(found)


def pieces_of(cell):
    find = code.pieces if cell["cell_type"] == "code" else markdown.pieces
    return sorted(find(cell["source"]), key=lambda piece: piece.start)


def context(cell, piece):
    """Where a message stands. A string of code is the same in all cells: they may compare it."""
    return piece.role if piece.role == "code" else f"{cell['id']} {piece.role}"


def of_metadata(cell):
    """Yield (where, text) of what a cell's metadata says."""
    notes = cell["metadata"].get(metadata.NOTES, {})
    yield from ((f"notes {key}", notes[key]) for key in NOTES if has_words(notes.get(key, "")))
    for number, (question, _) in enumerate(again_of(cell)):
        yield f"again {number}", question


def again_of(cell):
    return cell["metadata"].get(metadata.EXERCISE, {}).get("again", [])


def translated(notebook, say):
    """The notebook with its words in another language.

    `say(context, message)` is the translation, or None where there is none.
    """
    made = copy.deepcopy(notebook)
    for cell in made["cells"]:

        def said(where, message, cell=cell):
            return say(where if where == "code" else f"{cell['id']} {where}", message)

        pieces = pieces_of(cell)
        cell["source"] = replaced(cell["source"], pieces, lambda one: said(one.role, one.message))
        for number, pair in enumerate(again_of(cell)):
            pair[0] = said(f"again {number}", pair[0]) or pair[0]
        notes = cell["metadata"].get(metadata.NOTES, {})
        for key in NOTES:
            if key in notes:
                notes[key] = said(f"notes {key}", notes[key]) or notes[key]
    return made
