"""What a class has answered is summed up, whatever its files hold."""

import csv
import json
import os
import re

import pytest
from hostile import PAYLOADS
from lxml import html

from classroom import answers

FORMULA = (
    '<span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>x</mi><mo>=</mo>'
    "<mfrac><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow><msqrt><mi>d</mi></msqrt></mfrac></mrow>"
    "<annotation>\\frac a</annotation></semantics></math></span>"
    '<span class="katex-html" aria-hidden="true"><span>d\u200b</span></span></span>'
)
CHECK = {"expected": 0.5, "praise": "", "slips": [["twice too much.", 1]], "tolerance": 1e-4}
PAGE_OF_QUESTIONS = f"""<h1>1. One</h1><section id="quiz">
<div class="question" data-answer="one/q"><p><strong>1. Which is {FORMULA}?</strong></p>
<details><summary>3</summary><p>No. That is <em>before</em> {FORMULA}.</p></details>
<details class="right"><summary>2</summary><p>Yes.</p></details></div></section>
<section class="exercise" id="e" data-answer="one/e"><h3>Exercise 1.1</h3><p>A half?</p>
<details class="hint"><summary>Hint</summary></details>
<div class="d2lmini-answer"><script type="application/json">{json.dumps(CHECK)}</script></div>
</section><details class="prompt" data-answer="one/p"><summary>Why?</summary></details>
<div class="kernelfree-figure" id="figure-f"><script type="application/json">{{"predict":
{{"question": "More?", "answer": 0,
"choices": [["yes", "Right."], ["no", "Not quite."], ["Skip", ""]]}}
}}</script></div>"""
REVIEW = '<div class="answers-file" data-edition="abc123"></div>'


@pytest.fixture
def pages(tmp_path):
    """A built book of one chapter, in two languages."""
    for edition, question in (("", "Why?"), ("zh", "为什么？")):
        folder = tmp_path / "pages" / edition / "chapters"
        folder.mkdir(parents=True)
        text = f"<body>{PAGE_OF_QUESTIONS.replace('Why?', question)}</body>"
        (folder / "01_one.html").write_text(text, encoding="utf-8")
        (folder / "review.html").write_text(f"<body>{REVIEW}</body>", encoding="utf-8")
    return tmp_path / "pages"


def record(quiz=1, typed="0.5", known=True, figure=0, **more):
    """What a browser exports."""
    answers = {
        "one/q": {"choice": quiz, "right": quiz == 1, "at": 1},
        "one/e": {"choice": typed, "right": typed == "0.5", "at": 1},
        "one/figure-f": {"choice": figure, "right": figure == 0, "at": 1},
    }
    prompts = {"one/p": {"step": int(known), "due": 9, "at": 1}}
    return {"edition": "abc123", "answers": answers, "prompts": prompts, **more}


def written(folder, records):
    """A folder of exported files: {name: record, or text}."""
    folder.mkdir()
    for name, given in records.items():
        text = given if isinstance(given, str) else json.dumps(given)
        (folder / f"{name}.json").write_text(text, encoding="utf-8")
    return folder


def rows(path):
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_forty_files_give_forty_rows_and_three_sentences(tmp_path, pages, capsys):
    records = {f"ann-{n:02}": record(quiz=n % 2, typed="1" if n % 4 else "0.5") for n in range(40)}
    records |= {"ann-07": '{"answers": 3', "ann-08": ""}
    endless = json.dumps(record()).replace('"step": 1', '"step": Infinity')
    records |= {"zoe-1": record(typed="\ud800"), "zoe-2": endless}
    records["ann-09"] = record(edition="ffffff")
    records["ann-10"] = record(0, "1", edition="ffffff")
    folder = written(tmp_path / "class", records)
    answers.main([str(folder), "--csv", str(tmp_path / "class.csv")], pages)
    said = capsys.readouterr()
    assert said.err.splitlines() == [
        "answers: student 8, ann-07.json: the file is broken",
        "answers: student 9, ann-08.json: the file is empty",
        "answers: student 41, zoe-1.json: this is no file that the page of the review has exported",
        "answers: student 42, zoe-2.json: this is no file that the page of the review has exported",
        "answers: 2 of 42 are from another edition: the choices may stand in another order",
    ]
    assert "42 students, 38 with answers" in said.out
    assert re.search(r"^  19 of 38  1\. Which is x = \(a \+ 1\)/√d\?$", said.out, re.MULTILINE)
    table = rows(tmp_path / "class.csv")
    assert [row["student"] for row in table] == [str(n) for n in range(1, 43)]
    assert sum(bool(row["note"]) for row in table) == 6
    assert (table[0]["one/q"], table[1]["one/q"], table[1]["one/e"]) == ("3", "right", "1")
    replies = {(row["id"], row["reply"]): row for row in rows(tmp_path / "class-questions.csv")}
    wrong = replies["one/q", "3"]
    assert (wrong["answered"], wrong["right"], wrong["count"]) == ("38", "19", "19")
    assert wrong["why"] == "No. That is before x = (a + 1)/√d."
    [slip] = [row for (id, _), row in replies.items() if id == "one/e"]
    assert slip["reply"] == f"1 ({slip['count']})"
    assert slip["why"] == "Not yet: twice too much."
    for text in (said.out, (folder / "answers.html").read_text("utf-8"), str(table), str(replies)):
        assert "ann" not in text
    answers.main([str(folder), "--csv", str(tmp_path / "class.csv"), "--names"], pages)
    assert [row["student"] for row in rows(tmp_path / "class.csv")] == sorted(records)
    assert "answers: ann-08.json: the file is empty" in capsys.readouterr().err


