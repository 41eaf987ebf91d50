"""Words that change with the state, the sentence below, links and questions that move a figure."""

import itertools

import pytest
import torch
from drawn import HELPERS
from examples import html_of
from playwright.sync_api import expect

from d2lmini import Curve, Heatmap, Prediction, Words, explore
from kernelfree.script import script
from pages.site import SCRIPTS

SENTENCES = {"cat": ["the", "cat", "sat"], "dog": ["a", "large", "dog"]}


def told(which, length):
    """Two panels whose words depend on the menu, and a sentence with numbers."""
    weights = torch.softmax(torch.arange(9.0).reshape(3, 3) * length / 10, -1)
    names = SENTENCES[which]
    return {
        f"the {which}": Heatmap(weights, xticks=names, yticks=names, ylabel=f"{which.title()}s"),
        "line": Curve([0, 1], {f"{which} line": [0, length], "flat": [1, 1]}, {which: (0, 1)}),
        "says": f"{which.title()}: word {length} of 3 has weight {weights[0, length % 3]:.3f}.",
    }


def figure(**options):
    return explore(told, which=list(SENTENCES), length=range(1, 13), **options)


def rain(first=0.5, lines=True, **options):
    """Two words, with weights of the first one and the rest."""
    words, weights = ["it", "rains"], [[first, 1 - first]] * 2
    look = lambda who=0: Words(words, weights, words, lines=lines, touch="who")  # noqa: E731
    return explore(look, who=range(2), **options)


@pytest.fixture
def timed(own_page, written):
    """Open a page of figures for itself, since its clock stands still."""
    page, errors = own_page, []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.clock.install(time=0)

    def open_page(*figures, body=""):
        page.goto(written(*figures, body=body))
        page.clock.pause_at(3_600_000)  # later than it can be: until here it ran
        page.evaluate(f"() => {{{HELPERS}}}")
        return page

    yield open_page
    assert errors == []


def says(page):
    return page.locator(".foot p").first


def status(page):
    return page.locator(".foot p[aria-live]")


@pytest.mark.beyond
def test_words_and_the_sentence_follow_the_state(show):
    """What is drawn of a state has nothing of those before."""
    page = show(explore(told, which=list(SENTENCES), length=range(1, 4)))
    page.get_by_role("button", name="Numbers").click()
    drawn = {}
    states = itertools.product(enumerate(SENTENCES), range(1, 4))
    for (place, which), length in [*states, ((0, "cat"), 1)]:
        page.evaluate(f"move(0, {place}); move(1, {length - 1})")
        now = told(which, length)
        assert says(page).text_content() == now["says"]
        assert page.locator(".name").all_text_contents() == [f"the {which}", "line"]
        canvas, table = page.locator("canvas").first, page.locator("table").first
        assert canvas.get_attribute("aria-label").startswith(f"the {which}: arrow keys")
        heads = table.locator("th").all_text_contents()
        assert heads == [*SENTENCES[which], "sum", *SENTENCES[which]]
        assert table.locator("caption").text_content() == f"the {which}"
        legend = page.locator(".panel .legend span").all_text_contents()
        assert legend == [f"━━━ {which} line", "━ ━ flat"]
        picture = canvas.evaluate("node => node.toDataURL()")
        assert drawn.setdefault((which, length), picture) == picture
        canvas.press("ArrowRight")
        first = SENTENCES[which][0]
        assert status(page).text_content().startswith(f"the {which}, {which} {first}, key {first}: 0.")
        canvas.press("Escape")
    assert len(set(drawn.values())) == len(drawn)


