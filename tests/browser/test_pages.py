"""The built pages: light, private and readable by everyone."""

import functools
import gzip
import re
from urllib.parse import unquote, urlsplit

import pytest
from accessible import fits, problems
from drawn import WRITTEN, rgb
from exhaustive import EXHAUSTIVE
from opened import FORBIDDEN, OWN, SHOWN, address, check_figures, each_page, figures_of, hosts, skip_question
from opened import wake as wake_figure
from playwright.sync_api import expect
from serving import HTML

import chapters
from d2lmini.roles import ROLES
from pages import editions
from tools import translate
from tools.translation import catalogs

KIB = 1024


@pytest.fixture(autouse=True)
def silent(page):
    """No page logs anything, not even a remark, except on our own reading of colours."""
    said = []
    page.on("console", lambda message: said.append(message.text))
    yield
    assert [text for text in said if not text.startswith("Canvas2D: Multiple readback")] == []


# Section by section: they take their heights as they come near.
SCROLL = """async () => {
  scrollTo(0, 0);
  for (let before = -1; scrollY > before; ) {
    before = scrollY;
    scrollBy(0, innerHeight);
    for (let n = 0; n < 3; n++) await new Promise(requestAnimationFrame);
  }
}"""
# What is too wide can be scrolled by keyboard, once it has been near.
SCROLLABLE = """() => [...document.querySelectorAll("pre, div.math, .pst-scrollable-table-container")]
  .every((b) => !b.checkVisibility() || b.tabIndex >= 0 || b.scrollWidth <= b.clientWidth + 1)"""


def wake(page):
    """Open every fold and scroll through the page, so that all that waits to be seen has come."""
    open_folds(page)
    page.evaluate(SCROLL)
    for figure in page.locator(OWN).all():
        wake_figure(figure)
    settle(page)
    page.wait_for_function(SCROLLABLE)


def settle(page):
    """Wait for what idle time brings, and what that asks for."""
    page.evaluate("new Promise((done) => requestIdleCallback(done))")
    page.wait_for_function(ARRIVED)


# Every script, picture and font that was asked for is here.
ARRIVED = """() => document.fonts.status === "loaded" &&
  [...document.images].every((image) => image.loading === "lazy" || image.complete) &&
  performance.getEntriesByType("resource").every((file) => file.responseEnd > 0)"""


def visit(page, start):
    """Open a page and see all of it; the paths that it asks for."""
    asked = set()
    page.on("request", lambda request: asked.add(urlsplit(request.url).path))
    page.goto(start)
    wake(page)
    return asked


@each_page("beyond")
def test_one_visit(chapter, page, served):
    """Its weight, its room on a phone, its figures against torch, and what axe finds, in light
    and, uncovered and with their numbers, figures in dark. (Exhaustively: all in both, and in a
    third state; what figures show is then held against torch from a disk, in `test_book`.)"""
    asked = visit(page, address(chapter, served))
    assert weight(asked) <= 200 * KIB, "a first visit"
    assert weight(path for path in asked if "/_static/" not in path) <= 80 * KIB, "a later"
    fits_a_phone(page)
    # Axe would ask the same of each line of code and of each formula.
    assert problems(page, alike=ALIKE[:1] if chapter.stem == "notation" else ALIKE) == []
    if EXHAUSTIVE:
        in_the_dark(page)
    if page.locator(OWN).count():
        figures_of_one_visit(page, chapter)


@each_page("nightly")
@pytest.mark.parametrize("edition", [one.folder for one in editions.editions()[1:]])
def test_one_visit_of_another_edition(edition, chapter, page, served):
    """Its weight, its room on a phone, what axe finds, and that no English is left in figures."""
    page.add_init_script(WRITTEN)
    asked = visit(page, address(chapter, f"{served}/{edition}"))
    # A face that the system has not is fetched; readers of the language have one.
    assert weight(path for path in asked if "noto-sans" not in path) <= 220 * KIB
    # What both editions need comes from one place.
    shared = [path for path in asked if "source-serif" in path or "KaTeX" in path]
    assert not [path for path in shared if f"/{edition}/" in path]
    assert latin(page.evaluate(SAID)) <= kept(edition, chapter)
    fits_a_phone(page)
    assert problems(page, alike=ALIKE) == []  # which draws words, too


