"""A chapter as a lesson: what each step shows, how it is turned, and what stays of it."""

import re

import pytest
from accessible import problems
from exhaustive import EXHAUSTIVE, sample
from playwright.sync_api import expect
from serving import HTML, Strict, serve
from test_policy import WATCH

import chapters

ALL = [page.stem for page in chapters.numbered()]
FEW = ["01_queries_keys_values", "12_inside_a_real_model"]
NAMES = ALL if EXHAUSTIVE else FEW
# A screen, and what is read from its last row.
SCREENS = {(1920, 1080): 28, (1024, 768): 20}
ONE = FEW[0]
NOTES = [
    cell.metadata.notes
    for cell in chapters.read(chapters.ROOT / "chapters" / f"{ONE}.ipynb").cells
    if "notes" in cell.metadata
]
MINUTES = [note["minutes"] for note in NOTES]

WALK = (
    (chapters.ROOT / "tests/browser/walk.js")
    .read_text("utf-8")
    .split("export default ")[1]
    .rstrip(";\n")
)


# Fonts come late, and figures take their room a frame later: then steps are laid out again.
SETTLED = """async () => {
  await document.fonts.ready;
  for (let n = 0; n < 4; n++) await new Promise(requestAnimationFrame);
}"""


def begin(page, name=ONE, screen=(1920, 1080), start=None):
    """Open a chapter as a lesson."""
    page.set_viewport_size(dict(zip(("width", "height"), screen, strict=True)))
    page.goto(f"{start or HTML.as_uri()}/chapters/{name}.html#present")
    expect(page.locator(".lesson-bar")).to_be_visible()
    page.evaluate(SETTLED)
    return page


def count(page):
    """The step that is shown, and how many there are."""
    said = page.locator(".lesson-bar > span").text_content()
    return [int(number) for number in said.split(" / ")]


@pytest.mark.parametrize("screen", SCREENS, ids=lambda screen: f"{screen[0]}x{screen[1]}")
@pytest.mark.parametrize("name", NAMES)
def test_every_step_fits_and_nothing_is_lost(page, name, screen):
    begin(page, name, screen)
    found = page.evaluate(WALK, SCREENS[screen])
    assert found["wrong"] == []
    assert found["lost"] == []


def at(page):
    return count(page)[0]


def go_to(page, selector):
    """Turn to the first step that shows what a selector finds."""
    page.keyboard.press("Home")
    place = page.locator(selector).first
    for _ in range(200):
        if place.is_visible():
            return place
        before = at(page)
        page.keyboard.press("ArrowRight")
        if at(page) == before:  # a font has come, and steps were laid out again
            page.evaluate(SETTLED)
    pytest.fail(f"no step shows {selector}")


FIGURE = "#figure-asking-the-notebook"


def answer(page, text):
    """Answer the question of the first figure."""
    page.locator(FIGURE).get_by_role("button", name=text).click()


def test_a_button_and_a_key_begin_and_escape_ends(page):
    page.goto(f"{HTML.as_uri()}/chapters/{ONE}.html")
    page.get_by_role("link", name="Present").click()
    expect(page.locator(".lesson-bar")).to_be_visible()
    expect(page.get_by_role("banner")).to_be_hidden()
    assert at(page) == 1
    page.keyboard.press("Escape")
    expect(page.locator(".lesson-bar")).to_have_count(0)
    expect(page.get_by_role("banner")).to_be_visible()
    page.keyboard.press("Alt+p")
    expect(page.locator(".lesson-bar")).to_be_visible()


def test_keys_turn_and_leave(page):
    begin(page)
    all_steps = count(page)[1]
    told = page.locator(".lesson-status")
    for key, place in {
        "ArrowRight": 2,
        "Space": 3,
        "PageDown": 4,
        "ArrowLeft": 3,
        "Shift+Space": 2,
        "PageUp": 1,
        "End": all_steps,
        "Home": 1,
    }.items():
        page.keyboard.press(key)
        assert at(page) == place, key
        expect(told).to_have_text(f"Step {place} of {all_steps}")
        assert page.evaluate("document.activeElement.matches('.shown, .shown *')"), (
            "the step has the focus"
        )
    page.keyboard.press("ArrowLeft")
    assert at(page) == 1


def test_what_has_the_focus_keeps_its_keys_and_a_mouse_gives_them_back(page):
    begin(page)
    go_to(page, FIGURE)
    answer(page, "Less than 50")
    page.keyboard.press("ArrowRight")
    slider = page.locator(FIGURE).get_by_role("slider", name="you leave at")
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


