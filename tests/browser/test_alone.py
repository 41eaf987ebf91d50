"""Each figure's own page, for a frame elsewhere, and the button that gives the line for it."""

import re

import lxml.html
import pytest
from accessible import problems
from playwright.sync_api import expect
from serving import HTML, Strict, serve
from test_book import SOME_PAGES, address
from test_policy import WATCH

import chapters

# A sentence of the reader's own needs the model, which is beside the book's pages alone.
LEFT_OUT = {"own_sentence"}
THREE = "figure/masked_softmax/three-padded-sentences.html"
TRACE = "figure/masked_softmax/masked-softmax-line-by-line.html"
HOME = "chapters/04_masked_softmax.html"
STATE = "len_1=1&len_2=3&len_3=2"


def own_pages(chapter):
    """The figures of a chapter, and the page of each."""
    tree = lxml.html.parse(HTML / f"chapters/{chapter.stem}.html").getroot()
    folder = HTML / "figure" / re.sub(r"^\d+_", "", chapter.stem)
    found = [*tree.find_class("kernelfree-figure"), *tree.find_class("kernelfree-trace")]
    names = {figure.get("id"): figure for figure in found}
    return {id: (names[id], folder / f"{id.removeprefix('figure-')}.html") for id in names}


def test_each_figure_has_a_page_and_there_is_no_other():
    wanted = [
        path
        for chapter in chapters.pages()
        if chapter.stem not in {*LEFT_OUT, "review"}
        for _, path in own_pages(chapter).values()
    ]
    assert sorted(wanted) == sorted((HTML / "figure").rglob("*.html"))
    assert len(wanted) > 80


# A state of a figure, far from its first: the last option of each of its controls.
LAST = """(text) => {
  const { controls = [] } = JSON.parse(text);
  const moves = controls.flatMap(({ name, options }) => options ? [[name, options.at(-1)]] : []);
  return moves.length ? `?${new URLSearchParams(moves)}` : "";
}"""


# All that a figure says once its question is skipped and it is in a state, with its numbers.
SAID = """async ([id, state]) => {
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
  const root = () => document.getElementById(id)?.querySelector(":scope > div")?.shadowRoot;
  while (!root()?.querySelector("[role=group]")) await wait(20);
  root().querySelector(".covered > .quiz > button:last-of-type")?.click();
  const end = performance.now() + 20_000;
  for (const [name, value] of new URLSearchParams(state))
    while (`${document.getElementById(id).value[name]}` !== value && performance.now() < end)
      await wait(20);
  const said = () => [...root().querySelectorAll("p:not(.unseen), output, table, b, .name, code")]
    .map((node) => node.textContent).join("|");
  root().querySelector(".numbers[hidden]") && root().querySelector(".tools button").click();
  for (let last; last !== (last = said()); ) await wait(300);
  return said();
}"""


# The page of the review shows other pages' figures, and only when they are due.
@pytest.mark.parametrize("chapter", [one for one in SOME_PAGES if one.id != "review"])
def test_it_draws_what_the_chapter_draws(chapter, page):
    page.context.set_offline(True)
    for id, (figure, path) in own_pages(chapter).items():
        state = page.evaluate(LAST, figure.xpath("string(script)"))
        page.goto(f"about:blank?{id}")
        page.goto(f"{path.as_uri()}{state}")
        alone = page.evaluate(SAID, [id, state])
        page.goto("about:blank")
        page.goto(f"{address(chapter, HTML.as_uri())}#{id}{state or '?'}")
        assert alone == page.evaluate(SAID, [id, state])
        assert len(alone) > 2


def test_it_says_where_it_is_from_and_leads_there_in_its_state(page, served):
    page.goto(f"{served}/{THREE}?{STATE}&unknown=1")
    page.get_by_role("button", name="Skip the question").click()
    sliders = page.get_by_role("slider")
    expect(sliders.first).to_have_value("1")
    sliders.nth(1).press("Home")
    link = page.locator("p.from a").first
    expect(link).to_have_text("4. Masked softmax, Attention scoring functions")
    with page.expect_popup() as opened:
        link.click()
    home = opened.value
    home.get_by_role("button", name="Skip the question").click()
    expect(home.get_by_role("slider").nth(1)).to_have_value("0")
    expect(home.get_by_role("slider").first).to_have_value("1")
    assert home.url == f"{served}/{HOME}#figure-three-padded-sentences?len_1=1&len_2=0&len_3=2"
    home.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", [THREE, TRACE])
