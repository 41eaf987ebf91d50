"""Sum up what a class has answered: files and lines that the page of the review exports.

    python tools/answers.py FOLDER [--csv FILE] [--names] [--page FILE]

FOLDER holds exported files (.json), lines to paste (.txt, one a line), and tables that a form has
collected (.csv, with such a line in one of the columns). A short summary is printed. FOLDER gets
`answers.html`, a page for the classroom that needs no network: chapter by chapter each question,
what the others chose and why people choose it, the slips in exercises, the prompts most forgotten.

`--csv FILE` writes two tables: FILE with a row for each student, and beside it FILE-questions.csv
with a row for each reply. What cannot be read is named, and has its row, too. Students have
numbers; with `--names` they have the name of their file, or what else stands in their row of the
form. It needs the built book (`make book`), which has the questions.
"""

import argparse
import csv
import json
import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from html import escape
from itertools import takewhile
from operator import attrgetter
from pathlib import Path

from build import node_folder
from lxml import html

ROOT = Path(__file__).resolve().parents[1]
LONGEST = 90  # letters of what a student has written, where it is shown
START = "attention="
FORGOTTEN = 12  # prompts that are listed
FIRST = 8  # questions that are listed first
OTHER = "(a choice that this edition has not)"
DAMAGED = {
    "damaged": "its line is damaged: a part is missing or changed",
    "foreign": "it has no line that the page of the review has written",
    "newer": "its line comes from a later edition than this one",
}


# ---- what the book asks --------------------------------------------------------------------------


@dataclass
class Question:
    """A question, an exercise, a figure's question or a prompt, as the built page has it."""

    kind: str
    said: html.HtmlElement
    place: str  # its address in the built book
    more: str = ""  # what an exercise asks, as HTML
    choices: list = field(default_factory=list)  # of a quiz or a figure: (text, reply, whether right)
    check: dict | None = None  # of an exercise with a box
    replies: Counter = field(default_factory=Counter)  # (what was chosen, whether right): students

    @property
    def asked(self):
        return self.replies.total()

    @property
    def right(self):
        return sum(count for (_, right), count in self.replies.items() if right)

    @property
    def known(self):
        """The share of right replies."""
        return self.right / self.asked


@dataclass
class Chapter:
    title: str
    questions: dict  # {id: Question}

    def answered(self, *kinds):
        return [q for q in self.questions.values() if q.asked and q.kind in kinds]


def book(folder):
    """What the built pages ask, in their order, and the mark of the edition."""
    chapters = []
    for path in sorted(folder.glob("*.html")):
        tree = html.document_fromstring(path.read_text(encoding="utf-8"))
        found = dict(questions(tree, path)) if path.stem != "review" else {}
        if found:
            title = tree.findtext(".//title") or path.stem
            heading = tree.xpath("//h1//*[@role='heading'] | //h1[not(.//*[@role='heading'])]")
            title = plain(heading[0]).removesuffix("#") if heading else title
            chapters.append(Chapter(title, found))
    review = folder / "review.html"
    mark = re.search(r'data-edition="(\w+)"', review.read_text("utf-8")) if review.exists() else None
    return chapters, mark and mark[1]


def questions(tree, path):
    """What a page asks: (id, Question)."""
    for box in tree.xpath("//*[@data-answer]"):
        kind = box.get("class")
        place = box.xpath("ancestor-or-self::*[@id][1]/@id")
        question = Question(kind, box[0], f"{path.name}#{place[0]}" if place else path.name)
        if kind == "question":
            question.choices = [choice(details) for details in box.iterfind("details")]
        elif kind == "exercise":
            for one in box.xpath(".//*[@class='d2lmini-answer']/script"):
                question.check = json.loads(one.text)
            asks = takewhile(lambda part: part.tag != "details" and "cell" not in part.classes, box[1:])
            question.more = "".join(map(readable, asks))
        yield box.get("data-answer"), question
    page = re.sub(r"^\d+_", "", path.stem)
    for figure in tree.xpath("//*[starts-with(@class, 'kernelfree-figure')][script]"):
        asks = json.loads(figure.find("script").text).get("predict")
        if asks:
            said = html.Element("p")
            said.text = asks["question"]
            own = figure.get("id")
            found = Question("figure", said, f"{path.name}#{own}")
            for place, (text, reply) in enumerate(asks["choices"]):
                found.choices.append((text, escape(reply), place == asks["answer"]))
            yield f"{page}/{own}", found


