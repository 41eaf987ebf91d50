"""What a reader answers is kept, comes back when it is due, and stays in the browser."""

import datetime
import json
import math
import random
import re
import shutil

import pytest
from accessible import fits, problems
from bundled import bundled
from hostile import PAYLOADS
from known_exercises import EXERCISES
from lxml import html
from opened import FIRST, FORBIDDEN, KEY, REVIEW, SHOWN, WELCOME, keep, kept
from playwright.sync_api import expect
from serving import HTML

from d2lmini.exercises import display
from d2lmini.exercises.checking import Exercise
from pages import single

NAMES = "queries_keys_values", "kernel_regression"
DAY = datetime.timedelta(days=1)
HOUR = DAY / 24
NOON = datetime.datetime(2026, 1, 1, 12)


def ids_of(page, kind):
    boxes = page.locator(f":is({kind})[data-answer]")
    return boxes.evaluate_all("boxes => boxes.map((box) => box.dataset.answer)")


# A section far away takes its height when it comes near, and moves what a click has just aimed at.
STILL = """addEventListener("DOMContentLoaded", () => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("section { content-visibility: visible !important }");
  document.adoptedStyleSheets.push(sheet);
})"""


@pytest.fixture
def context(browser):
    """A fresh one, since what is tested here changes its clock and its storage."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.add_init_script(STILL)
    yield context
    context.close()


@pytest.fixture
def timed(page):
    page.clock.install(time=NOON)
    return page


@pytest.fixture
def first(timed, served):
    timed.goto(f"{served}/{FIRST}")
    return timed


def test_a_quiz_remembers_the_first_answer_in_every_tab(first):
    other = first.context.new_page()
    other.goto(first.url)
    box = first.locator(".question").first
    no = box.locator("details:not(.right) summary").first
    words = no.text_content().strip()
    place = source_order(first).index(words)
    no.click()
    box.locator("details.right summary").click()
    said = re.compile(f"You answered “{re.escape(words)}”.*not right")
    for page in (first, other):
        expect(page.locator(".question .answered").first).to_have_text(said)
    first.reload()
    expect(box.locator(".answered")).to_have_text(said)
    [(id, answer)] = kept(first)["answers"].items()
    assert id.startswith(f"{NAMES[0]}/")
    assert (answer["choice"], answer["right"]) == (place, False)


def source_order(page):
    """The choices of the first question, as the page's source has them."""
    tree = html.fromstring(page.request.get(page.url).text())
    return [said.text_content().strip() for said in tree.find_class("question")[0].iter("summary")]


def test_only_what_is_new_is_written_where_screen_readers_listen(first):
    """What is written once more, they would say once more; what is not rendered, never."""
    assert first.locator("[role=status]").count() == 0  # which Orca does not read again
    one, two = first.locator(".question").all()[:2]
    one.locator("summary").first.click()
    expect(one.locator(".answered")).to_contain_text("You answered")
    first.evaluate("""() => {
      window.written = [];
      const watch = ([{ target }]) => written.push(target.textContent);
      for (const node of document.querySelectorAll("main [aria-live]"))
        new MutationObserver(watch).observe(node, { childList: true, characterData: true });
    }""")
    expect(two.locator(".answered")).not_to_have_css("display", "none")
    two.locator("summary").first.click()
    expect(two.locator(".answered")).to_contain_text("You answered")
    assert len(first.evaluate("written")) == 1


def test_an_answer_that_was_kept_by_its_words_is_read_once_more(first):
    question = first.locator(".question").first
    texts = source_order(first)
    figure = first.locator(".kernelfree-figure").first
    predict = json.loads(figure.locator("script").first.text_content())["predict"]
    ids = [question.get_attribute("data-answer"), f"{NAMES[0]}/{figure.get_attribute('id')}"]
    for said, place in [(texts[2], 2), ("gone", "gone")]:
        words = said, predict["choices"][1][0]
        old = [{"choice": text, "right": False, "at": 1e12} for text in words]
        keep(first, {"answers": dict(zip(ids, old, strict=True))})
        first.reload()
        expect(question.locator(".answered")).to_contain_text(f"You answered “{said}”")
        after = kept(first)["answers"]
        assert [after[id]["choice"] for id in ids] == [place, 1]
        assert all(after[id]["at"] == 1e12 for id in ids)
    assert question.locator(".chosen").count() == 0
    # A place that the question does not have says nothing.
    keep(first, {"answers": {ids[0]: {"choice": 99, "right": False, "at": 1e12}}})
    first.reload()
    expect(question.locator(".answered")).to_have_text("")


def test_choices_have_an_order_of_their_own(first):
    lines = first.locator(".question").first.locator("summary")
    before = after = lines.all_text_contents()
    for _ in range(11):  # the same of 6 orders twelve times: once in 400 million
        if after != before:
            break
        first.reload()
        after = lines.all_text_contents()
    assert after != before
    assert sorted(after) == sorted(before)


