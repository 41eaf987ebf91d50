"""Notebooks are graded right, whatever they try."""

import csv
import importlib
import io
import json
import math
import os
import re
import subprocess
import sys
import tempfile
import textwrap
import threading
from pathlib import Path
from types import SimpleNamespace

import nbformat
import pytest
import torch
from exhaustive import sample

import chapters
from classroom import assignment, grade, late, sandbox
from d2lmini.exercises import chapter_06 as check
from tools.translation import catalogs
from tools.translation.render import render

PAGE = next(page for page in chapters.numbered() if page.name.startswith("06_"))
*_, POINTS = grade.asked(PAGE)
RIGHT = """
def attend(queries, keys, values):
    scores = queries @ keys.T / queries.shape[-1] ** 0.5
    return torch.softmax(scores, dim=-1) @ values
"""

# Each cell tries to get the point of an exercise without an answer to it. All cells of a notebook
# run in one process, so what one has patched stays patched for those below.
CHEATS = {
    "alone": {
        "attention": """
            def prints(*arguments):
                print("Right. ")
            check.attention(prints)""",
        "step": """
            def leaves(*arguments):
                raise SystemExit(0)
            check.step(leaves)""",
        "by_hand": """
            class Yes(torch.Tensor):
                @classmethod
                def __torch_function__(cls, function, types, arguments=(), options=None):
                    if function is torch.allclose:
                        return True
                    return super().__torch_function__(function, types, arguments, options or {})
            check.by_hand(torch.zeros(2).as_subclass(Yes))""",
        "variance": """
            class Word(str):
                def __str__(self): return self
                strip = lower = __str__
                def __eq__(self, other): return True
            check.variance(Word("any"))""",
        "weight_gradient": """
            def looks_around(*arguments):
                frame = sys._getframe()
                while frame:
                    for found in (*frame.f_locals.values(), *frame.f_globals.values()):
                        if isinstance(getattr(found, "slips", None), dict):
                            return found.expected(*arguments)
                    frame = frame.f_back
                for found in gc.get_objects():
                    if type(found).__name__ == "Exercise":
                        return found.expected(*arguments)
                return torch.zeros(4)
            check.weight_gradient(looks_around)""",
        "reading": "check.reading(check.reading.expected)",
    },
    "patched": {
        "attention": """
            from d2lmini.exercises import checking
            Yes = checking.Verdict(True, "Right. ")
            for name in ("__call__", "verdict", "judge", "compare", "same"):
                setattr(checking.Exercise, name, lambda *arguments: Yes)
            check.attention(lambda *arguments: 1)""",
        "step": """
            torch.allclose = torch.equal = lambda *arguments, **options: True
            checking.check_shape = checking.as_tensor = lambda *arguments: torch.zeros(1)
            check.step(lambda queries, *others: queries.zero_())""",
        "weight_gradient": """
            import builtins
            builtins.print = lambda *arguments, **options: None
            json.dumps = lambda *arguments, **options: FORGED[0]
            check.weight_gradient(lambda *arguments: 1)""",
        "by_hand": """
            def graded(*arguments): return None
            check.by_hand = lambda answer: Yes
            check.by_hand([0, 0])
            graded(check.by_hand, [0, 0])""",
        "variance": """
            import os
            for place in range(3, 30):
                for reply in FORGED:
                    try:
                        os.write(place, (reply + chr(10)).encode())
                    except OSError:
                        pass""",
    },
    "gone": {
        "variance": """
            import os
            os._exit(0)""",
        "by_hand": "check.by_hand([3 / 4, 1 / 4])",
    },
}
FORGED = [
    '{"exercise": "weight_gradient", "right": true, "why": "Right. ", "outcomes": []}',
    '{"exercise": ["variance"], "outcomes": [[36, []]]}',
    "[" * 100_000,
    '{"exercise": "variance", "right": true, "why": "Right. "}',
    '{"exercise": "variance", "outcomes": []}',
    '{"exercise": "variance", "outcomes": [[[36], []], [36, []]]}',
    '{"exercise": "variance", "outcomes": [[{"tensor": [36], "shape": [9], "dtype": "x"}, 7]]}',
]


