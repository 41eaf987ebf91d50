"""Figures and pages in Chinese say all in Chinese, and share answers with the English ones."""

import re
import shutil

import pytest
import torch
from playwright.sync_api import expect
from serving import HTML, serve

import d2lmini as d
from kernelfree import Table, Text
from pages.site import SCRIPTS

LATIN = re.compile(r"[A-Za-z]{2,}")
WEIGHTS = torch.tensor([[0.5, 0.5, 0.0], [0.2, 0.3, 0.5]])
HIDDEN = torch.tensor([[False, False, True], [False, False, False]])
NAMES = ["一", "二", "三"]

# All that a reader sees or hears in a part of a page: texts, names, values.
SAID = """root => [root, ...root.querySelectorAll("*")].flatMap((node) => [
  ...[...node.childNodes].filter((one) => one.nodeType === 3 && !/STYLE|SCRIPT/.test(node.tagName))
    .map((one) => one.data),
  ...["aria-label", "aria-valuetext", "title", "placeholder", "alt"]
    .map((name) => node.getAttribute?.(name)),
]).filter(Boolean)"""


@pytest.fixture(autouse=True)
def chinese():
    d.speak("zh")
    yield
    d.speak(None)


def shown(长度=2, 种类="左", 开关=False):
    masked = torch.where(HIDDEN, -torch.inf, WEIGHTS * 长度)
    rest = {"role": "weight", "xlabel": "词"}
    return {
        "矩阵": d.Heatmap(masked, "weight", xticks=NAMES, xlabel="键", ylabel="查询"),
        "高": d.Bars(WEIGHTS[0], role="weight", xlabel="键"),
        "上": d.Bars({"左": [1.0, 2.0], "右": [2.0, 1.0]}, xlabel="键"),
        "线": d.Curve([0, 1, 2], {"左": [0, 1, float("nan")], "右": [1, 1, 1]}, xlabel="距离"),
        "点": d.Plot({"点": d.Points([[0.0, 1.0]], ["一"], size=[1.0])}, "左右", "上下"),
        "词": d.Words(NAMES, WEIGHTS[0], ylabel="词", **rest),
        "注意": d.Words(NAMES, torch.eye(3), ylabel="看的词", **rest),
        "表": Table([["名", "值"], ["左", 1]]),
        "话": Text("一句话"),
    }


def test_a_figure_says_nothing_in_english(show):
    choices = {"长度": range(1, 4), "种类": ["左", "右"], "开关": False}
    page = show(d.explore(shown, **choices, title="一幅图", play="长度"))
    root, told = page.get_by_role("group").first, page.locator("[aria-live]").last
    expect(root).to_have_attribute("aria-label", "一幅图")
    said = set()
    for name in ("播放", "数值", "链接", "重置"):
        page.get_by_role("button", name=name, exact=True).click()
        said.update(root.evaluate(SAID))
    for canvas in page.locator("canvas").all():
        canvas.focus()
        for key in ("ArrowRight", "ArrowRight", "t", "t", "ArrowDown", "Escape"):
            page.keyboard.press(key)
            said.update(root.evaluate(SAID))
    for n, (place, name) in enumerate([(2, "长度"), (1, "种类"), (1, "开关")]):
        page.evaluate(f"move({n}, {place})")
        # A figure speaks once it rests.
        expect(told).to_contain_text(f"{name} = ")
        said.update(root.evaluate(SAID))
    page.locator("canvas").first.press("ArrowRight")
    expect(told).to_have_text(re.compile(r"^矩阵，查询 1，键 一：\d\.\d+；该行之和为 \d\.\d+。$"))
    assert [text for text in said if LATIN.search(text)] == []
    known = {"正在播放。", "已隐藏数值。", "已显示数值。", "已掩蔽", "▨ 已掩蔽", "总和", "无", "大小"}
    assert known | {"矩阵：方向键读出数值，按 T 键显示表格"} <= said
    assert any("开关 = 开。" in text for text in said)