def test_what_is_typed_or_chosen_gives_the_keys_back(page):
    begin(page, "04_masked_softmax")
    typed = go_to(page, ".kernelfree-trace").locator("input").last
    typed.fill("0")
    typed.press("Enter")
    place = at(page)
    page.keyboard.press("ArrowRight")
    assert at(page) == place + 1
    figure = go_to(page, "#figure-how-low-is-low-enough")
    figure.get_by_role("button", name="The padding gets most.").click()
    page.keyboard.press("ArrowRight")
    place = at(page)
    chosen = figure.get_by_label("a step of the line is")
    chosen.click()
    chosen.select_option("100,000")
    page.keyboard.press("PageDown")
    assert at(page) == place + 1


def test_back_and_forth_keeps_figures_and_answers(page):
    begin(page)
    go_to(page, FIGURE)
    answer(page, "Less than 50")
    page.keyboard.press("ArrowRight")
    page.locator(FIGURE).get_by_role("slider", name="sharpness").fill("5")
    page.evaluate("document.activeElement.blur()")
    page.evaluate(f"window.kept = document.querySelector('{FIGURE} canvas, {FIGURE} > div')")
    question = go_to(page, ".question")
    question.locator("summary", has_text="50").click()
    page.keyboard.press("Home")
    go_to(page, FIGURE)
    page.keyboard.press("ArrowRight")
    expect(page.locator(FIGURE).get_by_role("slider", name="sharpness")).to_have_value("5")
    assert page.evaluate("kept.isConnected")
    page.keyboard.press("Escape")
    expect(page.locator(FIGURE).get_by_role("slider", name="sharpness")).to_have_value("5")
    expect(page.locator(".question").first.locator(".chosen")).to_have_count(1)


def test_the_page_is_as_before_at_the_place_of_the_step(page):
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{HTML.as_uri()}/chapters/{ONE}.html")
    state = """() => [
      document.documentElement.className,
      document.querySelectorAll("details[open]").length,
      document.querySelector("article").getAttribute("style") ?? "",
      document.querySelectorAll(
        ".shown, .way, .late, .gone, .down, .above, .clipped, article [tabindex='-1']").length,
      devicePixelRatio]"""
    before = page.evaluate(state)
    page.get_by_role("link", name="Present").click()
    go_to(page, "#the-unit-of-a-key-is-a-sharpness pre")
    page.keyboard.press("Escape")
    assert page.evaluate(state) == before
    assert (
        0 <= page.locator("#the-unit-of-a-key-is-a-sharpness pre").first.bounding_box()["y"] < 300
    )


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
    page.set_viewport_size({"width": 1024, "height": 768})
    expect(page.locator("#by-hand table")).to_be_visible()
    # Back leaves.
    page.goto(f"{HTML.as_uri()}/chapters/{ONE}.html")
    page.get_by_role("link", name="Present").click()
    expect(page.locator(".lesson-bar")).to_be_visible()
    page.evaluate(SETTLED)
    page.keyboard.press("ArrowRight")
    assert at(page) > 1
    here = page.url
    page.go_back()
    expect(page.locator(".lesson-bar")).to_have_count(0)
    page.go_forward()
    expect(page.locator(".lesson-bar")).to_be_visible()
    assert page.url == here


def test_a_link_to_a_state_leads_to_the_figure_in_it(page):
    begin(page)
    go_to(page, FIGURE)
    answer(page, "Less than 50")
    go_to(page, "a:text('sharpness 8')").click()
    expect(page.locator(FIGURE)).to_be_visible()
    expect(page.locator(FIGURE).get_by_role("slider", name="sharpness")).to_have_value("5")
    page.keyboard.press("Escape")
    expect(page.locator(".lesson-bar")).to_have_count(0)