def choice(details):
    """A choice of a quiz: its text, its reply as HTML, and whether it is right."""
    said, *reply = details
    return plain(said), "".join(map(readable, reply)), "right" in details.classes


# ---- formulas ------------------------------------------------------------------------------------

ALONE = re.compile(r"\w*|[^\w\s]")  # what needs no brackets above or below a line


def plain(node):
    """A part of a page as text, its formulas in one line each."""
    if node.tag == "math":
        return formula(node.find("semantics")[0] if node.find("semantics") is not None else node)
    if "katex" in node.classes and node.find(".//math") is not None:
        return plain(node.find(".//math"))
    if "headerlink" in node.classes or node.get("aria-hidden") == "true":
        return ""
    parts = [node.text or ""]
    for child in node:
        parts += [plain(child) if isinstance(child.tag, str) else "", child.tail or ""]
    return re.sub(r"\s+", " ", "".join(parts))


def formula(node):
    """MathML in one line: fractions with a slash, indices behind _ and ^."""
    parts = [formula(child) for child in node if child.tag != "annotation"]
    bare = [one if ALONE.fullmatch(one) else f"({one})" for one in parts]
    match node.tag:
        case "mfrac":
            return "/".join(bare)
        case "msqrt":
            return f"√({''.join(parts)})"
        case "msub" | "munder":
            return "_".join([parts[0], *bare[1:]])
        case "msup" | "mover":
            return "^".join([parts[0], *bare[1:]])
        case "msubsup" | "munderover":
            return f"{parts[0]}_{bare[1]}^{bare[2]}"
        case "mo" if (node.text or " ") in "=<>≤≥≈→+−" and node.getprevious() is not None:
            return f" {node.text} "
        case _:
            return (node.text or "").replace("\u2061", " ").strip() + "".join(parts)


def readable(node):
    """A part of a page as HTML, its formulas as MathML, which browsers draw by themselves."""
    if node.tag == "math":
        node = html.fromstring(html.tostring(node, encoding="unicode", with_tail=False))
        for source in node.xpath(".//annotation"):
            source.drop_tree()
        return html.tostring(node, encoding="unicode", with_tail=False)
    if "katex" in node.classes and node.find(".//math") is not None:
        return readable(node.find(".//math"))
    if "headerlink" in node.classes or node.get("aria-hidden") == "true":
        return ""
    text = escape(node.text or "")
    for child in node:
        text += (readable(child) if isinstance(child.tag, str) else "") + escape(child.tail or "")
    kept = node.tag in ("p", "code", "em", "strong", "sub", "sup", "ul", "ol", "li")
    return f"<{node.tag}>{text}</{node.tag}>" if kept else text


# ---- what the class has sent ---------------------------------------------------------------------


@dataclass
class Student:
    name: str
    source: str  # where it comes from, to be named when it cannot be read
    record: dict | None = None
    edition: str | None = None
    trouble: str = ""
    given: dict = field(default_factory=dict)  # {id: (what was chosen, whether right)}


def collected(folder):
    """A student for each file, line and row of a form, in the order of their names."""
    found = []
    for path in sorted(Path(folder).iterdir()):
        try:
            if path.suffix == ".json":
                student = Student(path.stem, path.name)
                found.append(student)
                given = json.loads(path.read_text(encoding="utf-8-sig"))
                student.record, student.edition = given, given.get("edition")
            elif path.suffix == ".txt":
                lines = path.read_text(encoding="utf-8-sig").splitlines()
                named = [(f"{path.name}, line {n}", line) for n, line in enumerate(lines, 1) if line.strip()]
                found += [Student(path.stem, source, line) for source, line in named or [(path.name, "")]]
            elif path.suffix == ".csv":
                found += form(path)
        except (OSError, ValueError, AttributeError, RecursionError):
            if path.suffix != ".json":
                found.append(student := Student(path.stem, path.name))
            empty = path.is_file() and not path.stat().st_size
            student.trouble = "its file is empty" if empty else "its file is broken, and cannot be read"
    return found