def test_eyes_see_the_sentence_and_ears_hear_the_state(show):
    page = show(figure())
    assert says(page).is_visible()
    assert says(page).text_content() == told("cat", 1)["says"]
    # Orca does not read a status again, which a reader may want.
    assert status(page).evaluate("node => [node.role, node.ariaLive]") == [None, "polite"]
    page.evaluate("move(1, 2)")
    expect(status(page)).to_have_text(f"length = 3. {told('cat', 3)['says']}")  # what moved
    assert status(page).bounding_box()["width"] <= 1
    page.locator("canvas").first.hover(position={"x": 100, "y": 40})
    expect(status(page)).to_contain_text("the row sums")
    assert status(page).bounding_box()["width"] > 200
    assert says(page).is_hidden()
    page.mouse.move(0, 0)
    assert says(page).bounding_box()["width"] > 200
    # Where the author says nothing, nothing stands below.
    page = show(explore(lambda a: [[a, 1]], a=[1, 2]))
    page.evaluate("move(0, 1)")
    largest = "Largest: weight, query 1, key 1: 2.000; the row sums to 3.000."
    expect(status(page)).to_have_text(f"a = 2. {largest}")
    assert status(page).bounding_box()["width"] <= 1
    assert says(page).text_content() == ""


def test_a_move_is_said_once_and_by_its_word(show):
    def look(who=0, far=1):
        return Words(["it", "rains"], [[0.5 * far, 1 - 0.5 * far]] * 2, touch="who")

    page = show(explore(look, who=range(2), far=[0, 1], labels={"who": "looks"}))
    slider = page.get_by_role("slider", name="far")
    assert page.locator(".slider b").first.evaluate("node => node.ariaHidden") == "true"
    # Beside it the value is seen, and not said: no live region but the figure's own line.
    assert page.locator("output, [aria-live]").count() == 1
    page.evaluate("move(0, 1)")
    expect(status(page)).to_contain_text("looks = rains. ")
    slider.focus()
    page.keyboard.press("ArrowLeft")  # the slider itself says what it stands at
    expect(status(page)).not_to_contain_text("looks")
    assert "far" not in status(page).text_content()
    page.get_by_role("button", name="Numbers").click()
    assert status(page).text_content() == "Numbers shown."


# Keep in `heard` what a screen reader is told from now on.
LISTEN = """(status) => {
  window.heard = [];
  const hear = () => status.textContent && heard.push(status.textContent);
  new MutationObserver(hear).observe(status, { childList: true });
}"""


def test_what_plays_is_said_at_its_beginning_and_its_end(timed):
    """It steps to the end, stops, and begins again."""
    page = timed(explore(lambda a=0: [[a]], a=range(10), play="a", title="steps"))
    status(page).evaluate(LISTEN)
    for button, ms, place in ("Play", 1300, "2"), ("Pause", 5000, "2"), ("Play", 60_000, "9"), ("Play", 0, "0"):
        page.evaluate("heard.splice(0)")
        page.get_by_role("button", name=button).click()
        page.clock.run_for(ms)
        assert page.get_by_role("slider").input_value() == place
        if place == "9":
            first, last = page.evaluate("heard")
            assert first == "Playing."
            assert last.startswith("a = 9. Largest")


