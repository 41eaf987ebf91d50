"""Answers travel as one line and as a QR code, and what is damaged on the way is said."""

import base64
import datetime
import io
import itertools
import json
import random
import re
import subprocess

import answers
import pytest
from accessible import problems
from bundled import ROOT
from exhaustive import sample
from extension import single
from PIL import Image
from playwright.sync_api import expect
from serving import HTML, Strict, serve
from test_answers import FIRST, REVIEW, keep, kept

import chapters

BUILT = HTML / "chapters"
NOON = datetime.datetime(2026, 1, 1, 12, tzinfo=datetime.timezone.utc)
HOUR = 3_600_000


def answered(only=None, seed=5):
    """Everything that the book asks, answered one way or the other, at full hours."""
    choose, record = random.Random(seed), {"answers": {}, "prompts": {}, "read": {}}
    at = int(NOON.timestamp() * 1000)
    for chapter in answers.book(BUILT)[0]:
        for id, asked in chapter.questions.items():
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


PAGES = [page.stem[3:] for page in chapters.numbered()]


@pytest.fixture
def open_line(page, served):
    """The page of the review with the part that writes and reads lines."""
    page.clock.install(time=NOON + datetime.timedelta(days=30))

    def go(record=None, address=f"{served}/{REVIEW}"):
        page.goto(address)
        if record:
            keep(page, record)
            page.reload()
        page.get_by_role("button", name="As a line or a QR code").click()
        expect(page.locator(".line .code svg")).to_be_visible()
        return page

    return go


def line_of(page, only=""):
    page.locator(".line select").select_option(only)
    length = re.compile(r"^\d+ letters[.]")
    expect(page.locator(".line p").first).to_have_text(length)
    return page.locator(".line textarea").input_value()


def take_in(page, line):
    page.get_by_label("A line from another browser").fill(line)
    page.get_by_role("button", name="Import the line").click()
    return page.locator(".line p").last