def test_a_prediction_counts(first):
    first.evaluate("dispatchEvent(new Event('kernelfree-figure'))")
    first.locator(".kernelfree-figure .quiz button").first.click()
    [(id, answer)] = kept(first)["answers"].items()
    page, _, figure = id.partition("/")
    assert (page, figure[:7], answer["choice"]) == (NAMES[0], "figure-", 0)
    state = json.loads(first.locator(f"id={figure}").locator("script").first.text_content())
    assert answer["right"] is (state["predict"]["answer"] == 0)


BY_HAND = {param.id: param.values[0] for param in EXERCISES if param.values[0].cases is None}


@pytest.fixture(scope="module")
def ask(browser):
    """Call a function of the page's module, as it is sent to readers."""
    page = browser.new_page()
    names = 'import * as answers from "./answers.js"; import * as numbers from "./numbers.js";'
    page.add_script_tag(content=bundled(f"{names} window.page = {{ ...answers, ...numbers }};", "pages/js/learn"))
    yield lambda source, given: page.evaluate(f"given => {{ with (page) return given.map({source}); }}", given)
    page.close()


@pytest.fixture
def judge(ask):
    """What the page says of answers: of what it holds of an exercise, and of a text."""
    return lambda cases: ask("([of, text]) => verdict(of, text)", cases)


def as_typed(answer):
    """An answer as a reader would type it."""
    if isinstance(answer, list):
        return ", ".join(map(as_typed, answer))
    return answer if isinstance(answer, str) else f"{answer:.10g}"


def flat(answer):
    return [one for part in answer for one in flat(part)] if isinstance(answer, list) else [answer]


def left(exercise):
    """What its check leaves in the page."""
    return json.loads(display.verdicts(exercise).replace("\\u003c", "<"))


def test_the_page_says_what_the_check_says(judge):
    count = 0
    for name, exercise in BY_HAND.items():
        tried = [(why, display.plain(one)) for why, one in [("", exercise.expected), *exercise.slips.items()]]
        found = judge([[left(exercise), as_typed(answer)] for _, answer in tried])
        for (why, answer), said in zip(tried, found, strict=True):
            count += 1
            # How numbers are arranged can't be seen in the page.
            if flat(answer) == flat(display.plain(exercise.expected)):
                assert said["right"] is True, name
                continue
            verdict = exercise.verdict(answer)
            assert said["right"] is verdict.right is False, name
            assert said["why"].removeprefix("Not yet: ") == verdict.why == why, name
    assert count > 150


def asked(expected, tolerance=1e-4, **more):
    """What the page holds of an exercise."""
    return {"expected": expected, "tolerance": tolerance, "praise": "So.", "slips": [], **more}


# A third, a matrix and a logarithm, and how they may be written; what is no third.
THIRD, MATRIX = asked(1 / 3), asked([[1, 2], [3, 4]])
LOGARITHM = asked(math.log(11 / 4))
SET, PAIR, NARROW = asked([3, 5], slips=[["no", [5, 4]]]), asked([1, 2]), asked(0.2049825564, 2e-3)
ANY_ORDER = {**SET, "any_order": True}
LETTER, DATE = asked("B", slips=[["no", "A"]]), asked("1999-03-07", example="2001-12-31")
WORD, LETTERS = asked("keys", slips=[["no", "both"]]), asked("ce", example="abc")
PLACE = asked("5.8", example="0.2")
RIGHT, HINT = "Right. So.", "the hint may help, or look at the solution."
# Whether each of some texts is right, and what is said of it.
SAID = [
    (THIRD, "1/3 |0.333|.333|33%|33 %| 1 / 3 |0,333|3.33e-1|33,3 %", True, RIGHT),
    (THIRD, "3^-1|3**-1|3⁻¹|(1+1)/6|e^(-ln 3)|１／３|[0.333]|= 1/3", True, RIGHT),
    (asked(1 / 3, 1e-5), "0.34|1/4|32%|-1/3|3|0.3334|ln(3)|3^-2", False, "Not yet"),
    (MATRIX, "1 2 3 4|1,2;3,4|[[1, 2], [3, 4]]|1 2\n3 4|1.0, 2., 3e0 4", True, RIGHT),
    (MATRIX, "(1, 2), (3, 4)|1,0; 2,0; 3,0; 4,0|1,0 2,0 3,0 4,0", True, RIGHT),
    (MATRIX, "1,0, 2,0, 3,0, 4,0|{1, 2, (1+2), 2^2}", True, RIGHT),
    (LOGARITHM, "ln(11/4)|log(2.75)|ln 11 - ln 4|ln 11 - 2 ln 2|1.01|1,01", True, RIGHT),
    (SET, "3, 5", True, RIGHT),
    (SET, "5,3|5 3|{5; 3}", False, "Not yet"),
    (ANY_ORDER, "3, 5|5,3|5 3|{5; 3}", True, RIGHT),
    (ANY_ORDER, "4 5", False, "Not yet: no"),
    (ANY_ORDER, "3 3", False, "Not yet"),
    # One digit is neither right nor wrong.
    (NARROW, ".2", None, "three digits"),
    (NARROW, ".21", False, "Not yet"),
    (NARROW, ".205|.20", True, RIGHT),
    # What cannot be read is named.
    (PAIR, "1, two", None, "“two” is no number"),
    (PAIR, "1/0 2", None, "“1/0” is no number"),
    (PAIR, " ", None, "Write your answer first"),
    (PAIR, "1 2 3", False, "2 numbers are asked for, not 3"),
    # Words.
    (LETTER, '"B"|B.|(B)|Ｂ|b|‘B’| B 。|[B]|“b”;', True, RIGHT),
    (LETTER, "a|(A)", False, "no"),
    (LETTER, "E|answer B|5|B C|BB|−", False, "one of A, B is expected."),
    (WORD, '"keys"|Keys|ＫＥＹＳ|`keys`|keys.', True, RIGHT),
    (WORD, "key|the keys", False, "one of both, keys is expected."),
    (DATE, '"1999-03-07"|1999–03–07|１９９９－０３－０７|(1999 03 07)', True, RIGHT),
    (DATE, "1999-03-08|1999-3-7", False, HINT),
    (DATE, "7 March 1999|nothing", False, "an answer such as 2001-12-31 is expected."),
    (LETTERS, "c, e|(c) (e)|C E|c；e|c、e|ce.", True, RIGHT),
    (LETTERS, "ab|e", False, HINT),
    (PLACE, '"5.8"|5.8.|５．８|(5.8)', True, RIGHT),
    (PLACE, "58|5", False, "an answer such as 0.2 is expected."),
]


