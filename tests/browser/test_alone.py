"""Each figure's own page, for a frame elsewhere, and the button that gives the line for it."""

import re

import lxml.html
import pytest
from accessible import fits, problems
from opened import PAGES, STANDS, address, skip_question
from playwright.sync_api import expect
from serving import HTML, WATCH, Strict, serve

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
    own = [own_pages(page).values() for page in chapters.pages() if page.stem not in {*LEFT_OUT, "review"}]
    wanted = [path for pages in own for _, path in pages]
    assert sorted(wanted) == sorted((HTML / "figure").rglob("*.html"))
    assert len(wanted) > 80
    # Search engines are sent to the chapter alone.
    assert 'name="robots" content="noindex"' in (HTML / THREE).read_text(encoding="utf-8")
    assert "/figure/" not in (HTML / "sitemap.xml").read_text(encoding="utf-8")


# A state of a figure, far from its first: the last option of each of its controls.
LAST = """(text) => {
  const { controls = [] } = JSON.parse(text);
  const moves = controls.flatMap(({ name, options }) => options ? [[name, options.at(-1)]] : []);
  return moves.length ? `?${new URLSearchParams(moves)}` : "";
}"""


# The page of the review shows other pages' figures, and only when they are due.
@pytest.mark.nightly
@pytest.mark.parametrize("chapter", [one for one in PAGES if one.id != "review"])
def test_it_draws_what_the_chapter_draws(chapter, page):
    page.context.set_offline(True)
    for id, (figure, path) in own_pages(chapter).items():
        state, said = page.evaluate(LAST, figure.xpath("string(script)")), []
        home = f"{address(chapter, HTML.as_uri())}#{id}"
        for start in (f"{path.as_uri()}{state}", f"{home}{state or '?'}"):
            page.goto("about:blank")  # the chapter is opened anew, not moved
            page.goto(start)
            said.append(page.evaluate(STANDS, [id, state])[2])
        assert said[0] == said[1]
        assert len(said[0]) > 2


def test_it_says_where_it_is_from_and_leads_there_in_its_state(page, served):
    page.goto(f"{served}/{THREE}?{STATE}&unknown=1")
    page.get_by_role("button", name="Skip the question").click()
    expect(page.get_by_role("slider").first).to_have_value("1")
    page.get_by_role("slider").nth(1).press("Home")
    link = page.locator("p.from a").first
    expect(link).to_have_text("4. Masked softmax, Attention scoring functions")
    with page.expect_popup() as opened:
        link.click()
    home = opened.value
    wanted = f"{served}/{HOME}#figure-three-padded-sentences?len_1=1&len_2=0&len_3=2"
    home.wait_for_url(lambda url: url == wanted)
    home.get_by_role("button", name="Skip the question").click()
    for n, value in enumerate("10"):
        expect(home.get_by_role("slider").nth(n)).to_have_value(value)
    home.close()


@pytest.mark.parametrize("name", [THREE, TRACE])
def test_it_is_accessible_fits_a_phone_and_bears_a_strict_policy(page, name):
    page.add_init_script(WATCH)
    with serve(HTML, Strict) as strict:
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.goto(f"{strict}/{name}", wait_until="networkidle")
            page.locator("[data-alive]").wait_for()
            expect(page.locator("html")).to_have_attribute("data-theme", scheme)
            assert fits(page, 320, 600)
            assert problems(page) == []
            assert page.evaluate("refused") == []


@pytest.fixture
def elsewhere(tmp_path, page, served):
    """Open a page of another site around lines that a chapter gave; give the frames in it."""
    with serve(tmp_path) as there:

        def opened(lines, head=""):
            lines = re.sub(r'src="https://[^/]+/attention', f'src="{served}', lines)
            text = f'<!DOCTYPE html><html lang="en"><title>Course</title>{head}<main>{lines}</main>'
            (tmp_path / "course.html").write_text(text, encoding="utf-8")
            page.route("**/favicon.ico", lambda route: route.fulfill(status=204))
            page.goto(f"{there}/course.html", wait_until="networkidle")
            for frame in page.frames[1:]:
                frame.locator("[data-alive]").wait_for()
            return page.frames[1:]

        yield opened


def lines(page, start, name="three-padded-sentences", state=""):
    which = f"figure-{name}"
    page.goto("about:blank")  # for Firefox, which else only moves, and tells of no end
    page.goto(f"{start}/{HOME}#{which}{state}")
    figure = page.locator(f"[id='{which}']")
    figure.scroll_into_view_if_needed()
    figure.locator("> div").wait_for()
    skip_question(figure)
    if state:
        page.wait_for_function(f"`?${{new URLSearchParams(document.getElementById('{which}').value)}}` === '{state}'")
    figure.get_by_role("button", name="Embed").click()
    boxes = figure.locator(".embed textarea")
    expect(boxes).to_have_count(2)
    return [box.input_value() for box in boxes.all()]