def handed_in(folder, *sources):
    """A notebook with these cells after those that every chapter begins with."""
    start = "import gc, json, sys, torch\nfrom d2lmini.exercises import chapter_06 as check"
    cells = [nbformat.v4.new_code_cell(textwrap.dedent(s).strip()) for s in (start, *sources)]
    path = folder / "handed_in.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    return path


def test_of_what_is_not_there_nothing_is_said():
    """No hint and no solution in an assignment; no cell to run again."""
    for answer, why in (None, "No answer: nothing stands"), (7, "not yet right: read the question"):
        verdict = grade.judged(check.variance, {"outcomes": [[answer, {"tuple": []}]]})
        assert verdict.why.startswith(why)


@pytest.mark.parametrize("reply", [FORGED[0], *FORGED[3:]])
def test_a_forged_reply_is_wrong(reply):
    assert grade.judged(check.variance, json.loads(reply)).right is False


@pytest.mark.parametrize("notebook", sample(CHEATS, "patched", rest="beyond"))
def test_a_cheat_gets_no_point(notebook, tmp_path):
    cheats = CHEATS[notebook]
    verdicts = grade.grade(PAGE, handed_in(tmp_path, f"FORGED = {FORGED!r}", *cheats.values()))
    for exercise in cheats:
        assert verdicts[exercise].right is not True, (exercise, verdicts[exercise].why)
    # Nor has it changed the grader.
    assert check.variance.verdict(36.0).right is True
    assert check.variance.verdict(35.0).right is False


@pytest.mark.beyond
@pytest.mark.skipif(sys.platform == "win32", reason="no alarm there")
def test_a_loop_without_end_costs_its_own_point_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(sandbox, "CELL", 3)
    loop = "def loops(*arguments):\n    while True:\n        pass\ncheck.attention(loops)"
    verdicts = grade.grade(PAGE, handed_in(tmp_path, loop, "check.variance(36.0)"))
    assert verdicts["attention"] == (False, "it did not end within 3 seconds: is there a loop that never ends?")
    assert verdicts["variance"].right is True


def test_a_given_answer_counts_whatever_stands_around_it(tmp_path):
    # A cell as nbgrader hands it out.
    stub = "# YOUR CODE HERE\nraise NotImplementedError()\ncheck.{0}({0})"
    page = handed_in(
        tmp_path,
        stub.format("variance"),
        "from d2lmini import explore\nfigure = explore(lambda a=1: torch.ones(2, 2), a=[1, 2])\n"
        "figure.value = {'a': 2}\ncheck.variance(36.0)",
        "%%writefile my.py\nweights = [3 / 4, 1 / 4]",
        "import my\ncheck.by_hand(my.weights)",
        "check.by_hand(...)",  # the template below the answer
        "def attend(:\n    pass\ncheck.attention(attend)",
        stub.format("step_size"),
        "graded(check.step_size, step_size)",
        "def mine(*arguments):\n    raise NotImplementedError\ncheck.step(mine)",
        "class Odd(Exception):\n    __str__ = None\ndef odd(*given):\n    raise Odd",
        "check.weight_gradient(odd)",
        "raise Odd",
        "exit()",
        "row = []\nrow.append(row)\ncheck.reading(row)",
        "check.questions('\\ud800')",
    )
    verdicts = grade.grade(PAGE, page)
    assert verdicts["weight_gradient"] == (False, "Odd")
    assert verdicts["reading"].why.startswith("RecursionError: ")
    assert verdicts["questions"].right is False
    assert verdicts["variance"].right is verdicts["by_hand"].right is True
    assert verdicts["attention"].right is False
    assert verdicts["attention"].why.startswith("SyntaxError: ")
    assert verdicts["step_size"].right is None
    assert verdicts["step"] == (False, "NotImplementedError: ")


@pytest.mark.parametrize("language", sample([None, *catalogs.languages()], None, rest="beyond"))
def test_solutions_of_any_edition_count_for_nothing(tmp_path, language):
    """Also where a place has dropped the tags."""
    book = render(PAGE, language) if language else nbformat.read(PAGE, as_version=4)
    solutions = [cell.source for cell in book.cells if grade.is_solution(cell)]
    verdicts = grade.grade(PAGE, handed_in(tmp_path, *solutions))
    assert {verdict.right for verdict in verdicts.values()} == {None}