def form(path):
    """The rows of a table, each with what else stands in it as the name."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    if not any(START in cell for row in rows for cell in row):
        return  # another table, perhaps one that this program has written
    for number, row in enumerate(rows[1:] if START not in "".join(rows[0]) else rows, 1):
        line = next((cell for cell in row if START in cell), "")
        others = ", ".join(cell for cell in row if cell and cell != line)
        yield Student(others, f"{path.name}, row {number}", line)


def read(students, chapters, edition):
    """Take in what each has answered; say of each that cannot be read, or is of another edition."""
    known = {id: question for chapter in chapters for id, question in chapter.questions.items()}
    lines = [s for s in students if isinstance(s.record, str)]
    for student, got in zip(lines, pages_own([s.record for s in lines], [])["records"], strict=True):
        student.record, student.edition = got.get("record"), got.get("edition")
        student.trouble = DAMAGED.get(got.get("error"), "")
    for student in students:
        if student.trouble:
            continue
        try:
            student.given = given(student.record, known)
        except (TypeError, KeyError, AttributeError, ValueError):
            student.trouble = "it is no file that the page of the review has exported"
            continue
        if not student.given:
            student.trouble = "it holds no answer to a question of this edition"
        elif student.edition and edition and student.edition != edition:
            student.trouble = "it comes from another edition: its choices may stand in another order"
    sentences(students, known)


def given(record, known):
    """The replies in a record: {id: (what was chosen, whether right)}; for prompts, what is known."""
    found = {}
    for id, answer in record["answers"].items():
        if id in known:
            found[id] = chosen(known[id], answer), answer["right"] is True
    for id, recall in record.get("prompts", {}).items():
        if id in known and known[id].kind == "prompt":
            found[id] = "", int(recall["step"]) > 0
    return found


def chosen(question, answer):
    """The place of a choice, or what was typed."""
    said = answer.get("choice", "")
    if isinstance(said, int) and not isinstance(said, bool):
        there = 0 <= said < len(question.choices)
        same = there and question.choices[said][2] == (answer["right"] is True)
        return said if same else OTHER
    said = " ".join(str(said).split())[:LONGEST]
    texts = [text for text, *_ in question.choices]
    return texts.index(said) if said in texts else said


def sentences(students, known):
    """Count the replies; what was typed counts under the sentence that the page says of it."""
    typed = [
        (student, id, said)
        for student in students
        for id, (said, right) in student.given.items()
        if known[id].check and not right
    ]
    told = pages_own([], [[known[id].check, said] for _, id, said in typed])["verdicts"]
    for (student, id, said), why in zip(typed, told, strict=True):
        student.given[id] = (said, why), False
    for student in students:
        for id, (said, right) in student.given.items():
            known[id].replies[said, right] += 1


def pages_own(lines, typed):
    """What the page's own scripts make of lines and of typed answers."""
    if not lines and not typed:
        return {"records": [], "verdicts": []}
    done = subprocess.run(
        ["node", "--no-warnings", Path(__file__).with_name("answers.mjs")],
        input=json.dumps({"lines": lines, "typed": typed}),
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={"PATH": f"{node_folder()}"},
    )
    if done.returncode != 0:
        sys.exit(f"answers: the scripts of the page did not run: {done.stderr.strip()}")
    return json.loads(done.stdout)


def replies(question):
    """What was said to a question: (text, reply as HTML, whether right, count), and what nobody chose."""
    if question.choices:
        for place, (text, reply, right) in enumerate(question.choices):
            count = sum(n for (said, _), n in question.replies.items() if said == place)
            yield text, reply, right, count
    by_sentence = {}
    for (said, right), count in question.replies.items():
        if isinstance(said, tuple):
            by_sentence.setdefault(said[1], Counter())[said[0]] += count
        elif not right and not isinstance(said, int):
            yield said, "", False, count
    for why, texts in sorted(by_sentence.items(), key=lambda one: -one[1].total()):
        said = ", ".join(f"{text} ({n})" if n > 1 else text for text, n in texts.most_common(5))
        yield said, escape(why), False, texts.total()


# ---- what is shown -------------------------------------------------------------------------------