FITS = "document.documentElement.scrollHeight - innerHeight"


def test_the_line_is_high_enough_for_its_figure(page, served, elsewhere):
    line, listener = lines(page, served)
    other, _ = lines(page, served, "masked-softmax-line-by-line")
    for frame in elsewhere(line + other, "<style>main { width: 736px }</style>"):
        assert -60 <= frame.evaluate(FITS) <= 0
        # The page elsewhere has no script that listens: nothing moves.
        frame.evaluate("document.querySelector('.from').style.height = '500px'")
        assert frame.evaluate(FITS) > 300
    # Where the page listens, the frame grows with its figure, here in another state.
    assert listener.count("\n") == 2
    line = line.replace(THREE, f"{THREE}?{STATE.replace('&', '&amp;')}")
    (frame,) = elsewhere(line, f"{listener}<style>main {{ width: 400px }}</style>")
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


def test_it_is_drawn_in_a_frame_that_is_not_seen_yet(page, elsewhere):
    """And the frame tells its height in the words of Canvas."""
    head = "<script>told = []; addEventListener('message', (e) => told.push(e.data));</script>"
    far = f'<p style="height: 5000px"></p><iframe src="https://x.org/attention/{TRACE}"></iframe>'
    (frame,) = elsewhere(far, head)
    page.locator("iframe").scroll_into_view_if_needed()
    page.wait_for_function("told.length")
    told = page.evaluate("told")
    assert min(one["height"] for one in told) > 400
    high = frame.evaluate("Math.ceil(document.documentElement.getBoundingClientRect().height)")
    name = "figure-masked-softmax-line-by-line"
    assert told[-1] == {"subject": "lti.frameResize", "height": high, "figure": name}


@pytest.mark.parametrize("around", ["dark", "light"])
def test_it_is_as_dark_as_the_page_around_it(page, elsewhere, around):
    page.emulate_media(color_scheme="null")  # nor here, nor in frames
    other = {"dark": "light", "light": "dark"}[around]
    line = f'<iframe src="https://x.org/attention/{THREE}" width="700" height="700"></iframe>'
    both = line + line.replace(THREE, f"{THREE}?theme={other}")
    frames = elsewhere(both, f"<style>:root {{ color-scheme: {around} }}</style>")
    colors = {"dark": "rgb(20, 22, 26)", "light": "rgb(255, 255, 255)"}
    for frame, shown in zip(frames, (around, other), strict=True):
        expect(frame.locator("html")).to_have_attribute("data-theme", shown)
        expect(frame.locator("html")).to_have_css("background-color", colors[shown])
        expect(frame.locator("[data-alive] > div")).to_have_css("color-scheme", shown)


def test_the_button_gives_the_line_for_the_state_that_is_shown(page, served):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    line, listener = lines(page, served, state=f"?{STATE}")
    home = "https://d2lmini.github.io/attention"
    assert re.fullmatch(
        rf'<iframe src="{home}/{THREE}\?{re.escape(STATE.replace("&", "&amp;"))}" '
        r'title="Three padded sentences" loading="lazy" width="100%" height="\d+" '
        r'style="border: 0"></iframe>',
        line,
    )
    figure = page.locator("#figure-three-padded-sentences")
    expect(figure.locator(".embed [aria-live]")).to_have_text("Copied.")
    expect(figure.get_by_role("textbox").first).to_be_focused()
    for copied in ("navigator.clipboard.readText()", "getSelection().toString()"):
        assert page.evaluate(copied) == line
    assert problems(page, "#figure-three-padded-sentences") == []
    opener = figure.get_by_role("button", name="Embed")
    expect(opener).to_have_attribute("aria-expanded", "true")
    opener.click()
    expect(opener).to_have_attribute("aria-expanded", "false")
    expect(figure.locator(".embed")).to_have_count(0)
    # In its first state it needs none: so the page for teachers shows it.
    figure.get_by_role("button", name="Reset").click()
    opener.click()
    line = figure.get_by_role("textbox").first.input_value()
    assert f'{THREE}" title' in line
    told = "\n".join(chapters.cells(chapters.ROOT / "chapters" / "teaching.ipynb", "markdown"))
    assert listener in told
    shown = re.search(r"<iframe.*?</iframe>", told, re.DOTALL)[0].replace("?len_1=2", "")
    height = re.compile(r"height=\W+(\d+)")
    assert height.sub("", re.sub(r"\s+", " ", shown)) == height.sub("", line)
    high, shown_high = (int(height.search(text)[1]) for text in (line, shown))
    assert abs(high - shown_high) < 40  # fonts differ


def test_the_line_is_shown_where_nothing_can_be_copied(page):
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    line, _ = lines(page, HTML.as_uri())
    assert line.startswith('<iframe src="https://d2lmini.github.io/attention/figure/')
    expect(page.locator(".embed [aria-live]")).to_have_text("Copy the line below the figure.")