def test_the_page_of_a_class_shows_what_was_chosen_and_why(tmp_path, pages):
    records = {"a": record(0, "1", False, 1), "b": record(0, "1.0", False), "c": record()}
    folder = written(tmp_path / "class", records)
    answers.main([str(folder)], pages)
    tree = html.parse(folder / "answers.html").getroot()
    # Among the first questions, in the question, in a reply.
    assert len(tree.findall(".//math")) == 3
    assert not tree.findall(".//annotation")
    quiz, exercise, figure = tree.findall(".//section")
    assert [bar.get("style") for bar in quiz.findall(".//i")] == ["width:33%", "width:67%"]
    assert "2 × 3" in quiz.text_content()
    assert "That is before" in quiz.text_content()
    assert "A half?" in exercise.text_content()
    assert "2 × 1, 1.0" in exercise.text_content()
    assert "Not yet: twice too much." in exercise.text_content()
    assert "1 × no" in figure.text_content()
    assert "Skip" not in figure.text_content()
    assert "2 of 3 forgot" in tree.text_content()
    [link] = quiz.findall(".//a")
    assert link.get("href").endswith("/chapters/01_one.html#quiz")


def test_the_page_of_a_class_speaks_the_language_of_an_edition(tmp_path, pages):
    folder = written(tmp_path / "class", {"a": record(0, "1", False, 1), "b": record()})
    answers.main([str(folder), "--language", "zh"], pages)
    tree = html.parse(folder / "answers.html").getroot()
    assert tree.get("lang") == "zh-CN"
    assert "为什么？" in tree.text_content()
    [*first, _] = [heading.text_content() for heading in tree.findall(".//h2")]
    assert not any(re.search("[a-z]{3}", heading) for heading in first)
    assert "/zh/chapters/" in tree.find(".//section//a").get("href")


def test_no_text_of_a_student_is_more_than_text(tmp_path, pages):
    texts = [*PAYLOADS, "=1+1", "@sum(a1)", "-2"]
    records = {str(n): record(typed=text, edition=text, **{text[:30]: text}) for n, text in enumerate(texts)}
    for given in records.values():
        given["answers"]["one/q"] = {"choice": given["edition"], "right": False, "at": 1}
    folder = written(tmp_path / "class", records)
    answers.main([str(folder), "--csv", str(tmp_path / "class.csv"), "--names"], pages)
    tree = html.parse(folder / "answers.html").getroot()
    mine = "html head meta title style body main section h1 h2 h3 p a b i em strong span div ul li table tbody tr td"
    mine += " math semantics mrow mi mo mn mfrac msqrt"
    assert {node.tag for node in tree.iter("*")} <= {*mine.split()}
    for node in tree.iter("*"):
        assert not [name for name in node.attrib if name.startswith("on")]
        assert (node.get("href") or "#").startswith(("#", "https://"))
    typed = {row["one/e"] for row in rows(tmp_path / "class.csv")}
    assert {"-2", "'=1+1", "'@sum(a1)"} <= typed
    assert not any(text.startswith(("=", "@", "+")) for text in typed)


def test_what_is_no_export_ends_nothing(tmp_path, pages, capsys):
    choice = {"answers": {"one/q": {"choice": 7, "right": False}, "one/gone": {"right": True}}}
    bad = {"bad": '{"answers": 3}', "deep": "[" * 100_000, "list": "[]", "null": "null"}
    marks = {"marks": record(typed="a\0\x1b\u202e"), "\udcff": record(typed=[["\uffff"]])}
    folder = written(tmp_path / "class", {**bad, "one": choice, **marks})
    (folder / "folder.json").mkdir()
    (folder / "loop.txt").symlink_to("loop.txt")
    os.mkfifo(folder / "pipe.csv")
    (folder / "UP.JSON").write_bytes(json.dumps(record()).encode("utf-16"))
    (folder / "other.csv").write_text("a,b\n1,2\n")
    # A row with a cell above what Python takes, and a line that is no text, cost no other.
    form = f"name,line\n{'x' * 140_000},attention=1\nb,attention=2\n"
    (folder / "form.csv").write_text(form, encoding="utf-16")
    (folder / "lines.txt").write_bytes(b"attention=1\n\xff\xfe\nattention=2\0\n")
    answers.main([str(folder), "--csv", str(tmp_path / "class.csv"), "--names"], pages)
    said = capsys.readouterr()
    assert len(said.err.splitlines()) == len(bad) + 3 + 2 + 3
    assert "16 students, 4 with answers" in said.out
    assert "1: (a choice that this edition has not)" in said.out
    with pytest.raises(SystemExit, match="has nothing that the page of the review has exported"):
        answers.main([str(pages / "chapters")], pages)
    with pytest.raises(SystemExit, match="there is no folder gone"):
        answers.main(["gone"], pages)
    with pytest.raises(SystemExit, match=r"not written: .*gone/x\.csv"):
        answers.main([str(folder), "--csv", "gone/x.csv"], pages)
    with pytest.raises(SystemExit, match=r"no built book in .*make book"):
        answers.main([str(folder)], tmp_path / "nowhere")