def decoded(page):
    """What another device reads from the picture of the QR code."""
    path = page.locator(".line .code svg").screenshot()
    script = """
      const pixels = JSON.parse(require("fs").readFileSync(0, "utf8"));
      const data = Uint8ClampedArray.from(Buffer.from(pixels.data, "base64"));
      process.stdout.write(require("jsqr")(data, pixels.width, pixels.height)?.data ?? "");
    """
    picture = Image.open(io.BytesIO(path)).convert("RGBA")
    data = base64.b64encode(picture.tobytes()).decode()
    text = json.dumps({"data": data, "width": picture.width, "height": picture.height})
    command = [ROOT / ".venv" / "bin" / "node", "-e", script]
    done = subprocess.run(command, input=text, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_line_goes_to_another_browser(open_line, browser, served):
    record = answered()
    page = open_line(record)
    line = line_of(page)
    context = browser.new_context()
    other = context.new_page()
    other.clock.install(time=NOON + datetime.timedelta(days=30))
    other.goto(f"{served}/{REVIEW}")
    other.get_by_role("button", name="As a line or a QR code").click()
    count = len(record["answers"]) + len(record["prompts"])
    expect(take_in(other, f"  {line[:90]}\n {line[90:]} ")).to_have_text(
        f"{count} answers were read; of two answers to one question the later was kept."
    )
    assert kept(other) == record
    context.close()


def test_the_line_of_a_chapter_is_short(open_line):
    page = open_line(answered())
    lengths = {name: len(line_of(page, name)) for name in PAGES}
    assert max(lengths.values()) <= 340, lengths
    assert min(lengths.values()) > 150  # each has been written anew


def test_a_whole_book_is_one_code_and_too_much_is_said(open_line):
    page = open_line(answered())
    line = line_of(page)
    assert len(line) <= 2953
    assert page.locator(".line svg").bounding_box()["width"] > 185 * 3
    assert decoded(page) == line
    expect(page.locator(".line p").first).to_contain_text("a good camera")
    record = answered()
    for n, answer in enumerate(record["answers"].values()):
        answer["choice"] = f"{random.Random(n).random()} {random.Random(-n - 1).random()}"
    keep(page, record)
    page.reload()
    page.get_by_role("button", name="As a line or a QR code").click()
    expect(page.locator(".line p").first).to_have_text(re.compile("too long for one QR code"))
    expect(page.locator(".line svg")).to_have_count(0)
    page.locator(".line select").select_option("masked_softmax")
    expect(page.locator(".line svg")).to_have_count(1)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_another_device_reads_the_code(scheme, open_line, page):
    page.emulate_media(color_scheme=scheme)
    open_line(answered("masked_softmax"))
    assert decoded(page) == line_of(page, "masked_softmax")


def test_a_damaged_line_is_said_and_changes_nothing(open_line):
    page = open_line(answered("masked_softmax"))
    line = line_of(page, "masked_softmax")
    before = kept(page)
    for damaged in (
        line[:-5],
        line[:60] + line[61:],
        line.swapcase()[: len("attention=")] + line[10:],
    ):
        said = take_in(page, damaged)
        expect(said).to_contain_text("Nothing was changed.")
    expect(take_in(page, line[:-9])).to_contain_text("This line is damaged")
    expect(take_in(page, "hello")).to_contain_text("This is no line")
    assert kept(page) == before


def test_no_change_of_a_letter_is_taken_for_another_answer(open_line):
    page = open_line(answered("masked_softmax"))
    line = line_of(page, "masked_softmax")
    own = answers.pages_own([line], [])["records"][0]
    letters = "ABCxyz019+/"
    changed = [
        line[:at] + letter + line[at + 1 :]
        for at in range(len("attention="), len(line))
        for letter in letters
        if letter != line[at]
    ]
    read = answers.pages_own(changed, [])["records"]
    assert len(read) > 2_000
    # The last letter holds bits that stand for nothing.
    assert all(one == {"error": "damaged"} or one == own for one in read)
    assert sum(one == own for one in read) < len(letters)


def test_a_line_of_another_edition_is_said(open_line):
    page = open_line(answered("masked_softmax"))
    line = line_of(page, "masked_softmax")
    place = page.locator(".answers-file")
    place.evaluate("place => (place.dataset.edition = 'ffffff')")
    page.reload()
    page.locator(".answers-file").evaluate("place => (place.dataset.edition = 'ffffff')")
    page.get_by_role("button", name="As a line or a QR code").click()
    expect(take_in(page, line)).to_contain_text("another edition of the book")


def test_a_class_of_lines_counts_as_a_class_of_files(open_line, tmp_path, capsys):
    records = [answered("masked_softmax", seed) for seed in range(3)]
    page = open_line(records[0])
    lines = []
    for record in records:
        keep(page, record)
        page.reload()
        page.get_by_role("button", name="As a line or a QR code").click()
        lines.append(line_of(page, "masked_softmax"))
    files, pasted, form = (tmp_path / name for name in ("files", "pasted", "form"))
    for folder in (files, pasted, form):
        folder.mkdir()
    for n, record in enumerate(records):
        (files / f"{n}.json").write_text(json.dumps(record))
    (pasted / "lines.txt").write_text("\n\n".join(lines))
    rows = ["Time,Name,Your line", *(f"12:0{n},Student {n},{line}" for n, line in enumerate(lines))]
    (form / "form.csv").write_text("\n".join(rows))
    said = []
    for folder in (files, pasted, form):
        answers.main([str(folder)])
        out = capsys.readouterr()
        assert out.err == ""
        said.append(out.out.partition("Written")[0])
    assert said[0] == said[1] == said[2]
    assert "3 students, 3 with answers" in said[0]
    pages = [(folder / "answers.html").read_text("utf-8") for folder in (files, pasted, form)]
    assert pages[0] == pages[1] == pages[2]
    (form / "form.csv").write_text("\n".join([*rows, f"12:09,Dee,{lines[0][:80]}", "12:10,Eve,"]))
    answers.main([str(form), "--csv", str(tmp_path / "class.csv"), "--names"])
    assert capsys.readouterr().err.splitlines() == [
        "answers: form.csv, row 4: the line is damaged: a part is missing or changed",
        "answers: form.csv, row 5: there is no line that the page of the review has written",
    ]
    table = (tmp_path / "class.csv").read_text("utf-8-sig").splitlines()
    assert [row.partition('",')[0] for row in table[1:3]] == [
        '"12:00, Student 0',
        '"12:01, Student 1',
    ]


def test_the_one_file_writes_the_same_line(open_line, page):
    record = answered("masked_softmax")
    line = line_of(open_line(record), "masked_softmax")
    page.context.set_offline(True)
    open_line(record, (HTML / single.NAME).as_uri())
    assert line_of(page, "masked_softmax") == line


def test_an_old_browser_is_told_that_the_file_works(page, served):
    page.add_init_script("delete globalThis.CompressionStream")
    page.goto(f"{served}/{REVIEW}")
    page.get_by_role("button", name="As a line or a QR code").click()
    expect(page.locator(".answers-file p").last).to_contain_text("The file works")


def test_nothing_of_it_is_loaded_before_it_is_asked_for(page, served):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    for address in (FIRST, REVIEW):
        page.goto(f"{served}/{address}")
    assert not [url for url in asked if "/line.js" in url]
    page.get_by_role("button", name="As a line or a QR code").click()
    expect(page.locator(".line")).to_be_visible()
    assert len([url for url in asked if "/line.js" in url]) == 1


@pytest.mark.parametrize("screen", screens(1280, 320), ids=str)
def test_it_can_be_read_by_all(screen, open_line, page):
    width, scheme = screen
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme)
    open_line(answered("masked_softmax"))
    assert problems(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_strict_policy_leaves_it_whole(page):
    with serve(HTML, Strict) as address:
        page.goto(f"{address}/{REVIEW}")
        keep(page, answered("masked_softmax"))
        page.reload()
        page.get_by_role("button", name="As a line or a QR code").click()
        assert decoded(page) == line_of(page, "masked_softmax")


@pytest.mark.parametrize("screen", screens(1920, 320), ids=str)
def test_the_page_of_a_class_can_be_read_by_all(screen, page, tmp_path):
    width, scheme = screen
    for seed in range(3):
        (tmp_path / f"{seed}.json").write_text(json.dumps(answered(seed=seed)))
    answers.main([str(tmp_path)])
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme=scheme)
    page.context.set_offline(True)
    page.goto((tmp_path / "answers.html").as_uri())
    assert problems(page) == []
    size = page.locator("h3").first.evaluate("node => parseFloat(getComputedStyle(node).fontSize)")
    assert size >= (28 if width == 1920 else 16)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
