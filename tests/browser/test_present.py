"""A chapter as a lesson: what each step shows, how it is turned, and what stays of it."""

import re

import pytest
from accessible import problems
from exhaustive import EXHAUSTIVE
from playwright.sync_api import expect
from serving import HTML, Strict, serve

import chapters

ALL = [page.stem for page in chapters.numbered()]
FEW = ["01_queries_keys_values", "12_inside_a_real_model"]
NAMES = ALL if EXHAUSTIVE else FEW
# A screen, and what is read from its last row.
SCREENS = {(1920, 1080): 28, (1024, 768): 20}
ONE = FEW[0]

# Walks through a lesson. Each text of the spine must stand whole on some screen, in letters that are
# large enough; nothing that is shown may stand outside the screen.
WALK = """async (floor) => {
  const left = `h1 + p, h1, h2, h3, h4, details, form, script, .headerlink, .copybtn, .in-colab, .elsewhere,
    .how-to-answer, .quiz > p, .exercise > .cell, .exercise > .cell ~ *, .review, .exercises ~ section,
    .tag_hide-cell, .still, .katex-mathml, .answered`;
  const article = document.querySelector("article.lesson");
  const isLeft = (node) => {
    for (let up = node; up !== article; up = up.parentElement)
      if (up.matches(left) && !(up.matches(".fold > details") && /\\btrap\\b/.test(up.parentElement.id)) &&
        !(up.matches(".question > details") && node.closest("summary"))) return true;
    return false;
  };
  const texts = (root) => {
    const found = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let text = walker.nextNode(); text; text = walker.nextNode())
      if (/[\\p{L}\\p{N}\\p{P}\\p{S}]/u.test(text.data) && !text.parentElement.closest("script, style, .katex-mathml")) found.push(text);
    return found;
  };
  const rectsOf = (text) => {
    const range = document.createRange();
    range.selectNodeContents(text);
    return [...range.getClientRects()].filter(({ width }) => width > 0);
  };
  const sizeOf = (node) => {
    const base = node.closest?.(".katex") ?? node;
    const group = base.getRootNode().querySelector?.("[role=group]");
    const zoom = base.getRootNode() === document ? 1 : group.getBoundingClientRect().width / group.offsetWidth;
    return parseFloat(getComputedStyle(base).fontSize) * zoom;
  };
  const wanted = new Map();
  for (const text of texts(article)) if (!isLeft(text.parentElement)) wanted.set(text, new Set());
  const figures = new Set([...article.querySelectorAll(
    ".kernelfree-figure, .kernelfree-trace, .kernelfree-sentence, .cell_output img")].filter((one) => !isLeft(one)));
  // Lines of functions that are traced, but for those in calls that are closed.
  const lines = new Set([...figures].flatMap((figure) =>
    [...figure.querySelector(":scope > div")?.shadowRoot.querySelectorAll(".row > .text") ?? []])
    .filter((line) => !line.closest("details:not([open])")));
  const wrong = [];
  const last = () => document.querySelector(".lesson-bar").innerText.match(/(\\d+) \\/ (\\d+)/).slice(1).map(Number);
  const times = [];
  for (;;) {
    await new Promise(requestAnimationFrame);
    await new Promise((done) => setTimeout(done));
    const [at, all] = last();
    const say = (what, node) => wrong.push(`${at}: ${what} ${(node.data ?? node.textContent ?? "").trim().slice(0, 60)}`);
    const bottom = innerHeight;
    const inside = ({ top, left, right, bottom: low }) =>
      top >= -1 && left >= -1 && right <= innerWidth + 1 && low <= bottom + 1;
    for (const text of texts(document.querySelector("main"))) {
      const parent = text.parentElement;
      if (!parent.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || parent.closest(".lesson-status")) continue;
      const head = parent.closest("h1, h2, h3, summary");
      if (head?.closest(".alone") && head.closest(".shown") === head) continue;
      if (sizeOf(parent) < floor - 0.05) say(`${sizeOf(parent).toFixed(1)} px`, text);
      const clip = parent.closest(".clipped")?.getBoundingClientRect();
      rectsOf(text).forEach((rect, i, { length }) => {
        if (clip && (rect.top < clip.top - 1 || rect.bottom > clip.bottom + 1)) return;
        if (!inside(rect)) return say("outside", text);
        const seen = wanted.get(text);
        if (seen) {
          seen.add(i);
          seen.all = length;
        }
      });
    }
    for (const figure of [...figures]) {
      if (!figure.checkVisibility({ visibilityProperty: true })) continue;
      const root = figure.querySelector(":scope > div")?.shadowRoot;
      const group = root?.querySelector("[role=group]");
      const box = (group ?? figure).getBoundingClientRect();
      if (!inside(box)) say(`outside: ${Object.values(box.toJSON()).map(Math.round)}`, { data: figure.id ?? figure.alt });
      if (figure.matches("img") ? box.height > innerHeight / 4 : group) figures.delete(figure);
      for (const text of root ? texts(root) : [])
        if (text.parentElement.checkVisibility() && !text.parentElement.closest("option, .unseen, .words") &&
          sizeOf(text.parentElement) < floor - 0.3) say(`${sizeOf(text.parentElement).toFixed(1)} px in a figure:`, text);
      for (const text of root ? root.querySelectorAll(".words > *") : [])
        if (text.checkVisibility() && sizeOf(text) < floor - 0.3) say(`${sizeOf(text).toFixed(1)} px in words:`, text);
    }
    for (const line of lines) if (line.checkVisibility()) lines.delete(line);
    const boxes = [...article.querySelectorAll("pre, .math, .pst-scrollable-table-container")];
    for (const box of boxes)
      if (box.checkVisibility() && box.scrollWidth > box.clientWidth + 2) say("too wide", box);
    if (at === all) break;
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    if (last()[0] === at) { say("no way on", document.createTextNode("")); break; }
  }
  const lost = [...wanted].filter(([, seen]) => !seen.size || seen.size < seen.all).map(([text]) => text.data.trim().slice(0, 60));
  return { wrong, lost: [...lost, ...[...figures].map((one) => one.id || one.alt), ...[...lines].map((one) => one.textContent)] };
}"""


