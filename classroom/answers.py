"""Sum up what a class has answered: files and lines that the page of the review exports.

    python -m classroom.answers FOLDER [--csv FILE] [--names] [--page FILE] [--language zh]

FOLDER holds exported files (.json), lines to paste (.txt, one a line), and tables that a form has
collected (.csv, with such a line in one of the columns). A short summary is printed. FOLDER gets
`answers.html`, a page for the classroom that needs no network: chapter by chapter each question,
what the others chose and why people choose it, the slips in exercises, the prompts most forgotten.

`--csv FILE` writes two tables: FILE with a row for each student, and beside it FILE-questions.csv
with a row for each reply. What cannot be read has its row, too, and is named by its file where
this is run, alone. Students have
numbers; with `--names` they have the name of their file, or what else stands in their row of the
form. It needs the built book (`make book`), which has the questions; `--language` takes them, and
what stands on the page, from another edition.
"""

import csv
import io
import json
import re
import subprocess
import sys
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path

from classroom import files
from classroom.answers_asked import book, plain, replies
from classroom.answers_shown import REPLIED, page, tables
from pages.editions import editions, say, speak, spoken
from tools.build import NODE

ROOT = Path(__file__).resolve().parents[1]
ANOTHER = "from another edition: the choices may stand in another order"
LONGEST = 90  # letters of what a student has written, where it is shown
START = "attention="  # of a line
UNREADABLE = {
    "damaged": "the line is damaged: a part is missing or changed",
    "foreign": "there is no line that the page of the review has written",
    "newer": "the line is from a later edition than this one",
}


@dataclass
class Student:
    name: str
    source: str  # where the answers come from, to be named when they cannot be read
    record: dict | str | None = None  # a string is a line, still to be read
    trouble: str = ""
    note: str = ""  # what is said once of all
    given: dict = field(default_factory=dict)  # {id: (what was chosen, whether right)}


# ---- what the class has sent ---------------------------------------------------------------------


def collected(folder):
    """A student for each file, line and row of a form, in the order of the files' names."""
    readers = {".json": exported, ".txt": pasted, ".csv": form}
    found = []
    for path in sorted(Path(folder).iterdir()):
        try:
            found += readers.get(path.suffix.lower(), lambda path: [])(path)
        except (OSError, ValueError, RecursionError, csv.Error):
            empty = path.is_file() and not path.stat().st_size
            why = "the file is empty" if empty else "the file is broken"
            found.append(Student(path.stem, path.name, trouble=why))
    for student in found:
        student.name, student.source = map(files.printable, (student.name, student.source))
    return found


def exported(path):
    """The one student of an exported file."""
    return [Student(path.stem, path.name, json.loads(files.text(path)))]


def pasted(path):
    """A student for each line of a text."""
    lines = enumerate(files.text(path).splitlines(), 1)
    found = [
        Student(path.stem, f"{path.name}, line {n}", line) for n, line in lines if line.strip()
    ]
    return found or [Student(path.stem, path.name, trouble="the file is empty")]


def form(path):
    """A student for each row of a table, named by what else stands there."""
    csv.field_size_limit(files.MOST)  # one long cell costs no row
    rows = list(csv.reader(io.StringIO(files.text(path).replace("\0", " "), newline="")))
    holds = [any(START in cell for cell in row) for row in rows]
    if not any(holds):
        return  # another table, perhaps one that this program has written
    for number, row in enumerate(rows if holds[0] else rows[1:], 1):
        line = next((cell for cell in row if START in cell), "")
        name = ", ".join(cell for cell in row if cell and cell != line)
        yield Student(name, f"{path.name}, row {number}", line)


