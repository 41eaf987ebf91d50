"""Start a new chapter: its notebook, its exercises, and its lines in the table of contents, on the
first page and in the table of *For teachers*.

    python -m tools.new 19_my_idea

What it writes works and passes the tests as it is; new_chapter/ holds the templates. All of it is
made and run in a folder elsewhere, and moved here when it is whole.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from unittest import mock

import nbformat

from tools import metadata, minutes, run, translate
from tools.lacking import LISTS
from tools.relink import ROOT, wanted

TEMPLATES = Path(__file__).with_name("new_chapter")
TOC = r"^( +- file: chapters/)(\d\d)_\w+$"
# The lines of a page that name a chapter, and that of a new one.
ROWS = {
    "index": (r"^(- \[)(\d+)\. .+", "): what does this chapter answer? *{}*"),
    "teaching": (r"^(\| \[)(\d+)\. .+", ") | {} |  | what should not be new |"),
}
# The metadata of a cell, by the word that its fence begins with.
TAGS = {"setup": metadata.REMOVED, "figure": metadata.FIGURE, "solution": metadata.SOLUTION}
OF_CODE = {"python": {}} | {kind: {"tags": [tag]} for kind, tag in TAGS.items()}
OF_TEXT = {"fold": {metadata.FOLDED: True}, **{part: {"tags": [part]} for part in metadata.PARTS}}


def cells(text):
    """The cells of a template: a section begins one, and each fence is one, of code or of text."""
    new_text = nbformat.v4.new_markdown_cell
    for part in re.split(r"^(```\w.*\n(?s:.*?))\n```\n", text, flags=re.MULTILINE):
        fence, _, source = part.partition("\n")
        match fence.removeprefix("```").split() if fence.startswith("```") else ():
            case ["exercise", name, length]:
                told = {"id": name, "minutes": int(length)}
                yield new_text(source, metadata={metadata.EXERCISE: told})
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
    return re.sub(r"\{[A-Z]+\}", lambda key: values[key[0]], text)


def listed(text, pattern, number, line):
    """A text with a line after the last that a pattern finds with a lower number than this one."""
    lines = re.finditer(pattern, text, re.MULTILINE)
    *_, before = (found for found in lines if int(found[2]) < int(number))
    return f"{text[: before.end()]}\n{before[1]}{line}{text[before.end() :]}"


def left(page):
    """Yield what of the example still stands in a chapter, and in the pages that name it."""
    own = {minutes.PROMISE.sub("", c.source) for c in run.read(page).cells}
    kept = {metadata.REMOVED, metadata.EXERCISES}  # these stay as they are
    for cell in cells(filled("chapter.md", page.stem)):
        source = minutes.PROMISE.sub("", cell.source)
        asked = cell.cell_type == "markdown" or source.startswith("# @title")
        if source in own and asked and kept.isdisjoint(metadata.tags_of(cell)):
            yield f"the cell that begins {source.partition(chr(10))[0]!r}"
    exercises = ROOT / "d2lmini" / "exercises" / f"chapter_{page.name[:2]}.py"
    checks = exercises.read_text("utf-8").split("\n\n") if exercises.exists() else ()
    for block in filled("exercises.py", page.stem).split("\n\n"):
        if block in checks and (name := re.match(r"\n?(\w+) = Exercise\(", block)):
            yield f"d2lmini/exercises/{exercises.name}: {name[1]}"
    for other, (_, rest) in ROWS.items():
        text = (run.CHAPTERS / f"{other}.ipynb").read_text(encoding="utf-8")
        example = re.sub(r"[|)*{}]", " ", rest).strip(" :")
        if any(page.name in line and example in line for line in text.splitlines()):
            yield f"chapters/{other}.ipynb: its line there"


def made(folder, name):
    """Write all of a new chapter into a folder, beside copies of the packages; return the files."""
    number = name[:2]
    for package in ("d2lmini", "kernelfree"):
        shutil.copytree(ROOT / package, folder / package)
    (chapters := folder / run.CHAPTERS.name).mkdir()
    exercises = folder / "d2lmini" / "exercises" / f"chapter_{number}.py"
    exercises.write_text(filled("exercises.py", name), encoding="utf-8", newline="\n")
    page = chapters / f"{name}.ipynb"
    notebook = nbformat.v4.new_notebook(cells=list(cells(filled("chapter.md", name))))
    nbformat.write(run.clean(notebook), page)
    with mock.patch.dict(os.environ, PYTHONPATH=str(folder)):
        if run.main([page]):
            sys.exit("new: it does not run; the package in this environment may be another one")
    toc = listed((ROOT / "_toc.yml").read_text(encoding="utf-8"), TOC, number, name)
    (folder / "_toc.yml").write_text(toc, encoding="utf-8", newline="\n")
    title = notebook.cells[0].source.partition("\n")[0].removeprefix("# ")
    for other, (pattern, rest) in ROWS.items():
        row = f"{title}]({page.name}{rest.format(minutes.SAYS.format(0, 0))}"
        book = nbformat.read(run.CHAPTERS / f"{other}.ipynb", as_version=4)
        cell = next(c for c in book.cells if re.search(pattern, c.source, re.MULTILINE))
        cell.source = listed(cell.source, pattern, number, row)
        nbformat.write(book, chapters / f"{other}.ipynb")
    minutes.main(chapters)
    return [exercises, *chapters.iterdir(), folder / "_toc.yml"]


def holding(number):
    """The files of the book that have the number of a chapter."""
    places = f"chapters/{number}_*.ipynb", f"d2lmini/exercises/chapter_{number}.py"
    return [str(path.relative_to(ROOT)) for place in places for path in ROOT.glob(place)]


def main(name):
    if not re.fullmatch(r"(?!00)\d\d(_[a-z0-9]+)+", name):
        what = "two digits and words of small letters and digits, with an underscore before each"
        sys.exit(f"new: CHAPTER is {what}, as in `make new CHAPTER=19_my_idea`, not {name!r}")
    if taken := holding(name[:2]):
        free = next(n for n in range(1, 100) if not holding(f"{n:02}"))
        told = f"the number {name[:2]} is taken: {', '.join(taken)}; {free:02} is free"
        git = ["git", "ls-files", "--error-unmatch", *taken]
        if subprocess.run(git, cwd=ROOT, capture_output=True).returncode:  # some are new
            lists = ", ".join(["_toc.yml", *(f"chapters/{other}.ipynb" for other in LISTS)])
            told += f"; if `make new` stopped here, remove that, and chapters/{name} from {lists}"
        sys.exit(f"new: {told}")
    with tempfile.TemporaryDirectory() as folder:
        for file in made(Path(folder), name):
            run.replace(ROOT / file.relative_to(folder), file.read_bytes())
    translate.renew(name, *LISTS)
    for language in translate.catalogs.languages():
        translate.keep_english(language, name)
    page = run.CHAPTERS / f"{name}.ipynb"
    print("The chapter works, and is the example in", *left(page), sep="\n- ")
    print(f"`make check CHAPTER=chapters/{page.name}` says what is left of this.")


if __name__ == "__main__":
    main(" ".join(sys.argv[1:]))