def test_a_question_is_asked_and_numbers_are_typed_in_chinese(show):
    def product(查询, 宽):
        return d.Heatmap(查询 @ WEIGHTS[:, :2].double() / 宽, xlabel="键", ylabel="查询")

    asked = d.Prediction("会怎样？", {"变大。": "对。", "变小。": "不对。"}, "变大。")
    matrix = d.Matrix([[1.0, 0.0]], -3, 3)
    page = show(d.explore(product, 查询=matrix, 宽=(0.5, 2.0), live=True, predict=asked, play="宽"))
    page.get_by_role("button", name="变大。").click()
    field = page.get_by_label("查询，行 1、列 1")
    for text, why in (("x", "“x”不是数。"), ("9", "“9”不在 -3 到 3 之间。")):
        field.fill(text)
        expect(page.locator(".matrix [aria-live]")).to_contain_text(why)
    for name in ("随机", "播放", "暂停"):
        page.get_by_role("button", name=name, exact=True).click()


def test_a_trace_says_where_an_entry_comes_from(show):
    given = {"scores": [[[0.0, 1.0, 2.0]]], "valid_lens": [2]}
    page = show(d.trace(d.masked_softmax, title="掩蔽", **given))
    page.locator(".tensor[aria-label^=scores]").first.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("p[aria-live]")).to_have_text("scores，batch 1、query 1、key 1：0。它来自 scores 的 1 个元素。")
    told = page.locator(".kernelfree-trace > div > [role=group]").evaluate(SAID)
    assert {"scores：用方向键读出数值", "随机", "重置", "这一行没有执行。"} <= set(told)
    read = "node => getComputedStyle(node, '::after').content.replace('attr(data-idle)', node.dataset.idle)"
    assert "没有执行" in page.locator(".idle > .text code").first.evaluate(read)


PAGE = """<!doctype html><html lang="{lang}"><head><meta charset="utf-8">
<title>{title}</title><link rel="icon" href="data:,"></head><body><main>
<p><a class="to-review" href="review.html">{title}</a></p>
<article data-page="page" data-numbered><h1>{title}</h1>
<div class="question" data-answer="page/a1"><p><strong>{title}</strong></p>
<details><summary>{no}</summary><p>-</p></details>
<details class="right"><summary>{yes}</summary><p>-</p></details></div>
<p class="how-to-answer">-</p>
<div class="exercise" data-answer="page/e1"><div class="d2lmini-answer"><p>-</p>
<script type="application/json">
{{"expected": 2, "praise": "", "slips": [], "tolerance": 0.001}}</script>
</div></div>
<details class="prompt" data-answer="page/p1"><summary>{title}</summary><p>-</p></details>
</article><span class="progress" data-page="page" data-questions="a1" data-exercises="e1" data-prompts="p1"></span>
<div class="answers-file"></div></main>
<script src="{up}{language}again.js"></script></body></html>"""


# What no font has is drawn as a box, the same for all.
TELLS_APART = """async (element) => {
  const font = `20px ${getComputedStyle(element).fontFamily}`;
  await document.fonts.load(font, "温度");
  const drawn = (word) => {
    const ink = new OffscreenCanvas(30, 30).getContext("2d");
    ink.font = font;
    ink.fillText(word, 2, 22);
    return String(ink.getImageData(0, 0, 30, 30).data);
  };
  return drawn("温") !== drawn("度");
}"""


def test_hanzi_are_drawn_where_the_reader_has_no_font_for_them(page):
    page.goto(f"{HTML.as_uri()}/zh/chapters/06_scaled_dot_product_attention.html")
    for place in ("article p", "pre", ".kernelfree-figure", "nav a", ".cjk_fallback"):
        assert page.locator(place).first.evaluate(TELLS_APART), place