def test_an_answer_may_be_written_in_many_ways_and_words_as_in_a_notebook(judge):
    cases = [(data, text, *said) for data, texts, *said in SAID for text in texts.split("|")]
    found = judge([[data, text] for data, text, *_ in cases])
    for (data, text, right, told), said in zip(cases, found, strict=True):
        assert said["right"] is right, text
        assert told.lower() in said["why"].lower(), text
        if isinstance(data["expected"], str):
            exercise = Exercise(**{**data, "slips": dict(data["slips"])})
            assert exercise.verdict(text) == (right, told), text


def test_three_digits_are_enough(judge):
    """As the line below each box of numbers promises."""
    cases = []
    for exercise in BY_HAND.values():
        expected = flat(display.plain(exercise.expected))
        if not isinstance(expected[0], str):
            texts = [f"{n:.0f}" if n == round(n) else f"{float(f'{n:.3g}')}" for n in expected]
            cases += [[left(exercise), between.join(texts)] for between in (", ", " ", "; ")]
    assert len(cases) > 100
    assert [case for case, said in zip(cases, judge(cases), strict=True) if not said["right"]] == []


# What Python writes, and how a reader may.
TYPED = {
    "math.exp": ["exp"],
    "math.log": ["ln", "log", "LN "],
    "math.sqrt": ["sqrt", "√", "sqrt "],
    "math.e": ["e"],
    "math.pi": ["pi", "π"],
    "**": ["^", "**"],
    **{sign: [*signs] for sign, signs in {"*": "*×·", "/": "/÷", "-": "-−–"}.items()},
    **{f"**(+{n})": [f"^{n}", f"**{n}", sign] for n, sign in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
}
PARTS = re.compile("|".join(map(re.escape, sorted(TYPED, key=len, reverse=True))))


def expression(choose, depth):
    """Random mathematics, as Python writes it."""
    if depth == 0 or choose.random() < 0.2:
        number = float(f"{choose.uniform(0, 20):.{choose.randrange(4)}f}")
        return choose.choice([f"{number}", "math.e", "math.pi", "2.0"])
    part, other = (expression(choose, depth - 1) for _ in "ab")
    name, power = choose.choice(["log", "exp", "sqrt"]), choose.randrange(10)
    written = [f"math.{name}({part})", f"({part})**(+{power})", f"-{part}", f"({part})"]
    signs = [choose.choice(["+", " - ", "*", " / ", "**"]) for _ in written]
    return choose.choice([*written, *(f"{part}{sign}{other}" for sign in signs)])


def python_value(text):
    """What Python makes of it: a finite real number, or nothing."""
    try:
        value = eval(text, {"math": math})
        return value if math.isfinite(value) else None
    except (ArithmeticError, ValueError, TypeError):  # also complex numbers
        return None


def test_expressions_have_the_values_that_python_gives_them(ask):
    choose = random.Random(5)
    written = [expression(choose, 4) for _ in range(2_000)]
    typed = [PARTS.sub(lambda part: choose.choice(TYPED[part[0]]), text) for text in written]
    read = ask("(text) => number(normalised(text))?.value ?? null", typed)
    wanted = list(map(python_value, written))
    for *texts, value, found in zip(written, typed, wanted, read, strict=True):
        if None in (value, found):
            assert value == found, texts
        else:
            assert math.isclose(value, found, rel_tol=1e-9, abs_tol=1e-9), texts
    assert len(wanted) - wanted.count(None) > 1_000


def test_no_text_is_run_or_breaks_the_box(judge):
    texts = [*PAYLOADS, "(" * 100_000, "alert(1)", "e.constructor", "__proto__", "toString()"]
    letters, choose = "0123456789.,;()[]%^*/+-elnpixsqrt ²", random.Random(0)
    drawn = ["".join(choose.choices(letters, k=12)) for _ in range(2_000)]
    data = asked([1, 2], slips=[["no", 3]])
    told = judge([[data, text] for text in [*texts, "1e999", *drawn]])
    assert {said["right"] for said in told[: -len(drawn)]} <= {None, False}
    assert all(said["why"] for said in told)


def test_what_stands_beside_a_box_speaks_of_the_box(first, still, served):
    expect(first.locator(".how-to-answer")).to_contain_text("into its box")
    assert first.locator("form.answer").count() >= 3
    assert first.locator(".d2lmini-answer:visible").count() == 0
    field = first.locator("form.answer input[aria-describedby]").first
    expect(field).to_have_accessible_description(re.compile("Three digits are enough"))
    # Without the script it speaks of the cell, as in a notebook.
    still.goto(f"{served}/{FIRST}")
    expect(still.locator(".how-to-answer")).to_contain_text("run the cell")
    expect(still.locator(".d2lmini-answer").first).to_contain_text("place of the dots")


def test_who_is_asked_for_several_numbers_is_shown_several(page, served):
    page.goto(f"{served}/chapters/03_dot_product_scores.html")
    counts = set()
    for output in page.locator(".d2lmini-answer").all():
        expected = flat([json.loads(output.locator("script").text_content())["expected"]])
        if isinstance(expected[0], str):
            continue
        counts.add(len(expected) > 1)
        field = output.locator("xpath=preceding::form[@class='answer'][1]//input")
        example = "For example 2, 1, 3." if len(expected) > 1 else "For example 2/3, "
        expect(field).to_have_accessible_description(re.compile(f"^{re.escape(example)}"))
    assert counts == {False, True}


FORMULAS = [".katex > *"]  # whose colours test_pages.py looks at
WAITING = ".all-prompts > section > [data-answer]:visible"


def reviewed(page, served, moment):
    """What is seen on the page of the review when it is opened at a moment; without an address, where it is open, once
    another tab has kept something."""
    page.clock.set_system_time(moment)
    if served:
        page.goto(f"{served}/{REVIEW}")
    else:
        page.evaluate("dispatchEvent(new StorageEvent('storage'))")
    return page.locator(WAITING)


def recall(page, remembered):
    box = page.locator(".prompt:visible").first
    if box.get_attribute("open") is None:
        box.locator("summary").press("Enter")
    box.get_by_role("button", name="I knew it" if remembered else "I forgot").click()


def test_a_prompt_comes_back_later_each_time_and_next_day_when_forgotten(first, served):
    first.locator("#review").scroll_into_view_if_needed()
    recall(first, remembered=True)
    now = NOON
    rounds = [(5, True), (14, True), (30, True), (60, True), (60, False), (1, True), (5, True)]
    for days, remembered in rounds:
        assert reviewed(first, served, now + days * DAY - HOUR).count() == 0, days
        now += days * DAY + HOUR
        assert reviewed(first, None, now).count() == 1, days
        assert "1 due" in first.locator(".due-now").text_content()
        recall(first, remembered)
        assert "Nothing is due" in first.locator(".due-now").text_content()


def test_a_wrong_answer_is_there_tomorrow_in_other_words_and_gone_for_longer_when_right(first, served):
    question = first.locator(".question").first
    said = question.locator("p").first.text_content()
    question.locator("details:not(.right) summary").first.click()
    first.locator(".question").nth(1).locator(".right summary").click()
    now = NOON
    assert reviewed(first, served, now + DAY - HOUR).count() == 0
    expect(first.locator(".due-now")).to_contain_text("1 to try again.")
    # Right or not, days until it is back, and whether it then has its own words.
    rounds = [(1, False, False), (1, True, False), (5, True, True), (14, False, False)]
    for days, right, own in rounds:
        assert reviewed(first, served, now + days * DAY - HOUR).count() == 0, days
        now += days * DAY + HOUR
        seen = reviewed(first, None, now)
        assert seen.count() == 1, days
        assert (seen.locator("p").first.text_content() == said.removeprefix("1. ")) is own
        pick = ".right summary" if right else "details:not(.right) summary"
        seen.locator(pick).first.click()
        seen.locator("details:not([open]) summary").first.click()  # the first answer counts
        back = {False: "in 1 day.", True: f"in {14 if own else 5} days."}[right]
        expect(seen.locator(".answered")).to_have_text(f"Comes back {back}")
        expect(seen.locator("details[open] > p").first).to_be_visible()  # the reply can be read
        told = "1 came back right." if right else "1 to try again."
        expect(first.locator(".due-now")).to_contain_text(told)
        assert "Nothing is due" in first.locator(".due-now").text_content()


def check(box, text):
    """Type an answer into its box."""
    box.locator("input").fill(str(text))
    box.locator("button").first.click()


def test_an_exercise_comes_back_with_other_numbers_even_if_it_was_right_at_last(first, served):
    exercise = first.locator(".exercise").first
    id, box = exercise.get_attribute("data-answer"), exercise.locator("form.answer")
    for text in ("20", "25", "7"):
        check(box, text)
    right = kept(first)["answers"][id]
    assert (right["choice"], right["right"]) == ("25", True)  # which stays
    first.reload()
    expect(box.locator("input")).to_have_value("25")
    expect(box).to_contain_class("right")
    [[other, expected]] = json.loads(exercise.get_attribute("data-again"))
    own = exercise.locator("p").first.text_content()
    assert other != own
    now = NOON + HOUR
    assert reviewed(first, served, now).count() == 0
    first.get_by_role("button", name="Try exercises again").click()
    tried = first.locator(".exercise:visible form")
    expect(tried.locator("input")).to_have_value("")
    check(tried, "20")
    expect(tried.locator("p").first).to_contain_text("Not yet")
    assert kept(first)["answers"][id] == right
    for days, shown, answer, later in [(1, other, expected, 5), (5, own, 25, 14)]:
        now += days * DAY + HOUR
        seen = reviewed(first, served, now)
        assert seen.count() == 1
        expect(seen.locator(".asked")).to_have_text(re.compile(re.escape(shown.strip()[:20])))
        check(seen.locator("form"), "none")  # no answer at all
        expect(seen.locator(".answered")).to_have_text("")
        check(seen.locator("form"), answer)
        expect(seen.locator("form p").first).to_contain_text("Right.")
        expect(seen.locator(".answered")).to_have_text(f"Comes back in {later} days.")
    assert kept(first)["answers"][id] == right


def test_progress_counts_what_waits_and_what_came_back_right(first, served):
    """Also in the records of an edition that had no such thing; what a figure asks stays away."""
    link, said = first.locator("a.to-review"), first.locator(".progress").first
    expect(link).to_have_text("")
    for box in first.locator(".prompt").all():
        box.locator("summary").click()
        box.get_by_role("button", name="I forgot").click()
    figure = first.locator(".kernelfree-figure").first.get_attribute("id")
    wrong = {"choice": "in other words", "right": False, "at": 1.767e12}
    answers = {id: wrong for id in [*ids_of(first, ".question")[:3], f"{NAMES[0]}/{figure}"]}
    prompts = kept(first)["prompts"]
    keep(first, {"answers": answers, "prompts": prompts})
    total = 3 + len(prompts)
    assert total >= 6
    first.clock.set_system_time(NOON + 1.5 * DAY)
    first.goto(f"{served}/{WELCOME}")
    expect(said).to_contain_text(f"3 of 12 answered, 0 right · 3 to try again · {total} due")
    expect(link).to_have_text(str(total))
    expect(link).to_have_accessible_name(f"Review: {total} due")
    assert reviewed(first, served, NOON + 1.5 * DAY).count() == total
    first.locator(".question:visible .right summary").first.click()
    first.goto(f"{served}/{WELCOME}")
    told = f"0 right · 2 to try again · 1 came back right · {total - 1} due"
    expect(said).to_contain_text(told)
    assert kept(first)["answers"] == answers


def test_a_reader_goes_on_where_they_stopped_and_rings_fill_as_exercises_are_done(first, served):
    """In either language, until they start over."""
    first.evaluate("location.hash = 'by-hand'")
    expect(first.locator("[aria-current]")).to_have_text("By hand")
    first.clock.run_for(11_000)
    first.goto(f"{served}/{WELCOME}")
    expect(first.locator(".go-on a")).to_have_text("1. Queries, keys and values · By hand")
    line = first.locator(".progress").first
    ids = [f"{NAMES[0]}/{own}" for own in line.get_attribute("data-exercises").split()]
    right = {"choice": "", "right": True, "at": 1e12}
    for done, shape in [([], "0"), (ids[1:], "some"), (ids, "all")]:
        keep(first, {"answers": dict.fromkeys(done, right), "read": {NAMES[0]: {"at": 1e12}}})
        first.reload()
        name = f"{len(done)} of {len(ids)} exercises done"
        expect(line.get_by_role("img", name=name)).to_have_class(f"ring {shape}")
    assert first.locator(".ring").count() == 2  # nothing where nothing was begun
    first.goto(f"{served}/zh/{WELCOME}")
    first.locator(".go-on a").click()
    assert first.url.endswith(f"/zh/{FIRST}#by-hand")
    first.locator(".question summary").first.click()
    first.goto(f"{served}/{WELCOME}")
    expect(first.locator(".go-on a")).to_have_text("1. Queries, keys and values · Quiz")
    first.get_by_role("button", name="Start over").click()
    first.reload()
    expect(line).not_to_have_text("")
    expect(first.locator(".go-on")).to_have_count(0)


def test_one_switch_opens_all_checks_and_stays(first):
    shut = first.locator(".tag_hide-cell:not(.tag_solution) > details:not([open])")
    assert shut.count() > 5
    for left in (0, shut.count()):
        first.locator("[popovertarget=launch]").click()
        first.get_by_role("button", name="Open all checks").click()
        expect(shut).to_have_count(left)
        first.reload()
        expect(shut).to_have_count(left)


def test_what_is_no_longer_asked_is_due_no_more(timed, served):
    """Nor is it counted, but it stays."""
    old = {f"{NAMES[0]}/gone": {"choice": 1, "right": False, "at": 1e12}}
    timed.goto(f"{served}/{WELCOME}")
    link, said = timed.locator("a.to-review"), timed.locator(".progress").first
    keep(timed, {"answers": old})
    timed.reload()
    expect(link).to_have_accessible_name("Review: 1 due")
    expect(said).to_have_text("")
    assert reviewed(timed, served, NOON).count() == 0
    timed.goto(f"{served}/{FIRST}")
    timed.locator(".question summary").first.click()
    answers = kept(timed)["answers"]
    assert len(answers) == 2
    assert answers.items() > old.items()
    timed.goto(f"{served}/{WELCOME}")
    expect(said).to_have_text(re.compile("^1 of "))
    expect(link).to_have_accessible_name("Review")


def test_a_prompt_shows_the_figure_that_it_leans_on(page, served):
    page.goto(f"{served}/{REVIEW}")
    figures = page.locator("[data-figure]").locator("xpath=preceding-sibling::*[1]")
    assert not any(one.is_visible() for one in figures.all())
    due = {"step": 1, "due": 1, "at": 1}
    keep(page, {"prompts": dict.fromkeys(ids_of(page, "[data-figure]"), due)})
    page.reload()
    for one in figures.all():
        one.scroll_into_view_if_needed()
        expect(one.locator("svg, canvas, table, img:visible").first).to_be_visible()
        for picture in one.locator("xpath=self::figure//img").all():
            assert picture.evaluate("async (img) => (await img.decode(), img.naturalWidth)")
    page.evaluate("dispatchEvent(new Event('kernelfree-figure'))")
    two = page.locator("#figure-one-unit-or-two")
    expect(two.locator("input[type=checkbox]")).not_to_be_checked()  # as the prompt asks
    assert problems(page, alike=FORMULAS) == []
    assert fits(page, 390)
    link = page.locator("figure.cell_output a").first
    target = link.get_attribute("href").partition("#")[2]
    link.click()
    expect(page.locator(f"id={target.partition('?')[0]}")).to_be_in_viewport()


def test_axe_finds_nothing_in_the_review_and_the_keyboard_is_enough(first, served):
    ids = [ids_of(first, kind)[0] for kind in (".question", ".exercise")]
    prompts = ids_of(first, ".prompt")
    wrong, once = {"choice": 0, "right": False, "at": 1e12}, {"step": 1, "due": 1, "at": 1}
    keep(first, {"answers": dict.fromkeys(ids, wrong), "prompts": dict.fromkeys(prompts, once)})
    first.goto(f"{served}/{REVIEW}")
    assert problems(first, alike=FORMULAS) == []
    first.locator(".question:visible .right summary").focus()
    first.keyboard.press("Enter")
    first.locator(".exercise:visible input").focus()
    first.keyboard.type("16")
    first.keyboard.press("Enter")
    expect(first.locator(".due-now")).to_contain_text("2 came back right")
    first.evaluate("document.documentElement.dataset.theme = 'dark'")
    assert problems(first, alike=FORMULAS) == []
    first.locator(".prompt:visible summary").first.focus()
    for _ in prompts:
        first.keyboard.press("Enter")
        first.keyboard.press("Tab")
        first.keyboard.press("Enter")  # "I knew it"; then the next question has the focus
    assert first.locator(".prompt:visible").count() == 0
    steps = [kept(first)["prompts"][id]["step"] for id in [*ids, *prompts]]
    assert steps == [1, 1, *(2 for _ in prompts)]


FULL = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }"


