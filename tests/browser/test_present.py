"""A chapter as a lesson: what each step shows, how it is turned, and what stays of it."""

import re

import pytest
from accessible import problems
from exhaustive import EXHAUSTIVE, sample
from playwright.sync_api import expect
from serving import HTML, WATCH, Strict, serve

import chapters
from tools import minutes
from tools.metadata import EXERCISES

pytestmark = pytest.mark.beyond

ALL = [page.stem for page in chapters.numbered()]
ONE = "01_queries_keys_values"
# A screen, and what is read from its last row.
SCREENS = {(1024, 768): 20, (1280, 720): 18, (1920, 1080): 28}
FIGURE = "#figure-asking-the-notebook"
WALK = (chapters.ROOT / "tests/support/walk.js").read_text("utf-8").partition("export default ")[2].rstrip(";\n")
# Fonts come late, and figures take their room a frame later: then steps are laid out again.
SETTLED = """async () => {
  await document.fonts.ready;
  for (let n = 0; n < 4; n++) await new Promise(requestAnimationFrame);
}"""


def notes_of(name):
    cells = chapters.read(chapters.ROOT / "chapters" / f"{name}.ipynb").cells
    return [cell.metadata.notes for cell in cells if "notes" in cell.metadata]


NOTES = notes_of(ONE)
MINUTES = [note["minutes"] for note in NOTES]


def resize(page, screen):
    size = dict(zip(("width", "height"), screen, strict=True))
    if page.viewport_size != size:  # Firefox never answers that it has the size that it has
        page.set_viewport_size(size)


def begin(page, name=ONE, screen=(1920, 1080), start=None):
    resize(page, screen)
    # Whatever Playwright asks of Firefox counts as a click there, which may fill the screen.
    page.add_init_script("delete Element.prototype.requestFullscreen")
    page.goto(f"{start or HTML.as_uri()}/chapters/{name}.html#present-0")
    expect(page.locator(".lesson-bar")).to_be_visible()
    page.evaluate(SETTLED)


def count(page):
    """The step that is shown, and how many there are."""
    return [int(number) for number in page.locator(".lesson-bar > span").text_content().split(" / ")]


def at(page):
    return count(page)[0]


# By keys, too, but without a message from here for each.
TURN = """(place) => {
  const count = () => document.querySelector(".lesson-bar > span").textContent;
  for (let before; !place.checkVisibility({ visibilityProperty: true }) && before !== (before = count()); )
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
}"""


def go_to(page, selector):
    """Turn on to the first step that shows what a selector finds."""
    place = page.locator(selector).first
    place.evaluate(TURN)
    expect(place).to_be_visible()
    return place


def answer(page, text="Less than 50"):
    """Answer the question of the first figure, and turn to the figure itself."""
    go_to(page, FIGURE).get_by_role("button", name=text).click()
    page.keyboard.press("ArrowRight")


def open_notes(page):
    with page.expect_popup() as opened:
        page.keyboard.press("n")
    return opened.value


@pytest.mark.parametrize("name", sample(ALL, ONE, rest="beyond"))
def test_every_step_fits_and_nothing_is_lost(page, name):
    begin(page, name, next(iter(SCREENS)))
    for screen, floor in SCREENS.items():
        resize(page, screen)
        page.evaluate(SETTLED)
        page.keyboard.press("Home")
        assert page.evaluate(WALK, floor) == {"wrong": [], "lost": []}, screen


# Sentences that end a step, and what they introduce.
PARTED = """() => {
  const parted = [];
  for (let count, before; before !== (count = document.querySelector(".lesson-bar > span").textContent); ) {
    before = count;
    const end = [...document.querySelectorAll("article :is(p, table, ul, div.math, div.highlight)")]
      .findLast((one) => one.checkVisibility({ visibilityProperty: true }));
    if (end?.matches("p") && /:$/.test(end.textContent.trim())) parted.push(`${before}: ${end.textContent}`);
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
  }
  return parted;
}"""