ALIKE = [".highlight pre > *", ".katex > *"]
FIGURES = ".kernelfree-figure"


def weight(paths):
    """Of files as they go over a wire that compresses what can be compressed."""
    files = {path: (HTML / unquote(path).lstrip("/")).read_bytes() for path in paths}
    small = {path: gzip.compress(data, 6) for path, data in files.items() if not path.endswith((".woff2", ".png"))}
    return sum(map(len, (files | small).values()))


def latin(texts):
    return set(re.findall(r"[a-z]{3,}", " ".join(texts).lower()))


# What is written on canvases, and all else that figures say, but for lines of code.
SAID = """() => {
  const said = [...written.values()].flat().map(([text]) => text);
  const walk = (node) => {
    for (const child of node.childNodes) {
      if (child.nodeType === Node.TEXT_NODE) said.push(child.textContent);
      else if (!child.matches?.("style, script, .text")) {
        said.push(child.ariaLabel ?? "", child.title ?? "");
        walk(child);
      }
    }
  };
  for (const host of document.querySelectorAll(".kernelfree-figure > div"))
    if (host.shadowRoot) walk(host.shadowRoot);
  return said;
}"""
late = functools.cache(translate.late)


def kept(edition, chapter):
    """English words that a page has in this edition, too: names, code, keys, what is late."""
    names = (chapter.stem, "package", "page")
    found = [catalogs.read(catalogs.path_of(edition, name)) for name in names]
    texts = [message.string for catalog in found for message in catalog if message.id]
    texts += [text for _, text in late()[edition]]
    texts += [cell.source for cell in chapters.read(chapter).cells if cell.cell_type == "code"]
    return latin(texts) | {"cls", "sep"}  # what a tokenizer puts around a sentence


# How far each figure stands from the edge of its section, which cuts off what goes beyond.
ROOMS = """() => [...document.querySelectorAll(".kernelfree-figure > div")].map((host) => {
  let section = host;
  while (section && getComputedStyle(section).contentVisibility !== "auto")
    section = section.parentElement;
  if (!section) return Infinity;
  const [own, room] = [host, section].map((node) => node.getBoundingClientRect());
  return Math.min(own.left - room.left, room.right - own.right);
})"""


def fits_a_phone(page):
    """Nothing is wider than a phone; neither there nor here is a mark of focus cut off."""
    wide = page.viewport_size
    rooms = page.evaluate(ROOMS)
    fits(page, 320)
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert fits(page, 320)
    # Pixels: the mark's line and its distance.
    assert min([*rooms, *page.evaluate(ROOMS)], default=4) >= 4
    # What cannot be scrolled is no stop for the keyboard.
    assert page.locator("span.math[tabindex]").count() == 0
    page.set_viewport_size(wide)


def figures_of_one_visit(page, chapter):
    if EXHAUSTIVE:
        all_to(page, "End")
        assert problems(page, FIGURES) == []
        in_the_dark(page, FIGURES)
        hosts(page)
        all_to(page, "Home")
        assert problems(page, FIGURES) == []
    elif chapters.runs_here(chapter) and chapter.stem not in chapters.LONG:
        check_figures(page, chapter, figures_of(chapter))
    else:
        hosts(page)
    in_the_dark(page, FIGURES)


def in_the_dark(page, within=None):
    button = page.get_by_role("button", name="Dark mode")
    button.click()
    assert problems(page, within, ALIKE) == []
    button.click()


def all_to(page, end):
    """Move the sliders of all figures, which are uncovered."""
    for host in page.locator(f"{OWN} > div").all():
        skip_question(host)
        for slider in host.locator("input[type=range]").all():
            slider.press(end)


def test_the_search_works_from_a_disk(page):
    page.context.set_offline(True)
    page.goto(f"{HTML.as_uri()}/chapters/index.html")
    page.get_by_role("searchbox").fill("padding")
    page.get_by_role("searchbox").press("Enter")
    result = page.locator("#search-results li", has_text="Masked softmax").first
    expect(result.locator("mark").first).to_have_text("padding")
    result.locator("a").first.press("Enter")
    expect(page.locator("h1")).to_contain_text("Masked softmax")
    assert urlsplit(page.url).fragment  # a section, not the top of a long page


def results(page, address, query):
    """The results for a query, once all are there."""
    page.goto(f"{address}/search.html?q={query}")
    expect(page.locator("#search-results [role=status]")).not_to_be_empty()
    return page.locator("#search-results li")