@pytest.mark.beyond
def test_a_sentence_that_has_not_changed_is_not_said_again(timed):
    def look(a=0, by="sum"):
        return {"one": Heatmap([[1.0, a]]), "two": Heatmap([[2.0, 1]]), "says": f"It is {a}."}

    page = timed(explore(look, a=range(3), by=["sum", "mean"]))
    # It stands below the figure, where it is read from the beginning.
    assert says(page).text_content() == "It is 0."
    assert status(page).text_content() == ""
    status(page).evaluate(LISTEN)
    press, slider = page.keyboard.press, page.get_by_role("slider")
    menu, opener = page.get_by_role("combobox"), page.get_by_role("button", name="Numbers")
    first, second = page.locator("canvas").all()
    read = "{}, query 1, key 1: {}.000; the row sums to {}.000."
    for act, heard in (
        (lambda: slider.press("ArrowRight"), ["It is 1."]),
        # The menu says itself what it stands at; moved by a link or in a picture, that is told.
        (lambda: (menu.focus(), menu.select_option("mean")), []),
        (lambda: (opener.focus(), page.evaluate("move(1, 0)")), ["by = sum. "]),
        (lambda: opener.press("Enter"), ["Numbers shown."]),
        # Nor is it said in place of the name of the picture that comes next.
        (first.focus, []),
        (lambda: press("ArrowRight"), [read.format("one", 1, 2)]),
        (lambda: press("t"), ["Numbers hidden."]),
        (second.focus, []),
        # A reading that stays the same while another control moves stays as it is.
        (lambda: press("ArrowRight"), [read.format("two", 2, 3)]),
        (lambda: page.evaluate("move(0, 2)"), []),
    ):
        act()
        page.clock.run_for(2000)
        assert page.evaluate("heard.splice(0)") == heard
    # What is new is said after whoever leaves has arrived elsewhere.
    press("Tab")
    assert page.evaluate("heard") == []
    page.clock.run_for(2000)
    assert page.evaluate("heard") == ["a = 2. It is 2."]


def test_lines_are_there_when_the_question_is_skipped(show):
    page = show(rain(predict=Prediction("Who looks?", {"a": "Yes.", "b": "No."}, "a")))
    page.get_by_role("button", name="Skip").click()
    lines = page.locator(".drawn i:visible")
    expect(lines).to_have_count(4)
    assert lines.evaluate_all("all => all.every((node) => node.offsetWidth > 20)")


@pytest.mark.beyond
def test_shades_marks_and_lines_are_seen_in_forced_colours(show):
    """And words, also where the page is dark and the reader's own colours are light."""
    figures = rain(0.9), rain(0.0), rain(0.0, lines=False)
    page = show(*figures, body="<style>body { color: #dde1e7 }</style>")
    page.emulate_media(forced_colors="active", color_scheme="dark")
    line = page.locator(".drawn i").first.evaluate("node => getComputedStyle(node).backgroundColor")
    mark = page.locator(".words :checked").first.evaluate("node => getComputedStyle(node).borderBottomColor")
    assert not {line, mark} & {"rgb(0, 0, 0)", "rgba(0, 0, 0, 0)"}
    assert line != "rgb(255, 255, 255)"
    page.emulate_media(forced_colors="active", color_scheme="light")
    # Where it has a weight of 0, the first word has no shade of its own.
    for words in page.locator("body, .words").all():
        expect(words).to_have_css("color", "rgb(0, 0, 0)")


LINK = '<p><a href="#figure-told?which=dog&amp;length=11">the dog</a></p>'
SPACE = "<div style='height: 3000px'></div>"


def length(page):
    return page.get_by_role("slider", name="length").get_attribute("aria-valuetext")


def test_a_link_moves_the_figure_in_view_step_by_step_without_a_jump(show):
    page = show(figure(), body=LINK + SPACE)
    page.locator(".kernelfree-figure b").first.evaluate(
        """(output) => {
          window.steps = [];
          new MutationObserver(() => steps.push(+output.textContent)).observe(output, { childList: true });
          scrollTo(0, 20);
        }"""
    )
    slider, link = page.get_by_role("slider"), page.get_by_role("link", name="the dog")
    stands = link.bounding_box()["y"]
    link.press("Enter")  # for a click Playwright may scroll
    expect(slider).to_have_attribute("aria-valuetext", "11")
    assert page.get_by_role("combobox").input_value() == "dog"
    assert link.bounding_box()["y"] == stands
    assert page.evaluate("steps") == list(range(2, 12))
    assert page.url.endswith("#figure-told?which=dog&length=11")
    # Back, to the address without a state, and forward again.
    page.evaluate("move(1, 0); history.back()")
    page.wait_for_function("!location.hash")
    page.evaluate("history.forward()")
    expect(slider).to_have_attribute("aria-valuetext", "11")