@pytest.mark.parametrize(("script", "says"), [(FORBIDDEN, "lets no page keep"), (FULL, "no room left")])
def test_where_nothing_can_be_kept_the_page_works_and_says_so_once(script, says, page, served):
    page.add_init_script(script)
    page.goto(f"{served}/{FIRST}")
    for box in page.locator(".question").all()[:2]:
        box.locator("summary").first.click()
        expect(box.locator(".answered")).to_contain_text("You answered")
    expect(page.locator(".trouble")).to_contain_text(says)
    assert page.locator(".trouble").count() == 1


def test_all_that_cannot_be_read_is_set_aside_and_erased_at_last(first, served):
    def goes_on(text, told):
        """After a reload it says what was set aside, and a first answer is kept."""
        keep(first, text)
        first.evaluate("document.fonts.ready.then(() => 0)")  # a font that is cut off is an error
        first.reload()
        expect(first.locator(".trouble")).to_contain_text(told)
        first.locator(".question summary").first.click()
        expect(first.locator(".answered").first).to_contain_text("You answered")
        return kept(first)["answers"]

    texts = ["{bad", "null", "[]", '"text"', '{"answers": 3}']
    for text in [*texts, texts[0]]:
        assert len(goes_on(text, "set aside")) == 1
    # Of one bad entry the others stay.
    good = {"choice": "a", "right": True, "at": 1e12}
    two = ids_of(first, ".question")[1]
    bad = json.dumps({"answers": {two: good, "x": {**good, "at": 1e300}}, "prompts": {}})
    answers = goes_on(bad, "A part")
    assert (len(answers), answers[two], "x" in answers) == (2, good, False)
    names = [f"{KEY}-unreadable", *(f"{KEY}-unreadable-{n}" for n in range(2, 8))]
    aside = first.evaluate("names => names.map((name) => localStorage.getItem(name))", names)
    assert aside == [*texts, bad, None]
    first.goto(f"{served}/{REVIEW}")
    first.evaluate("localStorage.setItem('attention-book-lesson', '{}')")  # of hands and steps
    first.on("dialog", lambda dialog: dialog.accept())
    first.get_by_role("button", name="Erase all").click()
    assert first.evaluate("Object.keys(localStorage).filter((name) => name !== 'theme')") == []