def test_each_result_has_an_excerpt_with_the_words(page, served):
    found = results(page, served, "masked softmax")
    assert found.count() > 5
    expect(found.first.locator("a").first).to_have_text("4. Masked softmax")
    for excerpt in found.locator(".context").all():
        expect(excerpt.locator("mark").first).to_have_text(re.compile("mask|softmax", re.I))
        assert re.fullmatch(r"[^\\]{41,279}", excerpt.text_content())
    assert results(page, served, "placeholder").count() > 1
    assert problems(page) == []
    assert fits(page, 360)
    in_the_dark(page)


def test_every_word_and_title_can_be_searched(page, served):
    """Also what is folded, and where nothing can be kept."""
    page.add_init_script(FORBIDDEN)
    # A title comes before all that mentions it.
    for title in ("Additive attention", "Kernel regression", "Notation"):
        found = results(page, served, title).first.locator("a").first
        expect(found).to_have_text(re.compile(f"{title}$"))
    for word in ("constructor", "__proto__", "toString", "hasOwnProperty", "("):
        results(page, served, word)
    found = results(page, served, "pad_sequence")
    expect(found.locator("a", has_text="Batch matrix").first).to_be_visible()
    page.goto(f"{served}/search.html?q=")
    expect(page.locator("h1")).to_have_text("Search")


def tabs_to(page, target):
    """How often Tab is pressed until the focus is in what is looked for."""
    for count in range(1, 60):
        page.keyboard.press("Tab")
        if target.evaluate("node => node.contains(document.activeElement)"):
            return count
    return pytest.fail("the focus does not come there")


def test_few_tabs_lead_to_what_a_page_is_for(page, served):
    found = results(page, served, "pad_sequence")
    page.evaluate("document.activeElement.blur()")
    assert tabs_to(page, found.first) <= 10
    page.goto(f"{served}/chapters/06_scaled_dot_product_attention.html")
    assert tabs_to(page, page.get_by_role("link", name="Skip to the text")) == 1
    assert tabs_to(page, page.locator(".kernelfree-figure").first) <= 19
    # Those of the contents come after the text, and stand on its left.
    assert page.locator("#contents").evaluate(RIGHT) <= page.locator("main").evaluate(LEFT)


# Whether what has such a class in code looks as all code does.
PLAIN = """(names) => {
  const code = document.querySelector("article .cell_input pre");
  return names.every((name) => {
    const token = Object.assign(document.createElement("span"), { className: name });
    code.append(token);
    const [style, all] = [token, code].map((node) => getComputedStyle(node));
    const same = ["color", "fontWeight", "fontStyle"].every((part) => style[part] === all[part]);
    token.remove();
    return same;
  });
}"""


def test_symbols_and_code_have_their_colours_in_light_and_dark(page, served):
    page.goto(f"{served}/chapters/09_self_attention.html")
    colors = "all => all.map((one) => getComputedStyle(one).color)"
    for theme, dark in (("light", 0), ("dark", 1)):
        page.evaluate("theme => { document.documentElement.dataset.theme = theme }", theme)
        for pair in ROLES.values():
            symbols = page.locator(f".katex-html [class~='color:{pair[0]}']")
            assert set(symbols.evaluate_all(colors)) <= {"rgb({}, {}, {})".format(*rgb(pair[dark]))}
        assert len(set(page.locator(".icon").evaluate_all(colors))) == 1, "links among them"
        # Tokens without a mark would have had the colour that all code has.
        assert page.evaluate(PLAIN, ["n", "p", "w"]) is True
    assert page.locator(".katex-html [class~='color:#d32f2f']").count() > 10
    assert page.locator("article pre span:is(.n, .p, .w)").count() == 0
    assert page.locator("article pre span.k").count() > 10


def test_light_or_dark_is_remembered(page, served):
    page.emulate_media(color_scheme="dark")
    page.goto(f"{served}/chapters/index.html")
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    dark = page.evaluate(ground)
    button = page.get_by_role("button", name="Dark mode", pressed=True)
    button.click()
    expect(button).to_have_count(0)
    light = page.evaluate(ground)
    assert dark != light
    page.goto(f"{served}/chapters/glossary.html")
    assert page.evaluate(ground) == light
    expect(page.get_by_role("button", name="Dark mode", pressed=False)).to_be_visible()


