"""From one language of the book to the other: the same place, the same figure in the same state."""

import re
from urllib.parse import quote, urlsplit

import pytest
from accessible import fits, problems
from exhaustive import EXHAUSTIVE
from opened import wake
from playwright.sync_api import expect
from serving import HTML

pytestmark = pytest.mark.beyond

CHAPTER = "04_masked_softmax"
CHAPTERS = [path.stem for path in sorted((HTML / "chapters").glob("[01]*.html"))]
TERMS = """
查询 键 值 评分 掩蔽 注意力权重 缩放点积注意力 加性注意力 双线性 有效长度 填充
批量矩阵乘法 多头注意力 位置编码 词元 核回归 注意力汇聚 梯度 自注意力 隐藏层 平方根
"""
# What stands on pages, without blanks, titles, code, and what a formula says beside its source.
TEXTS = """(names) => Promise.all(names.map(async (name) => {
  const page = await (await fetch(`${name}.html`)).text();
  const text = new DOMParser().parseFromString(page, "text/html").querySelector("article");
  const besides = text.querySelectorAll("h1, script, pre, annotation, .katex-html");
  besides.forEach((one) => one.remove());
  return text.textContent.replace(/\\s+/g, "");
}))"""


@pytest.fixture(params=["served", "disk"])
def home(request, served):
    """Where the book is: behind a server, or on a disk."""
    return served if request.param == "served" else HTML.as_uri()


@pytest.fixture(scope="session")
def context(browser):
    """As the others; the reader's browser speaks English."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en-US")
    yield context
    context.close()


def switch(page):
    return page.locator(".top > a.edition")


def press(page):
    """Press the switch where the page is. (Playwright scrolls to what sticks to the top.)"""
    switch(page).evaluate("link => link.click()")


def read(page, name):
    """Go to a heading, which the address does not tell any more."""
    page.evaluate("name => location.replace(`#${name}`)", name)
    expect(page.locator(f"[id='{name}']")).to_be_in_viewport()
    page.mouse.wheel(0, 1)  # the reader acts: the place is not held any longer
    page.evaluate("history.replaceState(null, '', location.pathname)")


def test_the_switch_keeps_the_heading_that_is_read(page, home):
    page.goto(f"{home}/chapters/{CHAPTER}.html")
    name = page.locator("article section section[id]").nth(3).get_attribute("id")
    expect(switch(page)).to_have_accessible_name("中文")
    for there, language in (("/zh/", "zh-CN"), (r"(html|:\d+)/", "en")):
        read(page, name)
        press(page)
        page.wait_for_url(re.compile(f"{there}chapters/{CHAPTER}.html#{name}"))
        expect(page.locator("html")).to_have_attribute("lang", language)


def test_the_switch_keeps_the_state_of_the_figure_in_view(page, home):
    page.goto(f"{home}/chapters/02_kernel_regression.html")
    asks = "node => JSON.parse(node.querySelector('script').textContent).predict"
    figures = page.locator(".kernelfree-figure").all()
    figure = next(one for one in figures if not one.evaluate(asks))
    name = figure.get_attribute("id")
    wake(figure)
    slider = page.locator(f"[id='{name}'] input[type=range]").first
    before = slider.input_value()
    slider.press("ArrowRight")
    value = slider.input_value()
    assert value != before
    press(page)
    page.wait_for_url(f"**/zh/chapters/*#{name}?*")
    expect(slider).to_have_value(value)


def test_a_lesson_goes_on_at_the_same_step(page, home):
    page.goto(f"{home}/chapters/{CHAPTER}.html#present-9")
    expect(page.locator(".lesson-bar")).to_be_visible()
    step = urlsplit(page.url).fragment  # which holds that block
    page.locator(".lesson-bar a.edition").click()
    page.wait_for_url(f"**/zh/**#{step}")
    expect(page.locator(".lesson-bar")).to_be_visible()


def test_a_figure_on_its_own_page_keeps_its_state(page, home):
    path = "figure/masked_softmax/three-padded-sentences.html"
    page.goto(f"{home}/{path}?theme=dark")
    slider = page.locator("input[type=range]").first
    slider.press("ArrowRight")
    value = slider.input_value()
    page.locator("a.edition").click()
    page.wait_for_url(f"**/zh/{path}?theme=dark#figure-*")
    expect(slider).to_have_value(value)


def test_without_scripts_the_switch_is_a_link(still):
    still.goto(f"{HTML.as_uri()}/chapters/{CHAPTER}.html")
    switch(still).click()
    assert still.url.endswith(f"/zh/chapters/{CHAPTER}.html")
    switch(still).click()
    assert still.url.endswith(f"html/chapters/{CHAPTER}.html")


OFFERED = [("zh-CN", "", 1), ("zh-CN", "zh/", 0), ("en-GB", "zh/", 1), ("en", "", 0), ("fr", "", 0)]


@pytest.mark.parametrize(("locale", "path", "offered"), OFFERED)
def test_the_language_of_the_browser_is_offered_once(browser, served, locale, path, offered):
    with browser.new_context(locale=locale) as context:
        page = context.new_page()
        page.goto(f"{served}/{path}chapters/references.html")  # axe reads a short page in no time
        line = page.locator(".offer")
        expect(line).to_have_count(offered)
        if offered:
            assert problems(page) == []
            line.get_by_role("button").click()
            expect(line).to_have_count(0)
            page.reload()
            page.wait_for_load_state()
            expect(line).to_have_count(0)


@pytest.mark.parametrize(("path", "other"), [("", "zh/"), ("zh/", "")])
def test_on_a_narrow_phone_nothing_is_wider_than_the_page(page, served, path, other):
    for name in (f"chapters/{CHAPTER}.html", "chapters/review.html", "search.html", "index.html"):
        page.goto(f"{served}/{path}{name}")
        assert fits(page, 320, 640)
        there = [f"{served}/{other}{name}", f"{served}/{other}chapters/{name}"]  # both first pages
        assert switch(page).evaluate("link => link.href") in there
        box = switch(page).bounding_box()
        assert box["x"] + box["width"] <= 320
        assert box["height"] >= 24


def test_terms_are_found_within_sentences_and_shown_there(page, served):
    page.goto(f"{served}/zh/chapters/index.html")
    texts = page.evaluate(TEXTS, CHAPTERS)
    for term in TERMS.split()[:: None if EXHAUSTIVE else 5]:
        page.goto(f"{served}/zh/search.html?q={quote(term)}")
        expect(page.locator("#search-results [role=status]")).to_contain_text("相关的页面")
        wanted = {name for name, text in zip(CHAPTERS, texts, strict=True) if term in text}
        assert wanted
        for name in wanted:
            result = page.locator(f"#search-results > ul > li:has([href*='{name}'])")
            expect(result.locator(".context mark").first).to_have_text(term)


def test_an_apostrophe_is_no_wider_in_chinese_than_in_english(page, served):
    page.goto(f"{served}/zh/chapters/index.html")
    page.evaluate("document.querySelector('main p').innerHTML = '<s>\u2019</s>'")
    assert page.locator("main p s").bounding_box()["width"] < 8
