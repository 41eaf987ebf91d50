"""What classroom/answers.py shows of a class: a page for the classroom, and two tables."""

import csv
import re
from html import escape
from operator import attrgetter

from lxml import html

from classroom.answers_asked import plain, readable, replies
from pages.editions import say, spoken

FORGOTTEN = 12  # prompts that are listed
FIRST = 8  # questions that are listed first
STYLE = """
:root { color-scheme: light dark; --ground: #fff; --ink: #1d1d1f; --quiet: #5f6368; --line: #d9d9de;
  --right: #7fb58a; --wrong: #d98b7b; --link: #0b57a4 }
@media (prefers-color-scheme: dark) { :root { --ground: #16171a; --ink: #e8e8ea; --quiet: #a5a8ad;
  --line: #3a3c42; --right: #3f7d4d; --wrong: #94503f; --link: #8ab8f0 } }
html { font-size: clamp(100%, 1.3vw, 175%) } /* on a projector, for the back row */
body { margin: 0 auto; max-width: 60rem; padding: 1rem 1.2rem 4rem; background: var(--ground);
  color: var(--ink); font: 1.15rem/1.5 system-ui, sans-serif; overflow-wrap: break-word }
h1 { font-size: 1.9rem; margin: 1rem 0 .3rem } h2 { font-size: 1.45rem; margin: 3rem 0 .6rem }
h3 { font-size: 1.15rem; margin: 2rem 0 .4rem } a { color: var(--link) }
table { border-collapse: collapse; width: 100% } th { font-weight: 600 }
td p { margin: 0 } td strong { font-weight: inherit } math { font-size: 1.1em }
th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0;
  border-top: 1px solid var(--line) }
.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
ul.replies { list-style: none; margin: 0; padding: 0 } ul.replies li { margin: 0 0 .7rem }
.bar { display: block; height: .55rem; border-radius: 3px; background: var(--line);
  max-width: 36rem }
.bar i { display: block; height: 100%; border-radius: 3px; background: var(--wrong) }
.bar.right i { background: var(--right) } .reply, .quiet { color: var(--quiet); font-size: 1rem }
.reply p { margin: .1rem 0 } .none { color: var(--quiet) } b { font-variant-numeric: tabular-nums }
@media (max-width: 25rem) { math { font-size: .8em } }
code { font-size: .9em }
@media print { body { max-width: none; font-size: 11pt } h3, li { break-inside: avoid } }
"""
REPLIED = ("question", "figure", "exercise")  # what is right or wrong, and not recalled


def bar(share, right=False):
    """A bar of a share."""
    kind = "bar right" if right else "bar"
    return f'<span class="{kind}"><i style="width:{100 * share:.0f}%"></i></span>'


def kind_of(question):
    """What a kind of question is called."""
    return {
        "question": say("Quiz"),
        "figure": say("Before a figure"),
        "exercise": say("Exercise"),
        "prompt": say("Prompt"),
    }[question.kind]


def not_kept():
    return say("(what was chosen is not kept)")


def head():
    title = say("What a class has answered")
    return f"""<!DOCTYPE html>
<html lang="{spoken().tag}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>{title}</title><style>{STYLE}</style></head><body><main>
<h1>{title}</h1>
"""


def of_all(question):
    """How many replies are right."""
    return say("{right} of {asked} right", right=question.right, asked=question.asked)


def forgot(prompt):
    return say("{some} of {asked} forgot", some=prompt.asked - prompt.right, asked=prompt.asked)


def page(chapters, students, address):
    """The page for the classroom; `address`: where the book's chapters are."""
    asked = [q for chapter in chapters for q in chapter.answered(*REPLIED)]
    numbers = {id(q): f"q{n}" for n, q in enumerate(asked)}
    answered = sum(bool(student.given) for student in students)
    size = say(
        "{students} students, {questions} questions.", students=answered, questions=len(asked)
    )
    body = [head(), f"<p>{size}</p>"]
    for number, student in enumerate(students, 1):
        if student.trouble:
            why = say("Student {number}: {why}.", number=number, why=student.trouble)
            body.append(f'<p class="quiet">{escape(why)}</p>')
    body += [first(asked, numbers), forgotten(chapters, address)]
    for chapter in chapters:
        found = chapter.answered(*REPLIED)
        if found:
            body.append(f"<h2>{escape(chapter.title)}</h2>")
            body += [shown(q, numbers[id(q)], address) for q in found]
    return "\n".join([*body, "</main></body></html>\n"])