def test_what_a_sentence_introduces_stands_below_it(page):
    begin(page, "04_masked_softmax", (1280, 720))
    assert page.evaluate(PARTED) == []


# What a lesson changes of a page.
CHANGED = """() => [
  document.documentElement.className.replace("early", ""), document.querySelectorAll("details[open]").length,
  document.querySelector("article").getAttribute("style") ?? "", devicePixelRatio,
  document.querySelectorAll(".shown, .way, .late, .gone, .down, .above, .clipped, article [tabindex='-1']").length]"""


def test_a_button_and_a_key_begin_and_escape_ends(page):
    """Nothing of a lesson is loaded before; and then the page is as it was, where the step was."""
    asked = []
    page.on("request", lambda request: asked.append(request.url.split("#")[0]))
    page.goto(f"{HTML.as_uri()}/chapters/{ONE}.html", wait_until="networkidle")
    assert not [url for url in asked if re.search(r"/(present|notes)[^/]*$", url)]
    before = page.evaluate(CHANGED)
    page.evaluate("localStorage.clear()")  # nor is a lesson known
    bar, banner = page.locator(".lesson-bar"), page.get_by_role("banner")
    page.get_by_role("link", name="Present").click()
    expect(bar).to_be_visible()
    expect(banner).to_be_hidden()
    assert at(page) == 1
    place = go_to(page, "#the-unit-of-a-key-is-a-sharpness pre")
    here = page.url
    for _ in range(2):  # the first may be the browser's own, for its full screen
        page.keyboard.press("Escape")
    expect(bar).to_have_count(0)
    expect(banner).to_be_visible()
    assert page.evaluate(CHANGED) == before
    assert 0 <= place.bounding_box()["y"] < 300
    # It goes on where it was left; back leaves, and forward leads there, too.
    page.keyboard.press("Alt+p")
    expect(page).to_have_url(here)
    page.evaluate(SETTLED)
    page.keyboard.press("ArrowRight")
    here = page.url
    page.go_back()
    expect(bar).to_have_count(0)
    page.go_forward()
    expect(bar).to_be_visible()
    assert page.url == here


def test_keys_turn_and_leave(page):
    begin(page)
    last, told = count(page)[1], page.locator(".lesson-status")
    keys = "ArrowRight Space PageDown ArrowLeft Shift+Space PageUp End Home ArrowLeft"
    for key, place in zip(keys.split(), [2, 3, 4, 3, 2, 1, last, 1, 1], strict=True):
        page.keyboard.press(key)
        assert at(page) == place, key
        expect(told).to_have_text(f"Step {place} of {last}")
        assert page.evaluate("document.activeElement.matches('.shown, .shown *')"), "has the focus"
    # Paper shows the whole page.
    page.emulate_media(media="print")
    expect(page.locator("#recap h2")).to_be_visible()
    expect(page.locator(".lesson-bar")).to_be_hidden()


def test_what_has_the_focus_keeps_its_keys_and_a_mouse_gives_them_back(page):
    begin(page)
    answer(page)
    figure = page.locator(FIGURE)
    slider = figure.get_by_role("slider", name="you leave at")
    before, place = slider.input_value(), at(page)
    slider.press("ArrowRight")
    slider.press("Home")
    assert (slider.input_value(), at(page)) == ("0", place) != (before, place)
    slider.click()
    page.wait_for_function("document.activeElement.matches('.shown, .shown *')")
    moved = slider.input_value()
    page.keyboard.press("PageDown")
    assert at(page) == place + 1
    page.keyboard.press("PageUp")
    assert (slider.input_value(), at(page)) == (moved, place)
    # The rule that is dragged stands under the mouse, whatever the zoom.
    canvas = figure.locator("canvas")
    x, y, wide, high = canvas.bounding_box().values()
    zoom = wide / canvas.evaluate("(one) => one.offsetWidth")
    assert zoom > 2
    left, _, cell, _ = map(float, canvas.get_attribute("data-cells").split(","))

    def told():
        return float(slider.get_attribute("aria-valuetext"))

    # On an axis of 41 times, from 6 to 11.5.
    start, end = ((x + zoom * (left + cell * 41 * (hour - 6) / 5.5), y + high / 3) for hour in (told(), 9))
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(*end, steps=4)
    page.mouse.up()
    assert abs(told() - 9) <= 0.25


