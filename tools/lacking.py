"""What a page still lacks, in sentences, all of them at once.

    python -m tools.lacking chapters/19_my_idea.ipynb

`make check` says them, and the tests ask them of every page: each rule stands here, and nowhere
else. CONTRIBUTING.md has what is behind them.
"""

import copy
import importlib.util
import re
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path

from d2lmini.exercises.checking import Exercise
from tools import metadata, minutes
from tools.relink import ROOT, wanted
from tools.run import read
from tools.translation import catalogs, outputs
from tools.translation.render import render

TAG = re.compile(r"\\tag\{(\d+\.\d+)\}")
CHECK = re.compile(r"^# (?:@title )?Check \((\d+\.\d+)\): \S", re.MULTILINE)
EXERCISE = re.compile(r"### Exercise \d+\.\d+: .+ \((?:easy|medium|hard), (\d+) minutes\)")
# Before the quiz, a chapter shows no more than this.
MOST = {"words": 1900, "lines": 150}
# The pages that name every chapter.
LISTS = {"index": "The first page", "teaching": "The table of *For teachers*"}
HINT = '<details class="hint"><summary>Hint</summary>'
# What a heading or a title says to readers, and what the metadata of its cell says to the book.
TAGS = {
    "## Quiz": metadata.QUIZ,
    "## Exercises": metadata.EXERCISES,
    "## Review": metadata.REVIEW,
    "# @title Setup": metadata.REMOVED,
    "# @title Figure": metadata.FIGURE,
    "# @title Solution": metadata.SOLUTION,
}


def sources(notebook, kind):
    return [cell.source for cell in notebook.cells if cell.cell_type == kind]


def run(page, notebook):
    """It was executed from the top, and saved clean."""
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    if [cell.execution_count for cell in code] != list(range(1, len(code) + 1)):
        yield f"Its cells were not run from the top: `make run CHAPTER=chapters/{page.name}`."
    if metadata.clean(copy.deepcopy(notebook)) != notebook:
        yield "It needs other metadata: `make words` and `make run` write them."
    for cell in code:
        for output in cell.outputs:
            if output.output_type == "error":
                yield f"A cell fails with {output.ename}: {cell.source[:60]!r}."
            elif output.get("name") == "stderr":
                yield f"A cell prints a warning: {output.text[:60]!r}."
            elif address := re.search(r" at 0x[0-9a-f]{6,}", str(output)):
                yield f"An output shows an address of memory,{address[0]}: {cell.source[:60]!r}."


def marked(page, notebook):
    """Metadata say what first lines say."""
    for cell in notebook.cells:
        line = cell.source.partition("\n")[0]
        asked = {tag for start, tag in TAGS.items() if re.match(rf"{start}\b", line)}
        found = set(metadata.tags_of(cell)) & set(TAGS.values())
        if found != asked:
            tags = f"the tags {sorted(asked)}, not {sorted(found)}"
            yield f"The cell that begins {line!r} needs {tags}."
        named = EXERCISE.fullmatch(line)
        told = cell.metadata.get(metadata.EXERCISE, {}).get("minutes")
        if told != (int(named[1]) if named else None):
            ends = "ends with its minutes, as in `(medium, 6 minutes)`"
            yield f"The heading {line!r} {ends}, and its metadata have the same: they have {told}."
        heading = r"^## (?:Quiz|Exercises|Review)$|^### Exercise .+"
        text = cell.source if cell.cell_type == "markdown" else ""
        for later in sorted({*re.findall(heading, text, re.MULTILINE)} - {line}):
            yield f"The heading {later!r} begins a cell of its own."


def promised(page, notebook):
    """Minutes are computed."""
    true = minutes.promises(page.parent)
    text = "\n".join(sources(notebook, "markdown"))
    if minutes.kept(text, true) != text:
        yield "It promises other minutes than it takes: `make run` writes them."
    said = minutes.PROMISE.findall(text)
    if page.stem in true and len(said) != 1:
        yield f"Its first cell has the words {minutes.SAYS.format(0, 0)!r}, once."
    if page.stem in LISTS and said != list(true.values()):
        yield f"It names each chapter once, in order, with its minutes: {', '.join(true)}."


