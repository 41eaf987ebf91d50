"""Answers travel as one line and as a QR code, and what is damaged on the way is said."""

import base64
import datetime
import io
import itertools
import json
import random
import re
import zlib
from functools import cache

import pytest
from accessible import fits, problems
from exhaustive import EXHAUSTIVE, sample
from made_scripts import node
from opened import FIRST, REVIEW, keep, kept
from PIL import Image
from playwright.sync_api import expect
from serving import HTML, Strict, serve

import chapters
from classroom import answers
from pages import single

pytestmark = pytest.mark.beyond
NOON = datetime.datetime(2026, 1, 1, 12, tzinfo=datetime.timezone.utc)
HOUR = 3_600_000


@cache
def questions():
    """All that the book asks."""
    chapters, _ = answers.book(HTML / "chapters")
    return {id: asked for chapter in chapters for id, asked in chapter.questions.items()}


def answered(only=None, seed=5):
    """Everything that the book asks, answered one way or the other, at full hours."""
    choose, record = random.Random(seed), {"answers": {}, "prompts": {}, "read": {}}
    at = int(NOON.timestamp() * 1000)
    for id, asked in questions().items():
        page = id.partition("/")[0]
        if only not in (None, page):
            continue
        at += HOUR * (choose.random() < 0.1)
        record["read"].setdefault(page, {"at": at})
        if asked.kind == "prompt":
            step = choose.choice([0, 1])
            due = at + 24 * HOUR * (5 if step else 1)
            record["prompts"][id] = {"step": step, "due": due, "at": at}
        elif asked.choices:
            place = choose.choice([n for n, one in enumerate(asked.choices) if one[1]])
            right = asked.choices[place][2]
            record["answers"][id] = {"choice": place, "right": right, "at": at}
        elif asked.check:
            right = choose.random() < 0.6
            typed = choose.choice(["0.75, 0.25, 0", "-2.19", "3/4", "ln(11/4)"])
            record["answers"][id] = {"choice": typed, "right": right, "at": at}
    return record


def screens(wide, narrow):
    """Widths and schemes of a page: each once in every run, all four exhaustively."""
    every = itertools.product((wide, narrow), ("light", "dark"))
    return sample(list(every), (wide, "light"), (narrow, "dark"))


@pytest.fixture
def open_line(page, served):
    """The page of the review with the part that writes and reads lines."""
    page.clock.install(time=NOON + datetime.timedelta(days=30))

    def go(record, address=f"{served}/{REVIEW}"):
        page.goto(address)
        keep(page, record)
        ask_for_it(page)
        expect(page.locator(".line .code svg")).to_be_visible()
        return page

    return go


def ask_for_it(page):
    page.get_by_role("button", name="As a line or a QR code").click()


def line_of(page, only=""):
    line = page.locator(".line textarea")
    line.evaluate("line => (line.value = '')")  # of an earlier choice
    page.locator(".line select").select_option(only)
    expect(line).not_to_have_value("")
    text = line.input_value()
    expect(page.locator(".line p").first).to_have_text(re.compile(f"^{len(text)} letters[.]"))
    return text


def take_in(page, line):
    page.get_by_label("A line from another browser").fill(line)
    page.get_by_role("button", name="Import the line").click()
    return page.locator(".line p").last


def decoded(page):
    """What another device reads from the picture of the QR code."""
    taken = page.locator(".line .code svg").screenshot()
    script = """
      const pixels = JSON.parse(require("fs").readFileSync(0, "utf8"));
      const data = Uint8ClampedArray.from(Buffer.from(pixels.data, "base64"));
      process.stdout.write(require("jsqr")(data, pixels.width, pixels.height)?.data ?? "");
    """
    picture = Image.open(io.BytesIO(taken)).convert("RGBA")
    data = base64.b64encode(picture.tobytes()).decode()
    text = json.dumps({"data": data, "width": picture.width, "height": picture.height})
    return node("node", "-e", script, text=text)


def test_a_line_goes_to_another_browser(open_line, own_page, served):
    record = answered()
    line = line_of(open_line(record))
    own_page.clock.install(time=NOON + datetime.timedelta(days=30))
    own_page.goto(f"{served}/{REVIEW}")
    ask_for_it(own_page)
    count = len(record["answers"]) + len(record["prompts"])
    told = f"{count} answers were read; of two answers to one question the later was kept."
    expect(take_in(own_page, f"  {line[:90]}\n {line[90:]} ")).to_have_text(told)
    assert kept(own_page) == record


def test_a_whole_book_is_one_code_and_too_much_is_said(open_line):
    page = open_line(answered())
    line = line_of(page)
    assert len(line) <= 2953
    assert page.locator(".line svg").bounding_box()["width"] > 185 * 3
    assert decoded(page) == line
    expect(page.locator(".line p").first).to_contain_text("a good camera")
    for chapter in chapters.numbered():
        assert 150 < len(line_of(page, chapter.stem[3:])) <= 340, chapter
    record = answered()
    for n, answer in enumerate(record["answers"].values()):
        answer["choice"] = f"{random.Random(n).random()} {random.Random(-n - 1).random()}"
    keep(page, record)
    page.locator(".line select").select_option("")
    expect(page.locator(".line p").first).to_have_text(re.compile("too long for one QR code"))
    expect(page.locator(".line svg")).to_have_count(0)
    page.locator(".line select").select_option("masked_softmax")
    expect(page.locator(".line svg")).to_have_count(1)