STYLE = """
:root { color-scheme: light dark; --ground: #fff; --ink: #1d1d1f; --quiet: #5f6368; --line: #d9d9de;
  --right: #7fb58a; --wrong: #d98b7b; --link: #0b57a4 }
@media (prefers-color-scheme: dark) { :root { --ground: #16171a; --ink: #e8e8ea; --quiet: #a5a8ad;
  --line: #3a3c42; --right: #3f7d4d; --wrong: #94503f; --link: #8ab8f0 } }
body { margin: 0 auto; max-width: 60rem; padding: 1rem 1.2rem 4rem; background: var(--ground);
  color: var(--ink); font: 1.15rem/1.5 system-ui, sans-serif; overflow-wrap: break-word }
h1 { font-size: 1.9rem; margin: 1rem 0 .3rem } h2 { font-size: 1.45rem; margin: 3rem 0 .6rem }
h3 { font-size: 1.15rem; margin: 2rem 0 .4rem } a { color: var(--link) }
table { border-collapse: collapse; width: 100% } th { font-weight: 600 }
th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-top: 1px solid var(--line) }
.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
ul.replies { list-style: none; margin: 0; padding: 0 } ul.replies li { margin: 0 0 .7rem }
.bar { display: block; height: .55rem; border-radius: 3px; background: var(--line); max-width: 36rem }
.bar i { display: block; height: 100%; border-radius: 3px; background: var(--wrong) }
.bar.right i { background: var(--right) } .reply, .quiet { color: var(--quiet); font-size: 1rem }
.reply p { margin: .1rem 0 } .none { color: var(--quiet) } b { font-variant-numeric: tabular-nums }
code { font-size: .9em } @media print { body { max-width: none; font-size: 11pt } h3, li { break-inside: avoid } }
"""
WORDS = {
    "question": "Quiz",
    "figure": "Before a figure",
    "exercise": "Exercise",
    "prompt": "Prompt",
}


def bar(share, right=False):
    """A bar of a share."""
    return f'<span class="bar{" right" if right else ""}"><i style="width:{100 * share:.0f}%"></i></span>'


def page(chapters, students, book_at):
    """The page for the classroom."""
    asked = [q for chapter in chapters for q in chapter.answered("question", "figure", "exercise")]
    least = sorted((q for q in asked if q.known < 1), key=attrgetter("known"))[:FIRST]
    numbers = {id(q): f"q{n}" for n, q in enumerate(asked)}
    answered = sum(bool(s.given) for s in students)
    body = [f"<h1>What a class has answered</h1><p>{answered} students, {len(asked)} questions.</p>"]
    trouble = [f"<li>{escape(f'{n}. {s.trouble}')}</li>" for n, s in enumerate(students, 1) if s.trouble]
    if trouble:
        body.append(f"<p>Of these students something is to be said:</p><ul>{''.join(trouble)}</ul>")
    if least:
        body.append("<h2>Talk about these first</h2><table>")
        for q in least:
            wrong = max((r for r in replies(q) if not r[2]), key=lambda r: r[3], default=None)
            body.append(
                f'<tr><td class="n">{q.right} of {q.asked} right</td><td><a href="#{numbers[id(q)]}">'
                f"{readable(q.said)}</a>"
                f'<div class="quiet">{wrong[3] if wrong else ""} × {escape(wrong[0]) if wrong else ""}</div></td></tr>'
            )
        body.append("</table>")
    body.append(forgotten(chapters, book_at))
    for chapter in chapters:
        found = chapter.answered("question", "figure", "exercise")
        if found:
            body.append(f"<h2>{escape(chapter.title)}</h2>")
            body += [shown(q, numbers[id(q)], book_at) for q in found]
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<title>What a class has answered</title><style>{STYLE}</style></head><body><main>"
        + "\n".join(body)
        + "</main></body></html>\n"
    )


def shown(question, number, book_at):
    """A question with its replies, the most frequent wrong one first."""
    link = f'<a href="{escape(book_at + question.place)}">in the book</a>'
    lines = [
        f'<section id="{number}"><h3>{readable(question.said)}</h3>'
        f"{question.more}"
        f'<p class="quiet">{WORDS[question.kind]}, {link}</p>'
        f'<p><b>{question.right} of {question.asked}</b> right {bar(question.known, True)}</p>'
    ]
    lines.append('<ul class="replies">')
    for text, reply, right, count in sorted(replies(question), key=lambda r: (r[2], -r[3])):
        if right or not (count or reply):
            continue
        drawn = bar(count / question.asked) if count else ""
        none = "" if count else ' class="none"'
        text = escape(text) if text else "(nothing that is kept)"
        reply = f'<div class="reply">{reply}</div>' if count else ""
        lines.append(f"<li{none}><b>{count} ×</b> {text}{drawn}{reply}</li>")
    return "".join([*lines, "</ul></section>"])


def forgotten(chapters, book_at):
    """The prompts that most have forgotten."""
    prompts = [q for c in chapters for q in c.answered("prompt") if q.known < 1]
    rows = [
        f'<tr><td class="n">{q.asked - q.right} of {q.asked} forgot</td>'
        f'<td><a href="{escape(book_at + q.place)}">{readable(q.said)}</a></td></tr>'
        for q in sorted(prompts, key=attrgetter("known"))[:FORGOTTEN]
    ]
    return f"<h2>Prompts most forgotten</h2><table>{''.join(rows)}</table>" if rows else ""