@pytest.mark.parametrize("asked", [FIGURE, ".question"])
def test_hands_are_counted_and_kept_nowhere(page, asked):
    begin(page)
    box = go_to(page, asked)
    hands = page.get_by_role("group", name="Show of hands")
    rows = hands.locator("> div")
    expect(rows).to_have_count(3)
    stored = page.evaluate("JSON.stringify({...localStorage, ...sessionStorage})")
    for key in ("1", "1", "1", "2", "Shift+Digit2", "2"):
        page.keyboard.press(key)
    rows.nth(1).get_by_role("button", name="One more hand").click()
    rows.nth(1).get_by_role("button", name="One more hand").click()
    expect(rows.locator("b")).to_have_text(["3", "3", "0"])
    answers = (
        box.get_by_role("button").all()[:3] if asked == FIGURE else box.locator("summary").all()
    )
    for row, one in zip(rows.all(), answers, strict=True):
        bar, text = row.locator("i").bounding_box(), one.bounding_box()
        assert all(abs(bar[side] - text[side]) < 2 for side in ("x", "y", "width", "height"))
    shares = rows.locator("i").evaluate_all(
        "all => all.map((one) => one.style.getPropertyValue('--share'))"
    )
    assert shares == ["0.5", "0.5", "0"]
    assert page.evaluate("JSON.stringify({...localStorage, ...sessionStorage})") == stored
    page.keyboard.press("PageDown")
    page.keyboard.press("PageUp")
    expect(rows.locator("b")).to_have_text(["3", "3", "0"])
    answers[0].click()
    reply = page.locator(FIGURE).get_by_text("That is what a dictionary says")
    expect(reply if asked == FIGURE else box.locator("details[open] p").first).to_be_visible()


def test_an_answer_that_is_opened_fits(page):
    begin(page, screen=(1024, 768))
    box = go_to(page, ".question")
    for line in box.locator("summary").all():
        line.click()
    page.wait_for_function(
        """() => document.querySelector(".question.shown").getBoundingClientRect().bottom <
        document.querySelector(".lesson-bar").getBoundingClientRect().top"""
    )


def test_notes_stand_in_a_window_of_their_own(page):
    begin(page)
    with page.expect_popup() as opened:
        page.keyboard.press("n")
    notes = opened.value
    expect(notes.get_by_role("heading", level=1)).to_contain_text("1. Queries, keys and values 1 /")
    expect(notes.get_by_text(NOTES[0]["ask"])).to_be_visible()
    expect(notes.locator(".clock")).to_contain_text(
        re.compile(rf"\d\d:\d\d\s*0:\d\d\s*until {MINUTES[0]} of {sum(MINUTES)} min")
    )
    expect(notes.locator(".next")).to_contain_text("Next: 1. Queries")
    assert problems(notes) == []
    notes.keyboard.press("ArrowRight")
    assert at(page) == 2
    expect(notes.get_by_text("From an earlier step")).to_be_visible()
    notes.keyboard.press("m")
    expect(page.locator(FIGURE)).to_be_visible()
    expect(notes.get_by_text("From an earlier step")).to_have_count(0)
    expect(notes.get_by_text(NOTES[1]["ask"])).to_be_visible()
    expect(notes.locator(".clock")).to_contain_text(
        f"until {sum(MINUTES[:2])} of {sum(MINUTES)} min"
    )
    page.keyboard.press("Escape")
    notes.wait_for_event("close") if not notes.is_closed() else None


@pytest.mark.parametrize("name", sample(ALL, "04_masked_softmax"))
def test_each_note_is_told_in_its_step_and_asked_before_it(page, name):
    notebook = chapters.read(chapters.ROOT / "chapters" / f"{name}.ipynb")
    asked = [cell.metadata.notes["ask"] for cell in notebook.cells if "notes" in cell.metadata]
    begin(page, name)
    with page.expect_popup() as opened:
        page.keyboard.press("n")
    # For each step: what is asked in it, and what before the next one.
    steps = opened.value.evaluate(
        """(main) => {
          const page = opener, steps = [];
          const bar = page.document.querySelector(".lesson-bar > span");
          for (let before = ""; before !== bar.textContent; ) {
            before = bar.textContent;
            const texts = (word) => [...document.querySelectorAll("h2")]
              .filter((head) => head.textContent === word)
              .map((head) => head.nextElementSibling.textContent);
            steps.push([texts("Ask"), texts("Ask before you turn")]);
            const press = new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true });
            page.document.dispatchEvent(press);
          }
          return steps;
        }"""
    )
    told = [ask for step, _ in steps for ask in step]
    assert list(dict.fromkeys(told)) == asked
    early = [ask for _, coming in steps for ask in coming]
    assert set(early) == set(asked) - set(steps[0][0])