def test_what_is_typed_or_chosen_gives_the_keys_back(page):
    begin(page, "04_masked_softmax")

    def turns(key):
        place = at(page)
        page.keyboard.press(key)
        assert at(page) == place + 1

    typed = go_to(page, ".kernelfree-trace").locator("input").last
    typed.fill("0")
    typed.press("Enter")
    turns("ArrowRight")
    figure = go_to(page, "#figure-how-low-is-low-enough")
    figure.get_by_role("button", name="The padding gets most.").click()
    turns("ArrowRight")
    chosen = figure.get_by_label("a step of the line is")
    chosen.click()
    chosen.select_option("100,000")
    turns("PageDown")


def test_a_lesson_that_has_been_left_prepares_nothing(page):
    page.add_init_script("window.late = []; window.requestIdleCallback = (work) => late.push(work)")
    begin(page)
    go_to(page, FIGURE)
    page.keyboard.press("ArrowLeft")  # the figure comes next
    page.keyboard.press("Escape")
    before = page.evaluate(CHANGED)
    page.evaluate("late.forEach((work) => work())")
    assert page.evaluate(CHANGED) == before


def test_back_and_forth_keeps_figures_and_answers(page):
    begin(page)
    answer(page)
    sharpness = page.locator(FIGURE).get_by_role("slider", name="sharpness")
    sharpness.fill("4")
    page.evaluate("document.activeElement.blur()")
    page.evaluate(f"window.kept = document.querySelector('{FIGURE} canvas, {FIGURE} > div')")
    go_to(page, ".question").locator("summary", has_text="50").click()
    page.keyboard.press("Home")
    go_to(page, FIGURE)
    page.keyboard.press("ArrowRight")
    expect(sharpness).to_have_value("4")
    assert page.evaluate("kept.isConnected")
    # A link to a state leads to the figure in it.
    go_to(page, "a:text('sharpness 8')").click()
    expect(page.locator(FIGURE)).to_be_visible()
    expect(sharpness).to_have_value("5")
    page.keyboard.press("Escape")
    expect(page.locator(".lesson-bar")).to_have_count(0)
    expect(sharpness).to_have_value("5")
    expect(page.locator(".question").first.locator(".chosen")).to_have_count(1)


def test_the_address_says_where_one_is(page):
    begin(page)
    go_to(page, "#by-hand table")
    page.keyboard.press("ArrowRight")
    here, place = page.url, at(page)
    assert re.search(r"#present-\d+\.1$", here)
    page.reload()
    expect(page.locator(".lesson-bar")).to_be_visible()
    assert (page.url, at(page)) == (here, place)
    # The same place on another screen.
    resize(page, (1024, 768))
    expect(page.locator("#by-hand table")).to_be_visible()