CHINESE = "getComputedStyle(document.querySelector('[lang=zh-Hans]')).fontFamily"
EARLY = """performance.getEntriesByType("resource").filter(({ name, startTime }) =>
  name.includes("noto-sans-sc") && startTime <= performance.timing.loadEventStart - performance.timeOrigin).length"""


def test_the_font_of_chinese_waits_until_the_page_is_shown(page, still, served):
    address = f"{served}/chapters/glossary.html"
    page.goto(address)
    page.wait_for_function(f'{CHINESE}.includes("Noto Sans SC")')
    page.wait_for_load_state("networkidle")
    assert page.evaluate(EARLY) == 0  # a computer that has a Chinese font asks for none
    still.goto(address)
    assert "Noto Sans SC" in still.evaluate(CHINESE)


FOLDING = "chapters/05_batch_matrix_multiplication.html"
FOLD = "why-no-gradient-reaches-a-placeholder"
# How many lines the pieces of a formula stand on.
LINES = """(box) => new Set([...box.querySelectorAll(".katex-html > .base")]
  .map((piece) => Math.round(piece.getBoundingClientRect().bottom / 12))).size"""


def details(page):
    return page.locator(f"#{FOLD} > details")


def test_folds_open_by_keyboard_links_have_names_and_formulas_are_broken(page):
    page.goto(f"{HTML.as_uri()}/{FOLDING}")
    inside, line = details(page).locator("p").first, details(page).locator("> summary")
    for seen, key in [(False, "Enter"), (True, " "), (False, "Tab")]:
        expect(inside).to_be_visible(visible=seen)
        line.press(key)
    # It is beside the way: the contents of the page leave it out.
    expect(page.locator(f".within a[href='#{FOLD}']")).to_be_hidden()
    # So is a check, with its code and output inside.
    cell = page.locator("details.hide", has_text="(5.1) checked")
    expect(cell.locator("pre").first).to_be_hidden()
    cell.locator("summary").click()
    expect(cell.locator(".cell_input pre")).to_contain_text("# Check (5.1): ones of")
    expect(cell.locator(".cell_output pre").first).to_be_visible()
    # A link beside a heading is named after it and large enough.
    box = page.locator("#quiz > h2").get_by_role("link", name="Link to Quiz").bounding_box()
    assert min(box["width"], box["height"]) >= 24
    names = page.locator("a.headerlink").evaluate_all("all => all.map((link) => link.ariaLabel)")
    assert "Link to equation 5.6" in names
    assert len(set(names)) == len(names)
    # A formula is broken where the page is narrow alone.
    page.evaluate("location.hash = 'eq-5.6'")
    formula = page.locator("[id='eq-5.6']")
    assert formula.evaluate(LINES) == 1
    page.set_viewport_size({"width": 320, "height": 640})
    assert formula.evaluate(LINES) > 1
    assert formula.evaluate("box => box.scrollWidth <= box.clientWidth + 1")


@pytest.mark.parametrize("place", ["eq-5.8", FOLD])
def test_an_address_in_a_fold_opens_it(page, place):
    page.goto(f"{HTML.as_uri()}/{FOLDING}#{place}")
    expect(details(page)).to_have_attribute("open", "")
    page.wait_for_function(SHOWN, arg=place)
    # And so does a link on the page, even where the browser is there already.
    details(page).evaluate("fold => (fold.open = false)")
    page.locator("h1").evaluate("(h1, to) => (h1.innerHTML = `<a href='#${to}'>5</a>`)", place)
    page.locator("h1 a").click()
    expect(details(page)).to_have_attribute("open", "")
    page.wait_for_function(SHOWN, arg=place)


def test_a_figure_in_a_fold_is_drawn_when_it_is_opened_or_printed(page):
    drawn = details(page).locator(".kernelfree-figure canvas").first
    skip = details(page).get_by_role("button", name="Skip the question", include_hidden=True)
    for how in ("open", "print"):
        page.goto(f"{HTML.as_uri()}/{FOLDING}")
        figure = "document.querySelector('#figure-three-stalls-in-one-box')"
        page.evaluate(f"document.querySelector('#{FOLD} p').before({figure})")
        page.locator(f"#{FOLD}").scroll_into_view_if_needed()
        page.wait_for_timeout(400)
        assert drawn.count() == 0
        if how == "open":
            details(page).locator("> summary").click()
        else:
            page.emulate_media(media="print")
            page.evaluate("dispatchEvent(new Event('beforeprint'))")
        expect(drawn).to_be_attached()
        skip.evaluate("(button) => button.click()")  # else its question is printed
        expect(drawn).to_be_visible()
    assert drawn.bounding_box()["width"] > 50
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(details(page)).not_to_have_attribute("open", "")