def test_it_is_accessible_fits_a_phone_and_bears_a_strict_policy(page, name, scheme):
    page.add_init_script(WATCH)
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": 320, "height": 600})
    with serve(HTML, Strict) as strict:
        page.goto(f"{strict}/{name}", wait_until="networkidle")
        page.locator("[data-alive]").wait_for()
        assert page.evaluate("refused") == []
        assert page.evaluate("document.documentElement.scrollWidth") == 320
        assert problems(page) == []
        assert page.evaluate("document.documentElement.dataset.theme") == scheme
    page.set_viewport_size({"width": 1280, "height": 900})


def test_search_engines_are_sent_to_the_chapter_alone():
    assert 'name="robots" content="noindex"' in (HTML / THREE).read_text(encoding="utf-8")
    assert "/figure/" not in (HTML / "sitemap.xml").read_text(encoding="utf-8")


@pytest.fixture
def elsewhere(tmp_path, page, served):
    """Open a page of another site around a line that a chapter gave; give the frame in it."""
    with serve(tmp_path) as there:

        def opened(line, head=""):
            line = re.sub(r'src="https://[^/]+/attention', f'src="{served}', line)
            text = f'<!DOCTYPE html><html lang="en"><title>Course</title>{head}<main>{line}</main>'
            (tmp_path / "course.html").write_text(text, encoding="utf-8")
            page.route("**/favicon.ico", lambda route: route.fulfill(status=204))
            page.goto(f"{there}/course.html", wait_until="networkidle")
            frame = page.frames[1]
            frame.locator("[data-alive]").wait_for()
            return frame

        yield opened


def lines(page, served, name=HOME, which="figure-three-padded-sentences", state=""):
    """What the button of a figure in its chapter gives."""
    page.goto(f"{served}/{name}#{which}{state}")
    figure = page.locator(f"[id='{which}']")
    figure.scroll_into_view_if_needed()
    skip = figure.get_by_role("button", name="Skip the question")
    figure.locator("> div").wait_for()
    if skip.count():
        skip.click()
    if state:
        now = f"new URLSearchParams(document.getElementById('{which}').value).toString()"
        page.wait_for_function(f"'?' + {now} === '{state}'")
    figure.get_by_role("button", name="Embed").click()
    expect(figure.locator(".embed textarea")).to_have_count(2)
    return [box.input_value() for box in figure.locator(".embed textarea").all()]


FITS = "document.documentElement.scrollHeight - innerHeight"


@pytest.mark.parametrize("which", ["three-padded-sentences", "masked-softmax-line-by-line"])
def test_the_line_is_high_enough_for_its_figure(page, served, elsewhere, which):
    line, _ = lines(page, served, which=f"figure-{which}")
    frame = elsewhere(line, "<style>main { width: 736px }</style>")
    assert -60 <= frame.evaluate(FITS) <= 0
    # The page elsewhere has no script that listens: nothing moves.
    frame.evaluate("document.querySelector('.from').style.height = '500px'")
    assert frame.evaluate(FITS) > 300


def test_the_frame_grows_with_its_figure_where_the_page_listens(page, served, elsewhere):
    line, listener = lines(page, served, state=f"?{STATE}")
    assert listener.count("\n") == 2
    frame = elsewhere(line, f"{listener}<style>main {{ width: 400px }}</style>")
    page.wait_for_function("document.querySelector('iframe').height > 1000")
    assert frame.evaluate(FITS) == 0
    before = page.locator("iframe").evaluate("frame => frame.clientHeight")
    frame.get_by_role("button", name="Skip the question").click()
    expect(frame.get_by_role("slider").first).to_have_value("1")
    expect(frame.get_by_role("button", name="Link")).to_have_count(0)
    frame.get_by_role("button", name="Numbers").click()
    page.wait_for_function(f"document.querySelector('iframe').clientHeight > {before + 50}")
    page.wait_for_timeout(200)
    assert frame.evaluate(FITS) == 0


