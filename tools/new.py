"""Start a new chapter: its notebook, its exercises, and its line in the table of contents.

    python tools/new.py 16_my_idea

What it writes works and passes the tests as it is; new_chapter/ holds the templates.
"""

import re
import sys
from pathlib import Path

import minutes
import nbformat
import relink
import run
from metadata import FOLDED

ROOT = Path(__file__).resolve().parents[1]
TEMPLATES = Path(__file__).resolve().parent / "new_chapter"


def stop(message):
    sys.exit(f"new: {message}")


def cells(text):
    """Cut Markdown with fenced Python into the cells of a notebook: a section begins a cell, and
    the heading of a fold, in a fence of its own, is one."""
    for part in re.split(r"(^```\w+\n.*?^```\n)", text, flags=re.MULTILINE | re.DOTALL):
        if part.startswith("```python\n"):
            yield nbformat.v4.new_code_cell(
                part.removeprefix("```python\n").removesuffix("\n```\n")
            )
        elif part.startswith("```fold\n"):
            heading = part.removeprefix("```fold\n").removesuffix("\n```\n")
            yield nbformat.v4.new_markdown_cell(heading, metadata={FOLDED: True})
        else:
            for section in filter(str.strip, re.split(r"^(?=## )", part, flags=re.MULTILINE)):
                yield nbformat.v4.new_markdown_cell(section.strip())


def setup_cell():
    """The first code cell of the book's first page, which is the same in all."""
    index = nbformat.read(ROOT / "chapters" / "index.ipynb", as_version=4)
    return next(cell.source for cell in index.cells if cell.cell_type == "code")


def filled(template, name, addresses):
    """A template with this chapter's number, title and links."""
    number, _, words = name.partition("_")
    folder = f"https://colab.research.google.com/github/{addresses.slug}/blob/{addresses.branch}"
    values = {
        "{NN}": number,
        "{N}": str(int(number)),
        "{TITLE}": words.replace("_", " ").capitalize(),
        "{COLAB}": f"{folder}/chapters/{name}.ipynb",
        "{SETUP}": setup_cell(),
    }
    text = (TEMPLATES / template).read_text(encoding="utf-8")
    for key, value in values.items():
        text = text.replace(key, value)
    return text


def listed(toc, name):
    """The table of contents with a chapter after the last one that has a lower number."""
    before = [
        line
        for line in re.findall(r"^ +- file: chapters/\d\d_\w+\n", toc, re.MULTILINE)
        if line.split("/")[1][:2] < name[:2]
    ]
    indent = before[-1][: before[-1].index("-")]
    return toc.replace(before[-1], f"{before[-1]}{indent}- file: chapters/{name}\n")


def main(names):
    if len(names) != 1 or not re.fullmatch(r"\d\d_[a-z0-9]+(_[a-z0-9]+)*", names[0]):
        stop("name one chapter by number and words, as in `make new CHAPTER=16_my_idea`")
    name = names[0]
    taken = [path.name for path in (ROOT / "chapters").glob(f"{name[:2]}_*.ipynb")]
    if taken or name[:2] == "00":
        stop(f"the number {name[:2]} is taken: {', '.join(taken) or 'the book begins at 01'}")
    addresses = relink.wanted(ROOT)

    exercises = ROOT / "d2lmini" / "exercises" / f"chapter_{name[:2]}.py"
    if exercises.exists():
        stop(f"{exercises.relative_to(ROOT)} is there already")
    exercises.write_text(filled("exercises.py", name, addresses), encoding="utf-8", newline="\n")

    toc = ROOT / "_toc.yml"
    text = listed(toc.read_text(encoding="utf-8"), name)
    toc.write_text(text, encoding="utf-8", newline="\n")

    page = ROOT / "chapters" / f"{name}.ipynb"
    notebook = nbformat.v4.new_notebook(cells=list(cells(filled("chapter.md", name, addresses))))
    nbformat.write(run.clean(notebook), page)
    if run.main([page]):
        stop("the new chapter does not run; the package in this environment may be another one")
    minutes.main()
    print(f"Now open chapters/{name}.ipynb and d2lmini/exercises/{exercises.name}")


if __name__ == "__main__":
    main(sys.argv[1:])