def first(asked, numbers):
    """The questions that fewest have answered right, each with the wrong reply of most."""
    rows = ""
    for q in sorted((q for q in asked if q.known < 1), key=attrgetter("known"))[:FIRST]:
        text, _, _, count = max((r for r in replies(q) if not r[2]), key=lambda reply: reply[3])
        rows += (
            f'<tr><td class="n">{of_all(q)}</td>'
            f'<td><a href="#{numbers[id(q)]}">{readable(q.said)}</a>'
            f'<div class="quiet">{count} × {escape(text or not_kept())}</div></td></tr>'
        )
    return f"<h2>{say('Talk about these first')}</h2><table>{rows}</table>" if rows else ""


def shown(question, number, address):
    """A question with its replies, the most frequent wrong one first."""
    best = next((escape(text) for text, _, right, _ in replies(question) if right), "")
    link = f'<a href="{escape(address + question.place)}">{say("in the book")}</a>'
    lines = [
        f'<section id="{number}"><h3>{readable(question.said)}</h3>{question.more}'
        f'<p class="quiet">{kind_of(question)}{say(", ")}{link}</p>',
        f"<p><b>{of_all(question)}</b>{say(': ') if best else ''}{best}",
        f'{bar(question.known, right=True)}</p><ul class="replies">',
    ]
    for text, reply, right, count in sorted(replies(question), key=lambda reply: -reply[3]):
        if count and not right:
            lines.append(f"<li><b>{count} ×</b> {escape(text or not_kept())}")
            lines.append(f'{bar(count / question.asked)}<div class="reply">{reply}</div></li>')
        elif reply and not right:
            lines.append(f'<li class="none"><b>0 ×</b> {escape(text)}</li>')
    return "".join([*lines, "</ul></section>"])


def forgotten(chapters, address):
    """The prompts that most have forgotten."""
    prompts = [q for c in chapters for q in c.answered("prompt") if q.known < 1]
    rows = [
        f'<tr><td class="n">{forgot(q)}</td>'
        f'<td><a href="{escape(address + q.place)}">{readable(q.said)}</a></td></tr>'
        for q in sorted(prompts, key=attrgetter("known"))[:FORGOTTEN]
    ]
    return f"<h2>{say('Prompts most forgotten')}</h2><table>{''.join(rows)}</table>" if rows else ""


def cell(text):
    """A text for a table that spreadsheets open: what looks like a formula does not run."""
    text = str(text)
    formula = re.match(r"[=+\-@\t\r]", text) and not re.fullmatch(r"[-+]?[\d.,]+", text)
    return f"'{text}" if formula else text


def tables(file, students, chapters, names):
    """Write a row for each student, and into a file beside it one for each reply."""
    beside = file.with_name(f"{file.stem}-questions{file.suffix}")
    for path, rows in (
        (file, rows_of_students(students, chapters, names)),
        (beside, rows_of_replies(chapters)),
    ):
        with path.open("w", encoding="utf-8-sig", newline="") as target:
            csv.writer(target).writerows(map(cell, row) for row in rows)
    return beside


def rows_of_students(students, chapters, names):
    """What each student has said to each question."""
    known = {id: q for chapter in chapters for id, q in chapter.questions.items() if q.asked}
    yield ["student", "answered", "right", "note", *known]
    for number, student in enumerate(students, 1):
        given = student.given
        right = sum(right for _, right in given.values())
        own = [told(known[id], *given[id]) if id in given else "" for id in known]
        yield [
            student.name if names else number,
            len(given),
            right,
            student.trouble or student.note,
            *own,
        ]


def told(question, said, right):
    """A reply in the row of a student."""
    if right:
        return "right"
    if question.kind == "prompt":
        return "forgot"
    text = said[0] if isinstance(said, tuple) else said
    return question.choices[text][0] if isinstance(text, int) else text or not_kept()


COLUMNS = ("chapter", "id", "kind", "question", "answered", "right", "reply", "count", "why")


def rows_of_replies(chapters):
    """What was asked, with the wrong replies."""
    yield COLUMNS
    asked = ((c, id, q) for c in chapters for id, q in c.questions.items() if q.asked)
    for chapter, id, q in asked:
        row = [chapter.title, id, kind_of(q), plain(q.said), q.asked, q.right]
        wrong = [reply for reply in replies(q) if q.kind in REPLIED and not reply[2]]
        for text, reply, _, count in wrong or [("", "", False, "")]:
            why = plain(html.fragment_fromstring(reply, create_parent="p")) if reply else ""
            yield [*row, text, count, why]