def test_a_finger_turns_and_drags_figures(phone):
    page, swipe = phone
    page.set_viewport_size({"width": 1024, "height": 768})
    page.goto(f"{HTML.as_uri()}/chapters/{ONE}.html#present")
    expect(page.locator(".lesson-bar")).to_be_visible()
    swipe((700, 400), (600, 400), (400, 400))
    assert at(page) == 2
    swipe((400, 400), (500, 400), (700, 400))
    assert at(page) == 1
    page.touchscreen.tap(1010, 400)
    assert at(page) == 2
    page.touchscreen.tap(10, 400)
    page.touchscreen.tap(500, 400)
    assert at(page) == 1
    go_to(page, FIGURE)
    answer(page, "Less than 50")
    page.keyboard.press("ArrowRight")
    place = at(page)
    canvas = page.locator(FIGURE).locator("canvas").bounding_box()
    x, y = canvas["x"] + canvas["width"] * 0.5, canvas["y"] + canvas["height"] * 0.5
    swipe((x, y), (x - 60, y), (x - 120, y))
    assert at(page) == place


def test_a_figure_is_pointed_at_where_it_is_drawn(page):
    """The rule that is dragged stands under the mouse, whatever the zoom."""
    begin(page)
    go_to(page, FIGURE)
    answer(page, "Skip")
    page.keyboard.press("ArrowRight")
    figure = page.locator(FIGURE)
    canvas = figure.locator("canvas")
    x, y, wide, high = canvas.bounding_box().values()
    zoom = wide / canvas.evaluate("(one) => one.offsetWidth")
    assert zoom > 2
    left, _, cell, _ = canvas.evaluate("(one) => one.dataset.cells.split(',').map(Number)")
    columns = 41  # the times of the chapter, from 6 to 11, on an axis that ends at 11.5
    where = lambda hour: x + zoom * (left + cell * columns * (hour - 6) / 5.5)  # noqa: E731
    page.mouse.move(where(8), y + high / 3)
    page.mouse.down()
    page.mouse.move(where(9), y + high / 3, steps=4)
    page.mouse.up()
    slider = figure.get_by_role("slider", name="you leave at")
    assert abs(float(slider.get_attribute("aria-valuetext")) - 9) <= 0.25


@pytest.mark.exhaustive
def test_a_lesson_in_the_one_file(page):
    page.goto((HTML / "attention-scoring-functions.html").as_uri())
    page.get_by_role("link", name="Present").first.click()
    expect(page.locator(".lesson-bar")).to_be_visible()
    expect(page.locator("article:visible")).to_have_count(1)
    expect(page.get_by_role("heading", level=1)).to_have_text("1. Queries, keys and values")
    page.keyboard.press("ArrowRight")
    assert at(page) == 2
    with page.expect_popup() as opened:
        page.keyboard.press("n")
    expect(opened.value.get_by_text(NOTES[0]["ask"])).to_be_visible()
    opened.value.close()
    page.keyboard.press("Escape")
    assert page.locator("article:visible").count() > 20


@pytest.fixture
def strict():
    with serve(HTML, Strict) as address:
        yield address


def test_a_strict_policy_refuses_nothing(strict, page):
    page.add_init_script(WATCH)
    begin(page, start=strict)
    go_to(page, FIGURE)
    page.keyboard.press("1")
    with page.expect_popup() as opened:
        page.keyboard.press("n")
    expect(opened.value.get_by_text(NOTES[1]["ask"])).to_be_visible()
    assert (
        opened.value.evaluate("getComputedStyle(document.querySelector('.clock')).display")
        == "flex"
    )
    assert page.evaluate("refused") == opened.value.evaluate("window.refused ?? []") == []
    page.keyboard.press("Escape")


@pytest.mark.parametrize("scheme", sample(["light", "dark"], "light"))
def test_axe_finds_nothing(page, scheme):
    page.emulate_media(color_scheme=scheme)
    begin(page, screen=(1024, 768))
    places = "h1", "#by-hand table", FIGURE, "#attention-pooling .math", "#traps pre", ".question"
    for selector in places if EXHAUSTIVE else places[2::3]:
        go_to(page, selector)
        assert problems(page) == [], selector


def test_paper_shows_the_whole_page(page):
    begin(page)
    page.emulate_media(media="print")
    expect(page.locator("#recap h2")).to_be_visible()
    expect(page.locator(".lesson-bar")).to_be_hidden()


def test_a_page_gains_little_before_a_lesson_is_asked_for(page):
    asked = []
    page.on("request", lambda request: asked.append(request.url.split("#")[0]))
    page.goto(f"{HTML.as_uri()}/chapters/{ONE}.html", wait_until="networkidle")
    assert not [url for url in asked if re.search(r"/(present|notes)[^/]*$", url)]
    link = page.get_by_role("link", name="Present").evaluate("(one) => one.outerHTML")
    assert len(link) < 700