def test_letters_that_are_still_to_come_have_their_room_where_no_font_has_them(page):
    page.add_init_script("""{
      const pens = CanvasRenderingContext2D.prototype, measure = pens.measureText;
      pens.measureText = function (text) { return text === "国" ? { width: 4 } : measure.call(this, text); };
    }""")
    page.goto(f"{HTML.as_uri()}/zh/chapters/06_scaled_dot_product_attention.html")
    page.evaluate("pen = document.createElement('canvas').getContext('2d'), pen.font = '20px Blank'")
    assert round(page.evaluate("pen.measureText('温，度').width")) == 60


# Commas behind formulas that stand below them.
BEHIND = """() => [...document.querySelectorAll("article p > .math")].filter((math) => {
  math.closest("details")?.setAttribute("open", "");
  const sign = new Range(), after = math.nextSibling, piece = [...math.querySelectorAll(".base")].at(-1);
  if (!/^[，。；：）]/.test(after?.data)) return false;
  sign.setStart(after, 0), sign.setEnd(after, 1);
  return sign.getBoundingClientRect().top > piece.getBoundingClientRect().bottom - 2;
}).length"""


def test_no_line_begins_with_the_comma_behind_a_formula(page):
    page.set_viewport_size({"width": 360, "height": 700})
    page.goto(f"{HTML.as_uri()}/zh/chapters/06_scaled_dot_product_attention.html")
    assert page.evaluate(BEHIND) == 0


@pytest.fixture
def editions(tmp_path):
    """One page in two languages, as a site has them."""
    words = {
        "": {"lang": "en", "title": "Page", "no": "wrong", "yes": "fits", "up": "../"},
        "zh/": {"lang": "zh-CN", "title": "页", "no": "错的", "yes": "对的", "up": "../../"},
    }
    for language, own in words.items():
        folder = tmp_path / language / "chapters"
        folder.mkdir(parents=True)
        text = PAGE.format(language=language, **own)
        (folder / "page.html").write_text(text, encoding="utf-8")
        shutil.copy(SCRIPTS / language / "again.js", tmp_path / language)
    with serve(tmp_path) as address:
        yield [f"{address}/{language}chapters/page.html" for language in words]


def test_both_editions_keep_one_record_and_say_it_in_their_own_words(page, editions):
    english, chinese = editions
    page.goto(chinese)
    page.locator("summary", has_text="错的").click()
    answered = page.locator(".question .answered")
    expect(answered).to_have_text(re.compile(r"^你在 \d+月\d+日回答了“错的”：不正确。$"))
    form = page.locator("form.answer")
    wrong = {"": "请先写下你的答案。", "x": "“x”不是数。", "3": "还不对。", "1、2": "还不对：这里要一个数，不是 2 个。"}
    for text, why in (wrong | {"２": "答对了。"}).items():
        form.get_by_role("textbox").fill(text)
        form.get_by_role("button", name="检查").click()
        expect(form.locator("[aria-live]")).to_contain_text(why)
    page.locator(".prompt > summary").click()
    page.get_by_role("button", name="我记得").click()
    recalled = page.locator(".recall [aria-live]")
    expect(recalled).to_have_text("5 天后再来。")
    expect(page.locator(".progress")).to_have_text("已读 · 已答 2/2 题，答对 1 题 · 2 道待重做")
    said = page.locator("main").evaluate(SAID)
    page.once("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
    page.get_by_role("button", name="全部清除").click()
    assert [text for text in said if LATIN.search(re.sub(r"ln|sqrt|Anki", "", text))] == []
    page.goto(english)
    expect(answered).to_have_text(re.compile(r"^You answered “wrong”, \w+ \d+: not right\.$"))
    expect(recalled).to_have_text("Comes back in 5 days.")
    expect(page.locator("form.answer.right input")).to_have_value("２")
    page.goto(chinese)
    expect(page.locator(".chosen > summary")).to_have_text("错的")
