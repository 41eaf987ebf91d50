"""What a figure with a question shows before the answer: all but what would tell it."""

import json
import re

import numpy as np
import pytest
from examples import page_of
from exhaustive import sample
from playwright.sync_api import expect

import chapters
from kernelfree import Number, Prediction, Text, explore

ASKING = [page for page in chapters.pages() if '\\"predict\\":' in page.read_text("utf-8")]
DATA = re.compile(r'(?<=<script type="application/json">).*?(?=</script>)', re.DOTALL)

# All that a reader and a screen reader get of a figure's picture: texts, labels and canvases.
PARTS = "[role=group]:not(.quiz) :is(.panels, .legend, .foot)"
SEEN = """(parts) => parts.flatMap((part) => [part, ...part.querySelectorAll("*")]).map((node) =>
  [node.innerText, node.ariaLabel, node.getAttribute("style"), node.toDataURL?.()])"""
# Whether something of a panel is drawn or written: words, or ink on a canvas.
INKED = """(panels) => panels.map((panel) => {
  const canvas = panel.querySelector("canvas");
  if (!panel.checkVisibility()) return false;
  if (!canvas) return panel.innerText.trim() !== "";
  return canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.some(Boolean);
})"""


def hidden_tables(state):
    """The hidden numbers of a figure: [(panel, name of a table, its row or none for all), ...]."""
    found = []
    for place, keys in state["predict"]["hide"].items():
        panel = state["panels"][int(place)]
        for name in panel["tables"]:
            lines = [key.split(":") for key in keys if ":" in key and name == f"{key[0]}y"]
            whole = [key for key in keys if re.fullmatch(rf"{key}[a-z]+", name)]
            if not keys or whole:
                found.append((panel, name, None))
            found += [(panel, name, int(row)) for _, row in lines]
    return found


def moved(entry):
    """The stored numbers of a row, all of them larger: the first is, the others are differences."""
    head, numbers = entry.rsplit(":", 1)
    first, *rest = numbers.split(",")
    first, *times = first.split("~")
    largest = max(abs(int(run.split("~")[0] or "0", 36)) for run in numbers.split(","))
    larger = np.base_repr(int(first or "0", 36) + max(1, largest // 3), 36).lower()
    return f"{head}:{','.join(['~'.join([larger, *times]), *rest])}"


def other(html):
    """The same figure with other numbers where they are hidden, and another sentence."""
    state = json.loads(DATA.search(html)[0])
    for panel, name, row in hidden_tables(state):
        table = dict(state["tables"][panel["tables"][name]])
        gap, *entries = table["data"].split(" ")
        changed = [moved(e) if row in (None, n) else e for n, e in enumerate(entries)]
        table["data"] = " ".join([gap, *changed])
        panel["tables"][name] = len(state["tables"])
        state["tables"].append(table)
    if state["predict"]["hide"] and "says" in state:
        state["says"][0][1] = [[f"other {piece}" for piece in said] for said in state["says"][0][1]]
    text = json.dumps(state).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    return DATA.sub(lambda _: text, html)


@pytest.mark.parametrize("chapter", sample(ASKING, *ASKING[::7], rest="beyond"), ids=lambda page: page.stem)
def test_before_the_answer_all_is_in_view_but_what_tells_it(page, tmp_path, chapter):
    stored = [(html, s) for html, s in chapters.stored_figures(chapter) if "predict" in s]
    file = tmp_path / "page.html"
    figures = page.locator(".kernelfree-figure")

    def seen():
        return [figure.locator(PARTS).evaluate_all(SEEN) for figure in figures.all()]

    def opened(pages):
        """What is seen of each figure at first, and when its question is skipped."""
        file.write_text(page_of("".join(pages)), encoding="utf-8")
        page.goto(file.as_uri())
        expect(page.locator(".covered")).to_have_count(len(pages))
        first = seen()
        inked = [figure.locator(".panel").evaluate_all(INKED) for figure in figures.all()]
        for words in page.locator("[inert] .words").all():
            assert not re.search(r"\d\.\d", words.inner_text()), "a weight behind a word"
        for skip in page.get_by_role("button", name="Skip the question").all():
            skip.click()
        expect(page.locator(".covered")).to_have_count(0)
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        return first, inked, seen()

    first, inked, then = opened([html for html, _ in stored])
    as_first, _, as_then = opened([other(html) for html, _ in stored])
    for n, (_, state) in enumerate(stored):
        title, hides = state["title"], bool(state["predict"]["hide"])
        assert first[n] == as_first[n], f"{title}: what is hidden can be told"
        assert (then[n] == as_then[n]) is not hides, f"{title}: it stays hidden"
        assert all(inked[n]), f"{title}: a panel is empty"


def test_content_of_an_authors_own_is_hidden_until_the_answer(show):
    ask = Prediction("How long?", {"2 s": "Yes.", "4 s": "No."}, "2 s", hide=["Swing"])

    def pendulum(length=1):
        return {"Swing": Number(2.0, unit="s"), "Note": Text("of Huygens"), "says": "It takes 2 s."}

    page = show(explore(pendulum, length=range(1, 3), predict=ask))
    for seen in (False, True):
        for hidden in (page.locator(".number"), page.get_by_text("It takes 2 s.")):
            expect(hidden).to_be_visible(visible=seen)
        expect(page.get_by_text("of Huygens")).to_be_visible()
        if not seen:
            page.get_by_role("button", name="Skip").click()


def test_a_link_before_the_answer_says_why_nothing_moves_and_after_it_where_the_picture_is(show):
    ask = Prediction("Is it long?", {"yes": "It is.", "no": "It is long."}, "yes")
    long = explore(lambda a=0: Number(a), a=range(9), title="Long", predict=ask)
    page = show(long, body="<a href='#figure-long?a=8'>eight</a>")
    page.get_by_role("link", name="eight").click()
    told = page.locator(".quiz p")
    expect(told).to_have_text("Answer first; then the picture moves there.")
    page.get_by_role("button", name="yes").click()
    expect(told).to_have_text("Right. It is. The picture goes where the link leads.")
    expect(page.get_by_role("slider")).to_have_attribute("aria-valuetext", "8")