def begin(page, name=ONE, screen=(1920, 1080), at="", start=HTML.as_uri()):
    """Open a chapter as a lesson."""
    page.set_viewport_size(dict(zip(("width", "height"), screen, strict=True)))
    page.goto(f"{start}/chapters/{name}.html#present{at}")
    expect(page.locator(".lesson-bar")).to_be_visible()
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
    while not place.is_visible():
        before = at(page)
        page.keyboard.press("ArrowRight")
        assert at(page) > before, f"no step shows {selector}"
    return place


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
    assert (slider.input_value(), at(page)) == (moved, place + 1)


def test_back_and_forth_keeps_figures_and_answers(page):
    begin(page)
    go_to(page, FIGURE)
    answer(page, "Less than 50")
    page.keyboard.press("ArrowRight")
    page.locator(FIGURE).get_by_role("slider", name="sharpness").fill("5")
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
    state = """() => [document.documentElement.className, document.querySelectorAll("details[open]").length,
      document.querySelector("article").getAttribute("style") ?? "", document.adoptedStyleSheets.length,
      [...document.querySelectorAll("article, article *")].filter((one) =>
        one.matches(".shown, .way, .late, .gone, .down, .above, .clipped, [tabindex='-1']")).length,
      devicePixelRatio]"""
    before = page.evaluate(state)
    page.get_by_role("link", name="Present").click()
    go_to(page, "#the-unit-of-a-key-is-a-sharpness pre")
    page.keyboard.press("Escape")
    after = page.evaluate(state)
    assert after[3] == before[3] + 1
    assert after[:3] + after[4:] == [before[0], before[1], *[after[2]], *before[4:]]
    assert not after[2]
    assert 0 <= page.locator("#the-unit-of-a-key-is-a-sharpness").bounding_box()["y"] < 200


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
    page.keyboard.press("ArrowRight")
    page.go_back()
    expect(page.locator(".lesson-bar")).to_have_count(0)
    page.go_forward()
    expect(page.locator(".lesson-bar")).to_be_visible()
    assert at(page) == 2


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
    expect(notes.get_by_text("You leave at 9.")).to_be_visible()
    expect(notes.locator(".clock")).to_contain_text(
        re.compile(r"\d\d:\d\d\s*0:\d\d\s*plan 4 of 45 min")
    )
    expect(notes.locator(".next")).to_contain_text("Next: 1. Queries")
    assert problems(notes) == []
    notes.keyboard.press("ArrowRight")
    assert at(page) == 2
    go_to(page, FIGURE)
    expect(notes.get_by_text("Hands first")).to_be_visible()
    expect(notes.locator(".clock")).to_contain_text("plan 12 of 45 min")
    page.keyboard.press("Escape")
    notes.wait_for_event("close") if not notes.is_closed() else None


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
    expect(opened.value.get_by_text("You leave at 9.")).to_be_visible()
    opened.value.close()
    page.keyboard.press("Escape")
    assert page.locator("article:visible").count() > 20


@pytest.fixture
def strict():
    with serve(HTML, Strict) as address:
        yield address


def test_a_strict_policy_refuses_nothing(strict, page):
    page.add_init_script(
        "window.refused = []; addEventListener('securitypolicyviolation', (e) => refused.push(e.violatedDirective))"
    )
    begin(page, start=strict)
    go_to(page, FIGURE)
    page.keyboard.press("1")
    with page.expect_popup() as opened:
        page.keyboard.press("n")
    expect(opened.value.get_by_text("Hands first")).to_be_visible()
    assert (
        opened.value.evaluate("getComputedStyle(document.querySelector('.clock')).display")
        == "flex"
    )
    assert page.evaluate("refused") == opened.value.evaluate("window.refused ?? []") == []
    page.keyboard.press("Escape")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(page, scheme):
    page.emulate_media(color_scheme=scheme)
    begin(page, screen=(1024, 768))
    for selector in (
        "h1",
        "#by-hand table",
        FIGURE,
        "#attention-pooling .math",
        "#traps pre",
        ".question",
    ):
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
