"""Start a new chapter: its notebook, its exercises, and its line in the table of contents.

    python -m tools.new 19_my_idea

What it writes works and passes the tests as it is; new_chapter/ holds the templates.
"""

import re
import sys
from pathlib import Path

import nbformat

from tools import minutes, run
from tools.metadata import EXERCISE, EXERCISES, FIGURE, FOLDED, QUIZ, REMOVED, REVIEW, SOLUTION
from tools.relink import ROOT, wanted

TEMPLATES = Path(__file__).with_name("new_chapter")
# The metadata of a cell, by the word that its fence begins with.
OF_CODE = {
    "python": {},
    "setup": {"tags": [REMOVED]},
    "figure": {"tags": [FIGURE]},
    "solution": {"tags": [SOLUTION]},
}
OF_TEXT = {"fold": {FOLDED: True}, **{part: {"tags": [part]} for part in (QUIZ, EXERCISES, REVIEW)}}


def cells(text):
    """The cells of a template: a section begins one, and each fence is one, of code or of text."""
    new_text = nbformat.v4.new_markdown_cell
    for part in re.split(r"^(```\w.*\n(?s:.*?))\n```\n", text, flags=re.MULTILINE):
        fence, _, source = part.partition("\n")
        match fence.removeprefix("```").split() if fence.startswith("```") else ():
            case ["exercise", name, length]:
                yield new_text(source, metadata={EXERCISE: {"id": name, "minutes": int(length)}})
            case [kind] if kind in OF_TEXT:
                yield new_text(source, metadata=OF_TEXT[kind])
            case [kind]:
                yield nbformat.v4.new_code_cell(source, metadata=OF_CODE[kind])
            case _:
                for section in filter(str.strip, re.split(r"^(?=## )", part, flags=re.MULTILINE)):
                    yield new_text(section.strip())


def filled(template, name):
    """A template with this chapter's number, title and links."""
    number, _, words = name.partition("_")
    book = wanted(ROOT)
    place = f"{book.slug}/blob/{book.branch}/chapters/{name}.ipynb"
    # The first code cell of the book's first page is the same in all.
    index = nbformat.read(run.CHAPTERS / "index.ipynb", as_version=4)
    values = {
        "{NN}": number,
        "{N}": str(int(number)),
        "{TITLE}": words.replace("_", " ").capitalize(),
        "{COLAB}": f"https://colab.research.google.com/github/{place}",
        "{SETUP}": next(cell.source for cell in index.cells if cell.cell_type == "code"),
    }
    text = (TEMPLATES / template).read_text(encoding="utf-8")
    for key, value in values.items():
        text = text.replace(key, value)
    return text


def listed(toc, name):
    """The table of contents with a chapter after the last one that has a lower number."""
    lines = re.finditer(r"^( +- file: chapters/)(\d\d)_\w+\n", toc, re.MULTILINE)
    *_, before = (line for line in lines if line[2] < name[:2])
    return f"{toc[: before.end()]}{before[1]}{name}\n{toc[before.end() :]}"


def main(name):
    if not re.fullmatch(r"(?!00)\d\d(_[a-z0-9]+)+", name):
        sys.exit("new: name one chapter by number and words, as in `make new CHAPTER=19_my_idea`")
    exercises = ROOT / "d2lmini" / "exercises" / f"chapter_{name[:2]}.py"
    taken = [*run.CHAPTERS.glob(f"{name[:2]}_*.ipynb"), *exercises.parent.glob(exercises.name)]
    if taken:
        there = ", ".join(str(path.relative_to(ROOT)) for path in taken)
        left = f"if a `make new` was stopped here, remove that, and chapters/{name} from _toc.yml"
        sys.exit(f"new: the number {name[:2]} is taken: {there}; {left}")
    exercises.write_text(filled("exercises.py", name), encoding="utf-8", newline="\n")
    toc = ROOT / "_toc.yml"
    toc.write_text(listed(toc.read_text("utf-8"), name), encoding="utf-8", newline="\n")
    notebook = nbformat.v4.new_notebook(cells=list(cells(filled("chapter.md", name))))
    nbformat.write(run.clean(notebook), run.CHAPTERS / f"{name}.ipynb")
    if run.main([run.CHAPTERS / f"{name}.ipynb"]):
        sys.exit("new: it does not run; the package in this environment may be another one")
    minutes.main()
    print(f"Now open chapters/{name}.ipynb and d2lmini/exercises/{exercises.name}")


if __name__ == "__main__":
    main(" ".join(sys.argv[1:]))