def test_hands_are_counted_and_kept_on_this_device(page):
    begin(page)
    hands = page.get_by_role("group", name="Show of hands")
    rows = hands.locator("> div")
    for asked, choice, reply in (
        (FIGURE, ".quiz button", "p:text('That is what a dictionary says')"),
        (".question", "summary", "details[open] p"),
    ):
        box = go_to(page, asked)
        expect(rows).to_have_count(3)
        for key in ("2", "3", "0", "1", "1", "1", "2", "Shift+Digit2", "2"):
            page.keyboard.press(key)
        for _ in range(2):
            rows.nth(1).get_by_role("button", name="One more hand").click()
        answers = box.locator(choice).all()[:3]
        words = [one.text_content().strip() for one in answers]
        for row, one, share in zip(rows.all(), answers, ["0.5", "0.5", "0"], strict=True):
            bar, text = row.locator("i").bounding_box(), one.bounding_box()
            assert all(abs(bar[side] - text[side]) < 2 for side in bar)
            expect(row.locator("i")).to_have_css("--share", share)
        page.keyboard.press("PageDown")
        page.keyboard.press("PageUp")
        expect(rows.locator("b")).to_have_text(["3", "3", "0"])
        page.reload()  # answers of a quiz then stand in another order
        first = rows.filter(has=page.get_by_role("button", name=f"One more hand for: {words[0]}"))
        expect(first.locator("b")).to_have_text("3")
        box.locator(choice, has_text=re.compile(rf"^\s*{re.escape(words[0])}\s*$")).click()
        expect(box.locator(reply).first).to_be_visible()
        if asked == FIGURE:  # a step that shows no answers has no hands
            page.keyboard.press("PageDown")
            expect(box).to_be_visible()
            expect(rows.first).to_be_hidden()
            told = [f"{hand} {text}" for hand, text in zip("330", words, strict=True)]
            expect(hands.locator("p > span")).to_have_text(told)
    # Answers that are opened fit, also on a small screen.
    resize(page, (1024, 768))
    for answer in answers[1:]:
        answer.click()
    box = "document.querySelector('{}').getBoundingClientRect().{}".format
    page.wait_for_function(f"{box('.question.shown', 'bottom')} < {box('.lesson-bar', 'top')}")


def test_another_day_a_lesson_goes_on_where_it_was_left_but_for_its_end(page):
    begin(page)
    go_to(page, "#by-hand table")
    here, start = page.url, page.url.split("#")[0]

    def comes_back():
        page.goto("about:blank")
        page.goto(f"{start}#present")
        expect(page.locator(".lesson-bar")).to_be_visible()

    comes_back()
    assert page.url == here
    page.keyboard.press("End")
    comes_back()
    assert at(page) == 1


def test_notes_stand_in_a_window_of_their_own(page):
    """Here a strict policy refuses nothing; below, the page is from a disk."""
    page.add_init_script(WATCH)
    with serve(HTML, Strict) as strict:
        begin(page, start=strict)
        notes = open_notes(page)
        clock = notes.locator(".clock")
        for text in ("1. Queries, keys and values 1 /", NOTES[0]["ask"], "Next: 1. Queries"):
            expect(notes.locator("body")).to_contain_text(text)
        until = f"until {MINUTES[0]} of {sum(MINUTES)} min"
        expect(clock).to_contain_text(re.compile(rf"\d\d:\d\d\s*0:\d\d\s*{until}"))
        assert problems(notes) == []
        notes.keyboard.press("ArrowRight")
        assert at(page) == 2
        expect(notes.get_by_text("From an earlier step")).to_be_visible()
        notes.keyboard.press("m")
        expect(page.locator(FIGURE)).to_be_visible()
        expect(notes.get_by_text("From an earlier step")).to_have_count(0)
        expect(notes.get_by_text(NOTES[1]["ask"])).to_be_visible()
        expect(clock).to_contain_text(f"until {sum(MINUTES[:2])} of {sum(MINUTES)} min")
        page.keyboard.press("1")  # a hand
        expect(clock).to_have_css("display", "flex")
        assert page.evaluate("refused") == notes.evaluate("window.refused ?? []") == []
        page.keyboard.press("Escape")
        notes.wait_for_event("close") if not notes.is_closed() else None


# For each step: what is asked in it, and what before the next one.
TOLD = """() => {
  const { document: page } = opener, steps = [];
  const bar = page.querySelector(".lesson-bar > span");
  const texts = (word) => [...document.querySelectorAll("h2")].filter((head) => head.textContent === word)
    .map((head) => head.nextElementSibling.textContent);
  for (let before = ""; before !== bar.textContent; ) {
    before = bar.textContent;
    steps.push([texts("Ask"), texts("Ask before you turn")]);
    page.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
  }
  return steps;
}"""