def taken_in(page, record, path):
    path.write_text(json.dumps(record))
    said = page.locator(".answers-file [aria-live]")
    said.evaluate("node => (node.textContent = '')")  # of an earlier file
    page.locator("input[type=file]").set_input_files(path)
    expect(said).to_contain_text("were read")
    return said.text_content()


def test_times_to_come_are_left_out_and_stand_in_nobodys_way(first, served, tmp_path):
    """The clock of this page stands at the beginning of 2026, 1.767e12."""
    asked, prompt = (ids_of(first, kind)[0] for kind in (".question", ".prompt"))
    answer = {"choice": "good", "right": True, "at": 1.7e12}
    review = first.context.new_page()
    review.goto(f"{served}/{REVIEW}")
    for at in 1e300, 9e15, 4e12, 1.8e12:
        later = {"answers": {asked: {"choice": "bad", "right": False, "at": at}}}
        later["prompts"] = {prompt: {"step": 1, "at": 1.7e12, "due": at}}
        keep(review, {})
        said = taken_in(review, later, tmp_path / "bad.json")
        assert at == 1.8e12 or re.search("^0 answers.*2 were left out", said)
        assert asked not in kept(review)["answers"]
        # Also where an older edition has let it in; there it does not wait, either.
        keep(review, later)
        review.evaluate("dispatchEvent(new StorageEvent('storage'))")
        expect(review.locator(".due-now")).to_have_text(re.compile("^Nothing is due: .* wrong[.]$"))
        assert review.locator(".question:visible").count() == 0
        taken_in(review, {"answers": {asked: answer}}, tmp_path / "good.json")
        assert kept(review)["answers"][asked] == answer
        first.reload()
        expect(first.locator("article")).not_to_contain_text("Invalid Date")
        expect(first.locator(".recall").first).not_to_contain_text("e+")