def test_a_chapter_of_another_edition_has_the_english_solutions_beside_its_own(tmp_path):
    path = tmp_path / PAGE.name
    nbformat.write(render(PAGE, catalogs.languages()[0]), path)
    cells = nbformat.read(PAGE, as_version=4).cells
    english = {cell.source for cell in cells if grade.is_solution(cell)}
    chapter, *_ = grade.asked(path)
    assert english < grade.solutions(path, chapter)


@pytest.mark.beyond
def test_a_syntax_error_is_told_as_one_wherever_the_check_is_called(tmp_path):
    page = handed_in(
        tmp_path,
        "two_weights = [0.75 0.25]",
        "graded(check.by_hand, two_weights)",  # the locked cell of an assignment
        "x = 1\ndef attend(queries, keys, values)\n    return values",
        "check.attention(attend)",
        "def mine(scores, step):\nreturn scores\ncheck.step(mine)",
        "check.variance(undefined)",
    )
    verdicts = grade.grade(PAGE, page)
    said = {name: verdict.why for name, verdict in verdicts.items() if verdict.right is False}
    assert list(said) == ["by_hand", "variance", "attention", "step"]
    assert said["by_hand"].endswith("in line 1 of the cell: two_weights = [0.75 0.25]")
    assert re.match(r"SyntaxError: .* in line 2 of the cell: def attend\(", said["attention"])
    assert said["step"].startswith("IndentationError: ")
    assert said["variance"] == "NameError: name 'undefined' is not defined"


def test_the_first_cell_that_fails_is_the_cause(tmp_path):
    page = handed_in(tmp_path, "right = [0.75, 0.25]\ncheck.by_hand(right)", "check.variance(right)")
    book = json.loads(page.read_text(encoding="utf-8"))
    first = book["cells"][0]
    first["metadata"]["tags"] = None
    first["source"] = ["from google.colab import drive\n", *first["source"]]
    page.write_text(json.dumps(book), encoding="utf-8")
    verdicts = grade.grade(PAGE, page)
    for name in ("by_hand", "variance"):
        assert verdicts[name].why.startswith("ModuleNotFoundError: No module named 'google"), name


def test_what_an_assignment_asks_and_gives_is_what_counts(tmp_path, capsys):
    made = assignment.assignment(chapters.read(PAGE), ["variance", "attention"], {"variance": 3})
    nbformat.write(made, tmp_path / "source.ipynb")
    own = [c.source for c in made.cells if not c.metadata["nbgrader"]["grade_id"].startswith("cell")]
    region = "### BEGIN SOLUTION.*?### END SOLUTION"
    stub = "# YOUR CODE HERE\nraise NotImplementedError()"
    own = [s if "variance" in s else re.sub(region, stub, s, flags=re.DOTALL) for s in own]
    with (tmp_path / "points.csv").open("w", newline="") as file:
        grade.main(tmp_path / "source.ipynb", handed_in(tmp_path, *own), table=file)
    assert "handed_in.ipynb: 1 of 2, 3 of 4 points\n" in capsys.readouterr().out
    with (tmp_path / "points.csv").open(newline="") as file:
        rows = [(r["exercise"], r["verdict"], r["points"], r["of"]) for r in csv.DictReader(file)]
    assert rows == [("variance", "right", "3", "3"), ("attention", "missing", "0", "1")]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["chapters/index.ipynb", "x"], "no assignment of one: it imports no chapter's checks\n"),
        (
            ["gone.ipynb", "x"],
            "gone.ipynb is no chapter with exercises, and no assignment of one: there is no such file\n",
        ),
        ([str(PAGE), "x", "--only", "check.variance"], "no exercise check.variance; there are by_hand, var"),
        ([str(PAGE), "x", "--only", "step,variance"], "; name them without `check.`, with spaces between\n"),
        ([str(PAGE), "chapters"], "grade: chapters is a folder; expected: files, as submitted/*/week6/06.*\n"),
        ([str(PAGE), "x", "--points", "best=2"], "there is no exercise best"),
        ([str(PAGE), "x", "--points", "variance=-1"], "argument --points: 'variance=-1' came; expected: EXER"),
        ([str(PAGE), "x", "-j", "0"], "argument -j: '0' came; expected: notebooks at once, 1 or more"),
        ([str(PAGE), "x", "--deadline", "soon"], "argument --deadline: 'soon' came; expected: a day"),
        ([str(PAGE), "x", "--deadline", "2027-01-18 18:00"], "a day, a time and its time zone, as"),
        ([str(PAGE), "x", "--deadline", "2027-01-18 18:00 Mars/Base"], "came: there is no time zone Mars/Base"),
        ([str(PAGE), "x", "--deadline", "2027-03-28 02:30 Europe/Berlin"], "the clock is put forward, past this"),
        ([str(PAGE), "x", "--per-day", "110%"], "argument --per-day: '110%' came; expected: points, as 1"),
        ([str(PAGE), "x", "--cut-off", "3"], "--per-day and --cut-off need a --deadline"),
        (
            [str(PAGE), "x", "--csv", "gone/x.csv"],
            "--csv gone/x.csv cannot be written: No such file or directory; expected: a",
        ),
        ([str(PAGE), "submitted/*/week9/06.*"], "grade: no file matches submitted/*/week9/06.*\n"),
    ],
)
def test_what_cannot_be_graded_is_told(options, why, capsys, monkeypatch):
    monkeypatch.chdir(chapters.ROOT)
    with pytest.raises(SystemExit):
        grade.read_arguments(options)
    said = capsys.readouterr().err
    assert why in said
    assert "second process" not in said  # no manual


