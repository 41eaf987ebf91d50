"""How long a chapter takes, computed from what its reader sees; and every line that says so.

    python tools/minutes.py        write it into the notebooks, after a change

The rule: a minute for 180 words and for a formula that stands by itself, 6 seconds for one in a
line and for a line of open code, 90 for a figure, and for each exercise the time that its heading
names. What is folded is left out, and so is what stands after the exercises. Eleven readings of
chapters 1 to 5 and 8 by readers new to their subject took as long, to within a quarter.
"""

import re
from functools import cache
from itertools import takewhile

import nbformat
import run
from lxml import html
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from metadata import FOLDED, folding, of_a_cell

WORDS = 180  # in a minute
SECONDS = {"formulas": 60, "symbols": 6, "lines": 6, "figures": 90}
EXERCISE = re.compile(r"^### Exercise \d+\.\d+: .+ \(\w+, (\d+) minutes\)$", re.MULTILINE)

# A line that names a chapter's notebook may say this, and then it is kept true.
PROMISE = re.compile(r"\d+ minutes to read, \d+ for the exercises")
NAME = re.compile(r"\b(\d\d_\w+)\.ipynb\b")

FORMULA = "descendant-or-self::*[contains(@class, 'math') and contains(@class, '{}')]"
# What stands in the outputs of a figure and of a trace.
FIGURES = re.compile("d2lmini-(figure|trace)")

MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable("table")
MARKDOWN.use(dollarmath_plugin, double_inline=True)


def elements(source):
    """The paragraphs, headings, tables, ... of a Markdown cell, as elements of HTML."""
    return html.fragment_fromstring(MARKDOWN.render(source), create_parent="div")


def seen(notebook):
    """What a reader sees who opens no fold, in order: elements of text, and cells of code."""
    fold = None  # the level of the folded section that we are in
    for cell in notebook.cells:
        if cell.cell_type == "code":
            if fold is None:
                yield cell
            continue
        for element in elements(cell.source):
            level = re.fullmatch("h([1-6])", str(element.tag))
            if level and (fold is None or int(level[1]) <= fold):
                fold = int(level[1]) if FOLDED in of_a_cell(cell) else None
                yield element
            elif fold is None:
                yield element


def before(notebook, heading):
    """What a reader sees before a heading."""
    return takewhile(lambda part: getattr(part, "text", None) != heading, seen(notebook))


def words(element):
    """How many words are seen of an element."""
    for detail in element.iter("details"):
        for hidden in detail.xpath("*[not(self::summary)]"):
            hidden.drop_tree()
    for formula in element.xpath("descendant-or-self::*[contains(@class, 'math')]"):
        formula.text = "formula"
    return len(element.text_content().split())


def counted(parts):
    """The words, formulas, lines of open code and figures in what a reader sees."""
    total = dict.fromkeys(["words", *SECONDS], 0)
    for part in parts:
        if not isinstance(part, nbformat.NotebookNode):
            total["words"] += words(part)
            total["formulas"] += len(part.xpath(FORMULA.format("block")))
            total["symbols"] += len(part.xpath(FORMULA.format("inline")))
            continue
        if not folding(part.source):
            total["lines"] += sum(1 for line in part.source.splitlines() if line.strip())
        total["figures"] += any(FIGURES.search(str(output)) for output in part.outputs)
    return total


def rounded(minutes):
    """Minutes as they are promised: in fives, and none too few."""
    return 5 * -int(-minutes // 5)


def reading(notebook, heading):
    """The minutes that a reader takes down to a heading."""
    count = counted(before(notebook, heading))
    seconds = sum(each * count[what] for what, each in SECONDS.items())
    return count["words"] / WORDS + seconds / 60


def promise(notebook):
    """What a chapter promises."""
    minutes = rounded(reading(notebook, "Exercises"))
    named = [int(time) for cell in notebook.cells for time in EXERCISE.findall(cell.source)]
    return f"{minutes} minutes to read, {rounded(sum(named))} for the exercises"


@cache
def promises(folder):
    """What every chapter in a folder promises: {name: promise}."""
    pages = sorted(folder.glob("[0-9][0-9]_*.ipynb"))
    return {page.stem: promise(nbformat.read(page, as_version=4)) for page in pages}


def kept(source, promised):
    """A cell's text with each promise as it should be."""
    lines = source.split("\n")
    for at, line in enumerate(lines):
        name = NAME.search(line)
        if name and name[1] in promised:
            lines[at] = PROMISE.sub(promised[name[1]], line)
    return "\n".join(lines)


def main(folder=run.CHAPTERS):
    """Write what is true into all notebooks of a folder that say something else."""
    for page in sorted(folder.glob("*.ipynb")):
        notebook = nbformat.read(page, as_version=4)
        changed = False
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                source = kept(cell.source, promises(folder))
                changed |= source != cell.source
                cell.source = source
        if changed:
            run.replace(page, (nbformat.writes(notebook).rstrip("\n") + "\n").encode())
            print(f"{page.name}: its minutes are written anew")


if __name__ == "__main__":
    main()