def test_a_broken_address_is_no_error(first):
    chapter = first.url
    for address in "#%E0%A4%A", "#%?a=1", "#figure-a%?b=%":
        first.goto("about:blank")
        first.goto(f"{chapter}{address}")  # the fixture notes what is raised
        first.evaluate("location.hash = '#'")
        first.locator("a.home").evaluate("(link, address) => (link.href = address)", address)
        first.locator("a.home").click()
        expect(first.locator("h1")).to_be_visible()


def test_answers_go_to_another_profile_and_the_later_one_stays(first, own_page, served, tmp_path):
    """The file is named by the day and the reader's word."""
    for n in (0, 1):
        question = first.locator(".question").nth(n)
        question.locator("details:not(.right) summary").first.click()
    then = NOON + 1.5 * DAY - HOUR
    reviewed(first, served, then).first.locator(".right summary").click()
    mine, file = kept(first), tmp_path / "mine.json"
    for word, part in {"": "", " Ana 7 ": "Ana-7-", '../\u00fc"<b>': "\u00fc-b-"}.items():
        first.get_by_label("A word for the file").fill(word)
        with first.expect_download() as download:
            first.get_by_role("button", name="Export", exact=True).click()
        assert download.value.suggested_filename == f"attention-answers-{part}2026-01-02.json"
    shutil.copy(download.value.path(), file)
    record = json.loads(file.read_text())
    assert re.fullmatch("[0-9a-f]{6}", record.pop("edition"))
    assert record == mine
    other = own_page
    other.clock.install(time=then)
    other.goto(f"{served}/{REVIEW}")

    def take(told):
        other.locator("input[type=file]").set_input_files(file)
        other.get_by_text(told).wait_for()

    [(id, answer), _] = mine["answers"].items()
    later = {**answer, "at": answer["at"] + 9, "choice": "later"}
    keep(other, {"answers": {id: later}})
    take("3 answers were read")
    assert kept(other)["answers"] == {**mine["answers"], id: later}
    other.on("dialog", lambda dialog: dialog.accept())
    other.get_by_role("button", name="Erase all").click()
    take("3 answers were read")
    assert kept(other) == mine
    told = "1 due now. Questions and exercises: 1 to try again, 1 came back right."
    expect(other.locator(".due-now")).to_have_text(told)
    expect(other.locator(".all-prompts .question:visible")).to_have_count(1)
    file.write_text('{"answers": []}')
    take("Nothing was changed")
    assert kept(other) == mine