@pytest.mark.parametrize("name", sample(ALL, "04_masked_softmax", rest="beyond"))
def test_each_note_is_told_in_its_step_and_asked_before_it(page, name):
    asked = [note["ask"] for note in notes_of(name)]
    begin(page, name)
    steps = open_notes(page).evaluate(TOLD)
    told = [ask for step, _ in steps for ask in step]
    assert list(dict.fromkeys(told)) == asked
    early = [ask for _, coming in steps for ask in coming]
    assert set(early) == set(asked) - set(steps[0][0])


def test_a_finger_turns_and_drags_figures(phone):
    page, swipe = phone
    begin(page, screen=(1024, 768))
    for xs, place in ((700, 600, 400), 2), ((400, 500, 700), 1), ((1010,), 2), ((10,), 1), ((500,), 1):
        if len(xs) > 1:
            swipe(*((x, 400) for x in xs))
        else:
            page.touchscreen.tap(*xs, 400)
        assert at(page) == place
    answer(page)
    place = at(page)
    x, y, wide, high = page.locator(FIGURE).locator("canvas").bounding_box().values()
    swipe(*((x + wide / 2 - far, y + high / 2) for far in (0, 60, 120)))
    assert at(page) == place
    # Nor does a swipe lead back to another page.
    expect(page.locator("html")).to_have_css("overscroll-behavior-x", "none")


def test_the_overview_leads_to_steps_by_list_and_number_and_opens_folds(page):
    begin(page)
    last = count(page)[1]
    overview = page.get_by_role("dialog", name="All steps")
    steps = overview.locator("div > button")
    page.keyboard.press("o")
    expect(steps.filter(has_not_text="folded")).to_have_count(last)
    assert problems(page, ".lesson-overview") == []
    steps.nth(2).click()
    expect(overview).to_be_hidden()
    assert at(page) == 3
    page.keyboard.press("o")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert at(page) == 4
    page.keyboard.type("17")  # no hands are counted in this step
    page.keyboard.press("Enter")
    assert at(page) == 17
    page.keyboard.press("o")
    overview.get_by_role("button", name="Other weights").click()
    place, now = count(page)
    expect(page.get_by_role("heading", name="Other weights")).to_be_visible()
    assert now > last
    page.reload()
    assert at(page) == place
    page.keyboard.press("f")
    assert count(page) == [place - 1, last]
    # A fold's heading closes it, too: by a click, and by a key, since it has the focus.
    for close in page.locator("summary.shown").click, lambda: page.keyboard.press("Enter"):
        page.keyboard.press("f")  # the next one, of two here
        expect(page.get_by_role("heading", name="Why the output stays")).to_be_visible()
        assert at(page) == place
        close()
        assert count(page) == [place - 1, last]
    page.keyboard.press("Home")
    page.keyboard.press("f")
    expect(page.locator(".lesson-status")).to_have_text("There is nothing to open or close here.")
    page.keyboard.press("Escape")
    expect(page.locator(".fold > details[open]")).to_have_count(0)


# Minutes under each heading of the overview.
UNDER = """() => {
  const minutes = {};
  let head;
  for (const one of document.querySelectorAll(".lesson-overview > div > *"))
    if (one.matches("h2")) minutes[(head = one.textContent)] = 0;
    else if (!one.textContent.startsWith("+")) {
      const [, full, seconds] = /(\\d+):(\\d+)$/.exec(one.textContent);
      minutes[head] += Number(full) + seconds / 60;
    }
  return minutes;
}"""