def test_the_frame_tells_its_height_in_the_words_of_canvas(page, served, elsewhere):
    head = "<script>told = []; addEventListener('message', (e) => told.push(e.data));</script>"
    frame = elsewhere(f'<iframe src="https://x.org/attention/{TRACE}"></iframe>', head)
    page.wait_for_function("told.length")
    *_, told = page.evaluate("told")
    high = frame.evaluate("Math.ceil(document.documentElement.getBoundingClientRect().height)")
    name = "figure-masked-softmax-line-by-line"
    assert told == {"subject": "lti.frameResize", "height": high, "figure": name}


@pytest.mark.parametrize(
    ("around", "asked", "shown"),
    [
        ("dark", "", "dark"),
        ("light", "", "light"),
        ("dark", "?theme=light", "light"),
        ("light", "?theme=dark", "dark"),
    ],
)
def test_it_is_as_dark_as_the_page_around_it(page, elsewhere, around, asked, shown):
    page.emulate_media(color_scheme="null")  # nor here, nor in frames
    frame = elsewhere(
        f'<iframe src="https://x.org/attention/{THREE}{asked}" width="700" height="700"></iframe>',
        f"<style>:root {{ color-scheme: {around} }}</style>",
    )
    assert frame.evaluate("document.documentElement.dataset.theme") == shown
    dark = frame.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert dark == {"dark": "rgb(20, 22, 26)", "light": "rgb(255, 255, 255)"}[shown]
    assert frame.locator("[data-alive] > div").evaluate("e => e.style.colorScheme") == shown


def test_the_button_gives_the_line_for_the_state_that_is_shown(page, served):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    line, _ = lines(page, served, state=f"?{STATE}")
    home = "https://d2lmini.github.io/attention"
    assert re.fullmatch(
        rf'<iframe src="{home}/{THREE}\?{re.escape(STATE.replace("&", "&amp;"))}" '
        r'title="Three padded sentences" loading="lazy" width="100%" height="\d+" '
        r'style="border: 0"></iframe>',
        line,
    )
    assert page.evaluate("navigator.clipboard.readText()") == line
    figure = page.locator("#figure-three-padded-sentences")
    expect(figure.locator(".embed [aria-live]")).to_have_text("Copied.")
    expect(figure.get_by_role("textbox").first).to_be_focused()
    assert page.evaluate("getSelection().toString()") == line
    assert problems(page, include=[["#figure-three-padded-sentences"]]) == []
    opener = figure.get_by_role("button", name="Embed")
    expect(opener).to_have_attribute("aria-expanded", "true")
    opener.click()
    expect(figure.locator(".embed")).to_have_count(0)
    expect(opener).to_have_attribute("aria-expanded", "false")
    # In its first state it needs none.
    figure.get_by_role("button", name="Reset").click()
    opener.click()
    assert f'{THREE}" title' in figure.get_by_role("textbox").first.input_value()


def test_the_line_is_shown_where_nothing_can_be_copied(page):
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    line, _ = lines(page, HTML.as_uri())
    assert line.startswith('<iframe src="https://d2lmini.github.io/attention/figure/')
    said = page.locator(".embed [aria-live]")
    expect(said).to_have_text("Copy the line below the figure.")


def test_the_page_for_teachers_shows_the_lines_that_the_button_gives(page, served):
    line, listener = lines(page, served)
    told = "\n".join(chapters.cells(chapters.ROOT / "chapters" / "teaching.ipynb", "markdown"))
    assert listener in told
    shown = re.search(r"<iframe.*?</iframe>", told, re.DOTALL)[0].replace("?len_1=2", "")
    height = re.compile(r"height=\W+(\d+)")
    assert height.sub("", re.sub(r"\s+", " ", shown)) == height.sub("", line)
    high, shown_high = (int(height.search(text)[1]) for text in (line, shown))
    assert abs(high - shown_high) < 40  # fonts differ


def test_it_is_drawn_in_a_frame_that_is_not_seen_yet(page, elsewhere):
    head = "<script>told = []; addEventListener('message', (e) => told.push(e.data));</script>"
    far = f'<p style="height: 5000px"></p><iframe src="https://x.org/attention/{TRACE}"></iframe>'
    frame = elsewhere(far, head)
    page.locator("iframe").scroll_into_view_if_needed()
    page.wait_for_function("told.length")
    assert page.evaluate("Math.min(...told.map(({ height }) => height))") > 400
    assert frame.locator("[data-alive]").count() == 1