def test_a_damaged_line_is_said_and_changes_nothing(open_line):
    page = open_line(answered("masked_softmax"))
    line = line_of(page, "masked_softmax")
    before, start = kept(page), len("attention=")
    # Each is told something else than the one before it.
    for damaged, told in [
        (line[:-5], "This line is damaged"),
        ("hello", "This is no line"),
        (line[:-9], "This line is damaged"),
        (line[:start].upper() + line[start:], "This is no line"),
        (line[:60] + line[61:], "This line is damaged"),
        (headed("2 ffffff", line), "A later edition of this book has written this line"),
    ]:
        expect(take_in(page, damaged)).to_have_text(re.compile(f"^{told}.* Nothing was changed.$"))
    assert kept(page) == before
    # No change of a letter is taken for another answer.
    own = answers.pages_own([line], [])["records"][0]
    places = itertools.product(range(start, len(line)), "ABCxyz019+/")
    changed = [line[:at] + letter + line[at + 1 :] for at, letter in places if letter != line[at]]
    read = answers.pages_own(changed, [])["records"]
    assert len(read) > 2_000
    # The last letter holds bits that stand for nothing.
    assert all(one == {"error": "damaged"} or one == own for one in read)
    assert sum(one == own for one in read) < 11
    expect(take_in(page, headed("1 ffffff", line))).to_contain_text("another edition of the book")


def headed(head, line):
    """The same line with another format and edition at its head."""
    text = zlib.decompress(base64.b64decode(line.removeprefix("attention=") + "=="))
    packed = zlib.compress(re.sub(rb"^1 \w+", head.encode(), text))
    return f"attention={base64.b64encode(packed).decode().rstrip('=')}"


def test_a_class_of_lines_counts_as_a_class_of_files(open_line, tmp_path, capsys):
    records = [answered("masked_softmax", seed) for seed in range(3)]
    page, lines = open_line(records[0]), []
    for record in records:
        keep(page, record)
        lines.append(line_of(page, "masked_softmax"))
    rows = ["Time,Name,Your line", *(f"12:0{n},Student {n},{line}" for n, line in enumerate(lines))]
    told = set()
    for name, files in {
        "files": {f"{n}.json": json.dumps(record) for n, record in enumerate(records)},
        "pasted": {"lines.txt": "\n\n".join(lines)},
        "form": {"form.csv": "\n".join(rows)},
    }.items():
        folder = tmp_path / name
        folder.mkdir()
        for file, text in files.items():
            (folder / file).write_text(text)
        answers.main([str(folder)])
        out = capsys.readouterr()
        assert out.err == ""
        assert "3 students, 3 with answers" in out.out
        told.add((out.out.partition("Written")[0], (folder / "answers.html").read_text("utf-8")))
    assert len(told) == 1
    (folder / "form.csv").write_text("\n".join([*rows, f"12:09,D,{lines[0][:80]}", "12:10,E,"]))
    answers.main([str(folder), "--csv", str(tmp_path / "class.csv"), "--names"])
    assert capsys.readouterr().err.splitlines() == [
        "answers: form.csv, row 4: the line is damaged: a part is missing or changed",
        "answers: form.csv, row 5: there is no line that the page of the review has written",
    ]
    table = (tmp_path / "class.csv").read_text("utf-8-sig").splitlines()
    for n in (0, 1):
        assert table[n + 1].startswith(f'"12:0{n}, Student {n}",')


def test_the_one_file_writes_the_same_line(open_line, page):
    record = answered("masked_softmax")
    line = line_of(open_line(record), "masked_softmax")
    page.context.set_offline(True)
    open_line(record, (HTML / single.NAME).as_uri())
    assert line_of(page, "masked_softmax") == line


def test_nothing_of_it_is_loaded_before_it_is_asked_for(page, served):
    """And an old browser is told that the file works."""
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    for address in (FIRST, REVIEW):
        page.goto(f"{served}/{address}")
    assert not [url for url in asked if "/line.js" in url]
    page.evaluate("() => delete globalThis.CompressionStream")
    ask_for_it(page)
    expect(page.locator(".answers-file p").last).to_contain_text("The file works")
    assert len([url for url in asked if "/line.js" in url]) == 1


def look(page, screen):
    """Open pages on a screen of this width and scheme."""
    page.set_viewport_size({"width": screen[0], "height": 800})
    page.emulate_media(color_scheme=screen[1])


@pytest.mark.parametrize("screen", screens(1280, 320), ids=str)
def test_it_can_be_read_by_all(screen, open_line, page):
    """By people, and by another device; also under a strict policy."""
    look(page, screen)
    with serve(HTML, Strict) as strict:
        open_line(answered("masked_softmax"), f"{strict}/{REVIEW}")
        assert decoded(page) == line_of(page, "masked_softmax")
    assert fits(page, screen[0])
    assert problems(page) == []


# Every fifth question stays.
FEWER = """() => {
  for (const part of document.querySelectorAll("section:not(:nth-of-type(5n + 1))")) part.remove();
}"""


@pytest.fixture(scope="module")
def of_a_class(tmp_path_factory):
    folder = tmp_path_factory.mktemp("class")
    for seed in range(3):
        (folder / f"{seed}.json").write_text(json.dumps(answered(seed=seed)))
    answers.main([str(folder)])
    return folder / "answers.html"


@pytest.mark.parametrize("screen", screens(1920, 320), ids=str)
def test_the_page_of_a_class_can_be_read_by_all(screen, page, of_a_class):
    look(page, screen)
    page.context.set_offline(True)
    page.goto(of_a_class.as_uri())
    assert fits(page, screen[0])
    if not EXHAUSTIVE:  # axe would need seconds for all
        page.evaluate(FEWER)
    assert problems(page) == []
    size = page.locator("h3").first.evaluate("node => parseFloat(getComputedStyle(node).fontSize)")
    assert size >= (28 if screen[0] == 1920 else 16)