def read(students, chapters, edition):
    """Take in what each has answered; say of each that cannot be read, or is of another edition."""
    known = {id: question for chapter in chapters for id, question in chapter.questions.items()}
    lines = [student for student in students if isinstance(student.record, str)]
    records = pages_own([student.record for student in lines], [])["records"]
    for student, got in zip(lines, records, strict=True):
        student.record = {"edition": got.get("edition"), **got.get("record", {})}
        student.trouble = UNREADABLE.get(got.get("error"), "")
    for student in students:
        if student.trouble:
            continue
        try:
            json.dumps(student.record, ensure_ascii=False, allow_nan=False).encode()
            student.given = given(student.record, known)
            mark = student.record.get("edition")
        except (TypeError, KeyError, AttributeError, ValueError):
            student.trouble = "this is no file that the page of the review has exported"
            continue
        if not student.given:
            student.trouble = "no answer is to a question of this edition"
        elif mark and edition and mark != edition:
            student.note = ANOTHER
    count(students, known)


def given(record, known):
    """The replies in a record: {id: (what was chosen, whether right)}; of prompts, if known."""
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
        return said if same else say("(a choice that this edition has not)")
    said = " ".join(files.printable(str(said)).split())[:LONGEST]
    texts = [text for text, *_ in question.choices]
    return texts.index(said) if said in texts else said


def count(students, known):
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
        for id, reply in student.given.items():
            known[id].replies[reply] += 1


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
        env={"PATH": str(NODE)},
    )
    if done.returncode != 0:
        sys.exit(f"answers: the scripts of the page did not run: {done.stderr.strip()}")
    return json.loads(done.stdout)


# ---- what is written -----------------------------------------------------------------------------


def summary(chapters, students):
    """A few lines for the terminal."""
    answered = sum(bool(s.given) for s in students)
    print(f"{files.counted(len(students), 'student')}, {answered} with answers")
    for chapter in chapters:
        found = chapter.answered(*REPLIED)
        if not found:
            continue
        right, total = sum(q.right for q in found), sum(q.asked for q in found)
        print(f"\n{chapter.title}: {right} of {total} replies right")
        for q in sorted(found, key=attrgetter("known"))[:3]:
            print(f"  {q.right} of {q.asked}  {plain(q.said)[:LONGEST]}")
            wrong = sorted((r for r in replies(q) if r[3] and not r[2]), key=lambda r: -r[3])
            for text, _, _, times in wrong[:2]:
                print(f"     {times}: {text[:LONGEST]}")


def troubles(students, names):
    """A sentence for each student of whom something is to be said."""
    for number, student in enumerate(students, 1):
        if student.trouble:
            name = student.source if names else f"student {number}, {student.source}"
            print(f"answers: {name}: {student.trouble}", file=sys.stderr)
    if others := sum(bool(student.note) for student in students):
        print(f"answers: {others} of {len(students)} are {ANOTHER}", file=sys.stderr)


def address():
    """Where the chapters of the edition are published."""
    config = (ROOT / "_config.yml").read_text(encoding="utf-8")
    return re.search(r"baseurl:\s*(\S+)", config)[1].rstrip("/") + f"/{spoken().below}chapters/"


def main(arguments=None, built=ROOT / "_build" / "html"):
    known = {edition.folder: edition for edition in editions()}
    parser = files.command(__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--csv", type=Path)
    parser.add_argument("--page", type=Path)
    parser.add_argument("--names", action="store_true")
    parser.add_argument("--language", choices=known, default="")
    options = parser.parse_args(arguments)
    folder = options.folder
    speak(known[options.language])
    built = built / options.language / "chapters"
    chapters, edition = book(built)
    if not chapters:
        sys.exit(
            f"answers: no built book in {built}, which has the questions: run `make book` first"
        )
    if not folder.is_dir():
        sys.exit(f"answers: there is no folder {folder}")
    students = collected(folder)
    read(students, chapters, edition)
    troubles(students, options.names)
    if not any(student.given for student in students):
        sys.exit(f"answers: {folder} has nothing that the page of the review has exported")
    summary(chapters, students)
    target = options.page or folder / "answers.html"
    try:
        target.write_text(page(chapters, students, address()), encoding="utf-8")
        print(f"\nWritten: {target}")
        if options.csv:
            print(
                f"Written: {options.csv}, {tables(options.csv, students, chapters, options.names)}"
            )
    except OSError as error:
        sys.exit(f"answers: not written: {error}")


if __name__ == "__main__":
    main()