@pytest.mark.beyond
def test_the_one_file_remembers_and_its_answers_go_to_the_pages(timed, served):
    page = timed
    page.context.set_offline(True)
    page.goto((HTML / single.NAME).as_uri())
    articles = [page.locator(f"article[data-page={name}]") for name in NAMES]
    asked = [article.locator(".question").first for article in articles]
    for question in asked:
        question.locator(".right summary").click()
    box = articles[0].locator("form.answer").first
    check(box, "25")
    figure = articles[0].locator(".kernelfree-figure").first
    figure.evaluate("figure => location.replace(`#${figure.id}?a-state`)")  # which draws it at once
    figure.locator(".quiz button").first.click()
    articles[0].locator(".prompt").first.scroll_into_view_if_needed()
    recall(articles[0], remembered=True)
    page.clock.set_system_time(NOON + 6 * DAY)
    page.reload()
    for question in asked:
        expect(question.locator(".answered")).to_contain_text("You answered")
    expect(box.locator("input")).to_have_value("25")
    said = page.locator(f".progress[data-page={NAMES[0]}]").first
    # Prompts stand near the end of a chapter, which may have been seen.
    expect(said).to_have_text(re.compile(r"^(read · )?2 of \d+ answered, \d right · 1 due$"))
    progress, mine = said.text_content(), kept(page)
    page.locator("a.to-review[aria-label='Review: 1 due']").click()
    due = page.locator(".all-prompts .prompt:visible")
    expect(due).to_have_count(1)
    due.locator("summary").click()
    due.get_by_role("link", name="Read it again").click()
    page.wait_for_function(SHOWN, arg=articles[0].get_attribute("id"))
    # A page has the same names for what it asks.
    page.context.set_offline(False)
    page.goto(f"{served}/{REVIEW}")
    keep(page, mine)
    page.reload()
    expect(page.locator(".prompt:visible")).to_have_count(1)
    page.goto(f"{served}/{WELCOME}")
    expect(said).to_have_text(progress)