def parts(page, notebook):
    number, book = int(page.name[:2]), wanted(ROOT)
    markdown, code = sources(notebook, "markdown"), sources(notebook, "code")
    first, text = "".join(markdown[:1]), "\n\n".join(markdown)
    if not first.startswith(f"# {number}. "):
        yield f"It does not begin with its title, `# {number}. ...`."
    place = f"github/{book.slug}/blob/{book.branch}/chapters/{page.name}"
    link = f"[Open in Colab](https://colab.research.google.com/{place})"
    if link not in first:
        yield f"Its first cell has no {link}."
    if not re.search(r"^\*\*[^*]+\?\*\*$", text, re.MULTILINE):
        yield "No line is its question, in bold: `**How ...?**`."
    for heading in ("Recap", "Quiz", "Exercises", "Review", "Sources"):
        if f"\n## {heading}\n" not in f"\n{text}\n":
            yield f"There is no section `## {heading}`."
    if not any("explore(" in source for source in code):
        yield "No figure has a slider: no cell calls `explore`."
    covered = [source for source in code if "Prediction(" in source]
    if not covered:
        yield "No figure asks for a guess: `explore(..., predict=Prediction(...))`."
    for source in covered:
        if not source.startswith("# @title Figure"):
            yield f"A cell with a prediction begins with `# @title Figure`: {source[:60]!r}."
    _, asked, after = "\n\n".join(cell.source for cell in notebook.cells).partition("Prediction(")
    by_hand = re.split("^## ", after, flags=re.MULTILINE)[1:2]
    if asked and not re.search(r"^\| |[=\u2248] -?[\d.]", *by_hand or [""], re.MULTILINE):
        yield "The section after the first figure that asks has no table and no result by hand."
    count = minutes.counted(minutes.before(notebook, metadata.QUIZ))
    for what, most in MOST.items():
        if count[what] > most:
            yield f"Before the quiz it shows {count[what]} {what}, at most {most}: fold more."
    for source in markdown:
        for word in ("**Varied:**", "**Not varied:**"):
            if re.search(r"\*\*Verdict|\| verdict \|", source) and word not in source:
                yield f"A verdict does not say {word} {source[:60]!r}."


def exercises(page, notebook):
    number = int(page.name[:2])
    at = [n for n, cell in enumerate(notebook.cells) if metadata.EXERCISE in cell.metadata]
    if len(at) < 5:
        yield f"It has too few exercises: {len(at)}, where 5 are expected at least."
    checks = f"d2lmini.exercises.chapter_{page.name[:2]}"
    if not importlib.util.find_spec(checks):
        yield f"Its checks are missing: {checks.replace('.', '/')}.py."
    else:
        for name, check in vars(importlib.import_module(checks)).items():
            if isinstance(check, Exercise) and len(check.slips) < 3:
                yield f"Of wrong answers, check.{name} knows {len(check.slips)}; 3 are expected."
    for k, (start, end) in enumerate(pairwise([*at, len(notebook.cells)]), 1):
        told = exercise(f"{number}.{k}", notebook.cells[start:end])
        yield from (f"Exercise {number}.{k} {lack}" for lack in told)


def exercise(number, part):
    heading = part[0].source
    if not heading.startswith(f"### Exercise {number}: "):
        yield f"does not begin with `### Exercise {number}: `."
    if heading.count(HINT) != 1:
        yield f"has no hint, or several, in the cell of its heading: `{HINT}`."
    code = [cell for cell in part if cell.cell_type == "code"]
    checks = [re.findall(r"^check\.(\w+)\(", cell.source, re.MULTILINE) for cell in code]
    dots = code and "..." in code[0].source and "Your turn" in str(code[0].outputs)
    if not dots or not checks[0]:
        yield "has no cell with dots that calls its check, was run and says 'Your turn'."
    solved = [n for n, cell in enumerate(code) if metadata.SOLUTION in metadata.tags_of(cell)]
    if not solved:
        yield "has no solution: a cell with the tag `solution`."
        return
    solution = code[solved[0]]
    if not solution.source.startswith(f"# @title Solution {number}"):
        yield f"has a solution that does not begin with `# @title Solution {number}`."
    if "Right. " not in str(solution.outputs):
        yield "has a solution that its check does not call right, or that was not run."
    if checks[0] != checks[solved[0]]:
        yield f"asks {checks[0]}, and its solution answers {checks[solved[0]]}."
    # What stands below a box, in the open, would answer it before the reader has.
    for cell in part[part.index(solution) + 1 :]:
        if re.match("##|The next exercise", cell.source):
            break
        if not cell.source.startswith("<details>"):
            yield f"shows below its box, unfolded: {cell.source[:60]!r}."


def quiz(page, notebook):
    cells = [cell for cell in notebook.cells if metadata.QUIZ in metadata.tags_of(cell)]
    if len(cells) != 1:
        yield f"{len(cells)} cells have the tag `quiz`; 1 is expected."
        return
    tree = minutes.elements(cells[0].source)
    questions = tree.find_class("question")
    if not 3 <= len(questions) <= 5:
        yield f"The quiz has {len(questions)} questions; 3 to 5 are expected."
    if tree.findall("p/strong") or tree.findall("details"):
        yield 'The quiz has a question or an answer outside of `<div class="question">`.'
    for n, (asked, *choices) in enumerate(questions, 1):
        if not (asked.findtext("strong") or "").startswith(f"{n}. "):
            yield f"Question {n} of the quiz does not begin with `**{n}. `."
        if len(choices) < 3 or any(choice.tag != "details" for choice in choices):
            yield f"Question {n} of the quiz needs three `<details>` or more, and nothing else."
        right = [choice.get("class") == "right" for choice in choices]
        if sum(right) != 1:
            yield f'Question {n} of the quiz has {sum(right)} `<details class="right">`, not 1.'
        for choice, is_right in zip(choices, right, strict=True):
            word = "Yes." if is_right else "No."
            if not (choice.findtext("p") or "").startswith(word):
                told = " ".join(choice.text_content().split())[:60]
                yield f"Question {n} of the quiz: this reply begins with `{word}`: {told!r}."