def test_without_motion_with_a_new_tab_and_to_elsewhere(show):
    """Other links of the page are left alone."""
    away = "<a id='here' href='#here'>one</a> <a href='other.html#figure-told?length=2'>two</a>"
    page = show(figure(), body=LINK + away)
    page.emulate_media(reduced_motion="reduce")
    dog = page.get_by_role("link", name="the dog")
    with page.context.expect_page() as other:
        dog.click(modifiers=["Control"])
    assert length(page) == "1"
    assert length(other.value) == "11"
    other.value.close()
    dog.click()
    assert length(page) == "11"
    page.evaluate("addEventListener('click', (e) => { window.kept = e.defaultPrevented; })")
    page.evaluate("addEventListener('click', (e) => e.preventDefault())")
    for name in ("one", "two"):
        page.get_by_role("link", name=name).click()
        assert page.evaluate("kept") is False
    assert length(page) == "11"


def test_a_reader_who_moves_the_figure_stops_the_link(timed):
    page = timed(figure(), body=LINK)
    page.evaluate("document.querySelector('a').click(); move(1, 4)")
    page.clock.run_for(700)
    assert length(page) == "5"


def test_a_link_moves_a_figure_that_is_not_drawn_yet(page, written):
    """The book has one script, which draws figures when they are near."""
    text = (SCRIPTS / "live.js").read_text("utf-8")
    body = html_of(figure()).replace(f"<script>{script('static.packed.js')}</script>", "")
    assert body.count("<script") == 1
    page.goto(written(body=f"{LINK}{SPACE}{SPACE}{body}<script>{text}</script>"))
    slider = page.get_by_role("slider")
    expect(slider).to_have_count(0)
    page.get_by_role("link", name="the dog").click()
    expect(slider).to_have_attribute("aria-valuetext", "11")
    expect(slider).to_be_in_viewport()
    page.evaluate("location.hash = 'figure-told?length=3'")
    page.reload()
    expect(slider).to_have_attribute("aria-valuetext", "3")


CHOICES = {"It grows.": "More is more.", "It shrinks.": "Less is less."}
QUESTION = Prediction("And then?", CHOICES, "It grows.", at={"which": "dog", "length": 4}, then={"length": 12})


def test_a_question_opens_on_its_state_and_shows_the_move(timed):
    """Who skips it or moves first is left alone, and a link waits for the answer."""
    titles = "told", "others", "more"
    page = timed(*(figure(predict=QUESTION, title=one) for one in titles), body=LINK)
    sliders = page.get_by_role("slider", name="length")

    def after(milliseconds, *values):
        page.clock.run_for(milliseconds)
        stand = [slider.get_attribute("aria-valuetext") for slider in sliders.all()]
        assert stand == list(values)

    after(0, "4", "4", "4")
    assert page.locator(".controls[inert]").count() == 3
    assert page.get_by_role("combobox").first.input_value() == "dog"
    asked = page.get_by_role("group", name="And then?")
    assert asked.first.get_by_role("button").all_text_contents()[:2] == list(CHOICES)
    page.get_by_role("link", name="the dog").click()
    after(600, "4", "4", "4")  # longer than it takes to go there
    asked.nth(2).get_by_role("button", name="It grows.").click()
    page.evaluate("move(1, 0, 2)")
    asked.nth(1).get_by_role("button", name="It shrinks.").click()
    after(0, "4", "4", "1")
    page.get_by_role("button", name="Skip").first.click()
    after(1500, "11", "12", "1")
    page.get_by_role("button", name="Reset").nth(1).click()
    asked.last.get_by_role("button", name="It grows.").click()
    after(1500, "11", "4", "1")


def test_without_scripts_the_sentence_stands_under_the_picture(still, written):
    still.goto(written(figure(), pictures=True))
    expect(still.get_by_role("img")).to_be_visible()
    expect(still.get_by_text(told("cat", 1)["says"])).to_be_visible()
