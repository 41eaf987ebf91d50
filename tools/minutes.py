"""How long a chapter takes, computed from what its reader sees; and every line that says so.

    python -m tools.minutes        write it into the notebooks, after a change

The rule: a minute for 180 words and for a formula that stands by itself, 10 seconds for one in a
line and for a line of open code, 150 for a figure, and for each exercise the time that its cell
names. What is folded is left out, and so is what stands after the exercises. Readers new to their
subject took as long for chapters 1, 4, 6, 7, 8, 10 and 11 (one reading each), to within a tenth.
"""

import re
from functools import cache
from itertools import takewhile

import nbformat
from lxml import html
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

from kernelfree.book import replace
from tools import run
from tools.metadata import EXERCISE, EXERCISES, FOLDED, folding, of_a_cell, tags_of

WORDS = 180  # in a minute
SECONDS = {"formulas": 60, "symbols": 10, "lines": 10, "figures": 150}

# A line that names a chapter's notebook may say this, and then it is kept true.
SAYS = "{} minutes to read without folds, {} for the exercises"
PROMISE = re.compile(SAYS.replace("{}", r"\d+"))
NAME = re.compile(r"\b(\d\d_\w+)\.ipynb\b")

# What stands in the outputs of a figure and of a trace.
FIGURES = re.compile("kernelfree-(figure|trace)")

MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable("table")
MARKDOWN.use(dollarmath_plugin, double_inline=True)


def elements(source):
    """The paragraphs, headings, tables, ... of a Markdown cell, as elements of HTML."""
    return html.fragment_fromstring(MARKDOWN.render(source), create_parent="div")


def seen(cells):
    """What a reader sees who opens no fold, in order: elements of text, and cells of code."""
    fold = None  # the level of the folded section that we are in
    for cell in cells:
        for part in [cell] if cell.cell_type == "code" else elements(cell.source):
            level = re.fullmatch("h([1-6])", str(getattr(part, "tag", "")))
            if head := level and (fold is None or int(level[1]) <= fold):
                fold = int(level[1]) if FOLDED in of_a_cell(cell) else None
            if head or fold is None:
                yield part


def before(notebook, part):
    """What a reader sees before a part of a chapter, which a cell with this tag begins."""
    return seen(takewhile(lambda cell: part not in tags_of(cell), notebook.cells))


def counted(parts):
    """The words, formulas, lines of open code and figures in what a reader sees."""
    total = dict.fromkeys(["words", *SECONDS], 0)
    for part in parts:
        if isinstance(part, nbformat.NotebookNode):
            if not folding(part):
                total["lines"] += sum(1 for line in part.source.splitlines() if line.strip())
            total["figures"] += any(FIGURES.search(str(output)) for output in part.outputs)
            continue
        for hidden in part.xpath("descendant-or-self::details/*[not(self::summary)]"):
            hidden.drop_tree()
        for formula in part.find_class("math"):
            total["formulas" if "block" in formula.classes else "symbols"] += 1
            formula.text = "formula"
        total["words"] += len(part.text_content().split())
    return total


def rounded(minutes):
    """Minutes as they are promised: in fives, and none too few."""
    return 5 * -int(-minutes // 5)


def reading(parts):
    """The minutes that a reader takes for what is seen."""
    count = counted(parts)
    seconds = sum(each * count[what] for what, each in SECONDS.items())
    return count["words"] / WORDS + seconds / 60


def promise(notebook):
    """What a chapter promises."""
    named = sum(cell.metadata.get(EXERCISE, {"minutes": 0})["minutes"] for cell in notebook.cells)
    return SAYS.format(rounded(reading(before(notebook, EXERCISES))), rounded(named))


@cache
def promises(folder):
    """What every chapter in a folder promises: {name: promise}."""
    pages = sorted(folder.glob("[0-9][0-9]_*.ipynb"))
    return {page.stem: promise(nbformat.read(page, as_version=4)) for page in pages}


def kept(source, promised):
    """A text with each promise as it should be."""

    def true(line):
        name = NAME.search(line)
        return PROMISE.sub(promised[name[1]], line) if name and name[1] in promised else line

    return "\n".join(map(true, source.split("\n")))


def main(folder=run.CHAPTERS):
    """Write what is true into all notebooks of a folder that say something else."""
    for page in sorted(folder.glob("*.ipynb")):
        before = page.read_text(encoding="utf-8")
        after = kept(before, promises(folder))  # in a file, too, each line stands by itself
        if after != before:
            replace(page, after.encode())
            print(f"{page.name}: its minutes are written anew")


if __name__ == "__main__":
    main()