def test_steps_take_the_minutes_of_the_book(page):
    name = "13_what_heads_do"  # its traps are not folded, so a lesson and a reader see the same
    begin(page, name)
    page.keyboard.press("o")
    took = sum(one for head, one in page.evaluate(UNDER).items() if "Exercise" not in head)
    cells = chapters.read(chapters.ROOT / "chapters" / f"{name}.ipynb")
    assert abs(took / minutes.reading(minutes.before(cells, EXERCISES)) - 1) < 0.05


def test_a_cut_of_45_minutes_keeps_the_beginning_numbers_by_hand_and_notes(page):
    name = "06_scaled_dot_product_attention"
    begin(page, name)
    last = count(page)[1]
    page.keyboard.press("o")
    before = page.evaluate(UNDER)
    only = page.get_by_label("Only what fits 45 minutes")
    only.check()
    after = page.evaluate(UNDER)
    assert sum(before.values()) > 55
    assert 40 < sum(after.values()) < 45.5
    assert list(after) == [head for head in before if "beyond 45 minutes" not in head]
    assert {next(iter(before)), "By hand"} < set(after)
    assert not [head for head in after if "Exercise" in head]
    page.keyboard.press("Escape")
    page.reload()  # it stays cut
    page.evaluate(SETTLED)
    assert count(page)[1] < last
    page.keyboard.press("Home")
    told = [ask for step, _ in open_notes(page).evaluate(TOLD) for ask in step]
    assert list(dict.fromkeys(told)) == [note["ask"] for note in notes_of(name)]
    # The address of a step that is left out leads to it all the same.
    page.evaluate("location.hash = '#present-90'")
    expect(page.locator(".lesson-bar > span")).to_contain_text(f"/ {last}")
    expect(only).not_to_be_checked()


@pytest.mark.parametrize("key", ["b", "."])
def test_a_black_screen_covers_all_until_a_key(page, key):
    begin(page)
    page.keyboard.press(key)
    black = page.get_by_role("dialog", name="Black screen")
    expect(black).to_have_css("background-color", "rgb(0, 0, 0)")
    assert list(black.bounding_box().values()) == [0, 0, 1920, 1080]
    page.keyboard.press("ArrowRight")
    expect(black).to_be_hidden()
    assert at(page) == 1


def test_a_dot_follows_the_mouse_and_catches_nothing(page):
    begin(page)
    dot = page.locator(".lesson-dot")
    expect(dot).to_be_hidden()
    page.keyboard.press("p")
    page.mouse.move(700, 300)
    x, y, wide, high = dot.bounding_box().values()
    assert abs(x + wide / 2 - 700) < 2 > abs(y + high / 2 - 300)
    page.get_by_role("button", name="On", exact=True).click()
    assert at(page) == 2
    page.get_by_role("button", name="Pointer").click()
    expect(dot).to_be_hidden()


@pytest.mark.nightly
def test_a_lesson_in_the_one_file(page):
    page.goto((HTML / "attention-scoring-functions.html").as_uri())
    page.get_by_role("link", name="Present").first.click()
    expect(page.locator(".lesson-bar")).to_be_visible()
    expect(page.locator("article:visible")).to_have_count(1)
    expect(page.get_by_role("heading", level=1)).to_have_text("1. Queries, keys and values")
    page.keyboard.press("ArrowRight")
    assert at(page) == 2
    notes = open_notes(page)
    expect(notes.get_by_text(NOTES[0]["ask"])).to_be_visible()
    notes.close()
    page.keyboard.press("Escape")
    assert page.locator("article:visible").count() > 20


@pytest.mark.parametrize("scheme", sample(["light", "dark"], "light"))
def test_axe_finds_nothing(page, scheme):
    page.emulate_media(color_scheme=scheme)
    begin(page, screen=(1024, 768))
    # In the page's order: a lesson is turned on, not back.
    places = "h1", FIGURE, "#by-hand table", "#attention-pooling .math", "#traps pre", ".question"
    for selector in places if EXHAUSTIVE else places[1::4]:
        go_to(page, selector)
        assert problems(page) == [], selector