def cell(text):
    """A text in a table that spreadsheets open: what begins as a formula does not run."""
    text = str(text)
    return f"'{text}" if re.match(r"[=+\-@\t\r]", text) and not re.fullmatch(r"[-+]?[\d.,]+", text) else text


def tables(file, students, chapters, names):
    """A row for each student, and in another file one for each reply."""
    known = {i: q for c in chapters for i, q in c.questions.items() if q.asked}
    with file.open("w", encoding="utf-8-sig", newline="") as target:
        rows = csv.writer(target)
        rows.writerow(["student", "answered", "right", "note", *known])
        for number, student in enumerate(students, 1):
            rights = [right for right in student.given.values()]
            row = [students_name(student, number, names), len(rights), sum(r for _, r in rights), student.trouble]
            row += [told(known[i], *student.given[i]) if i in student.given else "" for i in known]
            rows.writerow(map(cell, row))
    beside = file.with_name(f"{file.stem}-questions{file.suffix}")
    with beside.open("w", encoding="utf-8-sig", newline="") as target:
        rows = csv.writer(target)
        rows.writerow(["chapter", "id", "kind", "question", "answered", "right", "reply", "count", "why"])
        for chapter in chapters:
            for id, q in chapter.questions.items():
                if q.asked:
                    row = [chapter.title, id, WORDS[q.kind], plain(q.said), q.asked, q.right]
                    wrong = [(text, n, reply) for text, reply, right, n in replies(q) if not right]
                    for text, n, reply in wrong or [("", "", "")]:
                        bare = plain(html.fragment_fromstring(reply, create_parent="p")) if reply else ""
                        rows.writerow(map(cell, [*row, text, n, bare]))
    return beside


def students_name(student, number, names):
    return student.name if names else number


def told(question, said, right):
    """A reply in a row of a student."""
    if right:
        return "right"
    if question.kind == "prompt":
        return "forgot"
    text = said[0] if isinstance(said, tuple) else said
    return question.choices[text][0] if isinstance(text, int) else text or "wrong"


def summary(chapters, students):
    """A few lines for the terminal."""
    answered = sum(bool(s.given) for s in students)
    print(f"{len(students)} students, {answered} with answers")
    for chapter in chapters:
        found = chapter.answered("question", "figure", "exercise")
        if not found:
            continue
        total = sum(q.asked for q in found)
        print(f"\n{chapter.title}: {sum(q.right for q in found)} of {total} replies right")
        for q in sorted(found, key=attrgetter("known"))[:3]:
            print(f"  {q.right} of {q.asked}  {plain(q.said)[:LONGEST]}")
            wrong = sorted((r for r in replies(q) if r[3] and not r[2]), key=lambda r: -r[3])
            for text, _, _, count in wrong[:2]:
                print(f"     {count}: {text[:LONGEST]}")


def main(arguments=None, book_folder=ROOT / "_build" / "html" / "chapters"):
    parser = argparse.ArgumentParser(description="Sum up what a class has answered.", usage=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--csv", type=Path)
    parser.add_argument("--page", type=Path)
    parser.add_argument("--names", action="store_true")
    options = parser.parse_args(arguments)
    chapters, edition = book(book_folder)
    if not chapters:
        sys.exit(f"answers: no built book in {book_folder}, which has the questions: run `make book` first")
    students = collected(options.folder)
    read(students, chapters, edition)
    if not any(s.given for s in students):
        for student in students:
            print(f"answers: {student.source}: {student.trouble}", file=sys.stderr)
        sys.exit(f"answers: nothing in {options.folder} that the page of the review has exported")
    summary(chapters, students)
    for number, student in enumerate(students, 1):
        if student.trouble:
            name = student.source if options.names else f"student {number}"
            print(f"answers: {name}: {student.trouble}", file=sys.stderr)
    target = options.page or options.folder / "answers.html"
    target.write_text(page(chapters, students, address()), encoding="utf-8")
    print(f"\nWritten: {target}")
    if options.csv:
        print(f"Written: {options.csv}, {tables(options.csv, students, chapters, options.names)}")


def address():
    """Where the book's chapters are published."""
    config = (ROOT / "_config.yml").read_text(encoding="utf-8")
    return re.search(r"baseurl:\s*(\S+)", config)[1].rstrip("/") + "/chapters/"


if __name__ == "__main__":
    main()