def test_on_a_phone_no_line_of_code_is_cut_and_fingers_meet_those_that_open(page):
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{HTML.as_uri()}/{FOLDING}")
    wake(page)
    code = page.locator(".cell_input pre:visible").evaluate_all("all => all.map((b) => b.scrollWidth - b.clientWidth)")
    assert len(code) > 10
    assert max(code) <= 1
    for width in (360, 1280):
        page.set_viewport_size({"width": width, "height": 740})
        high = page.locator("article summary:visible").evaluate_all("all => all.map((one) => one.offsetHeight)")
        assert len(high) > 10
        assert min(high) >= 24


# For each row of cells: their places, and which lines of code go on beyond their cell.
ROWS = """all => all.map((row) => {
  row.scrollIntoView();
  const box = (node) => node.getBoundingClientRect();
  return {
    cells: [...row.children].map((cell) => [box(cell).left, box(cell).top, box(cell).right]),
    cut: [...row.querySelectorAll("pre")].some((pre) => pre.scrollWidth > pre.clientWidth + 1),
  };
})"""


def open_folds(page):
    page.evaluate("for (const fold of document.querySelectorAll('.fold > details')) fold.open = true")


def test_frameworks_stand_beside_each_other_where_there_is_room(page):
    page.goto(f"{HTML.as_uri()}/chapters/15_four_frameworks.html")
    open_folds(page)
    for width in (1440, 1366, 390):
        page.set_viewport_size({"width": width, "height": 900})
        rows = page.locator(".beside").evaluate_all(ROWS)
        assert rows
        for row in rows:
            assert not row["cut"]
            lefts, tops, rights = zip(*row["cells"], strict=True)
            same, apart = (lefts, tops) if width == 390 else (tops, lefts)
            assert len(set(same)) == 1
            assert len(apart) == 3
            assert sorted(set(apart)) == list(apart)
            if width > 390:  # they cover nothing that stands beside the text
                assert page.locator("#contents").evaluate(RIGHT) < lefts[0]
                assert page.locator(".within").evaluate(LEFT) > rights[-1]
        assert page.evaluate("document.documentElement.scrollWidth") <= width


LEFT = "node => node.getBoundingClientRect().left"
RIGHT = "node => node.getBoundingClientRect().right"


def test_on_a_phone_the_contents_open_and_close_by_keyboard(page):
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{HTML.as_uri()}/chapters/index.html")
    contents = page.get_by_role("navigation", name="Contents")
    expect(contents).to_be_hidden()
    page.get_by_role("button", name="Contents").press("Enter")
    expect(contents).to_be_visible()
    page.keyboard.press("Escape")
    expect(contents).to_be_hidden()
    page.get_by_role("button", name="Contents").click()
    contents.get_by_role("link", name="4. Masked softmax").click()
    expect(page.locator("h1")).to_contain_text("4. Masked softmax")


def test_a_chapters_code_can_be_copied_run_and_downloaded(page, served):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{served}/chapters/04_masked_softmax.html")
    cell = page.locator(".cell_input .highlight").nth(1)
    cell.scroll_into_view_if_needed()
    cell.hover()
    cell.locator("button.copybtn").click()
    page.wait_for_function("navigator.clipboard.readText()")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == cell.locator("pre").inner_text().strip()
    page.get_by_role("button", name="Run or download this page").click()
    menu = page.locator("#launch")
    for name, part in {"Colab": "colab.research.google.com", "Binder": "mybinder.org"}.items():
        assert part in menu.get_by_role("link", name=name).get_attribute("href")
    source = menu.get_by_role("link", name="Notebook (.ipynb)").get_attribute("href")
    assert (HTML / "chapters" / source).resolve().is_file()


# At the top of the window, or as near to it as the end of the page allows.
# A browser that leaves the page where it was when something above grows.
UNANCHORED = """document.addEventListener(
  "DOMContentLoaded", () => (document.documentElement.style.overflowAnchor = "none"))"""