def test_no_string_of_an_imported_file_is_run(first, served, tmp_path):
    texts = [""]
    for text in PAYLOADS:  # an answer has 200 letters at most
        texts += [] if len(texts[-1] + text) < 200 else [""]
        texts[-1] += f" {text}"
    shown = dict(zip(ids_of(first, ".question, .exercise"), texts, strict=False))
    assert len(shown) == len(texts)
    answers = {id: {"choice": text, "right": True, "at": 1e12} for id, text in shown.items()}
    answers |= {text[:90]: {"choice": text, "right": True, "at": 1} for text in PAYLOADS}
    bad = {"x": {"choice": 3, "right": "yes", "at": "now"}, "__proto__": {"choice": "a"}}
    record = {"answers": answers | bad, "prompts": bad, "read": {NAMES[0]: {"at": -1}}}
    first.goto(f"{served}/{REVIEW}")
    taken_in(first, record, tmp_path / "bad.json")
    assert "x" not in kept(first)["answers"]
    assert kept(first)["prompts"] == kept(first)["read"] == {}
    for path in (FIRST, WELCOME, REVIEW):
        first.goto(f"{served}/{path}")
        assert first.evaluate("window.hit ?? null") is None
        assert first.locator(":is(.answered, .progress, .answer p) :not(.ring)").count() == 0