def test_a_table_that_is_there_stays_until_another_is_whole(tmp_path):
    old, new = tmp_path / "old.csv", tmp_path / "new.csv"
    old.write_text("old")
    for table in (old, new):
        grade.read_arguments([str(PAGE), str(PAGE), "--csv", str(table)])
    assert [path.read_text() for path in tmp_path.iterdir()] == ["old"]


POINTS_OF = {"Gradebook": None, "InvalidEntry": LookupError, "MissingEntry": LookupError}


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (b"\xff", "codec can't decode"),
        (b"ann,variance", "float"),
        (b"ann,variance,nan,1", "ann has nan of 1 points"),
        (b"ann,variance,1,inf", "ann has 1 of inf points"),
        (b"ann,variance,1,1\nann,variance,0,1", "ann has two rows for variance"),
    ],
)
def test_a_gradebook_takes_no_broken_table(row, why, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "nbgrader", SimpleNamespace())
    monkeypatch.setitem(sys.modules, "nbgrader.api", SimpleNamespace(**POINTS_OF))
    points = importlib.import_module("classroom.hub.points")
    table = tmp_path / "points.csv"
    table.write_bytes(b"student,exercise,points,of\n" + row)
    with pytest.raises(SystemExit, match=rf"points: nothing is written into book\.db: .*{why}"):
        points.main(table, "week", "book.db")