GROWN = "document.querySelector('h1').style.paddingTop = '{}px'"


def test_a_place_is_held_until_the_reader_acts(page):
    """And a page that is loaded again then stays where it was."""
    page.add_init_script(UNANCHORED)
    page.goto(f"{HTML.as_uri()}/chapters/04_masked_softmax.html")
    for name in ("code", "quiz"):  # the second is chosen after the first was let go
        page.locator(f".within a[href='#{name}']").click()
        page.evaluate(GROWN.format(400))
        page.wait_for_function(SHOWN, arg=name)
        page.mouse.wheel(0, 300)
        page.wait_for_timeout(300)
        page.evaluate(GROWN.format(800))
        page.wait_for_timeout(300)
        assert not page.evaluate(SHOWN, name)
    page.evaluate("location.hash = 'code'")
    page.wait_for_function(SHOWN, arg="code")
    page.mouse.wheel(0, 3000)
    page.wait_for_timeout(300)
    before = page.evaluate("scrollY")
    page.reload()
    page.wait_for_timeout(500)
    assert abs(page.evaluate("scrollY") - before) < 1500


@each_page("beyond")
def test_the_address_of_a_heading_or_figure_shows_it(chapter, page):
    start = address(chapter, HTML.as_uri())
    page.add_init_script(UNANCHORED)
    page.goto(start)
    places = page.locator(f"article section section[id], {OWN}[id]")
    names = places.evaluate_all("all => all.map(place => place.id)")
    for name in names[:: max(1, len(names) // (4 if EXHAUSTIVE else 2))]:
        page.goto("about:blank")  # else the browser stays, and only scrolls
        page.goto(f"{start}#{name}")
        settle(page)  # what wakes on the way must not move it
        page.wait_for_function(SHOWN, arg=name)


def test_the_focus_goes_to_the_figure_that_a_link_moves_and_comes_back(page):
    page.add_init_script(UNANCHORED)
    page.goto(f"{HTML.as_uri()}/chapters/06_scaled_dot_product_attention.html")
    figure = page.locator(".kernelfree-figure").first
    wake_figure(figure)
    title = figure.get_by_role("group").first.get_attribute("aria-label")
    inside = f"<a id=here href='#{figure.get_attribute('id')}?a=1'>5</a>"
    page.locator("#quiz p").first.evaluate("(p, inside) => (p.innerHTML = inside)", inside)
    link = page.locator("#here")
    link.scroll_into_view_if_needed()
    link.press("Enter")
    assert page.evaluate("document.activeElement.shadowRoot?.activeElement?.ariaLabel") == title
    page.go_back()
    expect(link).to_be_focused()
    # What wakes on the way makes the page longer.
    page.evaluate(GROWN.format(3000))
    page.wait_for_timeout(300)
    assert abs(link.bounding_box()["y"] - 450) < 50  # in the middle
    assert page.evaluate("history.scrollRestoration") == "auto"


def test_a_table_that_is_cut_off_says_so_and_can_be_scrolled_by_keyboard(page):
    boxes = page.locator(".pst-scrollable-table-container:not(.fold *)")
    for width, wide in ((1280, False), (360, True)):
        page.set_viewport_size({"width": width, "height": 740})
        page.goto(f"{HTML.as_uri()}/chapters/coming_from.html")
        wake(page)
        assert boxes.count()
        marked = boxes.and_(page.get_by_role("group", name="A table that scrolls sideways"))
        assert bool(marked.count()) is wide
        for box in marked.all():
            assert box.get_attribute("tabindex") == "0"
            assert "linear-gradient" in box.evaluate("box => getComputedStyle(box).backgroundImage")
    assert page.locator("table th:not([scope])").count() == 0


def test_a_framework_is_chosen_once_for_all_pages(page, own_page, served):
    jax = "document.querySelector('details[data-framework=JAX] > summary').click()"

    def shown():
        page.wait_for_load_state()
        return page.locator("details[data-framework][open]").evaluate_all("all => all.map((d) => d.dataset.framework)")

    page.goto(f"{served}/chapters/06_scaled_dot_product_attention.html")
    assert shown() == []
    open_folds(page)
    page.get_by_text("The same in TensorFlow").first.click()
    page.goto(f"{served}/chapters/04_masked_softmax.html")
    rows = page.locator(".elsewhere").count()
    assert rows
    assert shown() == ["TensorFlow"] * rows
    for chosen in (["JAX"] * rows, []):
        page.evaluate(jax)
        page.reload()
        assert shown() == chosen
    # Also where nothing can be kept.
    own_page.add_init_script(FORBIDDEN)
    own_page.goto(page.url)
    own_page.evaluate(jax)
    expect(own_page.locator("details[data-framework=JAX][open]")).to_have_count(rows)


# The code of a framework, a call of it and what that prints, once its line is pressed.
PRESSED = """([framework, name]) => {
  const line = [...document.querySelectorAll(`.elsewhere details[data-framework=${framework}]`)]
    .find((one) => new RegExp(`(class|def) ${name}\\\\b`).test(one.textContent));
  for (let at = line; (at = at.parentElement.closest("details")); ) at.open = true;
  line.querySelector("summary").click();
  return [...line.querySelectorAll("pre")].map((part) => part.checkVisibility() && part.textContent);
}"""
DEFINED = {
    "masked_softmax": "04_masked_softmax",
    "DotProductAttention": "06_scaled_dot_product_attention",
    "AdditiveAttention": "07_additive_attention",
}


@pytest.mark.parametrize("name", DEFINED)
def test_the_code_of_another_framework_is_one_click_away(page, name):
    page.goto(f"{HTML.as_uri()}/chapters/{DEFINED[name]}.html")
    for framework in ("JAX", "TensorFlow", "MXNet"):
        code, call, printed = page.evaluate(PRESSED, [framework, name])
        assert printed
        assert re.search(rf"^from d2lmini\.{framework.lower()} import", call, re.M)
        module = chapters.ROOT / "d2lmini" / "frameworks" / f"{framework.lower()}.py"
        source = module.read_text(encoding="utf-8")
        assert name in code
        assert all(line.strip() in ("...", *map(str.strip, source.splitlines())) for line in code.splitlines())


GALLERY = f"{HTML.as_uri()}/chapters/making_figures.html"
# What reaches over the page's edge.
CUT = """(all) => all.filter((n) => !n.closest(".unseen, .numbers") && n.getClientRects().length)
  .map((n) => [n.outerHTML.slice(0, 80), n.getBoundingClientRect()])
  .filter(([, { left, right }]) => right > document.documentElement.clientWidth + 1 || left < -1)"""

# How high each figure is once it has come into view: what is far away is not drawn yet.
DRAWN = """async () => {
  const highs = [];
  for (const el of document.querySelectorAll(".kernelfree-figure")) {
    el.scrollIntoView();
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    highs.push(el.clientHeight);
  }
  return highs;
}"""


def test_nothing_is_cut_nor_on_paper(page):
    page.set_viewport_size({"width": 320, "height": 800})
    page.goto(GALLERY)
    page.evaluate("dispatchEvent(new Event('kernelfree-figure'))")
    expect(page.locator(".kernelfree-figure:not([data-alive])")).to_have_count(0)
    # What is far away is laid out, too: Firefox would tell its last size.
    page.add_style_tag(content="* { content-visibility: visible !important }")
    # 200% zoom of a window of 1280 pixels shows 640 of them; A4 less its margins has 680.
    for width, media in ((1280, None), (640, None), (320, None), (680, "print")):
        page.emulate_media(media=media)
        page.set_viewport_size({"width": width, "height": 800})
        page.wait_for_timeout(300)
        assert fits(page, width)
        assert page.locator(".kernelfree-figure > div *").evaluate_all(CUT) == []
    for host in page.locator(".kernelfree-figure > div").all():
        assert host.bounding_box()["height"] > 128


@pytest.mark.parametrize(("width", "most"), [(390, 30), (1280, 100)])
def test_the_room_kept_for_figures_is_about_their_height(page, width, most):
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(GALLERY)
    room = "all => all.map((el) => parseFloat(getComputedStyle(el).getPropertyValue('--room')))"
    rooms = page.locator(".kernelfree-figure").evaluate_all(room)
    page.evaluate("dispatchEvent(new Event('kernelfree-figure'))")
    off = [abs(room - high) for room, high in zip(rooms, page.evaluate(DRAWN), strict=True)]
    assert sum(off) / len(off) < most