def asked(page, notebook):
    """What is asked has an id of its own; prompts are few."""
    marked = "//*[@class='question' or @class='prompt']"
    trees = map(minutes.elements, sources(notebook, "markdown"))
    found = [one for tree in trees for one in tree.xpath(marked)]
    told = [cell.metadata.get(metadata.EXERCISE, {"id": None}) for cell in notebook.cells]
    ids = [one.get("data-id", "") for one in found] + [one.get("id", "") for one in told]
    prompts = sum(one.get("class") == "prompt" for one in found)
    for id, times in Counter(id for id in ids if id is not None).items():
        if not re.fullmatch("[0-9a-z-]+", id):
            yield f"What is asked has an id of small letters, digits and `-`, not {id!r}."
        elif times > 1:
            yield f"The id {id!r} is used {times} times."
    if not 3 <= prompts <= 6:
        yield f"Under *Review* are {prompts} prompts; 3 to 6 are expected."


def notes(page, notebook):
    for cell in notebook.cells:
        note = cell.metadata.get(metadata.NOTES, {"ask": ""})
        if not {"ask"} <= set(note) <= {"minutes", "ask", "say"}:
            yield f"A note for teachers has `ask`, and may have `minutes` and `say`: {note}."
        if type(note.get("minutes", 1)) is not int or note.get("minutes", 1) <= 0:
            yield f"The minutes of a note are a whole number above 0: {note}."
        for text in (note.get("ask", ""), note.get("say", "")):
            if re.search(r"[<>$`*\\]|\]\(", text):
                yield f"A note for teachers is plain text: {text[:60]!r}."


def equations(page, notebook):
    tags, checked = [], set()
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            tags += TAG.findall(cell.source)
            continue
        for tag in CHECK.findall(cell.source):
            checked.add(tag)
            if tag not in tags:
                yield f"({tag}) is checked before it is stated."
            if not re.search(r"^\s*assert ", cell.source, re.MULTILINE):
                yield f"The check of ({tag}) asserts nothing."
    if tags != (order := [f"{int(page.name[:2])}.{k}" for k in range(1, len(tags) + 1)]):
        yield f"Its equations have the numbers {', '.join(tags)}, not {', '.join(order)}."
    left = (tag for tag in tags if tag not in checked)
    yield from (f"No cell checks ({tag}): `# @title Check ({tag}): ...`." for tag in left)


def named(page, notebook):
    """Other pages name it."""
    toc = (ROOT / "_toc.yml").read_text(encoding="utf-8")
    if f"file: chapters/{page.stem}\n" not in toc:
        yield f"_toc.yml does not have it: `- file: chapters/{page.stem}`."
    for other, what in LISTS.items():
        path = page.with_name(f"{other}.ipynb")
        if f"({page.name})" not in path.read_text(encoding="utf-8"):
            yield f"{what} does not name it: chapters/{path.name}."
    times = [map(int, re.findall(r"\d+", said)) for said in minutes.promises(page.parent).values()]
    hours = "All chapters take {} hours, and their exercises {} more"
    hours = hours.format(*(round(sum(each) / 60) for each in zip(*times, strict=True)))
    if hours not in page.with_name("index.ipynb").read_text(encoding="utf-8"):
        yield f"The first page must say now: {hours}."
    listed = page.with_name("references.ipynb").read_text(encoding="utf-8")
    cited = r"arxiv\.org/abs/([\d.]+\d)"
    found = {number for text in sources(notebook, "markdown") for number in re.findall(cited, text)}
    for number in sorted(found - {*re.findall(cited, listed)}):
        yield f"chapters/references.ipynb does not have arXiv {number}, which it cites."


def editions(page, notebook):
    """The notebooks of the other languages were run since its code has changed."""
    for language in catalogs.languages():
        if not outputs.fresh(language, page.stem, render(page, language)):
            yield f"Its {language} notebook was not run: `make run CHAPTER=chapters/{page.name}`."


OF_A_PAGE = run, marked, promised, editions
OF_A_CHAPTER = parts, exercises, quiz, asked, notes, equations, named


def lacking(page, notebook=None):
    """What a page lacks: sentences."""
    notebook = notebook or read(page)
    rules = (*OF_A_PAGE, *OF_A_CHAPTER) if page.name[:2].isdigit() else OF_A_PAGE
    return [sentence for rule in rules for sentence in rule(page, notebook)]


def main(name):
    page = ROOT / "chapters" / f"{Path(name).stem}.ipynb"
    if not name or not page.is_file():
        sys.exit(f"check: CHAPTER is a page of the book, as in chapters/index.ipynb, not {name!r}")
    from tools.new import left  # which asks this module

    example = [*left(page)] if page.name[:2].isdigit() else []
    still = "\n- ".join(["\nStill the example's:", *example]) if example else ""
    if found := lacking(page):
        sys.exit("\n- ".join([f"{page.name} is not whole yet:", *found]) + still)
    print(f"{page.name} is whole.{still}")


if __name__ == "__main__":
    main(" ".join(sys.argv[1:]))