def test_a_table_has_a_row_for_each_student_and_exercise(tmp_path, capsys):
    ann, bob, cem = pages = [tmp_path / "submitted" / name / "week6" / "06.ipynb" for name in ("ann", "=bob", "cem")]
    for page in pages:
        page.parent.mkdir(parents=True)
    handed_in(tmp_path, "check.variance(36.0)").rename(ann)
    sources = (
        RIGHT + "check.attention(attend)",
        "check.variance(9.0)",
        "check.by_hand([3 / 4, 1 / 4])\n1 / 0",
        "def mine(*arguments):\n    raise ValueError('one\\n  right   step: Right.')\ncheck.step(mine)",
        RIGHT + "def changes(query, keys, i):\n    keys.zero_()\n    return query\ncheck.weight_gradient(changes)",
    )
    handed_in(tmp_path, *sources).rename(bob)
    cem.write_text("<html>")
    twice = cem.with_suffix(".py")
    twice.write_text("no part")
    (tmp_path / "submitted" / "dan").mkdir()
    with (tmp_path / "points.csv").open("w", newline="") as file:
        grade.main(PAGE, *pages, twice, table=file, points=POINTS | {"variance": 3})
    said = capsys.readouterr()
    assert "grade: no file is here of dan\n" in said.err
    assert f"grade: {cem} and {twice} are of one student; {cem} counts\n" in said.err
    said = said.out
    lines = said[said.index(f"{bob}: ") :].splitlines()[:9]
    assert lines[0] == f"{bob}: 2 of 8, 2 of 10 points"
    verdicts = "right by_hand, wrong variance, right attention, missing reading, wrong step, wrong weight_gradient"
    verdicts = [one.split() for one in f"{verdicts}, missing questions, missing step_size".split(", ")]
    assert [line.split(":")[0] for line in lines[1:]] == [f"  {word:8}{name}" for word, name in verdicts]
    assert "that is the variance of one product" in lines[2]
    assert "ValueError: one" in lines[5]
    with (tmp_path / "points.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 3 * 8
    variance = [row for row in rows if row["exercise"] == "variance"]
    assert [(r["student"], r["verdict"], r["points"], r["of"]) for r in variance] == [
        ("ann", "right", "3", "3"),
        ("'=bob", "wrong", "0", "3"),
        ("cem", "unread", "0", "3"),
    ]
    assert "that is the variance of one product" in variance[1]["sentence"]
    assert {row["chapter"] for row in rows} == {PAGE.stem}
    assert {row["of"] for row in rows if row["exercise"] != "variance"} == {"1"}


FILE = """\
# %% scaled_dot_product_attention/c9239ab2
dot_variance = 36
check.variance(dot_variance)

# %% scaled_dot_product_attention/an-older-one
check.by_hand([3 / 4, 1 / 4])

# %% masked_softmax/317c34c5
1 / 0
"""


def test_what_the_page_has_saved_as_a_python_file_is_graded_as_a_notebook(tmp_path, capsys):
    """The chapter's other cells stand around it; PyTorch computes the answers."""
    saved, other, mine = (tmp_path / name for name in ("ann.py", "bob.py", "cem.py"))
    saved.write_bytes(FILE.replace("\n", "\r\n").encode())
    other.write_text("# %% masked_softmax/317c34c5\nx = 1\n")
    mine.write_text("check.variance(36)\n")
    grade.main(PAGE, saved, other, mine, points={"variance": 1, "by_hand": 1, "step": 1})
    said = capsys.readouterr().out
    assert f"{saved}: 2 of 3\n" in said
    assert "  missing step: " in said
    assert "its code is of masked_softmax, not of scaled_dot_product_attention" in said
    assert 'no part of it begins with "# %% chapter/cell"' in said


RULE = ["--deadline", "2027-03-26 18:00 Europe/Berlin", "--per-day", "10%", "--cut-off", "3"]


@pytest.mark.parametrize(
    ("stamp", "got", "row"),
    [
        ("2027-03-26 17:00:00.000000 UTC", 4, ["in time", "0", "handed in 2027-03-26 18:00 CET, says timestamp.txt"]),
        ("2027-03-26 18:00:01.5 +0100", 4, ["in time", "0", "file; timestamp.txt can't be read: “2027-03-26 1"]),
        ("", 4, ["in time", "0", "2027-03-20 01:00 CET, says the file; timestamp.txt can't be read: “” is no time"]),
        ("2027-03-26 17:00:00.000001 UTC", 3.6, ["late", "-0.4", "; late, day 1; points off: 0.4"]),
        ("2027-03-29 16:00:00.000000 UTC", 2.8, ["late", "-1.2", "03-29 18:00 CEST"]),
        ("2027-03-29 18:00:00.000001 Europe/Berlin", 0, ["late", "-4", "; late, day 4; points off: 4"]),
    ],
)
def test_lateness_is_noted_and_costs_what_the_teacher_says(stamp, got, row, tmp_path, monkeypatch, capsys):
    page = handed_in(tmp_path, "")
    os.utime(page, (1805500800,) * 2)  # 2027-03-20
    (tmp_path / "timestamp.txt").write_text(f"{stamp}\n")
    # Of two files the right one counts, also where there are no points left.
    monkeypatch.setattr(grade, "grade", lambda _, one, *__: {"variance": grade.Verdict(one == page, "")})
    page.with_suffix(".py").touch()
    options, _ = grade.read_arguments([str(PAGE), str(page), *RULE])
    rule = late.Rule(options.deadline, **options.per_day, days=options.cut_off)
    table = io.StringIO(newline="")
    grade.main(PAGE, page.with_suffix(".py"), page, table=table, points={"variance": 4}, rule=rule)
    assert f"{page}: 1 of 1, {got} of 4 points\n" in capsys.readouterr().out
    variance, told = csv.DictReader(table.getvalue().splitlines())
    assert variance["verdict"] == "right"
    assert [told["exercise"], told["verdict"], told["points"], told["of"]] == ["deadline", *row[:2], "0"]
    assert row[2] in told["sentence"]


def test_notebooks_run_at_once_keep_their_order_and_say_how_far_they_are(tmp_path, monkeypatch, capsys):
    both, names = threading.Barrier(2, timeout=60), ["1.ipynb", "2.ipynb", "3.ipynb", "4.ipynb"]

    def graded(page, one, *_):
        both.wait()  # breaks, unless there are two
        if one == "2.ipynb":
            raise ValueError("broken")
        return {"variance": grade.Verdict(True, "Right.")}

    monkeypatch.setattr(grade, "grade", graded)
    grade.main(PAGE, *names, points={"variance": 1}, jobs=2)
    said = capsys.readouterr()
    lines = [line for line in said.out.splitlines() if not line.startswith("  ")]
    assert [line.split(": ")[0] for line in lines] == names
    assert lines[1] == "2.ipynb: this file cannot be read as a notebook: broken"
    assert re.search(r"^grade: 3 of 4 notebooks, about 0:\d\d left\n", said.err, re.MULTILINE)


CODE = {"cell_type": "code", "metadata": {}, "source": "", "outputs": [], "execution_count": None}
ODD_CELLS = [
    *(None, 7, [], {}, {"cell_type": None}, {"cell_type": "poem", "metadata": {}, "source": ""}),
    *(CODE | {"source": source} for source in (None, {"a": 1}, ["1\n", None], "'\ud800'", "\0")),
    *(CODE | {"metadata": metadata} for metadata in (None, [], {"tags": 7}, {"tags": [{}]})),
    *(CODE | {"outputs": outputs} for outputs in (None, [None], [{"output_type": "stream"}])),
    *(CODE | odd for odd in ({"id": None}, {"execution_count": math.inf}, {"attachments": 3})),
    CODE | {"source": "x" * 10**7},
]
BROKEN = [b"", b"<html>", b"7", b"null", b"[]", b"{}", b"[" * 10**5, b"9" * 5000, b'{"cells": {}}']


def test_a_bad_file_costs_no_answer_but_what_it_has_lost(tmp_path, capsys, monkeypatch):
    def replied(task, package):
        told = "check.variance(36.0)" in task["cells"] and json.loads(json.dumps(task))
        return {"variance": {"outcomes": [[36.0, {"tuple": []}]]}} if told else {}

    monkeypatch.setattr(sandbox, "replies", replied)
    good = json.loads(handed_in(tmp_path, "check.variance(36.0)").read_text())
    [*cells] = good["cells"]
    old = {"collapsed": False, "input": "check.variance(36.0)", "language": "python", **CODE}
    old = {"nbformat": 3, "nbformat_minor": 0, "metadata": {}, "worksheets": [{"cells": [old]}]}
    kinds = [{**good, "cells": [odd, *cells]} for odd in ODD_CELLS]
    kinds += [old, *({**good, "nbformat": n} for n in (5, "4", None)), {**good, "metadata": None}]
    texts = [json.dumps(kind) for kind in kinds]
    read = [text.encode() for text in texts]
    read += [texts[0].encode(code) for code in ("utf-8-sig", "utf-16", "utf-16-le")]
    read.append(texts[0].replace("null", '"\xe9"').encode("latin-1"))
    pages = [tmp_path / f"{n:02}.ipynb" for n in range(len(read) + len(BROKEN) + 4)]
    for page, data in zip(pages, (*read, *BROKEN, texts[0].encode()[:-9]), strict=False):
        page.write_bytes(data)
    folder, endless, loop = pages[-3:]
    folder.mkdir()
    os.mkfifo(endless)
    loop.symlink_to(loop)
    with (tmp_path / "points.csv").open("w", encoding="utf-8", newline="") as file:
        grade.main(PAGE, *pages, tmp_path / "\udcff.ipynb", table=file)
    said = capsys.readouterr().out
    assert said.count(": 1 of 8\n") == len(read) > 25
    assert ": it ends too early or is damaged (line 1, column 1); save it again and hand it in\n" in said
    assert said.count(": this file cannot be read as a notebook: ") == len(BROKEN) + 5


HOSTILE = """
import os, signal, subprocess
from pathlib import Path
check.variance(36.0)
subprocess.Popen(["sleep", "{seconds}"], start_new_session=True)
for place in range(3, 30):
    try:
        while True:
            os.write(place, b"x" * 10**7)
    except OSError:
        pass
for file in {files}:
    try:
        Path(file).write_text("changed")
    except OSError:
        pass
os.kill(os.getppid(), signal.SIGKILL)
"""


@pytest.mark.beyond
def test_a_hostile_notebook_ends_alone(tmp_path):
    if not sandbox.is_apart():
        pytest.skip("a system without namespaces")
    beside = Path(tempfile.gettempdir(), f"beside-{os.getpid()}")  # where other notebooks have theirs
    names = ("kept.py", "hostile.ipynb", "good.ipynb")
    kept, hostile, good = (tmp_path / name for name in names)
    kept.write_text("whole")
    files = [str(kept), str(good), str(beside)]
    handed_in(tmp_path, HOSTILE.format(seconds=f"9{os.getpid()}", files=files)).rename(hostile)
    handed_in(tmp_path, "check.variance(36.0)").rename(good)
    command = [sys.executable, "-m", "classroom.grade", PAGE, hostile, good]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    said = [line for line in done.stdout.splitlines() if not line.startswith("  missing")]
    assert re.fullmatch(rf"{hostile}: [01] of 8", said[0])
    assert said[-2] == f"{good}: 1 of 8"
    assert kept.read_text() == "whole"
    assert not beside.exists()
    running = [p.read_bytes() for p in Path("/proc").glob("[0-9]*/cmdline") if p.exists()]
    assert f"sleep\0009{os.getpid()}\0".encode() not in running


def test_an_escape_that_cannot_be_held_ends_the_grading(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sandbox, "is_apart", lambda: False)
    package = tmp_path / "d2lmini"
    for folder in (package, tmp_path / "kernelfree"):
        folder.mkdir()
        (folder / "any.py").write_text("whole")
    monkeypatch.setattr(grade, "PACKAGE", package)

    def changes(*arguments):
        (package / "any.py").write_text("changed")
        return {}

    monkeypatch.setattr(grade, "grade", changes)
    with pytest.raises(SystemExit, match=r"one\.ipynb has changed the files of"):
        grade.main(PAGE, "one.ipynb", "two.ipynb")
    said = capsys.readouterr()
    assert "Nothing here keeps a notebook from your files" in said.err
    assert "two.ipynb" not in said.out


@pytest.mark.beyond
@pytest.mark.parametrize("number", ["03", "06", "09"])  # the last trains, too
def test_an_assignment_with_its_solutions_gets_all_points(tmp_path, number):
    page = next(page for page in chapters.numbered() if page.name.startswith(number))
    made = assignment.assignment(chapters.read(page))
    for cell in made.cells:  # a student may have deleted the call; the locked cell has it, too
        if cell.metadata["nbgrader"]["solution"]:
            cell.source = assignment.CHECK.sub("", cell.source)
    nbformat.write(made, tmp_path / "made.ipynb")
    verdicts = grade.grade(page, tmp_path / "made.ipynb")
    assert len(verdicts) == "\n".join(chapters.cells(page, "markdown")).count("### Exercise ") >= 5
    assert all(verdict.right for verdict in verdicts.values())


def test_values_travel_as_plain_data():
    def back(value):
        return sandbox.unpacked(json.loads(json.dumps(sandbox.packed(value))))

    for x in (torch.tensor([[1.5, -torch.inf]]), torch.tensor([True, False]), torch.zeros(0, 3).half()):
        assert back(x).dtype == x.dtype
        assert torch.equal(back(x), x)
    plain = 1.0, [2, "keys"], None, True
    assert back(plain) == plain
