"""The metadata that a notebook of the book may carry.

    python -m tools.metadata NOTEBOOK ...

Removes, before a commit, what an editor, a machine or a date has left behind; `make run` and
`make words` do, too. Uses the standard library alone.
"""

import json
import re
import sys
from pathlib import Path

OF_A_NOTEBOOK = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}

# A saved widget view without its kernel shows "model not found"; the HTML beside it stays alive.
NEEDS_A_KERNEL = "application/vnd.jupyter.widget-view+json"

# A code cell that begins so is folded wherever a notebook is shown; Colab shows the title instead.
TITLE = re.compile(r"# @title ([^:\uff1a\n]*)")
# Such a title ends with the number of the equation that the cell checks.
EQUATION = re.compile(r"\(\d+\.\d+\)$")
# The book leaves out the set-up, and of a figure its code; of other folded cells the output, too.
HIDDEN = REMOVED, FIGURE, CLOSED = "remove-cell", "hide-input", "hide-cell"
# A folded code cell that solves an exercise.
SOLUTION = "solution"

# Parts of a chapter: a tag of the Markdown cell that begins with their heading.
PARTS = QUIZ, EXERCISES, REVIEW = "quiz", "exercises", "review"
# A Markdown cell that begins with the heading of an exercise: {"id": its name in what readers'
# browsers keep, "minutes": how long it takes}.
EXERCISE = "exercise"

# What a teacher wants to know where a cell is presented, in plain text: {"minutes": how long it
# takes, "ask": what to ask, "say": what students often say, and what to answer}.
NOTES = "notes"

# A Markdown cell that is one heading, and folds what stands under it: JupyterLab's own key.
FOLDED = "jp-MarkdownHeadingCollapsed"
HEADING = re.compile(r"#{3,6} (.+)")

# Code cells with this tag, one after the other, stand beside each other in the book.
BESIDE = "beside"


def tags_of(cell):
    return cell["metadata"].get("tags", ())


def folding(cell, say=str.format):
    """The metadata that folds a titled code cell in Jupyter Book, JupyterLab and Colab; `say` puts
    what is seen of it into another language."""
    title = TITLE.match("".join(cell["source"]))
    if not title:
        return {}
    tag = next((tag for tag in HIDDEN if tag in tags_of(cell)), CLOSED)
    show, hide = say("Show {title}", title=title[1]), say("Hide {title}", title=title[1])
    if tag == FIGURE:
        show, hide = say("Show the code of this figure"), say("Hide the code of this figure")
    elif equation := EQUATION.search(title[1]):
        show = hide = say("{number} checked", number=equation[0])
    prompts = {"code_prompt_show": show, "code_prompt_hide": hide}
    tags = [SOLUTION, tag] if SOLUTION in tags_of(cell) else [tag]
    hidden = {"source_hidden": True}
    return {"cellView": "form", "jupyter": hidden, "mystnb": prompts, "tags": tags}


def of_a_cell(cell):
    """The metadata that a cell of a notebook has, and no other."""
    had, heading = cell["metadata"], HEADING.fullmatch("".join(cell["source"]))
    notes = {NOTES: had[NOTES]} if NOTES in had else {}
    if cell["cell_type"] == "code":
        return notes | (folding(cell) or ({"tags": [BESIDE]} if BESIDE in tags_of(cell) else {}))
    if EXERCISE in had:
        return notes | {EXERCISE: had[EXERCISE]}
    if tags := [part for part in PARTS if part in tags_of(cell)]:
        return notes | {"tags": tags}
    if heading and had.get(FOLDED) is True:
        # Colab knows a folded section by the name of its cell.
        notes |= {FOLDED: True, "id": re.sub(r"\W+", "-", heading[1].lower()).strip("-")}
    return notes


def clean(notebook):
    """Leave a notebook, in place, the metadata that it may carry, and no others."""
    for cell in notebook["cells"]:
        cell["metadata"] = of_a_cell(cell)
        for output in cell.get("outputs", []):
            if "data" in output:
                output["data"].pop(NEEDS_A_KERNEL, None)
                output["metadata"] = {}
    cells = [cell["metadata"] for cell in notebook["cells"]]
    folded = {"collapsed_sections": [cell["id"] for cell in cells if FOLDED in cell]}
    notebook["metadata"] = OF_A_NOTEBOOK | ({"colab": folded} if any(folded.values()) else {})
    return notebook


def main(names):
    for path in map(Path, names):
        before = path.read_text(encoding="utf-8")
        made = clean(json.loads(before))
        after = json.dumps(made, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
        if after != before:
            path.write_text(after, encoding="utf-8", newline="\n")
            print(f"{path}: what an editor had added to its metadata is gone")


if __name__ == "__main__":
    main(sys.argv[1:])
